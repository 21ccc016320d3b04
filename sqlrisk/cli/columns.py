"""``sqlrisk columns``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import GUARDS, INTERNAL, TABLE, options, run, source


@click.command("columns")
@source
@options(TABLE, GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """What each column looks like, and which could identify people."""
    return run("columns", source, policy, release, values, doing="measuring the release")
