"""Dialects are declared, not discovered: what each engine can do, and how it writes what no translator gets right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from sqlrisk.errors import RequestError, nearest
from sqlrisk.sql.relation import dialect_name, write
from sqlrisk.sql.trees import join, string

Form = Callable[..., exp.Expression]


def _cast(value: exp.Expression, to: str) -> exp.Cast:
    return exp.cast(value, to)


def _at_time_zone(value: exp.Expression, zone: str) -> exp.Expression:
    """The wall-clock time of an instant in ``zone``, without a zone."""
    return exp.AtTimeZone(this=value, zone=string(zone))


def _bigquery_at_time_zone(value: exp.Expression, zone: str) -> exp.Expression:
    # sqlglot writes TIMESTAMP(DATETIME(x, zone)) here, an instant again, which a later cast moves back to UTC.
    return exp.Datetime(this=value, expression=string(zone))


def _spark_at_time_zone(value: exp.Expression, zone: str) -> exp.Expression:
    # An instant, as Spark shows it, is wall-clock time in the session's zone.
    session = exp.func("CURRENT_TIMEZONE")
    return exp.func("CONVERT_TIMEZONE", session, string(zone), exp.cast(value, "timestamp_ntz"))


def _truncate_date(value: exp.Expression, unit: str) -> exp.Expression:
    """The first day of the year, quarter, month or week (from Monday) of a date, as a date."""
    return _cast(exp.TimestampTrunc(this=value, unit=exp.var(unit.upper())), "date")


def _bigquery_truncate_date(value: exp.Expression, unit: str) -> exp.Expression:
    # BigQuery's WEEK starts on Sunday.
    return exp.DateTrunc(this=value, unit=exp.var("ISOWEEK" if unit == "week" else unit.upper()))


def _truncate_hour(value: exp.Expression) -> exp.Expression:
    return exp.TimestampTrunc(this=value, unit=exp.var("HOUR"))


def _bigquery_truncate_hour(value: exp.Expression) -> exp.Expression:
    return exp.DatetimeTrunc(this=value, unit=exp.var("HOUR"))


def _weekday(value: exp.Expression) -> exp.Expression:
    """1 for Monday to 7 for Sunday (ISO 8601)."""
    return _cast(exp.Extract(this=exp.var("ISODOW"), expression=value), "int")


def _bigquery_weekday(value: exp.Expression) -> exp.Expression:
    sunday_first = exp.Extract(this=exp.var("DAYOFWEEK"), expression=value)
    from_monday = exp.Add(this=sunday_first, expression=exp.Literal.number(5))
    day = exp.Mod(this=exp.paren(from_monday), expression=exp.Literal.number(7))
    return exp.Add(this=day, expression=exp.Literal.number(1))


def _spark_weekday(value: exp.Expression) -> exp.Expression:
    return exp.Extract(this=exp.var("DAYOFWEEK_ISO"), expression=value)


def _day_number(value: exp.Expression) -> exp.Expression:
    """The days since 1970-01-01 of a date."""
    return exp.Sub(this=value, expression=_cast(string("1970-01-01"), "date"))


def _counted_day_number(value: exp.Expression) -> exp.Expression:
    return exp.DateDiff(this=value, expression=_cast(string("1970-01-01"), "date"), unit=exp.var("DAY"))


def _number_from_text(value: exp.Expression) -> exp.Expression:
    return _cast(value, "decimal(38, 9)")


def _decimal_text(value: exp.Expression) -> exp.Expression:
    return _cast(value, "text")


def _postgres_decimal_text(value: exp.Expression) -> exp.Expression:
    # numeric without a scale keeps trailing zeros: 1.0 = 1.00, but their texts differ.
    return _cast(exp.func("TRIM_SCALE", value), "text")


def _normal_form(value: exp.Expression) -> exp.Expression:
    return exp.Normalize(this=value, form=exp.var("NFC"))


def _duckdb_normal_form(value: exp.Expression) -> exp.Expression:
    return exp.func("NFC_NORMALIZE", value)


def _no_normal_form(value: exp.Expression) -> exp.Expression:
    raise RequestError("this engine has no Unicode normalisation", "leave nfc out of normalise=")


def _same_order(value: exp.Expression) -> exp.Expression:
    return value


def _c_order(value: exp.Expression) -> exp.Expression:
    return exp.Collate(this=value, expression=exp.to_identifier("C", quoted=True))


def _joined_numbers(value: exp.Expression) -> exp.Expression:
    text = _cast(value, "text")
    ordered = exp.Order(this=text, expressions=[exp.Ordered(this=text.copy(), nulls_first=True)])
    return exp.GroupConcat(this=ordered, separator=exp.Literal.string("|"))


def _postgres_sorted_numbers(value: exp.Expression) -> exp.Expression:
    # Numbers are sorted in a fraction of the time that their texts are.
    return _array_text(exp.Order(this=value.copy(), expressions=[exp.Ordered(this=value.copy())]), value)


def _duckdb_sorted_numbers(value: exp.Expression) -> exp.Expression:
    # A list that is sorted when it is whole takes half the time of one that is aggregated in order.
    tree = _array_text(value.copy(), value)
    tree.set("this", exp.func("LIST_SORT", tree.this))
    return tree


def _array_text(collected: exp.Expression, value: exp.Expression) -> exp.Cast:
    given = exp.Where(this=exp.Not(this=exp.Is(this=value.copy(), expression=exp.null())))
    return _cast(exp.Filter(this=exp.ArrayAgg(this=collected), expression=given), "text")


def _hex_digits(value: exp.Expression) -> exp.Expression:
    """The first 13 hexadecimal digits of the MD5 of a text: 52 bits, which a double holds exactly."""
    return exp.Substring(this=exp.MD5(this=value), start=exp.Literal.number(1), length=exp.Literal.number(13))


def _hash_number(value: exp.Expression) -> exp.Expression:
    return _cast(exp.DPipe(this=string("0x"), expression=_hex_digits(value), safe=False), "bigint")


def _postgres_hash_number(value: exp.Expression) -> exp.Expression:
    digits = exp.DPipe(this=string("x"), expression=_hex_digits(value), safe=False)
    return _cast(exp.cast(exp.paren(digits), exp.DataType.build("bit(52)", dialect="postgres")), "bigint")


def _spark_hash_number(value: exp.Expression) -> exp.Expression:
    return _cast(exp.func("CONV", _hex_digits(value), exp.Literal.number(16), exp.Literal.number(10)), "bigint")


HASH_RANGE = 2**52
"""One more than the largest number that a draw's hash gives."""


@dataclass(frozen=True)
class Dialect:
    """What one engine's SQL can do: plain facts, and forms, which are functions from syntax trees to a syntax tree."""

    name: str
    label: str
    materialised_ctes: bool
    partitions_by_float: bool = True
    # sqlglot moves a nested WITH to the top of the statement, where it hides tables of the same name.
    hoists_ctes: bool = False
    at_time_zone: Form = _at_time_zone
    truncate_date: Form = _truncate_date
    truncate_hour: Form = _truncate_hour
    weekday: Form = _weekday
    day_number: Form = _day_number
    number_from_text: Form = _number_from_text
    decimal_text: Form = _decimal_text
    normal_form: Form = _normal_form
    bytewise: Form = _same_order
    # A whole number from 0 to below HASH_RANGE, made of the MD5 of a text: the same on every engine.
    hash_number: Form = _hash_number
    # The numbers of a group, sorted, as one text; NULL where there is none.
    sorted_numbers: Form = _joined_numbers

    def draw(self, seed: int, *parts: exp.Expression) -> exp.Expression:
        """A pseudo-random whole number in [0, HASH_RANGE) for whole numbers ``parts``: the same for the same ``seed`` and
        parts on every engine. Give codes (``sqlrisk.sql.coding``), whose order is the same on every engine, not values."""
        texts: list[exp.Expression] = [string(f"{seed}")]
        for part in parts:
            texts += [string(":"), _cast(part.copy(), "text")]
        return self.hash_number(join(texts))

    def write(self, tree: exp.Expression, pretty: bool = True) -> str:
        """``tree`` as this dialect's SQL, every name quoted; what the dialect cannot say is an error, not a comment."""
        return write(tree, self.name, pretty)


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            name="duckdb",
            label="DuckDB",
            materialised_ctes=True,
            normal_form=_duckdb_normal_form,
            sorted_numbers=_duckdb_sorted_numbers,
        ),
        Dialect(
            name="postgres",
            label="PostgreSQL",
            materialised_ctes=True,
            decimal_text=_postgres_decimal_text,
            hash_number=_postgres_hash_number,
            bytewise=_c_order,
            sorted_numbers=_postgres_sorted_numbers,
        ),
        Dialect(
            name="bigquery",
            label="BigQuery",
            materialised_ctes=False,
            partitions_by_float=False,
            at_time_zone=_bigquery_at_time_zone,
            truncate_date=_bigquery_truncate_date,
            truncate_hour=_bigquery_truncate_hour,
            weekday=_bigquery_weekday,
            day_number=_counted_day_number,
        ),
        Dialect(
            name="spark",
            label="Spark",
            materialised_ctes=False,
            hoists_ctes=True,
            at_time_zone=_spark_at_time_zone,
            weekday=_spark_weekday,
            normal_form=_no_normal_form,
            hash_number=_spark_hash_number,
            day_number=_counted_day_number,
        ),
    )
}


def find_dialect(name: str) -> Dialect:
    """The dialect called ``name``; :class:`RequestError` with the known ones otherwise."""
    known = dialect_name(name)
    if known not in DIALECTS:
        raise RequestError(f"no SQL is written for the dialect `{name}` yet", nearest(name, list(DIALECTS)))
    return DIALECTS[known]
