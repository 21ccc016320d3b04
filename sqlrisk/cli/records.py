"""``sqlrisk records``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import GUARDS, INTERNAL, TABLE, options, run, source


@click.command("records")
@source
@options(TABLE, GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Write risks into the warehouse."""
    return run("records", source, policy, release, values, doing="measuring the release")
