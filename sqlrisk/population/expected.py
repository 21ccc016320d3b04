"""Journalist, marketer, k-map and delta-presence where the population's size of each class is only expected.

So it is with a population model: relative frequencies of combinations of values. A combination of frequency p is
expected N p times in a population of N. Of those, the release shows s, and F - s, the rest, is Poisson with mean
(1 - pi) N p, pi being the sampling fraction. Source: Skinner & Shlomo (2008), "Assessing identification risk in survey
microdata using log-linear models".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import pdtr

from sqlrisk.class_sizes import is_whole
from sqlrisk.errors import MeasurementError, RequestError
from sqlrisk.population import risks
from sqlrisk.population.estimate import Law
from sqlrisk.population.estimation import MODEL_DRIVEN, EstimatedMatches, EstimatedRisk
from sqlrisk.population.sample import check_population
from sqlrisk.threshold import DEFAULT_THRESHOLD, Threshold

BASIS = "population model"
_TERMS = 60


@dataclass(frozen=True, eq=False)
class Poisson(Law):
    """F - s given s is Poisson with the ``mean`` that stands beside each size; no mean: F = s."""

    mean: np.ndarray

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        return inverse_of_shifted_poisson(sizes, self.mean)

    def at_most(self, sizes: np.ndarray, k: ArrayLike) -> np.ndarray:
        beyond = np.floor(k) - np.asarray(sizes, float)
        return np.where(beyond >= 0, pdtr(np.maximum(beyond, 0.0), self.mean), 0.0)


@dataclass(frozen=True, eq=False)
class Expected:
    """The classes of a release in cells: ``count`` classes of ``size`` records, each with ``mean`` people expected beside
    them in the ``population`` (its size, N).

    Cells may repeat a size and stand in any order; they are kept by size, and those without classes are dropped. A cell
    may be a bin of classes with nearly the same mean; ``least`` is then that of the class with the fewest people, by which
    the highest risks are told. ``mean`` is 0 for combinations that the model lacks: F = s.
    ``reliability`` is what the risks are labelled with.
    :class:`RequestError` for a population smaller than the release, :class:`MeasurementError` for a mean that is none.
    """

    size: np.ndarray
    mean: np.ndarray
    count: np.ndarray
    population: int
    reliability: str = MODEL_DRIVEN
    least: np.ndarray | None = None

    def __post_init__(self) -> None:
        given = (self.size, self.mean, self.count, self.mean if self.least is None else self.least)
        size, mean, count, least = (np.atleast_1d(np.array(part, float)) for part in given)
        if not size.shape == mean.shape == count.shape == least.shape or size.ndim != 1:
            raise ValueError("size, mean, count and least are not equally long")
        if not ((np.floor(size) == size) & (size >= 1) & (count >= 0) & np.isfinite(size) & np.isfinite(count)).all():
            raise RequestError("the sizes of the classes are not whole numbers from 1", "check where they are from")
        if not (np.isfinite(mean) & (mean >= 0)).all():
            raise MeasurementError(
                "the population model gives a class an expected number of people that is below 0 or no number",
                "check the relative frequencies: each is a share of the population, from 0 to 1",
            )
        order = np.lexsort((mean, size))
        order = order[count[order] > 0]
        if not order.size:
            raise RequestError("the release has no classes", "check where they are from")
        for name, part in (("size", size), ("mean", mean), ("count", count), ("least", least)):
            object.__setattr__(self, name, part[order])
        if not is_whole(self.population, 1):
            raise RequestError(f"the population size `{self.population}` is not a whole number from 1", "count people")
        check_population(self.population, self.n)

    @cached_property
    def n(self) -> int:
        """The records of the release."""
        return round(float(self.size @ self.count))

    @cached_property
    def u(self) -> int:
        """The classes of the release."""
        return round(float(self.count.sum()))

    @property
    def is_census(self) -> bool:
        """Never: a model is not a count, and of the largest classes it knows no size."""
        return False

    def at_most(self, k: ArrayLike) -> np.ndarray:
        """P(F <= k | s) in each cell; ``k`` is a number, or one for each cell."""
        return self._law.at_most(self.size, k)

    def inverse(self) -> np.ndarray:
        """E[1/F | s] in each cell."""
        return self._inverse

    @cached_property
    def average_risk(self) -> float:
        """The mean of E[1/F | s] over records: the journalist's average, and the share that the marketer matches right."""
        # Where records do not fall into classes, `count` is their number over the size: no whole number.
        return min(float(self._records @ self._inverse), float(self.count.sum())) / self.n

    def journalist(self, threshold: object = DEFAULT_THRESHOLD) -> EstimatedRisk:
        """Risk against somebody who does not know who is in the release. Numbers of records and classes are expected ones;
        the highest risk is 1/k for the k of :meth:`smallest`, the lowest is not known."""
        risk = risks.journalist(self, self._law, Threshold.parse(threshold), self.smallest())
        figures = vars(replace(risk, average_risk=self.average_risk))
        highest = float(inverse_of_shifted_poisson(self.size, self.least).max())
        return EstimatedRisk(**figures, highest_expected_risk=highest, basis=BASIS, reliability=self.reliability)

    def marketer(self) -> EstimatedMatches:
        """Risk against somebody who matches everybody."""
        return EstimatedMatches(self.average_risk, self.average_risk * self.n, {}, BASIS, self.reliability)

    def smallest(self) -> int:
        """k-map: the least k with 0.05 records of the release expected in population classes of at most k."""
        return self._smallest

    def k_map_histogram(self) -> list[tuple[int, int, float]]:
        """(least, most, expected records) by F: 1, 2-3, 4-7, ...; bounds inclusive, empty ends left out."""
        return risks.k_map_histogram(self, self._law)

    def delta_presence(self) -> float:
        """The highest s E[1/F | s]: how sure an attacker can be, on average, that somebody of a class is in the release."""
        return risks.delta_presence(self, Poisson(self.least))

    def delta_histogram(self) -> list[tuple[float, float, float]]:
        """(from, below, expected records) of s/F in tenths, and (1, 1, ...) for those of whom it is certain."""
        # P(s/F >= tenths/10) = P(F <= 10 s / tenths)
        reached = [float(self._records @ self.at_most(10 * self.size // tenths)) for tenths in range(1, 11)]
        return risks.tenths_of(self.n, reached)

    def uniques(self) -> float:
        """The records of the release that are expected to be alone in the population: the sum of exp(-mean) over s = 1."""
        return float(self._records @ self.at_most(1))

    @cached_property
    def _law(self) -> Poisson:
        return Poisson(self.mean)

    @cached_property
    def _records(self) -> np.ndarray:
        return self.size * self.count

    @cached_property
    def _inverse(self) -> np.ndarray:
        return self._law.inverse(self.size)

    @cached_property
    def _smallest(self) -> int:
        return risks.smallest_class(self, self._law)


def inverse_of_shifted_poisson(size: ArrayLike, mean: ArrayLike) -> np.ndarray:
    """E[1/(s + X)], X Poisson with ``mean`` m, for s >= 1: 1F1(1; s + 1; -m)/s, without cancellation for any s and m.

    It is J(0) of J(k), the integral over (0, 1) of x^(s-1) (1-x)^k exp(-m (1-x)). By parts, k J(k-1) =
    (s + k + m) J(k) - m J(k+1), whose continued fraction D(k) = s + k + m - (k+1) m/D(k+1), D(k) = k J(k-1)/J(k), ends in
    J(0) = 1/D(0). Its tail begins at the fixed point of the rule; 50 terms are exact to the last digits everywhere.
    """
    s, m = np.asarray(size, float), np.asarray(mean, float)
    half = (s + m + _TERMS) / 2
    ratio = half + np.sqrt(np.maximum(half * half - (_TERMS + 1) * m, 0.0))
    for k in range(_TERMS, 0, -1):
        ratio = s + m + (k - 1) - k * m / ratio
    return 1 / ratio
