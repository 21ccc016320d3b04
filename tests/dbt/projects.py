"""dbt projects that the tests make in a temporary folder, and run for real."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml

import sqlrisk

PACKAGE = Path(sqlrisk.__file__).parent / "dbt" / "package"


@dataclass(frozen=True)
class Ran:
    """What a run of dbt printed, its exit code, and its results by the names of the nodes."""

    code: int
    output: str
    results: dict[str, dict[str, Any]]


class Project:
    """A dbt project that uses the package."""

    def __init__(self, folder: Path, dbt: list[str], output: Mapping[str, Any]) -> None:
        self.folder, self.dbt = folder, dbt
        (folder / "models").mkdir(parents=True)
        self.write(
            "dbt_project.yml",
            {
                "name": "shop",
                "version": "1.0",
                "config-version": 2,
                "profile": "shop",
                "flags": {"send_anonymous_usage_stats": False},
                "tests": {"+store_failures": False},
            },
        )
        self.write("packages.yml", {"packages": [{"local": str(PACKAGE)}]})
        self.write("profiles.yml", {"shop": {"target": "dev", "outputs": {"dev": dict(output)}}})

    def write(self, name: str, content: Any) -> None:
        """A file of the project: a text, or what YAML says."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False), "utf-8")

    def run(self, *arguments: str) -> Ran:
        """Run dbt in the project."""
        done = subprocess.run(
            [*self.dbt, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "DBT_PROFILES_DIR": str(self.folder), "DBT_USE_COLORS": "0", "PYTHONWARNINGS": "ignore"},
        )
        file = self.folder / "target" / "run_results.json"
        results = json.loads(file.read_text())["results"] if file.is_file() else []
        return Ran(
            done.returncode, done.stdout + done.stderr, {item["unique_id"].split(".")[2]: item for item in results}
        )

    def install(self) -> None:
        """Install the package."""
        done = self.run("deps")
        assert done.code == 0, done.output

    def compiled(self, name: str) -> str:
        """The SQL of a compiled analysis or test."""
        (file,) = (self.folder / "target" / "compiled" / "shop").rglob(f"{name}.sql")
        return file.read_text("utf-8")


def duckdb_output(folder: Path) -> dict[str, Any]:
    """The profile's output of a DuckDB file."""
    return {"type": "duckdb", "path": str(folder / "shop.duckdb"), "schema": "main", "threads": 1}


def postgres_output(url: str, schema: str) -> dict[str, Any]:
    """The profile's output of a PostgreSQL server."""
    parts = urlsplit(url)
    return {
        "type": "postgres",
        "host": parts.hostname,
        "port": parts.port,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "dbname": parts.path.lstrip("/"),
        "schema": schema,
        "threads": 1,
    }
