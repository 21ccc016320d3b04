"""Each engine answers, and gives back every value as it went in. What the others test rests on this."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from tests.engines.starters import EngineMissing, bigquery_emulator, googlesql, is_required, postgres

UTC = dt.UTC
TEXTS = ["", " ", "'", '"', "`", "\\", "a\nb\t", "02139", "1E5", "é", "e\u0301", "日本", "\U0001f600", "NULL"]
VALUES: dict[str, list[Any]] = {
    "INT64": [0, -1, 2**63 - 1, -(2**63)],
    "FLOAT64": [0.1, -0.0, math.nan, math.inf, -math.inf, 5e-324],
    "STRING": TEXTS,
    "BOOL": [True, False],
    "DATE": [dt.date(1, 1, 1), dt.date(1969, 12, 31), dt.date(2024, 2, 29), dt.date(9999, 12, 31)],
    "DATETIME": [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999)],
    "TIMESTAMP": [dt.datetime(1969, 12, 31, 23, 59, 59, 1, tzinfo=UTC), dt.datetime(2024, 2, 29, 12, tzinfo=UTC)],
    "TIME": [dt.time(0), dt.time(23, 59, 59, 999999)],
    "NUMERIC": [Decimal(0), Decimal("-0.000000001"), Decimal("99999999999999999999999999999.999999999")],
    "BYTES": [b"", b"\x00\xff"],
}
BIGNUMERICS = [
    Decimal("0.00000000000000000000000000000000000001"),
    Decimal(10) ** 38,
    Decimal("-578960446186580977117854925043439539266.34992332820282019728792003956564819968"),
]


def started(engine: str, start: Callable[[], Any]) -> Any:
    try:
        return start()
    except EngineMissing as missing:
        if is_required(engine):
            pytest.fail(missing.reason)
        pytest.skip(missing.reason)


def exactly(value: Any) -> Any:
    """What is the same only for the same value: tells -0.0 from 0 and True from 1, and finds NaN equal to NaN."""
    return value if isinstance(value, Decimal) else repr(value)  # how many zeros a Decimal ends with is no matter


@pytest.fixture(scope="module")
def pg() -> Iterator[postgres.Postgres]:
    server = started("postgres", postgres.start)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def google() -> googlesql.GoogleSQL:
    return started("googlesql", googlesql.GoogleSQL)


@pytest.fixture(scope="module")
def emulator() -> Iterator[bigquery_emulator.Emulator]:
    server = started("bigquery", bigquery_emulator.start)
    yield server
    server.stop()


def test_postgres_answers_and_keeps_texts(pg: postgres.Postgres) -> None:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(sqlalchemy.make_url(pg.url).set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:
        assert connection.execute(sqlalchemy.text("SELECT 1, NULL")).one() == (1, None)
        connection.execute(sqlalchemy.text("CREATE TEMPORARY TABLE texts (number int, text text)"))
        rows = [{"number": number, "text": text} for number, text in enumerate(TEXTS)]
        connection.execute(sqlalchemy.text("INSERT INTO texts VALUES (:number, :text)"), rows)
        assert list(connection.scalars(sqlalchemy.text("SELECT text FROM texts ORDER BY number"))) == TEXTS
    engine.dispose()


def test_postgres_wants_the_right_password(pg: postgres.Postgres) -> None:
    psycopg = pytest.importorskip("psycopg")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(pg.url, password="wrong")


def test_postgres_has_a_role_without_rights(pg: postgres.Postgres) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(pg.url, autocommit=True) as owner:
        owner.execute("CREATE TABLE IF NOT EXISTS starters_private (a int)")
    with psycopg.connect(pg.restricted_url) as guest, pytest.raises(psycopg.errors.InsufficientPrivilege):
        guest.execute("SELECT * FROM starters_private")
    with psycopg.connect(pg.url, autocommit=True) as owner:
        owner.execute("DROP TABLE starters_private")


@pytest.mark.parametrize("type_name", [*VALUES, "BIGNUMERIC"])
def test_googlesql_keeps_values(google: googlesql.GoogleSQL, type_name: str) -> None:
    values = [None, *VALUES.get(type_name, BIGNUMERICS)]
    google.create_table("my-project.ds.values", [("n", "INT64"), ("v", type_name)], list(enumerate(values)))
    sql = "SELECT v FROM `my-project.ds.values` ORDER BY n"
    assert google.describe(sql) == [("v", type_name)]
    assert [exactly(row[0]) for row in google.query(sql)] == [exactly(value) for value in values]


@pytest.mark.parametrize(
    "name", ["`my-project.ds.t`", "`my-project`.`ds`.`t`", "`my-project`.ds.t", "my-project.ds.t", "`my-project.ds`.t"]
)
def test_googlesql_finds_a_table_however_it_is_quoted(google: googlesql.GoogleSQL, name: str) -> None:
    google.create_table("my-project.ds.t", [("a", "INT64")], [(1,), (2,)])
    assert google.query(f"SELECT SUM(t.a), 'é my-project.ds.t' FROM {name} -- {name}") == [(3, "é my-project.ds.t")]
    assert google.query(f"WITH x AS (SELECT a FROM {name} AS y WHERE y.a > 1) SELECT x.a FROM x") == [(2,)]


@pytest.mark.parametrize("column", ["select", "a b", "it's", "Größe", "a-b", "a.b", "qualify", "_", "#"])
def test_googlesql_takes_odd_column_names(google: googlesql.GoogleSQL, column: str) -> None:
    google.create_table("odd", [(column, "STRING")], [("x",)])
    assert google.describe("SELECT * FROM odd") == [(column, "STRING")]
    assert google.query(f"SELECT `{column}`, COUNT(*) FROM odd GROUP BY `{column}`") == [("x", 1)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELEC 1",
        "SELECT nope FROM `my-project.ds.t`",
        "SELECT * FROM `my-project.ds.T`",
        "SELECT 'open",
        "SELECT COUNT(DISTINCT a, a) FROM `my-project.ds.t`",
        "SELECT COUNT(*) FILTER (WHERE a > 1) FROM `my-project.ds.t`",
        "WITH x AS MATERIALIZED (SELECT 1 AS a) SELECT a FROM x",
        "SELECT a FROM `my-project.ds.t`, LATERAL (SELECT 1)",
        "SELECT qualify FROM `my-project.ds.t`",
        "SELECT MEDIAN(a) FROM `my-project.ds.t`",
        "DELETE FROM `my-project.ds.t` WHERE TRUE",
    ],
)
def test_googlesql_refuses_what_bigquery_refuses(google: googlesql.GoogleSQL, sql: str) -> None:
    google.create_table("my-project.ds.t", [("a", "INT64")], [(1,)])
    with pytest.raises(googlesql.GoogleSQLError):
        google.describe(sql)
    with pytest.raises(googlesql.GoogleSQLError):
        google.query(sql)


def test_googlesql_reports_errors_of_a_run_and_goes_on(google: googlesql.GoogleSQL) -> None:
    with pytest.raises(googlesql.GoogleSQLError, match="division by zero"):
        google.query("SELECT 1 / 0")
    assert google.query("SELECT 1, NULL, [1, 2], STRUCT(1 AS a, 'x' AS b)") == [(1, None, [1, 2], (1, "x"))]


def test_googlesql_has_the_time_zone_of_bigquery(google: googlesql.GoogleSQL) -> None:
    assert google.query("SELECT CAST(TIMESTAMP '2024-01-01 00:00:00' AS STRING)") == [("2024-01-01 00:00:00+00",)]


@pytest.mark.parametrize("type_name", list(VALUES))
def test_emulator_keeps_values(emulator: bigquery_emulator.Emulator, type_name: str) -> None:
    client = emulator.client("my-project")
    values = [None, *VALUES[type_name]]
    table = f"starters.{type_name.lower()}s"
    bigquery_emulator.load(client, table, [("n", "INT64"), ("v", type_name)], list(enumerate(values)))
    rows = client.query(f"SELECT v FROM `my-project.{table}` ORDER BY n").result()
    assert [exactly(row[0]) for row in rows] == [exactly(value) for value in values]
    client.close()
