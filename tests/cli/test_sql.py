"""`sqlrisk sql`: the statement that an assessment sends, in any dialect, sending nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot

import sqlrisk
from sqlrisk.cli.sql import command
from sqlrisk.sql.dialect import DIALECTS
from sqlrisk.warehouse.base import Warehouse
from tests.cli.conftest import Place, Run, Server, Sources
from tests.engines.starters import free_port

QUASI = ["-q", "sex", "-q", "age:band=5"]


def sent(document: sqlrisk.Assessment) -> str:
    """The statement of a run, without the comment that leads it."""
    return document.queries[-1].sql.partition("*/\n")[2]


def printed(done: Run) -> str:
    """The statement that was printed, without its notes."""
    assert (done.code, done.err) == (0, ""), done
    lines = [line for line in done.out.splitlines() if not line.startswith("-- ")]
    assert lines[-1].endswith(";")
    return "\n".join(lines).removesuffix(";")


@pytest.fixture
def nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Warehouse, "fetch", lambda *_: pytest.fail("a statement was sent"))


class TestStatement:
    def test_it_is_what_an_assessment_sends(self, run, place: Place):
        table = {} if place.kind in {"csv", "parquet"} else {"table": place.arguments[-1]}
        options = {"quasi_identifiers": ["sex", "age:band=5"], "where": "sex = 'F'", "nulls": "exclude"}
        arguments = [*place.arguments, *QUASI, "--where", "sex = 'F'", "--nulls", "exclude"]
        statement = sent(sqlrisk.assess(place.arguments[0], **table, **options))
        assert printed(run("sql", *arguments)) == statement
        assert sqlrisk.statement(place.arguments[0], **table, **options) == statement

    def test_it_runs(self, run, sources: Sources, pg: Server):
        import duckdb

        statement = printed(run("sql", sources.database, "--table", "claims", *QUASI))
        with duckdb.connect(str(sources.database), read_only=True) as connection:
            rows = connection.execute(statement).fetchall()
        assert sum(row[1] * row[3] for row in rows) == 59
        statement = printed(run("sql", pg.url, "--table", pg.table(), *QUASI))
        assert sorted(pg.execute(statement)) == sorted(rows)

    @pytest.mark.parametrize("dialect", [*DIALECTS, "postgresql", "DuckDB"])
    def test_dialects_without_a_source(self, run, dialect: str, nothing_is_sent):
        statement = printed(run("sql", "--dialect", dialect, "--table", "data.claims", *QUASI))
        sqlglot.parse_one(statement, read={"postgresql": "postgres"}.get(dialect, dialect.lower()))
        assert "claims" in statement

    def test_another_dialect_than_the_source_s(self, run, sources: Sources, nothing_is_sent):
        statement = printed(run("sql", sources.database, "--dialect", "bigquery", "--table", "p-1.d.t", *QUASI))
        assert "`p-1`.`d`.`t`" in statement

    @pytest.mark.parametrize("scheme", ["postgresql", "bigquery"])
    def test_a_url_is_not_connected_to(self, run, scheme: str, nothing_is_sent):
        url = f"{scheme}://user:pass@127.0.0.1:{free_port()}/db" if scheme == "postgresql" else "bigquery://p/d"
        statement = printed(run("sql", url, "--table", "claims", *QUASI))
        assert ('"claims"' if scheme == "postgresql" else "`claims`") in statement

    def test_types_that_were_not_looked_up_are_noted(self, run):
        done = run("sql", "--dialect", "postgres", "--table", "claims", *QUASI)
        assert done.out.startswith("-- types were not looked up: `age` is taken to be integer\n")

    def test_notes_stay_comments(self, run):
        """A column's name is somebody else's text: a line break in it must not end the comment."""
        done = run("sql", "--dialect", "postgres", "--table", "claims", "-q", "a\nDROP TABLE claims; --:band=5")
        notes, _, _ = done.out.partition("WITH ")
        assert all(line.startswith("-- ") for line in notes.splitlines())
        sqlglot.parse_one(done.out.removesuffix(";\n"), read="postgres")

    def test_a_file_needs_no_table(self, run, sources: Sources):
        assert "READ_CSV" in printed(run("sql", sources.csv, *QUASI))

    def test_a_policy(self, run, tmp_path: Path):
        file = tmp_path / "policy.yaml"
        file.write_text("version: 1\nrelease: {table: claims, quasi_identifiers: [sex, age: {band: 5}]}\n")
        assert run("sql", "--policy", file, "--dialect", "spark") == run(
            "sql", "--table", "claims", *QUASI, "--dialect", "spark"
        )

    def test_max_rows_travels_with_the_statement(self, run, sources: Sources):
        arguments = ["sql", sources.database, "--table", "claims", *QUASI]
        assert printed(run(*arguments)).endswith("LIMIT 100001")
        assert printed(run(*arguments, "--max-rows", 7)).endswith("LIMIT 8")

    def test_nothing_of_the_driver_is_needed(self, run, monkeypatch: pytest.MonkeyPatch):
        for module in ("psycopg", "google.cloud", "duckdb", "pandas"):
            for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
                monkeypatch.delitem(sys.modules, name)
            monkeypatch.setitem(sys.modules, module, None)
        for dialect in DIALECTS:
            printed(run("sql", "--dialect", dialect, "--table", "claims", *QUASI))
        printed(run("sql", "postgresql://host/db", "--table", "claims", *QUASI))
        printed(run("sql", "bigquery://project/dataset", "--table", "claims", *QUASI))


class TestPreview:
    def test_postgres(self, run, pg: Server, nothing_is_sent):
        done = run("sql", pg.url, "--table", pg.table(), *QUASI, "--preview")
        assert done.code == 0
        assert done.out.rstrip().endswith(";")
        assert done.err.startswith("sqlrisk: ") and "rows scanned" in done.err and "planner cost" in done.err

    def test_files(self, run, sources: Sources):
        done = run("sql", sources.csv, *QUASI, "--preview")
        assert done.code == 0
        assert f"{sources.csv.stat().st_size:,} bytes scanned" in done.err

    def test_an_engine_that_does_not_tell(self, refused, sources: Sources):
        assert "DuckDB" in refused(2, "sql", sources.database, "--table", "claims", *QUASI, "--preview")

    def test_it_needs_the_source(self, refused, sources: Sources):
        refused(2, "sql", "--dialect", "postgres", "--table", "claims", *QUASI, "--preview")
        refused(2, "sql", sources.csv, "--dialect", "postgres", "--table", "claims", *QUASI, "--preview")

    def test_it_looks_columns_up(self, refused, pg: Server):
        line = refused(2, "sql", pg.url, "--table", pg.table(), "-q", "sx", "--preview")
        assert "did you mean `sex`?" in line


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--dialect", "oracle", "--table", "t", "-q", "a"], "oracle"),
            (["--dialect", "postgress", "--table", "t", "-q", "a"], "did you mean `postgres`"),
            (["--dialect", "postgres", "-q", "a"], "--table"),
            (["--dialect", "postgres", "--table", "t"], "quasi-identifier"),
            (["--table", "t", "-q", "a"], "SQLRISK_URL"),
            (["--dialect", "postgres", "--query", "DELETE FROM t", "-q", "a"], "--query"),
            (["--dialect", "postgres", "--table", "t", "-q", "a", "--where", "a ="], "--where"),
            (["--dialect", "spark", "--table", "t", "-q", "a:normalise=nfc"], "nfc"),
            (["--dialect", "bigquery", "--table", "a.b.c.d", "-q", "a"], "a.b.c.d"),
            (["--dialect", "postgres", "--table", "t", "-q", "a", "--min-k", "5"], "--min-k"),
        ],
    )
    def test_one_line(self, refused: Callable[..., str], arguments: list[str], said: str):
        assert said in refused(2, "sql", *arguments)


def test_options_are_those_of_assess_about_the_release():
    from sqlrisk.cli.options import GUARDS, RELEASE

    shared = len(RELEASE) + len(GUARDS)
    assert {parameter.name for parameter in command.params} >= {"source", "dialect", "preview", "policy", "max_rows"}
    assert len(command.params) == shared + 3
