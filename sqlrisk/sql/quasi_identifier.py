"""Generalisations compiled to syntax trees: a column and its kind in, an expression and its kind out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.generalisations import (
    Band,
    Cut,
    MapTo,
    MinCount,
    Normalise,
    Prefix,
    QuasiIdentifier,
    Round,
    TimeOfDay,
    Truncate,
    Weekday,
)
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.relation import Column, Kind
from sqlrisk.sql.trees import case, integer, is_lost, is_null, join, named, of_source, string

# What converts, the same on every engine. A regular expression decides, not the engine's cast: PostgreSQL has no
# TRY_CAST, and engines differ on what they accept. No positive exponent: `1E5` is more often an ICD code than a number.
NUMBER = "^[+-]?([0-9]{1,%d}([.][0-9]*)?|[.][0-9]+)([eE]-[0-9]{1,2})?$"
_DATE = (
    "((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-"
    "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
    "|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468]0|[02468][48]|[13579][26])00)-02-29)"
)
_TIME = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?"
_OFFSET = "(Z|[+-][0-9]{2}(:?[0-9]{2})?)?"
DATE = f"^{_DATE}([ T]{_TIME}{_OFFSET})?$"
DATE_TIME = f"^{_DATE}[ T]{_TIME}{_OFFSET}$"
TIME = f"^{_TIME}$"

# What has one text a value, the same on every engine.
_TEXTS = frozenset({Kind.TEXT, Kind.INTEGER, Kind.BOOLEAN, Kind.DATE, Kind.OTHER})
# Beyond this, scaled values could leave the integers that a double holds exactly. NaN and infinities lie beyond it.
_LARGEST = 9 * 10**15


@dataclass(frozen=True)
class Counted:
    """The records by which ``min_count`` decides, those of the release: ``rows`` stands in FROM, called ``source``;
    ``value`` is the quasi-identifier's value in it, as a text."""

    rows: exp.Expression
    value: exp.Expression


@dataclass(frozen=True)
class Generalised:
    """A quasi-identifier as SQL over the columns of ``source``.

    ``given`` is the value before generalisation, of ``given_kind``, after suppressed tokens became NULL; where ``may_fail``,
    a given value whose ``key`` is NULL did not convert. ``suppressed`` says whether the value is the token, or missing in a
    column that no text can stand in; ``can_be_token`` tells the two apart. ``counted`` is what ``min_count`` counts.
    """

    column: str
    spec: str | None
    key: exp.Expression
    kind: Kind
    given: exp.Expression
    suppressed: exp.Expression
    type_name: str = ""
    can_be_token: bool = False
    may_fail: bool = False
    must_map: bool = False
    given_kind: Kind = Kind.OTHER
    counted: Counted | None = None
    warnings: tuple[str, ...] = field(default=())

    @property
    def lost(self) -> exp.Expression:
        """Whether a given value did not convert."""
        return is_lost(self.given, self.key)


def counted_by(column: Column, rows: exp.Expression, suppressed: str | None) -> Counted:
    """The values of the release's ``column`` in ``rows``, in which the token stands for a missing one."""
    given, _ = _without_token(column, suppressed)
    return Counted(rows, text_of(given, column.kind))


def _without_token(column: Column, suppressed: str | None) -> tuple[exp.Expression, exp.Expression | None]:
    """The column's value, with NULL for the token, and whether it is the token; None in a column that cannot be it."""
    given: exp.Expression = of_source(column.name)
    if suppressed is None or column.kind not in {Kind.TEXT, Kind.OTHER}:
        return given, None
    is_token = exp.EQ(this=text_of(given, column.kind), expression=string(suppressed))
    return case([(is_token.copy(), exp.null())], given), is_token


def generalise(
    qi: QuasiIdentifier,
    column: Column,
    dialect: Dialect,
    suppressed: str | None = None,
    counted: Counted | None = None,
) -> Generalised:
    """Compile ``qi`` over ``column``; :class:`RequestError` where the column's type does not allow it. ``counted`` is needed
    where values are generalised by how often the release has them."""
    if column.kind is Kind.UNGROUPABLE:
        leaves = f"use a part of it in --query: {', '.join(column.leaves[:6])}" if column.leaves else "leave it out"
        raise RequestError(f"`{column.name}` has the type {column.type_name}, which cannot be grouped", leaves)
    given, is_token = _without_token(column, suppressed)
    if isinstance(qi.generalisation, MinCount):
        key, kind = _min_count(qi.generalisation, given, column, counted), Kind.TEXT
    else:
        key, kind = _COMPILERS[type(qi.generalisation)](qi.generalisation, given, column, dialect)
    return Generalised(
        column=column.name,
        spec=qi.generalisation.spec if qi.generalisation else None,
        key=key,
        kind=kind,
        given=given,
        suppressed=is_null(given.copy()) if is_token is None else is_token,
        can_be_token=is_token is not None,
        type_name=column.type_name,
        may_fail=_may_fail(qi, column),
        must_map=isinstance(qi.generalisation, MapTo),
        given_kind=column.kind,
        counted=counted,
        warnings=tuple(_warnings(qi, column)),
    )


def float_text(name: str) -> exp.Expression:
    """The floating-point key column ``name`` as a text."""
    return float_text_of(named(name))


def float_text_of(value: exp.Expression) -> exp.Expression:
    """A floating-point value as a text: 0.0 and -0.0 are one group, so they have one text."""
    return case([(exp.EQ(this=value.copy(), expression=integer(0)), string("0"))], exp.cast(value.copy(), "text"))


def number_of_key(item: Generalised, dialect: Dialect) -> exp.Expression | None:
    """The key as a number that distances are measured by: a number itself, the number of the day for a date. NULL for a text
    that is no number; None where the kind has no distance."""
    if item.kind.is_number:
        return exp.cast(item.key.copy(), "double")
    if item.kind.has_date:
        day = item.key.copy()
        if item.kind is Kind.TIMESTAMP_TZ:
            day = dialect.at_time_zone(day, "UTC")
        return exp.cast(dialect.day_number(exp.cast(day, "date")), "double")
    if item.kind is Kind.TEXT:
        is_date = _matches(item.key.copy(), DATE)
        first = exp.Substring(this=item.key.copy(), start=integer(1), length=integer(10))
        number = exp.cast(exp.Trim(this=item.key.copy(), expression=string(" ")), "double")
        return case(
            [
                (_matches(item.key.copy(), NUMBER % 15), number),
                (is_date, exp.cast(dialect.day_number(exp.cast(first, "date")), "double")),
            ]
        )
    return None


def double_of(column: Column, dialect: Dialect, given: exp.Expression | None = None) -> exp.Expression:
    """A column of the source (or ``given``, made of it) as a floating-point number; NULL for a text that is none."""
    number = _number(given or of_source(column.name), column, "this", dialect, to="double")
    return number if column.kind in {Kind.FLOAT, Kind.TEXT} else exp.cast(number, "double")


def _plain(_: None, given: exp.Expression, column: Column, dialect: Dialect) -> tuple[exp.Expression, Kind]:
    return given, column.kind


def _band(band: Band, given: exp.Expression, column: Column, dialect: Dialect) -> tuple[exp.Expression, Kind]:
    scale = _scale(band.width)
    width = int(band.width.scaleb(scale))
    if column.kind is Kind.INTEGER and scale == 0:
        # Whole-number arithmetic, exact for any BIGINT; the double modulo floors negative values on every engine.
        # As BIGINT, since the lower bound of a small type's smallest value can lie outside the type.
        given = exp.cast(given, "bigint")
        remainder = exp.Mod(this=given.copy(), expression=integer(width))
        positive = exp.Mod(
            this=exp.paren(exp.Add(this=remainder, expression=integer(width))), expression=integer(width)
        )
        return exp.Sub(this=given, expression=exp.paren(positive)), Kind.INTEGER
    scaled = _scaled(given, column, scale, dialect)
    # Floor first: a decimal of many digits could round up to the next whole number as a double.
    whole = exp.cast(exp.Floor(this=scaled), "double")
    number = exp.Floor(this=exp.Div(this=whole, expression=integer(width), typed=True, safe=False))
    lower = exp.Mul(this=exp.cast(number, "bigint"), expression=integer(width))
    if scale == 0:
        return lower, Kind.INTEGER
    bound = exp.Div(this=exp.cast(lower, "double"), expression=integer(10**scale), typed=True, safe=False)
    return bound, Kind.FLOAT


def _cut(cut: Cut, given: exp.Expression, column: Column, dialect: Dialect) -> tuple[exp.Expression, Kind]:
    number = _number(given, column, "cut", dialect, to="double")
    branches = [
        (exp.LT(this=number.copy(), expression=_decimal(bound)), integer(index))
        for index, bound in enumerate(cut.bounds)
    ]
    last = exp.GTE(this=number.copy(), expression=_decimal(cut.bounds[-1]))
    if column.kind in {Kind.FLOAT, Kind.DECIMAL}:
        # NaN is above everything on PostgreSQL and DuckDB, and beside everything on BigQuery: it is in no interval.
        infinity = exp.cast(string("Infinity"), "double")
        last = exp.and_(last, exp.LTE(this=number.copy(), expression=infinity))
    return case([*branches, (last, integer(len(cut.bounds)))]), Kind.INTEGER


def _round(rounding: Round, given: exp.Expression, column: Column, dialect: Dialect) -> tuple[exp.Expression, Kind]:
    if column.kind is Kind.FLOAT:
        return _round_float(_number(given, column, "round", dialect), rounding.digits), Kind.FLOAT
    number = _number(given, column, "round", dialect)
    if column.kind is not Kind.DECIMAL:
        number = dialect.number_from_text(number)
    return exp.Round(this=number, decimals=integer(rounding.digits)), Kind.DECIMAL


def _round_float(number: exp.Expression, digits: int) -> exp.Expression:
    """Half away from zero in steps that IEEE 754 fixes: engines differ on ROUND of a double, and on its cast to a decimal."""
    absolute = exp.Abs(this=number.copy())
    magnitude = _times_power(absolute, digits)
    whole = exp.Floor(this=exp.Add(this=magnitude.copy(), expression=exp.Literal.number("0.5")))
    rounded = _times_power(whole, -digits)
    signed = case([(exp.LT(this=number.copy(), expression=integer(0)), exp.Neg(this=rounded))], rounded)
    inside = exp.LTE(this=magnitude.copy(), expression=integer(_LARGEST))
    return case([(inside, signed)])


def _times_power(value: exp.Expression, digits: int) -> exp.Expression:
    """``value * 10**digits``; a division where digits are negative, since 0.1 is no double."""
    if digits > 0:
        return exp.Mul(this=value, expression=integer(10**digits))
    if digits < 0:
        return exp.Div(this=value, expression=integer(10**-digits), typed=True, safe=False)
    return value


def _prefix(prefix: Prefix, given: exp.Expression, column: Column, dialect: Dialect) -> tuple[exp.Expression, Kind]:
    if column.kind not in {Kind.TEXT, Kind.INTEGER, Kind.OTHER}:
        hint = "use truncate=" if column.kind.has_date else "use band= or round="
        raise _wrong_kind(column, "prefix", "text", hint)
    text = text_of(given, column.kind)
    return exp.Substring(this=text, start=integer(1), length=integer(prefix.length)), Kind.TEXT


def _truncate(
    truncate: Truncate, given: exp.Expression, column: Column, dialect: Dialect
) -> tuple[exp.Expression, Kind]:
    _check_zone(truncate.zone, column)
    if truncate.unit == "hour":
        return _hour(given, column, truncate.zone, dialect), Kind.TIMESTAMP
    date = _date(given, column, "truncate", truncate.zone, dialect)
    return (date if truncate.unit == "day" else dialect.truncate_date(date, truncate.unit)), Kind.DATE


def _hour(given: exp.Expression, column: Column, zone: str | None, dialect: Dialect) -> exp.Expression:
    if column.kind is Kind.TEXT:
        date, hour = (
            exp.Substring(this=given.copy(), start=integer(a), length=integer(b)) for a, b in ((1, 10), (12, 2))
        )
        start = exp.cast(join([date, string(" "), hour, string(":00:00")]), "timestamp")
        return case([(_matches(given, DATE_TIME), start)])
    if column.kind is Kind.TIMESTAMP:
        return dialect.truncate_hour(given)
    if column.kind is Kind.TIMESTAMP_TZ:
        return dialect.truncate_hour(dialect.at_time_zone(given, zone or "UTC"))
    raise _wrong_kind(column, "truncate=hour", "a time stamp", "use truncate=day or coarser")


def _time_of_day(
    time: TimeOfDay, given: exp.Expression, column: Column, dialect: Dialect
) -> tuple[exp.Expression, Kind]:
    _check_zone(time.zone, column)

    def part(unit: str) -> exp.Expression:
        if column.kind is Kind.TEXT:
            first = 1 if unit == "hour" else 4
            return case(
                [
                    (_matches(given, DATE_TIME), _digits(given, first + 11)),
                    (_matches(given, TIME), _digits(given, first)),
                ]
            )
        value = (
            dialect.at_time_zone(given.copy(), time.zone or "UTC") if column.kind is Kind.TIMESTAMP_TZ else given.copy()
        )
        return exp.cast(exp.Extract(this=exp.var(unit.upper()), expression=value), "int")

    if column.kind not in {Kind.TEXT, Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ}:
        raise _wrong_kind(column, "time", "a time or a time stamp", "use truncate= or weekday for dates")
    if time.unit == "hour":
        return part("hour"), Kind.INTEGER
    minutes = exp.Mul(this=part("hour"), expression=integer(60))
    return exp.Add(this=minutes, expression=part("minute")), Kind.INTEGER


def _weekday(weekday: Weekday, given: exp.Expression, column: Column, dialect: Dialect) -> tuple[exp.Expression, Kind]:
    _check_zone(weekday.zone, column)
    return dialect.weekday(_date(given, column, "weekday", weekday.zone, dialect)), Kind.INTEGER


def _map(mapping: MapTo, given: exp.Expression, column: Column, dialect: Dialect) -> tuple[exp.Expression, Kind]:
    return map_of(mapping, given, column, dialect), Kind.TEXT


def map_of(mapping: MapTo, given: exp.Expression, column: Column, dialect: Dialect) -> exp.Expression:
    """The group of a value of ``column``; NULL for one that the map lacks."""
    if column.kind not in _TEXTS:
        raise _wrong_kind(column, "map", "text or whole numbers", "use band=, cut= or truncate=")
    value = text_of(given, column.kind)
    # One branch a group with an IN list: engines hash the list, where a branch a value would be tried one by one.
    groups: dict[str, list[str]] = {}
    for original, group in mapping.pairs:
        groups.setdefault(group, []).append(original)
    branches = [
        (exp.In(this=value.copy(), expressions=[string(item) for item in items]), string(group))
        for group, items in groups.items()
    ]
    if mapping.other is not None:
        present = exp.Not(this=is_null(value.copy()))
        branches.append((present, string(mapping.other)))
    return case(branches)


def _normalise(
    normalise: Normalise, given: exp.Expression, column: Column, dialect: Dialect
) -> tuple[exp.Expression, Kind]:
    if column.kind not in {Kind.TEXT, Kind.OTHER}:
        raise _wrong_kind(column, "normalise", "text", "leave it out")
    text = text_of(given, column.kind)
    for step in normalise.steps:
        if step == "trim":
            # Tab, line feed and carriage return by number: in a literal they would not survive copy and paste.
            codes = [exp.Chr(expressions=[integer(code)]) for code in (9, 10, 13)]
            text = exp.Trim(this=text, expression=join([string(" "), *codes]))
        elif step == "casefold":
            text = exp.Lower(this=text)
        else:
            text = dialect.normal_form(text)
    return text, Kind.TEXT


def _min_count(min_count: MinCount, given: exp.Expression, column: Column, counted: Counted | None) -> exp.Expression:
    """The value where the release has it often enough, else the text that stands for all the others.

    A subquery in the place of a window, so that a population has its values generalised by the release's counts too.
    """
    if column.kind not in _TEXTS:
        raise _wrong_kind(column, "min_count", "text or whole numbers", "use band=, cut= or truncate=")
    if counted is None:
        raise RequestError(f"`{column.name}`: min_count needs the records of a release to count", "use map= instead")
    present = exp.Not(this=is_null(counted.value.copy()))
    often = exp.GTE(this=exp.Count(this=exp.Star()), expression=integer(min_count.count))
    frequent = (
        exp.select(exp.alias_(counted.value.copy(), "value", quoted=True))
        .from_(counted.rows.copy())
        .where(present)
        .group_by(counted.value.copy())
        .having(often)
    )
    value = text_of(given, column.kind)
    is_frequent = exp.In(this=value.copy(), query=frequent.subquery())
    rest = exp.Not(this=is_null(value.copy()))
    return case([(is_frequent, value), (rest, string(min_count.rest))])


_Compiler = Callable[..., tuple[exp.Expression, Kind]]
_COMPILERS: dict[type, _Compiler] = {
    type(None): _plain,
    Band: _band,
    Cut: _cut,
    Round: _round,
    Prefix: _prefix,
    Truncate: _truncate,
    TimeOfDay: _time_of_day,
    Weekday: _weekday,
    MapTo: _map,
    Normalise: _normalise,
}


def _may_fail(qi: QuasiIdentifier, column: Column) -> bool:
    if isinstance(qi.generalisation, MapTo):
        return qi.generalisation.other is None
    if isinstance(qi.generalisation, Prefix | Normalise | MinCount | None):
        return False
    if isinstance(qi.generalisation, TimeOfDay | Weekday):
        return True  # DuckDB and PostgreSQL have infinite dates, which fall on no weekday
    if isinstance(qi.generalisation, Band) and _scale(qi.generalisation.width):
        return True
    return column.kind in {Kind.TEXT, Kind.FLOAT, Kind.DECIMAL}


def _warnings(qi: QuasiIdentifier, column: Column) -> Sequence[str]:
    if qi.generalisation is None and column.kind is Kind.FLOAT:
        yield (
            f"`{column.name}` is a floating-point column: almost every value is its own, which makes almost every record "
            f"unique; generalise it, for example `{column.name}:band=10`"
        )
    if isinstance(qi.generalisation, Prefix) and column.kind is Kind.INTEGER:
        yield f"`{column.name}` is a whole number: its prefix lacks leading zeros (02139 is 2139)"


def _number(
    given: exp.Expression, column: Column, what: str, dialect: Dialect, *, digits: int = 15, to: str = "decimal"
) -> exp.Expression:
    """The column's number. Text becomes a double where a bound is compared or a whole number taken, which no rounding may
    cross, and else a decimal (nine decimals), in which 0.29 is 29 hundredths."""
    if column.kind is Kind.FLOAT:
        return exp.cast(given.copy(), "double")  # arithmetic on four-byte floats differs between engines
    if column.kind.is_number:
        return given.copy()
    if column.kind is not Kind.TEXT:
        hint = "use truncate=" if column.kind.has_date else "leave it as it is"
        raise _wrong_kind(column, what, "numbers", hint)
    trimmed = exp.Trim(this=given.copy(), expression=string(" "))
    number = exp.cast(trimmed.copy(), "double") if to == "double" else dialect.number_from_text(trimmed.copy())
    return case([(_matches(trimmed, NUMBER % digits), number)])


def _scaled(given: exp.Expression, column: Column, scale: int, dialect: Dialect) -> exp.Expression:
    """The column's number times ``10**scale``, small enough for whole-number arithmetic; NULL otherwise."""
    to = "decimal" if scale else "double"
    number = _number(given, column, "band", dialect, digits=min(15, 18 - scale), to=to)
    # A number times 10**scale can leave its type.
    if column.kind is Kind.INTEGER:
        number = exp.cast(number, "double")
    if column.kind is not Kind.TEXT:
        number = _within(number, _LARGEST // 10**scale)
    if column.kind is Kind.DECIMAL and scale:
        number = dialect.number_from_text(number)
    return exp.Mul(this=number, expression=integer(10**scale)) if scale else number


def _within(number: exp.Expression, largest: int) -> exp.Expression:
    inside = exp.Between(
        this=exp.cast(number.copy(), "double"), low=exp.Neg(this=integer(largest)), high=integer(largest)
    )
    return case([(inside, number)])


def _date(given: exp.Expression, column: Column, what: str, zone: str | None, dialect: Dialect) -> exp.Expression:
    if column.kind is Kind.DATE:
        return given.copy()
    if column.kind is Kind.TIMESTAMP:
        return exp.cast(given.copy(), "date")
    if column.kind is Kind.TIMESTAMP_TZ:
        return exp.cast(dialect.at_time_zone(given.copy(), zone or "UTC"), "date")
    if column.kind is Kind.TEXT:
        day = exp.Substring(this=given.copy(), start=integer(1), length=integer(10))
        return case([(_matches(given, DATE), exp.cast(day, "date"))])
    raise _wrong_kind(column, what, "dates", "use band= or cut= for numbers")


def _check_zone(zone: str | None, column: Column) -> None:
    if zone and column.kind is not Kind.TIMESTAMP_TZ:
        raise RequestError(
            f"`{column.name}` ({column.type_name}) has no time zone to convert from", f"leave out @{zone}"
        )


def _wrong_kind(column: Column, what: str, needed: str, hint: str) -> RequestError:
    return RequestError(f"`{column.name}` ({column.type_name}): {what} needs {needed}", hint)


def _scale(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


def text_of(value: exp.Expression, kind: Kind) -> exp.Expression:
    """A value as a text."""
    return value.copy() if kind is Kind.TEXT else exp.cast(value.copy(), "text")


def _digits(text: exp.Expression, start: int) -> exp.Expression:
    return exp.cast(exp.Substring(this=text.copy(), start=integer(start), length=integer(2)), "int")


def _matches(text: exp.Expression, pattern: str) -> exp.Expression:
    return exp.RegexpLike(this=text.copy(), expression=string(pattern))


def _decimal(value: Decimal) -> exp.Expression:
    return exp.Literal.number(f"{value:f}") if value >= 0 else exp.Neg(this=exp.Literal.number(f"{-value:f}"))
