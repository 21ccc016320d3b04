"""dbt (PyPI `dbt-core`) in an environment of its own: sqlrisk never depends on it."""

from __future__ import annotations

from pathlib import Path

from . import EngineMissing, environments

VERSION = "1.11"
_PROGRAM = """#!/bin/sh
exec "$(dirname "$0")/python" -W ignore -c "from dbt.cli.main import cli; cli()" "$@"
"""
_PACKAGES = [f"dbt-core=={VERSION}.*", "dbt-duckdb", "dbt-postgres"]


def environment() -> Path:
    """The folder of dbt's own virtual environment, there or not."""
    return environments.folder_of(f"dbt-{VERSION}", "SQLRISK_TEST_DBT_VENV")


def create_environment() -> Path:
    """Make the environment if it is not there: some 40 s and 300 MB."""
    return environments.create(environment(), _PACKAGES, _write_program)


def _write_program(folder: Path) -> None:
    program = folder / "bin" / "dbt"
    program.write_text(_PROGRAM)
    program.chmod(0o755)


def start() -> list[str]:
    """The command that runs dbt."""
    program = create_environment() / "bin" / "dbt"
    if not program.exists():
        raise EngineMissing(f"there is no environment for dbt in {program.parents[1]}")
    return [str(program)]
