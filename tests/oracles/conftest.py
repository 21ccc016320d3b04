"""Finds the oracles: figures measured with other tools, kept outside the repository. Without them the tests skip."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


class Oracles:
    """The folder of oracle files, read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, object] = {}

    def load(self, name: str):
        """The JSON document ``name``; skips when it is not there."""
        if name not in self._read:
            path = self.folder / name
            if not path.is_file():
                pytest.skip(f"there is no oracle {path}")
            self._read[name] = json.loads(path.read_text("utf-8"))
        return self._read[name]

    def data(self, name: str) -> Path:
        """The path of the data file ``name``; skips when it is not there."""
        path = self.folder / "data" / name
        if not path.is_file():
            pytest.skip(f"there is no oracle data {path}")
        return path


def find_folder() -> Path | None:
    """``$SQLRISK_ORACLES``, else ``shared/oracles`` beside the repository or beside one of its parents."""
    named = os.environ.get("SQLRISK_ORACLES")
    if named:
        return Path(named) if Path(named).is_dir() else None
    beside = [parent / "shared" / "oracles" for parent in REPOSITORY.parents[:4]]
    return next((folder for folder in beside if folder.is_dir()), None)


@pytest.fixture(scope="session")
def oracles() -> Oracles:
    folder = find_folder()
    if folder is None:
        pytest.skip("no oracle folder: set SQLRISK_ORACLES, or put it at ../shared/oracles beside the repository")
    return Oracles(folder)
