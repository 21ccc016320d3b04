"""k-map, delta-presence and DIS: what a match says, and how many people of the population match a record."""

from __future__ import annotations

from sqlrisk.report import estimates, figures
from sqlrisk.report.document import Bar, Bars, Block, Bullets, Facts, Line, Paragraph, line, lines
from sqlrisk.report.figures import CLASSES, PEOPLE, between, listed, percent
from sqlrisk.report.sizes import range_label, trimmed
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, DeltaPresence, KMap, KMapTest, MeasuredPopulation, PopulationUniques

TITLE = "k-map and δ-presence"
DIS = (
    "the chance that a match to a {} that is unique in the release is right; not the share of population uniques (DIS)"
)
SMALLEST = "{}: the least k with 0.05 {} expected in classes of at most k people of the population"
SMALLEST_EXPECTED = "{} expected in the {} with the fewest"
TEST = "A test at 10 % for each class, not a probability."
HIGHEST = "{}: how sure an attacker can be that somebody of a {} is in the release"
HIGHEST_EXPECTED = (
    "{} expected in the {} with the most: how sure an attacker can be that somebody of it is in the release"
)
HIGHEST_MODELLED = "{} by the expected number of people of each {}"
CERTAIN = "of at least one {}, the population has nobody beside those in the release: membership is certain"
NOBODY = "of at least one {} of the population, nobody is in the release"
EXPECTATIONS = "Figures from a population model are expectations, not counts."
INDEPENDENT = "They are right as far as the columns of its tables are independent of each other."
_PLACE = f"under “{TITLE}”"
_LEAST_SHOWN = 0.001
_NAMES = {
    "dis": "The chance that a match to a unique is right",
    "k_map": "k-map",
    "k_map.smallest": "Smallest class (k-map)",
    "delta_presence": "δ-presence",
    "delta_presence.highest": "Highest δ-presence",
    "delta_presence.lowest": "Lowest δ-presence",
}

Rows = list[tuple[str, tuple[Line, ...]]]


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
    rows: Rows = []
    if population.dis is not None:
        rows.append(("Match to a unique", lines(f"{percent(population.dis)}: {DIS.format(words.unit.one)}")))
    if population.k_map is not None:
        rows += _k_map(population.k_map, _estimated(population), words)
    if population.delta_presence is not None:
        rows += _delta_presence(population.delta_presence, _estimated(population), words)
    rows += _reliability(population)
    blocks: list[Block] = [Facts(tuple(rows))] if rows else []
    said = _absent(result, population, words)
    if rows and estimates.is_modelled(result):
        said = (*said, line(EXPECTATIONS if len(population.model) == 1 else f"{EXPECTATIONS} {INDEPENDENT}"))
    if said:
        blocks.append(Bullets(said))
    return (*blocks, *_histograms(population, words))


def _reliability(population: MeasuredPopulation) -> Rows:
    """How far to rely on the figures, where they say more of it than the population uniques do."""
    known = population.uniques
    said = [
        (part.reliability, part.reason)
        for part in (population.k_map, population.delta_presence)
        if part is not None and part.histogram and part.reliability is not None
    ]
    told = lines(*(estimates.reliability(*grade) for grade in dict.fromkeys(said) if not _is_said(*grade, known)))
    return [("Reliability", told)] if told and _estimated(population) else []


def _is_said(grade: str, reason: str | None, known: PopulationUniques) -> bool:
    return grade == known.reliability and reason in (None, known.reason)


def _estimated(population: MeasuredPopulation) -> bool:
    return estimates.is_estimated(population) and not estimates.is_certain(population)


def _k_map(k_map: KMap, estimated: bool, words: Words) -> Rows:
    rows: Rows = []
    if k_map.smallest is not None:
        told = [PEOPLE.count(k_map.smallest)]
        if estimated:
            told = [SMALLEST.format(PEOPLE.estimated(k_map.smallest), words.unit.many)]
        if k_map.smallest_expected is not None:
            told.append(SMALLEST_EXPECTED.format(PEOPLE.about(k_map.smallest_expected), words.group))
        if estimated and "smallest" in k_map.intervals:
            told.append(f"95 % interval {between(k_map.intervals['smallest'], figures.estimate)}")
        rows.append((_smallest(words), lines(*told)))
    if k_map.test is not None and estimated:
        rows.append(("k-map test", lines(_test(k_map.test, words), TEST)))
    return rows


def _smallest(words: Words) -> str:
    return words.of_kind("Smallest class (k-map)", "Smallest tuple (k-map)", "Fewest matches (k-map)")


def _delta_presence(delta: DeltaPresence, estimated: bool, words: Words) -> Rows:
    rows: Rows = []
    if delta.highest is not None:
        told = [(HIGHEST_EXPECTED if estimated else HIGHEST).format(percent(delta.highest), words.group)]
        if delta.highest == 1 and not estimated:
            told.append(CERTAIN.format(words.group))
        if delta.highest_expected is not None:
            told.append(HIGHEST_MODELLED.format(percent(delta.highest_expected), words.group))
        if estimated and "highest" in delta.intervals:
            told.append(f"95 % interval {between(delta.intervals['highest'], percent)}")
        rows.append(("Highest δ-presence", lines(*told)))
    if delta.lowest is not None:
        nobody = f": {NOBODY.format(words.group)}" if delta.lowest == 0 and not estimated else ""
        rows.append(("Lowest δ-presence", lines(percent(delta.lowest) + nobody)))
    return rows


def _test(test: KMapTest, words: Words) -> str:
    counted = f"{CLASSES.count(test.classes)} ({words.unit.count(test.records)})"
    verb = "is" if test.classes == 1 else "are"
    return (
        f"{counted} {verb} smaller than {test.sample_threshold:,} in the release, and so taken to be smaller than "
        f"{test.k:,} in the population (El Emam & Dankar 2008)."
    )


def _absent(result: Assessment, population: MeasuredPopulation, words: Words) -> tuple[Line, ...]:
    """What of this section is not known, and why."""
    reasons: dict[str, str] = {}
    for measure in _NAMES:
        part = getattr(population, measure, None)
        unknown = isinstance(part, KMap | DeltaPresence) and not part.histogram
        if reason := result.reasons.get(f"population.{measure}") or (part.reason if unknown else None):
            reasons[measure] = reason
    about: dict[str, list[str]] = {}
    for measure, reason in reasons.items():
        if (
            reasons.get(measure.partition(".")[0] if "." in measure else "") != reason
        ):  # the whole says it for its parts
            about.setdefault(reason, []).append(_NAMES[measure])
    done = "estimated" if _estimated(population) else "measured"
    return tuple(
        line(f"{listed(names)}: not {done}, {words.reason(reason, _PLACE)}.") for reason, names in about.items()
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
        told = f"By the share of a {words.group}'s people who are in the release (δ-presence){expected}:"
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
