"""``sqlrisk history``: what it shows, of which runs, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sqlrisk
from sqlrisk.history.store import History, Run, new_run_id
from tests.cli import conftest

START = datetime(2026, 1, 1, 4, 15, tzinfo=UTC)
RISK = "attackers.prosecutor.average_risk"


def recorded(day: int, policy: str = "claims", error: str | None = None, **options) -> Run:
    """A run of a release of 100 records and one unique a day, or one that failed."""
    started = START + timedelta(days=day)
    found = {"id": new_run_id(started), "policy": policy, "started_at": started, "sqlrisk_version": "0.1.0"}
    if error is not None:
        return Run(**found, exit_code=3, fingerprint=None, error=error)
    result = sqlrisk.estimate({1: day + 1, 10: 10}, **options)
    definition, fingerprint = result.policy.definition, result.policy.fingerprint
    return Run(
        **found, exit_code=result.exit_code, fingerprint=fingerprint, definition=definition, document=result.to_dict()
    )


@pytest.fixture(autouse=True)
def _no_history_of_the_user(monkeypatch):
    monkeypatch.delenv("SQLRISK_HISTORY", raising=False)


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    """Two runs of one definition, then three of another, of which the second failed; and a run of another policy."""
    limit = {"attackers": ["prosecutor"], "max_average_risk": "0.13", "justification": "agreed"}
    return [
        recorded(0, population_size=500),
        recorded(1, population_size=500),
        recorded(2, **limit),
        recorded(3, error="no connection: check the network"),
        recorded(4, **limit),
        recorded(5, "members/\x1b[31mred"),
    ]


@pytest.fixture
def file(tmp_path: Path, runs: list[Run]) -> str:
    path = str(tmp_path / "history.db")
    with History.open(path) as history:
        for run in runs:
            history.add(run)
    return path


def lines_of(text: str) -> dict[str, list[str]]:
    """The rows of aligned columns, by their first."""
    rows = [re.split(r" {3,}", line) for line in text.splitlines() if "   " in line]
    return {first: rest for first, *rest in rows}


def test_a_line_for_each_policy(run, file, runs):
    done = run("history", "--history", file)
    rows = lines_of(done.out)
    assert done.code == 0
    assert rows["claims"] == ["5", "2026-01-05 04:15", "FAILED", "▁█│▁·█ 14.3 %", "–"]
    assert rows["members/\\x1b[31mred"][:3] == ["1", "2026-01-06 04:15", "not judged"]
    assert "\x1b" not in done.out


def test_the_trend_of_a_policy(run, file, runs):
    done = run("history", "claims", "--history", file)
    rows = lines_of(done.out)
    assert done.code == 0
    assert "5 runs on record; no baseline is pinned." in done.out
    other = "another definition: population.size"
    assert [rows[item.id][1:] for item in runs[:5]] == [
        ["not judged", other],
        ["not judged", other],
        ["passed"],
        ["NOT MEASURED", "no connection: check the network"],
        ["FAILED"],
    ]
    assert rows[RISK] == ["▁█│▁·█", "12.6 %", "14.3 %", "12.6 %", "14.3 %"]
    assert rows["release.records"] == ["▁█│▁·█", "103", "105", "103", "105"]
    assert "is measured was defined anew" in done.out
    assert "· stands for a run in which the measure is not known" in done.out


def test_measures_and_the_last_runs(run, file, runs):
    done = run("history", "claims", "--history", file, "--measure", RISK, "--measure", "classes", "--limit", 1)
    rows = lines_of(done.out)
    assert "5 runs on record, the last 1 of them here" in done.out
    assert set(rows) == {"Run", runs[4].id, "Measure", RISK, "classes"}
    assert "defined anew" not in done.out


def test_a_pattern_of_names(run, file):
    done = run("history", "*m*", "--history", file)
    assert "5 runs on record" in done.out
    assert "members/\\x1b[31mred\n1 run on record" in done.out
    assert "\x1b" not in done.out


def test_json(run, file, runs):
    document = json.loads(run("history", "claims", "--history", file, "--format", "json").out)
    (policy,) = document["policies"]
    assert (policy["policy"], policy["recorded"], policy["baseline"]) == ("claims", 5, None)
    first, *_, failed, last = policy["runs"]
    assert first["run"] == runs[0].id
    assert first["changed"] == ["population.size"]
    assert last["figures"][RISK] == pytest.approx(15 / 105)
    assert (last["exit_code"], last["outcome"], last["changed"]) == (1, "FAILED", [])
    assert (failed["error"], failed["reason"]) == ("no connection: check the network", "the run measured nothing")
    assert failed["figures"] == {}


def test_json_of_all_policies(run, file, runs):
    document = json.loads(run("history", "--history", file, "--format", "json").out)
    assert [item["policy"] for item in document["policies"]] == ["claims", "members/\x1b[31mred"]
    assert document["policies"][0]["run"] == runs[4].id


def test_csv(run, file, runs):
    done = run("history", "claims", "--history", file, "--format", "csv", "--measure", RISK)
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["run"] for row in rows] == [item.id for item in runs[:5]]
    assert [row["same_definition"] for row in rows] == ["false", "false", "true", "", "true"]
    assert float(rows[4]["value"]) == 15 / 105
    assert (rows[3]["measure"], rows[3]["value"]) == ("", "")
    overview = list(csv.DictReader(io.StringIO(run("history", "--history", file, "--format", "csv").out)))
    assert [row["recorded"] for row in overview] == ["5", "1"]


def test_markdown(run, file, runs):
    done = run("history", "claims", "--history", file, "--format", "markdown")
    assert f"| {runs[4].id} | 2026-01-05 04:15 | FAILED |  |" in done.out
    assert "| attackers.prosecutor.average\\_risk | ▁█│▁·█ | 12.6 % |" in done.out
    assert "| claims | 5 |" in run("history", "--history", file, "--format", "markdown").out


def test_output_goes_to_a_file(run, file, tmp_path):
    done = run("history", "claims", "--history", file, "--output", tmp_path / "trend.txt")
    assert (done.code, done.out) == (0, "")
    assert "5 runs on record" in (tmp_path / "trend.txt").read_text()
    assert "5 runs on record" in run("history", "claims", "--history", file, "--output", "-").out


def test_colours_are_for_terminals(file):
    from sqlrisk.history.trend import trend_of
    from sqlrisk.report.trend import render, render_overview

    with History.open(file) as history:
        trends = [trend_of(history, name) for name in history.policies()]
    coloured = render_overview(trends, "text", color=True) + render(trends, [RISK], "text", color=True)
    assert "\x1b[31mFAILED\x1b[0m" in coloured
    assert "members/\x1b" not in coloured
    plain = render_overview(trends, "text") + render(trends, [RISK], "text")
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture(run, file, tmp_path, ending):
    picture = tmp_path / f"trend.{ending}"
    assert run("history", "claims", "--history", file, "--plot", picture).code == 0
    content = picture.read_bytes()
    if ending == "png":
        assert content.startswith(b"\x89PNG")
    else:
        assert ElementTree.fromstring(content).tag.endswith("svg")
    assert run("history", "claims", "--history", file, "--plot", picture).code == 0
    assert picture.read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["history.db", picture.name])


def test_a_picture_of_odd_names(run, file, tmp_path):
    picture = tmp_path / "trend.svg"
    assert run("history", "members*", "--history", file, "--plot", picture, "--measure", RISK).code == 0
    ElementTree.fromstring(picture.read_bytes())


def test_a_baseline_is_pinned_and_taken_off(run, refused, file, runs):
    done = run("history", "--history", file, "--pin", runs[2].id)
    assert (done.code, done.out) == (0, f"claims: the baseline is {runs[2].id} of 2026-01-03 04:15\n")
    shown = run("history", "claims", "--history", file).out
    assert f"the baseline is {runs[2].id} of 2026-01-03 04:15." in shown
    assert lines_of(shown)[runs[2].id][1:] == ["passed", "baseline"]
    done = run("history", "claims", "--history", file, "--unpin")
    assert (done.code, done.out) == (0, f"claims: {runs[2].id} is no longer the baseline\n")
    assert "no run of `claims` is pinned" in refused(2, "history", "claims", "--history", file, "--unpin")


def test_the_last_run_is_pinned_without_its_name(run, file, runs):
    with History.open(file) as history:
        history.add(recorded(9, error="no connection"))
    assert f"claims: the baseline is {runs[4].id}" in run("history", "claims", "--history", file, "--pin", "last").out


def test_the_place_is_taken_from_the_environment(run, file, monkeypatch):
    monkeypatch.setenv("SQLRISK_HISTORY", file)
    assert "claims" in run("history").out
    monkeypatch.setenv("FOLDER", str(Path(file).parent))
    assert "claims" in run("history", "--history", "sqlite:///${FOLDER}/history.db").out


def test_a_history_without_runs(run, refused, tmp_path):
    path = str(tmp_path / "history.db")
    History.open(path).close()
    done = run("history", "--history", path)
    assert (done.code, done.out) == (0, "no run is on record yet\n")
    assert json.loads(run("history", "--history", path, "--format", "json").out) == {"policies": []}
    assert "no run of a policy `claims` is on record" in refused(2, "history", "claims", "--history", path)


def test_a_policy_that_was_never_measured(run, refused, tmp_path):
    path = str(tmp_path / "history.db")
    with History.open(path) as history:
        history.add(recorded(0, error="no connection: check\x1b[31m the network"))
    done = run("history", "claims", "--history", path)
    assert "No run here has a figure." in done.out
    assert "\x1b" not in done.out
    assert "has a figure to draw" in refused(
        2, "history", "claims", "--history", path, "--plot", tmp_path / "trend.svg"
    )
    assert run("history", "--history", path).code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["clams"], "no run of a policy `clams` is on record: did you mean `claims`?"),
        (["claims", "--measure", "average_risk"], "no run on record has the measure `average_risk`"),
        (["claims", "--format", "jsn"], "there is no format `jsn` of a history: did you mean `json`?"),
        (["claims", "--limit", "0"], "'--limit': 0 is not in the range"),
        (["--measure", RISK], "--measure and --plot are about the trend of a policy"),
        (["*", "--plot", "{folder}/trend.svg"], "--plot draws one policy, and 2 are meant"),
        (["claims", "--plot", "{folder}/trend.pdf"], "end it with .svg or .png"),
        (["claims", "--plot", "{folder}/missing/trend.svg"], "cannot be written"),
        (["claims", "--output", "{folder}/history.db"], "would be overwritten, and it is read"),
        (["--pin", "nothing"], "there is no run `nothing` in the history"),
        (["members*", "--pin", "{failed}"], "`members*` has no run"),
        (["--pin", "{failed}"], "measured nothing to compare with"),
        (["--pin", "last"], "--pin last is about one policy: name it"),
        (["clams", "--pin", "last"], "no run of `clams` that was measured is on record: did you mean `claims`?"),
        (["--unpin"], "--unpin is about one policy: name it"),
        (["clams", "--unpin"], "did you mean `claims`?"),
        (["--pin", "x", "--unpin"], "do not go together"),
        (["--pin", "x", "--format", "json"], "show no trend"),
    ],
)
def test_requests_that_are_wrong(refused, file, runs, arguments, said):
    filled = [item.format(folder=Path(file).parent, failed=runs[3].id) for item in arguments]
    assert said in refused(2, "history", "--history", file, *filled)


def test_nothing_says_where_it_is(refused):
    assert "give --history FILE_OR_URL, or set SQLRISK_HISTORY" in refused(2, "history")
    assert "the environment has no variable NOWHERE" in refused(2, "history", "--history", "${NOWHERE}")


def test_a_history_that_is_not_there_is_not_made(refused, tmp_path):
    assert "there is no history" in refused(2, "history", "--history", tmp_path / "history.db")
    assert list(tmp_path.iterdir()) == []


def test_it_is_read_where_nothing_may_be_written(run, file, open_folder, without_rights):
    path = open_folder / "history.db"
    path.write_bytes(Path(file).read_bytes())
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with without_rights():
        assert "5 runs on record" in run("history", "claims", "--history", path).out


def test_it_is_not_written_where_nothing_may_be_written(refused, file, runs, open_folder, without_rights):
    path = open_folder / "history.db"
    path.write_bytes(Path(file).read_bytes())
    path.chmod(0o444)
    with without_rights():
        assert "cannot be written to" in refused(3, "history", "--history", path, "--pin", runs[0].id)
    path.chmod(0o000)
    with without_rights():
        assert "cannot be opened" in refused(3, "history", "--history", path)
    open_folder.chmod(0o555)
    with without_rights(), pytest.raises(sqlrisk.MeasurementError, match="cannot be made"):
        History.open(str(open_folder / "new.db"))


def test_a_server_keeps_it_too(run, pg: conftest.Server, runs):
    url = f"{pg.url}?options=-csearch_path%3D{pg.schema}"
    with History.open(url) as history:
        history.add(runs[0])
    done = run("history", "claims", "--history", url)
    assert (done.code, done.err) == (0, "")
    assert "1 run on record" in done.out
