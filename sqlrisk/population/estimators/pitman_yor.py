"""The posterior mean of the population uniques under the Ewens-Pitman (Pitman-Yor) model.

The sample's own uniques that nobody joins, and the new classes of one among the people who are not in the sample. Sources:
Pitman (1995); Hoshino (2001) for the model on microdata; Lijoi, Mena & Pruenster (2007) for the posterior.
"""

from __future__ import annotations

import math

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import Fit, expected_frequencies, fit, log_stay, refusal
from sqlrisk.population.laws import BetaBinomial
from sqlrisk.population.sample import Sample


def estimate(sample: Sample) -> Estimate:
    """S_1 as ``f_1 stay + new``; None without repeats or with one class."""
    refused = refusal(sample)
    if refused:
        return refused
    best = fit(sample)
    return Estimate(
        posterior_uniques(sample, best),
        best.parameters,
        reason=best.reason,
        law=law_of(sample, best),
        expected=expected_frequencies(sample, best.theta, best.alpha),
    )


def posterior_uniques(sample: Sample, best: Fit) -> float:
    """The expected number of people alone in their class, given the sample."""
    n, population, m = sample.n, sample.population, sample.population - sample.n
    stay = sample.uniques * math.exp(log_stay(best, n, population))
    if not m:
        return stay
    first = m * (best.theta + sample.u * best.alpha) / (best.theta + n)
    return stay + first * math.exp(log_stay(best, n + 1, population))


def law_of(sample: Sample, best: Fit) -> BetaBinomial:
    """The law of F given s."""
    return BetaBinomial(sample.n, sample.population - sample.n, best.theta, best.alpha)
