"""SQL that the user gives: one SELECT or one boolean expression, whose whole tree is walked and whose names are folded.

A data-modifying CTE, SELECT INTO, FOR UPDATE and nextval() all parse as a SELECT; sqlrisk only reads, so each is refused
wherever it stands. The read-only session is the second lock on the same door, not the first.
"""

from __future__ import annotations

import logging
import re

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from sqlrisk.errors import RequestError
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.relation import CASE_FOLDS, Column, Relation, find_column

_CHANGES = (
    exp.Insert,
    exp.Update,
    exp.Delete,
    exp.Merge,
    exp.Create,
    exp.Drop,
    exp.Alter,
    exp.TruncateTable,
    exp.Copy,
    exp.Command,
    exp.Set,
    exp.Use,
    exp.Attach,
    exp.Detach,
    exp.Pragma,
    exp.Transaction,
    exp.Commit,
    exp.Rollback,
    exp.Analyze,
)
_VOLATILE_NODES = (exp.Rand, exp.Randn, exp.Uuid, exp.NextValueFor, exp.QueryTransform)
# Functions that write, lock, wait, reach out, or give another answer each time. What a server knows of the functions
# that it has beyond these is asked of it (Warehouse.volatile).
_VOLATILE_NAMES = frozenset(
    """
    nextval setval currval lastval random rand randn random_normal normal_rand setseed array_shuffle array_sample
    uuid uuidv4 uuidv7 gen_random_uuid gen_random_bytes generate_uuid uuid_generate_v1 uuid_generate_v4 newid new_keyset
    clock_timestamp timeofday statement_timestamp txid_current set_config
    dblink dblink_exec dblink_connect dblink_send_query query_to_xml query_to_xml_and_xmlschema query_to_xmlschema
    database_to_xml schema_to_xml table_to_xml cursor_to_xml ts_stat crosstab connectby lowrite
    external_query getvariable query query_table postgres_query postgres_execute mysql_query mysql_execute
    sqlite_query sqlite_attach json_execute_serialized_sql force_checkpoint checkpoint write_log enable_logging disable_logging
    truncate_duckdb_logs enable_profiling disable_profiling
    shuffle monotonically_increasing_id reflect java_method try_reflect randstr uniform ai_query http_request http_get http_post
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
# Families of PostgreSQL's functions that act on the server, on its files or on large objects, but for those that only tell.
_VOLATILE_FAMILIES = ("pg_", "lo_", "loread")
_TELLING = (
    "pg_typeof",
    "pg_column_size",
    "pg_size_pretty",
    "pg_get_",
    "pg_table_size",
    "pg_relation_size",
    "pg_input_is_valid",
)


# What DuckDB may read from in FROM, besides tables.
_TABLE_FUNCTIONS = frozenset(
    {
        *("range", "generate_series", "unnest", "json_each", "json_tree"),
        *("read_parquet", "parquet_scan", "read_csv", "read_csv_auto"),
    }
)
_GUESSED = re.compile(r"\.(csv|tsv|txt|psv|json|ndjson|jsonl|xlsx)(\.gz|\.zst)?$", re.IGNORECASE)


def parse_query(sql: str, dialect: Dialect) -> Relation:
    """The relation of a user's query; :class:`RequestError` unless it is one SELECT that only reads."""
    statements = _parse(sql, dialect, "--query")
    if len(statements) != 1:
        raise RequestError(f"--query holds {len(statements)} statements", "give one SELECT")
    (query,) = statements
    while isinstance(query, exp.Subquery) and not query.alias:
        query = query.this
    _refuse_changes(query, "--query")
    if dialect.name == "duckdb":
        _refuse_guessing(query, "--query")
    if not isinstance(query, exp.Query) or isinstance(query, exp.Table):
        raise RequestError("--query is not a SELECT", "give one SELECT (or WITH … SELECT)")
    return Relation.of_query(_folded(query, dialect))


def parse_condition(
    sql: str, dialect: Dialect, columns: list[Column] | None, relation: Relation, what: str
) -> exp.Expression:
    """The tree of one boolean expression over ``columns`` (None: not known); ``what`` names the option in errors."""
    conditions = _parse(sql, dialect, what, into=exp.Condition)
    if len(conditions) != 1 or isinstance(conditions[0], exp.Query):
        raise RequestError(f"{what} is not one boolean expression", "write it as it stands after WHERE")
    (condition,) = conditions
    _refuse_changes(condition, what)
    if dialect.name == "duckdb":
        _refuse_guessing(condition, what)
    condition = exp.paren(_folded(condition, dialect))  # a parent, so that a lone column can be replaced too
    if columns is not None:
        for column in list(condition.find_all(exp.Column)):
            # Columns of subqueries belong to other tables; the engine checks those.
            if column.find_ancestor(exp.Query) is None and isinstance(column.this, exp.Identifier):
                column.replace(_bound(column, dialect, columns, relation, what))
    return condition.this.copy()


def _bound(
    column: exp.Column, dialect: Dialect, columns: list[Column], relation: Relation, what: str
) -> exp.Expression:
    """The column of the relation that ``column`` names, by its exact name and nothing else."""
    first, *rest = column.parts
    if rest and not (relation.name and relation.name.is_called([part.name for part in column.parts[:-1]])):
        fields = [item.name for item in columns if item.name.lower() == first.name.lower()]
        if len(fields) == 1:  # a field of a structured column
            return exp.Dot.build([exp.column(fields[0], quoted=True), *(part.copy() for part in rest)])
    qualifier = [part.name for part in column.parts[:-1]]
    if qualifier and (relation.name is None or not relation.name.is_called(qualifier)):
        written = column.sql(dialect.name)
        raise RequestError(f"{what}: `{written}` is not a column of {relation.label}", "name the column alone")
    return exp.column(find_column(column.name, columns, f"{what}:", relation).name, quoted=True)


def _parse(sql: str, dialect: Dialect, what: str, into: type[exp.Expression] | None = None) -> list[exp.Expression]:
    log = logging.getLogger("sqlglot")
    level = log.level
    try:
        # It would repeat the user's SQL on stderr where it gives up; what it gave up on is refused below.
        log.setLevel(logging.CRITICAL)
        parser = sqlglot.Dialect.get_or_raise(dialect.name)
        statements = parser.parse_into(into, sql) if into else parser.parse(sql)
    except Exception as problem:  # sqlglot fails in many ways on what is no SQL
        errors = getattr(problem, "errors", None)
        near = f"near `{errors[0]['highlight']}`" if errors and errors[0].get("highlight") else ""
        what_is_wrong = errors[0]["description"] if errors and "<class" not in errors[0]["description"] else ""
        detail = f"{what_is_wrong} {near}".strip() or "it does not parse"
        raise RequestError(f"{what} is not valid {dialect.label} SQL", detail) from None
    finally:
        log.setLevel(level)
    return [statement for statement in statements if statement is not None and not isinstance(statement, exp.Semicolon)]


def _refuse_changes(tree: exp.Expression, what: str) -> None:
    for node in tree.walk():
        reason = _forbidden(node)
        if reason:
            raise RequestError(f"{what} {reason}", "sqlrisk only reads; give a SELECT that does the same each time")


def _refuse_guessing(tree: exp.Expression, what: str) -> None:
    """Refuse files whose types DuckDB would guess (02139 becomes 2139), and table functions that are not known to read only."""
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Func):
            if is_guessed_file(table.name):
                raise _guessed(what, table.name)
            continue
        name = (table.this.name if isinstance(table.this, exp.Anonymous) else table.this.sql_name()).lower()
        name = {"readcsv": "read_csv", "readparquet": "read_parquet", "generateseries": "generate_series"}.get(
            name, name
        )
        if name not in _TABLE_FUNCTIONS:
            raise RequestError(
                f"{what} reads from the function {name}", f"there are {', '.join(sorted(_TABLE_FUNCTIONS))}"
            )
        as_text = re.search(r"all_varchar\W+true", table.this.sql("duckdb"), re.IGNORECASE)
        if name.startswith("read_csv") and not as_text:
            raise _guessed(what, name)


def is_guessed_file(name: str) -> bool:
    """Whether DuckDB would take the table ``name`` for a file, and guess the types of its columns."""
    return bool(_GUESSED.search(name))


def _guessed(what: str, name: str) -> RequestError:
    return RequestError(
        f"{what} reads {name} with guessed types, which can merge values (02139 and 2139)",
        "give the file as SOURCE, or read_csv(..., all_varchar = true)",
    )


def _forbidden(node: exp.Expression) -> str | None:
    if isinstance(node, _CHANGES):
        return f"would change something ({node.key.upper()})"
    if isinstance(node, exp.Into):
        return "would write a table (SELECT INTO)"
    if isinstance(node, exp.Lock):
        return "would lock rows (FOR UPDATE or FOR SHARE)"
    if isinstance(node, exp.Placeholder | exp.Parameter | exp.SessionParameter):
        return f"has an open parameter ({node.sql()})"
    if isinstance(node, _VOLATILE_NODES):
        return f"calls a volatile function ({node.key})"
    if isinstance(node, exp.Func | exp.Anonymous):
        name = (node.name if isinstance(node, exp.Anonymous) else node.sql_name()).lower()
        acts = name.startswith(_VOLATILE_FAMILIES) and not name.startswith(_TELLING)
        if name in _VOLATILE_NAMES or acts:
            return f"calls a volatile function ({name})"
    if isinstance(node, exp.TableSample):
        return "samples at random (TABLESAMPLE)"
    return None


def _folded(tree: exp.Expression, dialect: Dialect) -> exp.Expression:
    """Unquoted names as the engine would read them, before the writer quotes every name.

    Engines that match names without regard to case keep them as written: there, folding could only do harm (a file's
    name, a function's).
    """
    if dialect.name not in CASE_FOLDS:
        return tree.copy()
    return normalize_identifiers(tree.copy(), dialect=dialect.name)


def functions(tree: exp.Expression) -> set[str]:
    """The names of the functions in ``tree``, as written and folded: what they do in the end, only the engine can tell."""
    names = {node.name if isinstance(node, exp.Anonymous) else node.sql_name() for node in tree.find_all(exp.Func)}
    return names | {name.lower() for name in names}
