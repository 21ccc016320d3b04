"""``sqlrisk sql``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli import say
from sqlrisk.cli.options import GUARDS, RELEASE, given, options, source, spell
from sqlrisk.errors import one_line


@click.command("sql")
@source
@options(RELEASE, GUARDS)
@click.option("--dialect", metavar="NAME", help="duckdb, postgres, bigquery or spark. Default: the SOURCE's.")
@click.option("--preview", is_flag=True, help="Ask the engine what the statement would cost (PostgreSQL, BigQuery).")
def command(
    source: str | None, policy: str | None, release: str | None, dialect: str | None, preview: bool, **values: Any
) -> int:
    """Print the SQL that an assessment would send, in any dialect, sending nothing.

    With a URL or a --dialect, types are not looked up: each column is taken as its generalisation wants it. Files are
    looked at, and --preview looks columns up and asks the engine for the cost.
    """
    from sqlrisk.api import build_policy, written

    built, _ = build_policy(policy, given(values), spell, release)
    statement = written(built, source, dialect, preview)
    for note in statement.notes:
        say(f"-- {one_line(note)}")
    say(f"{statement.sql};")
    if statement.preview is not None:
        click.echo(f"sqlrisk: {statement.preview}", err=True)
    return 0
