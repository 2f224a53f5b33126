"""How answers look, and what they never show."""

from __future__ import annotations

import pytest

from pleach_runtime.auditing.text import amount, table, usd, without_secrets


def test_table() -> None:
    """Columns are as wide as what stands in them, also in wide characters; numbers stand to the right."""
    assert table(("name", "n"), [("日本", "7"), ("e\u0301", "10")]) == "name   n\n日本   7\ne\u0301     10"


def test_control_characters() -> None:
    """What could move the cursor of a terminal is shown, not sent."""
    assert table(("id",), [("a\x1b[31mb\n",)]) == "id\na\\x1b[31mb\\n"


@pytest.mark.parametrize(
    ("nano", "text"), [(None, "unknown"), (0, "0.000000000"), (1, "0.000000001"), (12_340_000_000, "12.340000000")]
)
def test_usd(nano: int | None, text: str) -> None:
    """Money is exact to the nano-USD, and unknown is not 0."""
    assert usd(nano) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 turns"), (1, "1 turn"), (2, "2 turns")])
def test_amount(count: int, text: str) -> None:
    """One is not many."""
    assert amount(count, "turn") == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        pytest.param("postgresql://u:geheim@h/db", "extra geheim", id="word"),
        pytest.param("postgresql://u:geh@eim@h/db", "extra geh@eim", id="with @"),
        pytest.param("postgresql://u:geh eim'@h/db", 'extra "geh eim\'"', id="with blank and quote"),
        pytest.param("postgresql://u:geh%40eim@h/db", "extra geh@eim and geh%40eim", id="escaped"),
        pytest.param("postgresql://h/db?password=geheim&x=1", "extra geheim", id="parameter"),
        pytest.param("postgresql://u:geh\\eim@h", "extra 'geh\\\\eim'", id="shown as Python would"),
    ],
)
def test_without_secrets(source: str, text: str) -> None:
    """However a password was written, nothing of it is left."""
    cleaned = without_secrets(text, ["verify", source])
    assert "eim" not in cleaned
    assert cleaned.startswith("extra ")


def test_nothing_to_hide() -> None:
    """A message is left alone if no URL holds a password."""
    assert without_secrets("sqlite:///a:b@c", ["sqlite:///a:b@c", "postgresql://u:@h"]) == "sqlite:///a:b@c"
