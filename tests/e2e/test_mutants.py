from __future__ import annotations

import json
import random
import subprocess
import sys
import sysconfig
from pathlib import Path

FILES = 300
LARGEST = 20_000
PLANTED = (
    b"call_class='synthesize'",
    b'x = "utility"\n',
    b"{'utility': 1, \"reasoning\": 2}",
    b"match call_class:\n    case 'converse': pass\n",
    b"f(call_class=f'{\"utility\"}')",
    b"\\\n",
    b"\x0c",
    b"\r",
    b"\xff",
    b"\x00",
    b"# noqa: PCH001\n",
    b"'''",
    b"(" * 50,
)


def mutant(data: bytes, chance: random.Random) -> bytes:
    """A file with a class literal planted before its last definition and, in two of three, a damage or two."""
    head, definition, tail = data.rpartition(b"\ndef ")
    data = head + b"\nask(call_class='synthesize')" + definition + tail
    for _ in range(chance.randint(0, 2)):
        place = chance.randrange(len(data) + 1)
        cut = place + chance.choice([0, 0, 0, 1, 2, 40])
        data = data[:place] + chance.choice(PLANTED) + data[cut:]
    lines = data.split(b"\n")
    if chance.random() < 0.2:
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return b"\n".join(lines)


def test_mutated_files_are_analysed_or_said_not_to_be(tmp_path: Path) -> None:
    """Three hundred mutated files of the standard library end in findings, without a fault of the linter."""
    chance = random.Random(20)  # noqa: S311 - a seed, no secret
    library = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    small = [path for path in library if path.stat().st_size < LARGEST and "site-packages" not in path.parts]
    for number, path in enumerate(chance.sample(small, FILES)):
        (tmp_path / f"mutant{number}.py").write_bytes(mutant(path.read_bytes(), chance))
    command = [sys.executable, "-m", "pleach_lint", "check", "--isolated", "--no-cache", "--output-format", "json", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 1, run.stderr
    assert "Traceback" not in run.stderr
    findings = json.loads(run.stdout)
    reasons = [finding["message"] for finding in findings if finding["code"] == "PCH999"]
    assert not [reason for reason in reasons if "fault" in reason or "internal" in reason]
    assert {finding["code"] for finding in findings} >= {"PCH001", "PCH999"}
