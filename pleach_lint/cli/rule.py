"""`pleach-lint rule`: explain rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from pleach_lint.cli.completing import rules
from pleach_lint.nearest import suggestion
from pleach_lint.rule_pages import as_markdown, as_object, as_text
from pleach_lint.rules import all_rules

if TYPE_CHECKING:
    from pleach_lint.rule import Rule


@click.command("rule")
@click.argument("name", required=False, metavar="[CODE|SLUG]", shell_complete=rules)
@click.option("--all", "everything", is_flag=True, help="Explain every rule.")
@click.option("--output-format", type=click.Choice(["text", "json", "markdown"]), default="text", help="How to write.")
def command(name: str | None, *, everything: bool, output_format: str) -> None:
    """Explain one rule, or all; without arguments, list them."""
    if name is not None and everything:
        raise click.UsageError("give one rule or --all, not both")
    if name is None and not everything and output_format == "text":
        width = max(len(rule.slug) for rule in all_rules())
        click.echo("\n".join(f"{rule.code}  {rule.slug:<{width}}  {rule.summary()}" for rule in all_rules()))
        return
    chosen = all_rules() if name is None else (_named(name),)
    if output_format == "json":
        objects = [as_object(rule) for rule in chosen]
        click.echo(json.dumps(objects if name is None else objects[0], indent=2))
    else:
        page = as_text if output_format == "text" else as_markdown
        click.echo("\n".join(page(rule) for rule in chosen), nl=False)


def _named(name: str) -> type[Rule]:
    """Find a rule by its code or slug.

    Raises:
        click.UsageError: if no rule is called so.
    """
    found = next((rule for rule in all_rules() if name in {rule.code, rule.slug}), None)
    if found is None:
        names = [called for rule in all_rules() for called in (rule.code, rule.slug)]
        raise click.UsageError(f"no rule is called `{name}`{suggestion(name, names)}")
    return found
