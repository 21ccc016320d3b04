"""A population model: what its tables hold, and the risks that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlrisk.assessment.counts import Counts, ModelCounts, Modelled, by_column
from sqlrisk.assessment.estimated import described, record_figures
from sqlrisk.class_sizes import RecordSizes
from sqlrisk.errors import MeasurementError, RequestError, number_of
from sqlrisk.policy import Policy
from sqlrisk.population_model import MOST_TOGETHER
from sqlrisk.result import (
    POPULATION_MODEL,
    DeltaPresence,
    JournalistRisk,
    KMap,
    MarketerRisk,
    MeasuredPopulation,
    Mismatch,
    PopulationUniques,
)
from sqlrisk.sql.quasi_identifier import Generalised
from sqlrisk.sql.question import Question

SEVERAL_ROWS = (
    "a population model says how frequent the values of a row are, not those of a person with several rows; give a population "
    "table, or leave out the entity id"
)
_INDEPENDENT = "its tables are taken as independent of each other"
_NOT_ASKED = "a population model is not asked about those whom the release does not have"
_LEAST_COVERED = 0.99


def refuse_unsized(policy: Policy) -> None:
    """:class:`RequestError` for a model without the size that its frequencies are multiplied by."""
    given = policy.population
    if given.model is not None and given.size is None and len(given.sampling_fraction or ()) != 1:
        raise RequestError(
            "the frequencies of a population model are multiplied by the size of the population",
            "give --population-size, or one sampling fraction",
        )


def refuse_lost(policy: Policy, item: Generalised, count: int, where: str) -> None:
    """End with exit code 3 for values of a quasi-identifier that its map lacks, or that do not convert and have to."""
    values = f"{number_of(count, 'value', 'values')} of `{item.column}` in {where}"
    if count and item.must_map:
        raise MeasurementError(
            f"{values} not in its map", "add them to it, or give the rest a group of its own with :else=Other"
        )
    if count and policy.release.unparseable == "error":
        raise MeasurementError(
            f"{values} not convertible for {item.spec}",
            "correct them, or count them as missing with --unparseable null",
        )


def check_model(policy: Policy, question: Question, counts: Sequence[ModelCounts]) -> None:
    """End with exit code 3 where the tables are not what a model is."""
    for table, found in zip(question.model, counts, strict=True):
        name = table.relation.label
        if not found.rows:
            raise MeasurementError(f"{name}, of the population model, holds no row", "check that it was loaded")
        for number, count in found.unconverted.items():
            refuse_lost(policy, question.release.keys[number - 1], count, f"{name}, of the population model,")
        if found.without_frequency or found.unlike_frequencies:
            wrong = number_of(found.without_frequency + found.unlike_frequencies, "frequency", "frequencies")
            raise MeasurementError(
                f"{wrong} of {name} missing or outside [0, 1]", "give each as a share of the whole population"
            )
        if found.total > MOST_TOGETHER:
            raise MeasurementError(
                f"the frequencies of {name} add up to {found.total:.7g}, and the whole population is 1",
                "give each as a share of the whole population, and each combination once",
            )
        if found.with_missing and policy.release.nulls == "wildcard":
            raise MeasurementError(
                f"{name} has {number_of(found.with_missing, 'row', 'rows')} with a missing value, which would match "
                "anything under --nulls wildcard",
                "share their frequency out over the values, or use value or exclude",
            )


def modelled(policy: Policy, question: Question, counts: Counts) -> dict[str, Any]:
    """Journalist, marketer and population, where the model says how many people each class is expected to have.

    :class:`RequestError` for a population smaller than the release.
    """
    import numpy as np

    from sqlrisk.population.estimation import ADEQUATE, MODEL_DRIVEN, population_of
    from sqlrisk.population.expected import Expected

    threshold = policy.threshold_of("journalist")
    fraction = (policy.population.sampling_fraction or (None,))[0]
    size = population_of(counts.sizes, policy.population.size, fraction)
    sampled = counts.sizes.records / size
    cells = counts.modelled
    sizes = np.array([cell.size for cell in cells], float)
    means, least = (
        np.maximum((1 - sampled) * size * np.array(frequencies, float), 0.0)
        for frequencies in ([cell.frequency for cell in cells], [cell.least for cell in cells])
    )
    several = len(question.model) > 1
    grade = MODEL_DRIVEN if several else ADEQUATE
    expected = Expected(sizes, means, np.array([cell.classes for cell in cells]), size, grade, least)
    journalist = record_figures(expected.journalist(threshold))
    partition = not isinstance(counts.sizes, RecordSizes)
    if not partition:
        journalist["classes_at_risk"] = None
    lacking = _lacking(counts)
    people = [max(cell.size, size * cell.least) for cell in cells]
    said = {"reliability": grade, "reason": _INDEPENDENT if several else None}
    uniques = expected.uniques()
    population = MeasuredPopulation(
        **described(policy),
        model=[table.relation.label for table in question.model],
        size=size,
        sampling_fraction=sampled,
        not_in_population=Mismatch(
            classes=round(sum(cell.classes for cell in lacking)) if partition else None,
            records=_records_of(lacking),
        ),
        unparseable={
            column: count
            for found in counts.model
            for column, count in by_column(found.unconverted, question.release.keys).items()
        },
        uniques=PopulationUniques(
            population_people=None,
            population_share=None,
            release_records=uniques,
            release_share=uniques / counts.sizes.records,
            estimator=POPULATION_MODEL,
            **said,
        ),
        k_map=KMap(
            smallest=expected.smallest(), smallest_expected=min(people), histogram=expected.k_map_histogram(), **said
        ),
        delta_presence=DeltaPresence(
            lowest=None,
            highest=expected.delta_presence(),
            highest_expected=max(cell.size / most for cell, most in zip(cells, people, strict=True)),
            histogram=expected.delta_histogram(),
            **said,
        ),
    )
    return {
        "journalist": JournalistRisk(**journalist),
        "marketer": MarketerRisk(**asdict(expected.marketer())),
        "population": population,
        "fractions": None,
    }


def reasons_of_model(population: MeasuredPopulation | None) -> dict[str, str]:
    """Why figures are None that a population model does not give."""
    if population is None or population.uniques.estimator != POPULATION_MODEL:
        return {}
    unknown = ("uniques.population_people", "uniques.population_share", "delta_presence.lowest")
    return {f"population.{measure}": _NOT_ASKED for measure in unknown}


def about_model(policy: Policy, question: Question, counts: Counts) -> list[str]:
    """What is to be said of the model's tables, and of records that it lacks."""
    if not question.model:
        return []
    used = {table.relation.label for table in question.model}
    said = [
        f"{table.name} has no effect: it has no quasi-identifier"
        for table in policy.population.model.tables
        if table.name not in used
    ]
    said += [
        f"the frequencies of {table.relation.label} add up to {found.total:.7g}: the rest of the population is not in the model"
        for table, found in zip(question.model, counts.model, strict=True)
        if found.total < _LEAST_COVERED
    ]
    for found in counts.model:
        for number, count in found.unconverted.items():
            if count:
                item = question.release.keys[number - 1]
                said.append(
                    f"{number_of(count, 'value', 'values')} of `{item.column}` in the population model not convertible for "
                    f"{item.spec}: counted as missing"
                )
    if absent := _records_of(_lacking(counts)):
        said.append(
            f"{number_of(absent, 'record', 'records')} of the release not in the population model; counted with the size of "
            "their class in the release"
        )
    return said


def _lacking(counts: Counts) -> list[Modelled]:
    """The classes that the model lacks."""
    return [cell for cell in counts.modelled if cell.least == 0]


def _records_of(cells: Sequence[Modelled]) -> int:
    return round(sum(cell.size * cell.classes for cell in cells))
