"""What a SOURCE is: a URL, a path, or an object of Python, and the connection that reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlrisk.errors import RequestError, nearest
from sqlrisk.sql.relation import Relation, dialect_name
from sqlrisk.warehouse.base import Guards, Warehouse

SCHEMES = ("duckdb", "postgresql", "bigquery")
# Named here so that they are refused by name, and not as a typing error.
_NOT_YET = (
    "spark",
    "snowflake",
    "databricks",
    "mysql",
    "mariadb",
    "sqlite",
    "clickhouse",
    "redshift",
    "trino",
    "mssql",
)


@dataclass(frozen=True)
class Source:
    """An open connection, what of it is to be measured (None: the user says), and warnings about how it is read."""

    warehouse: Warehouse
    relation: Relation | None = None
    label: str = ""
    warnings: tuple[str, ...] = field(default=())


def dialect_of(source: Any) -> str:
    """The dialect of a SOURCE, opening nothing."""
    if isinstance(source, Warehouse):
        return source.dialect
    if isinstance(source, str) and "://" in source:
        return dialect_name(_scheme(source))
    if not isinstance(source, str | Path) and hasattr(source, "dialect") and hasattr(source, "connect"):
        return dialect_name(source.dialect.name)
    return "duckdb"


def open_source(source: Any, guards: Guards) -> Source:
    """Open a URL, a path, a SQLAlchemy ``Engine``, a DuckDB connection, or a pandas, Arrow or Polars table.

    :class:`RequestError` for what is none of these, or when a driver is missing; :class:`MeasurementError` when it is
    there and cannot be opened.
    """
    if isinstance(source, Source):
        return source
    if isinstance(source, Warehouse):
        return Source(source, label=source.label)
    if isinstance(source, str) and "://" in source:
        return _open_url(source, guards)
    if isinstance(source, str | Path):
        if set("@?=:$") & set(str(source)) and not Path(source).exists():
            # It can be a mistyped URL with a password in it, so it is not repeated.
            raise RequestError(
                "the SOURCE is neither a file nor a URL", "write scheme://user:password@host:port/database"
            )
        return _open_path(Path(source), guards)
    if type(source).__name__ == "DuckDBPyConnection":
        from sqlrisk.warehouse.duckdb import DuckDBWarehouse

        return Source(DuckDBWarehouse(source, guards, owned=False), label="a DuckDB connection")
    if hasattr(source, "dialect") and hasattr(source, "raw_connection"):
        return _open_engine(source, guards)
    module = type(source).__module__.partition(".")[0]
    if module in {"pandas", "polars", "pyarrow"}:
        from sqlrisk.warehouse.duckdb import DuckDBWarehouse

        warehouse = DuckDBWarehouse.in_memory(guards)
        return Source(warehouse, warehouse.add_frame(source), f"a {module} table")
    raise RequestError(
        f"a {type(source).__name__} is not something that can be measured",
        "give a URL, a path, a SQLAlchemy Engine, a DuckDB connection, or a pandas, Arrow or Polars table",
    )


def open_file(warehouse: Warehouse, path: Path) -> tuple[Relation, list[str]]:
    """A second file (the population's) on the connection that reads the first, and warnings about how it is read."""
    from sqlrisk.warehouse.files import data_file

    file = data_file(path)
    return warehouse.add_file(file), list(file.warnings)


def _open_path(path: Path, guards: Guards) -> Source:
    from sqlrisk.warehouse.duckdb import DuckDBWarehouse
    from sqlrisk.warehouse.files import file_kind

    if file_kind(path) == "duckdb":
        return Source(DuckDBWarehouse.open(str(path), guards), label=path.name)
    warehouse = DuckDBWarehouse.in_memory(guards)
    relation, warnings = open_file(warehouse, path)
    return Source(warehouse, relation, path.name, tuple(warnings))


def _open_url(text: str, guards: Guards) -> Source:
    import sqlalchemy

    scheme = _scheme(text)
    if not re.fullmatch(r"[a-z][a-z0-9]*", scheme):
        raise RequestError("the SOURCE is neither a file nor a URL", "write scheme://user:password@host:port/database")
    if scheme in _NOT_YET:
        raise RequestError(
            f"{scheme}:// is not read by this version of sqlrisk", f"it reads {', '.join(SCHEMES)} and files"
        )
    if scheme not in SCHEMES:
        raise RequestError(f"`{scheme}://` is not a known kind of source", nearest(scheme, list(SCHEMES)))
    try:
        url = sqlalchemy.make_url(text)
    except (sqlalchemy.exc.ArgumentError, ValueError):
        # The text may hold a password, so it is not repeated.
        raise RequestError(
            f"this {scheme}:// URL does not parse",
            "write scheme://user:password@host:port/database, odd characters as %XX",
        ) from None
    if url.host and "@" in url.host:
        raise RequestError(f"this {scheme}:// URL has two @", "write an @ in the password as %40")
    # Options after the ? can hold secrets too.
    label = url.set(query={}).render_as_string(hide_password=True)
    if scheme == "duckdb":
        return _open_duckdb(url, label, guards)
    if scheme == "bigquery":
        from sqlrisk.warehouse.bigquery import BigQueryWarehouse

        options = {key: str(value) for key, value in url.query.items()}
        return Source(BigQueryWarehouse.open(url.host or None, url.database or None, options, guards), label=label)
    from sqlrisk.warehouse.sqlalchemy import PostgresWarehouse

    return Source(PostgresWarehouse.open(url, guards), label=label)


def _open_duckdb(url: Any, label: str, guards: Guards) -> Source:
    from sqlrisk.warehouse.duckdb import DuckDBWarehouse

    if url.query:
        raise RequestError(f"`{min(url.query)}` is no option of a duckdb:// URL", "write duckdb:///path/to/file.duckdb")
    if not url.database or url.database == ":memory:":
        raise RequestError("duckdb:// names no file", "write duckdb:///path/to/file.duckdb")
    return Source(DuckDBWarehouse.open(url.database, guards), label=label)


def _open_engine(engine: Any, guards: Guards) -> Source:
    name = engine.dialect.name
    label = engine.url.render_as_string(hide_password=True)
    if name == "postgresql":
        from sqlrisk.warehouse.sqlalchemy import PostgresWarehouse

        return Source(PostgresWarehouse(engine, guards, owned=False), label=label)
    if name == "duckdb":
        from sqlrisk.warehouse.duckdb import DuckDBWarehouse

        driver = engine.raw_connection().driver_connection
        # The dialects for SQLAlchemy wrap DuckDB's connection.
        for attribute in ("c", "_c", "connection"):
            inner = getattr(driver, attribute, None)
            if type(inner).__name__ == "DuckDBPyConnection":
                driver = inner
        return Source(DuckDBWarehouse(driver, guards, owned=False), label=label)
    raise RequestError(
        f"Engines of {name} are not read by this version of sqlrisk", "give an Engine of postgresql or duckdb"
    )


def _scheme(text: str) -> str:
    scheme = text.partition("://")[0].partition("+")[0].lower()
    return {"postgres": "postgresql"}.get(scheme, scheme)
