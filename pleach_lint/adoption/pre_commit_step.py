"""The step that adds a hook to `.pre-commit-config.yaml`. Reads as much YAML as that takes, and no more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pleach_lint import __version__
from pleach_lint.adoption.step import Step, line_end
from pleach_lint.neighbours.toml import read_text

if TYPE_CHECKING:
    from pathlib import Path

_FILE: Final = ".pre-commit-config.yaml"
_OURS: Final = re.compile(r"\bid:\s*['\"]?(?:callclass-literals|pleach-lint)")
_REPOSITORIES: Final = re.compile(r"^repos[ \t]*:[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_ITEM: Final = re.compile(r"^([ \t]*)-[ \t]", re.MULTILINE)
_REMOTE: Final = """\
- repo: {url}
  rev: v{version}
  hooks:
    - id: callclass-literals
      types_or: [python, pyi, jupyter]
"""
_LOCAL: Final = """\
- repo: local
  hooks:
    - id: callclass-literals
      name: call classes stay behind seams
      entry: pleach-lint check --force-exclude --select callclass-literals
      language: system
      types_or: [python, pyi, jupyter]
      require_serial: true
"""


def pre_commit_step(root: Path, url: str | None) -> Step | None:
    """Add the hook after the others; None when pre-commit is not used here.

    Args:
        root: The project.
        url: The repository that has our hooks; None for a hook that runs the command that is installed.
    """
    repository = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    path = repository / _FILE
    before = read_text(path)
    if before is None:
        return None
    if _OURS.search(before):
        return Step(path, before, None, "left alone: it has a hook of pleach-lint already")
    block = _REMOTE.format(url=url, version=__version__) if url else _LOCAL
    after = _with_item(before, block)
    if after is None:
        return Step(path, before, None, f"left alone: its `repos` cannot be read; add by hand:\n{block}")
    return Step(path, before, after, "the hook callclass-literals")


def _with_item(text: str, block: str) -> str | None:
    """Put an item at the end of the block list under `repos`, indented as its first."""
    found = _REPOSITORIES.search(text)
    first = _ITEM.match(text, _content_after(text, found.end())) if found else None
    if first is None:
        return None
    end = _end_of_list(text, first.start(), len(first[1]))
    lines = line_end(text)
    kept = text[:end] if text[:end].endswith("\n") else text[:end] + lines
    return kept + "".join(f"{first[1]}{line}{lines}" for line in block.splitlines()) + text[end:]


def _content_after(text: str, position: int) -> int:
    """Where the next line begins that is neither empty nor a comment."""
    found = re.compile(r"^(?![ \t]*(?:#|\r?$))", re.MULTILINE).search(text, position + 1)
    return found.start() if found else len(text)


def _end_of_list(text: str, start: int, indent: int) -> int:
    """The end of the last line of a list; comments and empty lines after it are not its own."""
    end = position = start
    for line in text[start:].splitlines(keepends=True):
        position += len(line)
        content = line.strip()
        depth = len(line) - len(line.lstrip())
        if content and not content.startswith("#"):
            if depth < indent or (depth == indent and not content.startswith("-")):
                break
            end = position
    return end
