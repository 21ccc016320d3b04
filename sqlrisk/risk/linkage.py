"""Attacks by matching: intervals of simulated shares, and what was to be expected."""

from __future__ import annotations

import math

Z = 1.959963984540054
"""The standard normal quantile of a 95 % interval."""


def share_interval(hits: int, trials: int, population: int | None = None) -> tuple[float, float] | None:
    """The 95 % interval of a share by Wilson's score (Wilson 1927), None without trials.

    With a finite ``population`` from which the trials were drawn without replacement, the variance has the factor
    (N - n)/(N - 1), and the interval of a census has no width.
    """
    if trials == 0:
        return None
    z = Z
    if population is not None:
        z *= math.sqrt((population - trials) / (population - 1)) if population > 1 else 0.0
    share, square = hits / trials, z * z / trials
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    low, high = middle - half, middle + half
    return (0.0 if hits == 0 else max(0.0, low)), (1.0 if hits == trials else min(1.0, high))


def mean_interval(
    mean: float, squares: float, trials: int, population: int | None = None
) -> tuple[float, float] | None:
    """The 95 % interval of a mean of ``trials`` values in [0, 1] with the mean square ``squares``, None for fewer than two."""
    if trials < 2:
        return None
    variance = max(0.0, squares - mean * mean) * trials / (trials - 1)
    if population is not None:
        variance *= (population - trials) / (population - 1) if population > 1 else 0.0
    half = Z * math.sqrt(variance / trials)
    return max(0.0, mean - half), min(1.0, mean + half)
