"""Fisher's log-series (Fisher, Corbet & Williams 1943): ``u/n = −(1−x) ln(1−x)/x``, ``S_1 = αX``, ``X = xt/(1−x+xt)``."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import refusal
from sqlrisk.population.laws import NegativeBinomial
from sqlrisk.population.sample import WINDOW, Sample


def estimate(sample: Sample) -> Estimate:
    """S_1; None without repeats or with one class."""
    refused = refusal(sample)
    if refused:
        return refused
    # In y = 1 - x, which is tiny where classes are large.
    log_y = brentq(lambda w: _distinction(w) - sample.u / sample.n, -700.0, -1e-12, xtol=1e-14, rtol=1e-14)
    y = math.exp(log_y)
    x = -math.expm1(log_y)
    alpha = sample.n * y / x
    t = sample.population / sample.n
    people = alpha * x * t / (y + x * t)
    j = np.arange(1, WINDOW + 1)
    return Estimate(
        people,
        {"x": x, "alpha": alpha},
        law=NegativeBinomial(1 / (y + x * t)),
        expected=np.exp(j * math.log(x)) / j if x > 0 else None,
    )


def _distinction(log_y: float) -> float:
    """u/n at 1 - x = exp(log_y), rising from 0 to 1."""
    return -math.exp(log_y) * log_y / -math.expm1(log_y)
