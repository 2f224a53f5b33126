"""Real code to measure on: wheels from the package index, pinned and unpacked. Measures nothing."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PINNED: Final = {
    "anthropic": "2.14.0",
    "crewai": "1.15.30",
    "django": "5.2.19",
    "dspy": "3.4.1",
    "langchain-core": "1.8.4",
    "litellm": "1.110.2",
    "openai": "3.57.0",
    "sympy": "1.14.0",
    "transformers": "5.24.0",
}


def unpacked(names: Iterable[str], cache: Path) -> dict[str, Path]:
    """The folder of each package below `cache`, by name; what is not there yet is downloaded."""
    return {name: _found(name, cache) or _fetched(name, cache) for name in names}


def python_files(folder: Path) -> list[Path]:
    """Every Python file below a folder, sorted."""
    return sorted(path for path in folder.rglob("*.py") if path.is_file())


def _found(name: str, cache: Path) -> Path | None:
    pattern = f"{name.replace('-', '_')}-{PINNED[name]}-*"
    return next((path for path in sorted(cache.glob(pattern)) if path.is_dir()), None)


def _fetched(name: str, cache: Path) -> Path:
    wheels = cache / "wheels"
    requirement = f"{name}=={PINNED[name]}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*command, "--dest", str(wheels), requirement], check=True)
    (wheel,) = wheels.glob(f"{name.replace('-', '_')}-{PINNED[name]}-*.whl")
    folder = cache / wheel.stem
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder
