"""The protocol of every engine, the guards, and the one door through which rows leave a warehouse."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlrisk import __version__
from sqlrisk.errors import Interrupted, MeasurementError, RequestError, SqlriskError
from sqlrisk.sql.relation import Column, Relation

Result = TypeVar("Result")


@dataclass(frozen=True)
class Guards:
    """What a statement may cost: seconds, bytes scanned or billed, rows that may leave. None is no limit."""

    timeout: float | None = None
    max_bytes: int | None = None
    max_rows: int = 100_000

    def check_cost(self, expected: Preview | None) -> None:
        """Refuse a statement that would scan more than ``max_bytes``, or of which that is not known."""
        if self.max_bytes is None:
            return
        if expected is None or expected.bytes_scanned is None:
            raise RequestError(
                "--max-bytes: this engine does not tell before a statement how much it will read",
                "use --timeout instead",
            )
        if expected.bytes_scanned > self.max_bytes:
            raise MeasurementError(
                f"the statement would scan {expected.bytes_scanned:,} bytes, more than --max-bytes {self.max_bytes:,}",
                "raise --max-bytes, or restrict the release",
            )


@dataclass(frozen=True)
class QueryRecord:
    """One statement that was sent: why, what, and what came back. ``bytes_scanned`` is None where no engine tells."""

    purpose: str
    sql: str
    rows: int
    bytes_returned: int
    bytes_scanned: int | None
    seconds: float
    look_up: bool = False


@dataclass(frozen=True)
class Preview:
    """What an engine expects of a statement before it runs; None where it does not tell."""

    bytes_scanned: int | None = None
    rows_scanned: int | None = None
    cost: float | None = None

    def __str__(self) -> str:
        parts = [
            f"{self.bytes_scanned:,} bytes scanned" if self.bytes_scanned is not None else "",
            f"{self.rows_scanned:,} rows scanned" if self.rows_scanned is not None else "",
            f"planner cost {self.cost:,.0f}" if self.cost is not None else "",
        ]
        return ", ".join(part for part in parts if part)


class Warehouse(ABC):
    """A connection to one engine. Everything that is read goes through :meth:`fetch` or :meth:`columns`.

    A subclass says how a statement is executed, cancelled and explained, and turns its driver's errors into ours:
    ``RequestError`` (and ``MissingTableError``) during look-ups, ``MeasurementError`` during a measurement.
    """

    #: The name of the engine's dialect in ``sqlrisk.sql.dialect``.
    dialect: str

    def __init__(self, guards: Guards) -> None:
        self.guards = guards
        self.log: list[QueryRecord] = []
        self.label = ""  # the policy's name, for the comment that leads each statement
        self._stopped = False
        self._purpose = ""  # of the running measurement: its errors can be about values; those of look-ups cannot

    @abstractmethod
    def columns(self, relation: Relation) -> list[Column]:
        """The relation's columns. :class:`sqlrisk.errors.MissingTableError` when there is no such table."""

    @abstractmethod
    def tables(self) -> list[str]:
        """The tables and views that could be meant, for error messages."""

    @abstractmethod
    def _execute(self, sql: str) -> Iterator[Sequence[tuple]]:
        """Run one SELECT and give its rows in batches."""

    @abstractmethod
    def _cancel(self) -> None:
        """Stop the running statement on the engine; safe to call from another thread and when nothing runs."""

    @abstractmethod
    def _error(self, problem: Exception, purpose: str) -> Exception:
        """The driver's error as one of ours."""

    def hidden_rows(self, relation: Relation) -> str | None:
        """A warning where the engine hides rows of the relation from us: what is left can look safer than it is."""
        return None

    def row_count(self, relation: Relation) -> int | None:
        """The rows that the catalogue says a table has, whoever asks; None where it does not tell."""
        return None

    def rereads(self, relation: Relation) -> bool:
        """Whether single columns of a relation are read anew for less than its rows are held: it is stored by columns."""
        return False

    def volatile(self, names: set[str]) -> list[str]:
        """Those of the functions called ``names`` that the engine's catalogue says are volatile."""
        return []

    def preview(self, sql: str) -> Preview | None:
        """What the engine expects the statement to cost; None where it cannot tell."""
        return None

    def close(self) -> None:  # noqa: B027 - nothing to release is the usual case
        """Release what this object opened."""

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Statements within the block see the same data; :attr:`snapshots` says whether the engine promises it."""
        yield

    #: Whether several statements can see one snapshot.
    snapshots = True

    def stop(self) -> None:
        """Cancel what runs, and send nothing more; from another thread."""
        self._stopped = True
        self._cancel()

    def fetch(self, purpose: str, sql: str) -> list[tuple]:
        """The rows of one SELECT, counted, guarded and logged: the only way that rows leave a warehouse."""
        if self.guards.max_bytes is not None:
            self.guards.check_cost(self.preview(sql))
        comment = " ".join(
            f"sqlrisk {__version__}: {purpose} {self.label}".replace("*/", "* /").replace("/*", "/ *").split()
        )
        sent = f"/* {comment} */\n{sql}"
        rows: list[tuple] = []
        started = time.perf_counter()
        self._purpose = purpose
        try:
            with self.errors(purpose):
                for batch in self._execute(sent):
                    rows.extend(batch)
                    if len(rows) > self.guards.max_rows:
                        self._cancel()
                        raise MeasurementError(
                            f"{purpose}: the answer has more than {self.guards.max_rows:,} rows, and only small "
                            "histograms may leave the warehouse",
                            "generalise further, or raise --max-rows",
                        )
        finally:
            self._purpose = ""
        seconds = time.perf_counter() - started
        self.log.append(QueryRecord(purpose, sent, len(rows), _size(rows), self._bytes_scanned(), seconds))
        return rows

    @contextmanager
    def looking_up(self, what: str, sql: str) -> Iterator[list[tuple]]:
        """Ask the catalogue within the block, with its errors named and the statement logged: what is sent is on the
        record. The block puts the rows that came back into the list that it is given."""
        purpose, started = f"looking up {what}", time.perf_counter()
        rows: list[tuple] = []
        with self.errors(purpose):
            yield rows
        seconds = time.perf_counter() - started
        self.log.append(QueryRecord(purpose, sql, len(rows), _size(rows), None, seconds, look_up=True))

    @contextmanager
    def errors(self, purpose: str) -> Iterator[None]:
        """Ours for theirs: driver errors named by purpose, an interrupt that stops the statement on the engine."""
        if self._stopped:
            raise Interrupted("interrupted", "nothing more was sent")
        try:
            yield
        except SqlriskError:
            raise
        except KeyboardInterrupt:
            self._cancel()
            raise Interrupted("interrupted", "the statement was cancelled on the engine") from None
        except Exception as problem:
            if self._stopped:
                raise Interrupted("interrupted", "the statement was cancelled on the engine") from None
            # A driver's error can hold connection details; its message was made safe, its chain was not.
            raise self._error(problem, purpose) from None

    def _bytes_scanned(self) -> int | None:
        """Bytes scanned (or billed) by the last statement, where the engine tells."""
        return None

    def timed_out(self, purpose: str) -> MeasurementError:
        """The error of a statement that ran into ``--timeout``."""
        return MeasurementError(
            f"{purpose}: stopped after --timeout {self.guards.timeout:g} seconds",
            "raise --timeout, or restrict the release",
        )


@contextmanager
def deadline(seconds: float | None, stop) -> Iterator[threading.Event]:
    """Call ``stop`` after ``seconds`` (None: never) unless the block ends first; the event tells whether it was."""
    passed = threading.Event()

    def expire() -> None:
        passed.set()
        stop()

    timer = threading.Timer(seconds, expire) if seconds is not None else None
    if timer:
        timer.daemon = True
        timer.start()
    try:
        yield passed
    finally:
        if timer:
            timer.cancel()
            timer.join()


def in_thread(work: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """What ``work`` gives, run in a thread of its own so that Ctrl-C reaches this one, which then calls ``stop``.

    DuckDB gives the calling thread a share of the work, and Python would not see a signal before it is done.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as problem:  # handed over to the caller
            failure.append(problem)
        finally:
            done.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while not done.wait(0.1):
            pass
    except KeyboardInterrupt:
        stop()
        done.wait(5)
        raise
    # A thread that is still ending when the interpreter ends would be killed within the engine's code.
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]


def _size(rows: Sequence[tuple]) -> int:
    return sum(_bytes(value) for row in rows for value in row)


def _bytes(value: object) -> int:
    return len(value.encode()) if isinstance(value, str) else 0 if value is None else 8
