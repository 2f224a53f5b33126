"""Notebooks: their code cells as one module, and where its rows stand. Knows neither rules nor reports."""

from __future__ import annotations

from pleach_lint.notebooks.findings import for_cells
from pleach_lint.notebooks.notebook import Notebook
from pleach_lint.notebooks.reading import placed, read_notebook

__all__ = ("Notebook", "for_cells", "placed", "read_notebook")
