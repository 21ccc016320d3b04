"""The Ewens-Pitman model: the likelihood of a frequency of frequencies, and where it is largest.

Sources: Pitman (1995), "Exchangeable and partially exchangeable random partitions"; Hoshino (2001), "Applying Pitman's
sampling formula to microdata disclosure risk assessment".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import digamma

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.sample import WINDOW, Sample
from sqlrisk.population.series import digamma_difference, log_choose, log_rising

NO_REPEATS = "no two records of the release share a class: the histogram then holds no information about the population"
ONE_CLASS = "all records share one class: a model of how people spread over classes has nothing to go by"
THIN_TAIL = "the class sizes are more even than the model allows (its alpha is at 0): the model is inadequate"

_LEAST_ALPHA, _MOST_ALPHA = 1e-6, 1 - 1e-6
_MOST_EVEN = -1e4
_LARGEST_LOG = 60.0


@dataclass(frozen=True)
class Fit:
    """theta > -alpha and alpha in [0, 1) at the largest likelihood, and its logarithm."""

    theta: float
    alpha: float
    log_likelihood: float

    @property
    def parameters(self) -> dict[str, float]:
        return {"theta": self.theta, "alpha": self.alpha, "log_likelihood": self.log_likelihood}

    @property
    def reason(self) -> str | None:
        return THIN_TAIL if self.alpha == 0 else None


def refusal(sample: Sample) -> Estimate | None:
    """Why nothing can be fitted to the sample; None if something can."""
    if sample.uniques == sample.n:
        return Estimate.none(NO_REPEATS)
    return Estimate.none(ONE_CLASS) if sample.u == 1 else None


def fit(sample: Sample) -> Fit:
    """Maximum likelihood, for a sample with two classes or more and a repeat. Profile: for each alpha one theta."""
    theta = theta_at(sample, 0.0)
    if _slope(sample, theta, 0.0) <= 0 or _profile_slope(sample, _LEAST_ALPHA) <= 0:
        return Fit(theta, 0.0, log_likelihood(sample, theta, 0.0))
    alpha = _MOST_ALPHA
    if _profile_slope(sample, alpha) < 0:
        alpha = brentq(lambda a: _profile_slope(sample, a), _LEAST_ALPHA, _MOST_ALPHA, xtol=1e-13, rtol=1e-12)
    theta = theta_at(sample, alpha)
    return Fit(theta, alpha, log_likelihood(sample, theta, alpha))


def fit_finite(sample: Sample) -> Fit | None:
    """Where the tail is thinner than alpha = 0: the largest likelihood at an alpha < 0, a population of -theta/alpha
    classes; None where the likelihood rises without end, towards classes of one size. Only the asymptotic form of older
    tools uses it."""
    near, far = -_LEAST_ALPHA, -2 * _LEAST_ALPHA
    while _profile_slope(sample, far) < 0:
        near, far = far, 2 * far
        if far < _MOST_EVEN:
            return None
    if _profile_slope(sample, near) >= 0:
        return None  # between the two only rounding is left to go by
    alpha = brentq(lambda a: _profile_slope(sample, a), far, near, xtol=1e-14, rtol=1e-13)
    return Fit(theta_at(sample, alpha), alpha, math.nan)


def log_likelihood(sample: Sample, theta: float, alpha: float) -> float:
    """ln P(the partition of the sample)."""
    u, n = sample.u, sample.n
    if alpha > 0:
        x = theta / alpha + 1
        new = (u - 1) * math.log(alpha) + float(log_rising(x, u - 1))
    else:
        new = (u - 1) * math.log(theta)
    old = sample.count @ log_rising(np.full(sample.size.shape, 1 - alpha), sample.size - 1)
    return new - float(log_rising(theta + 1, n - 1)) + float(old)


def theta_at(sample: Sample, alpha: float) -> float:
    """The theta of the largest likelihood for an alpha: the one root of the score; infinite where it has none."""
    u, n = sample.u, sample.n
    least = -alpha * (u - 1 if alpha < 0 else 1)

    def score(log_excess: float) -> float:
        theta = least + math.exp(log_excess)
        return _new_classes(theta, alpha, u) - digamma_difference(theta + 1, n - 1)

    low = high = math.log(u)
    while score(high) > 0:
        high += 1.0
        if high > _LARGEST_LOG:
            return math.inf
    while score(low) < 0:
        low -= 1.0
    root = brentq(score, low, high, xtol=1e-13, rtol=1e-14) if low < high else low
    return least + math.exp(root)


def _new_classes(theta: float, alpha: float, u: int) -> float:
    """The sum of 1/(theta + i alpha) over i = 1, ..., u - 1."""
    if alpha == 0:
        return (u - 1) / theta
    first = theta / alpha + 1 if alpha > 0 else 1 - u - theta / alpha
    return digamma_difference(first, u - 1) / abs(alpha)


def _profile_slope(sample: Sample, alpha: float) -> float:
    theta = theta_at(sample, alpha)
    return _slope(sample, theta, alpha) if math.isfinite(theta) else -math.inf


def _slope(sample: Sample, theta: float, alpha: float) -> float:
    """The derivative of the log-likelihood by alpha."""
    u = sample.u
    # The sum of i/(theta + i alpha) over i = 1, ..., u - 1.
    new = u * (u - 1) / 2 / theta if alpha == 0 else (u - 1 - theta * _new_classes(theta, alpha, u)) / alpha
    old = sample.count @ (digamma(sample.size - alpha) - digamma(1 - alpha))
    return new - float(old)


def expected_frequencies(sample: Sample, theta: float, alpha: float) -> np.ndarray:
    """E f_j for j = 1, ..., WINDOW up to a factor: C(n, j) (1-alpha)_{j-1} (theta+alpha)_{n-j} / (theta+1)_{n-1}."""
    n = float(sample.n)
    j = np.arange(1.0, WINDOW + 1)
    inside = j <= n
    j = np.where(inside, j, 1.0)
    # (theta+alpha)_{n-j} against (theta+alpha)_n, so that what grows with n cancels
    left = -log_rising(np.maximum(theta + alpha + n - j, 1e-300), j)
    logs = log_choose(n, j) + log_rising(np.full(j.shape, 1 - alpha), j - 1) + left
    return np.where(inside, np.exp(logs - logs.max()), 0.0)


def log_stay(fit: Fit, n: float, to: float) -> float:
    """ln of the chance that a class of one among ``n`` records is still one among ``to`` of them."""
    gap = 1 - fit.alpha
    base = fit.theta + fit.alpha - 1
    return float(log_rising(base + n, gap) - log_rising(base + to, gap))
