"""Runs on record: what is compared and what is not, and a store that several processes and bad luck cannot harm."""

from __future__ import annotations

import math
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pandas
import pytest
from sqlalchemy import event

import sqlrisk
from sqlrisk.history.compare import compare, earlier_runs, figures_of, figures_of_run, nothing_before
from sqlrisk.history.store import History, Run, new_run_id
from sqlrisk.history.trend import chosen, trend_of
from sqlrisk.record import Change
from sqlrisk.result import Assessment

START = datetime(2026, 1, 1, 4, 15, tzinfo=UTC)
PEOPLE = pandas.DataFrame({"sex": list("FFFMM"), "age": [30, 30, 40, 50, 50], "icd": ["A", "A", "B", "A", "C"]})
SECRET = "pa55word"


def estimated(*sizes: int, **options) -> Assessment:
    """The result of classes of these sizes."""
    return sqlrisk.estimate({size: sizes.count(size) for size in sizes}, **options)


def recorded(result: Assessment | None, policy: str = "claims", day: int = 0, **values) -> Run:
    """``result`` as a run on record."""
    started = START + timedelta(days=day)
    found = {
        "id": new_run_id(started),
        "policy": policy,
        "started_at": started,
        "exit_code": 0 if result else 3,
        "fingerprint": result and result.policy.fingerprint,
        "definition": result.policy.definition if result else {},
        "document": result and result.to_dict(),
        "error": None if result else "no connection: check the network",
        "sqlrisk_version": "0.1.0",
    }
    return Run(**{**found, **values})


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "history.db")


@pytest.fixture
def history(path: str):
    with History.open(path) as opened:
        yield opened


def refused(where: str, kind: type = sqlrisk.RequestError, **options) -> str:
    """The one line of a history that cannot be opened."""
    with pytest.raises(kind) as caught:
        History.open(where, **options)
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__context__ is None
    return str(caught.value)


# Figures and comparisons.


def test_figures_are_those_that_a_result_gives_by_the_same_path():
    result = sqlrisk.assess(PEOPLE, quasi_identifiers=["sex", "age"], sensitive=["icd"], population_size=50)
    figures = figures_of(result)
    assert {path: result.value(path)[0] for path in figures} == figures
    assert figures["release.records"] == 5
    assert figures["classes"] == 3
    assert figures["smallest_class"] == 1
    assert figures["sample_uniques.share"] == pytest.approx(1 / 5)
    assert figures["attackers.prosecutor.average_risk"] == pytest.approx(3 / 5)
    assert figures["attackers.prosecutor.records_at_risk"] == 5
    assert figures["sensitive.icd.l_distinct"] == 1
    assert "population.uniques.release_share" in figures


def test_figures_of_parts_that_were_not_measured_are_absent():
    figures = figures_of(estimated(1, 2))
    assert not [path for path in figures if path.startswith(("population.", "sensitive."))]
    assert figures["attackers.journalist.average_risk"] is None


def test_an_infinite_figure_stays_infinite():
    result = sqlrisk.assess(PEOPLE, quasi_identifiers=["sex", "age"], sensitive=["icd"])
    assert figures_of(result)["sensitive.icd.recursive_c"] == math.inf
    assert figures_of_run(recorded(result))[0]["sensitive.icd.recursive_c"] == math.inf


def test_a_column_whose_name_has_dots():
    frame = PEOPLE.rename(columns={"icd": "a.b.c"})
    result = sqlrisk.assess(frame, quasi_identifiers=["sex"], sensitive=["a.b.c"])
    assert figures_of(result)["sensitive.a.b.c.l_distinct"] == 2


def test_what_rose_and_what_fell():
    before, after = estimated(2, 2, 2), estimated(1, 2, 2, 2)
    run = recorded(before)
    found = compare(after, run, "previous run")
    assert (found.against, found.run, found.started_at, found.changed) == ("previous run", run.id, run.started_at, [])
    assert found.figures["release.records"] == Change(before=6, after=7, increase=1)
    assert found.figures["smallest_class"] == Change(before=2, after=1, increase=-1)
    assert found.figures["attackers.prosecutor.highest_risk"] == Change(before=0.5, after=1, increase=0.5)
    risk = found.figures["attackers.prosecutor.average_risk"]
    assert (risk.before, risk.after, risk.increase) == pytest.approx((3 / 6, 4 / 7, 4 / 7 - 3 / 6))
    assert "attackers.journalist.average_risk" not in found.figures


def test_another_definition_is_named_and_not_subtracted():
    run = recorded(estimated(2, 2, population_size=100))
    found = compare(estimated(2, 2, population_size=200, threshold="1/3"), run, "baseline")
    assert found.changed == ["attackers.journalist.threshold", "attackers.prosecutor.threshold", "population.size"]
    assert found.figures["release.records"] == Change(before=4, after=4, increase=None)
    assert all(change.increase is None for change in found.figures.values())
    assert found.reason is None


def test_keys_that_are_new_or_gone_are_a_change_too():
    run = recorded(estimated(2, 2), definition={"a": "1", "b": "2", "c": "3"})
    assert run.changed({"b": "2", "c": "4", "d": "5"}) == ["a", "c", "d"]


def test_a_measure_that_one_run_lacks():
    run = recorded(estimated(2, 2))
    run.document["sample_uniques"]["share"] = None
    found = compare(estimated(2, 2), run, "baseline").figures
    assert found["sample_uniques.share"] == Change(before=None, after=0, increase=None)


@pytest.mark.parametrize(
    ("before", "after", "increase"),
    [(math.inf, math.inf, None), (1.0, math.inf, math.inf), (2.0, 3.0, 1.0)],
)
def test_infinite_figures_in_a_comparison(before, after, increase):
    result = sqlrisk.assess(PEOPLE, quasi_identifiers=["sex"], sensitive=["icd"])
    part = result.sensitive["icd"]

    def having(c: float) -> Assessment:
        return result.model_copy(update={"sensitive": {"icd": part.model_copy(update={"recursive_c": c})}})

    found = compare(having(after), recorded(having(before)), "baseline")
    assert found.figures["sensitive.icd.recursive_c"] == Change(before=before, after=after, increase=increase)


def test_runs_that_cannot_be_compared_with_say_why():
    result = estimated(2, 2)
    assert nothing_before("baseline", "none is pinned").reason == "none is pinned"
    assert compare(result, recorded(None), "previous run").reason == "the run measured nothing"
    newer = recorded(result, document={**result.to_dict(), "schema_version": 99})
    assert "schema_version 99; this sqlrisk knows 1" in compare(result, newer, "baseline").reason
    older = recorded(result, document={"schema_version": 0})
    assert "older form (schema_version 0)" in compare(result, older, "baseline").reason
    unknown = recorded(result, definition={})
    assert compare(result, unknown, "baseline").reason == "what was measured is not on record"


def test_a_document_of_an_older_form_that_loads_is_compared():
    result = estimated(2, 2)
    older = recorded(result, document={**result.to_dict(), "schema_version": 0})
    assert compare(result, older, "baseline").figures["release.records"].increase == 0


def test_a_document_with_parts_that_this_version_lacks_is_compared():
    result = estimated(2, 2)
    run = recorded(result, document={**result.to_dict(), "from_a_later_version": 1})
    assert compare(result, run, "baseline").figures["release.records"].increase == 0


def test_earlier_runs_leave_out_what_was_not_measured():
    one, other = estimated(2, 2), estimated(2, 2, population_size=100)
    found = earlier_runs(one, [recorded(other), recorded(None, day=1), recorded(one, day=2)])
    assert [item.same_definition for item in found] == [False, True]
    assert [item.figures["release.records"] for item in found] == [4, 4]


def test_a_result_with_its_comparison_keeps_it():
    before, after = estimated(2, 2), estimated(1, 2)
    whole = after.model_copy(update={"comparisons": [compare(after, recorded(before), "baseline")]})
    assert Assessment.from_dict(whole.to_dict()).comparisons == whole.comparisons


# Trends.


def test_a_trend_is_divided_where_the_definition_changed(history):
    one, other = estimated(2, 2), estimated(2, 2, population_size=100)
    for day, result in enumerate([other, other, None, one, None, one]):
        history.add(recorded(result, day=day))
    trend = trend_of(history, "claims")
    assert [len(part) for part in trend.segments] == [3, 3]
    assert [bool(point.changed) for point in trend.points] == [True, True, False, False, False, False]
    assert trend.points[0].changed == ("population.size",)
    assert trend.points[2].reason == "the run measured nothing"


def test_the_range_is_of_the_latest_definition_alone(history):
    other = estimated(1, 1, 1, population_size=100)
    for day, result in enumerate([other, estimated(3, 3), estimated(1, 9), estimated(2, 2), None]):
        history.add(recorded(result, day=day))
    found = trend_of(history, "claims").range("smallest_class")
    assert (found.first, found.last, found.least, found.most) == (3, 2, 1, 3)
    assert trend_of(history, "claims").range("population.dis").first is None


def test_a_trend_of_the_last_runs_counts_all(history):
    for day in range(5):
        history.add(recorded(estimated(day + 1), day=day))
    trend = trend_of(history, "claims", limit=2)
    assert (trend.recorded, [point.figures["smallest_class"] for point in trend.points]) == (5, [4, 5])


def test_a_measure_that_no_run_has_is_named(history):
    history.add(recorded(estimated(1)))
    trends = [trend_of(history, "claims")]
    assert chosen(trends, ["classes", "classes"]) == ["classes"]
    with pytest.raises(sqlrisk.RequestError, match="`smalest_class`: did you mean `smallest_class`"):
        chosen(trends, ["smalest_class"])


# The store.


def test_a_run_comes_back_as_it_was(history, path):
    run = recorded(
        estimated(1, 2, population_size=100),
        policy="größte/\u202eclaims 'x'",
        exit_code=1,
        error="kept, but the report was not: the disk is full",
    )
    run.document["warnings"] = ["\udc80 \0 \x1b[31m ✓"]
    history.add(run)
    with History.open(path, create=False) as again:
        assert again.runs() == [run]
        assert again.latest(run.policy) == run


def test_times_are_utc(history):
    started = datetime(2026, 6, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    history.add(recorded(estimated(1), started_at=started))
    (run,) = history.runs()
    assert (run.started_at, run.started_at.utcoffset()) == (started, timedelta(0))


def test_ids_begin_with_the_time_and_are_unique():
    ids = {new_run_id(START) for _ in range(100)}
    assert len(ids) == 100
    assert all(len(item) == 22 and item.startswith("20260101T041500-") for item in ids)


def test_latest_and_runs(history):
    first, failed, second = recorded(estimated(1)), recorded(None, day=1), recorded(estimated(2), day=2)
    stranger = recorded(estimated(3), "members", day=3)
    assert history.latest("claims") is None
    for run in (first, second, failed, stranger):
        history.add(run)
    assert history.latest("claims") == second
    assert history.runs("claims") == [first, second, failed]
    assert history.runs("claims", limit=2) == [second, failed]
    assert history.runs() == [first, second, failed, stranger]
    assert history.policies() == ["claims", "members"]
    assert (history.count("claims"), history.count("nobody")) == (3, 0)


def test_pins(history, path):
    first, second, failed = recorded(estimated(1)), recorded(estimated(2), day=1), recorded(None, day=2)
    for run in (first, second, failed):
        history.add(run)
    assert history.baseline("claims") is None
    assert history.pin(first.id) == first
    history.pin(second.id)
    assert history.baseline("claims") == second
    history.unpin("claims")
    assert history.baseline("claims") is None
    history.pin(first.id)
    with pytest.raises(sqlrisk.RequestError, match="there is no run `nothing` in the history"):
        history.pin("nothing")
    with pytest.raises(sqlrisk.RequestError, match="measured nothing to compare with"):
        history.pin(failed.id)
    assert history.baseline("claims") == first
    with closing(sqlite3.connect(path)) as connection:
        pinned = connection.execute("SELECT run FROM sqlrisk_pins ORDER BY number").fetchall()
    assert pinned == [(first.id,), (second.id,), (None,), (first.id,)]


@pytest.mark.parametrize("table", ["sqlrisk_runs", "sqlrisk_pins", "sqlrisk_history"])
def test_sqlite_refuses_to_change_what_is_on_record(history, path, table):
    run = recorded(estimated(1))
    history.add(run)
    history.pin(run.id)
    with closing(sqlite3.connect(path)) as connection:
        (column, *_) = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
            with pytest.raises(sqlite3.IntegrityError, match="added to, never changed"):
                connection.execute(statement)


def test_a_run_is_put_on_record_once(history):
    run = recorded(estimated(1))
    history.add(run)
    with pytest.raises(sqlrisk.MeasurementError, match="does not take this"):
        history.add(run)
    assert len(history.runs()) == 1


@pytest.mark.parametrize("name", ["a\0b", "file-\udcff"])
def test_a_name_that_cannot_be_kept(history, name):
    with pytest.raises(sqlrisk.RequestError, match="a character that cannot be kept"):
        history.add(recorded(estimated(1), name))


def test_no_write_ahead_log_is_left_beside_the_file(history, path):
    history.add(recorded(estimated(1)))
    assert [file.name for file in Path(path).parent.iterdir()] == ["history.db"]


# What can be wrong with it.


def test_a_newer_version_is_refused(history, path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO sqlrisk_history VALUES (2, '', '9.9')")
        connection.commit()
    assert "was made by a newer sqlrisk (version 2 of its tables; this one knows 1): upgrade" in refused(path)


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE customers (a)")
    before = path.read_bytes()
    assert "is no history of sqlrisk: it holds `customers`, and nothing was added" in refused(str(path))
    assert path.read_bytes() == before


def test_tables_of_our_names_that_are_not_ours(tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE sqlrisk_history (a)")
    assert "is not a history that sqlrisk made" in refused(str(path))


def test_what_is_no_database(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text("sex,age\n" * 1000)
    assert "is not a SQLite file" in refused(str(path))
    assert path.read_text() == "sex,age\n" * 1000


def test_an_empty_file_becomes_a_history(tmp_path):
    path = tmp_path / "empty.db"
    path.touch()
    assert "holds no history" in refused(str(path), create=False)
    with History.open(str(path)) as history:
        assert history.runs() == []


def test_a_damaged_file(history, path):
    for day in range(20):
        history.add(recorded(estimated(1), day=day))
    whole = Path(path).read_bytes()
    Path(path).write_bytes(whole[:5000])
    assert "is damaged" in refused(path, sqlrisk.MeasurementError)
    Path(path).write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(sqlrisk.MeasurementError, match="is damaged"), History.open(path) as opened:
        opened.runs()


def test_a_damaged_run(history, path):
    run = recorded(estimated(1))
    history.add(run)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER sqlrisk_runs_no_update")
        connection.execute("UPDATE sqlrisk_runs SET document = '{'")
        connection.commit()
    with pytest.raises(sqlrisk.MeasurementError, match=f"is damaged: its run `{run.id}` cannot be read"):
        history.latest("claims")


def test_a_file_that_another_process_holds(history, path):
    history.add(recorded(estimated(1)))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection, History.open(path, timeout=0.1) as opened:
        connection.execute("BEGIN IMMEDIATE")
        assert len(opened.runs()) == 1
        with pytest.raises(sqlrisk.MeasurementError, match="is locked by another process"):
            opened.add(recorded(estimated(1), day=1))
        connection.execute("ROLLBACK")
        opened.add(recorded(estimated(1), day=1))
        connection.execute("BEGIN EXCLUSIVE")
        assert "is locked by another process" in refused(path, sqlrisk.MeasurementError, timeout=0.1)
        connection.execute("ROLLBACK")
    assert len(history.runs()) == 2


def test_a_full_disk_leaves_what_was_there(history):
    history.add(recorded(estimated(1)))

    def limit(connection, _) -> None:
        connection.execute("PRAGMA max_page_count = 16")

    event.listen(history._place.engine, "connect", limit)
    with pytest.raises(sqlrisk.MeasurementError, match="the disk is full"):
        history.add(recorded(estimated(1), day=1, error="x" * 100_000))
    assert len(history.runs()) == 1
    event.remove(history._place.engine, "connect", limit)
    history.add(recorded(estimated(1), day=1))
    assert len(history.runs()) == 2


def test_a_file_that_goes_away_is_not_made_anew(history, path):
    Path(path).unlink()
    with pytest.raises(sqlrisk.MeasurementError, match="cannot be opened"):
        history.add(recorded(estimated(1)))
    assert not Path(path).exists()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "the history has no name"),
        ("{folder}", "is not a file"),
        ("/dev/null", "is not a file"),
        ("{folder}/missing/history.db", "the folder of the history"),
        ("{folder}/a\0b", "the folder of the history"),
        ("x" * 5000, "cannot be made"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:///{folder}/h.db?mode=ro", "more than a path"),
        ("nosuch://user:pa55word@host/x", "`nosuch://` is no database that SQLAlchemy knows here"),
        ("postgresql:/user:pa55word@host/x", "neither a file that is there nor a URL"),
        ("postgresql//host/x?password=pa55word", "neither a file that is there nor a URL"),
        ("postgresql://user:pa55word@host:port/x", "does not parse"),
        ("postgresql://user:pa55word@one@host/x", "has two @"),
        ("9 x://user:pa55word@host/x", "neither a file nor a URL"),
        ("postgresql+nosuch://user:pa55word@host/x", "is no database that SQLAlchemy knows here"),
        ("postgresql://user:pa55word@127.0.0.1:1/x?nosuch=pa55word", "take the option out of the URL"),
    ],
)
def test_requests_that_are_wrong(tmp_path, where, said):
    kind = sqlrisk.MeasurementError if said == "cannot be made" else sqlrisk.RequestError
    assert said in refused(where.format(folder=tmp_path), kind)
    assert list(tmp_path.iterdir()) == []


def test_a_driver_that_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'sqlrisk[postgres]'" in refused(f"postgresql://user:{SECRET}@host/x")
    monkeypatch.setitem(sys.modules, "pymysql", None)
    assert "pymysql" in refused(f"mysql+pymysql://user:{SECRET}@host/x")


def test_a_server_that_is_not_there():
    said = refused(f"postgresql://user:{SECRET}@127.0.0.1:1/x?password={SECRET}", sqlrisk.MeasurementError)
    assert said.startswith("no connection to the history `postgresql+psycopg://user:***@127.0.0.1:1/x`")


def test_nothing_is_made_where_there_is_nothing(path):
    assert "there is no history" in refused(path, create=False)
    assert not Path(path).exists()


# Several processes, and a violent end.

_ADDING = """
import sys
from datetime import UTC, datetime
from sqlrisk.history.store import History, Run, new_run_id

path, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with History.open(path) as history:
    for _ in range(count):
        now = datetime.now(UTC)
        run = Run(new_run_id(now), "claims", now, 0, None, {}, {"schema_version": 1, "text": "x" * size}, None, "0")
        history.add(run)
        print(run.id, flush=True)
"""


def adding(path: str, count: int, size: int = 100) -> subprocess.Popen:
    """A process that puts runs on record, and prints the id of each that it has."""
    command = [sys.executable, "-c", _ADDING, path, str(count), str(size)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_at_once_make_it_and_lose_nothing(path):
    processes = [adding(path, 50) for _ in range(2)]
    told = [process.communicate(timeout=120) for process in processes]
    assert [error for _, error in told] == ["", ""]
    ids = {line for output, _ in told for line in output.split()}
    with History.open(path, create=False) as history:
        assert {run.id for run in history.runs()} == ids
    assert len(ids) == 100


def test_a_process_that_is_killed_loses_nothing_that_was_on_record(path):
    random.seed(5)
    said: set[str] = set()
    for _ in range(6):
        process = adding(path, 100_000, size=2_000_000)
        first = process.stdout.readline()
        time.sleep(random.random() / 5)
        process.kill()
        output, _ = process.communicate(timeout=60)
        said |= {line for line in (first + output).split("\n") if len(line) == 22}
        with History.open(path, create=False) as history:
            kept = {run.id for run in history.runs()}
        assert said <= kept
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert said


def test_a_process_that_is_killed_while_it_makes_the_file(tmp_path):
    random.seed(6)
    for number in range(6):
        path = tmp_path / f"{number}.db"
        process = adding(str(path), 1)
        end = time.monotonic() + 60
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(random.random() / 50)
        process.kill()
        process.communicate(timeout=60)
        with History.open(str(path)) as history:
            history.add(recorded(estimated(1)))
            assert history.latest("claims") is not None
