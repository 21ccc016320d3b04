"""``sqlrisk report``: any saved result in any format, records verified, and everything else refused in one line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import sqlrisk
from sqlrisk.report import FORMATS
from sqlrisk.report.load import load
from sqlrisk.result import SCHEMA_VERSION

SAVED = Path(__file__).parents[1] / "unit" / "results"
OLD = sorted(SAVED.glob("*.json"))
RELEASE = "sex,age\n" + "F,31\n" * 6 + "M,42\n" * 3


@pytest.fixture
def saved(run, tmp_path) -> Path:
    (tmp_path / "release.csv").write_text(RELEASE)
    options = ("-q", "sex", "-q", "age", "--min-k", "5", "--save", tmp_path / "result.json", "--quiet")
    assert run("assess", tmp_path / "release.csv", *options).code == 1
    return tmp_path / "result.json"


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_results_of_earlier_versions_load_and_render(run, file, tmp_path):
    """Made by the commits 56cb06a, 203d32b, 55a4382 and 04c4d50."""
    for format in FORMATS:
        done = run("report", file, "--format", format)
        assert (done.code, done.err) == (0, ""), format
        assert done.out
        if format not in ("json", "sdp-json"):
            assert run("report", file, "--format", format, "--public").code == 0
    record = tmp_path / "record.md"
    assert run("report", file, "--format", "agreement", "--output", record).code == 0
    assert run("report", file, "--verify", record).code == 0
    assert "- Recipient: not stated" in record.read_text()


def test_there_are_results_of_earlier_versions():
    assert [file.stem for file in OLD] == ["before-estimates", "estimates", "first", "sensitive"]
    assert [check.direction for check in load(SAVED / "first.json").verdict.checks] == ["max", "min"]


def test_a_saved_result_gives_the_report_of_its_run(run, saved, tmp_path):
    live = run("assess", tmp_path / "release.csv", "-q", "sex", "-q", "age", "--min-k", "5")
    again = run("report", saved)
    assert again.code == 0  # rendering judges nothing
    assert again.out.rpartition("\n\n")[0] == live.out.rpartition("\n\n")[0]
    assert json.loads(run("report", saved, "--format", "json").out) == json.loads(saved.read_text())


def test_standard_input_and_output_files(run, saved, tmp_path, monkeypatch):
    expected = run("report", saved, "--format", "markdown").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(saved.read_bytes())))
    done = run("report", "-", "--format", "markdown", "--output", tmp_path / "report.md")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "report.md").read_text() == expected


def test_an_agreement_in_a_json_file_is_data_alone(run, saved, tmp_path):
    assert run("report", saved, "--format", "agreement", "--output", tmp_path / "record.json").code == 0
    assert json.loads((tmp_path / "record.json").read_text())["schema"] == "sqlrisk-agreement-1"
    assert run("report", saved, "--verify", tmp_path / "record.json").code == 0


def test_verify_tells_what_differs(run, saved, tmp_path):
    record = tmp_path / "record.md"
    run("report", saved, "--format", "agreement", "--output", record)
    done = run("report", saved, "--verify", record)
    assert done.code == 0
    assert done.out.startswith("matches: ")
    saved.write_text(json.dumps(json.loads(saved.read_text())))  # laid out otherwise
    assert run("report", saved, "--verify", record).code == 0
    document = json.loads(saved.read_text())
    document["smallest_class"] = 5
    saved.write_text(json.dumps(document))
    done = run("report", saved, "--verify", record)
    assert done.code == 1
    assert "fingerprint" in done.out
    assert "release.smallest_class: the record says 3, the result 5" in done.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not JSON"),
        ("not json", "line 1 is not JSON"),
        ('{"a": NaN}', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "holds a list"),
        ("3", "is no result of sqlrisk"),
        ("{}", "it has no schema_version"),
        ('{"schema_version": true}', "it has no schema_version"),
        (f'{{"schema_version": {SCHEMA_VERSION + 1}}}', "made by a newer sqlrisk"),
        ('{"schema_version": 0}', "no schema of version 0"),
        ('{"schema_version": 1}', "`sqlrisk_version` is missing"),
    ],
)
def test_what_is_no_result(refused, tmp_path, text, said):
    (tmp_path / "x.json").write_text(text)
    assert said in refused(2, "report", tmp_path / "x.json")


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("release", "records"), "Smith", "`release.records` is not as sqlrisk writes it"),
        (("release", "records"), None, "`release.records` is not as sqlrisk writes it"),
        (("class_sizes",), [[-1, 2]], "no valid result"),
        (("class_sizes",), "Smith", "no valid result"),
        (("verdict", "checks"), {"Smith": 1}, "`verdict.checks` is not as sqlrisk writes it"),
        (("verdict", "checks"), [3], "`verdict.checks.0` is not as sqlrisk writes it"),
        (("brand_new",), 1, "holds `brand_new`, which this sqlrisk does not know"),
        (("started_at",), "Smith", "`started_at` is not as sqlrisk writes it"),
    ],
)
def test_what_is_wrong_is_named_and_no_value_is_shown(refused, saved, path, value, said):
    document = json.loads(saved.read_text())
    part = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    saved.write_text(json.dumps(document))
    line = refused(2, "report", saved)
    assert said in line
    assert "Smith" not in line


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--format", "pdf"), "there is no format `pdf`"),
        (("--format", "markdwon"), "did you mean `markdown`?"),
        (("--format", "json", "--public"), "json holds every figure"),
        (("--verify", "record.md", "--format", "text"), "--verify renders nothing"),
        (("--verify", "nowhere.md"), "there is no file nowhere.md"),
        (("--output", "/nowhere/x"), "cannot be written"),
    ],
)
def test_what_is_asked_wrongly(refused, saved, options, said):
    assert said in refused(2, "report", saved, *options)


def test_files_that_are_not_there_or_are_needed(refused, saved, tmp_path):
    assert "there is no file" in refused(2, "report", tmp_path / "nothing.json")
    assert "cannot be read" in refused(2, "report", tmp_path)
    assert "would be overwritten" in refused(2, "report", saved, "--output", saved)
    assert "is no agreement record" in refused(2, "report", saved, "--verify", saved)
    (tmp_path / "latin.json").write_bytes(b"\xff\xfe\xfa")
    assert "is not UTF-8" in refused(2, "report", tmp_path / "latin.json")
    (tmp_path / "cut.json").write_text(saved.read_text()[:200])
    assert "is not JSON" in refused(2, "report", tmp_path / "cut.json")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["release", "records"], 0),
        (["seconds"], "infinity"),
        (["seconds"], 1e308),
        (["verdict", "passed"], True),
        (["context", "adjusted", 0, "attempt"], "x"),
        (["context", "adjusted", 0, "attacker"], ""),
        (["context", "attempts", 0, "prevalence"], 1e30),
        (["attackers", "prosecutor", "share_at_risk"], "infinity"),
    ],
)
def test_edited_figures_end_in_one_line(run, tmp_path, path, value):
    """A result that somebody edited is shown, or refused by name; it is never a mistake of ours."""
    result = sqlrisk.estimate(
        {1: 3, 2: 4}, population_size=100, context={"prevalence": 0.1, "justification": "x"}, min_k=5
    ).to_dict()
    *parents, last = path
    part = result
    for key in parents:
        part = part[key]
    part[last] = value
    (tmp_path / "r.json").write_text(json.dumps(result))
    for format in ("text", "markdown", "html", "junit", "agreement", "sdp-json"):
        for public in ([], ["--public"]):
            done = run("report", tmp_path / "r.json", "--format", format, *public)
            assert done.code in (0, 2) and "a mistake in sqlrisk" not in done.err, (format, done.err)
            assert done.code == 0 or done.err.count("\n") == 1
    if path == ["verdict", "passed"]:
        assert "its verdict is not that of its limits" in run("report", tmp_path / "r.json").err
