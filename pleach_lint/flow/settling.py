"""Answers to questions that may lead back to themselves. Knows nothing of what is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

QuestionT = TypeVar("QuestionT", bound="Hashable")
AnswerT = TypeVar("AnswerT")

_MOST_ROUNDS: Final = 20
"""Answers that grow agree after a few; more would mean that some shrink again."""


class Settled(Generic[QuestionT, AnswerT]):
    """Remembers answers, each of which is the same whatever was asked before.

    Where questions lead back to one another, all are asked again until none of their answers changes. What is
    remembered earlier would hang on the question through which the circle was entered.
    """

    def __init__(self, nothing: AnswerT, ordered: Callable[[AnswerT], AnswerT] = lambda answer: answer) -> None:
        """Start without answers.

        Args:
            nothing: The answer to a question that leads to nothing but itself.
            ordered: Puts an answer of a circle into an order that does not hang on where the circle was entered.
        """
        self._nothing = nothing
        self._ordered = ordered
        self._known: dict[QuestionT, AnswerT] = {}
        self._places: dict[QuestionT, int] = {}
        """The open questions, each with its place, outermost first."""
        self._guesses: dict[QuestionT, AnswerT] = {}
        self._drafts: dict[QuestionT, tuple[AnswerT, int]] = {}
        """Answers that rest on open questions, each with the place of the outermost of them."""
        self._lowest = 0
        """The outermost place that the question at hand led back to; its own place or higher for none."""
        self._changes = 0

    def answer(self, question: QuestionT, ask: Callable[[], AnswerT]) -> AnswerT:
        """The answer to a question, remembered or found by `ask`, which may call this method."""
        if question in self._known:
            return self._known[question]
        if question in self._places:
            self._lowest = min(self._lowest, self._places[question])
            return self._guesses.get(question, self._nothing)
        if question in self._drafts:
            answer, lowest = self._drafts[question]
            self._lowest = min(self._lowest, lowest)
            return answer
        outer, drafts = self._lowest, len(self._drafts)
        self._places[question] = len(self._places)
        try:
            found = self._settle(question, ask, drafts)
        except BaseException:
            self._drop_drafts(drafts)
            raise
        finally:
            place = self._places.pop(question)
        self._lowest = min(outer, self._lowest) if self._lowest < place else outer
        return found

    def _settle(self, question: QuestionT, ask: Callable[[], AnswerT], drafts: int) -> AnswerT:
        """Ask until the answers agree, if this question is the outermost of its circle."""
        place, rounds = self._places[question], 0
        while True:
            rounds += 1
            changes, self._lowest = self._changes, place + 1
            found = ask()
            if self._lowest > place:
                break
            found = self._guess(question, self._ordered(found))
            if self._lowest < place:
                self._draft(question, found, drafts)
                return found
            if self._changes == changes or rounds == _MOST_ROUNDS:
                break
            self._drop_drafts(drafts)
        self._known[question] = found
        self._guesses.pop(question, None)
        self._keep_drafts(drafts)
        return found

    def _guess(self, question: QuestionT, answer: AnswerT) -> AnswerT:
        if self._guesses.get(question, self._nothing) != answer:
            self._guesses[question] = answer
            self._changes += 1
        return answer

    def _draft(self, question: QuestionT, answer: AnswerT, drafts: int) -> None:
        """Note an answer; those on the way to it rest on the same open questions."""
        for inner in [*self._drafts][drafts:]:
            self._drafts[inner] = self._drafts[inner][0], min(self._lowest, self._drafts[inner][1])
        self._drafts[question] = answer, self._lowest

    def _keep_drafts(self, start: int) -> None:
        for question in [*self._drafts][start:]:
            self._known[question] = self._drafts.pop(question)[0]
            self._guesses.pop(question, None)

    def _drop_drafts(self, start: int) -> None:
        for question in [*self._drafts][start:]:
            del self._drafts[question]
