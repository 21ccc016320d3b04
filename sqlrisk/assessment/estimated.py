"""Journalist, marketer and population of a result where the population's counts are estimated from the class sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from sqlrisk.class_sizes import ClassSizes, RecordRisk, RecordSizes
from sqlrisk.errors import MeasurementError, RequestError
from sqlrisk.policy import Policy
from sqlrisk.population.estimation import Estimation, population_of
from sqlrisk.result import (
    AtFraction,
    DeltaPresence,
    Estimate,
    JournalistRisk,
    KMap,
    KMapTest,
    MarketerRisk,
    MeasuredPopulation,
    PopulationUniques,
)

NO_POPULATION = (
    "the population is not known: give its size (--population-size), the sampling fraction (--sampling-fraction) or a "
    "table of it (--population-table)"
)
NO_CLASSES = "people counted by their distinct tuples do not fall into classes"
SEVERAL = "several sampling fractions were asked about: see the table of them"


def is_estimated(policy: Policy) -> bool:
    """Whether the policy says how large the population is, and no more."""
    return policy.population.size is not None or policy.population.sampling_fraction is not None


def parts(policy: Policy, sizes: ClassSizes | RecordSizes) -> dict[str, Any]:
    """``journalist``, ``marketer``, ``population`` and ``fractions`` of the result, as far as the policy allows them."""
    threshold = policy.threshold_of("journalist")
    if not is_estimated(policy):
        return _nothing(threshold, NO_POPULATION)
    fractions = policy.population.sampling_fraction or (None,)
    if isinstance(sizes, RecordSizes):
        absent = _nothing(threshold, NO_CLASSES)
        if len(fractions) == 1:
            n = sizes.records
            size = policy.population.size or max(n, round(n / fractions[0]))
            uniques = PopulationUniques(**_NO_UNIQUES, estimator=policy.estimator, reason=NO_CLASSES)
            absent["population"] = MeasuredPopulation(
                **_described(policy), size=size, sampling_fraction=n / size if n <= size else None, uniques=uniques
            )
        return absent
    rows = [_at(policy, sizes, fraction) for fraction in fractions]
    if len(rows) == 1:
        return {**rows[0], "fractions": None}
    table = [
        AtFraction(sampling_fraction=float(fraction), **row) for fraction, row in zip(fractions, rows, strict=True)
    ]
    return {**_nothing(threshold, SEVERAL), "fractions": table}


def reasons_of(found: dict[str, Any]) -> dict[str, str]:
    """Why figures of :func:`parts` are None that have no reason of their own."""
    reasons = {}
    if found["journalist"].average_risk is not None and found["journalist"].lowest_risk is None:
        reasons["attackers.journalist.lowest_risk"] = _NO_LOWEST
    population = found["population"]
    if population is None:
        reasons["population.uniques.release_share"] = found["journalist"].reason
    elif population.estimators:
        if population.dis is None:
            reasons["population.dis"] = "no record is unique in the release"
        if population.delta_presence is not None and population.delta_presence.lowest is None:
            reasons["population.delta_presence.lowest"] = _NO_LOWEST
        elif population.delta_presence is None:
            reasons.update(dict.fromkeys(("population.k_map", "population.delta_presence"), found["journalist"].reason))
    return reasons


def about_estimates(excluded: int) -> list[str]:
    """What is to be said of a population that is estimated, beside its figures."""
    if not excluded:
        return []
    return [
        "records were excluded for missing values: the population's size should be that of the people whose values are "
        "complete, or the estimates are too low"
    ]


_NO_LOWEST = "the classes that the release does not have are not known"
_NO_UNIQUES = dict.fromkeys(("population_people", "population_share", "release_records", "release_share"))


def _nothing(threshold: Any, reason: str) -> dict[str, Any]:
    figures = record_figures(RecordRisk.unknown(threshold))
    return {
        "journalist": JournalistRisk(**figures, reason=reason),
        "marketer": MarketerRisk(average_risk=None, expected_matches=None, reason=reason),
        "population": None,
        "fractions": None,
    }


def record_figures(risk: RecordRisk) -> dict[str, Any]:
    """A risk's figures as the result has them."""
    return {**asdict(risk), "threshold": risk.threshold.text, "classes_smaller_than": risk.classes_smaller_than}


def _at(policy: Policy, sizes: ClassSizes, fraction: Fraction | None) -> dict[str, Any]:
    try:
        population = population_of(sizes, policy.population.size, fraction)
        estimation = Estimation(sizes, population, policy.estimator, policy.seed)
    except RequestError as problem:  # known only now that the release is measured
        raise MeasurementError(problem.cause, problem.remedy) from None
    threshold = policy.threshold_of("journalist")
    return {
        "journalist": JournalistRisk(**record_figures(estimation.journalist(threshold))),
        "marketer": MarketerRisk(**asdict(estimation.marketer())),
        "population": _population(policy, estimation, threshold.smaller_than),
    }


def _described(policy: Policy) -> dict[str, Any]:
    given = policy.population
    return {"description": given.description, "source": given.source, "as_of": given.as_of}


def _population(policy: Policy, estimation: Estimation, k: int) -> MeasuredPopulation:
    sample, k_map, delta = estimation.sample, estimation.k_map(), estimation.delta_presence()
    return MeasuredPopulation(
        **_described(policy),
        size=sample.population,
        sampling_fraction=sample.fraction,
        uniques=_uniques(estimation),
        estimators={name: _estimate(*model) for name, model in estimation.models.items()},
        dis=estimation.dis,
        k_map=None
        if k_map is None
        else KMap(smallest=k_map[0], histogram=k_map[1], test=KMapTest(**asdict(estimation.k_map_test(k)))),
        delta_presence=None
        if delta is None
        else DeltaPresence(lowest=1.0 if sample.is_census else None, highest=delta[0], histogram=delta[1]),
    )


def _uniques(estimation: Estimation) -> PopulationUniques:
    found, n = estimation.uniques, estimation.sample.n
    within: Mapping[str, tuple[float, float]] = {}
    if found.release_interval is not None:
        low, high = found.release_interval
        within = {"release_records": (low, high), "release_share": (low / n, high / n)}
    return PopulationUniques(
        population_people=found.records,
        population_share=found.share,
        release_records=found.release_records,
        release_share=found.release_share,
        interval=found.interval,
        interval_kind=found.interval_kind,
        intervals=dict(within),
        estimator=found.estimator,
        reliability=found.reliability,
        reason=found.reason,
    )


def _estimate(model: Any, records: float | None) -> Estimate:
    return Estimate(
        population_people=model.people,
        release_records=records,
        parameters=dict(model.parameters),
        converged=model.converged,
        reason=model.reason,
    )
