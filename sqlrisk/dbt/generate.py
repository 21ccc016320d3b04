"""Writes the SQL macros of the dbt package from ``sql_templates/`` and the generalisations: ``python -m sqlrisk.dbt.generate``.

Each template becomes a macro an adapter, whose slots are lists of SQL texts; what is not a template (generalisations, casts,
the person's key) becomes a text with ``@parameters@``. Nothing in the generated files is written by hand.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.generalisations import (
    DATE_UNITS,
    TIME_UNITS,
    Band,
    MinCount,
    Normalise,
    Prefix,
    QuasiIdentifier,
    Round,
    TimeOfDay,
    Truncate,
    Weekday,
)
from sqlrisk.sql import sensitive, template
from sqlrisk.sql.dialect import DIALECTS, Dialect
from sqlrisk.sql.quasi_identifier import Counted, double_of, float_text_of, generalise, text_of
from sqlrisk.sql.relation import Column, Kind
from sqlrisk.sql.sensitive import sensitive_key
from sqlrisk.sql.trees import named, string, sum_of

FOLDER = Path(__file__).parent / "package" / "macros" / "generated"

# Adapters of dbt, and how their SQL is written. Databricks is Spark with another spelling here and there.
ADAPTERS = {
    "duckdb": DIALECTS["duckdb"],
    "postgres": DIALECTS["postgres"],
    "bigquery": DIALECTS["bigquery"],
    "snowflake": Dialect(name="snowflake", label="Snowflake", materialised_ctes=False),
    "databricks": dataclasses.replace(DIALECTS["spark"], name="databricks", label="Databricks"),
}
STEPS = (
    "release",
    "classes",
    "everyone",
    "joint_classes",
    "population_people",
    "both",
    "dictionary",
    "coded",
    "half_tuples",
    "numbered",
    "tuples",
    "people_multiset",
    "classes_of_people",
    "everyone_multiset",
    "joint_classes_of_people",
    "pairs",
    "pair_sizes",
    "people_distinct",
    "everyone_distinct",
    "joint_pair_sizes",
    "joint_people_distinct",
    "sensitive_rows",
    "sensitive_rows_of_people",
    "sensitive_classes",
    "person_numbers",
    "people_classes",
    "mixed_values",
    "mixed_values_of_people",
    "sensitive_pairs",
    "sensitive_totals",
    "sensitive_values",
    "categorical_shares",
    "ordered_shares",
    "ordered_crossings",
    "ordered_distances",
    "class_measures",
    "measures_by_l",
)
ARMS = (
    "class_sizes",
    "joint_sizes",
    "population_size",
    "class_sizes_of_people",
    "joint_sizes_of_people",
    "record_sizes",
    "joint_record_sizes",
    "l_histogram",
    "sensitive",
    "sensitive_whole",
)
# What no declaration of the package asks for: weights, and the counts of classes beyond a limit.
_EMPTY = ("survey", "bins", "beyond")
_HEAD = "{#- Written by `python -m sqlrisk.dbt.generate` from sql_templates/. Not to be changed by hand. -#}\n"
_WIDTH, _LENGTH, _DIGITS, _POWER_DIGITS = 918273, 918274, 8, 6


def files() -> dict[str, str]:
    """What is generated, by file name."""
    return {f"{adapter}.sql": _file(adapter, dialect) for adapter, dialect in ADAPTERS.items()}


def write_files(folder: Path = FOLDER) -> None:
    """Write what is generated."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (folder / name).write_text(text, "utf-8")


def _file(adapter: str, dialect: Dialect) -> str:
    macros = [_step(adapter, name, dialect) for name in STEPS]
    macros.append(_step(adapter, "dictionary", dialect, "dictionary_bytewise", bytewise=True))
    macros += [_arm(adapter, name, dialect) for name in ARMS]
    macros.append(_router(adapter, "step", "", [*STEPS, "dictionary_bytewise"]))
    macros.append(_router(adapter, "arm", "arm_", ARMS))
    macros.append(_patterns(adapter, dialect))
    return _HEAD + "\n".join(macros)


def _step(adapter: str, name: str, dialect: Dialect, own: str | None = None, bytewise: bool = False) -> str:
    tree = _marked(name)
    if bytewise:
        for ordered in tree.find_all(exp.Ordered):
            ordered.set("this", dialect.bytewise(ordered.this.copy()))
    body = _with_slots(dialect.write(tree))
    return f"{{% macro {adapter}__sqlrisk_{own or name}(slots, reads) -%}}\n{body}\n{{%- endmacro %}}\n"


def _arm(adapter: str, name: str, dialect: Dialect) -> str:
    """An arm as its columns, each with its type, and what stands behind them: arms are padded to the columns of all."""
    tree = _marked(name)
    columns = []
    for item in tree.selects:
        if isinstance(item, exp.Column) and (slot := _marker(item.name)) and slot[0] == "list":
            columns.append(f"slots[{json.dumps(slot[1])}]")
            continue
        value = item.unalias()
        type_ = value.to if isinstance(value, exp.Cast) else exp.DataType.build("bigint")
        text = _concatenated(dialect.write(item, pretty=False))
        about = f"'name': {json.dumps(item.alias_or_name)}, 'type': {json.dumps(dialect.write(type_))}, 'sql': {text}"
        columns.append("[{" + about + "}]")
    tail = tree.copy()
    tail.set("expressions", [exp.Star()])
    rest = dialect.write(tail).partition("FROM")[2]
    body = " +\n  ".join(columns)
    return (
        f"{{% macro {adapter}__sqlrisk_arm_{name}(slots, reads) -%}}\n"
        f"{{%- set columns = {body} -%}}\n{{%- set tail -%}}\nFROM{_with_slots(rest)}\n{{%- endset -%}}\n"
        "{{ return({'columns': columns, 'tail': tail}) }}\n{%- endmacro %}\n"
    )


def _router(adapter: str, name: str, prefix: str, templates: Sequence[str]) -> str:
    """A macro that calls the one of a template: dbt dispatches by names that it can read in the source alone."""
    calls = "\n".join(
        f"{{%- {'elif' if at else 'if'} name == '{own}' -%}}"
        f"{{{{ return(sqlrisk.{adapter}__sqlrisk_{prefix}{own}(slots, reads)) }}}}"
        for at, own in enumerate(templates)
    )
    return (
        f"{{% macro {adapter}__sqlrisk_{name}(name, slots, reads) -%}}\n{calls}\n{{%- endif -%}}\n{{%- endmacro %}}\n"
    )


def _marked(name: str) -> exp.Query:
    """The template with its slots and relations called by what is to stand there."""
    tree = template.load(name).copy()
    for join in tree.find_all(exp.Join):
        using = join.args.get("using") or []
        join.set("using", [_renamed(item) for item in using])
    for column in list(tree.find_all(exp.Column)):
        slot = _slot(column.name)
        if slot is None:
            continue
        siblings = column.parent.args[column.arg_key]
        if slot in _EMPTY:
            siblings.remove(column)
            column.parent.set(column.arg_key, siblings)
            continue
        kind = "order" if isinstance(column.parent, exp.Ordered) else "list" if isinstance(siblings, list) else "one"
        column.replace(exp.column(f"__{kind}_{slot}__"))
    for table in tree.find_all(exp.Table):
        slot = _slot(table.name)
        table.set("this", exp.to_identifier(f"__one_{slot}__" if slot else f"__read_{table.name}__"))
    return tree


def _renamed(item: exp.Expression) -> exp.Expression:
    slot = _slot(item.name)
    return exp.to_identifier(f"__list_{slot}__") if slot else item


def _slot(name: str) -> str | None:
    match = re.fullmatch(r"__(\w+)__", name)
    return match[1] if match else None


def _marker(name: str) -> tuple[str, str] | None:
    match = re.fullmatch(r"__(list|one|read)_(\w+)__", name)
    return (match[1], match[2]) if match else None


_QUOTED = r"""["`]__{kind}_(\w+?)__["`]"""
_LIST, _ORDER, _ONE, _READ = (_QUOTED.format(kind=kind) for kind in ("list", "order", "one", "read"))


def _with_slots(sql: str) -> str:
    """SQL with markers as Jinja. A list that is empty takes its comma along."""
    sql = re.sub(rf",\s*{_LIST}", r"{% for item in slots['\1'] %},\n  {{ item }}{% endfor %}", sql)
    sql = re.sub(rf"{_LIST},\s*", r"{% for item in slots['\1'] %}{{ item }},\n  {% endfor %}", sql)
    sql = re.sub(_LIST, r"{{ slots['\1'] | join(',\\n  ') }}", sql)
    sql = re.sub(rf"{_ORDER}( NULLS FIRST)?", r"{{ slots['\1'] | join('\2, ') }}\2", sql)
    sql = re.sub(_ONE, r"{{ slots['\1'][0] }}", sql)
    return re.sub(_READ, r"{{ reads['\1'] }}", sql)


def _concatenated(sql: str) -> str:
    """SQL with markers as a Jinja expression."""
    parts = re.split(r"""["`]__(?:(?:one|read)_\w+?)__["`]""", sql)
    found = re.findall(r"""["`]__(one|read)_(\w+?)__["`]""", sql)
    pieces = [json.dumps(parts[0])]
    for (kind, name), text in zip(found, parts[1:], strict=True):
        pieces += [f"slots[{json.dumps(name)}][0]" if kind == "one" else f"reads[{json.dumps(name)}]", json.dumps(text)]
    return " ~ ".join(pieces)


def _patterns(adapter: str, dialect: Dialect) -> str:
    """The texts with parameters, by name."""
    lines = ",\n  ".join(
        f"{json.dumps(name)}: {json.dumps(text, ensure_ascii=False)}" for name, text in patterns(dialect).items()
    )
    return f"{{% macro {adapter}__sqlrisk_patterns() -%}}\n{{{{ return({{\n  {lines}\n}}) }}}}\n{{%- endmacro %}}\n"


def patterns(dialect: Dialect) -> dict[str, str]:
    """Every expression that is no template, as SQL with ``@parameters@``."""
    found: dict[str, str] = {}
    for name, tree, stand_ins in _expressions(dialect):
        try:
            text = tree if isinstance(tree, str) else dialect.write(tree, pretty=False)
        except RequestError:
            continue  # what the engine cannot say is refused by its absence
        for stand_in, parameter in {
            '"source"."@given@"': "@given@",
            "`source`.`@given@`": "@given@",
            **stand_ins,
        }.items():
            text = text.replace(stand_in, parameter)
        found[name] = text
    return found


def _expressions(dialect: Dialect) -> Iterator[tuple[str, exp.Expression | str, dict[str, str]]]:
    yield from _generalisations(dialect)
    given = _given()
    for kind in Kind:
        column = Column("@given@", kind, kind.value)
        if kind is Kind.UNGROUPABLE:
            continue
        yield f"text {kind.value}", text_of(given, kind), {}
        with_number = kind.is_number or kind is Kind.TEXT
        if with_number:
            yield f"number {kind.value}", _compared_number(column, dialect), {}
            yield f"sensitive numeric {kind.value}", _sensitive("numeric", column, dialect), {}
        for how in ("categorical", "ordered"):
            yield f"sensitive {how} {kind.value}", _sensitive(how, column, dialect), {}
    marked = exp.column("@name@", quoted=True)
    names = {'"@name@"': "@name@", "`@name@`": "@name@"}
    yield "float text", float_text_of(marked), names
    yield "float text of given", float_text_of(given), {}
    yield "sum", sum_of("@name@"), names
    yield "count", exp.alias_(exp.cast(exp.Count(this=exp.Star()), "bigint"), "records", quoted=True), {}
    yield "filled", exp.cast(exp.Count(this=marked), "bigint"), names
    yield "person", dialect.sorted_numbers(named("tuple")), {}
    yield "infinity", exp.cast(string("Infinity"), "double"), {}
    yield "tail", exp.Sub(this=exp.Sum(this=named("n")), expression=exp.Max(this=named("n"))), {}
    yield "t categorical", sensitive._CATEGORICAL, {}
    yield "t ordered", sensitive._ORDERED, {}
    yield "real", exp.cast(exp.column("@name@", quoted=True), "double"), names
    yield "null whole", exp.cast(exp.null(), "bigint"), {}
    yield "null real", exp.cast(exp.null(), "double"), {}
    for name in ("text", "bigint", "timestamp"):
        yield f"type {name}", exp.DataType.build(name), {}


def _given() -> exp.Column:
    return exp.column("@given@", table="source", quoted=True)


def _generalisations(dialect: Dialect) -> Iterator[tuple[str, exp.Expression | str, dict[str, str]]]:
    cases: list[tuple[str, object, dict[str, str]]] = [("plain", None, {})]
    for scale in range(7):
        width = Decimal(_WIDTH).scaleb(-scale)
        cases.append((f"band {scale}", Band(width), {str(_WIDTH): "@width@"}))
    power = str(10**_POWER_DIGITS)
    cases += [
        ("prefix", Prefix(_LENGTH), {str(_LENGTH): "@length@"}),
        ("round up", Round(_POWER_DIGITS), {power: "@power@", f", {_POWER_DIGITS})": ", @digits@)"}),
        ("round down", Round(-_POWER_DIGITS), {power: "@power@", f", -{_POWER_DIGITS})": ", @digits@)"}),
        ("round whole", Round(0), {}),
        *((f"truncate {unit}", Truncate(unit), {}) for unit in DATE_UNITS),
        *((f"time {unit}", TimeOfDay(unit), {}) for unit in TIME_UNITS),
        ("weekday", Weekday(), {}),
        *((f"normalise {step}", Normalise((step,)), {}) for step in ("trim", "casefold", "nfc")),
    ]
    counted = Counted(
        exp.table_("@rows@", quoted=True, alias=exp.to_identifier("source", quoted=True)), named("@counted@")
    )
    quoted = {f"{mark}@{name}@{mark}": f"@{name}@" for name in ("rows", "counted") for mark in '"`'}
    cases.append(("min_count", MinCount(_LENGTH), {str(_LENGTH): "@count@", **quoted}))
    for name, how, stand_ins in cases:
        for kind in Kind:
            item = _compiled(how, Column("@given@", kind, kind.value), dialect, counted)
            if item is not None:
                may_fail = "may fail" if item.may_fail else "never fails"
                yield f"{name} {kind.value}", item.key, stand_ins
                yield f"{name} {kind.value} is", f"{item.kind.value}|{may_fail}", {}


def _compiled(how: object, column: Column, dialect: Dialect, counted: Counted | None = None):
    try:
        return generalise(QuasiIdentifier(column.name, how), column, dialect, counted=counted)
    except RequestError:
        return None


def _compared_number(column: Column, dialect: Dialect) -> exp.Expression:
    """The number that `cut` compares with its bounds."""
    from sqlrisk.generalisations import Cut

    item = _compiled(Cut((Decimal(1),)), column, dialect)
    return item.key.args["ifs"][0].this.this if item else double_of(column, dialect)


def _sensitive(how: str, column: Column, dialect: Dialect) -> exp.Expression:
    from sqlrisk.sensitive import Sensitive

    return sensitive_key(Sensitive(column.name, how), column, dialect).key


if __name__ == "__main__":
    write_files()
