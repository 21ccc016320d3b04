"""Embedded DuckDB: database files, and CSV and Parquet files and data frames, which it reads where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
from sqlglot import exp

from sqlrisk.errors import Interrupted, MeasurementError, MissingTableError, RequestError, one_line
from sqlrisk.sql.relation import Column, Kind, Relation, write
from sqlrisk.warehouse.base import Guards, Preview, Warehouse, deadline, in_thread
from sqlrisk.warehouse.files import DataFile, check_names

_KINDS = {
    **dict.fromkeys(
        (
            "tinyint",
            "smallint",
            "integer",
            "bigint",
            "utinyint",
            "usmallint",
            "uinteger",
            "ubigint",
            "hugeint",
            "uhugeint",
        ),
        Kind.INTEGER,
    ),
    "decimal": Kind.DECIMAL,
    **dict.fromkeys(("float", "double"), Kind.FLOAT),
    "varchar": Kind.TEXT,
    "boolean": Kind.BOOLEAN,
    "date": Kind.DATE,
    **dict.fromkeys(("timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns"), Kind.TIMESTAMP),
    "timestamp with time zone": Kind.TIMESTAMP_TZ,
    "time": Kind.TIME,
    **dict.fromkeys(("uuid", "enum", "blob", "bit", "interval", "time with time zone"), Kind.OTHER),
}
_BATCH = 10_000
# Nothing is fetched from elsewhere, and no variable of ours is taken for a table.
_CONFIG = {
    "custom_user_agent": "sqlrisk",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}


class DuckDBWarehouse(Warehouse):
    """One DuckDB connection. ``owned`` connections are closed with this object; those of a user are left as they were."""

    dialect = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection, guards: Guards, owned: bool = True) -> None:
        super().__init__(guards)
        self.connection = connection
        self._owned = owned
        self._passed = None
        self._in_snapshot = False
        self._files: list[Path] = []

    @classmethod
    def open(cls, path: str, guards: Guards) -> DuckDBWarehouse:
        """A database file, read-only. A file that another process writes cannot be opened, and the error says so."""
        try:
            if not Path(path).is_file():
                raise MissingTableError(f"there is no DuckDB file {path}", "check the path")
        except OSError as problem:
            raise MeasurementError(f"{path} cannot be read ({problem.strerror})", "check its permissions") from None
        try:
            return cls(_connect(path, read_only=True), guards)
        except duckdb.Error as problem:
            raise _open_error(path, problem) from None

    @classmethod
    def in_memory(cls, guards: Guards) -> DuckDBWarehouse:
        """An empty database, for files and data frames."""
        return cls(_connect(":memory:"), guards)

    def cursor(self, guards: Guards) -> DuckDBWarehouse:
        """A second connection to the same database, for a statement of another thread."""
        return DuckDBWarehouse(self.connection.cursor(), guards)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See :meth:`Warehouse.snapshot`. A transaction, unless the user's own connection is in one already."""
        try:
            self.connection.execute("BEGIN TRANSACTION")
        except duckdb.TransactionException:
            yield
            return
        self._in_snapshot = True
        try:
            yield
        finally:
            self._in_snapshot = False
            self.connection.execute("ROLLBACK")

    def add_file(self, file: DataFile) -> Relation:
        """Note that a file is read, check its names, and give it a name of its own for ``--query``: its stem."""
        self._files.append(file.path)
        view = exp.Create(
            this=exp.Table(this=exp.to_identifier(file.path.stem.split(".")[0], quoted=True)),
            kind="VIEW",
            expression=exp.select("*").from_(file.relation.aliased("source")),
            replace=True,
        )
        with self.errors(f"reading {file.path.name}"):
            self.connection.execute(write(view, "duckdb"))
            read = [name for name, *_ in self.connection.execute(file.relation.without_rows("duckdb")).description]
            own = file.names if file.names is not None else self._parquet_columns(file.path)
        check_names(own, read, file.path.name)
        return file.relation

    def _parquet_columns(self, path: Path) -> list[str]:
        """The file's own names of its columns: DuckDB renames those that differ by case alone."""
        schema = self.connection.execute("SELECT name, num_children FROM parquet_schema(?)", [str(path)]).fetchall()
        names, open_ = [], 0
        for name, children in schema[1:]:
            if open_:
                open_ -= 1
            else:
                names.append(name)
            open_ += children or 0
        return names

    def add_frame(self, frame: object) -> Relation:
        """A pandas, Arrow or Polars table as the relation ``release``."""
        relation = Relation(exp.Table(this=exp.to_identifier("release", quoted=True)), "the data frame")
        own = _frame_columns(frame)
        with self.errors("reading the data frame"):
            self.connection.register("release", frame)
            read = [name for name, *_ in self.connection.execute(relation.without_rows("duckdb")).description]
        check_names(own, read, relation.label)
        return relation

    def rereads(self, relation: Relation) -> bool:
        """See :meth:`Warehouse.rereads`. Not views, of which it is not known what they cost, nor texts."""
        if relation.name is not None:
            name = exp.Literal.string(relation.own_name).sql("duckdb")
            sql = f"SELECT COUNT(*) FROM duckdb_tables() WHERE table_name = {name}"
            with self.looking_up(f"whether {relation.label} is stored here", sql):
                (found,) = self.connection.execute(sql).fetchone()
            return found > 0
        return any(relation.source.find_all(exp.ReadParquet))

    def columns(self, relation: Relation) -> list[Column]:
        """See :meth:`Warehouse.columns`."""
        sql = relation.without_rows("duckdb")
        with self.looking_up(f"the columns of {relation.label}", sql):
            try:
                described = self.connection.execute(sql).description
            except (duckdb.CatalogException, duckdb.BinderException, duckdb.InvalidInputException) as problem:
                if self._in_snapshot:  # which a failed look-up ends
                    self.connection.execute("ROLLBACK")
                    self.connection.execute("BEGIN TRANSACTION")
                raise _lookup_error(problem, relation) from None
        return [_column(name, kind) for name, kind, *_ in described]

    def tables(self) -> list[str]:
        """See :meth:`Warehouse.tables`."""
        sql = (
            "SELECT CASE WHEN table_schema = current_schema() THEN table_name ELSE table_schema || '.' || table_name END "
            "FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') "
            "ORDER BY 1 LIMIT 1000"
        )
        with self.looking_up("the tables", sql) as rows:
            rows.extend(self.connection.execute(sql).fetchall())
        return [name for (name,) in rows]

    def volatile(self, names: set[str]) -> list[str]:
        """See :meth:`Warehouse.volatile`."""
        sql = (
            "SELECT DISTINCT function_name FROM duckdb_functions() "
            "WHERE stability = 'VOLATILE' AND function_name IN (SELECT unnest(?))"
        )
        with self.looking_up("the functions", sql) as rows:
            rows.extend(self.connection.execute(sql, [sorted(names)]).fetchall())
        return [name for (name,) in rows]

    def preview(self, sql: str) -> Preview | None:
        """The size of the files read; DuckDB tells nothing of its own tables."""
        size = self._bytes_scanned()
        return None if size is None else Preview(bytes_scanned=size)

    def close(self) -> None:
        """See :meth:`Warehouse.close`."""
        if self._owned:
            self.connection.close()

    def _execute(self, sql: str) -> Iterator[Sequence[tuple]]:
        with deadline(self.guards.timeout, self._cancel) as self._passed:
            yield from in_thread(lambda: self._batches(sql), self._cancel)

    def _batches(self, sql: str) -> list[Sequence[tuple]]:
        self.connection.execute(sql)
        return list(iter(lambda: self.connection.fetchmany(_BATCH), []))

    def _cancel(self) -> None:
        self.connection.interrupt()

    def _bytes_scanned(self) -> int | None:
        return sum(path.stat().st_size for path in self._files) or None

    def _error(self, problem: Exception, purpose: str) -> Exception:
        if self._passed is not None and self._passed.is_set():
            return self.timed_out(purpose)
        text = one_line(_first_line(problem))
        # Ctrl-C reaches us as a RuntimeError.
        if isinstance(problem, duckdb.InterruptException) or "Query interrupted" in text:
            return Interrupted("interrupted", "the statement was stopped")
        if isinstance(problem, duckdb.IOException):
            return MeasurementError(f"{purpose}: {text}", "the file may have been moved, or its disk is full")
        if isinstance(problem, duckdb.CatalogException):
            return MeasurementError(f"{purpose}: {text}", "the table may have been dropped meanwhile")
        if isinstance(problem, duckdb.BinderException | duckdb.ParserException) or text.startswith(
            "Unimplemented type"
        ):
            text_columns = self._files and "VARCHAR" in text
            return RequestError(
                f"{purpose}: {text}",
                "the columns of a CSV are text: write CAST(age AS INTEGER)" if text_columns else "",
            )
        if "CSV" in text or "sniffing" in text:
            return _csv_error(str(problem), purpose)
        if "replacement scan" in text:
            return MissingTableError(f"{purpose}: there is no such table")
        if isinstance(problem, duckdb.OutOfMemoryException):
            return MeasurementError(f"{purpose}: {text}", "free memory, or measure fewer columns")
        # DuckDB's other messages would repeat the value, which can be somebody's.
        kind = type(problem).__name__
        if isinstance(problem, duckdb.ConversionException | duckdb.OutOfRangeException):
            return MeasurementError(f"{purpose}: a value does not convert to the type that the SQL asks for ({kind})")
        return MeasurementError(f"{purpose}: the engine gave up on a value, or altogether ({kind})")


def _connect(path: str, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path, read_only=read_only, config=_CONFIG)
    connection.execute("SET enable_progress_bar = false")  # it would stand in the middle of the report
    return connection


def _frame_columns(frame: object) -> list[str]:
    """The names of the columns of a pandas, Polars or Arrow table."""
    if hasattr(frame, "collect_schema"):  # Polars, also lazy
        names = frame.collect_schema().names()
    elif hasattr(frame, "schema"):  # Arrow
        names = frame.schema.names
    elif hasattr(frame, "columns"):
        names = frame.columns
    else:
        raise RequestError(f"a {type(frame).__name__} is no table", "give a pandas, Arrow or Polars table")
    return [str(name) for name in names]


def _column(name: str, type_: object) -> Column:
    kind, type_name = str(getattr(type_, "id", type_)), str(type_)
    if type_name == "JSON":
        return Column(name, Kind.UNGROUPABLE, "JSON")
    if kind == "enum":
        type_name = "enum"
    leaves = tuple(f'"{name}"."{child}"' for child, _ in type_.children) if kind == "struct" else ()
    return Column(name, _KINDS.get(kind, Kind.UNGROUPABLE), type_name, leaves)


def _open_error(path: str, problem: Exception) -> Exception:
    text = one_line(str(problem))
    if "lock" in text.lower():
        return MeasurementError(
            f"{path} is open in another process, which writes it", "close that process, or measure a copy of the file"
        )
    if "different configuration" in text:
        return MeasurementError(f"{path} is open in this process already", "give that connection instead of the path")
    return MeasurementError(
        f"{path} cannot be opened as a DuckDB file: {one_line(_first_line(problem))}", "check the file"
    )


def _lookup_error(problem: Exception, relation: Relation) -> Exception:
    text = one_line(_first_line(problem))
    no_table = isinstance(problem, duckdb.CatalogException) or "replacement scan" in text
    if isinstance(problem, duckdb.InvalidInputException) and not no_table:
        return MeasurementError(f"{relation.label}: it cannot be read", "check the table, or the files that it reads")
    if no_table and relation.name is not None:
        return MissingTableError(f"there is no table or view `{relation.label}`")
    # sqlglot reads the arrow of JSON as that of a lambda where a function's argument begins with it.
    hint = "put JSON arrows in parentheses: (j -> 'a')" if "lambda" in text else ""
    return RequestError(f"{relation.label}: {text}", hint)


def _csv_error(text: str, purpose: str) -> Exception:
    """Which line of a CSV is wrong and how, without the line."""
    line = re.search(r"CSV Error on Line: (\d+)", text)
    fields = re.search(r"Expected Number of Columns: \d+ Found: \d+", text)
    if "unicode" in text or "not utf-8" in text:
        what = "not UTF-8"
    elif fields:
        what = f"{fields[0][0].lower()}{fields[0][1:]}"
    else:
        what = "its rows do not have the header's fields"
    where = f"line {line[1]}: " if line else ""
    return MeasurementError(
        f"{purpose}: not a well-formed CSV, {where}{what}", "check its separators, quotes, line ends and encoding"
    )


def _first_line(problem: Exception) -> str:
    """DuckDB's message without its category and without the statement that it repeats."""
    line = str(problem).split("\n\n", maxsplit=1)[0].split("\nLINE ", maxsplit=1)[0].replace("\n", " ")
    return line.split("Error: ", maxsplit=1)[-1].split(" Did you mean", maxsplit=1)[0]
