"""Non-parametric maximum likelihood: the number of population classes S_F of each size F on a grid, of any shape.

Given that a class is in the release it shows j records with probability ``Σ_F q_F Bin(j; F, π) / (1 - (1 - π)^F)``, and
``S_F = u q_F / (1 - (1 - π)^F)``. The likelihood of q is concave, but so flat that its very maximum puts S on a handful of
sizes, and S_1 most often at 0 or far too high. So the answer is that of the EM algorithm, begun at q uniform and stopped
after 1,500 steps: early stopping keeps q smooth. The maximum itself is found too: it tells how far the answer's likelihood
falls short (seldom by more than 3 in log-likelihood, whatever the sample), and an answer that falls too short to be
compatible with the data is moved towards it.

Sources: Laird (1978), JASA 73, for mixtures; Böhning & Schön (2005), Applied Statistics 54, for counts without zeros;
Wang (2007), JRSS B 69, for the constrained Newton method.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import nnls

from sqlrisk.population.estimate import Estimate, Law
from sqlrisk.population.estimators.ewens_pitman import NO_REPEATS
from sqlrisk.population.grid import SizeBins, log_binomial, reach, resolved, seen, shown, spread_to
from sqlrisk.population.laws import NegativeBinomial, census
from sqlrisk.population.sample import WINDOW, Sample

STEPS = 1500
"""Steps of the EM algorithm."""

SHORT = 5.0
"""By more than this the answer's log-likelihood does not fall short of the maximum: it would contradict the data."""

HAND_OVER = (WINDOW / 2, float(WINDOW))
"""Between these class sizes the law of F given s passes from the fitted grid, which is too coarse for the larger, to the
negative binomial law that takes every order of magnitude of F for equally likely."""

_NEVER = 1e-300
_GAP = 1e-9  # the relative gradient at which the search for the maximum ends
_SURE = 0.1  # within which the maximum of the log-likelihood must be known


@dataclass(frozen=True)
class Mixture:
    """The likelihood of the mixing weights q over the F of a grid, for the release's classes in bins.

    ``sizes`` is the grid (F,), ``count`` the classes of each bin that has some (b,), ``kernel`` the probability of each bin
    given F and that the class is seen (b, F), ``seen`` the probability of that (F,).
    """

    sizes: np.ndarray
    count: np.ndarray
    kernel: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, sample: Sample) -> Mixture:
        """The grid reaches six standard deviations above the largest class."""
        fraction, top = sample.fraction, reach(sample.size[-1], sample)
        sizes = np.union1d(spread_to(top), resolved(min(WINDOW / fraction, top), fraction, deviations=1.0))
        bins = SizeBins.of_grid(sizes, fraction)
        count = bins.count(sample)
        occurs = count > 0
        visible = seen(sizes, fraction)
        return cls(sizes, count[occurs], shown(bins[occurs], sizes, fraction) / visible, visible)

    def classes(self, weights: np.ndarray) -> np.ndarray:
        """S_F from q: the classes of the population by size."""
        return self.count.sum() * weights / self.seen

    def log_likelihood(self, weights: np.ndarray) -> float:
        """The multinomial log-likelihood of the bins, without its constant."""
        return float(self.count @ np.log(self.kernel @ weights))

    def gradient(self, weights: np.ndarray) -> np.ndarray:
        """The log-likelihood's derivative by each q_F, over the classes: at most 1 everywhere at the maximum (F,)."""
        return (self.count / (self.kernel @ weights)) @ self.kernel / self.count.sum()

    def smoothed(self) -> np.ndarray:
        """q after the steps of the EM algorithm from q uniform."""
        share = self.count / self.count.sum()
        transposed = np.ascontiguousarray(self.kernel.T)
        weights = np.full(self.sizes.size, 1 / self.sizes.size)
        for _ in range(STEPS):
            weights = weights * (transposed @ (share / (self.kernel @ weights)))
        return weights / weights.sum()

    def maximum(self, start: np.ndarray) -> tuple[np.ndarray, float]:
        """q of the largest likelihood, from a start without zeros, and a bound of how much larger a likelihood may be.

        Each step goes towards the best point of the second-order expansion of the likelihood: the sum of
        ``count (ratio - 2)²`` is to be least, ``ratio`` the probability of a bin over what it is now. With q adding up to 1
        that is a non-negative least squares problem (Dax 1990, as in Wang). By concavity no log-likelihood is larger by
        more than u (largest gradient - 1).
        """
        weights, classes = start, float(self.count.sum())
        root = np.sqrt(self.count / classes)[:, None]
        sum_of_one = np.append(np.zeros(root.size), 1.0)
        for _ in range(100):
            probability = self.kernel @ weights
            gradient = self.gradient(weights)
            gap = float(gradient.max()) - 1
            if gap < min(_GAP, _SURE / 10 / classes):
                break
            rows = np.vstack([root * (self.kernel / probability[:, None] - 2), np.ones(weights.size)])
            try:
                target, _ = nnls(rows, sum_of_one, maxiter=30 * weights.size)
            except RuntimeError:
                break
            direction = target / target.sum() - weights
            moved = self._line_search(probability, self.kernel @ direction, float(gradient @ direction))
            if not moved:
                break
            weights = np.maximum(weights + moved * direction, 0.0)
        return weights, max(gap, 0.0) * classes

    def towards(self, weights: np.ndarray, best: np.ndarray) -> np.ndarray:
        """``weights``, or the first point on the straight way to ``best`` that is no more than SHORT below it."""
        enough = self.log_likelihood(best) - SHORT
        if self.log_likelihood(weights) >= enough:
            return weights
        low, high = 0.0, 1.0
        for _ in range(50):
            part = (low + high) / 2
            reached = self.log_likelihood((1 - part) * weights + part * best) >= enough
            low, high = (low, part) if reached else (part, high)
        return (1 - high) * weights + high * best

    def _line_search(self, probability: np.ndarray, change: np.ndarray, slope: float) -> float:
        """The first of 1, 1/2, 1/4, ... of the way on which a third of what the slope promises is won; 0 if none."""
        for halvings in range(40):
            part = 0.5**halvings
            ratio = part * change / probability
            if ratio.min() > -1 and self.count @ np.log1p(ratio) >= part * slope * self.count.sum() / 3:
                return part
        return 0.0


@dataclass(frozen=True, eq=False)
class GridLaw(Law):
    """F given s by Bayes' rule from the classes S_F (``classes``) of each size of the grid (``sizes``) and Bin(s; F, π).

    From HAND_OVER on it is the negative binomial law, and everywhere where no class of the grid can show s records.
    """

    sizes: np.ndarray
    classes: np.ndarray
    fraction: float

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        """E[1/F | s]."""
        return self._blended(sizes, 1 / self.sizes, self._smooth.inverse(sizes))

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        """P(F <= k | s). A size of the grid stands for all that are nearer to it than to the next."""
        sizes = np.asarray(sizes, float)
        between = (self.sizes[:-1] + self.sizes[1:]) / 2
        first, last = np.append(0.5, between), np.append(between, self.sizes[-1] + 0.5)
        inside = np.clip((np.floor(k) + 0.5 - first) / (last - first), 0.0, 1.0)
        return np.where(sizes <= k, self._blended(sizes, inside, self._smooth.at_most(sizes, k)), 0.0)

    @cached_property
    def _smooth(self) -> NegativeBinomial:
        return NegativeBinomial(self.fraction)

    def _blended(self, sizes: np.ndarray, function: np.ndarray, smooth: np.ndarray) -> np.ndarray:
        """E[function(F) | s], for ``function`` on the grid and its expectation under the negative binomial law."""
        answer = np.array(smooth, float)
        small = np.asarray(sizes, float) < HAND_OVER[1]
        distinct, back = np.unique(np.asarray(sizes, float)[small], return_inverse=True)
        posterior, known = self._posterior(distinct)
        low, high = np.log(HAND_OVER)
        part = np.where(known, np.clip((high - np.log(distinct)) / (high - low), 0.0, 1.0), 0.0)
        answer[small] += part[back] * ((posterior @ function)[back] - answer[small])
        return answer

    def _posterior(self, distinct: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """P(F | s), a row for each s (0 everywhere where no F is possible), and where one is."""
        prior = np.log(np.maximum(self.classes, _NEVER))
        log_weight = log_binomial(distinct[:, None], self.sizes, self.fraction) + prior
        log_weight[:, self.classes <= _NEVER] = -np.inf
        highest = log_weight.max(axis=1, initial=-np.inf)
        known = np.isfinite(highest)
        weight = np.exp(log_weight - np.where(known, highest, 0.0)[:, None])
        return weight / np.where(known, weight.sum(axis=1), 1.0)[:, None], known


def estimate(sample: Sample) -> Estimate:
    """S_1 of the smoothed fit; ``parameters`` have its log-likelihood, by how much the maximum's is larger, and its S_1.

    None without repeats: then each record's class could have that one person in the population, or any number. There is
    no ``expected``: a fit without a form is no match for models with two parameters.
    """
    if sample.is_census:
        return census(sample)
    if sample.uniques == sample.n:
        return Estimate.none(NO_REPEATS)
    mixture = Mixture.of(sample)
    smooth = mixture.smoothed()
    best, unsure = mixture.maximum(smooth)
    weights = mixture.towards(smooth, best)
    classes = mixture.classes(weights)
    people, at_maximum = (sample.bounded(S[0]) for S in (classes, mixture.classes(best)))
    value = mixture.log_likelihood(weights)
    short = max(mixture.log_likelihood(best) - value, 0.0)
    return Estimate(
        people,
        {"log_likelihood": value, "short_of_maximum": short, "people_at_maximum": at_maximum},
        converged=unsure < _SURE,
        reason=_doubt(people, at_maximum),
        law=GridLaw(mixture.sizes, classes, sample.fraction),
    )


def _doubt(people: float, at_maximum: float) -> str | None:
    if max(people, 1.0) <= 2 * max(at_maximum, 1.0) and max(at_maximum, 1.0) <= 2 * max(people, 1.0):
        return None
    return (
        "the likelihood is nearly flat: this is a smooth fit, and the likeliest of all fits has "
        f"{at_maximum:,.0f} population uniques"
    )
