"""The options that stand over configuration files, for every command that takes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, cast

import click

from pleach_lint.cli.completing import rule_lists
from pleach_lint.config.files import read_inline
from pleach_lint.config.governing import Configurations
from pleach_lint.config.layer import OUTPUT_FORMATS, Layer, read_layer
from pleach_lint.config.table import ConfigError, Origin, Table

if TYPE_CHECKING:
    from collections.abc import Callable

CommandT = TypeVar("CommandT", bound="Callable[..., object]")


class StrictCommand(click.Command):
    """A command that refuses empty values, which come of a shell variable that is not set."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as usual, then look at what was given.

        Raises:
            click.BadParameter: if a path or an option is there without saying anything.
        """
        rest = super().parse_args(ctx, args)
        for param in self.get_params(ctx):
            value: object = ctx.params.get(param.name or "")
            given = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
            if any(isinstance(text, str) and not text.strip(" ,") for text in given):
                raise click.BadParameter("it is empty; say something, or leave it out", ctx=ctx, param=param)
        return rest


class SettingOptions(TypedDict):
    """The options as click hands them over. None and empty: not given."""

    select: tuple[str, ...]
    extend_select: tuple[str, ...]
    ignore: tuple[str, ...]
    per_file_ignores: tuple[str, ...]
    strict: bool | None
    seams: tuple[str, ...]
    exclude: tuple[str, ...]
    extend_exclude: tuple[str, ...]
    force_exclude: bool | None
    respect_gitignore: bool | None
    output_format: str | None
    jobs: str | None
    cache_dir: str | None
    baseline: str | None
    config: tuple[str, ...]
    isolated: bool


_OPTIONS = (
    click.option(
        "--select",
        multiple=True,
        metavar="RULES",
        shell_complete=rule_lists,
        help="Rules to report instead of the usual: codes, prefixes, slugs, families, ALL.",
    ),
    click.option(
        "--extend-select", multiple=True, metavar="RULES", shell_complete=rule_lists, help="Rules to report as well."
    ),
    click.option("--ignore", multiple=True, metavar="RULES", shell_complete=rule_lists, help="Rules not to report."),
    click.option(
        "--per-file-ignores",
        multiple=True,
        metavar="PATTERN:RULES",
        help="Rules not to report in the files that a pattern means.",
    ),
    click.option("--strict", is_flag=True, default=None, help="Report every string that equals a call class."),
    click.option("--seams", multiple=True, metavar="PATH", help="A seam package, as a path or a glob."),
    click.option("--exclude", multiple=True, metavar="PATTERNS", help="What a walk leaves out, instead of the usual."),
    click.option("--extend-exclude", multiple=True, metavar="PATTERNS", help="What a walk leaves out as well."),
    click.option(
        "--force-exclude/--no-force-exclude",
        default=None,
        help="Leave out excluded files even when they are named (default: no).",
    ),
    click.option(
        "--respect-gitignore/--no-respect-gitignore", default=None, help="Leave out what git ignores (default: yes)."
    ),
    click.option(
        "--output-format",
        type=click.Choice(OUTPUT_FORMATS),
        help="How findings are written (default: full on a terminal, else concise).",
    ),
    click.option("--jobs", "-j", metavar="N|auto", help="The most processes to use (default: auto)."),
    click.option("--cache-dir", metavar="DIR", help="Keep findings there, instead of in each project's .pleach_cache."),
    click.option(
        "--baseline", metavar="FILE", help="Pass over the findings that it holds (default: .pleach-baseline.json)."
    ),
    click.option(
        "--config",
        multiple=True,
        metavar="FILE|KEY=VALUE",
        help="The file that governs everything, or one setting as TOML.",
    ),
    click.option("--isolated", is_flag=True, help="Read no configuration file."),
)


def configuration_options(command: CommandT) -> CommandT:
    """Add the options of this module to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def configurations(given: SettingOptions, cwd: Path) -> Configurations:
    """Prepare the search for configurations, under what the command line says.

    Raises:
        ConfigError: if an option, or the file that it names, cannot be obeyed.
    """
    files = [text for text in given["config"] if _is_file(text, cwd)]
    inline = [read_inline(text, cwd) for text in reversed(given["config"]) if text not in files]
    if len(files) > 1:
        raise ConfigError(f"--config: one file at most governs, not {len(files)}: {', '.join(files)}")
    if files and given["isolated"]:
        raise ConfigError(f"--isolated reads no file, but --config names {files[0]}")
    file = Path(files[0]) if files else None
    return Configurations(cwd, overrides=(_layer(given, cwd), *inline), file=file, isolated=given["isolated"])


def _is_file(text: str, cwd: Path) -> bool:
    """Tell a file from a `key = value`.

    Raises:
        ConfigError: if it is neither.
    """
    if (cwd / text).is_file():
        return True
    if "=" in text:
        return False
    raise ConfigError(f"--config: {text} is neither an existing file nor `key = value`")


def _layer(given: SettingOptions, cwd: Path) -> Layer:
    values: dict[str, object] = {
        "select": _split(given["select"]),
        "extend-select": _split(given["extend_select"]),
        "ignore": _split(given["ignore"]),
        "per-file-ignores": _by_pattern(given["per_file_ignores"]),
        "seams": _split(given["seams"]),
        "exclude": _split(given["exclude"]),
        "extend-exclude": _split(given["extend_exclude"]),
    }
    values = {key: value for key, value in values.items() if value}
    values["strict"] = given["strict"]
    values["force-exclude"] = given["force_exclude"]
    values["respect-gitignore"] = given["respect_gitignore"]
    values["output-format"] = given["output_format"]
    values["jobs"] = _number(given["jobs"])
    values["cache-dir"] = given["cache_dir"]
    values["baseline"] = given["baseline"]
    return read_layer(Table(values, Origin("command line", str(cwd), on_command_line=True)))


def _split(values: tuple[str, ...]) -> list[str]:
    """The entries of an option that may be repeated, and may hold several entries between commas."""
    return [entry.strip() for value in values for entry in value.split(",") if entry.strip()]


def _by_pattern(values: tuple[str, ...]) -> dict[str, list[str]]:
    """The entries `PATTERN:RULES`; a colon in the pattern is its own affair."""
    found: dict[str, list[str]] = {}
    for value in values:
        pattern, _, rules = value.rpartition(":")
        if not (pattern and _split((rules,))):
            raise ConfigError(f"--per-file-ignores: `{value}` is not PATTERN:RULES")
        found.setdefault(pattern, []).extend(_split((rules,)))
    return found


def _number(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isdecimal() else text
