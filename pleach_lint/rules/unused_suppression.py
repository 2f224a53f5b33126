"""PCH900 unused-suppression: a comment, or an entry of `per-file-ignores`, that hides nothing."""

from __future__ import annotations

from typing import ClassVar

from pleach_lint.rule import Example, Rule


class UnusedSuppression(Rule):
    """A suppression of one of our rules hides nothing.

    It says that the line leaks, and would hide the next leak that comes there. That holds for `noqa` and
    `pleach: ignore[...]`, name by name, and for an entry of `per-file-ignores` in a configuration file, which is judged
    when the whole project is checked.

    Codes of other tools are none of our business, nor are rules that are switched off. The comment in question cannot
    hide this finding; another one can.

    Source: the contract of suppressions: they are kept honest.
    """

    code = "PCH900"
    slug = "unused-suppression"
    judges_comments = True
    way_out = "remove it"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            "a repaired line",
            """
            resolve_model(seam)  # noqa: PCH001 - until the migration  #~ 22
            """,
            fixed="""
            resolve_model(seam)
            """,
        ),
        Example(
            "one that is needed",
            """
            resolve_model(call_class="utility")  # noqa: PCH001 - until the migration
            """,
        ),
        Example(
            "one of two codes, beside one of another tool",
            """
            resolve_model(call_class="utility")  # noqa: E501, PCH002, PCH001  #~ 38
            """,
            fixed="""
            resolve_model(call_class="utility")  # noqa: E501, PCH001
            """,
        ),
        Example(
            "alone on a line, and for a whole file",
            """
            # pleach: ignore-file[callclass-text] generated  #~ 1
            x = 1

            # pleach: ignore[callclass-value] see above  #~ 1
            resolve_model(seam)
            """,
            fixed="""
            x = 1

            resolve_model(seam)
            """,
        ),
        Example(
            "a code that no rule has",
            """
            x = 1  # type: ignore  # noqa: PCH777  #~ 24
            """,
            fixed="""
            x = 1  # type: ignore
            """,
        ),
        Example(
            "on the wrong row of a call",
            """
            resolve_model(
                call_class="utility",  # noqa: PCH001
            )  # noqa: PCH001  #~ 4
            """,
            fixed="""
            resolve_model(
                call_class="utility",  # noqa: PCH001
            )
            """,
        ),
        Example(
            "of other tools, bare, or in a string",
            '''
            import os  # noqa: F401
            import sys  # noqa
            print("# noqa: PCH001", """
            # pleach: ignore[PCH001]
            """)
            ''',
        ),
        Example(
            "one that hides this very rule, in another comment",
            """
            # pleach: ignore[PCH900] kept for the template
            x = 1  # noqa: PCH001
            """,
        ),
    )
