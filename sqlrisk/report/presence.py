"""k-map, delta-presence and DIS: what a match says, and how many people of the population match a record."""

from __future__ import annotations

from sqlrisk.report import estimates, figures
from sqlrisk.report.document import Bar, Bars, Block, Bullets, Facts, Line, Paragraph, line, lines
from sqlrisk.report.figures import CLASSES, PEOPLE, percent
from sqlrisk.report.sizes import range_label, trimmed
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, KMapTest, MeasuredPopulation

TITLE = "k-map and δ-presence"
DIS = (
    "the chance that a match to a {} that is unique in the release is right; not the share of population uniques (DIS)"
)
SMALLEST = "{}: the least k with 0.05 {} expected in classes of at most k people of the population"
TEST = "A test at 10 % for each class, not a probability."
HIGHEST = "{}: how sure an attacker can be that somebody of a class is in the release"
HIGHEST_EXPECTED = (
    "{} expected in the class with the most: how sure an attacker can be that somebody of it is in the release"
)
_PLACE = f"under “{TITLE}”"
_LEAST_SHOWN = 0.001
_NAMES = {
    "dis": "The chance that a match to a unique is right",
    "k_map": "k-map",
    "k_map.smallest": "Smallest class (k-map)",
    "delta_presence": "δ-presence",
    "delta_presence.lowest": "Lowest δ-presence",
}


def title(result: Assessment) -> str:
    """The heading; says whether the figures are estimates."""
    population = result.population
    return f"{TITLE} (estimated)" if population is not None and _estimated(population) else TITLE


def is_told(result: Assessment) -> bool:
    """Whether there is anything to say, be it why there are no figures."""
    population = result.population
    figures_of = () if population is None else (population.dis, population.k_map, population.delta_presence)
    return any(found is not None for found in figures_of) or (
        population is not None and any(f"population.{measure}" in result.reasons for measure in _NAMES)
    )


def presence(result: Assessment, words: Words) -> tuple[Block, ...]:
    """DIS, k-map and its test, delta-presence, and the two histograms."""
    population = result.population
    assert population is not None
    rows: list[tuple[str, tuple[Line, ...]]] = []
    if population.dis is not None:
        rows.append(("Match to a unique", lines(f"{percent(population.dis)}: {DIS.format(words.unit.one)}")))
    if (k_map := population.k_map) is not None:
        if k_map.smallest is not None:
            rows.append(("Smallest class (k-map)", lines(_smallest(population, words))))
        if k_map.test is not None and _estimated(population):
            rows.append(("k-map test", lines(_test(k_map.test, words), TEST)))
    if (delta := population.delta_presence) is not None:
        told = HIGHEST_EXPECTED if _estimated(population) else HIGHEST
        rows.append(("Highest δ-presence", lines(told.format(percent(delta.highest)))))
        if delta.lowest is not None:
            rows.append(("Lowest δ-presence", lines(percent(delta.lowest))))
    blocks: list[Block] = [Facts(tuple(rows))] if rows else []
    if absent := _absent(result, words):
        blocks.append(Bullets(absent))
    return (*blocks, *_histograms(population, words))


def _estimated(population: MeasuredPopulation) -> bool:
    return estimates.is_estimated(population) and not estimates.is_certain(population)


def _smallest(population: MeasuredPopulation, words: Words) -> str:
    smallest = population.k_map.smallest if population.k_map else None
    if not _estimated(population):
        return PEOPLE.count(smallest)
    return SMALLEST.format(PEOPLE.estimated(smallest), words.unit.many)


def _test(test: KMapTest, words: Words) -> str:
    counted = f"{CLASSES.count(test.classes)} ({words.unit.count(test.records)})"
    verb = "is" if test.classes == 1 else "are"
    return (
        f"{counted} {verb} smaller than {test.sample_threshold:,} in the release, and so taken to be smaller than "
        f"{test.k:,} in the population (El Emam & Dankar 2008)."
    )


def _absent(result: Assessment, words: Words) -> tuple[Line, ...]:
    """What of this section is not known, and why."""
    about: dict[str, list[str]] = {}
    for measure, name in _NAMES.items():
        if reason := result.reasons.get(f"population.{measure}"):
            about.setdefault(reason, []).append(name)
    return tuple(
        line(f"{' and '.join(names)}: not estimated, {words.reason(reason, _PLACE)}.")
        for reason, names in about.items()
    )


def _histograms(population: MeasuredPopulation, words: Words) -> list[Block]:
    blocks: list[Block] = []
    expected = ", expected" if _estimated(population) else ""
    if population.k_map is not None and population.k_map.histogram:
        labelled = [(range_label(low, high), records) for low, high, records in population.k_map.histogram]
        blocks.append(Paragraph(line(f"By the number of people of the population who match (k-map){expected}:")))
        blocks.append(_bars("People who match", labelled, population, words))
    if population.delta_presence is not None and population.delta_presence.histogram:
        labelled = [(_tenth(low, high), records) for low, high, records in population.delta_presence.histogram]
        told = f"By the share of a class's people who are in the release (δ-presence){expected}:"
        blocks.append(Paragraph(line(told)))
        blocks.append(_bars("Share in the release", labelled, population, words))
    return blocks


def _tenth(low: float, high: float) -> str:
    return percent(low) if low == high else f"{percent(low)} to below {percent(high)}"


def _bars(label: str, labelled: list[tuple[str, float]], population: MeasuredPopulation, words: Words) -> Bars:
    number = figures.estimate if _estimated(population) else figures.number
    bars = []
    for name, records in labelled:
        share = records / words.counted if records >= _LEAST_SHOWN else 0.0
        bars.append(Bar(name, share, (number(records), percent(records / words.counted))))
    return Bars((label, words.units, "Share"), trimmed(bars), "")
