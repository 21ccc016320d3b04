"""What was measured: the release, and the population that it was compared with."""

from __future__ import annotations

from sqlrisk.errors import one_line
from sqlrisk.report import figures
from sqlrisk.report.document import Block, Bullets, Code, Facts, Line, Source, line, lines
from sqlrisk.report.figures import RECORDS, of, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, MeasuredColumn, MeasuredPopulation, MeasuredRelease, Mismatch

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
    "wildcard": "A missing value matches every value.",
    "exclude": "Records with a missing quasi-identifier were left out.",
}
SAMPLE = "The release is assumed to be a random sample of the population."
SELECTION = "Where the selection itself is known (a disease), the population's size N is the number of those selected."
CENSUS = "A complete census: journalist equals prosecutor."
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
    if measured.query is None:
        rows.append(("Table", (line(Code(measured.table or "")),)))
    else:
        rows.append(("Query", lines("the one below")))
    if measured.where:
        rows.append(("Where", _sql(measured.where)))
    rows.append(("Records", lines(f"{measured.records:,}")))
    if measured.entities is not None:
        rows.append(("People", _people(measured)))
    rows.append(("Quasi-identifiers", tuple(_column(item) for item in measured.quasi_identifiers)))
    rows.append(("Missing values", _missing(measured)))
    rows += _left_out(measured)
    blocks: list[Block] = [Facts(tuple(rows))]
    if measured.query is not None:
        blocks.append(Source(measured.query))
    return tuple(blocks)


def _sql(text: str) -> tuple[Line, ...]:
    return tuple(line(Code(piece)) for piece in text.expandtabs(4).splitlines() if piece.strip())


def _people(measured: MeasuredRelease) -> tuple[Line, ...]:
    how = COUNTING.get(measured.entity_counting or "", measured.entity_counting or "")
    return line(f"{measured.entities:,}, told apart by ", Code(measured.entity_id or "")), line(f"Counted so: {how}.")


def _column(item: MeasuredColumn) -> Line:
    if item.generalisation is None:
        return line(Code(item.column), " as it is")
    kind, _, argument = item.generalisation.partition("=")
    meaning = f": {_MEANINGS[kind].format(argument.partition('@')[0].replace(',', ', '))}" if kind in _MEANINGS else ""
    return line(Code(item.column), " by ", Code(item.generalisation), meaning)


def _missing(measured: MeasuredRelease) -> tuple[Line, ...]:
    said = [line(MISSING.get(measured.nulls, measured.nulls))]
    if measured.suppressed is not None:
        said.append(line(Code(measured.suppressed), " counts as missing, before any generalisation."))
    if measured.missing_records and measured.nulls != "exclude":
        said.append(line(f"{RECORDS.count(measured.missing_records)} with a missing quasi-identifier."))
    return tuple(said)


def _left_out(measured: MeasuredRelease) -> list[tuple[str, tuple[Line, ...]]]:
    rows = []
    if measured.nulls == "exclude" or measured.excluded_records:
        share = percent(measured.excluded_share)
        rows.append(("Excluded", lines(f"{RECORDS.count(measured.excluded_records)} ({share}) for missing values")))
    if measured.suppressed_records:
        rows.append(("Wholly suppressed", lines(f"{RECORDS.count(measured.suppressed_records)}, left out")))
    return rows + _unparseable(measured.unparseable)


def _unparseable(counts: dict[str, int]) -> list[tuple[str, tuple[Line, ...]]]:
    told = tuple(
        line(f"{_VALUES.count(count)} of ", Code(column), ", taken as missing")
        for column, count in counts.items()
        if count
    )
    return [("Did not convert", told)] if told else []


def population(result: Assessment, words: Words) -> tuple[Block, ...]:
    """The facts about the population, and what is assumed of it."""
    measured = result.population
    assert measured is not None
    rows = _whose(measured)
    rows.append(("Size", lines("–" if measured.size is None else f"{measured.size:,} people")))
    rows.append(("Sampling fraction", lines(_fraction(measured, words))))
    rows += _mismatches(measured, words)
    rows += _unparseable(measured.unparseable)
    rows.append(("Population uniques", _uniques(measured, words)))
    said = [SAMPLE, SELECTION]
    if measured.sampling_fraction == 1:
        said.append(CENSUS)
    if not words.people:
        said.append("Without an entity id, the sampling fraction is rows over people.")
    if measured.table is not None and measured.entity_id is None:
        said.append("Each row of the population table was taken as one person.")
    return Facts(tuple(rows)), Bullets(lines(*said))


def _whose(measured: MeasuredPopulation) -> list[tuple[str, tuple[Line, ...]]]:
    given = {
        "What": measured.description,
        "Of when": measured.as_of and f"{measured.as_of:%Y-%m-%d}",
        "From where": measured.source,
    }
    rows = [(label, lines(one_line(text) if text else "not stated")) for label, text in given.items()]
    if not any(given.values()):
        rows = [("What it is", lines("not stated: whom it holds, of when, and from where"))]
    if measured.table is not None:
        rows.append(("Table", (line(Code(measured.table)),)))
    if measured.where:
        rows.append(("Where", _sql(measured.where)))
    if measured.columns:
        pairs = measured.columns.items()
        rows.append(("Columns", tuple(line(Code(ours), " is called ", Code(theirs)) for ours, theirs in pairs)))
    if measured.entity_id:
        rows.append(("One person", (line("told apart by ", Code(measured.entity_id)),)))
    return rows


def _fraction(measured: MeasuredPopulation, words: Words) -> str:
    counted = of(words.counted, measured.size)
    if measured.sampling_fraction is None:
        return f"not known ({words.unit.count(words.counted)} in the release)"
    share = percent(measured.sampling_fraction)
    return f"{share} ({words.unit.many} of the release over people of the population: {counted})"


def _mismatches(measured: MeasuredPopulation, words: Words) -> list[tuple[str, tuple[Line, ...]]]:
    rows = []
    for label, mismatch, what in (
        ("Not in it", measured.not_in_population, "that the population table does not have"),
        ("Fewer in it", measured.inconsistent, "of which the population table has fewer than the release"),
    ):
        if mismatch.records:
            told = f"{_in_classes(mismatch, words)} {what}; counted with their number in the release"
            rows.append((label, lines(told)))
    return rows


def _in_classes(mismatch: Mismatch, words: Words) -> str:
    count = words.unit.count(mismatch.records)
    return count if mismatch.classes is None else f"{count} in {figures.CLASSES.count(mismatch.classes)}"


def _uniques(measured: MeasuredPopulation, words: Words) -> tuple[Line, ...]:
    uniques = measured.uniques
    if uniques.population_people is None and uniques.release_records is None:
        reason = words.reason(uniques.reason or "it could not be computed", "under “The population”")
        return lines(f"not measured, {reason}")
    people = figures.PEOPLE.count(uniques.population_people)
    records = words.unit.count(uniques.release_records)
    return lines(
        f"in the population: {people} ({percent(uniques.population_share)}) whom nobody else there matches",
        f"in the release: {records} ({percent(uniques.release_share)}) {'among' if words.people else 'of'} such people",
    )
