"""How far a frequency of frequencies determines a figure of the population: a linear programme over all populations.

A population is laid on a grid of class sizes as S_F >= 0, the number of classes of each size F. The histogram allows those
with ``|f_j - E f_j| <= z √(f_j + 1)`` for every j up to WINDOW, f_j = 0 among them, that have N people in all; the smallest
and the largest value of a sum ``Σ c_F S_F`` over them are the ends of the *identifiability interval*.

Classes of more than WINDOW records tell their own F well enough, and a grid is too coarse for them to add up to N. So the
programme is that of the window: of each class it has the expectation of what shows at most WINDOW records (or none), and
the classes that do show more stand for the rest.

Source: Efron & Thisted (1976), Biometrika 63, bound a functional of an unknown mixing law by a linear programme like this.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.special import ndtr, xlog1py

from sqlrisk.population.grid import SizeBins, reach, resolved, shown, spread_to
from sqlrisk.population.sample import WINDOW, Sample

Z = 2.0
"""The tolerance in standard deviations, where some population is within it."""

# Steps of the grid in the window, in standard deviations of F given j: two neighbours then mix to any F in between, as far
# as j can tell, to 1 %.
_STEP = 0.25
# Standard deviations above the window from which on a class is left to the release's larger classes.
_SURELY_ABOVE = 4.0
# No sample is so random, and no grid so fine, that frequencies of millions are predicted better than to one in a thousand.
_ROUGHNESS = 0.001
# Steps of the solver, which needs a few hundred unless rounding leads it astray.
_MOST_STEPS = 2000
_SIZES = np.arange(1.0, WINDOW + 1)


class Identifiable:
    """The populations that a sample allows.

    ``grid`` holds the sizes F on which a functional is given, (F,), ascending. ``z`` is the tolerance used: the least of
    2, 3, 4, 6, 8, 12, ... from the one wished on with which there is a population at all.
    """

    def __init__(self, sample: Sample, z: float = Z) -> None:
        self._sample = sample
        self._large = LargeClasses.of(sample)
        self._sizes = _sizes_in_window(sample)
        beyond = spread_to(reach(max(sample.size[-1], WINDOW), sample))
        self.grid = np.union1d(self._sizes, beyond[beyond > self._sizes[-1]])
        self._programme = Programme.of(sample, self._sizes, self._large)
        self.z = z if sample.is_census else _relaxed(z, self._programme.least_z())

    def bounds(self, functional: np.ndarray) -> tuple[float, float]:
        """The smallest and the largest ``Σ c_F S_F``, for c (``functional``) on the grid.

        Between the sizes of the grid c is taken as linear, for the classes above the window.
        """
        functional = np.asarray(functional, float)
        if self._sample.is_census:
            value = float(self._sample.count @ np.interp(self._sample.size, self.grid, functional))
            return value, value
        low, high = self._programme.extremes(functional[: self._sizes.size], self.z)
        large = self._large.extremes(self.grid, functional, self.z)
        # Whatever the histogram: N people make at most N/F classes of F.
        each = functional / self.grid * self._sample.population
        ends = np.clip([low + large[0], high + large[1]], min(0.0, each.min()), max(0.0, each.max()))
        return float(ends.min()), float(ends.max())

    def largest(self, functional: np.ndarray) -> float:
        """The second of :meth:`bounds` of a functional that is nowhere below 0, for half the work."""
        if self._sample.is_census:
            return self.bounds(functional)[1]
        high = self._programme.largest(functional[: self._sizes.size], self.z)
        high += self._large.extremes(self.grid, functional, self.z)[1]
        return float(min(high, (functional / self.grid * self._sample.population).max()))

    def most_present(self, sizes: np.ndarray) -> np.ndarray:
        """The largest s/F of classes of s records (``sizes``), at most 1: of all the release's classes, none is farther from
        pi F than the farthest of as many normal variables, and z standard deviations more."""
        fraction = self._sample.fraction
        spread = (self.z + np.sqrt(2 * np.log(self._sample.u))) * np.sqrt(sizes * (1 - fraction))
        return sizes * fraction / np.maximum(sizes - spread, sizes * fraction)


@dataclass(frozen=True, eq=False)
class LargeClasses:
    """The release's classes of more than WINDOW records, gathered into groups of similar size.

    ``least``, ``most`` (g,) are the records of the smallest and the largest class of a group, ``count`` (g,) its classes;
    ``records`` is the total over the groups. ``straddling`` is the variance of the number of classes above the window: of
    the classes near its end some happen to be above, and some below.
    """

    least: np.ndarray
    most: np.ndarray
    count: np.ndarray
    fraction: float
    records: float
    straddling: float

    @classmethod
    def of(cls, sample: Sample) -> LargeClasses:
        above = sample.size > WINDOW
        size, count = sample.size[above], sample.count[above]
        # Twenty groups a log unit: 5 % is less than the spread of F given j, or as much as the grid's own step.
        start = np.flatnonzero(np.diff(np.floor(20 * np.log(size)), prepend=-1.0))
        # j is about a normal variable around πF, and would be again in another release of the same population.
        spread = np.sqrt(2 * sample.size * (1 - sample.fraction)) + 1e-9
        inside = ndtr((WINDOW + 0.5 - sample.size) / spread)
        return cls(
            least=size[start],
            most=size[np.append(start[1:], size.size) - 1] if size.size else size,
            count=np.add.reduceat(count, start) if size.size else count,
            fraction=sample.fraction,
            records=float(size @ count),
            straddling=float(sample.count @ (inside * (1 - inside))),
        )

    def extremes(self, grid: np.ndarray, functional: np.ndarray, z: float) -> tuple[float, float]:
        """The least and the largest share that these classes can have in ``Σ c_F S_F``, F being within z of j/π."""
        spread = z * np.sqrt(1 - self.fraction)
        first = np.maximum(self.least - spread * np.sqrt(self.least), self.least * self.fraction) / self.fraction
        last = (self.most + spread * np.sqrt(self.most)) / self.fraction
        ends = np.interp([first, last], grid, functional)
        low, high = ends.min(axis=0), ends.max(axis=0)
        for group, (begin, end) in enumerate(np.searchsorted(grid, [first, last]).T):
            if begin < end:
                low[group] = min(low[group], functional[begin:end].min())
                high[group] = max(high[group], functional[begin:end].max())
        at_end = abs(float(np.interp(WINDOW / self.fraction, grid, functional)))
        chance = z * np.sqrt(self.straddling) * at_end
        return float(low @ self.count) - chance, float(high @ self.count) + chance


@dataclass(frozen=True, eq=False)
class Programme:
    """The constraints on ``x_F = S_F P(1 <= j <= WINDOW | F) / u``, the share of the release's classes that show F's.

    ``matrix`` (r, F) and ``target`` (r,) are scaled such that ``|target - matrix x| <= z`` in each row: the classes of
    each size in the window, its records, and, where the release has no larger classes, that it has none. ``people`` (F,)
    turns x into shares of N: they add up to at most 1, and to 1 if ``all_people``, where no larger classes take from them.
    ``hidden`` (F,) turns c into a functional of x, u P(j <= WINDOW | F) / P(1 <= j <= WINDOW | F). x_1 is at most
    ``most_uniques``: the sample's own and everyone outside.
    """

    matrix: np.ndarray
    target: np.ndarray
    people: np.ndarray
    all_people: bool
    hidden: np.ndarray
    most_uniques: float

    @classmethod
    def of(cls, sample: Sample, sizes: np.ndarray, large: LargeClasses) -> Programme:
        kernel = shown(SizeBins.between(np.arange(WINDOW + 1.0)), sizes, sample.fraction)
        showing = kernel.sum(axis=0) / sample.u
        # The sum over the window of j (f_j - E f_j) is what chance has moved across its end: hypergeometric as to the
        # classes far above it, and whole classes near it (one more than the release shows, lest none be taken for never).
        share = large.records / sample.n
        moved = large.records * (1 - share) * (1 - sample.fraction) + WINDOW**2 * (large.straddling + 1)
        rows, target = [kernel, _SIZES @ kernel], [sample.small, [_SIZES @ sample.small]]
        variance, size = [sample.small + 1, [moved]], [sample.small, [sample.n]]
        if not large.records:
            rows.append(shown(SizeBins.between(np.array([WINDOW, np.inf])), sizes, sample.fraction))
            target, variance, size = [*target, [0.0]], [*variance, [1.0]], [*size, [0.0]]
        tolerance = np.sqrt(np.concatenate(variance) + (_ROUGHNESS * np.concatenate(size)) ** 2)
        return cls(
            matrix=np.vstack(rows) / showing / tolerance[:, None],
            target=np.concatenate(target) / tolerance,
            people=sizes / showing / sample.population,
            all_people=not large.records,
            hidden=sample.u + np.exp(xlog1py(sizes, -sample.fraction)) / showing,
            most_uniques=float(sample.most_uniques * showing[0]),
        )

    def least_z(self) -> float:
        """The least tolerance with which there is a population."""
        return self._minimum(np.append(np.zeros(self.people.size), 1.0), (0.0, np.inf))

    def extremes(self, functional: np.ndarray, z: float) -> tuple[float, float]:
        """The least and the largest ``Σ c_F S_F P(j <= WINDOW | F)``; infinite where the solver fails."""
        return -self.largest(-functional, z), self.largest(functional, z)

    def largest(self, functional: np.ndarray, z: float) -> float:
        """The second of them."""
        cost = np.append(functional * self.hidden, 0.0)
        scale = float(np.abs(cost).max()) or 1.0
        return -scale * self._minimum_near(-cost / scale, z)

    def _minimum_near(self, cost: np.ndarray, z: float) -> float:
        """Where rounding makes the programme infeasible at z, a bound that holds: that of a somewhat larger tolerance."""
        values = (self._minimum(cost, (wider, wider)) for wider in (z, 1.1 * z, 1.5 * z, 2 * z))
        return next((value for value in values if np.isfinite(value)), -np.inf)

    def _minimum(self, cost: np.ndarray, z: tuple[float, float]) -> float:
        """The least ``cost @ (x, z)`` for z in its bounds; -inf where the solver fails."""
        one = np.ones((self.target.size, 1))
        rows = np.vstack([np.hstack([self.matrix, -one]), np.hstack([-self.matrix, -one])])
        people = np.append(self.people, 0.0)[None, :]
        limits = np.append(self.target, -self.target)
        bounds = [(0.0, self.most_uniques), *[(0.0, None)] * (self.people.size - 1), z]
        if self.all_people:
            problem = {"A_ub": rows, "b_ub": limits, "A_eq": people, "b_eq": [1.0]}
        else:
            problem = {"A_ub": np.vstack([rows, people]), "b_ub": np.append(limits, 1.0)}
        for method in ("highs", "highs-ipm"):
            answer = linprog(cost, bounds=bounds, method=method, options={"maxiter": _MOST_STEPS}, **problem)
            if answer.status == 0:
                return float(answer.fun)
        return -np.inf


def _sizes_in_window(sample: Sample) -> np.ndarray:
    top = reach(WINDOW, sample, _SURELY_ABOVE * np.sqrt(1 - sample.fraction))
    return np.union1d(spread_to(top), resolved(top, sample.fraction, _STEP))


def _relaxed(z: float, least: float) -> float:
    """The first of z, 3/2 z, 2 z, 3 z, 4 z, 6 z, ... that is no less than ``least``."""
    step = 0
    while (relaxed := z * 2.0 ** (step // 2) * (1.5 if step % 2 else 1.0)) < least * (1 + 1e-6) + 1e-9:
        step += 1
    return relaxed
