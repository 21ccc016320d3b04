"""The zero-truncated negative binomial: the expected size of a class is gamma distributed over the classes.

Source: Bethlehem, Keller & Pannekoek (1990), "Disclosure control of microdata", JASA 85. Fitted on all classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, digamma

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import refusal
from sqlrisk.population.estimators.mixed_poisson import (
    ONE_POISSON,
    UnitInterval,
    at_most_where_possible,
    boundary,
    smooth_inverse,
    unseen_ratio,
)
from sqlrisk.population.laws import census
from sqlrisk.population.sample import WINDOW, Sample
from sqlrisk.population.series import log_rising

LOG_SERIES = boundary("shape 0, Fisher's log-series") + ": its number of population uniques is then usually far too low"

_LARGEST_SHAPE = 1e5  # the variance is then within μ/1e5 of a Poisson law's; beyond, the score drowns in rounding
_SHAPES = (0.0, 1e-3, 0.1, 1.0, 10.0, 1e3, _LARGEST_SHAPE)  # ends of the intervals in which a maximum is looked for


def estimate(sample: Sample) -> Estimate:
    """S_1 by maximum likelihood; parameters: shape r and mean μ, in records of the release, classes not seen included.

    At the boundary r = 0 that mean is 0, and the parameter is the log-series' x = μ/(r + μ) instead.
    """
    if sample.is_census:
        return census(sample)
    refused = refusal(sample)
    if refused:
        return refused
    shape, odds = _fit(sample)
    ratio = sample.population / sample.n
    # C NB(1), with what is infinite at r = 0 (C) and what is 0 there (NB(1)/r) taken together.
    classes_times_shape = sample.u / _one_minus_power(shape, odds)
    people = classes_times_shape * ratio * odds * math.exp(-(shape + 1) * math.log1p(ratio * odds))
    x = odds / (1 + odds)
    sizes = np.arange(1.0, WINDOW + 1)
    expected = np.exp(log_rising(1 + shape, sizes - 1) - log_rising(1.0, sizes) + (sizes - 1) * math.log(x))
    return Estimate(
        people=sample.bounded(people),
        parameters={"shape": shape, "mean": shape * odds} if shape > 0 else {"shape": 0.0, "x": x},
        reason=_doubt(shape),
        law=NegativeBinomialLaw(shape, unseen_ratio(sample) * x),
        expected=expected / expected.sum(),
    )


def _doubt(shape: float) -> str | None:
    if shape == 0:
        return LOG_SERIES
    return ONE_POISSON if shape >= _LARGEST_SHAPE else None


def _fit(sample: Sample) -> tuple[float, float]:
    """The shape r and the odds μ/r at the largest likelihood. For each r the mean of the classes seen decides the odds."""
    scores = [_score(sample, shape) for shape in _SHAPES]
    maxima = [0.0] if scores[0] <= 0 else []
    for (left, rises), (right, then) in pairwise(zip(_SHAPES, scores, strict=True)):
        if rises > 0 >= then:
            maxima.append(brentq(lambda shape: _score(sample, shape), left, right, xtol=1e-14, rtol=1e-12))
    if scores[-1] > 0:
        maxima.append(_LARGEST_SHAPE)
    shape = max(maxima, key=lambda r: _log_likelihood(sample, r)) if len(maxima) > 1 else maxima[0]
    return float(shape), _odds(sample, shape)


def _odds(sample: Sample, shape: float) -> float:
    """μ/r with r odds / (1 - (1 + odds)^-r), the mean size of the classes seen, equal to n/u."""
    mean = sample.n / sample.u

    def excess(log_odds: float) -> float:
        odds = math.exp(log_odds)
        return math.log(odds / _one_minus_power(shape, odds) / mean)

    # 1 + (r + 1) odds is the mean of a record's class, which is above that of a class.
    low = math.log((mean - 1) / (shape + 1)) - 1
    high = low + 2
    while excess(high) < 0:
        high += 2
    return math.exp(brentq(excess, low, high, xtol=1e-14, rtol=1e-14))


def _one_minus_power(shape: float, odds: float) -> float:
    """(1 - (1 + odds)^-r) / r: the probability that a class is seen over r, or its limit."""
    log = math.log1p(odds)
    return -math.expm1(-shape * log) / shape if shape > 0 else log


def _score(sample: Sample, shape: float) -> float:
    """The derivative by r of the log-likelihood, at the odds that belong to r."""
    log = math.log1p(_odds(sample, shape))
    z = shape * log
    # 1/(1 - exp(-z)) - 1/z
    share = 0.5 + z / 12 - z**3 / 720 if z < 0.01 else -1 / math.expm1(-z) - 1 / z
    spread = digamma(shape + sample.size) - digamma(shape + 1)
    return float((sample.count * spread).sum()) - sample.u * log * share


def _log_likelihood(sample: Sample, shape: float) -> float:
    """Up to a constant, at the odds that belong to r."""
    odds = _odds(sample, shape)
    log = math.log1p(odds)
    seen = shape * log + math.log(_one_minus_power(shape, odds))
    gammas = float((sample.count * log_rising(shape + 1, sample.size - 1)).sum())
    return gammas + sample.n * (math.log(odds) - log) - sample.u * seen


@dataclass(frozen=True)
class NegativeBinomialLaw:
    """F - s given s is negative binomial with shape s + r and mean (s + r) w: ``shape`` is r, ``odds`` is w.

    That F can never exceed N - n + s is left out.
    """

    shape: float
    odds: float

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        """E[1/F | s]; shape of ``sizes``."""
        return smooth_inverse(self._inverse, self._inverse, sizes)

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        """P(F <= k | s); shape of ``sizes``."""
        return at_most_where_possible(
            lambda s, whole: betainc(s + self.shape, whole - s + 1, 1 / (1 + self.odds)), sizes, k
        )

    def _inverse(self, sizes: np.ndarray) -> np.ndarray:
        # The integral of E z^(F-1) over z, in v with z = v / (v + (1 - v)/(1 + w)):
        # 1/(1 + w) times that of v^(s-1) (1 - y (1 - v))^(r-1), y = w/(1 + w).
        y = self.odds / (1 + self.odds)
        unit = UnitInterval.reaching(sizes.max() + self.shape * y + self.odds)
        power = np.exp((self.shape - 1) * np.log1p(-y * unit.below_one))
        return unit.integral(sizes, power) / (1 + self.odds)
