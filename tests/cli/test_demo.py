"""`sqlrisk demo`: the whole job without a database, a file or a network."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sqlrisk
from tests.cli.conftest import Run, check_one_line


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path, float]:
    """One run in an empty folder, and how long it took."""
    folder = tmp_path_factory.mktemp("demo")
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "sqlrisk", "demo"],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return Run(done.returncode, done.stdout, done.stderr), folder, time.monotonic() - started


def test_it_ends_well_and_soon(demo):
    done, _, seconds = demo
    assert (done.code, done.err) == (0, "")
    assert seconds < 20  # ten on a machine that does nothing else


def test_it_fails_first_and_passes_then(demo):
    text = demo[0].out
    first, second = text.index("1. The release as it is"), text.index("2. The same release, generalised")
    assert "FAIL" in text[first:second]
    assert "PASS" in text[second:]
    assert "FAIL" not in text[second:]


def test_it_says_what_every_report_says(demo):
    text = " ".join(demo[0].out.split())
    for sentence in ("INTERNAL", "classes smaller than 11", "random sample", "member register", "2025-12-31"):
        assert sentence in text, sentence


def test_it_writes_one_page(demo):
    done, folder, _ = demo
    assert os.listdir(folder) == ["sqlrisk-demo.html"]
    page = (folder / "sqlrisk-demo.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "The release as it is" in page and "generalised" in page
    assert "http://" not in page.replace("http://www.w3.org/", "") and "<script" not in page
    assert "sqlrisk-demo.html" in done.out


def test_the_same_seed_gives_the_same_figures(run, demo, tmp_path: Path):
    output = tmp_path / "other.html"
    again = run("demo", "--output", output, "--no-progress")
    assert again.code == 0 and output.exists()
    assert _figures(again.out) == _figures(demo[0].out)
    other = run("demo", "--output", output, "--no-progress", "--seed", 2)
    assert other.code == 0
    assert _figures(other.out) != _figures(demo[0].out)


def _figures(text: str) -> list[str]:
    # Lines with the time that the run took, and the name of the page, differ.
    return [line for line in text.splitlines() if "second" not in line and ".html" not in line and "UTC" not in line]


def test_the_release_is_realistic():
    failing, passing = sqlrisk.demo()
    assert 45_000 < failing.release.records < 55_000
    assert failing.release.entities < failing.release.records / 2
    assert failing.population.size == 500_000
    assert failing.population.not_in_population.records == 0
    assert failing.exit_code == 1 and passing.exit_code == 0
    assert failing.verdict.passed is False and passing.verdict.passed is True


def test_other_seeds_still_fail_and_pass():
    failing, passing = sqlrisk.demo(7)
    assert (failing.exit_code, passing.exit_code) == (1, 0)


@pytest.mark.parametrize("seed", ["x", "1.5", ""])
def test_a_seed_is_a_whole_number(refused, seed: str, tmp_path: Path):
    assert "--seed" in refused(2, "demo", "--seed", seed, "--output", tmp_path / "page.html")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("seed", [-1, 2**40, -(2**63), 2**63 - 1])
def test_any_seed_will_do(run, seed: int, tmp_path: Path):
    assert run("demo", "--seed", seed, "--output", tmp_path / "page.html", "--no-progress").code == 0


@pytest.mark.parametrize("seed", [2**63, 10**30])
def test_a_seed_beyond_the_integers_is_one_line(run, seed: int, tmp_path: Path):
    done = run("demo", "--seed", seed, "--output", tmp_path / "page.html", "--no-progress")
    if done.code:
        check_one_line(done, 2)


def test_an_output_that_cannot_be_written(refused, tmp_path: Path):
    started = time.monotonic()
    assert "cannot be written" in refused(2, "demo", "--output", tmp_path / "nowhere" / "page.html")
    assert time.monotonic() - started < 2, "refused before anything is made"
