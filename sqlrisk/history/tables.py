"""The tables of a history. Each is added to, and no row is ever changed: SQLite refuses to."""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    BigInteger,
    Column,
    Identity,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
)
from sqlalchemy.dialects.mysql import LONGTEXT

VERSION = 1
"""The form of these tables. A later one rises it, and brings those of an earlier form up to it in ``History.open``."""

_METADATA = MetaData()
_Long = Text().with_variant(LONGTEXT(), "mysql", "mariadb")


def _number() -> Column:
    """The order in which rows were added."""
    return Column("number", BigInteger().with_variant(Integer(), "sqlite"), Identity(), primary_key=True)


RUNS = Table(
    "sqlrisk_runs",
    _METADATA,
    _number(),
    Column("id", String(64), nullable=False, unique=True),
    Column("policy", Text, nullable=False),
    Column("started_at", String(32), nullable=False),
    Column("exit_code", Integer, nullable=False),
    Column("fingerprint", String(128)),
    Column("definition", _Long, nullable=False),
    Column("document", _Long),
    Column("error", _Long),
    Column("sqlrisk_version", String(64), nullable=False),
)
Index("sqlrisk_runs_of_policy", RUNS.c.policy, RUNS.c.number, mysql_length={"policy": 255})

# The latest row of a policy decides; without a run it takes the pin off.
PINS = Table(
    "sqlrisk_pins",
    _METADATA,
    _number(),
    Column("policy", Text, nullable=False),
    Column("run", String(64)),
    Column("pinned_at", String(32), nullable=False),
)

FORM = Table(
    "sqlrisk_history",
    _METADATA,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("made_at", String(32), nullable=False),
    Column("sqlrisk_version", String(64), nullable=False),
)

ALL = (RUNS, PINS, FORM)

for _table in ALL:
    for _what in ("UPDATE", "DELETE"):
        event.listen(
            _table,
            "after_create",
            DDL(
                f"CREATE TRIGGER IF NOT EXISTS %(table)s_no_{_what.lower()} BEFORE {_what} ON %(table)s "
                "BEGIN SELECT RAISE(ABORT, 'a history is added to, never changed'); END"
            ).execute_if(dialect="sqlite"),
        )
