"""The Poisson-inverse Gaussian model: the expected size of a class is inverse Gaussian over the classes.

Source: Carlson (2002), "Assessing microdata disclosure risk using the Poisson-inverse Gaussian distribution", Statistics in
Transition 5; the law is Sichel's (1975) with index -1/2. Fitted on the classes of 1 to WINDOW records.
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

_SHAPE_ZERO = boundary("shape 0: it has infinitely many classes too small to be seen")
_MEAN_INFINITE = boundary("infinite mean: the large classes of the window do not thin out")


class InverseGaussian:
    """ln density -y/2 - a(1+a) exp(y) - d² exp(-y) of y = ln λ - anchor, p = (a, d).

    With mean μ and shape φ, a(1+a) = φ exp(anchor)/(2μ²) and d² = φ exp(-anchor)/2. The coordinates keep the likelihood
    smooth at the boundaries (it has a square root in φ at 0) and straight on the way to one common λ, where a and d grow.
    """

    upper = (math.sqrt(0.5) / NARROWEST, math.sqrt(0.5) / NARROWEST)
    starts = ((0.01, 0.05), (0.2, 0.3), (0.6, 1.0), (3.0, 3.0))

    def __init__(self, smallest_d: float) -> None:
        self.lower = (0.0, smallest_d)

    def log_density(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return -y / 2 - _rate(p) * np.exp(y) - p[1] ** 2 * _falling(y)

    def slope(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return -0.5 - _rate(p) * np.exp(y) + p[1] ** 2 * _falling(y)

    def curvature(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return -_rate(p) * np.exp(y) - p[1] ** 2 * _falling(y)

    def first(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.array([-(1 + 2 * p[0]) * np.exp(y), -2 * p[1] * _falling(y)])

    def second(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.array([-2 * np.exp(y), -2 * _falling(y)])


def _rate(p: np.ndarray) -> float:
    return p[0] * (1 + p[0])


def _falling(y: np.ndarray) -> np.ndarray:
    """exp(-y), held at exp(300): the density is 0 there, and squares must not overflow."""
    return np.exp(np.minimum(-y, 300.0))


def estimate(sample: Sample) -> Estimate:
    """S_1 by maximum likelihood; parameters: mean (where it is finite) and shape of λ, in records of the release."""
    if sample.is_census:
        return census(sample)
    refused = refusal_in_window(sample)
    if refused:
        return refused
    # With √φ at this fraction of its value for a class of one person, the law has no lower end to speak of.
    mixing = InverseGaussian(1e-4 * math.sqrt(sample.fraction))
    window = Window(sample, mixing)
    p = window.fit()
    if p is None:
        return Estimate.none(NOT_SETTLED, converged=False)
    if near(p[1], mixing.lower[1], mixing.lower[1]):
        p = np.array([p[0], 0.0])
    unit = math.exp(window.anchor)
    parameters = {"shape": float(2 * p[1] ** 2 * unit)}
    if p[0] > 0:
        parameters = {"mean": float(p[1] / math.sqrt(_rate(p)) * unit), **parameters}
    return window.estimate(p, parameters, _doubt(p))


def _doubt(p: np.ndarray) -> str | None:
    if p[1] == 0:
        return _SHAPE_ZERO
    if near(p[0], 0.0):
        return _MEAN_INFINITE
    if near(p[0], InverseGaussian.upper[0]) or near(p[1], InverseGaussian.upper[1]):
        return ONE_POISSON
    return None
