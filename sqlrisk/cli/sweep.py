"""``sqlrisk sweep``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import GUARDS, INTERNAL, TABLE, options, run, source


@click.command("sweep")
@source
@options(TABLE, GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Measure every subset of the quasi-identifiers, up to a size."""
    return run("sweep", source, policy, release, values, doing="measuring the release")
