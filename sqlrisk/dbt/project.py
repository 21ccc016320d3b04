"""A dbt project as its files say it: where it is, where its models and its target are, which profile it has."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sqlrisk.errors import RequestError

PROJECT_FILE = "dbt_project.yml"
PACKAGE = "sqlrisk"  # the dbt package's own name, under which its variables may stand
_DECLARING = (".sql", ".py", ".yml", ".yaml")
_LARGEST_FILE = 10_000_000


@dataclass(frozen=True)
class Project:
    """A folder with a ``dbt_project.yml``, and what that file says."""

    folder: Path
    values: Mapping[str, Any]

    @classmethod
    def find(cls, folder: str | Path | None = None) -> Project:
        """The project in ``folder``; without one, in the working folder or the nearest above it, as dbt looks for it."""
        if folder is not None:
            found = Path(folder)
            if not (found / PROJECT_FILE).is_file():
                raise RequestError(
                    f"{found} is no dbt project: it has no {PROJECT_FILE}", "name one with --project-dir"
                )
        else:
            here = Path.cwd()
            candidates = [path for path in (here, *here.parents) if (path / PROJECT_FILE).is_file()]
            if not candidates:
                raise RequestError(
                    f"this is no dbt project: there is no {PROJECT_FILE} here or above",
                    "go to its folder, or name it with --project-dir",
                )
            found = candidates[0]
        found = found.resolve()
        return cls(found, read_mapping(found / PROJECT_FILE))

    @property
    def name(self) -> str:
        """The project's name."""
        return str(self.values.get("name") or "")

    @property
    def target(self) -> Path:
        """Where dbt puts what it writes."""
        return self.folder / (os.environ.get("DBT_TARGET_PATH") or str(self.values.get("target-path") or "target"))

    def declaring_files(self) -> list[Path]:
        """The files that models and their declarations stand in."""
        paths = self.values.get("model-paths") or ["models"]
        folders = [self.folder / str(path) for path in (paths if isinstance(paths, list) else [paths])]
        found = [file for folder in folders for file in folder.rglob("*") if file.suffix in _DECLARING]
        return [self.folder / PROJECT_FILE, *sorted(file for file in found if file.is_file())]

    def variable(self, name: str) -> Any:
        """A variable of the project's ``vars``: the package's own value, else the project's, else the global one."""
        given = self.values.get("vars")
        given = given if isinstance(given, Mapping) else {}
        for section in (given.get(PACKAGE), given.get(self.name), given):
            if isinstance(section, Mapping) and name in section:
                return section[name]
        return None


def read_mapping(file: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping. Its text is never repeated in an error: it can hold passwords."""
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise RequestError(f"{file} is larger than any {file.name}", "check the file")
        value = yaml.safe_load(file.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise RequestError(f"{file} is not UTF-8 text", "save it as UTF-8") from None
    except OSError as problem:
        raise RequestError(f"{file} cannot be read ({problem.strerror})", "check its permissions") from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f"{file}, line {mark.line + 1}" if mark else str(file)
        raise RequestError(f"{where}: not valid YAML", "run `dbt parse`, which says what is wrong") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RequestError(f"{file} is not a mapping", "run `dbt parse`, which says what is wrong")
    return value
