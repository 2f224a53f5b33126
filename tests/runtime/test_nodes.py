"""Tests of the decision node."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from pleach_runtime.errors import SeamClassMismatch
from pleach_runtime.nodes import create_llm_decision_node
from tests.runtime.builders import SYNTHESIZE, UTILITY
from tests.runtime.scenes import scene, setting
from tests.runtime.stubs import ScriptedProvider, ask

if TYPE_CHECKING:
    from pleach_runtime.request import SeamRequest
    from pleach_runtime.seams import UtilitySeam


def after(steps: int) -> SeamRequest:
    """Ask whether to go on after so many steps."""
    return ask(f"{steps} steps taken")


async def test_decides() -> None:
    """The node asks about the state and reads the answer, as often as the loop needs, without a slot."""
    async with scene(setting(ScriptedProvider("more", "more", "done"))) as of:
        node = create_llm_decision_node(
            of.runtime.utility_seam,
            stage_id="decide",
            ask=after,
            read=lambda draft: draft.text == "done",
        )
        decisions = [await node(step, of.turn) for step in range(3)]
        rows = await of.turn.calls()
        assert SYNTHESIZE not in (await of.activity()).invoked
        assert (await of.answer()).landed
    assert decisions == [False, False, True]
    assert [(row.call.call_class, row.call.stage_id) for row in rows] == [(UTILITY, "decide")] * 3


async def test_other_seams_are_refused() -> None:
    """Untyped code cannot give the node a seam of another class."""
    async with scene(setting()) as of:
        for seam in (of.runtime.synthesize_seam, of.runtime.reasoning_seam, of.runtime.converse_seam):
            with pytest.raises(SeamClassMismatch):
                create_llm_decision_node(cast("UtilitySeam", seam), stage_id="decide", ask=after, read=bool)
