"""Pitman's model (Hoshino 2001): the expected number of uniques in a population of N, exactly.

``N Γ(θ+α+N−1) Γ(θ+1) / (Γ(θ+α) Γ(θ+N))``, the unconditional expectation at the fitted parameters.
"""

from __future__ import annotations

import math

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import fit, log_stay, refusal
from sqlrisk.population.estimators.pitman_yor import law_of
from sqlrisk.population.sample import Sample


def estimate(sample: Sample) -> Estimate:
    """S_1 by the exact expectation; None without repeats or with one class."""
    refused = refusal(sample)
    if refused:
        return refused
    best = fit(sample)
    people = sample.population * math.exp(log_stay(best, 1, sample.population))
    return Estimate(people, best.parameters, reason=best.reason, law=law_of(sample, best))
