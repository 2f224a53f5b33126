"""What one source of configuration says, and how a stronger source stands over a weaker one. Opens no file."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pleach_lint.config.table import Table
    from pleach_lint.patterns import Pattern
    from pleach_lint.selection import Selector

AUTO_JOBS: Final = 0
"""`jobs = "auto"`: as many processes as there are processors, when that pays."""
OUTPUT_FORMATS: Final = (
    *("full", "concise", "json", "json-lines"),
    *("github", "gitlab", "sarif", "junit", "rdjson"),
)

_CALLABLE: Final = r"[\w.]+:[\w.]+:\w+"


class Layer(NamedTuple):
    """The keys that one file, or the command line, sets. None: it does not say."""

    origin: str
    """The file as it is shown to people, or "command line"."""
    extend: str | None = None
    """Path of the file to inherit from, relative to this one."""
    seams: tuple[Pattern, ...] | None = None
    source_roots: tuple[Pattern, ...] | None = None
    strict: bool | None = None
    names: tuple[str, ...] | None = None
    callables: tuple[str, ...] | None = None
    provider_modules: tuple[Pattern, ...] | None = None
    select: tuple[Selector, ...] | None = None
    extend_select: tuple[Selector, ...] | None = None
    ignore: tuple[Selector, ...] | None = None
    per_file_ignores: tuple[tuple[Pattern, tuple[Selector, ...]], ...] | None = None
    require_reasons: bool | None = None
    exclude: tuple[Pattern, ...] | None = None
    extend_exclude: tuple[Pattern, ...] | None = None
    force_exclude: bool | None = None
    respect_gitignore: bool | None = None
    output_format: str | None = None
    jobs: int | None = None
    cache_dir: str | None = None
    """Absolute. Its default hangs on the project of each file."""
    baseline: str | None = None
    """Absolute. Its default hangs on the project of the run."""


KEYS: Final = tuple(name for name in Layer._fields if name not in {"origin", "extend"})
"""The settings, in the order in which they are shown."""
GROWING: Final = frozenset({"extend_select", "extend_exclude"})
"""Settings whose layers add up; of every other the strongest layer that says something counts alone."""


def read_layer(table: Table) -> Layer:
    """Take every key of a table.

    Raises:
        ConfigError: if a key is unknown, or its value is not what the key takes.
    """
    layer = Layer(
        origin=table.origin.name,
        extend=table.string("extend"),
        seams=table.patterns("seams"),
        source_roots=table.patterns("source-roots"),
        strict=table.flag("strict"),
        names=table.strings("names"),
        callables=_callables(table),
        provider_modules=table.patterns("provider-modules"),
        select=table.selectors("select"),
        extend_select=table.selectors("extend-select"),
        ignore=table.selectors("ignore"),
        per_file_ignores=table.selectors_by_pattern("per-file-ignores"),
        require_reasons=table.flag("require-reasons"),
        exclude=table.patterns("exclude"),
        extend_exclude=table.patterns("extend-exclude"),
        force_exclude=table.flag("force-exclude"),
        respect_gitignore=table.flag("respect-gitignore"),
        output_format=table.choice("output-format", OUTPUT_FORMATS),
        jobs=table.count("jobs", auto=AUTO_JOBS),
        cache_dir=table.path("cache-dir"),
        baseline=table.path("baseline"),
    )
    table.refuse_unknown()
    return layer


def _callables(table: Table) -> tuple[str, ...] | None:
    texts = table.strings("callables")
    for text in texts or ():
        if not re.fullmatch(_CALLABLE, text):
            raise table.error(
                "callables", f'holds `{text}`; write "package.module:function:0", the 0 being the argument'
            )
    return texts


def merged(layers: tuple[Layer, ...]) -> Layer:
    """Lay stronger layers over weaker ones; the strongest comes first in `layers`."""
    return reduce(_over, reversed(layers))


def _over(weaker: Layer, stronger: Layer) -> Layer:
    said = {key: value for key in KEYS if (value := getattr(stronger, key)) is not None}
    for key in GROWING & said.keys():
        said[key] = (*(getattr(weaker, key) or ()), *said[key])
    return weaker._replace(**said)
