"""Virtual environments for what cannot share one with sqlrisk: made once a machine, and kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from . import EngineMissing


def folder_of(name: str, variable: str) -> Path:
    """The folder of the environment called ``name``, there or not; the environment variable names another."""
    given = os.environ.get(variable)
    if given:
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "sqlrisk-tests" / name


def python_of(folder: Path) -> Path:
    """Its interpreter."""
    return folder / "bin" / "python"


def create(folder: Path, packages: Sequence[str], finish: Callable[[Path], None] = lambda _: None) -> Path:
    """Make the environment if it is not there; ``finish`` gets its folder before it takes its place."""
    if python_of(folder).exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Built under another name first, so that an interrupted install, or a second test process, leaves no half of one.
    # Scripts name their interpreter by its full path, which the folder is about to leave.
    building = Path(tempfile.mkdtemp(prefix=folder.name + "-", dir=folder.parent))
    try:
        venv.create(building, with_pip=True)
        install = [str(python_of(building)), "-m", "pip", "install", "--quiet", *packages]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            raise EngineMissing(f"pip could not install {' '.join(packages)}: {done.stderr.strip()[-2000:]}")
        finish(building)
        with contextlib.suppress(OSError):  # another process was first: its environment is as good
            building.rename(folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return folder
