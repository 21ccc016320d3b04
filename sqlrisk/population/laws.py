"""Laws of F, the size of a class in the population, given s, its size in the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, gammaln

from sqlrisk.population.estimate import Estimate, Law
from sqlrisk.population.sample import Sample
from sqlrisk.population.series import gauss_1_1, log_rising

SMALL = 100
"""Up to this class size a law is summed; beyond, its first two moments decide (relative error below 1e-5)."""

_WHOLE = 400  # terms summed one by one before the sum becomes an integral
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


@dataclass(frozen=True)
class Census(Law):
    """The release is the whole population: F = s."""

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        return 1 / np.asarray(sizes, float)

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        return (np.asarray(sizes, float) <= k).astype(float)


def census(sample: Sample) -> Estimate:
    """The answer when the release is the population: its uniques are counted, not estimated."""
    return Estimate(float(sample.uniques), law=Census())


@dataclass(frozen=True)
class NegativeBinomial(Law):
    """F - s given s is negative binomial with shape s and success probability ``p``.

    So it is in Fisher's log-series, and where every order of magnitude of F is as likely as another (``p`` the sampling
    fraction; Benedetti & Franconi 1998).
    """

    p: float

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        sizes = np.asarray(sizes, float)
        return self.p / sizes * gauss_1_1(sizes, 1 - self.p)

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        sizes = np.asarray(sizes, float)
        below = np.maximum(np.floor(k) - sizes, 0)
        return np.where(sizes <= k, betainc(sizes, below + 1, self.p), 0.0)


@dataclass(frozen=True)
class BetaBinomial(Law):
    """F - s given s under the Ewens-Pitman model: beta-binomial(m, s - alpha, theta + n - s + alpha), m = N - n."""

    n: int
    m: int
    theta: float
    alpha: float

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        sizes = np.asarray(sizes, float)
        small = sizes <= SMALL
        # 1/F of a gamma variable with the same moments; for small sizes it may not exist
        mean, variance = self._moments(np.where(small, 2.0 * SMALL, sizes))
        answer = mean / np.maximum(mean * mean - variance, 1.0)
        if small.any():
            answer[small] = self._expectation(sizes[small])
        return np.clip(answer, 1 / (self.n + self.m), 1 / sizes)

    def _expectation(self, sizes: np.ndarray) -> np.ndarray:
        x, weights = summation(self.m)
        mass = weights * np.exp(self._log_mass(sizes[:, None], x))
        return (mass / (sizes[:, None] + x)).sum(1) / mass.sum(1)

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        sizes = np.asarray(sizes, float)
        answer = np.zeros(sizes.shape)
        k = np.floor(k)
        large = (sizes > SMALL) & (sizes <= k)
        answer[large] = self._matched(sizes[large], k)
        for index in np.flatnonzero((sizes <= SMALL) & (sizes <= k)):
            s = sizes[index]
            last = min(k - s, self.m)
            x, weights = summation(last)
            answer[index] = min(1.0, float((weights * np.exp(self._log_mass(s, x))).sum())) if last < self.m else 1.0
        return answer

    def _moments(self, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of F."""
        m, whole = float(self.m), self.theta + self.n
        p = (sizes - self.alpha) / whole
        return sizes + m * p, m * p * (1 - p) * (whole + m) / (whole + 1)

    def _matched(self, sizes: np.ndarray, k: float) -> np.ndarray:
        """P(F <= k) of the negative binomial F - s with the same mean and variance."""
        mean, variance = self._moments(sizes)
        excess = np.maximum(mean - sizes, 1e-300)
        p = np.clip(excess / np.maximum(variance, excess * (1 + 1e-9)), 1e-300, 1 - 1e-9)
        return betainc(excess * p / (1 - p), k - sizes + 1, p)

    def _log_mass(self, s: np.ndarray | float, x: np.ndarray) -> np.ndarray:
        """ln P(F - s = x). Differences of log-gammas as large as N ln N are taken as rising factorials of few steps."""
        a, b, m = s - self.alpha, self.theta + self.n - s + self.alpha, float(self.m)
        few = log_rising(m - x + 1, x) - log_rising(b + m - x, x)
        many = log_rising(m - x + 1, b - 1) - log_rising(m + 1, b - 1)
        tail = np.where(x < b, few, many)
        return log_rising(x + 1, a - 1) - gammaln(a) + log_rising(b, a) + tail - log_rising(b + m, a)


@dataclass(frozen=True)
class Pooled(Law):
    """A mixture of laws: the model itself is uncertain."""

    laws: Sequence[Law]
    weights: Sequence[float]

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        return sum(weight * law.inverse(sizes) for law, weight in zip(self.laws, self.weights, strict=True))

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        return sum(weight * law.at_most(sizes, k) for law, weight in zip(self.laws, self.weights, strict=True))


def summation(last: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights for a sum over x = 0, 1, ..., ``last`` of a function that is smooth in ln x.

    The first terms one by one, the rest as an integral from half a step before the next over panels that grow with x: the
    midpoint rule read backwards, with its first correction, g'/24, from the last three terms.
    """
    whole = np.arange(min(_WHOLE, int(last) + 1), dtype=float)
    start, end = len(whole) - 0.5, float(last) + 0.5
    if end <= start:
        return whole, np.ones(len(whole))
    panels = max(1, int(np.ceil(np.log(end / start) / 0.2)))
    edges = start * (end / start) ** np.linspace(0, 1, panels + 1)
    half = np.diff(edges) / 2
    nodes = (edges[:-1] + half)[:, None] + half[:, None] * _NODES
    x = np.minimum(nodes.ravel(), float(last))
    ones = np.ones(len(whole))
    ones[-3:] += np.array([1, -3, 2]) / 24
    return np.concatenate([whole, x]), np.concatenate([ones, (half[:, None] * _WEIGHTS).ravel()])
