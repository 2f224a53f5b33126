"""What makes the answer of a run doubtful though nothing failed. Prints nothing."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from glob import iglob
from typing import TYPE_CHECKING

from pleach_lint.ledger import seam_folders
from pleach_lint.selection import is_ignorable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pleach_lint.config.effective import Configuration
    from pleach_lint.discovery import Discovered
    from pleach_lint.verdict import Results


def doubts(found: Discovered, results: Results, cwd: Path) -> Iterator[str]:
    """Say, in whole sentences, what the user may have meant otherwise."""
    if not found.targets and not found.excluded:
        yield "no Python files found under the given paths, besides what excludes and .gitignore leave out"
    yield from _guessed_seams(results, cwd)
    configurations = {id(target.configuration): target.configuration for target in found.targets}
    for configuration in configurations.values():
        yield from _missing_seams(configuration, results)
        yield from _vain_ignores(configuration)


def _guessed_seams(results: Results, cwd: Path) -> Iterator[str]:
    """Two packages called `seams` are more than the one that is meant, unless the configuration says so."""
    guessed = [seam for seam in results.seams if not seam.configured]
    for root, count in sorted(Counter(seam.root for seam in guessed).items()):
        if count > 1:
            folders = seam_folders((seam for seam in guessed if seam.root == root), cwd)
            yield f"{count} seam packages without configuration ({', '.join(folders)}); name yours under `seams`"


def _missing_seams(configuration: Configuration, results: Results) -> Iterator[str]:
    met = [seam.folder for seam in results.seams if seam.root == configuration.root]
    for pattern in configuration.seams:
        found = iglob(pattern, root_dir=configuration.root, recursive=True)  # noqa: PTH207 - `Path` refuses `.`
        if not any(fnmatchcase(folder, pattern) for folder in met) and next(found, None) is None:
            yield f"`seams` names {pattern}, which matches nothing ({configuration.origin_of('seams')})"


def _vain_ignores(configuration: Configuration) -> Iterator[str]:
    for entry in configuration.merged.ignore or ():
        if not any(map(is_ignorable, entry.codes)):
            yield f"`{entry.name}` cannot be ignored ({configuration.origin_of('ignore')})"
