"""The runs of policies on record: added to, never changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import sqlalchemy
from sqlalchemy import func, insert, select

from sqlrisk import __version__
from sqlrisk.errors import MeasurementError, RequestError, without_context
from sqlrisk.history.place import WRITES, Place, place_of
from sqlrisk.history.problems import told
from sqlrisk.history.run import Run, new_run_id
from sqlrisk.history.tables import ALL, FORM, PINS, RUNS, VERSION

__all__ = ["History", "Run", "new_run_id"]

_MAKING = 7_305_412_018  # of PostgreSQL's advisory locks, the one that whoever makes the tables holds
_WAIT = 30.0


class History:
    """Runs on record in a SQLite file or another database; made with :meth:`open`, closed with ``with`` or :meth:`close`.

    Several processes can add to one at once. Runs are in the order in which they were put on record.
    """

    def __init__(self, place: Place) -> None:
        self._place = place

    @classmethod
    @without_context
    def open(cls, where: str, create: bool = True, timeout: float = _WAIT) -> History:
        """Open the history at ``where``, a path of a SQLite file or a SQLAlchemy URL, and make it if ``create``.

        ``timeout`` is how many seconds to wait for another process to finish writing. :class:`RequestError` for what is
        not a history, or one of a newer sqlrisk; :class:`MeasurementError` where it cannot be reached or used.
        """
        history = cls(place_of(where, create, timeout))
        if not history._is_made():
            if not create:
                raise RequestError(f"`{history.label}` holds no history", "`sqlrisk check --history` makes one")
            history._make()
        history._check_version()
        return history

    @property
    def label(self) -> str:
        """Where it is, without secrets."""
        return self._place.label

    @without_context
    def add(self, run: Run) -> None:
        """Put a run on record: it is there as a whole when this returns, or not at all."""
        try:
            run.policy.encode()
        except UnicodeEncodeError:
            _refuse_name()
        if "\0" in run.policy:
            _refuse_name()
        with self._writing() as connection:
            connection.execute(insert(RUNS).values(_row(run)))

    def latest(self, policy: str, accepted: Callable[[Run], bool] = lambda _: True) -> Run | None:
        """The latest run of a policy that was measured and is ``accepted``, among all that are on record."""
        measured = select(RUNS).where(RUNS.c.policy == policy, RUNS.c.document.is_not(None))
        with self._reading() as connection:
            rows = connection.execute(
                measured.order_by(RUNS.c.number.desc()).execution_options(yield_per=20)
            ).mappings()
            return next((run for run in map(self._run, rows) if accepted(run)), None)

    def baseline(self, policy: str) -> Run | None:
        """The run that is pinned for a policy, if one is."""
        with self._reading() as connection:
            pinned = connection.scalar(
                select(PINS.c.run).where(PINS.c.policy == policy).order_by(PINS.c.number.desc()).limit(1)
            )
            return None if pinned is None else self._first(connection, RUNS.c.id == pinned)

    def runs(self, policy: str | None = None, limit: int | None = None) -> list[Run]:
        """The runs of a policy (or of all), oldest first; the last ``limit`` of them if given."""
        wanted = select(RUNS).order_by(RUNS.c.number.desc()).limit(limit)
        if policy is not None:
            wanted = wanted.where(RUNS.c.policy == policy)
        with self._reading() as connection:
            rows = connection.execute(wanted).mappings().all()
        return [self._run(row) for row in reversed(rows)]

    def policies(self) -> list[str]:
        """The names of the policies that have runs on record."""
        with self._reading() as connection:
            return sorted(connection.scalars(select(RUNS.c.policy).distinct()))

    def count(self, policy: str) -> int:
        """How many runs of a policy are on record."""
        with self._reading() as connection:
            found = connection.scalar(select(func.count()).select_from(RUNS).where(RUNS.c.policy == policy))
        return int(found or 0)

    @without_context
    def pin(self, run_id: str) -> Run:
        """Make a run the baseline of its policy; :class:`RequestError` if there is none, or it was not measured."""
        if not isinstance(run_id, str):
            raise RequestError("a run is pinned by its name", "give the run's id, a text")
        with self._writing() as connection:
            run = self._first(connection, RUNS.c.id == run_id)
            if run is None:
                cause = f"there is no run `{run_id}` in the history `{self.label}`"
                raise RequestError(cause, "`sqlrisk history POLICY` lists them")
            if run.document is None:
                raise RequestError(f"the run `{run_id}` measured nothing to compare with", "pin another run")
            connection.execute(insert(PINS).values(policy=run.policy, run=run.id, pinned_at=_now()))
        return run

    def unpin(self, policy: str) -> None:
        """Take the pin off a policy; that it was there stays on record."""
        with self._writing() as connection:
            connection.execute(insert(PINS).values(policy=policy, run=None, pinned_at=_now()))

    def close(self) -> None:
        """Let go of the database."""
        self._place.engine.dispose()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _reading(self) -> Iterator[sqlalchemy.Connection]:
        with told(self.label), self._place.engine.begin() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlalchemy.Connection]:
        with told(self.label), self._place.engine.execution_options(**{WRITES: True}).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(select(func.set_config("lock_timeout", f"{self._place.timeout * 1000:.0f}ms", True)))
            yield connection

    def _is_made(self) -> bool:
        with self._reading() as connection:
            return sqlalchemy.inspect(connection).has_table(FORM.name)

    def _make(self) -> None:
        with self._writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(select(func.pg_advisory_xact_lock(_MAKING)))
            if sqlalchemy.inspect(connection).has_table(FORM.name):
                return  # another process was faster
            self._refuse_foreign(connection)
            for table in ALL:
                table.create(connection)
            connection.execute(insert(FORM).values(version=VERSION, made_at=_now(), sqlrisk_version=__version__))

    def _refuse_foreign(self, connection: sqlalchemy.Connection) -> None:
        """A file of somebody else is not added to; a server may hold other tables, but none of these names."""
        there = sqlalchemy.inspect(connection)
        if connection.dialect.name == "sqlite":
            others = [*there.get_table_names(), *there.get_view_names()]
        else:
            others = [table.name for table in ALL if there.has_table(table.name)]
        if others:
            raise RequestError(
                f"`{self.label}` is no history of sqlrisk: it holds `{others[0]}`, and nothing was added to it",
                "name another file or database",
            )

    def _check_version(self) -> None:
        with self._reading() as connection:
            version = connection.scalar(select(func.max(FORM.c.version)))
        if version is None:
            raise RequestError(f"`{self.label}` is no history of sqlrisk, or not a whole one", "name another")
        if version > VERSION:
            raise RequestError(
                f"the history `{self.label}` was made by a newer sqlrisk (version {version} of its tables; this one knows "
                f"{VERSION})",
                "upgrade sqlrisk",
            )

    def _first(self, connection: sqlalchemy.Connection, *conditions: Any) -> Run | None:
        latest = select(RUNS).where(*conditions).order_by(RUNS.c.number.desc()).limit(1)
        row = connection.execute(latest).mappings().first()
        return None if row is None else self._run(row)

    def _run(self, row: Any) -> Run:
        try:
            document, definition = row["document"], json.loads(row["definition"])
            document = None if document is None else json.loads(document)
            if not isinstance(definition, dict) or not isinstance(document, dict | None):
                raise TypeError("it is no mapping")
            values = {
                name: row[name] for name in ("id", "policy", "exit_code", "fingerprint", "error", "sqlrisk_version")
            }
            return Run(
                **values,
                started_at=datetime.fromisoformat(row["started_at"]),
                definition=definition,
                document=document,
            )
        except (ValueError, TypeError):
            cause = f"the history `{self.label}` is damaged: its run `{row['id']}` cannot be read"
            raise MeasurementError(cause, "take it from a backup, or begin another with --history") from None


def _row(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "policy": run.policy,
        "started_at": run.started_at.astimezone(UTC).isoformat(),
        "exit_code": run.exit_code,
        "fingerprint": run.fingerprint,
        "definition": json.dumps(dict(run.definition)),
        "document": None if run.document is None else json.dumps(run.document, allow_nan=False),
        "error": run.error,
        "sqlrisk_version": run.sqlrisk_version,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat()


def _refuse_name() -> None:
    raise RequestError("the policy's name has a character that cannot be kept", "give it another `name:`")
