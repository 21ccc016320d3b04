"""The Poisson-lognormal model: the expected size of a class is lognormal over the classes.

Source: Bulmer (1974), "On fitting the Poisson lognormal distribution to species-abundance data", Biometrics 30.
Fitted on the classes of 1 to WINDOW records.
"""

from __future__ import annotations

import math

import numpy as np

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.mixed_poisson import (
    NARROWEST,
    NOT_SETTLED,
    ONE_POISSON,
    Window,
    boundary,
    near,
    refusal_in_window,
)
from sqlrisk.population.laws import census
from sqlrisk.population.sample import Sample

_CROWDED = boundary("steepest rise of the density: the classes of the window crowd at its upper end")
_POWER_LAW = boundary("infinite variance of ln λ, a power law: it has infinitely many classes too small to be seen")


class Lognormal:
    """ln density b y - c y²/2 of y = ln λ - anchor, p = (b, c): variance 1/c, mean b/c; a power law at c = 0."""

    lower = (-300.0, 0.0)
    upper = (300.0, NARROWEST**-2)
    # Standard deviations of ln λ from 8 to 0.3, with means that leave the mean of the classes seen where it is.
    starts = tuple((-0.5 * (1 + c), c) for c in (0.016, 0.16, 1.0, 11.0))

    def log_density(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return p[0] * y - p[1] / 2 * y * y

    def slope(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return p[0] - p[1] * y

    def curvature(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.full_like(y, -p[1])

    def first(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.array([y, -y * y / 2])

    def second(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.zeros((2, *y.shape))


def estimate(sample: Sample) -> Estimate:
    """S_1 by maximum likelihood; parameters: mean and standard deviation of ln λ, λ in records of the release.

    At the power-law boundary the parameter is the exponent of the density of ln λ instead.
    """
    if sample.is_census:
        return census(sample)
    refused = refusal_in_window(sample)
    if refused:
        return refused
    window = Window(sample, Lognormal())
    p = window.fit()
    if p is None:
        return Estimate.none(NOT_SETTLED, converged=False)
    slope, precision = p
    if precision > 0:
        parameters = {"mean_log": float(window.anchor + slope / precision), "sd_log": float(1 / math.sqrt(precision))}
    else:
        parameters = {"exponent": float(slope)}
    return window.estimate(p, parameters, _doubt(slope, precision))


def _doubt(slope: float, precision: float) -> str | None:
    if near(slope, Lognormal.upper[0]):
        return _CROWDED
    if near(precision, 0.0):
        return _POWER_LAW
    return ONE_POISSON if near(precision, Lognormal.upper[1]) else None
