"""What Ruff is told about codes that are not its own. Knows nothing else of Ruff."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pleach_lint.neighbours.toml import parsed, read_text, table_at, texts_at

if TYPE_CHECKING:
    from pathlib import Path

_FILES: Final = ((".ruff.toml", ()), ("ruff.toml", ()), ("pyproject.toml", ("tool", "ruff")))
"""In one folder the first that has settings counts. Source: Ruff's documentation, "Config file discovery"."""
_DELETING: Final = ("RUF100", "RUF102")
"""The rules whose fix deletes the codes in a `noqa` that Ruff takes for mistakes."""
_LONGEST_CHAIN: Final = 10


class RuffSettings(NamedTuple):
    """What one file says."""

    path: Path
    keys: tuple[str, ...]
    """Where Ruff's table lies in the file: () when the file is Ruff's alone."""
    external: tuple[str, ...]
    """The prefixes that Ruff leaves alone, those included that it inherits."""
    deleting: tuple[str, ...]
    """The rules that are on and would delete our codes."""

    @property
    def spares_us(self) -> bool:
        """Whether Ruff leaves all our codes alone."""
        return any("PCH".startswith(prefix) for prefix in self.external if prefix)


def ruff_settings(folder: Path) -> RuffSettings | None:
    """The settings that Ruff takes from a folder; None when it has none there."""
    for name, keys in _FILES:
        table = table_at(parsed(read_text(folder / name) or ""), *keys)
        if table is not None and (folder / name).is_file():
            chain = _inherited(folder / name, table)
            return RuffSettings(folder / name, keys, _strongest(chain, "external"), _deleting(chain))
    return None


def _inherited(path: Path, table: dict[str, object]) -> list[dict[str, object]]:
    """A table and those that it extends, the strongest first."""
    chain = [table]
    while len(chain) < _LONGEST_CHAIN and isinstance(target := chain[-1].get("extend"), str):
        path = path.parent / target
        keys = dict(_FILES).get(path.name, ())
        base = table_at(parsed(read_text(path) or ""), *keys)
        if base is None:
            break
        chain.append(base)
    return chain


def _listed(table: dict[str, object], key: str) -> tuple[str, ...] | None:
    """A list of the linter's settings, which may also stand where they stood before Ruff had a formatter."""
    found = texts_at(table_at(table, "lint"), key)
    return texts_at(table, key) if found is None else found


def _deleting(chain: list[dict[str, object]]) -> tuple[str, ...]:
    selected = (*_strongest(chain, "select"), *_all(chain, "extend-select"))
    ignored = (*_strongest(chain, "ignore"), *_all(chain, "extend-ignore"))
    return tuple(code for code in _DELETING if _weight(selected, code) > _weight(ignored, code))


def _strongest(chain: list[dict[str, object]], key: str) -> tuple[str, ...]:
    return next((found for each in chain if (found := _listed(each, key)) is not None), ())


def _all(chain: list[dict[str, object]], key: str) -> tuple[str, ...]:
    return tuple(name for each in chain for name in _listed(each, key) or ())


def _weight(prefixes: tuple[str, ...], code: str) -> int:
    """How closely the closest of some prefixes names a code; 0 when none does."""
    return max(
        (1 if each == "ALL" else len(each) for each in prefixes if each == "ALL" or code.startswith(each)), default=0
    )
