"""Single columns: their values, how often each occurs, and how many look like what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.job import begin
from sqlrisk.sql.quasi_identifier import NUMBER
from sqlrisk.sql.question import Question
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.trees import case, integer, named, string


@dataclass(frozen=True)
class AskedOfColumn:
    """What is counted of one column beside its values: texts that match the regular expressions ``shapes``; numbers ``above``
    a bound, and those ``at_most`` one; texts that are not ``among`` the given ones, and those that are ``small``. None is
    not counted."""

    shapes: Mapping[str, str] = field(default_factory=dict)
    above: int | None = None
    at_most: int | None = None
    among: Sequence[str] | None = None
    small: Sequence[str] | None = None


def columns_plan(dialect: Dialect, question: Question, asked: Sequence[AskedOfColumn], reread: bool) -> Plan:
    """The statement that looks at each column by itself; ``asked`` are in the order of the quasi-identifiers. With ``reread``
    each reads its own column of the relation anew, and the rows are not held."""
    shapes = list(dict.fromkeys(shape for about in asked for shape in about.shapes))
    job = begin(dialect, replace(question, release=replace(question.release, reread=reread)))
    arms = []
    for number, (key, item, about) in enumerate(zip(job.keys, question.release.keys, asked, strict=True), start=1):
        step = f"column_values_{number}"
        job.chain.add(step, "column_values", {"value": [named(key)]})
        columns = {"number": [integer(number)], "matches": _matches(item.kind, about, shapes)}
        arms.append(job.chain.bind("column_figures", columns, reads={"column_values": step}))
    return compose(dialect, job.chain, arms)


def _matches(kind: Kind, asked: AskedOfColumn, shapes: Sequence[str]) -> list[exp.Expression]:
    value = named("value")
    found: dict[str, exp.Expression | None] = {}
    for shape in shapes:
        pattern = asked.shapes.get(shape) if kind is Kind.TEXT else None
        found[f"shape_{shape}"] = (
            None if pattern is None else exp.RegexpLike(this=value.copy(), expression=string(pattern))
        )
    number = _number(kind, value)
    found["above"] = (
        exp.GT(this=number.copy(), expression=integer(asked.above))
        if number is not None and asked.above is not None
        else None
    )
    found["at_most"] = (
        exp.LTE(this=number.copy(), expression=integer(asked.at_most))
        if number is not None and asked.at_most is not None
        else None
    )
    text = value if kind is Kind.TEXT else exp.cast(value.copy(), "text")
    given = [exp.Not(this=exp.Is(this=value.copy(), expression=exp.null()))]
    found["not_among"] = exp.and_(*given, exp.Not(this=_in(text, asked.among))) if asked.among is not None else None
    found["small"] = _in(text, asked.small) if asked.small else None
    return [_sum(condition, name) for name, condition in found.items()]


def _number(kind: Kind, value: exp.Expression) -> exp.Expression | None:
    """The value as a number, where it is one or is written as one."""
    if kind.is_number:
        return value
    if kind is not Kind.TEXT:
        return None
    is_number = exp.RegexpLike(this=value.copy(), expression=string(NUMBER % 15))
    return case([(is_number, exp.cast(value.copy(), "double"))])


def _in(text: exp.Expression, values: Sequence[str]) -> exp.Expression:
    return exp.In(this=text.copy(), expressions=[string(item) for item in values])


def _sum(condition: exp.Expression | None, name: str) -> exp.Expression:
    """The records that fulfil ``condition``; 0 without one."""
    counted = exp.Sum(this=integer(0) if condition is None else case([(condition, named("size"))], 0))
    return exp.alias_(exp.cast(counted, "bigint"), name, quoted=True)
