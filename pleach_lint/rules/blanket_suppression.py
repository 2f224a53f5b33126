"""PCH901 blanket-suppression: a `noqa` without codes that hides a finding of ours."""

from __future__ import annotations

from typing import ClassVar

from pleach_lint.rule import Example, Rule


class BlanketSuppression(Rule):
    """A `noqa` that names no code hides one of our findings.

    It hides what every tool says about the line, now and later, so nobody can tell that a leak was accepted here. Many
    are slips: `# noqa : PCH001`, `# noqa PCH001` and `# noqa: callclass-value` are read as a bare `# noqa`, for flake8
    knows codes only, and those directly behind a colon.

    The repair names the codes of our findings, and those that stand in the comment already. What the bare comment hid
    from other tools, these will report.

    Source: https://flake8.pycqa.org/en/stable/user/violations.html
    """

    code = "PCH901"
    slug = "blanket-suppression"
    judges_comments = True
    way_out = "name the codes"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "bare",
            """
            resolve_model(call_class="utility")  # noqa  #~ 38
            """,
            fixed="""
            resolve_model(call_class="utility")  # noqa: PCH001
            """,
        ),
        Example(
            "slips that are read as bare",
            """
            resolve_model(call_class="utility")  # noqa : PCH001  #~ 38
            resolve_model(call_class="utility")  # noqa E501, PCH001 - legacy  #~ 38
            resolve_model(call_class="utility")  # NOQA: callclass-value, legacy  #~ 38
            resolve_model(call_class="utility")  # type: ignore # noqa:  E501  #~ 53
            """,
            fixed="""
            resolve_model(call_class="utility")  # noqa: PCH001
            resolve_model(call_class="utility")  # noqa: E501, PCH001 - legacy
            resolve_model(call_class="utility")  # noqa: PCH001, legacy
            resolve_model(call_class="utility")  # type: ignore # noqa: E501, PCH001
            """,
        ),
        Example(
            "with codes",
            """
            resolve_model(call_class="utility")  # noqa: PCH001
            resolve_model(call_class="utility")  # noqa: E501 PCH0 - legacy
            """,
        ),
        Example(
            "bare, for other tools",
            """
            import os  # noqa
            """,
        ),
    )
