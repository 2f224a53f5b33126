"""libcst's nodes to nodes of `ast`. Each module here converts the kinds that it names."""

from __future__ import annotations

from pleach_lint.syntax.conversion import compound, displays, signatures, strings, trailers
from pleach_lint.syntax.conversion.places import Origin, Places
from pleach_lint.syntax.conversion.statements import statements

__all__ = ("Origin", "Places", "compound", "displays", "signatures", "statements", "strings", "trailers")
