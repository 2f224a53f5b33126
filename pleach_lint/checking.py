"""All files to their verdicts, in the order of the files. Starts processes only when they pay for themselves."""

from __future__ import annotations

import os
import time
from functools import reduce
from typing import TYPE_CHECKING, Final

from pleach_lint.copies import deal, may_fork
from pleach_lint.inspection import Inspector
from pleach_lint.verdict import BARE, Results, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pleach_lint.cache_place import CachePlace
    from pleach_lint.gate import Signs
    from pleach_lint.verdict import Comments
    from pleach_lint.walk import Target

_PAYS: Final = 1.0
"""Seconds of work ahead from which new processes pay; starting one costs a quarter of that."""
_COPIES_PAY: Final = 0.2
"""The same where processes are copies of this one."""
_SAMPLE: Final = 0.1
"""Seconds of work after which the rest can be guessed."""
_MANY: Final = 16
"""Number of files from which a look at all of them, before any is checked, pays."""
_FEW: Final = 64
"""The most files that are shared among copies at once, without a look at how long the first ones take."""
_VERY_MANY: Final = 1_000
"""Number of files from which that look is shared among processes."""


def check_all(
    targets: Sequence[Target],
    jobs: int,
    comments: Comments,
    on_progress: Callable[[int], None],
    cache_place: CachePlace | None = None,
) -> Results:
    """Check files.

    Args:
        targets: The files.
        jobs: The most processes to use, from 1 up.
        comments: Which comments hide findings.
        on_progress: Called now and then with the number of files done so far.
        cache_place: Where findings are kept for later runs; None: nowhere.

    Raises:
        WorkerError: if a process cannot begin to work.
    """
    inspector = Inspector(comments, cache_place)
    rest = _not_bare(targets, jobs, inspector) if len(targets) >= _MANY else targets
    bare = len(targets) - len(rest)
    results = _checked(rest, jobs, inspector, lambda done: on_progress(bare + done))
    if not bare:
        return results
    verdicts = {target.path: verdict for target, verdict in zip(rest, results.verdicts, strict=True)}
    return results._replace(verdicts=tuple(verdicts.get(target.path, BARE) for target in targets))


def _not_bare(targets: Sequence[Target], jobs: int, inspector: Inspector) -> Sequence[Target]:
    """The files that must be checked. This process and copies of it look at all."""
    processes = jobs if len(targets) >= _VERY_MANY and may_fork() else 1

    def look(dealt: Iterator[tuple[int, Target]]) -> dict[int, Signs | None]:
        return {place: inspector.look_at(target) for place, target in dealt}

    own, *others = deal(targets, processes, look, beside=lambda: inspector.look_around(targets[0]))
    seen = {place: signs for each in others for place, signs in each.items()}
    for place, target in enumerate(targets):
        if place in seen:
            inspector.learn(target, seen[place])
        elif place not in own:
            inspector.look_at(target)
    return [target for target in targets if not inspector.is_bare(target)]


def _checked(targets: Sequence[Target], jobs: int, inspector: Inspector, on_progress: Callable[[int], None]) -> Results:
    if jobs == 1 or not _MANY <= len(targets) <= _FEW or not may_fork():
        return _checked_in_turn(targets, jobs, inspector, on_progress)

    def check(dealt: Iterator[tuple[int, Target]]) -> tuple[list[int], Results]:
        verdicts = {place: inspector.inspect(target) for place, target in dealt}
        return list(verdicts), inspector.results(verdicts.values())

    done = deal(targets, jobs, check)
    missing = sorted(set(range(len(targets))).difference(*(places for places, _ in done)))
    if missing:
        done = (*done, (missing, _checked_apart([targets[place] for place in missing], inspector)))
    return _united(done)


def _united(done: Sequence[tuple[Sequence[int], Results]]) -> Results:
    """The results for all files, given parts of them, each with the places of its files."""
    verdicts = {place: verdict for places, part in done for place, verdict in zip(places, part.verdicts, strict=True)}
    met = [part._replace(verdicts=()) for _, part in done]
    return reduce(Results.joined, met, Results(tuple(verdicts[place] for place in sorted(verdicts)), frozenset()))


def _checked_apart(targets: Sequence[Target], inspector: Inspector) -> Results:
    """Check files of which one may end the process that checks it."""
    from pleach_lint.processes import check_in_processes  # noqa: PLC0415 - hardly any run needs it

    return check_in_processes(targets, 1, inspector, lambda _: None)


def _checked_in_turn(
    targets: Sequence[Target], jobs: int, inspector: Inspector, on_progress: Callable[[int], None]
) -> Results:
    """Check files one after another, and hand the rest to processes when that would take long."""
    verdicts: list[Verdict] = []
    started = time.monotonic()
    pays = _COPIES_PAY if may_fork() else _PAYS
    for target in targets:
        if jobs > 1 and _guess(time.monotonic() - started, len(verdicts), len(targets)) > pays:
            break
        verdicts.append(inspector.inspect(target))
        on_progress(len(verdicts))
    begun, done = inspector.results(verdicts), len(verdicts)
    if done == len(targets):
        return begun
    from pleach_lint.processes import check_in_processes  # noqa: PLC0415 - short runs need none

    return begun.joined(check_in_processes(targets[done:], jobs, inspector, lambda more: on_progress(done + more)))


def _guess(elapsed: float, done: int, total: int) -> float:
    """Seconds of work ahead; none as long as that cannot be told."""
    return elapsed * (total - done) / done if elapsed > _SAMPLE and done else 0.0


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
