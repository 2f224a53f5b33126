"""Files shared among processes. Started only for long work, and never left behind."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from functools import reduce
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Final

from pleach_lint.copies import may_fork
from pleach_lint.faults import WorkerError
from pleach_lint.inspection import collect_rarely, unread
from pleach_lint.verdict import Results, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from pleach_lint.inspection import Inspector
    from pleach_lint.walk import Target

_BATCH: Final = 64
"""How many verdicts a process sends at once."""


def check_in_processes(
    targets: Sequence[Target],
    jobs: int,
    inspector: Inspector,
    on_progress: Callable[[int], None],
) -> Results:
    """Check files in `jobs` processes.

    A file on which a process dies counts as not analysed, and another process goes on with the rest.

    Args:
        targets: The files.
        jobs: How many processes, from 1 up.
        inspector: What each process begins with, where it can be handed over.
        on_progress: Called now and then with the number of files done so far.

    Raises:
        WorkerError: if a process cannot begin to work.
    """
    workers = [_Worker(targets[start::jobs], inspector) for start in range(jobs)]
    try:
        for worker in workers:
            worker.start()
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
    return reduce(Results.joined, (worker.met for worker in workers), Results(verdicts, frozenset()))


class _Worker:
    """A process and its share of the files; when it dies, another takes its place."""

    def __init__(self, share: Sequence[Target], inspector: Inspector) -> None:
        self._share = share
        self._inspector = inspector
        self._batch = _BATCH
        self.verdicts: list[Verdict] = []
        self.met = Results((), frozenset())
        """What was met on the way to the verdicts."""
        self._process: BaseProcess | None = None
        self._has_begun = False

    @property
    def is_done(self) -> bool:
        return len(self.verdicts) == len(self._share)

    def start(self) -> None:
        """Give the rest of the share to a new process."""
        context = get_context("fork") if may_fork() else get_context("spawn")
        self.receiver, sender = context.Pipe(duplex=False)
        rest = self._share[len(self.verdicts) :]
        work_order = (rest, self._batch, self._inspector, sender)
        self._process = context.Process(target=work, args=work_order, daemon=True)
        self._has_begun = False
        if context.get_start_method() == "spawn":
            resource_tracker.ensure_running()  # Started with the first process, it would let interrupts through again.
        with _interrupts_held_back():
            self._process.start()
        sender.close()

    def receive(self) -> None:
        """Take in what the process has to say, which may be that it is dead."""
        try:
            results: Results = self.receiver.recv()
        except (EOFError, OSError):
            self._replace()
            return
        self._has_begun = True
        self.verdicts += results.verdicts
        self.met = self.met.joined(results._replace(verdicts=()))

    def _replace(self) -> None:
        self.stop()
        if not self._has_begun:
            raise WorkerError("a worker process could not start; `--jobs 1` does without")
        if self._batch == 1:
            culprit = self._share[len(self.verdicts)]
            self.verdicts.append(unread(culprit, "the process that checked it died"))
        self._batch = 1
        if not self.is_done:
            self.start()

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None and self._process.pid is not None:
            self._process.kill()
            self._process.join()
            self.receiver.close()


def work(targets: Sequence[Target], batch: int, inspector: Inspector, sender: Connection) -> None:
    """Check files, in a process of their own, and send what is found; at first nothing, to say that it has begun."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    try:
        sender.send(inspector.results(()))
        for start in range(0, len(targets), batch):
            sender.send(inspector.results(map(inspector.inspect, targets[start : start + batch])))
    except OSError:
        return


@contextmanager
def _interrupts_held_back() -> Generator[None, None, None]:
    """Start processes so that Ctrl-C reaches only this one, which stops them; one that comes meanwhile waits."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
