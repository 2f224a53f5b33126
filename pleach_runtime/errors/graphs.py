"""Errors of graphs: declarations that do not fit together, and runs that cannot go on."""

from __future__ import annotations

from dataclasses import dataclass

from pleach_runtime.errors.base import PleachError
from pleach_runtime.errors.usage import ConfigurationError


@dataclass(eq=False)
class GraphCompileError(ConfigurationError):
    """The declarations of some nodes do not make a graph."""

    problems: tuple[str, ...]
    """Everything that is wrong, in the order of the nodes."""

    def _message(self) -> str:
        return "\n".join(("these nodes make no graph:", *(f"  {problem}" for problem in self.problems)))


@dataclass(eq=False)
class GraphRunError(PleachError):
    """A run of a graph cannot go on. What its calls have cost is recorded."""

    turn_id: str
    problem: str

    def _message(self) -> str:
        return f"turn {self.turn_id!r} cannot go on: {self.problem}"
