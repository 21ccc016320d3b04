"""Logarithms of rising factorials and their kin, accurate where differences of log-gamma are not."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import digamma, gammaln, hyp2f1

_STIRLING_FROM = 30.0


def log_rising(x: np.ndarray | float, d: np.ndarray | float) -> np.ndarray:
    """ln Γ(x + d) - ln Γ(x) for x > 0, x + d > 0: d may be whole or not, huge or tiny.

    From x = 30 by the difference of two Stirling series, in which the large terms are cancelled by hand (Abramowitz &
    Stegun 6.1.41); error below 1e-13 of the result's size plus 1e-14.
    """
    x, d = np.broadcast_arrays(np.asarray(x, float), np.asarray(d, float))
    small = np.minimum(x, x + d) < _STIRLING_FROM
    with np.errstate(all="ignore"):
        direct = gammaln(x + d) - gammaln(x)
        end = x + d
        body = (x - 0.5) * np.log1p(d / x) + d * np.log(end) - d
        tail = _tail(end) - _tail(x)
    return np.where(small, direct, body + tail)


def _tail(x: np.ndarray) -> np.ndarray:
    inverse = 1 / x
    square = inverse * inverse
    return inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))


def log_choose(n: np.ndarray | float, k: np.ndarray | float) -> np.ndarray:
    """ln C(n, k), for real n >= k >= 0."""
    n, k = np.broadcast_arrays(np.asarray(n, float), np.asarray(k, float))
    smaller = np.minimum(k, n - k)
    return log_rising(n - smaller + 1, smaller) - gammaln(smaller + 1)


def digamma_difference(x: float, d: float) -> float:
    """ψ(x + d) - ψ(x), the sum of 1/(x + i) over i < d where d is whole, for x > 0 and d >= 0."""
    if x < _STIRLING_FROM:
        return float(digamma(x + d) - digamma(x))
    return math.log1p(d / x) - _digamma_tail(x + d) + _digamma_tail(x)


def _digamma_tail(x: float) -> float:
    square = 1 / (x * x)
    return 0.5 / x + square * (1 / 12 - square * (1 / 120 - square / 252))


def gauss_1_1(s: np.ndarray, q: float) -> np.ndarray:
    """2F1(1, 1; s + 1; q) for s >= 1 and 0 <= q < 1, the sum of q^k / C(s + k, k); scipy's own overflows for large s."""
    s = np.asarray(s, float)
    few = s <= 40
    answer = np.ones(s.shape)
    answer[few] = hyp2f1(1, 1, s[few] + 1, q)
    large, term = s[~few], np.ones(int((~few).sum()))
    total = term.copy()
    for k in range(1, 60):
        term = term * q * k / (large + k)
        total += term
    answer[~few] = total
    return answer
