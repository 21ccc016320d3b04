"""What was measured: the release."""

from __future__ import annotations

from sqlrisk.report import figures
from sqlrisk.report.document import Block, Code, Facts, Line, Source, line, lines
from sqlrisk.report.figures import RECORDS, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, MeasuredColumn, MeasuredRelease

COUNTING = {
    "multiset": (
        "one person may have several rows (multiset): a person is known by all of their rows together, and two people "
        "match when all their rows do"
    ),
    "distinct": (
        "one person may have several rows (distinct): a tuple is one combination of values, and a person is as exposed "
        "as their tuple that the fewest people share"
    ),
}
MISSING = {
    "value": "A missing value is a value: it matches other missing values, and nothing else.",
    "wildcard": (
        "A missing value matches every value, both ways: a record with one matches all that agree with it in its other "
        "columns, and all of them match it."
    ),
    "exclude": "Records with a missing quasi-identifier were left out.",
}
MATCHES = "Sizes are numbers of matches: the group of a {} is all that match it, and {} do not fall into classes."
FROM_HISTOGRAM = "class sizes and their numbers; of which table and which columns, it does not say"
_MEANINGS = {
    "band": "intervals of {}",
    "cut": "intervals that begin at {}, and one below",
    "min_count": "values with fewer than {} records become one",
    "prefix": "first {} characters",
    "truncate": "start of the {}",
    "time": "{} of the day",
}
_VALUES = figures.Unit("value", "values")


def release(result: Assessment, words: Words) -> tuple[Block, ...]:
    """The facts about the release."""
    measured = result.release
    rows: list[tuple[str, tuple[Line, ...]]] = []
    if measured.histogram is not None:
        rows.append(("Histogram", (line(Code(measured.histogram), f": {FROM_HISTOGRAM}"),)))
    elif measured.query is None:
        rows.append(("Table", (line(Code(measured.table or "")),)))
    else:
        rows.append(("Query", lines("the one below")))
    if measured.where:
        rows.append(("Where", sql(measured.where)))
    rows.append(("Records", lines(f"{measured.records:,}")))
    if measured.entities is not None:
        rows.append(("People", _people(measured)))
    if measured.histogram is None and result.columns is None:
        rows.append(("Quasi-identifiers", tuple(_column(item) for item in measured.quasi_identifiers)))
    if measured.nulls is not None:
        rows.append(("Missing values", _missing(measured.nulls, measured, words)))
    rows += _left_out(measured)
    blocks: list[Block] = [Facts(tuple(rows))]
    if measured.query is not None:
        blocks.append(Source(measured.query))
    return tuple(blocks)


def sql(text: str) -> tuple[Line, ...]:
    """SQL as it was given, a line to each of its lines."""
    return tuple(line(Code(piece)) for piece in text.expandtabs(4).splitlines() if piece.strip())


def _people(measured: MeasuredRelease) -> tuple[Line, ...]:
    who = line(f"{measured.entities:,}, told apart by ", Code(measured.entity_id or ""))
    if measured.entity_counting is None:  # of a command that counts no classes of them
        return (who,)
    return who, line(f"Counted so: {COUNTING.get(measured.entity_counting, measured.entity_counting)}.")


def _column(item: MeasuredColumn) -> Line:
    if item.generalisation is None:
        return line(Code(item.column), " as it is")
    kind, _, argument = item.generalisation.partition("=")
    meaning = f": {_MEANINGS[kind].format(argument.partition('@')[0].replace(',', ', '))}" if kind in _MEANINGS else ""
    return line(Code(item.column), " by ", Code(item.generalisation), meaning)


def _missing(nulls: str, measured: MeasuredRelease, words: Words) -> tuple[Line, ...]:
    said = [line(MISSING.get(nulls, nulls))]
    if nulls == "wildcard" and not words.classes:
        said.append(line(MATCHES.format(words.unit.one, words.unit.many)))
    if measured.suppressed is not None:
        said.append(line(Code(measured.suppressed), " counts as missing, before any generalisation."))
    if nulls == "wildcard" or (measured.missing_records and nulls != "exclude"):
        said.append(line(f"{RECORDS.count(measured.missing_records)} with a missing quasi-identifier."))
    return tuple(said)


def _left_out(measured: MeasuredRelease) -> list[tuple[str, tuple[Line, ...]]]:
    rows = []
    if measured.nulls == "exclude" or measured.excluded_records:
        share = percent(measured.excluded_share)
        rows.append(("Excluded", lines(f"{RECORDS.count(measured.excluded_records)} ({share}) for missing values")))
    if measured.suppressed_records:
        rows.append(("Wholly suppressed", lines(f"{RECORDS.count(measured.suppressed_records)}, left out")))
    return rows + unparseable(measured.unparseable)


def unparseable(counts: dict[str, int]) -> list[tuple[str, tuple[Line, ...]]]:
    """How many values of which column did not convert."""
    told = tuple(
        line(f"{_VALUES.count(count)} of ", Code(column), ", taken as missing")
        for column, count in counts.items()
        if count
    )
    return [("Did not convert", told)] if told else []
