"""``sqlrisk sweep``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import GUARDS, INTERNAL, MATCHING, POPULATION, TABLE, THRESHOLD, options, run, source

_OWN = [
    click.option(
        "--max-known",
        metavar="M",
        help="The most quasi-identifiers that an attacker knows. Default: all of them, up to 12.",
    ),
    click.option(
        "--minimal-uniques",
        is_flag=True,
        default=None,
        help="Find the minimal sample uniques too, and score the records (SUDA2, DIS-SUDA).",
    ),
]


@click.command("sweep")
@source
@options(TABLE, MATCHING, _OWN, [THRESHOLD], POPULATION, GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Measure every subset of the quasi-identifiers up to a size: how risk grows with what the attacker knows.

    SOURCE and the options of the release are those of `sqlrisk assess`. No limit is judged.
    """
    return run("sweep", source, policy, release, values, doing="measuring the subsets")
