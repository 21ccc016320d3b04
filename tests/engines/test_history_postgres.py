"""A history on a PostgreSQL server: made by several at once, added to by a role that may do no more."""

from __future__ import annotations

import subprocess
import sys
import uuid
from datetime import UTC, datetime
from urllib.parse import quote

import pytest

import sqlrisk
from sqlrisk.history.store import History, Run, new_run_id
from tests.engines import contract
from tests.engines.starters.postgres import PASSWORD, RESTRICTED_PASSWORD, RESTRICTED_USER

_ADDING = """
import sys
from datetime import UTC, datetime
from sqlrisk.history.store import History, Run, new_run_id

sys.stdin.readline()
with History.open(sys.argv[1]) as history:
    for _ in range(25):
        now = datetime.now(UTC)
        run = Run(new_run_id(now), "claims", now, 0, None, {}, {"schema_version": 1}, None, "0")
        history.add(run)
        print(run.id, flush=True)
"""


class Place:
    """A schema of its own on the server, and URLs of it."""

    def __init__(self, server, schema: str) -> None:
        self.server, self.schema = server, schema

    def url(self, base: str | None = None) -> str:
        return f"{base or self.server.source()}?options={quote(f'-csearch_path={self.schema}')}"

    def execute(self, sql: str) -> list[tuple]:
        with self.server.connect() as connection:
            connection.execute(f"SET search_path = {self.schema}")
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []


@pytest.fixture
def place():
    engine = contract.start("postgres")
    schema = f"history_{uuid.uuid4().hex[:8]}"
    found = Place(engine, schema)
    with engine.connect() as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    yield found
    with engine.connect() as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


def recorded(**values) -> Run:
    """A run of one release."""
    result = sqlrisk.estimate({1: 3, 2: 4, 10: 2})
    now = datetime.now(UTC)
    found = {
        "id": new_run_id(now),
        "policy": "claims",
        "started_at": now,
        "exit_code": 0,
        "fingerprint": result.policy.fingerprint,
        "definition": result.policy.definition,
        "document": result.to_dict(),
        "error": None,
        "sqlrisk_version": "0.1.0",
    }
    return Run(**{**found, **values})


def test_runs_come_back_as_they_were(place):
    first = recorded(policy="größte/claims 'x' %s :a")
    failed = recorded(policy=first.policy, document=None, error="no connection", exit_code=3)
    first.document["warnings"] = ["\udc80 \0 ✓"]
    with History.open(place.url()) as history:
        history.add(first)
        history.add(failed)
        history.pin(first.id)
        assert PASSWORD not in history.label
        assert "search_path" not in history.label
    with History.open(place.url(), create=False) as again:
        assert again.runs() == [first, failed]
        assert again.latest(first.policy) == again.baseline(first.policy) == first
        again.unpin(first.policy)
        assert again.baseline(first.policy) is None


def test_several_at_once_make_it_and_lose_nothing(place):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _ADDING, place.url()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate(timeout=120) for process in processes]
    assert [error for _, error in told] == [""] * 4
    ids = {line for output, _ in told for line in output.split()}
    assert len(ids) == 100
    with History.open(place.url(), create=False) as history:
        assert {run.id for run in history.runs()} == ids
    assert place.execute("SELECT version FROM sqlrisk_history") == [(1,)]


def test_there_may_be_other_tables_but_not_of_these_names(place):
    place.execute("CREATE TABLE customers (a int)")
    with pytest.raises(sqlrisk.RequestError, match="holds no history"):
        History.open(place.url(), create=False)
    place.execute("CREATE TABLE sqlrisk_runs (a int)")
    with pytest.raises(sqlrisk.RequestError, match="is no history of sqlrisk: it holds `sqlrisk_runs`"):
        History.open(place.url())
    place.execute("DROP TABLE sqlrisk_runs")
    History.open(place.url()).close()


def test_a_role_that_may_only_add(place):
    restricted = place.url(place.server.server.restricted_url)
    with pytest.raises(sqlrisk.MeasurementError, match="SELECT and INSERT, and at first to CREATE") as caught:
        place.execute(f"GRANT USAGE ON SCHEMA {place.schema} TO {RESTRICTED_USER}")
        History.open(restricted)
    assert RESTRICTED_PASSWORD not in str(caught.value)
    run = recorded()
    with History.open(place.url()) as history:
        history.add(run)
    place.execute(f"GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA {place.schema} TO {RESTRICTED_USER}")
    with History.open(restricted) as history:
        history.add(recorded())
        history.pin(run.id)
        assert history.count("claims") == 2
        assert history.baseline("claims") == run


def test_tables_that_another_session_holds(place):
    with History.open(place.url(), timeout=0.2) as history, place.server.connect() as connection:
        connection.execute(f"LOCK TABLE {place.schema}.sqlrisk_runs IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(sqlrisk.MeasurementError, match="is locked by another process"):
            history.add(recorded())


def test_a_wrong_password_is_not_repeated(place):
    wrong = place.url().replace(quote(PASSWORD), "pa55word")
    with pytest.raises(sqlrisk.MeasurementError, match="refused the login") as caught:
        History.open(wrong)
    assert "pa55word" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_newer_version_is_refused(place):
    History.open(place.url()).close()
    place.execute("INSERT INTO sqlrisk_history VALUES (7, '', '9.9')")
    with pytest.raises(sqlrisk.RequestError, match="made by a newer sqlrisk"):
        History.open(place.url())
