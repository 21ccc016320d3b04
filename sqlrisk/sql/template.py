"""Templates: plain SQL files, parsed once, whose slots are bound by replacing nodes of the syntax tree.

A slot is a name between double underscores. It stands for a relation in FROM, or for columns in a SELECT list, GROUP BY
or PARTITION BY, where it takes any number of columns (none included).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

import sqlglot
from sqlglot import exp

# What a template may say: functions whose meaning was checked on every engine. The user's own SQL is not bound by it.
ALLOWED_FUNCTIONS = (
    exp.Abs,
    exp.And,
    exp.Case,
    exp.Cast,
    exp.Coalesce,
    exp.Count,
    exp.Exp,
    exp.Floor,
    exp.GroupConcat,
    exp.If,
    exp.Ln,
    exp.Max,
    exp.Min,
    exp.Or,
    exp.RowNumber,
    exp.Substring,
    exp.Sum,
    exp.TimestampTrunc,
)


class TemplateError(Exception):
    """A template and what is bound to it do not fit: a mistake of sqlrisk's own, found by its tests."""


def folder() -> Path:
    """Where the templates are: inside the installed package, or beside it in a checkout."""
    package = Path(str(resources.files("sqlrisk")))
    inside = package / "sql_templates"
    return inside if inside.is_dir() else package.parent / "sql_templates"


@functools.cache
def load(name: str) -> exp.Query:
    """The syntax tree of ``name``.sql, checked against the allow-list. Copy before changing it: it is shared."""
    tree = sqlglot.parse_one((folder() / f"{name}.sql").read_text("utf-8"), read="duckdb")
    if not isinstance(tree, exp.Query):
        raise TemplateError(f"{name}.sql is not a query")
    for node in tree.walk():
        node.comments = None
    # The demo's generator runs on the embedded DuckDB alone.
    for function in tree.find_all(exp.Func) if not name.startswith("demo/") else ():
        if isinstance(function, exp.Anonymous) or not isinstance(function, ALLOWED_FUNCTIONS):
            raise TemplateError(f"{name}.sql uses {function.sql('duckdb')}, which is not on the allow-list")
    # What templates divide are floating-point numbers, and never by 0: nothing is to be wrapped around a division.
    for division in tree.find_all(exp.Div):
        division.set("typed", True)
        division.set("safe", False)
    return tree


def bind(
    name: str, columns: Mapping[str, Sequence[exp.Expression]], tables: Mapping[str, exp.Expression] | None = None
) -> exp.Query:
    """The template with its column slots and relations replaced.

    ``columns`` maps slot names (without underscores) to expressions; aliases are dropped outside SELECT lists.
    ``tables`` maps relation names, slots or earlier steps, to what stands in their place.
    """
    tree = load(name).copy()
    used = set()
    for join in tree.find_all(exp.Join):
        for slot in [column for column in join.args.get("using") or [] if _slot(column.name)]:
            used.add(_slot(slot.name))
            _join_by(join, slot, columns)
    for slot in [node for node in tree.find_all(exp.Column) if _slot(node.name)]:
        key = _slot(slot.name)
        if key not in columns:
            raise TemplateError(f"{name}.sql: nothing is bound to {slot.name}")
        used.add(key)
        _replace(slot, [value.copy() for value in columns[key]])
    if unused := set(columns) - used:
        raise TemplateError(f"{name}.sql has no slot for {', '.join(sorted(unused))}")
    for table in list(tree.find_all(exp.Table)):
        if tables and table.name in tables:
            table.replace(_aliased(tables[table.name], table.alias))
    if any(_slot(node.name) for node in tree.find_all(exp.Identifier)):
        raise TemplateError(f"{name}.sql: a slot was left open")
    return tree


def _slot(name: str) -> str | None:
    return name[2:-2] if name.startswith("__") and name.endswith("__") and len(name) > 4 else None


def _replace(slot: exp.Column, values: list[exp.Expression]) -> None:
    if isinstance(slot.parent, exp.Alias):
        if len(values) != 1:
            raise TemplateError(f"{slot.name} stands for exactly one column")
        slot.replace(values[0].unalias())
        return
    if isinstance(slot.parent, exp.Ordered):
        _order_by(slot.parent, values)
        return
    siblings = slot.parent.args[slot.arg_key]
    if not isinstance(siblings, list):
        if len(values) != 1:
            raise TemplateError(f"{slot.name} stands for exactly one column")
        slot.replace(values[0].unalias())
        return
    if not isinstance(slot.parent, exp.Select):
        values = [value.unalias() for value in values]
    at = slot.index
    slot.parent.set(slot.arg_key, [*siblings[:at], *values, *siblings[at + 1 :]])


def _order_by(ordered: exp.Ordered, values: list[exp.Expression]) -> None:
    """Each of the columns, in the direction of the one that stood for them."""
    order = ordered.parent
    at, kept = ordered.index, order.expressions
    each = [
        exp.Ordered(this=value.unalias(), **{k: v for k, v in ordered.args.items() if k != "this"}) for value in values
    ]
    order.set("expressions", [*kept[:at], *each, *kept[at + 1 :]])


def _join_by(join: exp.Join, slot: exp.Expression, columns: Mapping[str, Sequence[exp.Expression]]) -> None:
    key = _slot(slot.name)
    if key not in columns:
        raise TemplateError(f"nothing is bound to {slot.name}")
    names = [exp.to_identifier(value.name, quoted=True) for value in columns[key]]
    using = join.args["using"]
    at = using.index(slot)
    join.set("using", [*using[:at], *names, *using[at + 1 :]])


def _aliased(source: exp.Expression, alias: str) -> exp.Expression:
    return exp.alias_(source.copy(), alias, table=True, quoted=True) if alias else source.copy()
