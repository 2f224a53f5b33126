from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pleach_lint.engine import check_source
from pleach_lint.project import Project, Settings

if TYPE_CHECKING:
    from pathlib import Path

CALLABLES = ("vendor.llm:ask:1", "vendor.llm:Client.send:lane")


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param("from vendor.llm import ask\nask('hi', 'utility')", [(2, 11)], id="by position"),
        pytest.param("import vendor.llm as v\nv.ask('utility', 'x')", [], id="another position"),
        pytest.param(
            "from vendor.llm import Client\nClient().send(lane='converse')", [(2, 20)], id="method by keyword"
        ),
        pytest.param(
            "from vendor.llm import ask\ndef f(x): ask(1, x)\nf('synthesize')", [(3, 3)], id="through a wrapper"
        ),
        pytest.param("from other import ask\nask('hi', 'utility')", [], id="a callable of the same name"),
        pytest.param("from vendor.llm import ask\nask('hi', 'syn' + 'thesize')", [(2, 11)], id="a computed word"),
    ],
)
def test_a_configured_callable_takes_a_class_where_it_says(
    program: str, expected: list[tuple[int, int]], tmp_path: Path
) -> None:
    """The argument that the configuration names is a slot; other arguments and other callables are none."""
    project = Project(Settings(tmp_path, callables=CALLABLES))
    found = check_source(tmp_path / "use.py", program.encode(), project).findings
    assert [(finding.span.row, finding.span.column) for finding in found] == expected
