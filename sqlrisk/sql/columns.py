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

_FIRST_YEAR = 1000  # of four digits


@dataclass(frozen=True)
class AskedOfColumn:
    """What is counted of one column beside its values; None is not counted.

    ``shapes``: texts that match each of these regular expressions. ``above``: numbers above this one, texts that are written as
    one among them. ``no_number``: texts that are not. ``until_year``: dates of this year or an earlier one, and with
    ``bare_years`` years and eight-digit dates that are written as a number too. ``areas``: values whose first three characters
    are not among these, and ``small`` those whose are.
    """

    shapes: Mapping[str, str] = field(default_factory=dict)
    above: int | None = None
    no_number: bool = False
    until_year: int | None = None
    bare_years: bool = False
    areas: Sequence[str] | None = None
    small: Sequence[str] | None = None


def columns_plan(dialect: Dialect, question: Question, asked: Sequence[AskedOfColumn], reread: bool) -> Plan:
    """The statement that looks at each column by itself; ``asked`` are in the order of the quasi-identifiers. With ``reread``
    each reads its own column of the relation anew, and the rows are not held."""
    shapes = list(dict.fromkeys(shape for about in asked for shape in about.shapes))
    job = begin(dialect, replace(question, release=replace(question.release, reread=reread)))
    arms = []
    for number, (key, item, about) in enumerate(zip(job.keys, question.release.keys, asked, strict=True), start=1):
        step = f"column_values_{number}"
        lost = exp.Sum(this=named(f"unconverted_{number}")) if item.may_fail else integer(0)
        job.chain.add(step, "column_values", {"value": [named(key)], "lost": [lost]})
        matches = _matches(item.kind, about, shapes, dialect)
        columns = {"number": [integer(number)], "matches": matches}
        arms.append(job.chain.bind("column_figures", columns, reads={"column_values": step}))
    return compose(dialect, job.chain, arms)


def _matches(kind: Kind, asked: AskedOfColumn, shapes: Sequence[str], dialect: Dialect) -> list[exp.Expression]:
    found: dict[str, exp.Expression | None] = {}
    for shape in shapes:
        pattern = asked.shapes.get(shape) if kind is Kind.TEXT else None
        found[f"shape_{shape}"] = None if pattern is None else _like(pattern)
    number = _number(kind)
    found["above"] = (
        None if number is None or asked.above is None else exp.GT(this=number, expression=integer(asked.above))
    )
    # A missing value is no number, and no text that is none.
    found["no_number"] = exp.Not(this=_like(NUMBER % 15)) if kind is Kind.TEXT and asked.no_number else None
    found["until_year"] = (
        None if asked.until_year is None else _until(kind, asked.until_year, asked.bare_years, dialect)
    )
    found["other_area"] = None if asked.areas is None else exp.Not(this=_in_areas(kind, asked.areas))
    found["small_area"] = _in_areas(kind, asked.small) if asked.small else None
    return [_sum(condition, name) for name, condition in found.items()]


def _text() -> exp.Expression:
    """The value as a text, without blanks around it."""
    return exp.Trim(this=named("value"), expression=string(" "))


def _like(pattern: str) -> exp.Expression:
    return exp.RegexpLike(this=_text(), expression=string(pattern))


def _number(kind: Kind) -> exp.Expression | None:
    """The value as a number, where it is one or is written as one."""
    if kind.is_number:
        return named("value")
    if kind is not Kind.TEXT:
        return None
    return case([(_like(NUMBER % 15), exp.cast(_text(), "double"))])


def _until(kind: Kind, year: int, bare: bool, dialect: Dialect) -> exp.Expression | None:
    """Whether the value is a date of ``year`` or an earlier one."""
    if kind is Kind.TEXT:
        early = years_until(year)
        shapes = [f"^({early})-[0-9]{{1,2}}-[0-9]{{1,2}}", f"^[0-9]{{1,2}}[./-][0-9]{{1,2}}[./-]({early})$"]
        return _like("|".join([*shapes, f"^({early})$", f"^({early})[01][0-9][0-3][0-9]$"] if bare else shapes))
    if kind.is_number and bare:
        ranges = ((_FIRST_YEAR, year), (_FIRST_YEAR * 10_000, year * 10_000 + 1231))
        return exp.or_(*(exp.Between(this=named("value"), low=integer(a), high=integer(b)) for a, b in ranges))
    if kind.has_date:
        value = dialect.at_time_zone(named("value"), "UTC") if kind is Kind.TIMESTAMP_TZ else named("value")
        return exp.LT(this=exp.cast(value, "date"), expression=exp.cast(string(f"{year + 1}-01-01"), "date"))
    return None


def years_until(year: int) -> str:
    """A regular expression of the four-digit years from 1000 to ``year``."""
    digits = f"{year}"
    branches = [digits]
    for at, digit in enumerate(digits):
        first, last = (1 if at == 0 else 0), int(digit) - 1
        if last >= first:
            branches.append(f"{digits[:at]}[{first}-{last}]" + "[0-9]" * (3 - at))
    return "|".join(branches)


def _in_areas(kind: Kind, areas: Sequence[str]) -> exp.Expression:
    if kind is Kind.TEXT:
        first = exp.Substring(this=_text(), start=integer(1), length=integer(3))
        return exp.In(this=first, expressions=[string(area) for area in areas])
    # A number has lost its leading zeros. A missing value is in no area, and in no other.
    known = [string(area.lstrip("0") or "0") for area in areas]
    return exp.In(this=exp.cast(named("value"), "text"), expressions=known)


def _sum(condition: exp.Expression | None, name: str) -> exp.Expression:
    """The records that fulfil ``condition``; 0 without one."""
    counted = integer(0) if condition is None else case([(condition, named("size"))], 0)
    return exp.alias_(exp.cast(exp.Sum(this=counted), "bigint"), name, quoted=True)
