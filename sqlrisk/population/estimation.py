"""Everything that one histogram says of a population of N: uniques, journalist, marketer, k-map, delta-presence.

One fit serves all of it, so that no two figures of a report contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property

import numpy as np

from sqlrisk.class_sizes import ClassSizes, RecordRisk, is_whole
from sqlrisk.errors import RequestError
from sqlrisk.population import intervals, risks
from sqlrisk.population.estimate import Estimate, Law
from sqlrisk.population.grid import log_binomial
from sqlrisk.population.identifiability import Identifiable
from sqlrisk.population.sample import WINDOW, Sample
from sqlrisk.population.selection import MODELS, RULES, Answer, Fits, answer, check_name
from sqlrisk.threshold import DEFAULT_THRESHOLD, Threshold, parse_fraction

MOST_PEOPLE = 10**15
FEW_REPEATS = 300
SMALL_FRACTION = 0.1
WEAK, MODEL_DRIVEN, ADEQUATE, MEASURED = "weak", "model-driven", "adequate", "measured"

NO_LAW = "{} says how many are unique in the population, and nothing of the larger classes"
CENSUS = "the release is the whole population"
FARTHEST = 4.0
"""A histogram farther from every population than this many standard deviations is no random sample's."""
_MISFIT = (
    "no random sample of any population would show such class sizes (they are {:g} standard deviations off): small classes "
    "were suppressed or merged, or the release is not a random sample"
)

Pair = tuple[float, float]


@dataclass(frozen=True)
class PopulationUniques:
    """Population uniques. ``records`` are people of the population, ``share`` is of the population; ``release_records`` are
    records of the release. ``interval`` is about the people, ``release_interval`` about the records, both for a nominal
    95 %. A figure is None where there is no estimate, and ``reason`` says why."""

    records: float | None
    share: float | None
    release_records: float | None
    release_share: float | None
    interval: Pair | None
    release_interval: Pair | None
    interval_kind: str | None
    estimator: str
    reliability: str
    reason: str | None
    spread: Pair | None


@dataclass(frozen=True)
class EstimatedRisk(RecordRisk):
    """A journalist's risk from a fitted law: numbers of records and classes are expected ones.

    ``intervals`` are for a nominal 95 %, by figure; every figure is None where the estimator has no law, and ``reason``
    says so.
    """

    highest_expected_risk: float | None = None
    intervals: Mapping[str, Pair] = field(default_factory=dict)
    basis: str = ""
    reliability: str = ""
    reason: str | None = None


@dataclass(frozen=True)
class EstimatedMatches:
    """The share of the release's records that a marketer is expected to match right, and their number."""

    average_risk: float | None
    expected_matches: float | None
    intervals: Mapping[str, Pair]
    basis: str
    reliability: str
    reason: str | None = None


@dataclass(frozen=True)
class EstimatedKMap:
    """k-map: ``histogram`` holds (least F, most F, expected records); ``interval`` is about ``smallest``, for a nominal
    95 %."""

    smallest: int
    histogram: list[tuple[int, int, float]]
    interval: tuple[int, int]
    reliability: str


@dataclass(frozen=True)
class EstimatedPresence:
    """delta-presence: ``histogram`` holds (from, below, expected records); ``interval`` is about ``highest``, for a nominal
    95 %."""

    highest: float
    histogram: list[tuple[float, float, float]]
    interval: Pair
    reliability: str


class Estimation:
    """What a release of ``sizes`` says of the population of ``population`` people that it is a random sample of.

    :class:`RequestError` for a population smaller than the release or an unknown estimator.
    """

    def __init__(self, sizes: ClassSizes, population: int, estimator: str = "auto", seed: int = 0) -> None:
        check_name(estimator)
        if not is_whole(seed, 0) or isinstance(seed, bool | str):
            raise RequestError(f"the seed `{seed}` is not a whole number from 0", "give one, for example 1")
        if not sizes.pairs:
            raise RequestError("the histogram is empty: there is no record to estimate from", "check where it is from")
        _check_people(population)
        self.sample = Sample(sizes, population)
        self.estimator = estimator
        self._seed = seed
        self._fits = Fits(self.sample)

    @cached_property
    def answer(self) -> Answer:
        """The estimator's answer."""
        return answer(self._fits, self.estimator)

    @property
    def law(self) -> Law | None:
        """The law of F given s that every risk is derived from."""
        return self.answer.law

    @cached_property
    def models(self) -> dict[str, tuple[Estimate, float | None]]:
        """Every model's answer, and the release's records that are population uniques by it; the published rule first."""
        published = answer(self._fits, "dankar")
        rule = Estimate(published.people, reason=published.reason)
        return {
            "dankar": (rule, published.records),
            **{name: (self._fits[name], self._fits.records(name)) for name in MODELS},
        }

    @property
    def spread(self) -> Pair | None:
        """The least and the largest answer of the models, in people."""
        people = [estimate.people for estimate, _ in self.models.values() if estimate.people is not None]
        return (min(people), max(people)) if people else None

    @property
    def dis(self) -> float | None:
        """The chance that a match to a sample unique is right (Skinner & Elliot 2002); None without sample uniques,
        and without classes of two, from which it is told."""
        alone, pairs, fraction = self.sample.uniques, self.sample.pairs, self.sample.fraction
        if not alone or (not pairs and fraction < 1):
            return None
        return fraction * alone / (fraction * alone + 2 * (1 - fraction) * pairs)

    @property
    def reliability(self) -> tuple[str, str | None]:
        """How far the answer can be relied on, and why."""
        sample = self.sample
        if sample.is_census:
            return MEASURED, CENSUS
        if self._misfit:
            return WEAK, _MISFIT.format(self._identifiable.z)
        if sample.repeats < FEW_REPEATS:
            return WEAK, f"{_repeats(sample.repeats)}: the histogram alone cannot tell within a factor of two"
        if sample.fraction < SMALL_FRACTION:
            return MODEL_DRIVEN, (
                f"at a sampling fraction of {100 * sample.fraction:.2g} % the answer rests more on the model than on the data"
            )
        if self.estimator not in RULES:
            return MODEL_DRIVEN, "one model was chosen by name; the others can differ widely"
        return ADEQUATE, None

    @cached_property
    def uniques(self) -> PopulationUniques:
        """The population uniques."""
        sample, given = self.sample, self.answer
        grade, why = self.reliability
        if given.people is None:
            return PopulationUniques(*[None] * 7, self.estimator, grade, given.reason, self.spread)
        between = self._interval(given.people)
        pair = (between.low, between.high)
        reasons = [reason for reason in (why, given.reason) if reason]
        return PopulationUniques(
            records=given.people,
            share=given.people / sample.population,
            release_records=given.records,
            release_share=given.records / sample.n,
            interval=pair,
            release_interval=pair if sample.is_census else intervals.of_release(pair, sample, given.records),
            interval_kind=between.kind,
            estimator=self.estimator,
            reliability=grade,
            reason="; ".join(dict.fromkeys(reasons)) or None,
            spread=self.spread,
        )

    def _interval(self, people: float) -> intervals.Interval:
        sample = self.sample
        if sample.is_census:
            return intervals.Interval(people, people, CENSUS)
        sampled = intervals.sampling(self._fits, self.estimator, people, self._seed)
        programme = self._identifiable
        most = float(sample.most_uniques)
        identified = (0.0, most) if self._misfit else self._bounds(programme.grid == 1)
        between = intervals.wider(people, sampled, identified, programme.z)
        return intervals.Interval(max(between.low, 0.0), min(between.high, most), between.kind)

    def journalist(self, threshold: object = DEFAULT_THRESHOLD) -> EstimatedRisk:
        """Risk against somebody who knows that the target is in the population, not whether in the release."""
        limit = Threshold.parse(threshold)
        if self.law is None:
            return EstimatedRisk(**vars(RecordRisk.unknown(limit)), **self._basis, reason=self._no_law)
        risk = risks.journalist(self.sample, self.law, limit, self._smallest)
        within = {
            "highest_risk": self._around(risk.highest_risk, self._highest),
            "average_risk": self._around(risk.average_risk, self._average),
            "share_at_risk": self._share_between(risk.share_at_risk, limit),
        }
        expected = risks.highest_expected_risk(self.sample, self.law)
        return EstimatedRisk(**vars(risk), highest_expected_risk=expected, intervals=within, **self._basis)

    def marketer(self) -> EstimatedMatches:
        """Risk against somebody who matches everybody."""
        if self.law is None:
            return EstimatedMatches(None, None, {}, **self._basis, reason=self._no_law)
        average = risks.average_risk(self.sample, self.law)
        within = {"average_risk": self._around(average, self._average)}
        return EstimatedMatches(average, average * self.sample.n, within, **self._basis)

    def k_map(self) -> EstimatedKMap | None:
        """The smallest class that the release's records are expected in, and how many are in classes of which size."""
        if self.law is None:
            return None
        low, high = self._around(1 / self._smallest, self._highest)
        between = (round(1 / high), round(1 / low))
        return EstimatedKMap(self._smallest, risks.k_map_histogram(self.sample, self.law), between, self.reliability[0])

    def k_map_test(self, k: int) -> risks.KMapTest:
        """The test rule of El Emam & Dankar (2008)."""
        return risks.k_map_test(self.sample.sizes, k, self.sample.fraction)

    def delta_presence(self) -> EstimatedPresence | None:
        """The highest expected s/F, and how many records have which."""
        if self.law is None:
            return None
        highest = risks.delta_presence(self.sample, self.law)
        histogram = risks.delta_histogram(self.sample, self.law)
        return EstimatedPresence(highest, histogram, self._around(highest, self._presence), self.reliability[0])

    @property
    def _basis(self) -> dict[str, str]:
        return {"basis": f"estimator {self.estimator}", "reliability": self.reliability[0]}

    @property
    def _no_law(self) -> str | None:
        return self.answer.reason if self.answer.people is None else NO_LAW.format(self.estimator)

    @cached_property
    def _smallest(self) -> int:
        return risks.smallest_class(self.sample, self.law)

    @cached_property
    def _identifiable(self) -> Identifiable:
        return Identifiable(self.sample)

    @property
    def _misfit(self) -> bool:
        """Whether the histogram is no random sample's: then only the prosecutor's figures bound the journalist's."""
        return self._identifiable.z > FARTHEST

    def _bounds(self, functional: np.ndarray) -> Pair:
        return self._identifiable.bounds(functional.astype(float))

    def _around(self, value: float, between: Pair | None) -> Pair:
        """The interval with the estimate in it; of a census, the value itself."""
        return (value, value) if between is None else (min(between[0], value), max(between[1], value))

    @cached_property
    def _average(self) -> Pair | None:
        """Each population class brings pi to the expected sum of s/F: K pi / n with K classes."""
        sample = self.sample
        if sample.is_census:
            return None
        if self._misfit:
            return sample.u / sample.population, sample.u / sample.n
        low, high = self._bounds(np.full(len(self._identifiable.grid), 1 / sample.population))
        return max(low, sample.u / sample.population), min(high, sample.u / sample.n)

    def _share_between(self, share: float, threshold: Threshold) -> Pair:
        sample = self.sample
        if sample.is_census:
            return share, share
        grid, most = self._identifiable.grid, sample.sizes.prosecutor(threshold).share_at_risk
        if self._misfit:
            return self._around(share, (0.0, most))
        low, high = self._bounds(np.where(grid < threshold.smaller_than, grid, 0) / sample.population)
        return self._around(share, (max(0.0, low), min(high, most)))

    @cached_property
    def _highest(self) -> Pair | None:
        """1/k for the least k with 0.05 records in classes of at most k, in the populations with fewest and most of them."""
        sample = self.sample
        if sample.is_census:
            return None
        if self._misfit:
            return 1 / sample.population, 1 / sample.sizes.smallest
        grid = self._identifiable.grid
        candidates = [int(size) for size in grid if size >= sample.size[0]] or [sample.population]

        @cache  # both searches begin alike, and a linear programme takes its time
        def expected(index: int) -> Pair:
            return self._bounds(np.where(grid <= candidates[index], grid, 0) * sample.fraction)

        def least(end: int) -> int:
            index = risks.least(lambda i: expected(i)[end] >= risks.EXPECTED_RECORDS, 0, len(candidates) - 1)
            return candidates[index]

        return 1 / least(0), 1 / least(1)

    @cached_property
    def _presence(self) -> Pair | None:
        """The highest expected s/F of a class, over the sizes s: the sum of s/F over the classes that show s, each size by
        itself, in the populations with the least and the most of it. It is never below the sampling fraction."""
        sample = self.sample
        if sample.is_census:
            return None
        if self._misfit:
            return sample.fraction, 1.0
        allowed, likely = self._identifiable, sample.size * self.law.inverse(sample.size)

        def shares(index: int) -> np.ndarray:
            """s/F of the classes of each F that show the s, over the number of classes that did."""
            size = sample.size[index]
            showing = np.exp(log_binomial(size, allowed.grid, sample.fraction))
            return size / allowed.grid * showing / sample.count[index]

        farthest = allowed.most_present(sample.size)
        high = float(farthest[sample.size > WINDOW].max(initial=0.0))
        # Those of which most is expected first: what cannot be above it needs no programme.
        first, *_ = order = np.argsort(-likely, kind="stable").tolist()
        for index in order:
            if sample.size[index] <= WINDOW and high < min(farthest[index], 1.0):
                high = max(high, allowed.largest(shares(index)))
        low = allowed.bounds(shares(first))[0] if sample.size[first] <= WINDOW else 0.0
        return max(low, sample.fraction), min(high, 1.0)


def _repeats(number: int) -> str:
    if number == 0:
        return "no class holds two records"
    return f"only {number:,} {'class holds' if number == 1 else 'classes hold'} two records or more"


def population_of(sizes: ClassSizes, population_size: object = None, sampling_fraction: object = None) -> int:
    """N, from itself or as n over the sampling fraction; :class:`RequestError` unless exactly one of them is given."""
    if (population_size is None) == (sampling_fraction is None):
        raise RequestError("give the population's size or the sampling fraction, one of them", "population_size=20_000")
    if population_size is not None:
        if isinstance(population_size, str) and population_size.isdecimal():
            population_size = int(population_size)
        if not is_whole(population_size, 1) or isinstance(population_size, bool):
            raise RequestError(f"the population size `{population_size}` is not a whole number from 1", "count people")
        return _check_people(int(population_size))
    fraction = (
        sampling_fraction
        if isinstance(sampling_fraction, Fraction)
        else parse_fraction(sampling_fraction, "the sampling fraction", sizes=False)
    )
    if not 0 < fraction <= 1:
        raise RequestError(
            f"the sampling fraction `{sampling_fraction}` is outside (0, 1]",
            "it is the release's share of the population",
        )
    return _check_people(max(sizes.records, round(sizes.records / fraction)))


def _check_people(population: int) -> int:
    if population > MOST_PEOPLE:
        raise RequestError("a population of more than 10**15 is beyond what is computed", "give the number of people")
    return population
