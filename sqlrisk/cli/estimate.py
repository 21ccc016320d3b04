"""``sqlrisk estimate``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import JUDGEMENT, POLICY, POPULATION, REPORT, check_output, deliver, given, options, spell


@click.command("estimate")
@click.argument("histogram", metavar="HISTOGRAM")
@options(POLICY, POPULATION, JUDGEMENT, REPORT)
def command(histogram: str, policy: str | None, release: str | None, **values: Any) -> int:
    """Everything that needs only the class sizes, without a database.

    HISTOGRAM is the CSV that `assess --histogram` writes (class_size,classes), JSON ([[1, 500], [2, 150]] or a saved
    result), or - for stdin.
    """
    from sqlrisk.api import build_policy

    built, _ = build_policy(policy, given(values), spell, release)
    check_output(built, [path for path in (histogram, policy) if path is not None])
    from sqlrisk.assessment.estimate import estimate_histogram

    return deliver(estimate_histogram(built, histogram), built)
