"""Names of tables and columns: split, quoted and found by sqlrisk itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlrisk.errors import RequestError
from sqlrisk.sql.dialect import DIALECTS
from sqlrisk.sql.relation import Column, Kind, TableName, find_column
from sqlrisk.sql.user_sql import parse_query

NAMES = [
    ("duckdb", "people", ['"people"']),
    ("duckdb", "main.people", ['"main"."people"']),
    ("duckdb", "memory.main.people", ['"memory"."main"."people"']),
    ("duckdb", '"Odd.Schema".people', ['"Odd.Schema"."people"']),
    ("duckdb", '"a""b"', ['"a""b"']),
    ("duckdb", '""""', ['""""']),
    ("duckdb", "a b", ['"a b"']),
    ("duckdb", "t; drop table t", ['"t; drop table t"']),
    ("duckdb", "t -- x", ['"t -- x"']),
    ("duckdb", " people ", ['"people"']),
    ("duckdb", "select", ['"select"']),
    ("duckdb", "events_*", ['"events_*"']),
    ("postgres", "people", ['"people"']),
    ("postgres", "People", ['"People"', '"people"']),
    ("postgres", '"People"', ['"People"']),
    ("postgres", "Sch.People", ['"Sch"."People"', '"sch"."people"']),
    ("postgres", 'Sch."People"', ['"Sch"."People"', '"sch"."People"']),
    ("postgres", "Äpfel", ['"Äpfel"', '"äpfel"']),
    ("bigquery", "data.people", ["`data`.`people`"]),
    ("bigquery", "Data.People", ["`Data`.`People`"]),
    ("bigquery", "my-project.data.t", ["`my-project`.`data`.`t`"]),
    ("bigquery", "my--project.data.t", ["`my--project`.`data`.`t`"]),
    ("bigquery", "p-12c1.data.t", ["`p-12c1`.`data`.`t`"]),
    ("bigquery", "`my-project.data.t`", ["`my-project`.`data`.`t`"]),
    ("bigquery", "`my-project`.data.t", ["`my-project`.`data`.`t`"]),
    ("bigquery", "`my-project`.`data`.`t`", ["`my-project`.`data`.`t`"]),
    ("bigquery", "`my-project.data`.t", ["`my-project`.`data`.`t`"]),
    ("bigquery", "data.events_*", ["`data`.`events_*`"]),
    ("bigquery", "`p.data.events_*`", ["`p`.`data`.`events_*`"]),
    ("bigquery", "`example.com:project.data.t`", ["`example.com:project`.`data`.`t`"]),
    ("bigquery", "`example.com:project`.data.t", ["`example.com:project`.`data`.`t`"]),
    ("bigquery", "data.t$20250101", ["`data`.`t$20250101`"]),
    ("spark", "db.People", ["`db`.`People`"]),
    ("spark", "`odd.db`.t", ["`odd.db`.`t`"]),
]

NO_NAMES = [
    ("duckdb", ""),
    ("duckdb", "  "),
    ("duckdb", "."),
    ("duckdb", "a."),
    ("duckdb", ".a"),
    ("duckdb", "a..b"),
    ("duckdb", "a.b.c.d"),
    ("duckdb", '""'),
    ("duckdb", '"a'),
    ("duckdb", '"a""'),
    ("duckdb", '"a"b'),
    ("duckdb", '"a" "b"'),
    ("duckdb", '"a".'),
    ("postgres", '"a"."'),
    ("bigquery", "``"),
    ("bigquery", "`a"),
    ("bigquery", "`a`b`"),
    ("bigquery", "`a.b.c.d`"),
    ("bigquery", "a.b.c.d"),
]


@pytest.mark.parametrize(("dialect", "text", "expected"), NAMES)
def test_table_name(dialect, text, expected):
    found = TableName.parse(text, dialect).candidates(dialect)
    assert [name.relation().source.sql(dialect, identify=True) for name in found] == expected


@pytest.mark.parametrize(("dialect", "text"), NO_NAMES)
def test_no_table_name(dialect, text):
    with pytest.raises(RequestError) as caught:
        TableName.parse(text, dialect)
    assert caught.value.exit_code == 2


def test_domain_scoped_project_without_backticks():
    (name,) = TableName.parse("example.com:project.data.t", "bigquery").candidates("bigquery")
    assert name.relation().source.sql("bigquery", identify=True) == "`example.com:project`.`data`.`t`"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3))
def test_any_quoted_name_comes_back(parts):
    text = ".".join('"' + part.replace('"', '""') + '"' for part in parts)
    name = TableName.parse(text, "duckdb")
    assert [part for part, _ in name.parts] == parts
    assert name.relation().source.sql("duckdb", identify=True) == text


def test_label_and_empty_query():
    relation = TableName.parse('"S".t', "postgres").relation()
    assert relation.label == "S.t"
    assert relation.without_rows("postgres") == 'SELECT * FROM "S"."t" AS "source" LIMIT 0'
    assert parse_query("select 1 as a", DIALECTS["duckdb"]).label == "the query"


def columns(*names: str) -> list[Column]:
    return [Column(name, Kind.TEXT, "text") for name in names]


RELATION = TableName.parse("t", "duckdb").relation()


def test_column_found_exactly_before_alike():
    assert find_column("age", columns("AGE", "age"), "column", RELATION).name == "age"
    assert find_column("Age", columns("age", "b"), "column", RELATION).name == "age"
    assert find_column("user", columns("user"), "column", RELATION).name == "user"


def test_column_ambiguous_in_case():
    with pytest.raises(RequestError, match="ambiguous.*`AGE` and `age`"):
        find_column("Age", columns("AGE", "age"), "column", RELATION)


def test_column_missing_names_the_nearest():
    with pytest.raises(RequestError, match="quasi-identifier `agee` is not a column of t: did you mean `age`"):
        find_column("agee", columns("age", "sex"), "quasi-identifier", RELATION)
    with pytest.raises(RequestError, match="there is `age`, `sex`"):
        find_column("zzzzz", columns("age", "sex"), "quasi-identifier", RELATION)
    with pytest.raises(RequestError, match="and 1 more"):
        find_column("zzzzz", columns(*(f"c{n}" for n in range(13))), "quasi-identifier", RELATION)


def test_column_message_is_safe_to_print():
    with pytest.raises(RequestError) as caught:
        find_column("x\x1b[2J", columns("\x1b[31mred\n"), "column", RELATION)
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_kinds_that_are_numbers():
    assert {kind for kind in Kind if kind.is_number} == {Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT}
