"""``sqlrisk recommend``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import GUARDS, INTERNAL, TABLE, options, run, source


@click.command("recommend")
@source
@options(TABLE, GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Find the least generalisation that brings the release under its limits."""
    return run("recommend", source, policy, release, values, doing="measuring the release")
