"""The flake8 plugin: the findings of the command line, through flake8. Leaves `noqa` to flake8."""

from __future__ import annotations

import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from pleach_lint import faults
from pleach_lint.cache_place import chosen_place
from pleach_lint.config.governing import Configurations
from pleach_lint.config.layer import read_layer
from pleach_lint.config.table import ConfigError, Origin, Table
from pleach_lint.discovery import is_excluded
from pleach_lint.inspection import Inspector
from pleach_lint.verdict import Comments
from pleach_lint.walk import Target

if TYPE_CHECKING:
    import argparse
    import ast
    from collections.abc import Iterator, Sequence

    from pleach_lint.baseline.entries import Entry
    from pleach_lint.finding import Finding
    from pleach_lint.verdict import Verdict

Report = tuple[int, int, str, type["Plugin"]]
"""What flake8 takes: row (1-based), column (0-based, in code points), code and message, and who says so."""


class OptionManager(Protocol):
    """The part of flake8's option manager that is used here."""

    def add_option(self, name: str, /, **settings: object) -> None:
        """Take one option."""
        ...


class Options(NamedTuple):
    """What flake8's command line and configuration files say to us; None and empty: nothing."""

    seams: tuple[str, ...] = ()
    strict: bool | None = None
    config: str | None = None
    stdin_name: str | None = None
    """The name under which flake8 presents standard input; None when it reads files."""


class _Session:
    """What the files of one process share."""

    def __init__(self, options: Options) -> None:
        cwd = Path.cwd()
        values = {"seams": list(options.seams) or None, "strict": options.strict}
        layer = read_layer(Table(values, Origin("flake8's options", str(cwd), on_command_line=True)))
        file = Path(options.config) if options.config else None
        self.configurations = Configurations(cwd, overrides=(layer,), file=file)
        place = chosen_place(None, self.configurations.of_run().merged.cache_dir)
        self.inspector = Inspector(Comments.OURS, place)
        self._run = self.configurations.of_run()
        self._home, self._entries = self._run.baseline.parent, self._baseline()

    def new(self, target: Target, verdict: Verdict) -> tuple[Finding, ...]:
        """The findings of a file that the baseline does not hold."""
        if not self._entries or not verdict.findings:
            return verdict.findings
        from pleach_lint.baseline.comparison import compare  # noqa: PLC0415 - most runs have no baseline

        return compare([(target, verdict)], self._entries, self._home).verdicts[0].findings

    def _baseline(self) -> Sequence[Entry]:
        if self._run.merged.baseline is None and not self._run.baseline.exists():
            return ()
        from pleach_lint.baseline.entries import load  # noqa: PLC0415 - most runs have no baseline

        return load(self._run.baseline, str(self._run.baseline))


class Plugin:
    """Reports class literals outside the seams, once for each file."""

    _options: ClassVar[Options] = Options()
    _session: ClassVar[_Session | None] = None

    @classmethod
    def add_options(cls, manager: OptionManager) -> None:
        """Declare our options to flake8."""
        manager.add_option(
            "--pleach-seams",
            metavar="PATHS",
            default=(),
            parse_from_config=True,
            comma_separated_list=True,
            normalize_paths=True,
            help="Seam packages, as paths or globs.",
        )
        manager.add_option(
            "--pleach-strict",
            action="store_true",
            default=None,
            parse_from_config=True,
            help="Report every string that equals a call class.",
        )
        manager.add_option(
            "--pleach-config",
            metavar="FILE",
            default=None,
            parse_from_config=True,
            normalize_paths=True,
            help="The pleach-lint configuration that governs every file, instead of the nearest.",
        )

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Keep what flake8 read."""
        reads_stdin = "-" in (getattr(options, "filenames", None) or ())
        cls._options = Options(
            seams=tuple(options.pleach_seams or ()),
            strict=options.pleach_strict,
            config=options.pleach_config,
            stdin_name=options.stdin_display_name if reads_stdin else None,
        )
        cls._session = None

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        """Take a file; flake8 chooses the arguments by their names, and `tree` makes it call once for each file."""
        del tree
        self._filename = filename
        self._lines = lines

    def run(self) -> Iterator[Report]:
        """Report every finding. Never raises, for that would end the whole run of flake8."""
        try:
            reports = list(self._reports())
        except ConfigError as error:
            reports = [self._not_analysed(str(error))]
        except Exception as error:  # noqa: BLE001 - the outermost edge
            reports = [self._not_analysed(faults.named(error))]
        yield from reports

    def _reports(self) -> Iterator[Report]:
        session = Plugin._session = Plugin._session or _Session(self._options)
        real = Path(self._filename).resolve()
        if is_excluded(real, session.configurations):
            return
        target = Target(self._filename, str(real), session.configurations.governing(real.parent))
        if target.is_notebook:
            return  # flake8 takes its JSON for Python, and has no cells to report in
        data = _encoded(self._lines) if self._filename == self._options.stdin_name else None
        for finding in session.new(target, session.inspector.inspect(target, data)):
            yield finding.span.row, finding.span.column - 1, f"{finding.code} {finding.message}", Plugin

    def _not_analysed(self, reason: str) -> Report:
        return 1, 0, f"PCH999 not analysed: {reason}", Plugin


def _encoded(lines: Sequence[str]) -> bytes:
    """The bytes that flake8 decoded; in UTF-8 where the declared encoding means nothing."""
    text = "".join(lines)
    try:
        encoding, _ = tokenize.detect_encoding(iter([line.encode() for line in lines[:2]]).__next__)
        return text.encode(encoding)
    except (SyntaxError, UnicodeError):
        return text.encode()
