"""Names: tables, columns and their kinds, split and quoted here and nowhere else.

Table names are never given to a SQL parser: sqlglot reads ``my--project.data.t`` as the table ``my`` and a comment.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import ErrorLevel, exp
from sqlglot.errors import UnsupportedError

from sqlrisk.errors import RequestError, escape_control, nearest, one_line

# Files that hold text, whose columns have no types.
CSV_ENDINGS = frozenset({".csv", ".tsv", ".txt", ".psv"})
# How an unquoted name is folded. Engines that match names without regard to case need no folding.
CASE_FOLDS = {"postgres": str.lower, "snowflake": str.upper}


class Kind(enum.Enum):
    """What a column can be used for, whatever the engine calls its type."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    FLOAT = "float"
    TEXT = "text"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIMESTAMP_TZ = "timestamp with time zone"
    TIME = "time"
    OTHER = "other"  # can be grouped, and nothing else
    UNGROUPABLE = "ungroupable"

    @property
    def is_number(self) -> bool:
        """Whether values can be added and compared as numbers."""
        return self in {Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT}

    @property
    def has_date(self) -> bool:
        """Whether values fall on a day."""
        return self in {Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ}


@dataclass(frozen=True)
class Column:
    """A column of a relation: its exact name, its kind, and what the engine calls its type.

    ``leaves`` are the parts of a composite column that can be grouped, for the message that refuses the whole.
    """

    name: str
    kind: Kind
    type_name: str
    leaves: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableName:
    """A table name split at its dots: the parts from the outermost, and whether each was quoted."""

    parts: tuple[tuple[str, bool], ...]

    @classmethod
    def parse(cls, text: str, dialect: str) -> TableName:
        """Split ``schema.table``, ``"Odd.Schema".t``, or BigQuery's ``my-project.data.t`` in its backtick forms."""
        if "://" in text:
            raise RequestError("a URL stands where the name of a table should", "give the URL as SOURCE")
        quote = "`" if dialect in {"bigquery", "spark", "databricks", "mysql"} else '"'
        # A domain-scoped project (example.com:project) has a dot of its own.
        scoped = re.match(r"[^`:]+:[^`.]+(?=\.)", text.strip()) if dialect == "bigquery" else None
        parts = (
            [(scoped[0], False), *_split(text.strip()[scoped.end() + 1 :], quote)]
            if scoped
            else _split(text.strip(), quote)
        )
        if dialect == "bigquery":
            # `project.dataset.table` in one pair of backticks is one name for us and three for BigQuery.
            parts = [(piece, quoted) for part, quoted in parts for piece in _bigquery_pieces(part)]
        if not parts or any(not name for name, _ in parts) or len(parts) > 3:
            raise RequestError(
                f"`{text}` is not a table name", f"write `table` or `schema.table`, quoting odd names with {quote}"
            )
        return cls(tuple(parts))

    def candidates(self, dialect: str) -> list[TableName]:
        """The names to look for, in order: as written, then folded by the dialect's case rule."""
        fold = CASE_FOLDS.get(dialect, lambda name: name)
        folded = TableName(tuple((name if quoted else fold(name), quoted) for name, quoted in self.parts))
        return [self] if folded == self else [self, folded]

    def is_called(self, qualifier: list[str]) -> bool:
        """Whether ``qualifier`` (of a column) is this name or the last parts of it, without regard to case."""
        own = [name.lower() for name, _ in self.parts]
        return [name.lower() for name in qualifier] == own[-len(qualifier) :]

    def relation(self) -> Relation:
        """The relation of this name, every part quoted."""
        names = [exp.to_identifier(name, quoted=True) for name, _ in self.parts]
        table, db, catalog = [*reversed(names), None, None][:3]
        return Relation(exp.Table(this=table, db=db, catalog=catalog), str(self), name=self)

    def __str__(self) -> str:
        return ".".join(name for name, _ in self.parts)


@dataclass(frozen=True)
class Relation:
    """Something that stands in a FROM clause: a table or view, a query, or a file. ``label`` is how reports call it."""

    source: exp.Expression
    label: str
    name: TableName | None = None

    def filtered(self, conditions: Sequence[exp.Expression]) -> exp.Expression:
        """What stands in FROM for the rows that fulfil ``conditions``, without an alias.

        A subquery, so that no alias of the SELECT list can be taken for a column of a condition.
        """
        if not conditions:
            return self.source
        return exp.select("*").from_(self.aliased(self.own_name)).where(*conditions).subquery()

    def aliased(self, alias: str) -> exp.Expression:
        """A copy of the source under ``alias``."""
        return exp.alias_(self.source.copy(), alias, table=True, quoted=True)

    def without_rows(self, dialect: str) -> str:
        """``SELECT * FROM relation LIMIT 0`` as SQL: the columns and their types, and no row."""
        return write(exp.select("*").from_(self.aliased("source")).limit(0), dialect)

    def tables(self) -> list[exp.Table]:
        """The tables and views that it reads, without the names of its own CTEs."""
        own = {cte.alias for cte in self.source.find_all(exp.CTE)}
        named = [table for table in self.source.find_all(exp.Table) if isinstance(table.this, exp.Identifier)]
        return [
            exp.table_(table.this, table.args.get("db"), table.args.get("catalog"))
            for table in named
            if table.name not in own
        ]

    @property
    def own_name(self) -> str:
        """What a condition can call the relation."""
        return self.name.parts[-1][0] if self.name else "source"

    @classmethod
    def of_query(cls, query: exp.Query) -> Relation:
        """The relation of a checked query."""
        return cls(query.subquery(), "the query")


def dialect_name(name: str) -> str:
    """sqlglot's name of a dialect that is called otherwise elsewhere."""
    return {"postgresql": "postgres"}.get(name.lower(), name.lower())


def write(tree: exp.Expression, dialect: str, pretty: bool = False) -> str:
    """``tree`` as SQL, every name quoted; what the dialect cannot say is an error, not a comment."""
    try:
        return _write(tree, dialect, pretty)
    except UnsupportedError as problem:
        hint = "put JSON arrows in parentheses: (j -> 'a')" if "lambda" in str(problem) else "say it otherwise"
        raise RequestError(f"{dialect} cannot say this SQL ({one_line(str(problem))[:200]})", hint) from None


def _write(tree: exp.Expression, dialect: str, pretty: bool) -> str:
    return tree.sql(
        dialect,
        identify=True,
        pretty=pretty,
        unsupported_level=ErrorLevel.RAISE,
        comments=False,
        normalize_functions=False,
    )


def find_column(name: str, columns: list[Column], what: str, relation: Relation) -> Column:
    """The column called ``name``: exactly, or the only one that differs in case alone; else an error with candidates."""
    exact = [column for column in columns if column.name == name]
    alike = exact or [column for column in columns if column.name.lower() == name.lower()]
    numbered = [
        column.name for column in columns if re.fullmatch(rf"{re.escape(name)}_\d+", column.name, re.IGNORECASE)
    ]
    if len(alike) == 1 and not exact and numbered:
        # DuckDB renames a column whose name another one has but for its case: `Age` beside `age` is `Age_1`.
        raise RequestError(
            f"{what} `{name}` could be `{alike[0].name}` or `{numbered[0]}` of {relation.label}",
            "write one of them exactly",
        )
    if len(alike) == 1:
        return alike[0]
    if alike:
        names = " and ".join(f"`{column.name}`" for column in alike)
        raise RequestError(f"{what} `{name}` is ambiguous in {relation.label}", f"write it exactly: {names}")
    raise RequestError(
        f"{what} `{name}` is not a column of {escape_control(relation.label)}",
        nearest(name, [column.name for column in columns]),
    )


def _split(text: str, quote: str) -> list[tuple[str, bool]]:
    """Parts between dots outside quotes; a doubled quote inside quotes is one quote."""
    parts: list[tuple[str, bool]] = []
    position = 0
    while position <= len(text):
        if text[position : position + 1] == quote:
            end = position + 1
            name = ""
            while text[end : end + 1] != quote or text[end : end + 2] == quote * 2:
                if end >= len(text):
                    raise RequestError(f"`{text}` has an open quote", f"close it with {quote}")
                step = 2 if text[end] == quote else 1
                name += text[end]
                end += step
            parts.append((name, True))
            end += 1
        else:
            end = text.find(".", position)
            end = len(text) if end < 0 else end
            parts.append((text[position:end], False))
        if end < len(text) and text[end] != ".":
            raise RequestError(f"`{text}` is not a table name", "put a dot between its parts")
        if end >= len(text):
            break
        position = end + 1
    return parts


def _bigquery_pieces(part: str) -> list[str]:
    """Split at dots, keeping a domain-scoped project (``example.com:project``) whole."""
    domain, colon, rest = part.partition(":")
    pieces = rest.split(".") if colon else part.split(".")
    return [f"{domain}:{pieces[0]}", *pieces[1:]] if colon else pieces
