"""Where a history is kept: a SQLite file, or a database by its SQLAlchemy URL."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from sqlrisk.errors import MeasurementError, RequestError, one_line

WRITES = "sqlrisk_writes"
"""The execution option of a transaction that will write."""
_CONNECT_TIMEOUT = 10  # seconds to wait for a host that does not answer, unless the URL says otherwise
_LIKE_A_URL = "scheme://user:password@host:port/database"


@dataclass(frozen=True)
class Place:
    """An engine that connects for each transaction anew, since hours can pass between two; ``label`` holds no secret.
    ``timeout`` is how many seconds to wait for another process to finish writing."""

    engine: sqlalchemy.Engine
    label: str
    timeout: float


def place_of(where: str, create: bool, timeout: float) -> Place:
    """The place that a path or a URL names. A file is made if ``create``, and is empty then."""
    if not where:
        raise RequestError("the history has no name", "give --history FILE_OR_URL")
    if "://" in where:
        return _of_url(where, create, timeout)
    if set("@?=:$") & set(where) and not _exists(Path(where)):
        # It can be a mistyped URL with a password in it, so it is not repeated.
        raise RequestError("the history is neither a file that is there nor a URL", f"write a path, or {_LIKE_A_URL}")
    return _of_file(where, create, timeout)


def _of_url(where: str, create: bool, timeout: float) -> Place:
    scheme = where.partition("://")[0]
    if not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_]*(\+[a-zA-Z0-9_]+)?", scheme):
        raise RequestError("the history is neither a file nor a URL", f"write a path, or {_LIKE_A_URL}")
    try:
        url = sqlalchemy.make_url(where)
    except (ArgumentError, ValueError):
        cause = f"this {scheme}:// URL of a history does not parse"
        raise RequestError(cause, f"write {_LIKE_A_URL}, odd characters as %XX") from None
    if url.host and "@" in url.host:
        raise RequestError(f"this {scheme}:// URL of a history has two @", "write an @ in the password as %40")
    if url.get_backend_name() == "sqlite":
        return _of_sqlite_url(url, create, timeout)
    return _of_server(url, timeout)


def _of_sqlite_url(url: sqlalchemy.URL, create: bool, timeout: float) -> Place:
    if url.query or url.host:
        raise RequestError("this sqlite:// URL of a history has more than a path", "write sqlite:///path/to/file")
    if not url.database or url.database == ":memory:":
        raise RequestError("sqlite:// names no file, and what is in memory is not kept", "write sqlite:///path/to/file")
    return _of_file(url.database, create, timeout)


def _of_server(url: sqlalchemy.URL, timeout: float) -> Place:
    if url.drivername in {"postgresql", "postgres"}:
        url = url.set(drivername="postgresql+psycopg")
    arguments: dict[str, Any] = {}
    if url.drivername == "postgresql+psycopg":
        arguments = {"application_name": "sqlrisk"}
        arguments |= {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_TIMEOUT}
    try:
        engine = sqlalchemy.create_engine(url, connect_args=arguments, poolclass=NullPool, hide_parameters=True)
    except NoSuchModuleError:
        raise RequestError(
            f"`{url.drivername}://` is no database that SQLAlchemy knows here",
            "give the path of a SQLite file, or postgresql://, or install SQLAlchemy's dialect for it",
        ) from None
    except ImportError as problem:
        own = url.drivername == "postgresql+psycopg"
        remedy = "run `pip install 'sqlrisk[postgres]'`" if own else "install it"
        cause = f"the driver {problem.name or ''} of {url.drivername}:// is not installed"
        raise RequestError(cause, remedy) from None
    except Exception as problem:  # dialects that are installed beside sqlrisk have errors of their own
        cause = f"this {url.drivername}:// URL of a history cannot be used ({type(problem).__name__})"
        raise RequestError(cause, "check it") from None
    # Options after the ? can hold secrets too.
    return Place(engine, url.set(query={}).render_as_string(hide_password=True), timeout)


def _of_file(where: str, create: bool, timeout: float) -> Place:
    path = Path(where)
    _prepare_file(path, create)
    address = f"{path.absolute().as_uri()}?mode=rw"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)

    engine = sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "begin", _begin)
    return Place(engine, str(path), timeout)


def _begin(connection: sqlalchemy.Connection) -> None:
    """A transaction that will write takes the lock at once: one that took it later could not wait for another's."""
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare_file(path: Path, create: bool) -> None:
    shown = one_line(str(path))
    if _exists(path):
        if not path.is_file():
            raise RequestError(f"the history `{shown}` is not a file", "name a file")
        return
    if not create:
        raise RequestError(f"there is no history `{shown}`", "`sqlrisk check --history FILE` makes one")
    if "\0" in str(path) or not _exists(path.parent):
        raise RequestError(f"the folder of the history `{shown}` is not there", "make it, or name another file")
    try:
        path.touch()
    except OSError as problem:
        cause = f"the history `{shown}` cannot be made ({problem.strerror})"
        raise MeasurementError(cause, "choose a place that can be written to") from None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
