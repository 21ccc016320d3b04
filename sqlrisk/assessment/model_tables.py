"""The tables of a population model as the statement takes them: which quasi-identifiers each has, and its fields as the
types of the release."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Protocol

from sqlrisk.errors import RequestError, nearest
from sqlrisk.generalisations import QuasiIdentifier
from sqlrisk.policy import Policy
from sqlrisk.population_model import FrequencyTable, frequency_column
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.frequencies import FREQUENCY, Frequencies, listed
from sqlrisk.sql.quasi_identifier import Generalised, generalise
from sqlrisk.sql.relation import Column, Kind, Relation, find_column


class Names(Protocol):
    """What looks tables and columns up, or takes them as they are named; then there is no list of columns."""

    def model(self, text: str, dialect: Dialect) -> tuple[Relation, list[Column] | None]:
        """A table and its columns."""
        ...

    def column(self, qi: QuasiIdentifier, name: str, columns: Any, relation: Relation) -> Column:
        """The column of a quasi-identifier."""
        ...

    def role(self, name: str, what: str, columns: Any, relation: Relation) -> Column:
        """Another column."""
        ...


def frequencies_of(policy: Policy, names: Names, dialect: Dialect, keys: Sequence[Generalised]) -> list[Frequencies]:
    """The model's tables over the quasi-identifiers; :class:`RequestError` where they do not have each of them once."""
    model = policy.population.model
    if model is None or policy.release.entity_id is not None:
        return []
    asked = list(zip(policy.release.quasi_identifiers, keys, strict=True))
    suppressed = policy.release.suppressed
    tables = [
        _of_file(table, asked, suppressed, dialect)
        if table.rows is not None
        else _of_table(table, asked, suppressed, names, dialect)
        for table in model.tables
    ]
    found = [table for table in tables if table.keys]
    where: dict[int, str] = {}
    for table in found:
        for number in table.keys:
            if number in where:
                raise RequestError(
                    f"the quasi-identifier `{keys[number - 1].column}` is in {where[number]} and in {table.relation.label}",
                    "tables are taken as independent: name the columns of each with `columns:`",
                )
            where[number] = table.relation.label
    for number, (_, key) in enumerate(asked, start=1):
        if number not in where:
            known = [name for table in model.tables for name in table.columns]
            raise RequestError(
                f"the population model has no frequency of `{key.column}`",
                nearest(key.column, known)
                or "add it to a table of the model, or leave it out of the quasi-identifiers",
            )
    return found


_FOUR_BYTES = {"FLOAT", "REAL", "FLOAT4"}
Asked = Sequence[tuple[QuasiIdentifier, Generalised]]


def _of_file(table: FrequencyTable, asked: Asked, suppressed: str | None, dialect: Dialect) -> Frequencies:
    columns = list(table.columns)
    used = {number: columns.index(name) for number, name in _matched(asked, columns).items()}
    kinds = {f"column_{number}": asked[number - 1][1].given_kind for number in used}
    rows = [
        [_converted(row[at], asked[number - 1][1], suppressed, table, line) for number, at in used.items()]
        for line, row in enumerate(table.rows or (), start=1)
    ]
    keys = {
        number: generalise(
            asked[number - 1][0], Column(name, kind, kind.value), dialect, suppressed, asked[number - 1][1].counted
        )
        for number, (name, kind) in zip(used, kinds.items(), strict=True)
    }
    return Frequencies(listed(table.name, kinds, rows, table.frequencies or ()), keys, FREQUENCY)


def _of_table(
    table: FrequencyTable, asked: Asked, suppressed: str | None, names: Names, dialect: Dialect
) -> Frequencies:
    relation, columns = names.model(table.name, dialect)
    if columns is None and not (table.columns and table.frequency):
        raise RequestError(
            f"{table.origin}: the columns of {relation.label} are not looked up here",
            "name them with `columns:` and `frequency:`",
        )
    known = [column.name for column in columns or ()]
    called = table.frequency or frequency_column(known)
    if called is None:
        raise RequestError(
            f"{table.origin}: nothing says which column of {relation.label} holds the frequencies",
            "name it with `frequency:`",
        )
    frequency = names.role(called, "frequency", columns, relation)
    if not frequency.kind.is_number:
        raise RequestError(
            f"{table.origin}: the frequency `{frequency.name}` has the type {frequency.type_name}", "give numbers"
        )
    ours = dict(table.columns) or {name: name for name in known if name != frequency.name}
    keys = {
        number: generalise(
            asked[number - 1][0],
            names.column(asked[number - 1][0], ours.pop(name), columns, relation),
            dialect,
            suppressed,
            asked[number - 1][1].counted,
        )
        for number, name in _matched(asked, list(ours)).items()
    }
    if columns is not None:
        for theirs in ours.values():
            find_column(theirs, columns, "column", relation)
    return Frequencies(relation, keys, frequency.name)


def _matched(asked: Asked, names: Sequence[str]) -> dict[int, str]:
    """Which of ``names`` each quasi-identifier is, by its number; none is two of them."""
    found: dict[int, str] = {}
    for number, (qi, key) in enumerate(asked, start=1):
        left = [name for name in names if name not in found.values()]
        if (name := _alike((key.column, qi.column), left)) is not None:
            found[number] = name
    return found


def _alike(wanted: Sequence[str], names: Sequence[str]) -> str | None:
    """The first of ``names`` that is one of ``wanted``, else one that differs in case alone."""
    folded = {name.casefold() for name in wanted}
    return next((name for name in names if name in wanted), None) or next(
        (name for name in names if name.casefold() in folded), None
    )


def _whole(text: str) -> str:
    if not re.fullmatch("[+-]?[0-9]{1,18}", text):
        raise ValueError
    return str(int(text))


def _decimal(text: str) -> str:
    if not re.fullmatch("[+-]?([0-9]{1,29}([.][0-9]{0,9})?|[.][0-9]{1,9})", text):
        raise ValueError
    return format(Decimal(text), "f")


def _float(text: str) -> str:
    if not re.fullmatch("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?", text):
        raise ValueError
    return repr(float(text))


def _boolean(text: str) -> str:
    return {"true": "true", "false": "false", "t": "true", "f": "false", "1": "true", "0": "false"}[text.lower()]


def _timestamp(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None:
        raise ValueError
    return moment.isoformat(sep=" ")


def _moment(text: str) -> str:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat(sep=" ")


def _time(text: str) -> str:
    moment = time.fromisoformat(text)
    if moment.tzinfo is not None:
        raise ValueError
    return moment.isoformat()


_CONVERT: dict[Kind, tuple[str, Callable[[str], str]]] = {
    Kind.INTEGER: ("a whole number of at most 18 digits", _whole),
    Kind.DECIMAL: ("a number of at most 9 decimals, without an exponent", _decimal),
    Kind.FLOAT: ("a number", _float),
    Kind.BOOLEAN: ("true or false", _boolean),
    Kind.DATE: ("a date such as 2024-01-31", lambda text: date.fromisoformat(text).isoformat()),
    Kind.TIMESTAMP: ("a time stamp without a zone, such as 2024-01-31 08:30", _timestamp),
    Kind.TIMESTAMP_TZ: ("a time stamp such as 2024-01-31 08:30+00:00", _moment),
    Kind.TIME: ("a time without a zone, such as 08:30", _time),
}


def _converted(
    text: str | None, key: Generalised, suppressed: str | None, table: FrequencyTable, row: int
) -> str | None:
    """A field of a file as the type of the release's column reads it."""
    if text is None or key.given_kind is Kind.TEXT:
        return text
    if text == suppressed:
        return None
    if key.given_kind not in _CONVERT:
        raise RequestError(
            f"{table.name}: `{key.column}` has the type {key.type_name} in the release, which no text is compared with",
            "cast it to text in a view, or with --query",
        )
    what, convert = _CONVERT[key.given_kind]
    try:
        converted = convert(text.strip())
    except (ValueError, KeyError, OverflowError):
        raise RequestError(
            f"{table.name}, row {row}: `{key.column}` is not {what}, and in the release it has the type {key.type_name}",
            "correct it, or generalise both in a view",
        ) from None
    return _four_bytes(converted) if key.type_name.upper() in _FOUR_BYTES else converted


def _four_bytes(number: str) -> str:
    """The number as a column of four-byte floats has it."""
    return repr(struct.unpack("f", struct.pack("f", float(number)))[0])
