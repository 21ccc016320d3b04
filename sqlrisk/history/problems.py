"""What a database says when a history cannot be read or written, in one line."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sqlrisk.errors import MeasurementError, RequestError, SqlriskError, one_line

_NOT_A_HISTORY = "name another file, which `sqlrisk check` then makes"
# Of SQLite: what is wrong, and what to do.
_REQUESTS = {
    sqlite3.SQLITE_NOTADB: ("is not a SQLite file", _NOT_A_HISTORY),
    sqlite3.SQLITE_ERROR: ("is not a history that sqlrisk made", _NOT_A_HISTORY),
}
_FAILURES = {
    sqlite3.SQLITE_BUSY: ("is locked by another process", "wait until that has finished, and run this again"),
    sqlite3.SQLITE_FULL: ("cannot be added to, the disk is full", "make room; what was on record is still there"),
    sqlite3.SQLITE_READONLY: ("cannot be written to", "give sqlrisk the right to write the file and its folder"),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "give sqlrisk the right to read and write the file and its folder"),
    sqlite3.SQLITE_CORRUPT: ("is damaged", "take it from a backup, or begin another with --history"),
    sqlite3.SQLITE_CONSTRAINT: ("does not take this", "a history is added to, never changed"),
    sqlite3.SQLITE_IOERR: ("cannot be read or written, the disk has an error", "check the disk"),
}


@contextmanager
def told(label: str) -> Iterator[None]:
    """Errors of the database in the block become one line about the history ``label``."""
    try:
        yield
    except DBAPIError as problem:
        raise _error(f"the history `{label}`", problem) from None
    except SQLAlchemyError as problem:
        raise RequestError(f"the history `{label}` cannot be used ({type(problem).__name__})") from None


def _error(history: str, problem: DBAPIError) -> SqlriskError:
    lines = [line for line in str(problem.orig).splitlines() if line.strip()]
    text = one_line(lines[0]) if lines else type(problem.orig).__name__
    if isinstance(problem.orig, sqlite3.Error):
        return _of_sqlite(history, problem.orig, text)
    state = getattr(problem.orig, "sqlstate", None) or getattr(problem.orig, "pgcode", None) or ""
    if state == "55P03":
        return MeasurementError(f"{history} is locked by another process ({text})", _FAILURES[sqlite3.SQLITE_BUSY][1])
    if state == "42501":
        return MeasurementError(f"{history}: {text}", "ask for the right to SELECT and INSERT, and at first to CREATE")
    # Libpq gives no SQLSTATE for a refused connection; FATAL is the server's own word, in every language.
    if state[:2] == "28" or (not state and "FATAL" in text):
        return MeasurementError(f"{history} refused the login: {text}", "check user, password and database of the URL")
    if "invalid connection option" in text or "invalid URI query parameter" in text:
        return RequestError(f"{history}: {text}", "take the option out of the URL")
    if not state or state[:2] == "08":
        return MeasurementError(f"no connection to {history}: {text}", "check host, port and network")
    return (RequestError if state[:2] == "42" else MeasurementError)(f"{history}: {text}")


def _of_sqlite(history: str, problem: sqlite3.Error, text: str) -> SqlriskError:
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF  # the rest of it is detail
    if code in _REQUESTS:
        cause, remedy = _REQUESTS[code]
        return RequestError(f"{history} {cause} ({text})", remedy)
    cause, remedy = _FAILURES.get(code, ("cannot be used", ""))
    return MeasurementError(f"{history} {cause} ({text})", remedy)
