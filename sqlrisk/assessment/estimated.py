"""Journalist, marketer and population of a result where the population's counts are estimated from the class sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sqlrisk.class_sizes import ClassSizes, RecordRisk, RecordSizes
from sqlrisk.policy import Policy
from sqlrisk.result import (
    AtFraction,
    AttackerRisks,
    DeltaPresence,
    Estimate,
    JournalistRisk,
    KMap,
    KMapTest,
    MarketerRisk,
    MeasuredPopulation,
    PopulationUniques,
    ProsecutorRisk,
    Uniques,
)
from sqlrisk.threshold import Threshold

if TYPE_CHECKING:
    from sqlrisk.population.estimation import Estimation

# The estimators are imported where a population is estimated: they bring scipy, which takes as long to load as sqlrisk.

NO_POPULATION = (
    "the population is not known: give its size (--population-size), the sampling fraction (--sampling-fraction) or a "
    "table of it (--population-table)"
)
NO_CLASSES = "people counted by their distinct tuples do not fall into classes"
NO_CLASSES_UNDER_WILDCARD = "where a missing value matches anything, records do not fall into classes"
SEVERAL = "several sampling fractions were asked about: see the table of them"


def no_classes(policy: Policy) -> str:
    """Why there are no classes, where there are none."""
    return NO_CLASSES_UNDER_WILDCARD if policy.release.nulls == "wildcard" else NO_CLASSES


def is_estimated(policy: Policy) -> bool:
    """Whether the policy says how large the population is, and no more."""
    if policy.population.model is not None:
        return False
    return policy.population.size is not None or policy.population.sampling_fraction is not None


def parts(policy: Policy, sizes: ClassSizes | RecordSizes) -> dict[str, Any]:
    """``journalist``, ``marketer``, ``population`` and ``fractions`` of the result, as far as the policy allows them."""
    threshold = policy.threshold_of("journalist")
    if not is_estimated(policy):
        return nothing_known(threshold, NO_POPULATION)
    fractions = policy.population.sampling_fraction or (None,)
    if isinstance(sizes, RecordSizes):
        return _without_classes(policy, sizes, fractions)
    rows = [_at(policy, sizes, fraction) for fraction in fractions]
    if len(rows) == 1:
        return {**rows[0], "fractions": None}
    table = [
        AtFraction(sampling_fraction=float(fraction), **_only_parts(row), reasons=reasons_of(row, ""))
        for fraction, row in zip(fractions, rows, strict=True)
    ]
    return {**nothing_known(threshold, SEVERAL), "fractions": table}


def reasons_of(found: dict[str, Any], attackers: str = "attackers.") -> dict[str, str]:
    """Why figures of :func:`parts` are None that have no reason of their own; ``attackers`` begins the journalist's path."""
    reasons = {}
    if found["journalist"].average_risk is not None and found["journalist"].lowest_risk is None:
        reasons[f"{attackers}journalist.lowest_risk"] = _NO_LOWEST_RISK
    population = found["population"]
    if population is None:
        unknown = ("uniques.release_share", "k_map.smallest", "delta_presence.highest")
        reasons.update({f"population.{measure}": found["journalist"].reason for measure in unknown})
    elif population.uniques.reason in {NO_CLASSES, NO_CLASSES_UNDER_WILDCARD} and population.table is None:
        without = ("population.dis", "population.k_map", "population.k_map.smallest", "population.delta_presence")
        reasons.update(dict.fromkeys((*without, "population.delta_presence.highest"), population.uniques.reason))
    elif population.estimators:
        if population.dis is None:
            reasons["population.dis"] = _NO_DIS
        if population.delta_presence is not None and population.delta_presence.lowest is None:
            reasons["population.delta_presence.lowest"] = _NO_LOWEST
        elif population.delta_presence is None:
            reasons.update(
                dict.fromkeys(
                    ("population.k_map.smallest", "population.delta_presence", "population.delta_presence.highest"),
                    found["journalist"].reason,
                )
            )
    return reasons


def about_estimates(policy: Policy, left_out: int = 0, counted: bool = False) -> list[str]:
    """What is to be said of a population that is estimated, or of an estimator without one.

    ``left_out`` records of the release are not measured; ``counted`` says that a population table was.
    """
    if not is_estimated(policy):
        if policy.attackers.journalist is None or policy.attackers.journalist.estimator is None:
            return []
        why = "the population is measured" if counted else "no population is given"
        if policy.population.model is not None:
            why = "it is given by a model"
        return [f"the estimator has no effect: {why}"]
    if not left_out:
        return []
    return [
        "records were left out for missing or suppressed values: the population's size should be that of the people whose "
        "values are complete, or the estimates are too low"
    ]


def about_thresholds(policy: Policy) -> list[str]:
    """Thresholds of the attackers named that are rounded decimals."""
    named = [name for name in policy.attackers.named if name != "marketer"] or ["prosecutor", "journalist"]
    return [text for name in named if (text := policy.threshold_of(name).warning)]


def _without_classes(policy: Policy, sizes: RecordSizes, fractions: Sequence[Fraction | None]) -> dict[str, Any]:
    found = nothing_known(policy.threshold_of("journalist"), no_classes(policy))
    if len(fractions) > 1:
        return found
    from sqlrisk.population.estimation import population_of
    from sqlrisk.population.sample import check_population

    n, size = sizes.records, population_of(sizes, policy.population.size, fractions[0])
    check_population(size, n)
    uniques = PopulationUniques(**_NO_UNIQUES, estimator=policy.estimator, reason=no_classes(policy))
    found["population"] = MeasuredPopulation(
        **described(policy), size=size, sampling_fraction=n / size, uniques=uniques
    )
    return found


def _only_parts(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("journalist", "marketer", "population")}


_NO_DIS = "it is told from the records alone in their class and the classes of two, and the release lacks one of them"
_NO_LOWEST_RISK = "it is that of the largest class, whose number of people is only estimated"
_NO_LOWEST = "the classes that the release does not have are not known"
_NO_UNIQUES = dict.fromkeys(("population_people", "population_share", "release_records", "release_share"))


def nothing_known(threshold: Threshold, reason: str) -> dict[str, Any]:
    """The parts where nothing is known of the population, for ``reason``."""
    figures = record_figures(RecordRisk.unknown(threshold))
    return {
        "journalist": JournalistRisk(**figures, reason=reason),
        "marketer": MarketerRisk(average_risk=None, expected_matches=None, reason=reason),
        "population": None,
        "fractions": None,
    }


def figures_of(policy: Policy, sizes: ClassSizes | RecordSizes, found: dict[str, Any]) -> dict[str, Any]:
    """The figures of a result that follow from the sizes, with those ``found`` about the population."""
    partition = isinstance(sizes, ClassSizes)
    absent = (
        "class_sizes",
        "classes",
        "largest_class",
        "distinction",
        "separation",
        "attackers.prosecutor.classes_at_risk",
    )
    reasons = {} if partition else dict.fromkeys(absent, no_classes(policy))
    if not partition and found["journalist"].average_risk is not None:
        reasons["attackers.journalist.classes_at_risk"] = no_classes(policy)
    if partition and sizes.separation is None:
        reasons["separation"] = "one record has nothing to be separated from"
    prosecutor = record_figures(sizes.prosecutor(policy.threshold_of("prosecutor")))
    return {
        "class_sizes": sizes if partition else None,
        "record_sizes": None if partition else sizes,
        "classes": sizes.classes if partition else None,
        "smallest_class": sizes.smallest,
        "largest_class": sizes.largest if partition else None,
        "sample_uniques": Uniques(records=sizes.sample_uniques, share=sizes.sample_uniques / sizes.records),
        "distinction": sizes.distinction if partition else None,
        "separation": sizes.separation if partition else None,
        "reasons": {**reasons, **reasons_of(found)},
        "attackers": AttackerRisks(
            prosecutor=ProsecutorRisk(**prosecutor), journalist=found["journalist"], marketer=found["marketer"]
        ),
        "population": found["population"],
        "fractions": found["fractions"],
    }


def record_figures(risk: RecordRisk) -> dict[str, Any]:
    """A risk's figures as the result has them."""
    return {**asdict(risk), "threshold": risk.threshold.text, "classes_smaller_than": risk.classes_smaller_than}


def _at(policy: Policy, sizes: ClassSizes, fraction: Fraction | None) -> dict[str, Any]:
    from sqlrisk.population.estimation import Estimation, population_of

    population = population_of(sizes, policy.population.size, fraction)
    estimation = Estimation(sizes, population, policy.estimator, policy.seed)
    threshold = policy.threshold_of("journalist")
    return {
        "journalist": JournalistRisk(**record_figures(estimation.journalist(threshold))),
        "marketer": MarketerRisk(**asdict(estimation.marketer())),
        "population": _population(policy, estimation, threshold.smaller_than),
    }


def described(policy: Policy) -> dict[str, Any]:
    """What the policy says that the population is."""
    given = policy.population
    return {"description": given.description, "source": given.source, "as_of": given.as_of}


def _population(policy: Policy, estimation: Estimation, k: int) -> MeasuredPopulation:
    sample, k_map, delta = estimation.sample, estimation.k_map(), estimation.delta_presence()
    return MeasuredPopulation(
        **described(policy),
        size=sample.population,
        sampling_fraction=sample.fraction,
        uniques=_uniques(estimation),
        estimators={name: _estimate(*model) for name, model in estimation.models.items()},
        dis=estimation.dis,
        k_map=KMap(
            smallest=k_map.smallest if k_map else None,
            histogram=k_map.histogram if k_map else [],
            test=KMapTest(**asdict(estimation.k_map_test(k))),
            intervals={"smallest": k_map.interval} if k_map else {},
            reliability=k_map.reliability if k_map else None,
        ),
        delta_presence=None
        if delta is None
        else DeltaPresence(
            lowest=1.0 if sample.is_census else None,
            highest=delta.highest,
            histogram=delta.histogram,
            intervals={"highest": delta.interval},
            reliability=delta.reliability,
        ),
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
