from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pleach_lint.engine import check_source
from pleach_lint.project import Project, Settings
from pleach_lint.rule import Example

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

PROGRAMS = Path(__file__).parent / "programs"
SEAM = 'from typing import Literal\nCallClass = Literal["utility", "reasoning", "converse", "synthesize"]\n'


def programs() -> list[ParameterSet]:
    """Each section `### title` of each file in the folder, as one program with marks; `--- path` starts a module."""
    found = []
    for file in sorted(PROGRAMS.glob("*.txt")):
        for section in file.read_text(encoding="utf-8").split("### ")[1:]:
            first, *others = section.split("\n--- ")
            title, _, code = first.partition("\n")
            files = {path.strip(): text for path, _, text in (other.partition("\n") for other in others)}
            found.append(pytest.param(Example(title, code, files), id=f"{file.stem}: {title}"))
    return found


@pytest.mark.parametrize("program", programs())
def test_findings_stand_exactly_at_the_marks(program: Example, tmp_path: Path) -> None:
    """Each marked place of a program is reported, and nothing else is."""
    for name, text in {"app/seams/__init__.py": SEAM, **(program.files or {})}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    path = tmp_path / "program.py"
    checked = check_source(path, program.text.encode(), Project(Settings(tmp_path)))
    found = {(finding.span.row, finding.span.column) for finding in checked.findings}
    assert found == set(program.expected), [finding.message for finding in checked.findings]
