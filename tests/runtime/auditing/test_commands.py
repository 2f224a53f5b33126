"""The commands, on both databases: what they answer, and with which exit code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.runtime.stores import drop_guards

if TYPE_CHECKING:
    from tests.runtime.auditing.conftest import Audit
    from tests.runtime.stores import Store

BY_CLASS = """\
class       calls  unpriced          USD
synthesize      1         0  1.500000000
utility         2         1  0.000000007
total           3         1  1.500000007
"""
LISTED = """\
turn  chat  opened                cap  slots  calls  unpriced          USD  state
t3    c1    2025-03-01 12:00:00Z    3      0      0         0      unknown  passthrough
t2    c1    2025-03-01 12:00:00Z    2      1      0         0      unknown  open
t1    c1    2025-03-01 12:00:00Z    1      1      3         1  1.500000007  answered
"""
RECORD = """\
#  stage   class       fingerprint   nth  try  outcome       model          ms          USD
1  answer  utility     ffffffffffff    1    1  ok            stub-1-0301  1000  0.000000007
2  answer  utility     ffffffffffff    2    1  ok            stub-1-0301  1000      unknown
3  answer  synthesize  ffffffffffff    3    1  ok, terminal  stub-1-0301  1000  1.500000000
"""


class TestRollup:
    """What calls cost."""

    def test_by_class(self, audit: Audit, filled: Store) -> None:
        """Costs are added up by class, and calls of unknown cost are counted apart."""
        assert audit("rollup", filled.url) == (0, BY_CLASS, "")

    @pytest.mark.parametrize(
        ("by", "groups"),
        [
            pytest.param("stage", ["answer"], id="stage"),
            pytest.param("model", ["stub-1-0301"], id="model that answered"),
            pytest.param("family", ["fam"], id="family"),
            pytest.param("chat", ["c1"], id="chat"),
        ],
    )
    def test_by_something_else(self, audit: Audit, filled: Store, by: str, groups: list[str]) -> None:
        """Costs can be added up by what else calls have in common."""
        answer = json.loads(audit("rollup", filled.url, "--by", by, "--output-format", "json").out)
        assert [group[by] for group in answer["groups"]] == groups
        assert answer["total"] == {"calls": 3, "unpricedCalls": 1, "tokenCost": 1_500_000_007}

    @pytest.mark.parametrize(
        ("which", "calls"),
        [
            pytest.param(("--turn", "t1"), 3, id="turn with calls"),
            pytest.param(("--turn", "t2"), 0, id="turn without calls"),
            pytest.param(("--chat", "c1", "--since", "2025-03-01T12:00:00"), 3, id="since they began"),
            pytest.param(("--chat", "c2"), 0, id="another chat"),
            pytest.param(("--since", "2025-03-02"), 0, id="since the next day"),
            pytest.param(("--since", "2025-03-01 12:00:00Z"), 3, id="as a list of turns shows it"),
            pytest.param(("--since", "2025-03-01T12:00:00.000001+00:00"), 0, id="as JSON shows it"),
            pytest.param(("--since", "2025-03-01T14:00:00+02:00"), 3, id="at another place"),
        ],
    )
    def test_of_some(self, audit: Audit, filled: Store, which: tuple[str, ...], calls: int) -> None:
        """Calls can be chosen by turn, chat and time, in UTC."""
        answer = json.loads(audit("rollup", filled.url, *which, "--output-format", "json").out)
        assert answer["total"]["calls"] == calls

    def test_large_sums(self, audit: Audit, filled: Store) -> None:
        """Costs that come to more than a column can hold are added up exactly, in both lists."""
        drop_guards(
            filled, "harness_auditable_calls", "UPDATE harness_auditable_calls SET token_cost = 9223372036854775807"
        )
        total = json.loads(audit("rollup", filled.url, "--output-format", "json").out)["total"]
        assert total["tokenCost"] == 3 * (2**63 - 1)
        assert "27670116110.564327421" in audit("turns", filled.url).out

    def test_moment_before_all_years(self, audit: Audit, filled: Store) -> None:
        """A moment that has no year in UTC is wrong usage."""
        code, out, err = audit("rollup", filled.url, "--since", "0001-01-01T00:00:00+02:00")
        assert (code, out) == (2, "")
        assert "in UTC that moment is in no year of four digits" in err

    def test_of_none(self, audit: Audit, filled: Store) -> None:
        """Where nothing was called, that is said."""
        assert audit("rollup", filled.url, "--turn", "t3") == (0, "no calls\n", "")


class TestTurns:
    """The list of turns."""

    def test_latest_first(self, audit: Audit, filled: Store) -> None:
        """Turns are listed with their slots, calls, cost and state."""
        assert audit("turns", filled.url) == (0, LISTED, "")

    def test_limit(self, audit: Audit, filled: Store) -> None:
        """Only as many as asked for are listed, the latest ones."""
        listed = json.loads(audit("turns", filled.url, "--limit", "2", "--output-format", "json").out)
        assert [(turn["turnId"], turn["synthesizeCap"], turn["state"]) for turn in listed] == [
            ("t3", 3, "passthrough"),
            ("t2", 2, "open"),
        ]

    @pytest.mark.parametrize(("chat", "turns"), [("c1", 3), ("c2", 0)])
    def test_of_a_chat(self, audit: Audit, filled: Store, chat: str, turns: int) -> None:
        """Only the turns of a chat are listed, if one is named."""
        assert len(json.loads(audit("turns", filled.url, "--chat", chat, "--output-format", "json").out)) == turns

    def test_none(self, audit: Audit, filled: Store) -> None:
        """Where there are no turns, that is said."""
        assert audit("turns", filled.url, "--chat", "c2") == (0, "no turns\n", "")

    def test_broken_and_uncapped(self, audit: Audit, filled: Store) -> None:
        """A turn whose calls cannot be read is listed as broken, and no cap is none."""
        drop_guards(filled, "harness_auditable_calls", "UPDATE harness_auditable_calls SET draft = '{\"tone\": 1}'")
        drop_guards(filled, "harness_turns", "UPDATE harness_turns SET max_synthesize_per_turn = NULL")
        *_, last = audit("turns", filled.url).out.splitlines()
        assert (last.split()[4], last.split()[-1]) == ("none", "broken")


class TestVerify:
    """Whether the record is sound."""

    def test_sound(self, audit: Audit, filled: Store) -> None:
        """A sound ledger is counted, and attempts that are under way are no problem."""
        said = "verified 3 turns with 3 calls: 0 problems\n1 attempt without a row: under way, or for"
        assert audit("verify", filled.url) == (0, f"{said} `pleach-audit recover`\n", "")

    def test_one_turn(self, audit: Audit, filled: Store) -> None:
        """One turn can be checked by itself."""
        answer = audit("verify", filled.url, "--turn", "t1", "--output-format", "json")
        assert answer.code == 0
        assert json.loads(answer.out) == {"turns": 1, "calls": 3, "unfinished": 0, "problems": []}

    @pytest.mark.parametrize(
        ("change", "invariant"),
        [
            pytest.param("token_cost = 1", "an unbroken chain", id="changed"),
            pytest.param("draft = '{\"tone\": 1}'", "calls that can be read", id="made unreadable"),
        ],
    )
    def test_broken(self, audit: Audit, filled: Store, change: str, invariant: str) -> None:
        """A call that somebody changed is found, and the exit code says so."""
        change = f"UPDATE harness_auditable_calls SET {change} WHERE call_id = 'c2'"  # noqa: S608 - a case
        drop_guards(filled, "harness_auditable_calls", change)
        answer = audit("verify", filled.url, "--output-format", "json")
        (problem,) = json.loads(answer.out)["problems"]
        assert (answer.code, problem["turnId"], problem["invariant"]) == (1, "t1", invariant)

    def test_broken_in_text(self, audit: Audit, filled: Store) -> None:
        """What is wrong is told in a row each."""
        deletion = "DELETE FROM harness_auditable_calls WHERE call_id = 'c1'"
        drop_guards(filled, "harness_auditable_calls", deletion)
        code, out, err = audit("verify", filled.url, "--turn", "t1")
        assert (code, err) == (1, "")
        assert out.splitlines()[1:3] == [
            "t1    an unbroken chain  it breaks at position 1",
            "verified 1 turn with 2 calls: 1 problem",
        ]

    def test_unreadable_attempt(self, audit: Audit, filled: Store) -> None:
        """An attempt whose event was changed ends the check, without a word of what it held."""
        drop_guards(filled, "harness_events", "UPDATE harness_events SET payload = '{\"a\": 1}' WHERE call_id = 'c4'")
        code, out, err = audit("verify", filled.url, "--turn", "t1")
        assert (code, out) == (2, "")
        assert err.endswith("the event of an attempt cannot be read\n")

    def test_unreadable_event(self, audit: Audit, filled: Store) -> None:
        """An event that is none any more ends the check, without a word of what it held."""
        drop_guards(filled, "harness_events", "UPDATE harness_events SET kind = '' WHERE call_id = 'c1'")
        code, out, err = audit("verify", filled.url)
        assert (code, out) == (2, "")
        assert "an event of turn 't1' cannot be read" in err


class TestReplay:
    """The record of a turn."""

    def test_in_order(self, audit: Audit, filled: Store) -> None:
        """Calls are shown in order, numbered among those of the same stage and fingerprint."""
        assert audit("replay", filled.url, "--turn", "t1") == (0, RECORD, "")

    def test_drafts(self, audit: Audit, filled: Store) -> None:
        """What was answered is shown when asked for, on one line each."""
        assert '\n#3: "The answer."\n' in audit("replay", filled.url, "--turn", "t1", "--drafts").out

    @pytest.mark.parametrize(("flags", "has_draft"), [((), False), (("--drafts",), True)])
    def test_json(self, audit: Audit, filled: Store, flags: tuple[str, ...], has_draft: bool) -> None:  # noqa: FBT001 - a case
        """The record is given as JSON too, with drafts only when asked for."""
        answer = json.loads(audit("replay", filled.url, "--turn", "t1", "--output-format", "json", *flags).out)
        assert (answer["turnId"], answer["state"], answer["problems"]) == ("t1", "answered", [])
        assert [(call["callId"], call["occurrence"]) for call in answer["calls"]] == [("c1", 1), ("c2", 2), ("c3", 3)]
        assert ["draft" in call for call in answer["calls"]] == [has_draft] * 3

    def test_without_calls(self, audit: Audit, filled: Store) -> None:
        """A turn without calls is sound."""
        assert audit("replay", filled.url, "--turn", "t3") == (0, "no calls\n", "")

    def test_under_way(self, audit: Audit, filled: Store) -> None:
        """An attempt that has no row yet is shown where it started."""
        code, out, _ = audit("replay", filled.url, "--turn", "t2", "--drafts")
        _, line, draft = out.splitlines()
        assert (code, draft) == (0, "#1: no answer")
        assert line.split() == [
            "1",
            "answer",
            "synthesize",
            "ffffffffffff",
            "1",
            "1",
            "no",
            "row",
            "yet",
            "stub-1",
            "unknown",
        ]

    def test_broken(self, audit: Audit, filled: Store) -> None:
        """What is wrong with the turn is told after its calls, and by the exit code."""
        change = "UPDATE harness_auditable_calls SET token_cost = 1, draft = NULL WHERE call_id = 'c3'"
        drop_guards(filled, "harness_auditable_calls", change)
        code, out, _ = audit("replay", filled.url, "--turn", "t1", "--drafts")
        assert (code, out.splitlines()[-2:]) == (
            1,
            ["#3: no answer", "should have an unbroken chain, but it breaks at position 3"],
        )

    def test_unknown(self, audit: Audit, filled: Store) -> None:
        """A turn that was never opened is no answer."""
        assert audit("replay", filled.url, "--turn", "t9") == (
            2,
            "",
            "error: turn 't9' was never opened in this ledger\n",
        )


class TestRecover:
    """Attempts without a row."""

    def test_dry_run(self, audit: Audit, filled: Store) -> None:
        """They can be looked at without changing anything."""
        for _ in range(2):
            code, out, _ = audit("recover", filled.url, "--dry-run")
            assert (code, out.splitlines()[-1]) == (0, "1 attempt would be closed as unknown")
            assert out.splitlines()[1].split()[:3] == ["c4", "t2", "synthesize"]

    def test_closed_once(self, audit: Audit, filled: Store) -> None:
        """They are closed as unknown, and then are no longer there."""
        answers = [json.loads(audit("recover", filled.url, "--output-format", "json").out) for _ in range(2)]
        assert [[row["outcome"] for row in answer["attempts"]] for answer in answers] == [["unknown"], []]
        assert audit("verify", filled.url).out == "verified 3 turns with 4 calls: 0 problems\n"

    def test_too_young(self, audit: Audit, filled: Store) -> None:
        """Those that may still be running are left alone."""
        answer = audit("recover", filled.url, "--older-than", "1e9")
        assert answer == (0, "0 attempts closed as unknown\n", "")

    def test_no_age(self, audit: Audit, filled: Store) -> None:
        """What is no number is wrong usage."""
        answer = audit("recover", filled.url, "--older-than", "nan")
        assert (answer.code, answer.out) == (2, "")
        assert "nan is no age; give seconds" in answer.err
