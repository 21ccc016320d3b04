"""The command line in this process, and one small release with its register in every kind of source."""

from __future__ import annotations

import contextlib
import logging
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlrisk.cli import main
from tests.engines.starters import EngineMissing, is_required, postgres

# Parts of the result document that differ from run to run.
VOLATILE = ("started_at", "seconds", "dialect", "queries")


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The one line of an error, without its prefix."""
        return self.err.removeprefix("sqlrisk: ").rstrip("\n")


def stable(document: dict[str, Any]) -> dict[str, Any]:
    """The document without what differs from run to run and from engine to engine."""
    kept = {key: value for key, value in document.items() if key not in VOLATILE}
    columns = [{**item, "expression": None} for item in document["release"]["quasi_identifiers"]]
    policy = {**kept.get("policy", {}), "name": None}  # a policy file has one, options have none
    return {**kept, "policy": policy, "release": {**kept["release"], "quasi_identifiers": columns}}


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("SQLRISK_URL", "SQLRISK_HISTORY"):
        monkeypatch.delenv(name, raising=False)
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> Callable[..., Run]:
    """Run the command line in this process."""

    def call(*arguments: object) -> Run:
        capsys.readouterr()
        caplog.clear()
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert isinstance(stop.value.code, int)
        # Outside pytest, what libraries log as a warning is written to stderr too.
        logged = "".join(f"{record.getMessage()}\n" for record in caplog.records if record.levelno >= logging.WARNING)
        return Run(stop.value.code, out, logged + err)

    return call


@pytest.fixture
def refused(run: Callable[..., Run]) -> Callable[..., str]:
    """Run a command that must fail, and give the one line it says: no report, no traceback, the right exit code."""

    def call(code: int, *arguments: object) -> str:
        done = run(*arguments)
        check_one_line(done, code)
        return done.line

    return call


def check_one_line(done: Run, code: int) -> None:
    """Nothing on stdout, exactly one line on stderr, and the exit code."""
    assert done.code == code, done
    assert done.out == ""
    assert re.fullmatch(r"sqlrisk: [^\n]+\n", done.err), done.err
    assert "Traceback" not in done.err
    assert done.err[:-1].isprintable()


# The data: 59 claims of 30 members, two each but one of the first's, and a register of 300 people that holds them all.

_PEOPLE = """
SELECT
  CAST(n AS INTEGER) AS member_id,
  CASE WHEN n % 3 = 0 THEN 'F' ELSE 'M' END AS sex,
  CAST(20 + n * 7 % 11 AS INTEGER) AS age,
  CASE WHEN n % 10 = 0 THEN NULL WHEN n % 30 = 7 THEN '*' ELSE '0213' || n % 4 END AS zip
FROM range(1, 301) AS numbers(n)
"""
_CLAIMS = """
SELECT
  member_id, sex, age, zip,
  DATE '2025-01-01' + CAST(member_id * 11 % 90 AS INTEGER) AS admitted,
  CAST(member_id * 100 + claim AS DECIMAL(10, 2)) AS paid,
  CASE WHEN member_id = 5 THEN 'unknown' ELSE CAST(member_id % 8 AS TEXT) END AS code
FROM register CROSS JOIN range(2) AS numbers(claim)
WHERE member_id <= 30 AND NOT (member_id = 1 AND claim = 1)
ORDER BY member_id, claim
"""
# Cheap to describe, endless to count.
_SLOW = "CREATE VIEW slow AS SELECT i % 10 AS a FROM range(1000000000000) AS numbers(i)"


@dataclass(frozen=True)
class Sources:
    """The same tables as files; ``database`` also has views and odd types."""

    folder: Path

    @property
    def csv(self) -> Path:
        return self.folder / "claims.csv"

    @property
    def parquet(self) -> Path:
        return self.folder / "claims.parquet"

    @property
    def database(self) -> Path:
        return self.folder / "warehouse.duckdb"

    def register(self, ending: str = "csv") -> Path:
        """The register as a file."""
        return self.folder / f"register.{ending}"


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    made = Sources(tmp_path_factory.mktemp("sources"))
    with duckdb.connect(str(made.database)) as connection:
        connection.execute(f"CREATE TABLE register AS {_PEOPLE}")
        connection.execute(f"CREATE TABLE claims AS {_CLAIMS}")
        connection.execute("CREATE VIEW claims_view AS SELECT * FROM claims")
        connection.execute(
            "CREATE TABLE odd AS SELECT {'city': 'x', 'street': 'y'} AS address, [1, 2] AS list, "
            "CAST('{}' AS JSON) AS document, MAP {'a': 1} AS tags, CAST(1 AS DOUBLE) AS weight"
        )
        connection.execute("CREATE SEQUENCE counter")
        connection.execute(_SLOW)
        for table in ("claims", "register"):
            connection.execute(f"COPY {table} TO '{made.folder / table}.csv' (HEADER)")
            connection.execute(f"COPY {table} TO '{made.folder / table}.parquet' (FORMAT parquet)")
    return made


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server with the same tables in a schema of its own."""

    url: str
    restricted_url: str
    schema: str

    def table(self, name: str = "claims") -> str:
        """A table's qualified name."""
        return f"{self.schema}.{name}"

    def execute(self, sql: str) -> list[tuple]:
        """Run a statement as the owner."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def running(self) -> int:
        """How many of sqlrisk's statements run."""
        return self.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sqlrisk' AND state = 'active'"
        )[0][0]

    def wait_until(self, running: int) -> None:
        """Wait until so many of sqlrisk's statements run."""
        end = time.monotonic() + 10
        while (now := self.running()) != running:
            assert time.monotonic() < end, f"{now} statements run, not {running}"
            time.sleep(0.05)


@pytest.fixture(scope="session")
def pg(sources: Sources) -> Iterator[Server]:
    try:
        started = postgres.start()
    except EngineMissing as missing:
        if is_required("postgres"):
            pytest.fail(missing.reason)
        pytest.skip(missing.reason)
    server = Server(started.url, started.restricted_url, f"cli_{os.getpid()}")
    server.execute(f"CREATE SCHEMA {server.schema}")
    try:
        _fill(server, sources)
        yield server
    finally:
        server.execute(f"DROP SCHEMA IF EXISTS {server.schema}, {server.schema}_closed CASCADE")
        started.stop()


def _fill(server: Server, sources: Sources) -> None:
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"SET search_path = {server.schema}")
        connection.execute("CREATE TABLE register (member_id int, sex text, age int, zip text)")
        connection.execute(
            "CREATE TABLE claims (member_id int, sex text, age int, zip text, admitted date, paid numeric, code text)"
        )
        for table in ("register", "claims"):
            statement = f"COPY {table} FROM STDIN (FORMAT csv, HEADER)"
            with connection.cursor().copy(statement) as copy:
                copy.write((sources.folder / f"{table}.csv").read_bytes())
        connection.execute("CREATE VIEW claims_view AS SELECT * FROM claims")
        connection.execute('CREATE TABLE "Odd Name" AS SELECT sex AS "Sex", age AS "user" FROM claims')
        connection.execute(
            "CREATE TABLE odd (document json, binary_document jsonb, list int[], place point, span int4range)"
        )
        connection.execute("INSERT INTO odd VALUES ('{}', '{}', '{1}', '(1,2)', '[1,2)')")
        connection.execute("CREATE SEQUENCE counter")
        connection.execute("CREATE VIEW slow AS SELECT 1 AS a FROM pg_sleep(120)")
        connection.execute(f"GRANT USAGE ON SCHEMA {server.schema} TO {postgres.RESTRICTED_USER}")
        connection.execute(f"CREATE SCHEMA {server.schema}_closed")
        connection.execute(f"CREATE TABLE {server.schema}_closed.claims AS SELECT * FROM claims")


@dataclass(frozen=True)
class Place:
    """One of the kinds of source, as the command line names it, and the register on it."""

    kind: str
    arguments: list[str]
    register: str


@pytest.fixture(params=["csv", "parquet", "duckdb", "duckdb url", "postgres"])
def place(request: pytest.FixtureRequest, sources: Sources) -> Place:
    """Each kind of source in turn."""
    kind = request.param
    if kind in {"csv", "parquet"}:
        return Place(kind, [str(sources.folder / f"claims.{kind}")], str(sources.register(kind)))
    if kind == "postgres":
        server = request.getfixturevalue("pg")
        return Place(kind, [server.url, "--table", server.table()], server.table("register"))
    url = str(sources.database) if kind == "duckdb" else f"duckdb:///{sources.database}"
    return Place(kind, [url, "--table", "claims"], "register")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can look into (pytest's own they cannot)."""
    folder = Path(tempfile.mkdtemp(prefix="sqlrisk-cli-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def without_rights() -> Callable[[], contextlib.AbstractContextManager[None]]:
    """A block that runs as nobody, where the tests run as root, whom no permission stops."""

    @contextlib.contextmanager
    def block() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        nobody = pwd.getpwnam("nobody").pw_uid
        os.setresuid(nobody, nobody, 0)
        try:
            yield
        finally:
            os.setresuid(0, 0, 0)

    return block


# A child that was started in the background of a shell ignores SIGINT; a terminal's does not.
_DEFAULT_SIGNALS = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.executable, [sys.executable, '-m', 'sqlrisk', *sys.argv[1:]])"
)


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the command line as a process of its own."""
    started: list[subprocess.Popen[str]] = []

    def call(*arguments: object, **options: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", _DEFAULT_SIGNALS, *map(str, arguments)]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(command, text=True, **{**pipes, **options})
        started.append(process)
        return process

    yield call
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
