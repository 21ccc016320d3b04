"""The slide negative binomial: population classes have 1 + NB people, so that each has at least one.

Sources: Chen & Keller-McNulty (1998), "Estimation of identification disclosure risk in microdata", Journal of Official
Statistics 14; Haas & Stokes (1998), "Estimating the number of classes in a finite population", JASA 93, for the number of
classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import refusal
from sqlrisk.population.estimators.mixed_poisson import at_most_where_possible
from sqlrisk.population.laws import census
from sqlrisk.population.sample import Sample

_RESIDUAL = 1e-6  # the largest sum of squared log residuals that counts as a solution
_LOGITS = (-700.0, 34.0)  # of β; at the upper end 1 - β is 1e-15


def estimate(sample: Sample) -> Estimate:
    """S_1 = K β^α with f_1 and f_2 as expected; parameters: K classes of the population, α and β.

    The two equations are those of the squared log residuals, solved without a grid of starts: their ratio is quadratic in
    α and has one positive root for each β; put into the first, it leaves one increasing function of logit β.
    """
    if sample.is_census:
        return census(sample)
    refused = refusal(sample)
    if refused:
        return refused
    uniques, pairs = sample.small[:2].tolist()
    if not (uniques and pairs):
        which = "classes of two" if uniques else "uniques"
        return Estimate.none(f"the release has no {which}, from which the model is solved")
    classes = _population_classes(sample)
    logit = _solve(sample, classes)
    if logit is None:
        return Estimate.none("the model's two equations have no solution", converged=False, classes=classes)
    alpha = _alpha(sample, logit)
    beta = 1 / (1 + math.exp(-logit))
    return Estimate(
        people=sample.bounded(classes * math.exp(alpha * math.log(beta))),
        parameters={"classes": classes, "alpha": alpha, "beta": beta},
        law=SlideLaw(alpha, *_continue_and_stop(sample, logit)),
    )


def _population_classes(sample: Sample) -> float:
    """K by the modified Shlosser estimator."""
    fraction = sample.fraction
    size, count = sample.size, sample.count
    log_out, log_out_square = math.log1p(-fraction), math.log1p(-fraction * fraction)
    once = (size * fraction**2 * np.exp((size - 1) * log_out_square) * count).sum()
    # (1 - π²)^j - (1 - π)^j without its cancellation at small π
    between = (np.exp(size * log_out_square) * -np.expm1(-size * math.log1p(fraction)) * count).sum()
    unseen = (np.exp(size * log_out) * count).sum()
    seen_once = (size * fraction * np.exp((size - 1) * log_out) * count).sum()
    return float(sample.u + sample.small[0] * once / between * (unseen / seen_once) ** 2)


def _solve(sample: Sample, classes: float) -> float | None:
    """logit β where f_1 is as expected; None where it is so nowhere, not even nearly."""
    low, high = (_log_residual(sample, classes, end) for end in _LOGITS)
    if low < 0 < high:
        return brentq(lambda logit: _log_residual(sample, classes, logit), *_LOGITS, xtol=1e-12, rtol=1e-14)
    nearest, residual = (_LOGITS[0], low) if abs(low) < abs(high) else (_LOGITS[1], high)
    return nearest if residual * residual <= _RESIDUAL else None


def _log_residual(sample: Sample, classes: float, logit: float) -> float:
    """ln(E f_1 / f_1) with α such that E f_2 / E f_1 = f_2 / f_1."""
    alpha = _alpha(sample, logit)
    z, stop = _continue_and_stop(sample, logit)
    odds_against = math.exp(-logit)  # (1 - β)/β
    log_power = -alpha * math.log1p(sample.fraction * odds_against)  # (β/(1 - z))^α
    return math.log(classes * sample.fraction / sample.small[0]) + log_power + math.log1p(alpha * z / stop)


def _alpha(sample: Sample, logit: float) -> float:
    """α > 0 with c z α² + (c (2 - z) - z) α - (1 - z) = 0, c = π (1 - β) f_1 / (2 (1 - z) f_2)."""
    uniques, pairs = sample.small[:2].tolist()
    z, stop = _continue_and_stop(sample, logit)
    c = sample.fraction / (1 + math.exp(logit)) * uniques / (2 * stop * pairs)
    linear = c * (2 - z) - z
    root = math.hypot(linear, 2 * math.sqrt(c * z * stop))
    return 2 * stop / (linear + root) if linear > 0 else (root - linear) / (2 * c * z)


def _continue_and_stop(sample: Sample, logit: float) -> tuple[float, float]:
    """z = (1 - π)(1 - β) and 1 - z = π + (1 - π) β, each to its last digit."""
    fraction = sample.fraction
    return (1 - fraction) / (1 + math.exp(logit)), fraction + (1 - fraction) / (1 + math.exp(-logit))


@dataclass(frozen=True)
class SlideLaw:
    """The law of F given s by Bayes' rule: y = F - s has weight (s + y) NB(y; a, z), a = s + α - 1; ``stop`` is 1 - z.

    The factor s + y comes from C(F, s)/(F - 1)! and makes E[1/F | s] one over a mean. That F can never exceed N - n + s is
    left out.
    """

    alpha: float
    z: float
    stop: float

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        """E[1/F | s] = 1 / (s + a z/(1 - z)); shape of ``sizes``."""
        sizes = np.asarray(sizes, float)
        return 1 / (sizes + self._mean(sizes))

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        """P(F <= k | s); shape of ``sizes``. y NB(y; a) is the mean times NB(y - 1; a + 1)."""
        return at_most_where_possible(self._at_most, sizes, k)

    def _mean(self, sizes: np.ndarray) -> np.ndarray:
        return (sizes + self.alpha - 1) * self.z / self.stop

    def _at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        shape, mean = sizes + self.alpha - 1, self._mean(sizes)
        below = betainc(shape, k - sizes + 1, self.stop)
        one_below = np.where(k > sizes, betainc(shape + 1, np.maximum(k - sizes, 1), self.stop), 0.0)
        return (sizes * below + mean * one_below) / (sizes + mean)
