"""Tests for `pleach_lint.flow.settling`, with questions about what can be reached in a graph."""

from __future__ import annotations

import random
from itertools import count

import pytest

from pleach_lint.flow.settling import Settled

Graph = dict[int, list[int]]


class Reached:
    """What can be reached from each node of a graph, asked as the analysis asks."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.asked: list[int] = []
        self.settled = Settled[int, tuple[int, ...]]((), lambda nodes: tuple(sorted(nodes)))

    def of(self, node: int) -> tuple[int, ...]:
        """The nodes that can be reached from a node, by one step or more."""
        return self.settled.answer(node, lambda: self._ask(node))

    def _ask(self, node: int) -> tuple[int, ...]:
        self.asked.append(node)
        steps = self.graph[node]
        return tuple(dict.fromkeys([*steps, *(further for step in steps for further in self.of(step))]))


def plainly(graph: Graph, start: int) -> set[int]:
    """The same, found by a plain search."""
    found: set[int] = set()
    pending = [start]
    while pending:
        new = set(graph[pending.pop()]) - found
        found |= new
        pending += new
    return found


@pytest.mark.parametrize("seed", range(200))
def test_answers_do_not_hang_on_the_order_of_questions(seed: int) -> None:
    """In a graph with many circles, each answer is right, whichever was asked first."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    nodes = range(chance.randint(1, 9))
    graph = {node: chance.choices(nodes, k=chance.randint(0, 3)) for node in nodes}
    reached = Reached(graph)
    for node in chance.sample(nodes, len(nodes)):
        assert set(reached.of(node)) == plainly(graph, node)


def test_questions_without_circles_are_asked_once() -> None:
    """What leads to no open question is remembered at once."""
    reached = Reached({0: [1, 2], 1: [3], 2: [3], 3: []})
    assert reached.of(0) == (1, 2, 3)
    assert reached.of(2) == (3,)
    assert sorted(reached.asked) == [0, 1, 2, 3]


def test_a_long_circle_takes_few_rounds() -> None:
    """A circle of many questions is settled by asking each a few times."""
    size = 100
    reached = Reached({node: [(node + 1) % size] for node in range(size)})
    assert set(reached.of(7)) == set(range(size))
    assert len(reached.asked) <= 4 * size


def test_an_exception_leaves_nothing_behind() -> None:
    """After an exception within a circle, the same questions have their right answers."""
    reached = Reached({0: [1], 1: [0, 2], 2: []})
    rest = reached.graph.pop(2)
    with pytest.raises(KeyError):
        reached.of(0)
    reached.graph[2] = rest
    assert [reached.of(node) for node in (1, 0)] == [(0, 1, 2), (0, 1, 2)]


def test_answers_that_never_agree() -> None:
    """A circle whose answers keep changing comes to an end."""
    numbers = count()
    settled = Settled[str, int](-1)

    def ask() -> int:
        settled.answer("a", ask)
        return next(numbers)

    assert settled.answer("a", ask) == settled.answer("a", ask) > 1
