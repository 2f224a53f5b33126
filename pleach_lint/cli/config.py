"""`pleach-lint config`: show what governs a path, and where each value was written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from pleach_lint.cli.options import SettingOptions, StrictCommand, configuration_options, configurations
from pleach_lint.config.layer import AUTO_JOBS, KEYS
from pleach_lint.discovery import MissingPathError
from pleach_lint.patterns import Pattern
from pleach_lint.selection import Selector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from pleach_lint.config.effective import Configuration


class _Options(SettingOptions):
    path: str


@click.command("config", cls=StrictCommand)
@click.argument("path", default=".", type=click.Path())
@configuration_options
def command(**given: Unpack[_Options]) -> None:
    """Show what governs PATH, and where each value comes from."""
    cwd = Path.cwd()
    path = (cwd / given["path"]).resolve()
    if not path.exists():
        raise MissingPathError(f"{given['path']}: no such file or directory")
    configuration = configurations(given, cwd).governing(path if path.is_dir() else path.parent)
    click.echo(f"# root: {configuration.root}")
    click.echo(f"# file: {configuration.file or 'none'}")
    for key in KEYS:
        click.echo(_line(configuration, key))
    click.echo(f"# rules that are on: {', '.join(sorted(configuration.codes))}")


def _line(configuration: Configuration, key: str) -> str:
    value, name = getattr(configuration.merged, key), key.replace("_", "-")
    if value is None:
        return f"# {name} is not set"
    return f"{name} = {_toml(key, value, configuration.root)}  # {configuration.origin_of(key)}"


def _toml(key: str, value: object, root: str) -> str:
    """Write a value as TOML; paths relative to the root."""
    if key == "jobs" and value == AUTO_JOBS:
        return '"auto"'
    if key == "per_file_ignores":
        tables = cast("tuple[tuple[Pattern, tuple[Selector, ...]], ...]", value)
        entries = (f"{_plain(pattern, root)} = {_plain(selectors, root)}" for pattern, selectors in tables)
        return f"{{ {', '.join(entries)} }}" if tables else "{}"
    return _plain(value, root)


def _plain(value: object, root: str) -> str:
    if isinstance(value, Pattern):
        return json.dumps(value.seen_from(root) if "/" in value.text else value.text)
    if isinstance(value, Selector):
        return json.dumps(value.name)
    if isinstance(value, tuple):
        return f"[{', '.join(_plain(item, root) for item in cast('tuple[object, ...]', value))}]"
    return json.dumps(value)
