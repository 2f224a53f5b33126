"""PCH902 unexplained-suppression: a suppression of ours without a reason."""

from __future__ import annotations

from typing import ClassVar

from pleach_lint.rule import Example, Rule


class UnexplainedSuppression(Rule):
    """A suppression of one of our rules gives no reason.

    The reason stands behind the codes, in the same comment. Comments for other tools are none. `require-reasons = true`
    in the configuration switches this rule on.

    Source: the contract of suppressions: they are kept honest.
    """

    code = "PCH902"
    slug = "unexplained-suppression"
    default = False
    judges_comments = True
    way_out = "write one behind it"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "no reason",
            """
            resolve_model(call_class="utility")  # noqa: PCH001  #~ 38
            resolve_model(call_class="utility")  # pleach: ignore[callclass-value]  #~ 38
            resolve_model(call_class="utility")  # see below  # noqa: E501, PCH001 ---  #~ 51
            """,
        ),
        Example(
            "reasons",
            """
            resolve_model(call_class="utility")  # noqa: PCH001 until the migration
            resolve_model(call_class="utility")  # noqa: PCH001  # until the migration
            resolve_model(call_class="utility")  # pleach: ignore[callclass-value] #123
            """,
        ),
        Example(
            "another comment is no reason",
            """
            resolve_model(call_class="utility")  # noqa: PCH001  # type: ignore[arg-type]  #~ 38
            """,
        ),
        Example(
            "of other tools",
            """
            import os  # noqa: F401
            """,
        ),
    )
