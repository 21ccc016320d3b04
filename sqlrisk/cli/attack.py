"""``sqlrisk attack``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import GUARDS, INTERNAL, TABLE, options, run, source


@click.command("attack")
@source
@options(TABLE, GUARDS, INTERNAL)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Simulate matching attacks."""
    return run("attack", source, policy, release, values, doing="measuring the release")
