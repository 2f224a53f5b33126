"""What importing the runtime loads, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("anthropic", "libcst", "litellm", "openai", "opentelemetry", "pleach_lint", "psycopg", "sqlalchemy", "sqlite3")


def loaded_by(statement: str) -> set[str]:
    """Return the modules that a statement loads in a fresh interpreter, beside those that measure coverage in it."""
    program = f"import json, sys; old = {{*sys.modules}}; {statement}; print(json.dumps([*{{*sys.modules}} - old]))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(ran.stdout))


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("import pleach_runtime", id="the package"),
        pytest.param("from pleach_runtime import *", id="everything public"),
    ],
)
def test_loads_nothing_heavy(statement: str) -> None:
    """Neither a database, the SDK of a provider, telemetry nor the linter is loaded."""
    assert loaded_by(statement).isdisjoint(HEAVY)


def test_package_alone_loads_no_more_than_pydantic() -> None:
    """Importing the package loads nothing that `import pydantic` would not."""
    ours = loaded_by("import pleach_runtime")
    assert {name for name in ours if not name.startswith("pleach_runtime")} <= loaded_by("import pydantic")
