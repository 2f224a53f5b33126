"""The tools that the linter is compared with: pinned, each in an environment of its own, with an equivalent rule."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.lint_clock import Command

if TYPE_CHECKING:
    from collections.abc import Sequence

PINNED: Final = {"ast-grep-cli": "0.51.1", "fixit": "2.2.1", "flake8": "7.5.0", "pylint": "4.1.4", "semgrep": "1.185.0"}
ROOT: Final = Path(__file__).resolve().parent.parent
RULES: Final = Path(__file__).resolve().parent / "peer_rules"
WORDS: Final = "utility|reasoning|converse|synthesize|call_?class"


class Peers:
    """Installs the peers below a folder when they are first needed, and says how they are run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ast_grep(self, paths: Sequence[str], cwd: Path) -> Command:
        """One pattern: a call with the keyword."""
        program = self._program("ast-grep-cli", "ast-grep")
        return Command([program, "scan", "--json=stream", "--rule", str(RULES / "ast_grep.yml"), *paths], cwd)

    def semgrep(self, paths: Sequence[str], cwd: Path) -> Command:
        """The keyword with each of the four words."""
        options = ["--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet"]
        program = self._program("semgrep", "semgrep")
        return Command([program, "scan", "--config", str(RULES / "semgrep.yml"), *options, *paths], cwd)

    def fixit(self, paths: Sequence[str], cwd: Path) -> Command:
        """The keyword with one of the four words; libcst reads every file."""
        program = self._program("fixit", "fixit")
        return Command([program, "--rules", "fixit_rule:CallClass", "lint", *paths], cwd, {"PYTHONPATH": str(RULES)})

    def pylint(self, paths: Sequence[str], cwd: Path) -> Command:
        """The keyword with one of the four words, and no other check."""
        options = ["--disable=all", "--enable=call-class", "--load-plugins=pylint_rule", "--jobs=0", "--exit-zero"]
        program = self._program("pylint", "pylint")
        return Command([program, *options, "--recursive=y", *paths], cwd, {"PYTHONPATH": str(RULES)})

    def ripgrep(self, paths: Sequence[str], cwd: Path) -> Command | None:
        """A search for the words in the text; None where neither the machine nor Debian's archive has ripgrep."""
        program = shutil.which("rg") or self._from_debian("ripgrep", "usr/bin/rg")
        return Command([program, "-l", "-t", "py", WORDS, *paths], cwd) if program else None

    def flake8(self, paths: Sequence[str], cwd: Path, *, with_plugin: bool) -> Command:
        """flake8 alone, or with the plugin of this project."""
        extra = (str(ROOT),) if with_plugin else ()
        program = self._program("flake8", "flake8", *extra)
        return Command([program, "--isolated", "--jobs=1", "--exit-zero", *paths], cwd)

    def _program(self, package: str, name: str, *extra: str) -> str:
        folder = self._folder / (f"{package}-and-ours" if extra else package)
        program = folder / "bin" / name
        if not program.exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            install = [str(folder / "bin" / "pip"), "install", "--quiet"]
            subprocess.run([*install, f"{package}=={PINNED[package]}", *extra], check=True)
        return str(program)

    def _from_debian(self, package: str, place: str) -> str | None:
        """A program out of a Debian package, which is unpacked but not installed; None where that cannot be done."""
        folder = self._folder / package
        program = folder / place
        if not program.exists():
            download, unpack = shutil.which("apt-get"), shutil.which("dpkg-deb")
            if not download or not unpack:
                return None
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run([download, "download", "--quiet", package], cwd=folder, check=True)
            (archive,) = folder.glob("*.deb")
            subprocess.run([unpack, "--extract", archive, folder], check=True)
        return str(program)
