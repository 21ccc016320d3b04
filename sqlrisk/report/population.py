"""The population: whom it holds, how many are unique in it, and what is assumed of it."""

from __future__ import annotations

from sqlrisk.errors import one_line
from sqlrisk.report import estimates, figures
from sqlrisk.report.document import Block, Bullets, Code, Facts, Line, line, lines
from sqlrisk.report.figures import of, percent
from sqlrisk.report.measured import sql, unparseable
from sqlrisk.report.sensitive import joined
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, MeasuredPopulation

SAMPLE = "The release is assumed to be a random sample of the population."
SELECTION = "Where the selection itself is known (a disease), the population's size N is the number of those selected."
CENSUS = "A complete census: journalist equals prosecutor."
ROWS_OVER_PEOPLE = "Without an entity id, the sampling fraction is rows over people."
HISTOGRAM_OF_ROWS = (
    "If the histogram counts rows, and a person can have several, the sampling fraction is rows over people."
)
NOT_THE_SAME = (
    "People of the population and {} of the release are different things: a limit on population uniques is about those "
    "of the release."
)
PLACE = "under “The population”"

Rows = list[tuple[str, tuple[Line, ...]]]


def population(result: Assessment, words: Words) -> tuple[Block, ...]:
    """The facts about the population, and what is assumed of it."""
    measured = result.population
    assert measured is not None
    rows = whose(measured)
    rows.append(("Size", lines("–" if measured.size is None else f"{measured.size:,} people")))
    rows.append(("Sampling fraction", lines(_fraction(measured, words))))
    rows += _mismatches(result, measured, words)
    rows += unparseable(measured.unparseable)
    if not estimates.is_estimated(measured):
        rows.append(("Population uniques", _uniques(measured, words)))
        return Facts(tuple(rows)), Bullets(lines(*assumed(result, measured, words)))
    rows += estimates.uniques(measured, words, PLACE)
    said = assumed(result, measured, words)
    if measured.uniques.population_people is not None:
        said += [NOT_THE_SAME.format(words.unit.many), *estimates.advice(measured)]
    return (Facts(tuple(rows)), Bullets(lines(*said)), *estimates.models(measured, words))


def assumed(result: Assessment, measured: MeasuredPopulation, words: Words) -> list[str]:
    """What is taken to be so."""
    said = [SAMPLE, SELECTION]
    if measured.sampling_fraction == 1 and result.fractions is None and result.journalist.average_risk is not None:
        said.append(CENSUS)
    if not words.people:
        said.append(ROWS_OVER_PEOPLE if result.release.histogram is None else HISTOGRAM_OF_ROWS)
    if measured.table is not None and measured.entity_id is None:
        said.append("Each row of the population table was taken as one person.")
    return said


def whose(measured: MeasuredPopulation) -> Rows:
    """Which population it is, as far as it was said."""
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
    if measured.model:
        rows.append(
            (
                "Model",
                (line("relative frequencies of ", *joined([line(Code(name)) for name in measured.model], ", times ")),),
            )
        )
    if measured.where:
        rows.append(("Where", sql(measured.where)))
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


def _mismatches(result: Assessment, measured: MeasuredPopulation, words: Words) -> Rows:
    rows: Rows = []
    known_from = "model" if estimates.is_modelled(result) else "table"
    for label, mismatch, what in (
        ("Not in it", measured.not_in_population, f"that the population {known_from} does not have"),
        ("Fewer in it", measured.inconsistent, f"of which the population {known_from} has fewer than the release"),
    ):
        if mismatch is not None and mismatch.records:
            found = words.within(mismatch.records, mismatch.classes)
            told = f"{found} {what}; counted with their number in the release"
            rows.append((label, lines(told)))
    return rows


def _uniques(measured: MeasuredPopulation, words: Words) -> tuple[Line, ...]:
    uniques = measured.uniques
    if uniques.population_people is None and uniques.release_records is None:
        reason = words.reason(uniques.reason or "it could not be computed", PLACE)
        return lines(f"not measured, {reason}")
    people = figures.PEOPLE.count(uniques.population_people)
    records = words.unit.count(uniques.release_records)
    return lines(
        f"in the population: {people} ({percent(uniques.population_share)}) whom nobody else there matches",
        f"in the release: {records} ({percent(uniques.release_share)}) {'among' if words.people else 'of'} such people",
    )
