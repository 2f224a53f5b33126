"""Writes the parts of the documentation that follow from the code: rules, options, what commands print.

python docs/generate.py          bring everything up to date
python docs/generate.py --check  say what is out of date, and exit with 1 if anything is
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pleach_lint.cli import commands
from pleach_lint.rule_pages import as_markdown
from pleach_lint.rules import all_rules
from pleach_runtime.auditing.commands import commands as audit_commands

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs" / "rules"
SHOWN = re.compile(r"^```console\n(?P<session>.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.+)$", re.MULTILINE)
SURROUNDINGS = {
    **os.environ,
    "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))),
    "COLUMNS": "80",
    "PLEACH_CACHE_DIR": str(ROOT / ".pleach_cache"),
    "NO_COLOR": "1",
}


def documents() -> Iterator[tuple[Path, str]]:
    """Each file that is written, wholly or in part, with the text that it should hold."""
    yield RULES / "README.md", rules_index()
    yield from ((RULES / f"{rule.code}.md", as_markdown(rule)) for rule in all_rules())
    yield ROOT / "docs" / "command-line.md", options_page("Command line", "pleach-lint", commands)
    yield ROOT / "docs" / "audit-command.md", options_page("The audit command", "pleach-audit", audit_commands)
    written_by_hand = (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
    yield from ((path, with_sessions(path.read_text(encoding="utf-8"))) for path in written_by_hand)


def rules_index() -> str:
    """The table of all rules, each with a link to its page."""
    lines = [
        "# Rules\n",
        "`pleach-lint rule CODE` prints one of these pages. Each example is a test of its rule.\n",
        "| code | slug | on | finds |\n|---|---|---|---|",
    ]
    for rule in all_rules():
        on = "always" if not rule.ignorable else "yes" if rule.default else "no"
        lines.append(f"| [{rule.code}]({rule.code}.md) | `{rule.slug}` | {on} | {in_cell(rule.summary())} |")
    return "\n".join(lines) + "\n"


def options_page(title: str, program: str, group: click.Group) -> str:
    """The commands of a program with their options."""
    context = click.Context(group, info_name=program)
    sections = [f"# {title}\n", f"{cleandoc(group.help or '')}\n"]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            sections += command_section(command, click.Context(command, info_name=name, parent=context))
    return "\n".join(sections)


def command_section(command: click.Command, context: click.Context) -> Iterator[str]:
    """One command: how it is called, what it does, and a row for each option."""
    yield f"## {' '.join(command.get_usage(context).removeprefix('Usage: ').split())}\n"
    yield f"{cleandoc(command.help or '')}\n"
    yield "| option | meaning |\n|---|---|"
    records = (option.get_help_record(context) for option in command.get_params(context))
    for names, meaning in filter(None, records):
        yield f"| `{in_cell(names)}` | {in_cell(meaning)} |"
    yield ""


def in_cell(text: str) -> str:
    """Text in which a bar does not end the cell of a table."""
    return text.replace("|", r"\|")


def with_sessions(text: str) -> str:
    """A document whose commands are followed by what they print now."""
    return SHOWN.sub(lambda shown: f"```console\n{session(shown['session'])}```", text)


def session(shown: str) -> str:
    """Run the commands of one block, from the root of the repository."""
    return "\n".join(f"$ {command}\n{printed(command)}" for command in COMMAND.findall(shown))


def printed(command: str) -> str:
    """What a command prints: its findings, then what it says beside them."""
    run = subprocess.run(
        shlex.split(command), cwd=ROOT, env=SURROUNDINGS, capture_output=True, encoding="utf-8", check=False
    )
    return run.stdout + run.stderr


def main() -> int:
    """Write or check; 1 when a check finds something out of date."""
    RULES.mkdir(exist_ok=True)
    stale = [(path, text) for path, text in documents() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        if "--check" in sys.argv:
            print(f"{path.relative_to(ROOT)} is out of date; run: python docs/generate.py")
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
