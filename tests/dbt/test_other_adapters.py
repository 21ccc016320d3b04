"""The SQL for adapters that do not run here: the statement of sqlrisk for their dialect, and golden files of whole tests."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from sqlrisk.assessment import prepare
from sqlrisk.dbt import generate
from sqlrisk.sql.relation import Column, Kind
from tests.dbt.declarations import DECLARATIONS
from tests.dbt.rendering import Refused, render
from tests.dbt.test_drift import document_of, tree_of

GOLDEN = Path(__file__).parent / "golden"
OTHERS = ("bigquery", "snowflake", "databricks")
KINDS = {
    "people": {
        "id": Kind.INTEGER,
        "sex": Kind.TEXT,
        "age": Kind.INTEGER,
        "zip": Kind.TEXT,
        "height": Kind.FLOAT,
        "born": Kind.DATE,
        "seen": Kind.TIMESTAMP,
        "paid": Kind.DECIMAL,
        "stage": Kind.TEXT,
        "weekly": Kind.TIMESTAMP_TZ,
        "smoker": Kind.BOOLEAN,
    },
    "register": {
        "id": Kind.INTEGER,
        "gender": Kind.TEXT,
        "age": Kind.INTEGER,
        "zip": Kind.TEXT,
        "born": Kind.DATE,
        "seen": Kind.TIMESTAMP,
    },
}
TYPES = {
    "bigquery": ["INT64", "NUMERIC", "FLOAT64", "STRING", "BOOL", "DATE", "DATETIME", "TIMESTAMP"],
    "snowflake": [
        "NUMBER(38,0)",
        "NUMBER(10,2)",
        "FLOAT",
        "VARCHAR(10)",
        "BOOLEAN",
        "DATE",
        "TIMESTAMP_NTZ",
        "TIMESTAMP_TZ",
    ],
    "databricks": ["int", "decimal(10,2)", "double", "string", "boolean", "date", "timestamp_ntz", "timestamp"],
    "duckdb": [
        "INTEGER",
        "DECIMAL(10,2)",
        "DOUBLE",
        "VARCHAR",
        "BOOLEAN",
        "DATE",
        "TIMESTAMP",
        "TIMESTAMP WITH TIME ZONE",
    ],
}
_ORDER = [
    Kind.INTEGER,
    Kind.DECIMAL,
    Kind.FLOAT,
    Kind.TEXT,
    Kind.BOOLEAN,
    Kind.DATE,
    Kind.TIMESTAMP,
    Kind.TIMESTAMP_TZ,
]
# Spark has no Unicode normal form.
UNSAID = {("databricks", "nfc")}
_CALLS = {
    "k_anonymity": ("k_anonymity", [5], {"quasi_identifiers": ["sex", "age:band=5", "zip:prefix=3"]}),
    "share_at_risk_of_people": (
        "share_at_risk",
        [0.05, "1/11"],
        {"quasi_identifiers": ["sex", {"born": {"truncate": "month"}}], "entity_id": "id", "nulls": "exclude"},
    ),
    "journalist": (
        "max_record_risk",
        [0.2],
        {
            "quasi_identifiers": ["sex", "age:cut=18,65"],
            "attacker": "journalist",
            "population": {"table": "register", "columns": {"sex": "gender"}},
        },
    ),
    "t_closeness": ("t_closeness", ["stage", 0.4], {"quasi_identifiers": ["sex", "zip:prefix=3"], "suppressed": "*"}),
    "distinct": (
        "average_record_risk",
        [0.1],
        {"quasi_identifiers": ["height", "sex"], "entity_id": "id", "entity_counting": "distinct"},
    ),
}
GIVEN = {name: f"sqlrisk.test_{test}('people', *{own!r}, **{named!r})" for name, (test, own, named) in _CALLS.items()}


class _Known(prepare._Assume):
    """Columns of which the kinds are known."""

    def column(self, qi: Any, name: str, columns: None, relation: Any) -> Column:
        kind = KINDS[relation.own_name.lower()][name]
        return Column(name, kind, kind.value)

    def sensitive(self, item: Any, columns: None, relation: Any) -> Column:
        kind = KINDS["people"][item.column]
        return Column(item.column, kind, kind.value)


def _columns(adapter: str) -> dict[str, dict[str, str]]:
    types = dict(zip(_ORDER, TYPES[adapter], strict=True))
    return {table: {name: types[kind] for name, kind in kinds.items()} for table, kinds in KINDS.items()}


@pytest.mark.parametrize("adapter", OTHERS)
@pytest.mark.parametrize("name", DECLARATIONS)
def test_statement(name: str, adapter: str) -> None:
    """The composed statement is the one that sqlrisk plans in the adapter's dialect."""
    call = f"sqlrisk.statement_of('people', fromjson({json.dumps(json.dumps(DECLARATIONS[name]))}))"
    if (adapter, name) in UNSAID:
        with pytest.raises(Refused, match="cannot be generalised by normalise"):
            render(adapter, call, _columns(adapter))
        return
    dialect = generate.ADAPTERS[adapter]
    policy = document_of(DECLARATIONS[name]).validate()
    prepared = prepare.prepare_asked(policy, prepare._ask(policy, dialect, _Known()))
    own = dialect.write(prepared.plan.select)
    written = tree_of(render(adapter, call, _columns(adapter)), dialect.name)
    # Snowflake's unquoted names are in capitals: the package leaves those of conditions to the engine.
    assert _lower(written, dialect.name) == _lower(tree_of(own, dialect.name), dialect.name)


def _lower(tree: exp.Expression, dialect: str) -> str:
    for name in tree.find_all(exp.Identifier):
        name.set("this", name.this.lower())
    return tree.sql(dialect, pretty=True)


@pytest.mark.parametrize("adapter", OTHERS)
@pytest.mark.parametrize("name", GIVEN)
def test_golden(name: str, adapter: str) -> None:
    """The whole SQL of a test is what was looked at before; SQLRISK_UPDATE_GOLDEN=1 writes it anew."""
    sql = render(adapter, GIVEN[name], _columns(adapter))
    sqlglot.parse_one(sql, read=adapter)
    file = GOLDEN / f"{adapter}__{name}.sql"
    if os.environ.get("SQLRISK_UPDATE_GOLDEN"):
        file.write_text(sql, "utf-8")
    assert file.read_text("utf-8") == sql


def test_unknown_adapter() -> None:
    """An adapter that no SQL is written for is refused by name."""
    with pytest.raises(Refused, match="sqlrisk: the adapter sqlite is not known"):
        render("sqlite", GIVEN["k_anonymity"], _columns("duckdb"))
