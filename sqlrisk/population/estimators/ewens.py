"""Ewens' sampling formula (1972): one parameter, ``θ[ψ(θ+n) − ψ(θ)] = u``, and ``S_1 = Nθ/(N−1+θ)``."""

from __future__ import annotations

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import Fit, expected_frequencies, log_likelihood, refusal, theta_at
from sqlrisk.population.estimators.pitman_yor import law_of
from sqlrisk.population.sample import Sample


def estimate(sample: Sample) -> Estimate:
    """S_1 by Ewens' formula; None without repeats or with one class."""
    refused = refusal(sample)
    if refused:
        return refused
    theta = theta_at(sample, 0.0)
    best = Fit(theta, 0.0, log_likelihood(sample, theta, 0.0))
    population = sample.population
    return Estimate(
        population * theta / (population - 1 + theta),
        {"theta": theta, "log_likelihood": best.log_likelihood},
        law=law_of(sample, best),
        expected=expected_frequencies(sample, theta, 0.0),
    )
