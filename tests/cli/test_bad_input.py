"""Every bad input ends in one line that begins with `sqlrisk: `, the right exit code, and nothing half-done."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import duckdb
import pytest

import sqlrisk
from sqlrisk.warehouse.base import Warehouse
from tests.cli.conftest import Place, Run, Server, Sources, check_one_line
from tests.engines.starters import free_port

CLAIMS = ["--table", "claims", "-q", "sex"]


@pytest.fixture
def outputs_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "outputs"
    folder.mkdir()
    return folder


@pytest.fixture
def outputs(outputs_folder: Path) -> Iterator[list[str]]:
    """Options that ask for files; neither they nor parts of them may be there afterwards."""
    yield ["--output", str(outputs_folder / "risk.txt"), "--histogram", str(outputs_folder / "sizes.csv")]
    assert os.listdir(outputs_folder) == []


@pytest.fixture
def bad(refused: Callable[..., str], outputs: list[str]) -> Callable[..., str]:
    """An assessment that must fail: its exit code, then its arguments."""
    return lambda code, *arguments: refused(code, "assess", *arguments, *outputs)


class TestCommandLine:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--zzz"], "--zzz"),
            (["-z", "1"], "-z"),
            (["--tabel", "t"], "--table"),
            (["claims.csv", "another.csv"], "another.csv"),
            (["--table"], "--table"),
            (["--quiet=yes"], "--quiet"),
        ],
    )
    def test_unknown_options(self, refused, arguments: list[str], said: str):
        assert said in refused(2, "assess", *arguments)

    def test_unknown_command(self, refused):
        assert "asess" in refused(2, "asess", "claims.csv")

    def test_no_source(self, bad):
        assert "SQLRISK_URL" in bad(2, "-q", "sex")

    def test_empty_source(self, bad, monkeypatch):
        monkeypatch.setenv("SQLRISK_URL", "")
        assert "SQLRISK_URL" in bad(2, "-q", "sex")

    def test_unset_variable(self, bad):
        assert "SQLRISK_NO_SUCH" in bad(2, "postgresql://u:${SQLRISK_NO_SUCH}@h/d", *CLAIMS)

    @pytest.mark.parametrize(
        "name", ["spark", "snowflake", "databricks", "mysql", "sqlite", "mssql", "clickhouse", "trino", "redshift"]
    )
    def test_sources_of_later_versions(self, bad, name: str):
        assert f"{name}://" in bad(2, f"{name}://host/database", *CLAIMS)

    def test_unknown_scheme(self, bad):
        assert "postgresql" in bad(2, "postgresq://host/database", *CLAIMS)

    @pytest.mark.parametrize("option", ["--output", "--histogram"])
    def test_unwritable_output(self, refused, sources: Sources, tmp_path: Path, option: str):
        for path in (tmp_path / "nowhere" / "file", tmp_path):
            line = refused(2, "assess", sources.csv, "-q", "sex", option, path)
            assert str(path) in line and "cannot be written" in line

    @pytest.mark.parametrize("option", ["--output", "--histogram"])
    def test_output_without_the_right(self, refused, sources, open_folder: Path, without_rights, option: str):
        (open_folder / "claims.csv").write_text(sources.csv.read_text())
        (open_folder / "claims.csv").chmod(0o644)
        open_folder.chmod(0o555)
        with without_rights():
            line = refused(2, "assess", open_folder / "claims.csv", "-q", "sex", option, open_folder / "file")
        assert "cannot be written" in line
        assert os.listdir(open_folder) == ["claims.csv"]

    def test_nothing_is_measured_before_an_unwritable_output_is_refused(self, refused, sources, tmp_path, monkeypatch):
        monkeypatch.setattr(Warehouse, "fetch", lambda *_: pytest.fail("a statement was sent"))
        refused(2, "assess", sources.csv, "-q", "sex", "--output", tmp_path / "nowhere" / "file")


class TestPolicyValues:
    @pytest.mark.parametrize(
        "text", ["0", "-0.1", "1.5", "2/0", "abc", "k=0", "", "k=-1", "1/5/2", "nan", "inf", "0/5", "6/5"]
    )
    def test_threshold_outside(self, bad, sources: Sources, text: str):
        assert "--threshold" in bad(2, sources.csv, "-q", "sex", "--threshold", text)

    @pytest.mark.parametrize(
        ("option", "value"),
        [
            ("--min-k", "0"),
            ("--min-k", "x"),
            ("--min-k", "2.5"),
            ("--max-sample-uniques", "1.5"),
            ("--max-sample-uniques", "-1"),
            ("--max-excluded", "many"),
            ("--timeout", "0"),
            ("--timeout", "-1"),
            ("--timeout", "soon"),
            ("--timeout", "nan"),
            ("--timeout", "inf"),
            ("--timeout", "1e10"),
            ("--max-bytes", "0"),
            ("--max-bytes", "1GB"),
            ("--max-rows", "0"),
            ("--nulls", "maybe"),
            ("--unparseable", "zero"),
            ("--entity-counting", "some"),
            ("--format", "pdf"),
            ("--format", "agreement"),
            ("--profile", "k4"),
            ("--context", "deliberate=2"),
            ("--context", "deliberate"),
            ("--context", "deliberate=0.3"),
            ("--context", "justification=x"),
            ("--agreement", "valid_until=soon"),
            ("--agreement", "recipent=x"),
            ("--attacker", "neighbour"),
        ],
    )
    def test_other_values(self, bad, sources: Sources, option: str, value: str):
        line = bad(2, sources.csv, "-q", "sex", option, value)
        assert option in line

    def test_wildcard_has_no_class_sizes_to_write(self, bad, sources: Sources, tmp_path: Path):
        line = bad(2, sources.csv, "-q", "sex", "--nulls", "wildcard", "--histogram", str(tmp_path / "sizes.csv"))
        assert "--nulls" in line and "wildcard" in line

    @pytest.mark.parametrize("limit", ["--max-highest-risk", "--max-average-risk", "--max-share-at-risk"])
    def test_a_limit_needs_an_attacker(self, bad, sources: Sources, limit: str):
        line = bad(2, sources.csv, "-q", "sex", limit, "0.2")
        assert limit in line and "--attacker" in line

    @pytest.mark.parametrize("limit", ["--max-highest-risk", "--max-share-at-risk"])
    def test_a_marketer_has_only_an_average(self, bad, sources: Sources, limit: str):
        line = bad(2, sources.csv, "-q", "sex", "--attacker", "marketer", limit, "0.2")
        assert limit in line and "--max-average-risk" in line

    def test_table_and_query(self, bad, sources: Sources):
        line = bad(2, sources.database, *CLAIMS, "--query", "SELECT * FROM claims")
        assert "query" in line and "table" in line

    @pytest.mark.parametrize(
        "option",
        [["--population-columns", "zip=zip"], ["--population-where", "age > 1"], ["--population-entity-id", "id"]],
    )
    def test_population_options_need_its_table(self, bad, sources: Sources, option: list[str]):
        assert option[0] in bad(2, sources.database, *CLAIMS, *option)

    @pytest.mark.parametrize("text", ["zip", "zip=", "=zip", "zip=zip,", ""])
    def test_population_columns(self, bad, sources: Sources, text: str):
        assert "--population-columns" in bad(
            2, sources.database, *CLAIMS, "--population-table", "register", "--population-columns", text
        )

    def test_population_columns_of_no_quasi_identifier(self, bad, sources: Sources):
        line = bad(2, sources.database, *CLAIMS, "--population-table", "register", "--population-columns", "sx=sex")
        assert "`sx`" in line and "did you mean `sex`" in line

    @pytest.mark.parametrize(
        "text",
        [
            "age:band=0", "age:band", "age:band=x", "age:bnd=5", "age:cut=3,2", "age:round=1.5", "zip:prefix=0", "",
            ":band=5", '"age', "admitted:truncate=decade", "admitted:time=second", "admitted:truncate=day@Mars/Base",
            "age:map=nowhere.csv", "zip:normalise=shout", "age:band=5:else=x",
        ],
    )  # fmt: skip
    def test_generalisations(self, bad, sources: Sources, text: str):
        bad(2, sources.csv, "-q", text)


class TestColumns:
    def test_none(self, bad, place: Place):
        assert "quasi-identifier" in bad(2, *place.arguments)

    def test_typo(self, bad, place: Place):
        assert "did you mean `admitted`?" in bad(2, *place.arguments, "-q", "admited")

    def test_typo_in_the_population(self, bad, place: Place):
        population = ["--population-table", place.register, "--population-columns", "sex=gender,zip=zp"]
        line = bad(2, *place.arguments, "-q", "zip", "-q", "sex", *population)
        assert "`zp` is not a column" in line and "did you mean `zip`?" in line

    def test_typo_in_where(self, bad, place: Place):
        line = bad(2, *place.arguments, "-q", "sex", "--where", "agee > 3")
        assert "--where" in line and "`agee`" in line and "did you mean `age`?" in line

    def test_typo_in_the_entity_id(self, bad, place: Place):
        assert "did you mean `member_id`?" in bad(2, *place.arguments, "-q", "sex", "--entity-id", "memberid")

    @pytest.mark.parametrize("second", ["sex", "SEX", "sex:prefix=1"])
    def test_duplicates(self, bad, place: Place, second: str):
        assert "`sex` is given twice" in bad(2, *place.arguments, "-q", "sex", "-q", second)

    @pytest.mark.parametrize(
        ("column", "said"),
        [("address", '"address"."city"'), ("list", "INTEGER[]"), ("document", "JSON"), ("tags", "MAP")],
    )
    def test_types_that_cannot_be_grouped_on_duckdb(self, bad, sources: Sources, column: str, said: str):
        line = bad(2, sources.database, "--table", "odd", "-q", column)
        assert f"`{column}`" in line and said in line and "cannot be grouped" in line

    @pytest.mark.parametrize(
        ("column", "type_name"),
        [
            ("document", "json"),
            ("binary_document", "jsonb"),
            ("list", "_int4"),
            ("place", "point"),
            ("span", "int4range"),
        ],
    )
    def test_types_that_cannot_be_grouped_on_postgres(self, bad, pg: Server, column: str, type_name: str):
        line = bad(2, pg.url, "--table", pg.table("odd"), "-q", column)
        assert f"`{column}`" in line and type_name in line and "cannot be grouped" in line

    def test_generalisations_of_the_wrong_type(self, bad, sources: Sources):
        for text in (
            "admitted:band=5",
            "admitted:prefix=3",
            "age:truncate=month",
            "admitted:time=hour",
            "paid:map=x.csv",
        ):
            bad(2, sources.database, "--table", "claims", "-q", text)

    def test_values_that_do_not_convert(self, bad, sources: Sources):
        line = bad(3, sources.csv, "-q", "code:band=2")
        assert "2 values of `code`" in line and "--unparseable null" in line
        assert "unknown" not in line, "the value itself must not be shown"


class TestFiles:
    def test_a_duckdb_file_in_the_place_of_a_register(self, bad, sources: Sources):
        line = bad(2, sources.csv, "-q", "sex", "--population-table", sources.database)
        assert "is a DuckDB file" in line and "SOURCE" in line

    def test_a_csv_with_a_very_long_field(self, run, tmp_path: Path):
        (tmp_path / "notes.csv").write_text('sex;note\nF;"' + "x" * 200_000 + '"\nM;y\n')
        assert run("assess", tmp_path / "notes.csv", "-q", "sex", "--format", "json").code == 0

    @pytest.mark.parametrize("name", ["claims.csv", "claims.parquet", "claims.duckdb", "claims", "claims.csv.gz"])
    def test_missing(self, bad, tmp_path: Path, name: str):
        assert str(tmp_path / name) in bad(2, tmp_path / name, *CLAIMS[2:])

    def test_missing_by_url(self, bad, tmp_path: Path):
        assert str(tmp_path / "x.duckdb") in bad(2, f"duckdb:///{tmp_path}/x.duckdb", *CLAIMS)
        assert not (tmp_path / "x.duckdb").exists()

    def test_missing_population(self, bad, sources: Sources, tmp_path: Path):
        register = tmp_path / "register.csv"
        assert str(register) in bad(2, sources.csv, "-q", "sex", "--population-table", register)

    def test_folder(self, bad, tmp_path: Path):
        assert "folder" in bad(2, tmp_path, "-q", "sex")

    @pytest.mark.parametrize("name", ["claims.csv", "claims.parquet", "claims.duckdb", "register.csv"])
    @pytest.mark.parametrize("what", ["file", "folder"])
    def test_unreadable(self, bad, sources: Sources, open_folder: Path, without_rights, name: str, what: str):  # noqa: PLR0917
        original = sources.database if name.endswith("duckdb") else sources.folder / name
        (open_folder / "inside").mkdir()
        file = open_folder / "inside" / name
        file.write_bytes(original.read_bytes())
        arguments = [file, "-q", "sex", *(["--table", "claims"] if name.endswith("duckdb") else [])]
        (file if what == "file" else file.parent).chmod(0o000)
        try:
            with without_rights(), _writable_outputs():
                line = bad(3, *arguments)
        finally:
            file.parent.chmod(0o755)
        assert str(file) in line
        assert "permission" in line.lower()

    def test_unreadable_population(self, bad, sources: Sources, open_folder: Path, without_rights):
        for name in ("claims.csv", "register.csv"):
            (open_folder / name).write_bytes((sources.folder / name).read_bytes())
        (open_folder / "register.csv").chmod(0o000)
        with without_rights(), _writable_outputs():
            line = bad(3, open_folder / "claims.csv", "-q", "sex", "--population-table", open_folder / "register.csv")
        assert "permission" in line.lower()

    @pytest.mark.parametrize(
        ("name", "content", "code"),
        [
            ("empty.csv", b"", 3),
            ("blank.csv", b"\n\n\n", 3),
            ("ragged.csv", b"sex,age\nf,1\nm,2,3,4\nf\n", 3),
            ("quote.csv", b'sex,age\nf,"1\nm,2\n', 3),
            ("binary.csv", bytes(range(256)) * 8, 3),
            ("damaged.parquet", b"PAR1 and then nothing", 3),
            ("text.parquet", b"sex,age\nf,1\n", 3),
            ("damaged.duckdb", b"not a database" * 100, 3),
            ("short.duckdb", b"x", 3),
            ("damaged.csv.gz", b"not compressed", 3),
            ("claims.xlsx", b"PK\x03\x04", 2),
        ],
    )
    def test_damaged(self, bad, tmp_path: Path, name: str, content: bytes, code: int):
        (tmp_path / name).write_bytes(content)
        line = bad(code, tmp_path / name, "-q", "sex", *(["--table", "t"] if "duckdb" in name else []))
        assert name.partition(".")[0] in line

    def test_a_header_alone(self, bad, tmp_path: Path):
        (tmp_path / "claims.csv").write_bytes(b"sex,age\n")
        assert "empty" in bad(3, tmp_path / "claims.csv", "-q", "sex")

    def test_errors_in_a_csv_do_not_show_its_rows(self, bad, tmp_path: Path):
        file = tmp_path / "secret.csv"
        rows = "".join(f"f,{n}\n" for n in range(3000))
        file.write_text(f"sex,age\n{rows}m,MrsMiller,MrsSmith,4711\n")
        line = bad(3, file, "-q", "sex")
        assert "Miller" not in line and "Smith" not in line and "4711" not in line

    def test_a_database_that_another_process_writes(self, bad, tmp_path: Path):
        file = tmp_path / "busy.duckdb"
        program = (
            "import duckdb, sys; c = duckdb.connect(sys.argv[1]); c.execute('CREATE TABLE claims AS SELECT 1 AS sex'); "
            "print('ready', flush=True); sys.stdin.read()"
        )
        writer = subprocess.Popen(
            [sys.executable, "-c", program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            assert writer.stdout.readline() == "ready\n"
            for source in (file, f"duckdb:///{file}"):
                line = bad(3, source, *CLAIMS)
                assert str(file) in line and "another process" in line
        finally:
            writer.communicate("", timeout=30)

    def test_a_database_that_this_process_writes(self, sources: Sources, tmp_path: Path):
        with duckdb.connect(str(tmp_path / "busy.duckdb")) as connection:
            connection.execute("CREATE TABLE claims AS SELECT 1 AS sex")
            with pytest.raises(sqlrisk.MeasurementError, match="in this process"):
                sqlrisk.assess(tmp_path / "busy.duckdb", table="claims", quasi_identifiers=["sex"])

    def test_which_table(self, bad, sources: Sources):
        line = bad(2, sources.database, "-q", "sex")
        assert "--table" in line and "claims" in line

    def test_a_file_that_disappears(self, bad, sources: Sources, tmp_path: Path, monkeypatch):
        file = tmp_path / "claims.csv"
        file.write_bytes(sources.csv.read_bytes())
        _before_the_statement(monkeypatch, lambda _: file.unlink())
        assert "claims.csv" in bad(3, file, "-q", "sex")


@contextlib.contextmanager
def _writable_outputs() -> Iterator[None]:
    """pytest's folders are closed to other users, which `check_output` would see first."""
    patch = pytest.MonkeyPatch()
    patch.setattr("sqlrisk.cli.assess.check_output", lambda *_: None)
    try:
        yield
    finally:
        patch.undo()


def _before_the_statement(monkeypatch: pytest.MonkeyPatch, action: Callable[[Warehouse], object]) -> None:
    """Between look-up and statement, do something."""
    fetch = Warehouse.fetch

    def later(self: Warehouse, purpose: str, sql: str) -> list[tuple]:
        action(self)
        return fetch(self, purpose, sql)

    monkeypatch.setattr(Warehouse, "fetch", later)


class TestTables:
    def test_missing(self, bad, sources: Sources, pg: Server):
        assert "did you mean `claims`" in bad(2, sources.database, "--table", "claim", "-q", "sex")
        line = bad(2, pg.url, "--table", pg.table("claim"), "-q", "sex")
        assert f"did you mean `{pg.table()}`" in line
        assert "there is no table" in bad(2, pg.url, "--table", "no_such_schema.claims", "-q", "sex")

    def test_missing_population(self, bad, sources: Sources, pg: Server):
        assert "`registr`" in bad(2, sources.database, *CLAIMS, "--population-table", "registr")
        bad(2, pg.url, "--table", pg.table(), "-q", "sex", "--population-table", pg.table("registr"))

    @pytest.mark.parametrize("name", ["", ".", "a.", "a.b.c.d", '"open', 'a"b"', "a..b"])
    def test_names_that_are_none(self, bad, sources: Sources, name: str):
        bad(2, sources.database, "--table", name, "-q", "sex")

    def test_no_permission(self, bad, pg: Server):
        line = bad(3, pg.restricted_url, "--table", pg.table(), "-q", "sex")
        assert "permission denied" in line and "claims" in line and "SELECT" in line

    def test_no_permission_for_the_schema(self, bad, pg: Server):
        line = bad(3, pg.restricted_url, "--table", f"{pg.schema}_closed.claims", "-q", "sex")
        assert "permission denied" in line

    def test_no_permission_for_the_population(self, bad, pg: Server):
        pg.execute(f"CREATE TABLE {pg.table('granted')} AS SELECT * FROM {pg.table()}")
        pg.execute(f"GRANT SELECT ON {pg.table('granted')} TO PUBLIC")
        arguments = [pg.restricted_url, "--table", pg.table("granted"), "-q", "sex"]
        line = bad(3, *arguments, "--population-table", pg.table("register"))
        assert "permission denied" in line and "register" in line

    def test_empty_release(self, bad, place: Place):
        assert "empty" in bad(3, *place.arguments, "-q", "sex", "--where", "sex = 'x'")

    def test_everything_excluded(self, bad, place: Place):
        line = bad(3, *place.arguments, "-q", "zip", "--nulls", "exclude", "--where", "zip IS NULL")
        assert "6 records" in line

    def test_empty_population(self, bad, place: Place):
        population = ["--population-table", place.register, "--population-where", "sex = 'x'"]
        assert "population" in bad(3, *place.arguments, "-q", "sex", *population)

    def test_rows_without_an_entity_id(self, bad, place: Place):
        assert "6 rows" in bad(3, *place.arguments, "-q", "sex", "--entity-id", "zip")

    def test_one_that_disappears_from_duckdb(self, monkeypatch):
        with duckdb.connect(":memory:") as connection:
            connection.execute("CREATE TABLE claims AS SELECT 1 AS sex")
            _before_the_statement(monkeypatch, lambda _: connection.execute("DROP TABLE claims"))
            with pytest.raises(sqlrisk.MeasurementError, match="may have been dropped"):
                sqlrisk.assess(connection, table="claims", quasi_identifiers=["sex"])

    def test_one_that_disappears_from_postgres(self, bad, pg: Server, monkeypatch):
        pg.execute(f"CREATE TABLE {pg.table('fleeting')} AS SELECT * FROM {pg.table()}")

        def drop(warehouse: Warehouse) -> None:
            warehouse.close()  # its transaction would hold the table
            pg.execute(f"DROP TABLE {pg.table('fleeting')}")

        _before_the_statement(monkeypatch, drop)
        line = bad(3, pg.url, "--table", pg.table("fleeting"), "-q", "sex")
        assert "may have been dropped" in line

    def test_one_cannot_disappear_from_postgres_in_our_transaction(self, run, pg: Server, monkeypatch):
        import psycopg

        def drop(_: Warehouse) -> None:
            with pytest.raises(psycopg.errors.LockNotAvailable):
                pg.execute(f"SET lock_timeout = '100ms'; DROP TABLE {pg.table()}")

        _before_the_statement(monkeypatch, drop)
        assert run("assess", pg.url, "--table", pg.table(), "-q", "sex", "--quiet") == Run(0, "", "")


CHANGES = {
    "two statements": "SELECT * FROM claims; SELECT * FROM claims",
    "a second statement": "SELECT * FROM claims; DROP TABLE claims",
    "INSERT": "INSERT INTO claims SELECT * FROM claims",
    "UPDATE": "UPDATE claims SET sex = 'x'",
    "DELETE": "DELETE FROM claims",
    "DROP": "DROP TABLE claims",
    "CREATE": "CREATE TABLE stolen AS SELECT * FROM claims",
    "ALTER": "ALTER TABLE claims ADD COLUMN x int",
    "TRUNCATE": "TRUNCATE claims",
    "COPY": "COPY claims TO '/tmp/sqlrisk-stolen.csv'",
    "MERGE": "MERGE INTO claims USING register ON claims.sex = register.sex WHEN MATCHED THEN DELETE",
    "SET": "SET search_path = x",
    "CALL": "CALL something()",
    "SHOW": "SHOW ALL",
    "EXPLAIN": "EXPLAIN ANALYZE DELETE FROM claims",
    "VACUUM": "VACUUM",
    "DO": "DO $$ BEGIN DELETE FROM claims; END $$",
    "PREPARE": "PREPARE x AS DELETE FROM claims",
    "DELETE in a CTE": "WITH d AS (DELETE FROM claims RETURNING *) SELECT * FROM d",
    "INSERT in a CTE": "WITH d AS (INSERT INTO claims SELECT * FROM claims RETURNING *) SELECT * FROM d",
    "UPDATE in a CTE": "WITH d AS (UPDATE claims SET sex = 'x' RETURNING *) SELECT * FROM d",
    "DELETE in a nested CTE": "SELECT * FROM (WITH d AS (DELETE FROM claims RETURNING *) SELECT * FROM d) AS s",
    "SELECT INTO": "SELECT * INTO stolen FROM claims",
    "FOR UPDATE": "SELECT * FROM claims FOR UPDATE",
    "FOR SHARE": "SELECT * FROM (SELECT * FROM claims FOR SHARE) AS s",
    "nextval": "SELECT nextval('counter') AS sex FROM claims",
    "nextval in capitals": "SELECT NEXTVAL('counter') AS sex FROM claims",
    "nextval in quotes": "SELECT \"nextval\"('counter') AS sex FROM claims",
    "nextval with its schema": "SELECT pg_catalog.nextval('counter') AS sex FROM claims",
    "nextval in a condition": "SELECT * FROM claims WHERE nextval('counter') > 0",
    "setval": "SELECT setval('counter', 4) AS sex FROM claims",
    "random": "SELECT random() AS sex FROM claims",
    "a uuid": "SELECT gen_random_uuid() AS sex FROM claims",
    "a sample": "SELECT * FROM claims TABLESAMPLE SYSTEM (10)",
    "a parameter": "SELECT * FROM claims WHERE sex = $1",
    "nothing": "",
    "a comment": "-- nothing",
    "no SQL": "SELEC * FROM",
    "an expression": "1 + 1",
}  # fmt: skip
CONDITIONS = {
    "nextval": "nextval('counter') > 0",
    "two conditions": "1 = 1; DELETE FROM claims",
    "a union": "1 = 1 UNION SELECT 1",
    "a way out of the brackets": "1 = 1) UNION SELECT * FROM claims WHERE (1 = 1",
    "a grouping": "1 = 1 GROUP BY sex",
    "a limit": "1 = 1 LIMIT 1",
    "a comment": "1 = 1 --",
    "DELETE": "sex IN (WITH d AS (DELETE FROM claims RETURNING sex) SELECT sex FROM d)",
    "FOR UPDATE": "sex IN (SELECT sex FROM register FOR UPDATE)",
    "nothing": "",
    "no SQL": "sex =",
}


class TestReadOnly:
    @pytest.fixture(params=["duckdb", "postgres"])
    def where(self, request: pytest.FixtureRequest, sources: Sources) -> tuple[str, Callable[[str], list[tuple]]]:
        """A source, and a look at what it holds."""
        if request.param == "postgres":
            pg = request.getfixturevalue("pg")
            return f"{pg.url}?options=-csearch_path%3D{pg.schema}", lambda sql: pg.execute(
                f"SET search_path = {pg.schema}; {sql}"
            )

        def look(sql: str) -> list[tuple]:
            with duckdb.connect(str(sources.database), read_only=True) as connection:
                return connection.execute(sql).fetchall()

        return str(sources.database), look

    @pytest.mark.parametrize("change", CHANGES)
    def test_queries_that_do_more(self, bad, where, change: str, monkeypatch):
        source, look = where
        before = look(
            "SELECT * FROM claims ORDER BY ALL" if "duckdb" in source else "SELECT * FROM claims ORDER BY 1, 6"
        )
        monkeypatch.setattr(Warehouse, "fetch", lambda *_: pytest.fail("a statement was sent"))
        assert "--query" in bad(2, source, "--query", CHANGES[change], "-q", "sex")
        after = look(
            "SELECT * FROM claims ORDER BY ALL" if "duckdb" in source else "SELECT * FROM claims ORDER BY 1, 6"
        )
        assert after == before
        assert not Path("/tmp/sqlrisk-stolen.csv").exists()

    @pytest.mark.parametrize("option", ["--where", "--population-where"])
    @pytest.mark.parametrize("condition", [name for name in CONDITIONS if name != "a comment"])
    def test_conditions_that_do_more(self, bad, where, condition: str, option: str, monkeypatch):
        monkeypatch.setattr(Warehouse, "fetch", lambda *_: pytest.fail("a statement was sent"))
        arguments = [*CLAIMS, "--population-table", "register", option, CONDITIONS[condition]]
        assert option in bad(2, where[0], *arguments)

    def test_conditions_that_are_none(self, bad, where):
        line = bad(2, where[0], *CLAIMS, "--where", "admitted")
        assert "--where" in line or "DATE -> BOOLEAN" in line

    @pytest.mark.parametrize(
        "function", ["pg_sleep(1)", "pg_advisory_lock(1)", "pg_terminate_backend(1)", "lo_creat(1)"]
    )
    def test_functions_of_postgres_that_do_more(self, bad, pg: Server, function: str, monkeypatch):
        monkeypatch.setattr(Warehouse, "fetch", lambda *_: pytest.fail("a statement was sent"))
        query = f"SELECT CAST({function} AS text) AS sex FROM {pg.table()}"
        assert "volatile" in bad(2, pg.url, "--query", query, "-q", "sex")

    @pytest.mark.parametrize("volatility", ["VOLATILE", "STABLE", "IMMUTABLE"])
    def test_functions_of_the_user_s_own_that_write(self, bad, pg: Server, volatility: str):
        """Whatever they claim to be; the read-only transaction is the last lock on the door."""
        pg.execute(
            f"CREATE OR REPLACE FUNCTION {pg.schema}.sneaky() RETURNS text LANGUAGE plpgsql {volatility} AS "
            f"$$ BEGIN EXECUTE 'DELETE FROM {pg.table()}'; RETURN 'x'; END $$"
        )
        before = pg.execute(f"SELECT count(*) FROM {pg.table()}")
        code = 2 if volatility == "VOLATILE" else 3  # found in the catalogue, or by the server when it runs
        line = bad(code, pg.url, "--query", f"SELECT {pg.schema}.sneaky() AS sex", "-q", "sex")
        assert (
            "sneaky" in line
            or "read-only transaction" in line
            or "does not do" in line
            or "non-volatile function" in line
        )
        assert pg.execute(f"SELECT count(*) FROM {pg.table()}") == before


class TestConnections:
    def test_nobody_listens(self, bad):
        line = bad(3, f"postgresql://u:p@127.0.0.1:{free_port()}/d", *CLAIMS)
        assert "no connection" in line

    def test_unknown_host(self, bad):
        assert "no connection" in bad(3, "postgresql://u:p@no-such-host.invalid/d", *CLAIMS)

    def test_wrong_password(self, bad, pg: Server):
        line = bad(3, _with_password(pg.url, "wrong"), "--table", pg.table(), "-q", "sex")
        assert "refused the login" in line and "password authentication failed" in line

    def test_unknown_database(self, bad, pg: Server):
        parts = urlsplit(pg.url)
        line = bad(3, urlunsplit(parts._replace(path="/no_such_database")), *CLAIMS)
        assert "no_such_database" in line

    def test_option_of_no_driver(self, bad, pg: Server):
        assert "zzz" in bad(2, f"{pg.url}?zzz=1", *CLAIMS)

    @pytest.mark.parametrize(
        ("module", "source", "extra"),
        [
            ("psycopg", "postgresql://u:p@h/d", "sqlrisk[postgres]"),
            ("google.cloud", "bigquery://project/dataset", "sqlrisk[bigquery]"),
            ("google", "bigquery://project/dataset", "sqlrisk[bigquery]"),
        ],
    )
    def test_missing_driver(self, bad, monkeypatch, module: str, source: str, extra: str):
        for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, module, None)
        assert extra in bad(2, source, *CLAIMS)

    def test_no_credentials_for_bigquery(self, bad, monkeypatch, tmp_path: Path):
        pytest.importorskip("google.cloud.bigquery")
        for name in ("BIGQUERY_EMULATOR_HOST", "GOOGLE_CLOUD_PROJECT"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "nowhere.json"))
        assert "credentials" in bad(3, "bigquery://project/dataset", *CLAIMS)

    def test_options_of_a_bigquery_url(self, bad):
        assert "`zzz`" in bad(2, "bigquery://project/dataset?zzz=1", *CLAIMS)

    @pytest.mark.parametrize("url", ["duckdb://", "duckdb:///:memory:", "duckdb:///x.duckdb?access_mode=automatic"])
    def test_duckdb_urls(self, bad, url: str):
        bad(2, url, *CLAIMS)


class TestGuards:
    def test_timeout_on_duckdb(self, bad, sources: Sources):
        started = time.monotonic()
        assert "--timeout 0.3 seconds" in bad(3, sources.database, "--table", "slow", "-q", "a", "--timeout", 0.3)
        assert time.monotonic() - started < 5

    def test_timeout_on_postgres(self, bad, pg: Server):
        line = bad(3, pg.url, "--table", pg.table("slow"), "-q", "a", "--timeout", 0.3)
        assert "--timeout 0.3 seconds" in line
        pg.wait_until(running=0)

    def test_a_long_timeout_on_postgres(self, run, pg: Server):
        """Longer than PostgreSQL's own setting, which is in milliseconds, can hold."""
        done = run("assess", pg.url, "--table", pg.table(), "-q", "sex", "--timeout", 30 * 86400, "--quiet")
        assert done == Run(0, "", "")

    def test_rows(self, bad, place: Place):
        line = bad(3, *place.arguments, "-q", "sex", "--max-rows", 1)
        assert "--max-rows" in line and "more than 1 rows" in line

    def test_rows_on_postgres_leave_nothing_behind(self, bad, pg: Server):
        bad(3, pg.url, "--table", pg.table(), "-q", "sex", "--max-rows", 1)
        pg.wait_until(running=0)

    def test_bytes(self, bad, sources: Sources, pg: Server):
        for arguments in ([sources.csv], [sources.parquet], [pg.url, "--table", pg.table()]):
            line = bad(3, *arguments, "-q", "sex", "--max-bytes", 1)
            assert "--max-bytes 1" in line

    def test_bytes_where_the_engine_does_not_tell(self, bad, sources: Sources):
        assert "--timeout" in bad(2, sources.database, *CLAIMS, "--max-bytes", 1)

    def test_cancelled_on_the_engine(self, start, pg: Server):
        process = start("assess", pg.url, "--table", pg.table("slow"), "-q", "a")
        pg.wait_until(running=1)
        pg.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'sqlrisk'")
        out, err = process.communicate(timeout=30)
        check_one_line(Run(process.returncode, out, err), 3)
        assert "cancelled on the engine" in err

    def test_a_server_that_goes_away(self, start, pg: Server):
        process = start("assess", pg.url, "--table", pg.table("slow"), "-q", "a")
        pg.wait_until(running=1)
        pg.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sqlrisk'")
        out, err = process.communicate(timeout=30)
        check_one_line(Run(process.returncode, out, err), 3)


class TestInterrupts:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_on_postgres(self, start, pg: Server, outputs, number: int):
        process = start("assess", pg.url, "--table", pg.table("slow"), "-q", "a", *outputs)
        pg.wait_until(running=1)
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
        check_one_line(Run(process.returncode, out, err), 130)
        assert "interrupted" in err
        pg.wait_until(running=0)

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_on_duckdb(self, start, sources: Sources, outputs, number: int):
        """Several at once: where DuckDB gives the main thread itself a part of the work, it sees no signal there."""
        processes = [start("assess", sources.database, "--table", "slow", "-q", "a", *outputs) for _ in range(4)]
        for process in processes:
            _wait_until_busy(process, sources.database)
            process.send_signal(number)
        for process in processes:
            out, err = process.communicate(timeout=10)
            check_one_line(Run(process.returncode, out, err), 130)
            assert "interrupted" in err

    def test_while_the_report_is_made(self, run, sources: Sources, outputs, monkeypatch):
        def interrupt(*_: object, **__: object) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr("sqlrisk.report.render", interrupt)
        check_one_line(run("assess", sources.csv, "-q", "sex", *outputs[:2]), 130)

    def test_while_columns_are_looked_up(self, run, sources: Sources, outputs, monkeypatch):
        def interrupt(*_: object) -> list:
            raise KeyboardInterrupt

        monkeypatch.setattr("sqlrisk.assessment.prepare.find_column", interrupt)
        check_one_line(run("assess", sources.csv, "-q", "sex", *outputs), 130)

    def test_while_the_report_is_written(self, run, sources: Sources, outputs, monkeypatch):
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("os.replace", interrupt)
        check_one_line(run("assess", sources.csv, "-q", "sex", *outputs[:2]), 130)


def _wait_until_busy(process: subprocess.Popen[str], file: Path) -> None:
    """Until the process has the database open and has computed for a second since."""
    end = time.monotonic() + 20
    began: float | None = None
    while began is None or _seconds(process.pid) < began + 0.5:
        assert time.monotonic() < end and process.poll() is None
        if began is None and _has_open(process.pid, file):
            began = _seconds(process.pid)
        time.sleep(0.05)


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _has_open(pid: int, file: Path) -> bool:
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(descriptor) == str(file.resolve()):
                return True
    return False


def _with_password(url: str, password: str) -> str:
    parts = urlsplit(url)
    user, place = parts.netloc.partition(":")[0], parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{user}:{password}@{place}"))


# Parts that no message may hold. Written in two, so that this file's own lines in a traceback do not hold them.
SECRET = "S3cr3t" + "Word"
OTHER = "P4ss" + "Phrase"


def _urls() -> dict[str, str]:
    """URLs that hold a password and lead nowhere."""
    port = free_port()
    return {
        "nobody listens": f"postgresql://user:{SECRET}@127.0.0.1:{port}/db",
        "no such host": f"postgresql://user:{SECRET}@no-such-host.invalid/db",
        "encoded": f"postgresql://user:{quote(f'{SECRET}@{OTHER}%/')}@127.0.0.1:{port}/db",
        "an open @": f"postgresql://user:{SECRET}@{OTHER}@127.0.0.1:{port}/db",
        "an open @ and :": f"postgresql://user:{SECRET}@x:{OTHER}@127.0.0.1:{port}/db",
        "an open %": f"postgresql://user:{SECRET}%zz%{OTHER}@127.0.0.1:{port}/db",
        "an open /": f"postgresql://user:{SECRET}/{OTHER}@127.0.0.1:{port}/db",
        "an open / and @": f"postgresql://user:{SECRET}/@{OTHER}@127.0.0.1:{port}/db",
        "an open #": f"postgresql://user:{SECRET}#{OTHER}@127.0.0.1:{port}/db",
        "an open ?": f"postgresql://user:{SECRET}?{OTHER}=1@127.0.0.1:{port}/db",
        "no port": f"postgresql://user:{SECRET}@127.0.0.1:{OTHER}/db",
        "a line break": f"postgresql://user:{SECRET}\n{OTHER}@127.0.0.1:{port}/db",
        "a parameter": f"postgresql://user@127.0.0.1:{port}/db?password={SECRET}",
        "an unknown parameter": f"postgresql://user@127.0.0.1:{port}/db?pasword={SECRET}",
        "an unknown parameter's name": f"postgresql://user@127.0.0.1:{port}/db?x=1&{SECRET}",
        "an unknown driver": f"postgresql+nope://user:{SECRET}@127.0.0.1/db",
        "a driver not installed": f"postgresql+pg8000://user:{SECRET}@127.0.0.1/db",
        "an unknown scheme": f"nosuch://user:{SECRET}@127.0.0.1/db",
        "a later scheme": f"snowflake://user:{SECRET}@account/db",
        "no scheme": f"user:{SECRET}@127.0.0.1/db",
        "half a scheme": f"postgresql:/user:{SECRET}@127.0.0.1/db",
        "bigquery": f"bigquery://user:{SECRET}@project/dataset?password={OTHER}",
        "duckdb": f"duckdb://user:{SECRET}@/nowhere.duckdb",
        "duckdb with a parameter": f"duckdb:///nowhere.duckdb?motherduck_token={SECRET}",
        "motherduck": f"md:database?motherduck_token={SECRET}",
    }


def _check_hidden(text: str) -> None:
    # Also parts: half a password is half a secret.
    for part in (SECRET, OTHER, SECRET[:6], OTHER[:6]):
        assert part not in text, text


class TestSecrets:
    @pytest.fixture(autouse=True)
    def _credentials(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "nowhere.json"))

    @pytest.mark.parametrize("case", list(_urls()))
    @pytest.mark.parametrize("command", ["assess", "sql", "sql --preview"])
    def test_the_command_line_hides_them(self, run, case: str, command: str):
        done = run(*command.split(), _urls()[case], *CLAIMS)
        _check_hidden(done.out + done.err)
        if command == "assess":
            check_one_line(done, done.code)
            assert done.code in {2, 3}

    @pytest.mark.parametrize("case", list(_urls()))
    def test_exceptions_hide_them(self, case: str, caplog: pytest.LogCaptureFixture):
        caplog.set_level(logging.DEBUG)
        with pytest.raises(sqlrisk.SqlriskError) as raised:
            sqlrisk.assess(_urls()[case], table="claims", quasi_identifiers=["sex"])
        _check_exception(raised.value)
        _check_hidden(caplog.text)

    def test_a_wrong_password(self, run, pg: Server):
        url = _with_password(pg.url, quote(f"{SECRET}@%{OTHER}"))
        done = run("assess", url, "--table", pg.table(), "-q", "sex")
        check_one_line(done, 3)
        _check_hidden(done.err)
        with pytest.raises(sqlrisk.MeasurementError) as raised:
            sqlrisk.assess(url, table=pg.table(), quasi_identifiers=["sex"])
        _check_exception(raised.value)

    @pytest.fixture
    def login(self, pg: Server) -> Iterator[str]:
        """A URL that works, whose password is planted, with the characters that URLs trip over."""
        role = f"planted_{os.getpid()}"
        password = f"{SECRET}@%/:{OTHER}"
        pg.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'")
        pg.execute(f"GRANT USAGE ON SCHEMA {pg.schema} TO {role}")
        pg.execute(f"GRANT SELECT ON {pg.table()} TO {role}")
        parts = urlsplit(pg.url)
        place = parts.netloc.rpartition("@")[2]
        yield urlunsplit(parts._replace(netloc=f"{role}:{quote(password, safe='')}@{place}"))
        pg.execute(f"REASSIGN OWNED BY {role} TO CURRENT_USER; DROP OWNED BY {role}; DROP ROLE {role}")

    @pytest.mark.parametrize("format", ["text", "json", "markdown", "html"])
    def test_reports_hide_the_right_password(self, run, pg: Server, login: str, format: str, tmp_path: Path):
        arguments = ["--table", pg.table(), "-q", "sex", "--format", format]
        done = run("assess", login, *arguments)
        assert (done.code, done.err) == (0, "") and len(done.out) > 100
        _check_hidden(done.out)
        file = tmp_path / "policy.yaml"
        file.write_text(f"version: 1\nconnection: '{login}'\n")
        done = run("assess", "--policy", file, *arguments, "--output", tmp_path / "risk")
        assert done.code == 0
        _check_hidden((tmp_path / "risk").read_text())

    def test_the_result_hides_the_right_password(self, pg: Server, login: str, caplog: pytest.LogCaptureFixture):
        caplog.set_level(logging.DEBUG)
        result = sqlrisk.assess(login, table=pg.table(), quasi_identifiers=["sex"])
        _check_hidden(repr(result) + str(result) + result.to_json() + caplog.text)

    def test_errors_hide_the_right_password(self, run, pg: Server, login: str):
        table = ["--table", pg.table()]
        for arguments in (
            ["-q", "sex"],
            [*table, "-q", "sx"],
            ["--table", pg.table("register"), "-q", "sex"],
            ["--table", "nothing", "-q", "sex"],
            [*table, "-q", "sex", "--where", "1 = 0"],
            [*table, "-q", "code:map=nothing.csv"],
            [*table, "-q", "sex", "--max-rows", "1"],
            [*table, "-q", "sex", "--max-bytes", "1"],
        ):
            done = run("assess", login, *arguments)
            check_one_line(done, done.code)
            assert done.code in {2, 3}, done
            _check_hidden(done.err)

    def test_a_password_among_the_parameters(self, run, pg: Server, login: str):
        """`?password=…` works too, and no part of SQLAlchemy's own hiding knows of it."""
        parts = urlsplit(login)
        user, password = parts.netloc.rpartition("@")[0].split(":")
        url = urlunsplit(parts._replace(netloc=f"{user}@{parts.hostname}:{parts.port}", query=f"password={password}"))
        assert run("assess", url, "--table", pg.table(), "-q", "sex", "--quiet") == Run(0, "", "")
        done = run("assess", url, "-q", "sex")
        check_one_line(done, 2)
        _check_hidden(done.err)

    def test_an_engine_hides_it(self, pg: Server, login: str):
        import sqlalchemy

        engine = sqlalchemy.create_engine(login.replace("postgresql:", "postgresql+psycopg:"))
        try:
            _check_hidden(repr(sqlrisk.assess(engine, table=pg.table(), quasi_identifiers=["sex"])))
            for options in ({"table": pg.table("register")}, {}, {"table": "nothing"}):
                with pytest.raises(sqlrisk.SqlriskError) as raised:
                    sqlrisk.assess(engine, quasi_identifiers=["sex"], **options)
                _check_exception(raised.value)
        finally:
            engine.dispose()

    @pytest.mark.parametrize(
        "text",
        [
            "connection: ['{url}']",
            "connection: {{url: '{url}'}}",
            "conection: '{url}'",
            "connection: '{url}'\nrelease: [",
            "connection: '{url}'\nlimits: {{min_k: x}}",
            "connection: {url}\n  indented: wrong",
            "release: '{url}'",
            "'{url}': connection",
            "connection: '{url}'\nconnection: '{url}'",
            "connection: ['${{SQLRISK_PLANTED}}']",
            "release: ${{SQLRISK_PLANTED}}",
            "'{url}'",
        ],
    )
    def test_policies_hide_them(self, run, tmp_path: Path, monkeypatch, text: str):
        url = f"postgresql://user:{SECRET}@127.0.0.1:1/{OTHER}"
        monkeypatch.setenv("SQLRISK_PLANTED", url)
        file = tmp_path / "policy.yaml"
        file.write_text(text.format(url=url))
        done = run("assess", "--policy", file, *CLAIMS)
        check_one_line(done, 2)
        _check_hidden(done.err)
        with pytest.raises(sqlrisk.RequestError) as raised:
            sqlrisk.assess(policy=file, table="claims", quasi_identifiers=["sex"])
        _check_exception(raised.value)

    def test_a_policy_s_repr_hides_it(self):
        policy = sqlrisk.Policy(connection=f"postgresql://user:{SECRET}@127.0.0.1/db")
        _check_hidden(repr(policy) + str(policy))

    def test_the_environment_is_not_printed(self, run, monkeypatch):
        monkeypatch.setenv("SQLRISK_URL", f"postgresql://user:{SECRET}@127.0.0.1:{free_port()}/db")
        monkeypatch.setenv("PLANTED", f"{OTHER}@")
        for arguments in ([], [f"postgresql://user:${{PLANTED}}@127.0.0.1:{free_port()}/db"], ["${PLANTED}"]):
            done = run("assess", *arguments, *CLAIMS)
            check_one_line(done, done.code)
            _check_hidden(done.err)

    def test_processes_hide_them(self, start, pg: Server, login: str):
        """Nothing of the command line is hidden from `ps`; a variable is."""
        environment = {**os.environ, "SQLRISK_URL": login}
        process = start("assess", "--table", pg.table("slow"), "-q", "a", "--timeout", "0.2", env=environment)
        out, err = process.communicate(timeout=30)
        check_one_line(Run(process.returncode, out, err), 3)
        _check_hidden(out + err + " ".join(process.args))


def _check_exception(problem: BaseException) -> None:
    """Nothing that a traceback, a log or a debugger's list of causes shows of it holds a secret."""
    _check_hidden("".join(traceback.format_exception(problem)))
    shown = io.StringIO()
    traceback.print_exception(problem, file=shown, chain=True)
    _check_hidden(shown.getvalue())
    seen: set[int] = set()
    waiting: list[BaseException | None] = [problem]
    while waiting:
        current: Any = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        _check_hidden(f"{current!s} {current!r} {current.args!r} {getattr(current, '__notes__', '')}")
        waiting += [current.__cause__, current.__context__, getattr(current, "orig", None)]
