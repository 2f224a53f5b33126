"""Tests of the matrix and of the lock on a family: what is refused before any call."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from pleach_runtime.config import SessionRuntimeConfig
from pleach_runtime.errors import ConfigurationError, FamilyLockViolation
from pleach_runtime.hooks import RuntimeHooks
from pleach_runtime.ledger import MemoryLedger
from pleach_runtime.matrix import FamilyLock, FamilyPick, ModelMatrix, check_cheapest
from pleach_runtime.policy import create_family_pick, create_per_call_class_routing
from pleach_runtime.price import PriceTable, TokenPrice
from pleach_runtime.routing import RoutingDecisionEngine
from pleach_runtime.runtime import SessionRuntime
from pleach_runtime.seams import CALL_CLASSES, CallClassRoutes, CallClassRungs
from tests.runtime.builders import REASONING, SYNTHESIZE, UTILITY
from tests.runtime.families import ELM, MATRIX, OAK, failing, in_family
from tests.runtime.stubs import config

if TYPE_CHECKING:
    from pleach_runtime.price import Price


class TestTable:
    """What a matrix may be."""

    def test_all_classes(self) -> None:
        """A family without models for a class is refused, with every class that has none."""
        with pytest.raises(ValidationError) as caught:
            CallClassRungs.model_validate({UTILITY: ["a"]})
        assert [error["loc"] for error in caught.value.errors()] == [(name,) for name in CALL_CLASSES[1:]]

    @pytest.mark.parametrize(
        ("rungs", "problem"),
        [
            pytest.param([], "at least 1 item", id="no rung"),
            pytest.param(["a", "b", "a"], "stands twice: a", id="a rung twice"),
            pytest.param([""], "at least 1 character", id="no name"),
            pytest.param("oak-1", "valid tuple", id="a name instead of rungs"),
        ],
    )
    def test_rungs(self, rungs: object, problem: str) -> None:
        """A cell is one or more models, none of them twice."""
        with pytest.raises(ValidationError, match=problem):
            CallClassRungs.model_validate(dict.fromkeys(CALL_CLASSES, rungs))

    def test_model_of_two_families(self) -> None:
        """A model that two families claim would make the lock a matter of taste."""
        with pytest.raises(ValidationError, match="'b' is in two families: one, two"):
            ModelMatrix(families={"one": CallClassRungs.uniform("a", "b"), "two": CallClassRungs.uniform("b")})

    def test_no_family(self) -> None:
        """A matrix without a family is none."""
        with pytest.raises(ValidationError, match="at least 1 item"):
            ModelMatrix(families={})

    def test_json(self) -> None:
        """A configuration with a matrix survives JSON, and can be written by hand."""
        written = in_family().model_dump_json()
        assert SessionRuntimeConfig.model_validate_json(written) == in_family()
        assert json.loads(written)["matrix"]["families"]["elm"][SYNTHESIZE] == list(ELM)


class TestLock:
    """One family per runtime, chosen at boot."""

    def test_only_family(self) -> None:
        """A matrix of one family needs no choice."""
        lock = FamilyLock.on(ModelMatrix(families={"oak": CallClassRungs.uniform(*OAK)}), None)
        assert (lock.family, lock.pick) == ("oak", FamilyPick("oak", ()))

    @pytest.mark.parametrize(
        ("family", "problem"),
        [
            pytest.param(None, "no family is chosen: set `family` to one of oak, elm", id="no choice"),
            pytest.param("ash", "'ash' is not in the matrix, which has oak, elm", id="unknown"),
        ],
    )
    def test_choice(self, family: str | None, problem: str) -> None:
        """Among several families the configuration says which."""
        with pytest.raises(ConfigurationError, match=problem):
            FamilyLock.on(MATRIX, family)

    def test_never_changes(self) -> None:
        """A lock has no way to another family."""
        lock = FamilyLock.on(MATRIX, "oak")
        with pytest.raises(dataclasses.FrozenInstanceError):
            lock.family = "elm"  # type: ignore[misc] # the line that must fail

    async def test_route_outside(self) -> None:
        """A route out of the locked family fails at boot, with every such route, before anything is recorded."""
        routes = CallClassRoutes.of({UTILITY: "elm-1", REASONING: "oak-2", SYNTHESIZE: "elm-2"})
        routed = create_per_call_class_routing(routes=routes).apply(in_family())
        with pytest.raises(FamilyLockViolation, match="locked to 'oak'") as caught:
            await SessionRuntime.boot(routed, provider=failing(), ledger=MemoryLedger())
        assert caught.value.routes == (f"{UTILITY} to elm-1", f"{SYNTHESIZE} to elm-2")

    def test_models_beside_a_matrix(self) -> None:
        """Two tables that both say which models answer are refused."""
        both = config(matrix=MATRIX, family="oak")
        with pytest.raises(ConfigurationError, match="keep one"):
            RoutingDecisionEngine(both, "stub")

    def test_pick(self) -> None:
        """The user's pick locks the next runtime on the other family, and drops the routes within the old one."""
        routed = create_per_call_class_routing(routes=CallClassRoutes.uniform("oak-2")).apply(in_family())
        picked = create_family_pick("elm").apply(routed)
        assert RoutingDecisionEngine(picked, "stub").cells == dict.fromkeys(CALL_CLASSES, ELM)


@pytest.mark.parametrize(
    ("route", "cell"),
    [
        pytest.param(None, ("a", "b", "c"), id="no route"),
        pytest.param("a", ("a", "b", "c"), id="the first rung"),
        pytest.param("b", ("b", "c"), id="a lower rung: never up again"),
        pytest.param("d", ("d", "a", "b", "c"), id="a model of another cell comes first"),
    ],
)
def test_route_within_the_family(route: str | None, cell: tuple[str, ...]) -> None:
    """A route says where the cascade begins."""
    family = CallClassRungs.model_validate({**dict.fromkeys(CALL_CLASSES, ("d",)), SYNTHESIZE: ["a", "b", "c"]})
    lock = FamilyLock.on(ModelMatrix(families={"fam": family}), None)
    assert lock.cells(CallClassRoutes.of({SYNTHESIZE: route}))[SYNTHESIZE] == cell


def test_family_on_the_row() -> None:
    """Where calls go is named by the family of the matrix and the provider that sells it."""
    (first, *_) = RoutingDecisionEngine(in_family(), "stub").rungs(UTILITY)
    assert (first.family, first.provider, first.model) == ("oak", "stub", "oak-1")


class TestCheapest:
    """Internal classification goes to the cheapest cell."""

    CELLS = dict.fromkeys(CALL_CLASSES, ("mid",)) | {UTILITY: ("small", "mid")}

    @pytest.mark.parametrize(
        "price",
        [
            pytest.param(PriceTable({"small": TokenPrice(1, 2), "mid": TokenPrice(2, 4)}), id="cheapest"),
            pytest.param(PriceTable({"small": TokenPrice(2, 4), "mid": TokenPrice(2, 4)}), id="equal"),
            pytest.param(PriceTable({"small": TokenPrice(3, 4), "mid": TokenPrice(2, 5)}), id="cheaper for output"),
            pytest.param(PriceTable({"small": TokenPrice(3, 4)}), id="the other price is unknown"),
            pytest.param(lambda _model, _usage: 0, id="prices that are no table"),
        ],
    )
    def test_fits(self, price: Price) -> None:
        """What is not known to be dearer is let through."""
        check_cheapest(self.CELLS, price)

    async def test_dearer(self) -> None:
        """A table of prices by which another class is cheaper stops the boot."""
        prices = PriceTable({"oak-1": TokenPrice(3, 4), "oak-2": TokenPrice(2, 3)})
        routed = create_per_call_class_routing(routes=CallClassRoutes.of({REASONING: "oak-2"})).apply(in_family())
        with pytest.raises(ConfigurationError, match=f"goes to 'oak-1', but 'oak-2' of {REASONING} is cheaper"):
            await SessionRuntime.boot(
                routed, provider=failing(), ledger=MemoryLedger(), hooks=RuntimeHooks(price=prices)
            )
