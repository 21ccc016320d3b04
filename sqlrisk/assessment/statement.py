"""Print the statement of an assessment, and what the engine expects it to cost: the procedure of ``sqlrisk sql``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlrisk.assessment.prepare import guards_of, prepare, prepare_unconnected
from sqlrisk.errors import RequestError
from sqlrisk.policy import Policy
from sqlrisk.sql.dialect import find_dialect
from sqlrisk.warehouse.base import Preview
from sqlrisk.warehouse.connect import dialect_of, open_source


@dataclass(frozen=True)
class Statement:
    """The SQL, the dialect it is written in, and notes on how it was made."""

    sql: str
    dialect: str
    notes: tuple[str, ...]
    preview: Preview | None = None


def write_statement(policy: Policy, source: Any = None, dialect: str | None = None, preview: bool = False) -> Statement:
    """The statement that ``measure`` would send.

    Files are looked at, since the embedded DuckDB reads them here. Nothing is sent to a server unless ``preview``,
    which looks the columns up and asks the engine what the statement would cost.
    """
    if policy.guards.max_bytes is not None and not preview:
        raise RequestError("--max-bytes is about a cost that only the engine knows", "add --preview")
    own = find_dialect(dialect_of(source)).name if source is not None else None
    if dialect is not None and own is not None and find_dialect(dialect).name != own:
        # Another dialect than the source's: names and types of the source do not count.
        own = None
    is_local = own == "duckdb" and (not isinstance(source, str | Path) or "://" not in str(source))
    if own is None or not (preview or is_local):
        if preview:
            raise RequestError("--preview asks the engine", "give the SOURCE, without another --dialect")
        prepared = prepare_unconnected(policy, dialect or own)
        return Statement(prepared.sql, prepared.dialect.name, prepared.warnings)
    guards = guards_of(policy)
    opened = open_source(source, guards)
    with opened.warehouse as warehouse:
        prepared = prepare(policy, opened)
        expected = warehouse.preview(prepared.sql) if preview else None
        if expected is not None:
            guards.check_cost(expected)
    if preview and expected is None:
        raise RequestError(f"{prepared.dialect.label} does not tell what a statement costs", "leave --preview out")
    return Statement(prepared.sql, prepared.dialect.name, prepared.warnings, expected)
