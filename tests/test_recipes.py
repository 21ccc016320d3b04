"""The recipes of docs/how-to/check-on-a-schedule.md: what the schedulers would run is run here, with bash in their place."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.test_docs import examples, read, run

PAGE = "docs/how-to/check-on-a-schedule.md"
BIN = str(Path(sys.executable).parent)


def block(mark: str) -> str:
    (code,) = re.findall(rf"^<!-- {mark} -->\n```\w+\n(.*?)^```", read(PAGE), re.DOTALL | re.MULTILINE)
    return code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the page's first examples were run."""
    if shutil.which("sqlrisk", path=BIN) is None or shutil.which("bash") is None:
        pytest.skip("the recipes need bash, and sqlrisk installed beside this Python")
    release = tmp_path / "release"
    release.mkdir()
    for example in examples(PAGE):
        run(example, release, {})
    return release


def shell(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess:
    bare = {"PATH": os.pathsep.join([BIN, "/usr/bin", "/bin"]), "HOME": str(folder.parent), **environment}
    return subprocess.run(command, cwd=folder, env=bare, capture_output=True, text=True, timeout=120, check=False)


def with_a_rise(folder: Path) -> None:
    """Somebody is alone now."""
    (folder / "visits.csv").write_text((folder / "visits.csv").read_text() + "M,90,02142\n")


def test_cron(folder: Path):
    mail, line = block("cron").strip().splitlines()
    assert mail.startswith("MAILTO=")
    command = line.split(None, 5)[5]
    assert "%" not in command  # cron would read it as a line break
    done = shell(["/bin/sh", "-c", command], folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(path.name for path in (folder / "reports").iterdir()) == ["visits.html", "visits.json"]
    with_a_rise(folder)
    assert shell(["/bin/sh", "-c", command], folder).stdout == "sqlrisk: exit code 1, see reports/\n"


def test_the_ci_job(folder: Path):
    job = yaml.safe_load(block("ci"))["jobs"]["risk"]
    steps = [step for step in job["steps"] if "run" in step]
    assert [step["name"] for step in steps] == ["Install", "What would be sent", "Check", "Summary"]
    summary = folder.parent / "summary.md"

    def steps_end_with() -> list[int]:
        codes = []
        for step in steps[1:]:
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            codes.append(shell(command, folder, GITHUB_STEP_SUMMARY=str(summary)).returncode)
        return codes

    assert steps_end_with() == [0, 0, 0]
    assert "visits" in summary.read_text() and "INTERNAL" not in summary.read_text()
    assert [path.name for path in (folder / "reports").iterdir()] == ["visits.html"]
    with_a_rise(folder)
    assert steps_end_with() == [0, 1, 0]


def test_airflow(folder: Path):
    (call,) = [node for node in ast.walk(ast.parse(block("airflow"))) if isinstance(node, ast.Call) and node.keywords]
    given = {item.arg: item.value for item in call.keywords}
    command = ast.literal_eval(given["bash_command"])
    variables = ast.literal_eval(given["env"])
    assert shell(["bash", "-c", command], folder, **dict.fromkeys(variables, "visits.csv")).returncode == 0
    with_a_rise(folder)
    assert shell(["bash", "-c", command], folder, **dict.fromkeys(variables, "visits.csv")).returncode == 1
