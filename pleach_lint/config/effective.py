"""The configuration that governs a file: its layers, taken together. Opens no file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pleach_lint.cache_place import FOLDER
from pleach_lint.config.layer import AUTO_JOBS, GROWING, Layer, merged
from pleach_lint.patterns import PathMatcher, Pattern
from pleach_lint.project import Settings
from pleach_lint.selection import enabled_codes, ignored_codes, optional_codes, selector

if TYPE_CHECKING:
    from pleach_lint.selection import Selector

DEFAULT_EXCLUDES: Final = (
    *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox"),
    *(".pants.d", FOLDER, ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv"),
    *(".vscode", "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules"),
    *("site-packages", "venv"),
)
"""Names of folders that hold no code of the project. Source: Ruff's default `exclude`, and caches."""
DEFAULT_SOURCE_ROOTS: Final = (".", "src")


_UNEXPLAINED: Final = "PCH902"
"""The rule that `require-reasons` switches on."""
BASELINE: Final = ".pleach-baseline.json"
"""The baseline of a project, at its root, unless another is named."""


@dataclass(frozen=True)
class Configuration:
    """What governs the files of one project."""

    root: str
    """Absolute, real."""
    layers: tuple[Layer, ...]
    """The strongest first; the last one holds the defaults."""

    file: str | None = None
    """The configuration file, as it is shown to people; None when there is none."""

    @cached_property
    def settings(self) -> Settings:
        """The part that the analysis depends on."""
        return Settings(
            root=Path(self.root),
            seams=self.seams,
            source_roots=self._from_root(self.merged.source_roots),
            strict=self.merged.strict or False,
            names=self.merged.names or (),
            callables=self.merged.callables or (),
            optional=tuple(sorted(self.codes & optional_codes())),
            provider_modules=self._from_root(self.merged.provider_modules),
        )

    @cached_property
    def seams(self) -> tuple[str, ...]:
        """Paths or globs of the seam packages, relative to the root; empty where none is configured."""
        return self._from_root(self.merged.seams)

    @cached_property
    def excluded(self) -> PathMatcher:
        """What the walk leaves out."""
        return PathMatcher((*(self.merged.exclude or ()), *(self.merged.extend_exclude or ())))

    @cached_property
    def codes(self) -> frozenset[str]:
        """The rules that are on, before `per-file-ignores`."""
        more = (selector(_UNEXPLAINED),) if self.merged.require_reasons else ()
        return enabled_codes(self.merged.select, (*(self.merged.extend_select or ()), *more), self.merged.ignore or ())

    def codes_for(self, path: str) -> frozenset[str]:
        """The rules that are on for one file.

        Args:
            path: Absolute and real.
        """
        matching = (entries for matcher, entries in self._file_ignores if matcher.covers(path, self.root))
        return self.codes.difference(*map(ignored_codes, matching))

    @property
    def baseline(self) -> Path:
        """The file of the baseline, which need not exist unless the settings name it."""
        return Path(self.merged.baseline or f"{self.root}/{BASELINE}").resolve()

    @cached_property
    def merged(self) -> Layer:
        """The settings of all layers; None where only the circumstances can tell."""
        return merged(self.layers)

    def origin_of(self, key: str) -> str:
        """Where a setting that is set was written; the strongest source first where several add up."""
        origins = [layer.origin for layer in self.layers if getattr(layer, key) is not None]
        return ", ".join(origins) if key in GROWING else origins[0]

    @cached_property
    def _file_ignores(self) -> tuple[tuple[PathMatcher, tuple[Selector, ...]], ...]:
        return tuple((PathMatcher((pattern,)), entries) for pattern, entries in self.merged.per_file_ignores or ())

    def _from_root(self, patterns: tuple[Pattern, ...] | None) -> tuple[str, ...]:
        return tuple(pattern.seen_from(self.root) for pattern in patterns or ())


def defaults(root: Path) -> Layer:
    """What holds where nothing is said."""

    def patterns(texts: tuple[str, ...]) -> tuple[Pattern, ...]:
        return tuple(Pattern(text, str(root)) for text in texts)

    return Layer(
        origin="default",
        seams=(),
        source_roots=patterns(DEFAULT_SOURCE_ROOTS),
        strict=False,
        names=(),
        callables=(),
        provider_modules=(),
        ignore=(),
        per_file_ignores=(),
        require_reasons=False,
        exclude=patterns(DEFAULT_EXCLUDES),
        force_exclude=False,
        respect_gitignore=True,
        jobs=AUTO_JOBS,
    )
