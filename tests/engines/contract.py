"""The engines under test, each as a place to put a table and a SOURCE to assess it from."""

from __future__ import annotations

import gc
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from sqlrisk.errors import MissingTableError, RequestError
from sqlrisk.sql.relation import Column, Relation
from sqlrisk.warehouse.base import Guards, Warehouse
from sqlrisk.warehouse.bigquery import _KINDS as BIGQUERY_KINDS
from sqlrisk.warehouse.bigquery import Kind
from tests.engines.starters import EngineMissing, is_required

# What we call a type: on DuckDB, PostgreSQL, BigQuery.
TYPES = {
    "text": ("VARCHAR", "text", "STRING"),
    "integer": ("BIGINT", "bigint", "INT64"),
    "decimal": ("DECIMAL(18, 4)", "numeric(18, 4)", "NUMERIC"),
    "float": ("DOUBLE", "double precision", "FLOAT64"),
    "real": ("REAL", "real", "FLOAT64"),
    "boolean": ("BOOLEAN", "boolean", "BOOL"),
    "date": ("DATE", "date", "DATE"),
    "timestamp": ("TIMESTAMP", "timestamp", "DATETIME"),
    "timestamptz": ("TIMESTAMPTZ", "timestamptz", "TIMESTAMP"),
}


@dataclass(frozen=True)
class Table:
    """A table to load: name, columns as (name, type of TYPES), rows."""

    name: str
    columns: Sequence[tuple[str, str]]
    rows: Sequence[tuple]


class Engine(ABC):
    """One engine; ``odd_names`` says whether its column names may hold quotes, dots and spaces."""

    name: str
    odd_names = True

    @abstractmethod
    def load(self, table: Table) -> None:
        """Make the table, in place of one of the same name."""

    @abstractmethod
    def source(self) -> object:
        """What to give to ``sqlrisk.assess``."""

    def stop(self) -> None:  # noqa: B027 - most have nothing to stop
        """Stop what was started."""


class DuckDB(Engine):
    name = "duckdb"

    def __init__(self) -> None:
        import duckdb

        self.connection = duckdb.connect(":memory:")

    def load(self, table: Table) -> None:
        columns = ", ".join(f"{quoted(name)} {TYPES[kind][0]}" for name, kind in table.columns)
        self.connection.execute(f"CREATE OR REPLACE TABLE {quoted(table.name)} ({columns})")
        if table.rows:
            marks = ", ".join("?" for _ in table.columns)
            self.connection.executemany(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", list(table.rows))

    def source(self) -> object:
        return self.connection


class Postgres(Engine):
    name = "postgres"

    def __init__(self) -> None:
        from tests.engines.starters import postgres

        self.server = postgres.start()

    def load(self, table: Table) -> None:
        with self.connect() as connection:
            columns = ", ".join(f"{quoted(name)} {TYPES[kind][1]}" for name, kind in table.columns)
            connection.execute(f"DROP TABLE IF EXISTS {quoted(table.name)}")
            connection.execute(f"CREATE TABLE {quoted(table.name)} ({columns})")
            marks = ", ".join("%s" for _ in table.columns)
            with connection.cursor() as cursor:
                cursor.executemany(f"INSERT INTO {quoted(table.name)} VALUES ({marks})".encode(), table.rows)

    @contextmanager
    def connect(self) -> Iterator:
        import psycopg

        with psycopg.connect(self.server.url) as connection:
            yield connection

    def source(self) -> object:
        return self.server.url

    def stop(self) -> None:
        self.server.stop()


class GoogleSQL(Engine):
    """Google's reference engine: the judge of the language."""

    name = "googlesql"
    odd_names = False

    def __init__(self) -> None:
        from tests.engines.starters import googlesql

        self.engine = googlesql.GoogleSQL()

    def load(self, table: Table) -> None:
        self.engine.create_table(table.name, [(name, TYPES[kind][2]) for name, kind in table.columns], table.rows)

    def source(self) -> object:
        return ReferenceWarehouse(self.engine)


class BigQuery(Engine):
    """The emulator, reached by Google's client: the judge of the wire, not of the language."""

    name = "bigquery"
    odd_names = False

    def __init__(self) -> None:
        from tests.engines.starters import bigquery_emulator

        self.emulator = bigquery_emulator.start()
        self.client = self.emulator.client("test-project")
        os.environ["BIGQUERY_EMULATOR_HOST"] = self.emulator.host

    def load(self, table: Table) -> None:
        from tests.engines.starters import bigquery_emulator

        columns = [(name, TYPES[kind][2]) for name, kind in table.columns]
        bigquery_emulator.load(self.client, f"contract.{table.name}", columns, table.rows)

    def source(self) -> object:
        return "bigquery://test-project/contract"

    def stop(self) -> None:
        self.emulator.stop()


class ReferenceWarehouse(Warehouse):
    """sqlrisk's BigQuery SQL on the reference engine, through the same door as every engine."""

    dialect = "bigquery"

    def __init__(self, engine) -> None:
        super().__init__(Guards())
        self.engine = engine

    def columns(self, relation: Relation) -> list[Column]:
        from tests.engines.starters.googlesql import GoogleSQLError

        try:
            described = self.engine.describe(relation.without_rows("bigquery"))
        except GoogleSQLError as problem:
            if relation.name is not None:
                raise MissingTableError(f"there is no table or view `{relation.label}`") from None
            raise RequestError(str(problem)) from None
        return [Column(name, BIGQUERY_KINDS.get(kind, Kind.UNGROUPABLE), kind) for name, kind in described]

    def tables(self) -> list[str]:
        return []

    def _execute(self, sql: str) -> Iterator[Sequence[tuple]]:
        yield self.engine.query(sql)

    def _cancel(self) -> None:
        return None

    def _error(self, problem: Exception, purpose: str) -> Exception:
        return problem


CLASSES = {engine.name: engine for engine in (DuckDB, Postgres, GoogleSQL, BigQuery)}
_started: dict[str, Engine | str] = {}


def start(name: str) -> Engine:
    """The engine, started once a session; skips the test when it is missing, unless CI requires it."""
    if name not in _started:
        try:
            _started[name] = CLASSES[name]()
        except EngineMissing as missing:
            _started[name] = missing.reason
    engine = _started[name]
    if isinstance(engine, str):
        if is_required(name):
            pytest.fail(f"{name} is required and missing: {engine}")
        pytest.skip(f"{name}: {engine}")
    return engine


def stop_all() -> None:
    """Stop what was started; GoogleSQL's runtime complains unless it is gone before the interpreter is."""
    engines = [engine for engine in _started.values() if isinstance(engine, Engine)]
    _started.clear()
    for engine in engines:
        engine.stop()
    del engines
    gc.collect()


def quoted(name: str) -> str:
    """An identifier in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def comparable(result) -> dict:
    """The result document without what may differ between two runs on the same data."""
    document = result.to_dict()
    for key in ("started_at", "seconds", "dialect", "queries"):
        del document[key]
    for column in document["release"]["quasi_identifiers"]:
        del column["expression"]
    return document


def assert_same(one: object, other: object, path: str = "") -> None:
    """Integers and texts exactly, reals to 1e-9 relative."""
    if isinstance(one, float) and isinstance(other, float):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-12), path
    elif isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            assert_same(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), f"{path}: {one} {other}"
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            assert_same(left, right, f"{path}[{index}]")
    else:
        assert one == other, path
