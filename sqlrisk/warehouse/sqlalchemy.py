"""PostgreSQL through SQLAlchemy and psycopg 3: one read-only snapshot transaction for look-ups and statement."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence

import sqlalchemy
from sqlalchemy.exc import DBAPIError, NoSuchModuleError, SQLAlchemyError

from sqlrisk.errors import Interrupted, MeasurementError, MissingTableError, RequestError, one_line
from sqlrisk.sql.relation import Column, Kind, Relation, write
from sqlrisk.warehouse.base import Guards, Preview, Warehouse

_KINDS = {
    **dict.fromkeys(("int2", "int4", "int8", "oid"), Kind.INTEGER),
    "numeric": Kind.DECIMAL,
    **dict.fromkeys(("float4", "float8"), Kind.FLOAT),
    **dict.fromkeys(("text", "varchar", "bpchar", "name"), Kind.TEXT),
    "bool": Kind.BOOLEAN,
    "date": Kind.DATE,
    "timestamp": Kind.TIMESTAMP,
    "timestamptz": Kind.TIMESTAMP_TZ,
    "time": Kind.TIME,
    **dict.fromkeys(
        ("json", "jsonb", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle"), Kind.UNGROUPABLE
    ),
}
_BATCH = 10_000
# Seconds to wait for a host that does not answer, unless the URL says otherwise.
_CONNECT_TIMEOUT = 10
_ROW_SECURITY = """
WITH RECURSIVE reads(oid) AS (
  SELECT to_regclass(name)::oid FROM unnest(%(names)s::text[]) AS given(name)
  UNION
  SELECT depends.refobjid
  FROM reads
  JOIN pg_rewrite AS rule ON rule.ev_class = reads.oid
  JOIN pg_depend AS depends ON depends.objid = rule.oid
    AND depends.classid = 'pg_rewrite'::regclass AND depends.refclassid = 'pg_class'::regclass
)
SELECT DISTINCT relname
FROM reads JOIN pg_class AS c ON c.oid = reads.oid
WHERE relkind IN ('r', 'p') AND row_security_active(c.oid)
ORDER BY relname
"""
# A function of the user's own that shares its name with a harmless one of the server is given the benefit of the doubt.
_VOLATILE = """
SELECT DISTINCT proname
FROM pg_proc AS f
WHERE provolatile = 'v' AND proname = ANY(%(names)s)
  AND NOT EXISTS (
    SELECT 1 FROM pg_proc AS g
    WHERE g.proname = f.proname AND g.pronamespace = 'pg_catalog'::regnamespace AND g.provolatile <> 'v'
  )
ORDER BY proname
"""
_STATES = {
    "22012": "division by zero",
    "22003": "a number is out of range",
    "22P02": "a value does not convert to the type that the SQL asks for",
    "22007": "a value is not a date or time",
    "22008": "a date or time is out of range",
    "0A": "the SQL asks for something that a read-only session does not do",
    "22": "a value does not suit the SQL",
    "42P01": "a table is not there, it may have been dropped meanwhile",
    "42501": "permission denied",
    "53": "the server is out of memory, disk or connections",
    "57": "the server ended the session",
    "P0": "a function raised an error",
}
# Milliseconds, the most that statement_timeout can hold.
_LONGEST_TIMEOUT = 2**31 - 1


class PostgresWarehouse(Warehouse):
    """One connection, one transaction: READ ONLY, REPEATABLE READ, everything set for its length alone."""

    dialect = "postgres"

    def __init__(self, engine: sqlalchemy.Engine, guards: Guards, owned: bool = True) -> None:
        super().__init__(guards)
        self._engine = engine
        self._owned = owned
        self._connection: sqlalchemy.Connection | None = None

    @classmethod
    def open(cls, url: sqlalchemy.URL, guards: Guards) -> PostgresWarehouse:
        """Connect by URL. :class:`RequestError` without a driver, :class:`MeasurementError` when nobody lets us in."""
        if url.drivername in {"postgresql", "postgres"}:
            url = url.set(drivername="postgresql+psycopg")
        arguments = {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_TIMEOUT}
        try:
            engine = sqlalchemy.create_engine(url, connect_args=arguments, poolclass=sqlalchemy.pool.NullPool)
        except ModuleNotFoundError as problem:
            own = url.drivername == "postgresql+psycopg"
            remedy = "run `pip install 'sqlrisk[postgres]'`" if own else "write postgresql:// to use psycopg"
            raise RequestError(f"the PostgreSQL driver {problem.name} is not installed", remedy) from None
        except (NoSuchModuleError, SQLAlchemyError) as problem:
            raise RequestError(f"this URL cannot be used: {one_line(str(problem))}") from None
        return cls(engine, guards)

    def columns(self, relation: Relation) -> list[Column]:
        """See :meth:`Warehouse.columns`."""
        sql = relation.without_rows("postgres")
        with self.looking_up(f"the columns of {relation.label}", sql):
            try:
                described = [(item[0], item[1]) for item in self._run(sql).cursor.description or ()]
            except DBAPIError as problem:
                raise self._lookup_error(problem, relation) from None
        listed = ", ".join(str(int(code)) for _, code in described) or "0"
        types = f"SELECT oid, typname, typtype, typcategory FROM pg_type WHERE oid IN ({listed})"
        known = {oid: type_ for oid, *type_ in self._look_up("the types", types)}
        return [_column(name, *known.get(code, ("unknown", "b", "X"))) for name, code in described]

    def tables(self) -> list[str]:
        """See :meth:`Warehouse.tables`."""
        sql = (
            "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN relname ELSE nspname || '.' || relname END "
            "FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace WHERE relkind IN ('r', 'v', 'm', 'f', 'p') "
            "AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg_toast%' ORDER BY 1 LIMIT 1000"
        )
        return [name for (name,) in self._look_up("the tables", sql)]

    def hidden_rows(self, relation: Relation) -> str | None:
        """See :meth:`Warehouse.hidden_rows`. Follows views to the tables that they read."""
        names = [write(table, "postgres") for table in relation.tables()]
        hidden = [name for (name,) in self._look_up("row security", _ROW_SECURITY, {"names": names})]
        if not hidden:
            return None
        return (
            f"row security can hide rows of {', '.join(hidden)} from this login: with fewer rows, classes are smaller or "
            "absent, so these figures are about what this login may see"
        )

    def volatile(self, names: set[str]) -> list[str]:
        """See :meth:`Warehouse.volatile`."""
        return [name for (name,) in self._look_up("the functions", _VOLATILE, {"names": sorted(names)})]

    def preview(self, sql: str) -> Preview | None:
        """What EXPLAIN expects: rows and bytes of the scans, and the planner's cost."""
        with self.errors("previewing the cost"):
            (answer,) = self._run(f"EXPLAIN (FORMAT JSON) {sql}").scalars()
        plan = (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
        scans = [node for node in _nodes(plan) if "Relation Name" in node]
        rows = sum(node["Plan Rows"] for node in scans)
        size = sum(node["Plan Rows"] * node["Plan Width"] for node in scans)
        return Preview(bytes_scanned=size, rows_scanned=rows, cost=plan["Total Cost"])

    def close(self) -> None:
        """See :meth:`Warehouse.close`."""
        if self._connection is not None:
            try:
                self._connection.rollback()
            except SQLAlchemyError:
                self._connection.invalidate()
            self._connection.close()
            self._connection = None
        if self._owned:
            self._engine.dispose()

    def _begin(self) -> sqlalchemy.Connection:
        connection = self._engine.connect()
        try:
            connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            self._connection = connection
            settings = {
                "application_name": "sqlrisk",
                # Texts of numbers and dates must tell values apart, and a backslash in a literal is a backslash.
                "extra_float_digits": "1",
                "datestyle": "ISO",
                "standard_conforming_strings": "on",
            }
            if self.guards.timeout is not None:
                milliseconds = max(1, round(self.guards.timeout * 1000))
                settings["statement_timeout"] = f"{min(milliseconds, _LONGEST_TIMEOUT)}ms"
            _set(connection, settings)
            # A killed client leaves its statement running unless the server looks for it, which not every server can.
            with contextlib.suppress(DBAPIError), connection.begin_nested():
                _set(connection, {"client_connection_check_interval": "5s"})
        except BaseException:
            connection.close()
            self._connection = None
            raise
        return connection

    def _run(self, sql: str) -> sqlalchemy.CursorResult:
        connection = self._connection or self._begin()
        # Parameters switch psycopg's % on; without them the text goes as it is, so `LIKE 'a%'` is safe. A savepoint
        # keeps the snapshot when a look-up fails.
        with connection.begin_nested():
            return connection.exec_driver_sql(sql, execution_options={"no_parameters": True})

    def _execute(self, sql: str) -> Iterator[Sequence[tuple]]:
        result = self._run(sql)
        while batch := result.fetchmany(_BATCH):
            yield [tuple(row) for row in batch]

    def _cancel(self) -> None:
        connection = self._connection
        # After Ctrl-C psycopg has cancelled the statement already, and SQLAlchemy has given the connection up.
        if connection is not None and not connection.closed and not connection.invalidated:
            driver = connection.connection.driver_connection
            if driver is not None and not driver.closed:
                driver.cancel()

    def _look_up(self, what: str, sql: str, parameters: dict | None = None) -> list[tuple]:
        with self.looking_up(what, sql) as rows:
            connection = self._connection or self._begin()
            result = self._run(sql) if parameters is None else connection.exec_driver_sql(sql, parameters)
            rows.extend(tuple(row) for row in result)
        return rows

    def _lookup_error(self, problem: DBAPIError, relation: Relation) -> Exception:
        state = _state(problem)
        if state in {"42P01", "3F000", "0A000"} and relation.name is not None:
            return MissingTableError(f"there is no table or view `{relation.label}`")
        if state[:2] == "42" and state != "42501":
            return RequestError(f"{relation.label}: {_message(problem)}")
        return self._error(problem, f"looking up the columns of {relation.label}")

    def _error(self, problem: Exception, purpose: str) -> Exception:
        if not isinstance(problem, DBAPIError):
            return MeasurementError(f"{purpose}: {one_line(str(problem))}")
        state = _state(problem)
        text = _message(problem)
        if isinstance(problem.orig, KeyboardInterrupt):
            return Interrupted("interrupted", "the statement was cancelled on the engine")
        if state == "57014":
            if self.guards.timeout is not None and "statement timeout" in text:
                return self.timed_out(purpose)
            return MeasurementError(f"{purpose}: cancelled on the engine ({text})")
        if self._purpose:
            return self._measuring_error(state, text, purpose)
        if state == "42501":
            return MeasurementError(f"{purpose}: {text}", "ask for the right to SELECT from it")
        # Libpq gives no SQLSTATE for a refused connection; FATAL is the server's own word, in every language.
        if state[:2] == "28" or (not state and "FATAL" in text):
            return MeasurementError(
                f"the server refused the login: {text}", "check user, password and database of the URL"
            )
        if "invalid connection option" in text or "invalid URI query parameter" in text:
            return RequestError(f"this URL cannot be used: {text}", "take the option out of the URL")
        if not state or state[:2] == "08":
            return MeasurementError(f"no connection: {text}", "check host, port and network")
        return (RequestError if state[:2] == "42" else MeasurementError)(f"{purpose}: {text}")

    def _measuring_error(self, state: str, text: str, purpose: str) -> Exception:
        """In words of ours: the server's message can repeat a value, which can be somebody's."""
        if not state:
            return MeasurementError("the connection was lost", "check the server and the network")
        if state == "25006":
            return RequestError(
                f"{purpose}: the SQL would write", "sqlrisk only reads; give a SELECT that changes nothing"
            )
        if state == "42501" and (denied := re.match(r"permission denied for [a-z ]+ [\w.$]+$", text)):
            return MeasurementError(f"{purpose}: {denied[0]}", "ask for the right to SELECT from it")
        if state == "42883" and "equality operator" in text:
            return RequestError(f"{purpose}: {text}", "leave the column out, or cast it in --query")
        said = _STATES.get(state) or _STATES.get(state[:2], "the server ended the statement")
        return MeasurementError(f"{purpose}: {said} (SQLSTATE {state})")


def _set(connection: sqlalchemy.Connection, settings: dict[str, str]) -> None:
    """Settings for the length of the transaction; those that an older server lacks are passed over."""
    sql = (
        "SELECT set_config(given.name, given.value, true) "
        "FROM unnest(%(names)s::text[], %(values)s::text[]) AS given(name, value) JOIN pg_settings USING (name)"
    )
    connection.exec_driver_sql(sql, {"names": list(settings), "values": list(settings.values())})


def _column(name: str, type_name: str, kind: str, category: str) -> Column:
    if kind == "e":
        return Column(name, Kind.OTHER, "enum")
    if category in {"A", "R", "P"} or kind == "c":
        return Column(name, Kind.UNGROUPABLE, type_name)
    return Column(name, _KINDS.get(type_name, Kind.OTHER), type_name)


def _state(problem: DBAPIError) -> str:
    """The server's SQLSTATE, as psycopg or psycopg2 gives it; empty when it never got that far."""
    return getattr(problem.orig, "sqlstate", None) or getattr(problem.orig, "pgcode", None) or ""


def _message(problem: DBAPIError) -> str:
    """The server's own first line: no statement, no parameters, no connection string."""
    lines = [line for line in str(problem.orig).splitlines() if line.strip()]
    return one_line(lines[0]) if lines else type(problem.orig).__name__


def _nodes(plan: dict) -> Iterator[dict]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from _nodes(child)
