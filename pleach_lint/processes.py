"""Files shared among processes. Started only for long work, and never left behind."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Final

from pleach_lint.inspection import Inspector, Results, SeamPackage, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from multiprocessing.connection import Connection

    from pleach_lint.inspection import Comments
    from pleach_lint.walk import Target

_BATCH: Final = 64
"""How many verdicts a process sends at once."""


class WorkerError(Exception):
    """A process that could not begin to work."""


def check_in_processes(
    targets: Sequence[Target], jobs: int, comments: Comments, on_progress: Callable[[int], None]
) -> Results:
    """Check files in `jobs` processes.

    A file on which a process dies counts as not analysed, and another process goes on with the rest.

    Args:
        targets: The files.
        jobs: How many processes, from 1 up.
        comments: Which comments hide findings.
        on_progress: Called now and then with the number of files done so far.

    Raises:
        WorkerError: if a process cannot begin to work.
    """
    workers = [_Worker(targets[start::jobs], comments) for start in range(jobs)]
    try:
        while busy := [worker for worker in workers if not worker.is_done]:
            ready = wait([worker.receiver for worker in busy])
            for worker in busy:
                if worker.receiver in ready:
                    worker.receive()
            on_progress(sum(len(worker.verdicts) for worker in workers))
    finally:
        for worker in workers:
            worker.stop()
    verdicts = tuple(workers[place % jobs].verdicts[place // jobs] for place in range(len(targets)))
    return Results(verdicts, frozenset[SeamPackage]().union(*(worker.seams for worker in workers)))


class _Worker:
    """A process and its share of the files; when it dies, another takes its place."""

    def __init__(self, share: Sequence[Target], comments: Comments) -> None:
        self._share = share
        self._comments = comments
        self._batch = _BATCH
        self.verdicts: list[Verdict] = []
        self.seams: frozenset[SeamPackage] = frozenset()
        self._start()

    @property
    def is_done(self) -> bool:
        return len(self.verdicts) == len(self._share)

    def _start(self) -> None:
        context = get_context("spawn")
        self.receiver, sender = context.Pipe(duplex=False)
        rest = self._share[len(self.verdicts) :]
        self._process = context.Process(target=work, args=(rest, self._batch, self._comments, sender), daemon=True)
        self._has_begun = False
        with _without_interrupts():
            self._process.start()
        sender.close()

    def receive(self) -> None:
        """Take in what the process has to say, which may be that it is dead."""
        try:
            verdicts, seams = self.receiver.recv()
        except (EOFError, OSError):
            self._replace()
            return
        self._has_begun = True
        self.verdicts += verdicts
        self.seams |= seams

    def _replace(self) -> None:
        self.stop()
        if not self._has_begun:
            raise WorkerError("a worker process could not start; `--jobs 1` does without")
        if self._batch == 1:
            culprit = self._share[len(self.verdicts)]
            self.verdicts.append(Inspector(self._comments).unread(culprit, "the process that checked it died"))
        self._batch = 1
        if not self.is_done:
            self._start()

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.receiver.close()


def work(targets: Sequence[Target], batch: int, comments: Comments, sender: Connection) -> None:
    """Check files, in a process of their own, and send what is found; at first nothing, to say that it has begun."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    inspector = Inspector(comments)
    try:
        sender.send(([], inspector.seam_packages()))
        for start in range(0, len(targets), batch):
            verdicts = [inspector.inspect(target) for target in targets[start : start + batch]]
            sender.send((verdicts, inspector.seam_packages()))
    except OSError:
        return


@contextmanager
def _without_interrupts() -> Generator[None, None, None]:
    """Start processes so that Ctrl-C reaches only this one, which stops them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
