"""Zayatz (1991): the population uniques that would show as many sample uniques as were seen.

``f_1² / Σ f_j h(j)`` with ``h(j)`` the hypergeometric chance that a population class of j people has exactly one in the
sample: the sample's class sizes stand for the population's, so it is biased upwards for small sampling fractions.
"""

from __future__ import annotations

import numpy as np

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.sample import Sample
from sqlrisk.population.series import log_rising

BINOMIAL_FROM = 1e9
BIASED = "biased upwards at this sampling fraction: the sample's class sizes stand for the population's"


def estimate(sample: Sample) -> Estimate:
    """S_1; 0 without sample uniques. The model says nothing of F given s."""
    if sample.uniques == 0:
        return Estimate(0.0)
    weight = float(sample.count @ np.exp(_log_one_of(sample)))
    if weight <= 0:
        return Estimate.none("the model gives no class a chance to show up once")
    return Estimate(sample.uniques**2 / weight, reason=BIASED if sample.fraction < 0.3 else None)


def _log_one_of(sample: Sample) -> np.ndarray:
    """ln h(j): j C(N-j, n-1) / C(N, n), or its binomial limit j pi (1-pi)^(j-1)."""
    size, n, population = sample.size, float(sample.n), float(sample.population)
    rest = population - n
    if population > BINOMIAL_FROM:
        return np.log(size) + np.log(n / population) + (size - 1) * np.log1p(-min(n / population, 1 - 1e-16))
    # One of the class is in the sample, and its j - 1 others are all among the N - n people who are not.
    possible = size - 1 <= rest
    others = np.where(possible, size - 1, 0.0)
    logs = np.log(size) + np.log(n / population)
    logs += log_rising(rest - others + 1, others) - log_rising(population - others, others)
    return np.where(possible, logs, -np.inf)
