"""The page of a rule, from its docstring and its examples, for people and for machines. Prints nothing."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pleach_lint.rule import Example, Rule

HOME: Final = "https://github.com/pleach/pleach-lint"
"""Where the project lives. Source: `project.urls` in `pyproject.toml`."""


def url_of(code: str) -> str:
    """The page of a rule in the documentation; needs no rule to be loaded."""
    return f"{HOME}/blob/main/docs/rules/{code}.md"


def as_text(rule: type[Rule]) -> str:
    """The page for a terminal."""
    blocks = [f"{rule.code} {rule.slug}", _standing(rule), _prose(rule)]
    blocks += [f"{caption}:\n\n{_indented(program)}" for caption, program in _programs(rule)]
    return "\n\n".join(blocks) + "\n"


def as_markdown(rule: type[Rule]) -> str:
    """The page as a document."""
    blocks = [f"# {rule.code} {rule.slug}", _standing(rule), _prose(rule)]
    blocks += [f"{caption}:\n\n```python\n{program}```" for caption, program in _programs(rule)]
    return "\n\n".join(blocks) + "\n"


def as_object(rule: type[Rule]) -> dict[str, object]:
    """The page as JSON values; rows and columns 1-based, a column that is not pinned null."""
    return {
        "code": rule.code,
        "slug": rule.slug,
        "family": rule.family or None,
        "default": rule.default,
        "summary": rule.summary(),
        "explanation": _prose(rule),
        "url": url_of(rule.code),
        "examples": [
            {
                "title": example.title,
                "code": example.text,
                "files": dict(example.files or {}),
                "strict": example.strict,
                "fixed": example.text_fixed if example.fixed else None,
                "reported": [{"row": row, "column": column} for row, column in example.expected],
            }
            for example in rule.examples
        ],
    }


def _standing(rule: type[Rule]) -> str:
    """Whether the rule is on, and what it is selected with."""
    if not rule.ignorable:
        return "Always on: it can be neither ignored nor suppressed."
    parts = ["On by default" if rule.default else "Off by default"]
    if rule.family:
        parts.append(f"Family: {rule.family}")
    if rule.judges_comments:
        parts.append("Not reported by flake8")
    return ". ".join((*parts, ""))[:-1]


def _prose(rule: type[Rule]) -> str:
    return inspect.cleandoc(rule.__doc__ or "")


def _programs(rule: type[Rule]) -> Iterator[tuple[str, str]]:
    """The examples, each with its caption, and what fixes make of them."""
    for example in rule.examples:
        yield _caption(example), _program(example)
        if example.fixed:
            yield "Fixed", example.text_fixed


def _caption(example: Example) -> str:
    verdict = "Reported" if example.marked else "Not reported"
    return f"{verdict}{' in strict mode' if example.strict else ''}: {example.title}"


def _program(example: Example) -> str:
    """The example with its reported rows pointed out, and its other files in front."""
    files = "".join(f"# {path}\n{text}\n" for path, text in (example.files or {}).items())
    return files + "\n".join(_rows(example)) + "\n"


def _rows(example: Example) -> Iterator[str]:
    reported = {row for row, _ in example.expected}
    for row, text in enumerate(example.text.rstrip("\n").split("\n"), start=1):
        yield f"{text}  # reported" if row in reported else text


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
