"""Estimates of the population in words: population uniques, how far to rely on them, and every model beside them."""

from __future__ import annotations

from collections.abc import Callable

from sqlrisk.report import figures
from sqlrisk.report.document import Block, Bullets, Code, Line, Paragraph, Table, line, lines
from sqlrisk.report.figures import PEOPLE, between, percent
from sqlrisk.report.words import Words
from sqlrisk.result import POPULATION_MODEL, Assessment, MeasuredPopulation

MODELS = {
    POPULATION_MODEL: "its frequencies (of several tables, multiplied as if independent) times the size",
    "auto": "sqlrisk's own rule",
    "dankar": "Rule of Dankar et al. (2012)",
    "pitman_yor": "Pitman–Yor posterior",
    "pitman": "Pitman, exact",
    "pitman_asymptotic": "Pitman, asymptotic",
    "ewens": "Ewens",
    "log_series": "Fisher's log-series",
    "zayatz": "Zayatz",
    "snb": "Slide negative binomial",
    "negative_binomial": "Negative binomial",
    "poisson_inverse_gaussian": "Poisson–inverse Gaussian",
    "poisson_lognormal": "Poisson–lognormal",
    "npmle": "Non-parametric likelihood",
}
GRADES = {
    "weak": "weak",
    "model-driven": "model-driven",
    "adequate": "adequate: enough classes hold two records or more, and the sampling fraction is not small",
    "measured": "measured: nothing had to be estimated",
}
ONE_TABLE = "adequate: one table has the frequency of each combination; as good as that table is"
ONE_TABLE_TIMES = ", its frequencies times the size"
REPORTED = " (reported)"
QUOTE_NONE = "Quote none of the weak estimates: their intervals are all that is known."
QUOTE_THE_SPREAD = "Quote a model-driven estimate only with its interval: another model gives another number."


def is_estimated(population: MeasuredPopulation) -> bool:
    """Whether the population is known by its size, or by a model, and not by a table of it."""
    return population.uniques.estimator != "population table"


def has_estimates(population: MeasuredPopulation | None) -> bool:
    """Whether models say something of the population that nobody has counted: not so in a complete census."""
    return population is not None and bool(population.estimators) and population.uniques.reliability != "measured"


def is_modelled(result: Assessment) -> bool:
    """Whether the population is known by a model of it."""
    population = result.population
    known_from = () if population is None else (population.uniques.estimator, result.journalist.basis)
    return POPULATION_MODEL in known_from


def is_certain(population: MeasuredPopulation) -> bool:
    """Whether its figures are exact: a complete census."""
    return population.uniques.reliability == "measured"


def shown(population: MeasuredPopulation) -> Callable[[float | None], str]:
    """How its numbers are set: estimates rounded."""
    return figures.number if is_certain(population) else figures.estimate


def uniques(population: MeasuredPopulation, words: Words, place: str) -> list[tuple[str, tuple[Line, ...]]]:
    """Population uniques, the people and the records apart; by which estimator, and how far to rely on it."""
    found = population.uniques
    known_from = (
        line(Code(POPULATION_MODEL), ONE_TABLE_TIMES) if len(population.model) == 1 else estimator(found.estimator)
    )
    rows = [("Estimator", (known_from,))]
    if found.population_people is None and found.release_records is None:
        why = words.reason(found.reason or "it could not be computed", place)
        return [*rows, ("Population uniques", lines(f"not estimated, {why}"))]
    known = [] if found.population_people is None else [_people(population)]
    rows.append(("Population uniques", lines(*known, _records(population, words))))
    if found.interval_kind and not is_certain(population):
        rows.append(("Intervals", lines(f"for a nominal 95 %; of two kinds the wider, here {found.interval_kind}")))
    if found.reliability:
        said = reliability(found.reliability, found.reason)
        if found.estimator == POPULATION_MODEL and found.reliability == "adequate":
            said = ONE_TABLE
        rows.append(("Reliability", (line(said),)))
    return rows


def estimator(name: str) -> Line:
    """An estimator by its option and its name."""
    return line(Code(name), f", {MODELS[name]}") if name in MODELS else line(Code(name))


def _people(population: MeasuredPopulation) -> str:
    found, certain = population.uniques, is_certain(population)
    people = PEOPLE.exactly(found.population_people) if certain else PEOPLE.about(found.population_people)
    within = "" if certain else _within(found.interval, figures.estimate)
    return f"in the population: {people} ({percent(found.population_share)}) whom nobody else there matches{within}"


def _records(population: MeasuredPopulation, words: Words) -> str:
    found, certain = population.uniques, is_certain(population)
    records = words.unit.exactly(found.release_records) if certain else words.unit.about(found.release_records)
    number = found.intervals.get("release_records")
    share = found.intervals.get("release_share")
    within = "" if certain else _within(number, figures.estimate)
    within += f" ({between(share, percent)})" if within and share else ""
    return (
        f"in the release: {records} ({percent(found.release_share)}) {'among' if words.people else 'of'} such people"
        f"{within}"
    )


def _within(interval: tuple[float, float] | None, number: Callable[[float], str]) -> str:
    return f"; 95 % interval {between(interval, number)}" if interval else ""


def reliability(grade: str, reason: str | None) -> str:
    """How far to rely on an estimate, and why."""
    said = GRADES.get(grade, grade)
    if reason is None or grade == "measured":
        return said
    return f"{said}; but {reason}" if grade == "adequate" else f"{said}, because {reason}"


def advice(*populations: MeasuredPopulation) -> list[str]:
    """What not to do with estimates that cannot be relied on, where they have intervals."""
    known = [item.uniques for item in populations if item.uniques.population_people is not None]
    grades = {uniques.reliability for uniques in known if uniques.interval is not None}
    sentences = {"weak": QUOTE_NONE, "model-driven": QUOTE_THE_SPREAD}
    return [sentence for grade, sentence in sentences.items() if grade in grades]


def models(population: MeasuredPopulation, words: Words) -> tuple[Block, ...]:
    """What every model says, the least first, and what is doubtful about each; nothing in a census, where all agree."""
    if is_certain(population) or not population.estimators:
        return ()
    said: list[Block] = [_table(population, words)]
    if spread := _spread(population):
        said.insert(0, Paragraph(line(spread)))
    if doubts := _doubts(population):
        said.append(Bullets(doubts))
    return tuple(said)


def _table(population: MeasuredPopulation, words: Words) -> Table:
    chosen = population.uniques
    answers = {name: (item.population_people, item.release_records) for name, item in population.estimators.items()}
    answers.setdefault(chosen.estimator, (chosen.population_people, chosen.release_records))
    known = sorted(answers.items(), key=lambda item: (item[1][0] is None, item[1][0] or 0.0))
    rows = tuple(
        (model_name(name) + (REPORTED if name == chosen.estimator else ""), name, *map(figures.estimate, answer))
        for name, answer in known
    )
    return Table(("Model", "--estimator", "People", words.units), rows)


def model_name(model: str) -> str:
    """A model by its name for people."""
    return MODELS.get(model) or model.replace("_", " ").capitalize()


def _spread(population: MeasuredPopulation) -> str | None:
    known = [item.population_people for item in population.estimators.values() if item.population_people is not None]
    if len(known) < 2 or min(known) == max(known):
        return None
    low, high = min(known), max(known)
    factor = f", a factor of {figures.times(high / low)}" if low >= 0.001 else ""
    ends = f"{figures.estimate(low)} to {PEOPLE.estimated(high)}"
    return (
        f"Population uniques by each model. The models span {ends} on this histogram{factor}: the histogram alone does "
        "not say which is right."
    )


def _doubts(population: MeasuredPopulation) -> tuple[Line, ...]:
    """Each reason once, with the models that it is about."""
    about: dict[tuple[bool, str], list[str]] = {}
    for name, item in population.estimators.items():
        absent = item.population_people is None
        reason = item.reason or ("" if item.converged and not absent else "it did not converge")
        if reason:
            about.setdefault((absent, reason), []).append(model_name(name))
    return tuple(
        line(f"{'; '.join(names)}: {'no estimate, because ' if absent else ''}{reason}.")
        for (absent, reason), names in about.items()
    )
