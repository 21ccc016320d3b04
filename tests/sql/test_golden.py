"""Golden SQL: the statement of each kind of question in each dialect, as files that a person has read.

``SQLRISK_UPDATE_GOLDEN=1 pytest tests/sql/test_golden.py`` writes them anew; read the difference before committing it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

import sqlrisk
from sqlrisk.assessment.prepare import prepare
from sqlrisk.errors import RequestError
from sqlrisk.policy_document import Document
from sqlrisk.sql.relation import Column, Kind, Relation
from sqlrisk.warehouse.base import Guards, Warehouse
from sqlrisk.warehouse.connect import Source
from tests.engines.starters import EngineMissing, is_required, postgres

GOLDEN = Path(__file__).parent / "golden"
DIALECTS = ("duckdb", "postgres", "bigquery", "spark")
UPDATE = "SQLRISK_UPDATE_GOLDEN"
# Arms that have a row also where there is nothing.
ONE_ROW = ("population", "survey", "households", "sensitive", "sensitive_whole", "wildcard", "model")
MODEL = str(Path(__file__).with_name("model.yaml"))

# The release's columns and the register's: name, kind, and the type on an engine that has it.
CLAIMS = {
    "sex": (Kind.TEXT, "text"),
    "age": (Kind.INTEGER, "bigint"),
    "zip": (Kind.TEXT, "text"),
    "admitted": (Kind.DATE, "date"),
    "seen": (Kind.TIMESTAMP, "timestamp"),
    "logged": (Kind.TIMESTAMP_TZ, "timestamptz"),
    "started": (Kind.TIME, "time"),
    "paid": (Kind.DECIMAL, "decimal(10, 2)"),
    "weight": (Kind.FLOAT, "double precision"),
    "icd": (Kind.TEXT, "text"),
    "smoker": (Kind.BOOLEAN, "boolean"),
    "insurance": (Kind.OTHER, "uuid"),
    "age_text": (Kind.TEXT, "text"),
    "day_text": (Kind.TEXT, "text"),
    "member_id": (Kind.INTEGER, "bigint"),
}
REGISTER = {
    "id": (Kind.INTEGER, "bigint"),
    "gender": (Kind.TEXT, "text"),
    "age": (Kind.INTEGER, "bigint"),
    "zip": (Kind.TEXT, "text"),
    "paid": (Kind.DECIMAL, "decimal(10, 2)"),
}
SHARES = {
    "gender": (Kind.TEXT, "text"),
    "age": (Kind.INTEGER, "bigint"),
    "share": (Kind.FLOAT, "double precision"),
}
ODD = {
    'Odd "Name"': (Kind.TEXT, "text"),
    "select": (Kind.TEXT, "text"),
    "a:b`c": (Kind.INTEGER, "bigint"),
    "größe, m²": (Kind.TEXT, "text"),
    "qi_1": (Kind.TEXT, "text"),
    "back\\slash": (Kind.TEXT, "text"),
}


@dataclass(frozen=True)
class Case:
    """Options of an assessment, and the dialects that have a golden file of it."""

    quasi_identifiers: Sequence[Any]
    options: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, tuple[Kind, str]] = field(default_factory=lambda: CLAIMS)
    dialects: tuple[str, ...] = DIALECTS


_POPULATION = {"population_table": "insurer.members", "population_columns": {"sex": "gender"}}
_PEOPLE = {"entity_id": "member_id"}
CASES: dict[str, Case] = {
    "plain": Case(["sex", "age", "zip"]),
    "numbers": Case(["age:band=5", "paid:band=0.25", "weight:cut=0,50.5,1000"]),
    "rounded": Case(["paid:round=-2", "weight:round=1", "age:cut=18,65"]),
    "numbers_from_text": Case(["age_text:band=10", "zip:cut=10000,50000", "icd:round=2"]),
    "texts": Case(
        ["zip:prefix=3", "age:prefix=1", sqlrisk.mapped("icd", {"A'1": "x", "B2": "y", "C\\3": "x"}, "Other"),
         sqlrisk.mapped("sex", {"m": "M", "f": "F"}), "insurance:prefix=8"]
    ),
    "normalised": Case(["icd:normalise=trim+casefold"]),
    "normal_form": Case(["icd:normalise=nfc+casefold"], dialects=("duckdb", "postgres", "bigquery")),
    "dates": Case(["admitted:truncate=year", "seen:truncate=week", "logged:truncate=month@Europe/Berlin"]),
    "times": Case(["seen:truncate=hour", "logged:truncate=hour", "started:time=minute"]),
    "times_in_a_zone": Case(["logged:truncate=hour@Europe/Berlin", "seen:time=hour"]),
    "weekdays": Case(["admitted:weekday", "logged:weekday@America/New_York", "seen:truncate=quarter"]),
    "dates_from_text": Case(["day_text:truncate=week", "zip:weekday", "icd:truncate=hour", "age_text:time=minute"]),
    "where": Case(["sex", "age"], {"where": "Age BETWEEN 18 AND 64 AND zip LIKE '02%' AND NOT smoker IS NULL"}),
    "nulls_exclude_suppressed": Case(["sex", "zip:prefix=3", "age:band=5"], {"nulls": "exclude", "suppressed": "*'"}),
    "suppressed": Case(["sex", "insurance"], {"suppressed": "*"}),
    "one_column": Case(["sex"], {"nulls": "exclude"}),
    "multiset": Case(["sex", "paid", "weight", "logged", "insurance", "smoker"], _PEOPLE),
    "multiset_exclude_suppressed": Case(
        ["sex", "age:band=5"], {**_PEOPLE, "nulls": "exclude", "suppressed": "*"}
    ),
    "distinct": Case(["sex", "age:band=5"], {**_PEOPLE, "entity_counting": "distinct", "nulls": "exclude"}),
    "population": Case(["sex", "age:band=5"], {**_POPULATION, "population_where": "age >= 18", "suppressed": "*"}),
    "population_people": Case(
        ["sex", "paid:round=0"], {**_POPULATION, "population_entity_id": "id", "nulls": "exclude"}
    ),
    "population_multiset": Case(["sex", "age"], {**_POPULATION, **_PEOPLE, "population_entity_id": "id"}),
    "population_distinct": Case(["sex", "age"], {**_POPULATION, **_PEOPLE, "entity_counting": "distinct"}),
    "population_distinct_people": Case(
        ["sex", "age", "zip:prefix=2"],
        {**_POPULATION, **_PEOPLE, "entity_counting": "distinct", "population_entity_id": "id", "nulls": "exclude"},
    ),
    "weight": Case(["sex", "age:band=5"], {"weight": "weight"}),
    "weight_and_household": Case(
        ["sex", "paid"], {"weight": "paid", "household": "insurance", "nulls": "exclude", "suppressed": "*"}
    ),
    "weight_from_text": Case(["sex"], {"weight": "age_text", "household": "zip", "where": "age > 3"}),
    "weight_multiset": Case(["sex", "weight"], {**_PEOPLE, "weight": "paid", "household": "insurance", "nulls": "exclude"}),
    "weight_population": Case(["sex", "age"], {**_POPULATION, "weight": "weight", "household": "member_id"}),
    "weight_population_multiset": Case(
        ["sex", "age"],
        {**_POPULATION, **_PEOPLE, "population_entity_id": "id", "weight": "weight", "household": "paid", "suppressed": "*"},
    ),
    "weight_partition": Case(["weight:round=1", "sex"], {"weight": "weight", "household": "member_id"}),
    "sensitive": Case(["sex", "age"], {"sensitive": ["icd", "paid:numeric", "age_text:ordered"], "suppressed": "*"}),
    "sensitive_limits": Case(
        ["sex", "zip"],
        {"sensitive": ["smoker", {"icd": {"map": {"A1": "A", "A'2": "A", "B1": "B"}}}], "sensitive_nulls": "ignore",
         "nulls": "exclude", "min_l": 2, "max_t": 0.5, "max_recursive_c": 3, "max_beta": 1},
    ),
    "sensitive_people": Case(["sex", "age"], {**_PEOPLE, "sensitive": ["icd", "paid:numeric"]}),
    "wildcard": Case(["sex", "age:band=5", "zip"], {"nulls": "wildcard", "suppressed": "*"}),
    "wildcard_population": Case(
        ["sex", "age"], {**_POPULATION, "nulls": "wildcard", "population_entity_id": "id", "sensitive": ["icd"]}
    ),
    "weight_wildcard": Case(
        ["sex", "age"], {"nulls": "wildcard", "weight": "weight", "household": "member_id", "suppressed": "*"}
    ),
    "model": Case(
        ["sex", "age:band=5", "zip:prefix=2"], {"population_model": MODEL, "sensitive": ["icd"], "suppressed": "*"}
    ),
    "model_wildcard": Case(["sex", "age", "zip"], {"population_model": MODEL, "nulls": "wildcard"}),
    "query": Case(
        ["sex", "age:band=5"],
        {"query": "WITH recent AS (SELECT Sex, Age, Admitted FROM Analytics.Claims AS c WHERE c.Year = 2025) "
                  "SELECT * FROM recent WHERE NOT EXISTS (SELECT 1 FROM optouts AS o WHERE o.sex = recent.sex)"},
    ),
    "query_with_population": Case(
        ["sex"], {"query": "SELECT sex FROM classes UNION ALL SELECT sex FROM release", **_POPULATION}
    ),
    "names": Case(
        ['"Odd ""Name"""', "select", '"a:b`c":band=5', "größe, m²", "qi_1", "back\\slash:prefix=2"],
        {"where": None},
        columns=ODD,
    ),
    "steps_of_the_same_name": Case(["sex"], {"table": "classes"}),
    "project": Case(["sex"], {"table": "my--project-12.data_set.events_2025"}, dialects=("bigquery",)),
    "project_in_backticks": Case(
        ["sex"],
        {"table": "`p-12c1.data.claims`", "population_table": "`p-12c1`.`data`.`members`",
         "population_columns": {"sex": "gender"}},
        dialects=("bigquery",),
    ),
    "wildcard_table": Case(["sex"], {"table": "data.events_*"}, dialects=("bigquery",)),
}  # fmt: skip


class Catalogue(Warehouse):
    """Knows its columns, and runs nothing."""

    def __init__(self, dialect: str, columns: dict[str, tuple[Kind, str]]) -> None:
        super().__init__(Guards())
        self.dialect = dialect
        self._columns = columns

    def columns(self, relation: Relation) -> list[Column]:
        others = {"members": REGISTER, "shares": SHARES}
        columns = others.get(relation.label.rpartition(".")[2], self._columns)
        return [Column(name, kind, type_name) for name, (kind, type_name) in columns.items()]

    def tables(self) -> list[str]:
        return []

    def _execute(self, sql: str) -> Iterator[Sequence[tuple]]:
        raise NotImplementedError

    def _cancel(self) -> None:
        raise NotImplementedError

    def _error(self, problem: Exception, purpose: str) -> Exception:
        return problem


def written(case: Case, dialect: str) -> str:
    """The statement of a case."""
    options = {"quasi_identifiers": list(case.quasi_identifiers), **case.options}
    if "query" not in options:
        options.setdefault("table", "analytics.claims")
    document = Document()
    document.override(options)
    return prepare(document.validate(), Source(Catalogue(dialect, case.columns))).sql + "\n"


FILES = [
    pytest.param(name, dialect, id=f"{dialect}-{name}") for name, case in CASES.items() for dialect in case.dialects
]


def _read(name: str, dialect: str) -> str:
    # Byte for byte: a literal of white space holds a carriage return.
    return (GOLDEN / dialect / f"{name}.sql").read_bytes().decode()


@pytest.mark.parametrize(("name", "dialect"), FILES)
def test_the_statement_is_the_golden_one(name: str, dialect: str):
    file = GOLDEN / dialect / f"{name}.sql"
    text = written(CASES[name], dialect)
    if os.environ.get(UPDATE) == "1":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    assert file.is_file(), f"there is no {file}; {UPDATE}=1 writes it"
    assert text == _read(name, dialect)


@pytest.mark.parametrize(("name", "dialect"), FILES)
def test_it_parses_again(name: str, dialect: str):
    text = _read(name, dialect)
    (tree,) = sqlglot.parse(text, read=dialect)
    assert isinstance(tree, exp.Query)
    assert not list(tree.find_all(exp.Command))
    # What stands there is what the tree means: written again, it does not change.
    again = tree.sql(dialect, pretty=True, identify=True) + "\n"
    if dialect == "spark":  # whose time zone functions the parser wraps in casts
        text, again = again, sqlglot.parse_one(again, read=dialect).sql(dialect, pretty=True, identify=True) + "\n"
    assert again == text


def test_no_file_is_left_over():
    expected = {f"{parameter.values[1]}/{parameter.values[0]}.sql" for parameter in FILES}
    assert {str(file.relative_to(GOLDEN)) for file in GOLDEN.glob("*/*")} == expected


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_command_s_statement_is_the_same(dialect: str):
    """Without a look-up, where no type matters."""
    options = {"table": "analytics.claims", "quasi_identifiers": ["sex", "age", "zip"]}
    assert sqlrisk.statement(dialect=dialect, **options) + "\n" == written(CASES["plain"], dialect)


_SHADOW = Case(
    ["sex"],
    {
        "query": "WITH members AS (SELECT sex FROM claims), classes AS (SELECT 1 AS n) SELECT sex FROM members",
        "population_table": "members",
        "population_columns": {"sex": "gender"},
    },
)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_of_the_user_s_query_end_with_it(dialect: str):
    """A CTE of --query must not stand in for the population table, nor collide with a step of ours."""
    if dialect == "spark":  # where sqlglot moves it to the top
        with pytest.raises(RequestError, match="has the name of a table that is read too"):
            written(_SHADOW, dialect)
        return
    tree = sqlglot.parse_one(written(_SHADOW, dialect), read=dialect)
    for clause in tree.find_all(exp.With):
        names = [cte.alias.lower() for cte in clause.expressions]
        assert len(names) == len(set(names)), names
    scopes = {scope.expression.parent.alias: scope for scope in traverse_scope(tree) if scope.is_cte}
    assert isinstance(scopes["population"].sources["source"], exp.Table), "the query's CTE is read as the population"


@pytest.mark.parametrize("quasi_identifiers", [["sex", "weight"], ["sex", "paid:band=0.25"]])
@pytest.mark.parametrize("population", [{}, {**_POPULATION, "population_columns": {"sex": "gender", "weight": "paid"}}])
def test_bigquery_partitions_by_no_float(quasi_identifiers: list[str], population: dict[str, Any]):
    """BigQuery groups by FLOAT64, but does not partition by it; the reference engine is laxer."""
    if population:
        quasi_identifiers, population = ["sex", "paid:band=0.25"], _POPULATION
    options = {**_PEOPLE, "entity_counting": "distinct", **population}
    sql = written(Case(quasi_identifiers, options), "bigquery")
    windows = list(sqlglot.parse_one(sql, read="bigquery").find_all(exp.Window))
    assert windows
    for window in windows:
        assert "qi_2" not in [key.name for key in window.args["partition_by"] if isinstance(key, exp.Column)]


def _create(name: str, columns: dict[str, tuple[Kind, str]]) -> str:
    listed = ", ".join('"' + column.replace('"', '""') + f'" {type_name}' for column, (_, type_name) in columns.items())
    return f"CREATE TABLE {name} ({listed})"


_TABLES = [
    "CREATE SCHEMA analytics",
    "CREATE SCHEMA insurer",
    _create("insurer.members", REGISTER),
    _create("insurer.shares", SHARES),
    _create("classes", CLAIMS),
    _create("release", CLAIMS),
    "CREATE TABLE optouts (sex text)",
]
_HERE = [name for name, case in CASES.items() if "duckdb" in case.dialects]


def _claims(name: str) -> str:
    year = {"year": (Kind.INTEGER, "bigint")} if "query" in CASES[name].options else {}
    return _create("analytics.claims", {**CASES[name].columns, **year})


@pytest.mark.parametrize("name", _HERE)
def test_it_runs_on_duckdb(name: str):
    import duckdb

    with duckdb.connect(":memory:") as connection:
        for statement in [*_TABLES, _claims(name)]:
            connection.execute(statement)
        rows = connection.execute(_read(name, "duckdb")).fetchall()
    # Of empty tables there are no classes; the arms of the population and of the survey have one row each.
    assert all(row[0] in ONE_ROW for row in rows)


@pytest.fixture(scope="module")
def pg() -> Iterator[str]:
    try:
        server = postgres.start()
    except EngineMissing as missing:
        if is_required("postgres"):
            pytest.fail(missing.reason)
        pytest.skip(missing.reason)
    yield server.url
    server.stop()


@pytest.mark.parametrize("name", _HERE)
def test_it_runs_on_postgres(name: str, pg: str):
    import psycopg

    with psycopg.connect(pg) as connection:
        for statement in [*_TABLES, _claims(name)]:
            connection.execute(statement.replace("CREATE TABLE classes", "CREATE TEMP TABLE classes"))
        rows = connection.execute(_read(name, "postgres").encode()).fetchall()
        connection.rollback()
    assert all(row[0] in ONE_ROW for row in rows)
