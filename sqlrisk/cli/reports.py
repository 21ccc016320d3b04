"""Where a check writes its results: the folder of ``--reports``."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlrisk.cli.options import write_file
from sqlrisk.errors import RequestError, SqlriskError


class Reports:
    """Writes the result of each policy as soon as it is known. What cannot be written is an error of that policy alone.

    :class:`RequestError` where the folder can be neither made nor written.
    """

    def __init__(self, tasks: Sequence[Any], folder: str | None, public: bool) -> None:
        self._folder, self._public = Path(folder) if folder is not None else None, public
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass
        except (OSError, ValueError) as problem:
            told = getattr(problem, "strerror", None) or "it is no path"
            raise RequestError(f"--reports: {folder} cannot be written ({told})", "choose another folder") from None
        self._names = _file_names([task.name for task in tasks])

    @property
    def files(self) -> dict[str, str | None]:
        """What it may write, by what to call it in an error."""
        if self._folder is None:
            return {}
        endings = [".html"] if self._public else [".html", ".json"]
        paths = [self._folder / f"{name}{ending}" for name in self._names.values() for ending in endings]
        return {f"--reports ({path.name})": str(path) for path in paths}

    def write(self, task: Any, outcome: Any) -> Any:
        """The outcome, with an error where its report could not be written."""
        from sqlrisk.report import render

        if outcome.result is None or self._folder is None:
            return outcome
        stem, public = str(self._folder / self._names[outcome.name]), self._public or outcome.public
        try:
            if not public:  # the document holds every figure
                write_file(f"{stem}.json", outcome.result.to_json())
            write_file(f"{stem}.html", render(outcome.result, "html", public=public))
        except SqlriskError as problem:
            told = f"{outcome.error}; {problem}" if outcome.error else str(problem)
            return replace(outcome, error=told, exit_code=problem.exit_code)
        return outcome


def _file_names(names: Sequence[str]) -> dict[str, str]:
    """A file name for each name; of names that would share one, each gets a few digits of its own."""
    plain = {name: re.sub(r"[^\w.-]+", "_", name).strip(".")[:100] or "policy" for name in names}
    twins = [stem.lower() for stem in plain.values()]
    return {name: stem if twins.count(stem.lower()) == 1 else f"{stem}-{_digits(name)}" for name, stem in plain.items()}


def _digits(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "backslashreplace")).hexdigest()[:8]
