"""The two streams of the command line: findings on one, everything said about them on the other."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

import click

from pleach_lint.cli.progress import Progress
from pleach_lint.reports import Screen

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable


class Console:
    """How a run speaks."""

    def __init__(self, color: str, *, quiet: bool, verbose: bool) -> None:
        """Settle the manner.

        Args:
            color: "always", "never", or "auto" for terminals whose user does not set `NO_COLOR`.
            quiet: Whether to say nothing but findings and errors.
            verbose: Whether to say what few would miss.
        """
        self._color = color
        self._quiet = quiet
        self._verbose = verbose
        self._stands_aside = False

    @property
    def _findings(self) -> TextIO:
        """The stream that findings are written to."""
        return sys.stderr if self._stands_aside else sys.stdout

    @property
    def screen(self) -> Screen:
        """What findings are read on."""
        stream = self._findings
        width = get_terminal_size().columns if stream.isatty() else None
        return Screen(_in_color(stream, self._color), stream.encoding or "utf-8", width)

    def write(self, pieces: Iterable[str]) -> None:
        """Write findings."""
        _say("".join(pieces), self._findings, self._color)

    def hand_over(self, text: bytes) -> None:
        """Write the text of a file, as it is, where findings would be; they go to the other stream from now on."""
        self._stands_aside = True
        try:
            sys.stdout.buffer.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            _leave(sys.stdout)

    def note(self, text: str) -> None:
        """Say what the user may want to know, unless quiet."""
        if not self._quiet:
            _say(f"{text}\n", sys.stderr, self._color)

    def detail(self, text: str) -> None:
        """Say what only a verbose run says."""
        if self._verbose:
            self.note(text)

    def warn(self, text: str) -> None:
        """Say what the user should know, unless quiet."""
        if not self._quiet:
            _say(f"{click.style('warning', fg='yellow', bold=True)}: {text}\n", sys.stderr, self._color)

    @contextmanager
    def progress(self, total: int) -> Generator[Progress, None, None]:
        """Account for `total` files while they are checked."""
        progress = Progress(total, visible=sys.stderr.isatty() and not self._quiet)
        try:
            yield progress
        finally:
            progress.erase()


def complain(text: str) -> None:
    """Say why there is no answer."""
    _say(f"{click.style('error', fg='red', bold=True)}: {text}\n", sys.stderr, "auto")


def _say(text: str, stream: TextIO, color: str) -> None:
    """Write to a stream; one that nobody reads any more is left alone from then on."""
    try:
        click.echo(text, file=stream, nl=False, color=_in_color(stream, color))
    except BrokenPipeError:
        _leave(stream)


def _leave(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _in_color(stream: TextIO, color: str) -> bool:
    if color != "auto":
        return color == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
