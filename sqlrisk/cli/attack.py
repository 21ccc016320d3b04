"""``sqlrisk attack``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import (
    GUARDS,
    INTERNAL,
    MATCHING,
    POPULATION,
    REGISTER,
    TABLE,
    THRESHOLD,
    options,
    run,
    source,
)

_OWN = [
    click.option("--targets", metavar="N", help="How many people are attacked, drawn by the seed. Default: 1000."),
    click.option(
        "--known",
        metavar="M",
        help="How many quasi-identifiers are known beside --known-columns, drawn anew for each target. Default: all.",
    ),
    click.option("--known-columns", metavar="COLUMN,...", help="Quasi-identifiers that are known of every target."),
    click.option(
        "--worst",
        is_flag=True,
        default=None,
        help="With --known: the choice of columns that leaves most records alone.",
    ),
    click.option(
        "--tolerance",
        multiple=True,
        metavar="COLUMN=DISTANCE",
        help="How far a match may be off: age=2, admitted=30 days, zip=prefix 3. Repeatable.",
    ),
    click.option(
        "--noise",
        multiple=True,
        metavar="COLUMN=PROBABILITY",
        help="How probable it is that somebody else's value is believed. Repeatable.",
    ),
    click.option("--truth-id", metavar="COLUMN", help="Who a record is, in the release and in the register."),
    click.option("--points", metavar="COLUMN,...", help="Longitudinal data, with --entity-id: the columns of a point."),
    click.option("--max-points", metavar="P", help="The most points that are known of a person. Default: 4."),
    click.option(
        "--coarser",
        multiple=True,
        metavar="COLUMN:GENERALISATION,...",
        help="Points made coarser, to be compared with. Repeatable.",
    ),
]


@click.command("attack")
@source
@options(TABLE, MATCHING, _OWN, REGISTER, POPULATION, [THRESHOLD], GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Simulate an attacker who matches what they know of people with the release.

    Targets are drawn from a register (--population-table), or from the release itself. With --points, people have several
    rows, and an attacker knows a few of them. SOURCE and the options of the release are those of `sqlrisk assess`. No
    limit is judged.
    """
    return run("attack", source, policy, release, values, doing="attacking the release")
