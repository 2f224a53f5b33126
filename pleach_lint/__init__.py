"""A linter that keeps call classes behind seams in Python LLM code."""

from __future__ import annotations

__all__ = ("__version__",)

__version__ = "0.1.0"
