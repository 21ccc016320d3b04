"""dbt (PyPI `dbt-core`) in an environment of its own: sqlrisk never depends on it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import venv
from pathlib import Path

from . import EngineMissing

VERSION = "1.11"
_PROGRAM = """#!/bin/sh
exec "$(dirname "$0")/python" -W ignore -c "from dbt.cli.main import cli; cli()" "$@"
"""
_PACKAGES = [f"dbt-core=={VERSION}.*", "dbt-duckdb", "dbt-postgres"]


def environment() -> Path:
    """The folder of dbt's own virtual environment, there or not."""
    given = os.environ.get("SQLRISK_TEST_DBT_VENV")
    if given:
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "sqlrisk-tests" / f"dbt-{VERSION}"


def create_environment() -> Path:
    """Make the environment if it is not there: some 40 s and 300 MB."""
    folder = environment()
    if (folder / "bin" / "python").exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Built under another name first, so that an interrupted install, or a second test process, leaves no half of one.
    building = Path(tempfile.mkdtemp(prefix=folder.name + "-", dir=folder.parent))
    try:
        venv.create(building, with_pip=True)
        install = [str(building / "bin" / "python"), "-m", "pip", "install", "--quiet", *_PACKAGES]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            raise EngineMissing(f"pip could not install {' '.join(_PACKAGES)}: {done.stderr.strip()[-2000:]}")
        # Scripts name their interpreter by its full path, which the folder is about to leave.
        program = building / "bin" / "dbt"
        program.write_text(_PROGRAM)
        program.chmod(0o755)
        with contextlib.suppress(OSError):  # another process was first: its environment is as good
            building.rename(folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder


def start() -> list[str]:
    """The command that runs dbt."""
    program = create_environment() / "bin" / "dbt"
    if not program.exists():
        raise EngineMissing(f"there is no environment for dbt in {program.parents[1]}")
    return [str(program)]
