"""``sqlrisk columns``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import GUARDS, INTERNAL, TABLE, UNPARSEABLE, options, run, source

_OWN = [
    click.option(
        "--safe-harbor",
        is_flag=True,
        default=None,
        help="The column check of HIPAA's Safe Harbor too. It measures no risk.",
    ),
    click.option(
        "--zip3", metavar="FILE", help="The people of each three-digit ZIP area, for that check: a CSV, zip3,people."
    ),
]


@click.command("columns")
@source
@options(TABLE, [UNPARSEABLE], _OWN, GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Look at each column by itself: which could be direct identifiers, quasi-identifiers or sensitive.

    SOURCE and the options of the release are those of `sqlrisk assess`. Without -q it is every column. Hints are hints:
    what an attacker can know, no program knows.
    """
    return run("columns", source, policy, release, values, doing="looking at the columns")
