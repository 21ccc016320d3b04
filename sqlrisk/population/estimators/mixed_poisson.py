"""Classes with Poisson sizes of unequal means: what the models that differ only in the law of the means have in common.

A class has λ expected records in the release and tλ in the population (t = N/n), and λ varies over the classes by a mixing
law. A fit looks at the classes of 1 to WINDOW records only and is conditional on that window: neither the number of classes
nor the mass of the mixing law where it cannot be seen enters, so the density is needed up to a constant only, and the
limits in which it cannot be normalised (a power law, infinitely many classes) are ordinary points. Given s and λ, F - s is
Poisson with mean (t - 1)λ, since a thinned Poisson count and its remainder are independent.

Sources: Sichel (1975), JASA 70, and Carlson (2002), "Assessing microdata disclosure risk using the Poisson-inverse Gaussian
distribution", for the inverse Gaussian; Bulmer (1974), Biometrics 30, for the lognormal; Skinner & Shlomo (2008), JASA 103,
for the risk given the class size.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import expit, gammaln, lambertw, log_expit, logsumexp, pdtr

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import refusal
from sqlrisk.population.sample import WINDOW, Sample

EXACT_TO = 200
"""Class sizes up to this one share a grid of λ; given a larger size, λ is known so well that it gets nodes of its own."""
NARROWEST = 0.05
"""The least standard deviation of ln λ in a fit: all but one Poisson law, and what the grid resolves."""
NOT_SETTLED = "the search for the maximum of the likelihood did not settle"

_STEP = 0.05  # of the grid; the trapezoid rule's relative error for a normal law of this width is 2 exp(-2π²) = 5e-9
_EDGE = 1e-7  # relative distance from a bound at which a fit lies on it
_HERMITE, _HERMITE_WEIGHT = np.polynomial.hermite_e.hermegauss(13)
# Nodes for integrals over (0, ∞) of what falls like exp(-v): the double exponential rule
_TAU = np.arange(-3.6, 4.0, 0.1)
_TAIL = np.exp(_TAU - np.exp(-_TAU))
_TAIL_WEIGHT = 0.1 * _TAIL * (1 + np.exp(-_TAU))
_WINDOW_SIZES = np.arange(1.0, WINDOW + 1)


def boundary(what: str) -> str:
    """The doubt about a fit at the boundary of its family."""
    return f"the fit is at its boundary ({what})"


ONE_POISSON = boundary("variance 0") + ": the classes differ by no more than Poisson chance, which real data seldom do"
"""The doubt about a fit in which all classes have the same mean."""


class Mixing(Protocol):
    """A family of mixing laws of y = ln λ - anchor with two coordinates p, log-concave, density known up to a constant.

    ``y`` may have any shape. ``first`` and ``second`` are the derivatives of the log density by p_1 and p_2 (the mixed
    one must be 0), stacked in front; ``slope`` and ``curvature`` those by y. ``lower``, ``upper`` bound p.
    """

    lower: tuple[float, float]
    upper: tuple[float, float]
    starts: tuple[tuple[float, float], ...]

    def log_density(self, y: np.ndarray, p: np.ndarray) -> np.ndarray: ...

    def slope(self, y: np.ndarray, p: np.ndarray) -> np.ndarray: ...

    def curvature(self, y: np.ndarray, p: np.ndarray) -> np.ndarray: ...

    def first(self, y: np.ndarray, p: np.ndarray) -> np.ndarray: ...

    def second(self, y: np.ndarray, p: np.ndarray) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes x = ln λ and the logarithms of their weights, for integrals over all of ln λ by the trapezoid rule."""

    x: np.ndarray
    log_weight: np.ndarray

    @classmethod
    def reaching(cls, lowest: float) -> Grid:
        """Even steps from 25 below ``lowest`` to λ = 1000, far above what the sizes up to EXACT_TO can come from.

        Below, steps that grow as sinh: there every integrand is a power of λ times a slowly varying density, and a power
        near 0 needs nodes at λ = exp(-1000).
        """
        bottom, bend, turns = lowest - 25, 8.0, np.arange(90, 0, -1)
        even = np.arange(bottom, math.log(1000), _STEP)
        x = np.concatenate([bottom - _STEP * bend * np.sinh(turns / bend), even])
        weight = np.concatenate([_STEP * np.cosh(turns / bend), np.full(even.size, _STEP)])
        return cls(x, np.log(weight))


class Window:
    """The likelihood of f_1, ..., f_WINDOW, given that a class is in the window, under one family of mixing laws."""

    def __init__(self, sample: Sample, mixing: Mixing) -> None:
        self.sample, self.mixing = sample, mixing
        ratio = sample.population / sample.n
        self.count = sample.small
        self.anchor = math.log(_common_mean(self.count))
        self.grid = Grid.reaching(min(-math.log(ratio), self.anchor))
        self.y = self.grid.x - self.anchor
        # All by logarithms, and one λ goes with the density, so that nothing is lost where λ itself underflows.
        mean, sizes = np.exp(self.grid.x), _WINDOW_SIZES[:, None]
        log_kernel = (sizes - 1) * self.grid.x - mean - gammaln(sizes + 1)
        log_inside = logsumexp(log_kernel, axis=0)
        self._log_weight = self.grid.x + self.grid.log_weight + log_inside
        # P(size = j | λ, in the window): (WINDOW, nodes); and λt exp(-λt) over the chance to be in the window: (nodes,)
        self._kernel = _flushed(np.exp(log_kernel - log_inside), 1e-250)
        self._unique_in_population = ratio * np.exp(-ratio * mean - log_inside)

    def weights(self, p: np.ndarray) -> np.ndarray:
        """The law of λ for classes in the window: weights of the nodes that sum to 1."""
        log_weight = self.mixing.log_density(self.y, p) + self._log_weight
        weight = _flushed(np.exp(log_weight - log_weight.max()), 1e-250)
        return weight / weight.sum()

    def expected(self, p: np.ndarray) -> np.ndarray:
        """P(size = j | 1 <= size <= WINDOW), for j = 1..WINDOW."""
        return self._kernel @ self.weights(p)

    def people(self, p: np.ndarray) -> float:
        """S_1 = C E[λt exp(-λt)], with C such that as many classes are expected in the window as it has."""
        return float(self.count.sum() * (self._unique_in_population * self.weights(p)).sum())

    def derivatives(self, p: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """The log-likelihood, its gradient (2) and its Hessian (2, 2), by moments of the density's own derivatives."""
        weight, occurs = self.weights(p), self.count > 0
        (a, b), (aa, bb) = self.mixing.first(self.y, p), self.mixing.second(self.y, p)
        terms = weight * np.array([np.ones_like(a), a, b, a * a + aa, a * b, b * b + bb])
        rows = self._kernel[occurs] @ terms.T
        if not rows[:, 0].min() > 0:
            return -math.inf, np.zeros(2), np.zeros((2, 2))
        # Moments given each size that occurs, less those of all classes in the window.
        means = np.vstack([rows / rows[:, :1], terms.sum(axis=1)])[:, 1:]
        times = np.append(self.count[occurs], -self.count.sum())
        slope = means[:, :2]
        bend = means[:, [2, 3, 3, 4]].reshape(-1, 2, 2) - slope[:, :, None] * slope[:, None, :]
        return float(self.count[occurs] @ np.log(rows[:, 0])), times @ slope, np.tensordot(times, bend, 1)

    def fit(self) -> np.ndarray | None:
        """p at the maximum: the better of the climbs from the two likeliest starts; None where the climb does not settle."""
        lower, upper = np.array(self.mixing.lower), np.array(self.mixing.upper)
        starts = [np.array(start) for start in self.mixing.starts]
        starts.sort(key=lambda start: self.derivatives(start)[0], reverse=True)
        climbs = [_climb(self.derivatives, start, lower, upper) for start in starts[:2]]
        best, p, settled = max(climbs, key=lambda climb: climb[0])
        return p if settled and math.isfinite(best) else None

    def estimate(self, p: np.ndarray, parameters: dict[str, float], doubt: str | None) -> Estimate:
        """What the model with the coordinates ``p`` says."""
        return Estimate(
            people=self.sample.bounded(self.people(p)),
            parameters=parameters,
            reason=doubt,
            law=MixedPoissonLaw(self.mixing, p, self.anchor, unseen_ratio(self.sample), self.grid),
            expected=self.expected(p),
        )


def refusal_in_window(sample: Sample) -> Estimate | None:
    """Why a model cannot be fitted to the window of this sample; None where it can."""
    if refused := refusal(sample):
        return refused
    if not sample.small.any():
        return Estimate.none(f"no class has {WINDOW} records or fewer: the model is fitted on these alone")
    if not sample.small[1:].any():
        return Estimate.none(
            f"no class has 2 to {WINDOW} records: the sizes on which the model is fitted do not repeat"
        )
    return None


def unseen_ratio(sample: Sample) -> float:
    """t - 1 = (N - n)/n, to its last digit: what a class has outside the release, over what it has in it."""
    return (sample.population - sample.n) / sample.n


def near(value: float, bound: float, scale: float = 1.0) -> bool:
    """Whether a coordinate lies on its bound for all purposes."""
    return abs(value - bound) <= _EDGE * max(abs(bound), scale)


def _common_mean(count: np.ndarray) -> float:
    """The mean of the zero-truncated Poisson law that fits the window: λ with λ/(1 - exp(-λ)) the mean size.

    It only places the coordinates, so it is kept off the ends and need not be exact.
    """
    mean = float(_WINDOW_SIZES @ count / count.sum())
    solution = mean + lambertw(-mean * math.exp(-mean)).real if mean > 1.001 else 2 * (mean - 1)
    return min(max(float(solution), 1e-12), 120.0)


def _climb(
    function: Callable[[np.ndarray], tuple[float, np.ndarray, np.ndarray]],
    start: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
) -> tuple[float, np.ndarray, bool]:
    """Newton's method uphill within bounds: the value, the point, and whether the climb ended at a maximum.

    Where the surface is not concave the Hessian's eigenvalues are taken by their size, so that every step leads up.
    """
    p = start
    value, gradient, hessian = function(p)
    for _ in range(100):
        held = ((p <= lower) & (gradient <= 0)) | ((p >= upper) & (gradient >= 0))
        step = _newton_step(np.where(held, 0.0, gradient), hessian, held)
        promised = 0.5 * float(gradient @ step)  # half a squared distance in standard errors
        if promised < 1e-15:
            return value, p, True
        improved = False
        for halving in range(40):
            trial = np.clip(p + step * 0.5**halving, lower, upper)
            trial_value, trial_gradient, trial_hessian = function(trial)
            if trial_value > value:
                improved = True
                break
        if not improved:
            # Nothing better is left but rounding, if what was promised is less than that.
            return value, p, promised < 1e-6 + 1e-12 * abs(value)
        p, value, gradient, hessian = trial, trial_value, trial_gradient, trial_hessian
    return value, p, promised < 1e-6


def _newton_step(gradient: np.ndarray, hessian: np.ndarray, held: np.ndarray) -> np.ndarray:
    free = np.where(held, 0.0, 1.0)
    size, axes = np.linalg.eigh(hessian * free[:, None] * free)
    along = axes.T @ gradient
    size = np.abs(size)
    # An axis without curvature (a held one among them) gets the step of its gradient, of at most 1.
    flat = size <= 1e-14 * size.max() + 1e-300
    scaled = np.where(flat, np.clip(along, -1, 1), along / np.where(flat, 1.0, size))
    return (axes @ scaled) * free


@dataclass(frozen=True, eq=False)
class MixedPoissonLaw:
    """The law of F given s: a mixture over the posterior of λ of s + Poisson((t - 1) λ); ``unseen`` is t - 1.

    That F can never exceed N - n + s is left out: it matters only where one class holds most of the population.
    """

    mixing: Mixing
    p: np.ndarray
    anchor: float
    unseen: float
    grid: Grid

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        """E[1/F | s]; shape of ``sizes``."""
        return smooth_inverse(self._inverse_small, self._inverse_large, sizes)

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        """P(F <= k | s); shape of ``sizes``."""
        return at_most_where_possible(self._at_most, sizes, k)

    def _inverse_small(self, sizes: np.ndarray) -> np.ndarray:
        # 1/F is the integral of z^(F-1) over (0, 1), and F = s + Poisson((t - 1)λ).
        weight = Posterior.given(self, sizes).weight
        possible = weight.any(axis=0)
        rest = self.unseen * np.exp(self.grid.x[possible])
        unit = UnitInterval.reaching(sizes.max() + rest.max())
        generating = weight[:, possible] @ _flushed(np.exp(-rest[:, None] * unit.below_one), 1e-200)
        return unit.integral(sizes, generating)

    def _inverse_large(self, sizes: np.ndarray) -> np.ndarray:
        posterior = Posterior.given(self, sizes)
        return (posterior.weight * _inverse_moment(posterior.size, self.unseen * posterior.mean)).sum(axis=1)

    def _at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        distinct, back = np.unique(sizes, return_inverse=True)
        # F grows with s in distribution, so P(F <= k | s) falls from 1 to 0: probes tell where it is neither.
        probes = np.unique(np.linspace(0, distinct.size - 1, 64).astype(int))
        probed = self._at_most_each(distinct[probes], k)
        start = probes[probed >= 1 - 1e-15].max(initial=0)
        end = probes[probed <= 1e-18].min(initial=distinct.size)
        result = np.where(np.arange(distinct.size) < start, 1.0, 0.0)
        result[probes] = probed
        if probes.size < distinct.size:
            result[start:end] = self._at_most_each(distinct[start:end], k)
        return result[back]

    def _at_most_each(self, sizes: np.ndarray, k: float) -> np.ndarray:
        parts = [part for part in (sizes[sizes <= EXACT_TO], sizes[sizes > EXACT_TO]) if part.size]
        return np.concatenate([self._at_most_alike(part, k) for part in parts] or [np.empty(0)])

    def _at_most_alike(self, sizes: np.ndarray, k: float) -> np.ndarray:
        """For sizes that are all up to EXACT_TO, or all above it."""
        posterior = Posterior.given(self, sizes)
        more = k - posterior.size
        # P(Poisson((t - 1)λ) <= more) falls over a range of ln λ of about this width.
        width = 1 / np.sqrt(more + 1)
        result = np.empty(sizes.size)
        sharp = (width < posterior.step)[:, 0]
        if not sharp.all():
            result[~sharp] = self._over_means(posterior.of(~sharp), more[~sharp])
        if sharp.any():
            result[sharp] = self._over_thresholds(posterior.of(sharp), more[sharp], width[sharp])
        return result

    def _over_means(self, posterior: Posterior, more: np.ndarray) -> np.ndarray:
        row, node = np.nonzero(posterior.weight > 1e-18)
        below = pdtr(more[row, 0], self.unseen * posterior.mean[row, node])
        return np.bincount(row, posterior.weight[row, node] * below, len(more))

    def _over_thresholds(self, posterior: Posterior, more: np.ndarray, width: np.ndarray) -> np.ndarray:
        # Poisson(v) <= y where arrival y + 1 of a Poisson process, a gamma variable, is later than v. Where that arrival
        # varies less than λ, it is what is integrated over, and λ enters by its distribution function.
        z = width * _HERMITE
        weight = _HERMITE_WEIGHT * np.exp((more + 1) * (z - np.expm1(z) + z * z / 2))
        below = posterior.below(z + np.log((more + 1) / self.unseen))
        return (weight * below).sum(axis=1) / weight.sum(axis=1)


@dataclass(frozen=True, eq=False)
class Posterior:
    """ln λ given each of some sizes: its density is the mixing density times λ^s exp(-λ), and log-concave.

    ``nodes`` are of ln λ less the ``mode``, ``step`` apart where they are closest. The ``weight`` of each size sums to 1,
    after division by ``total``. Nodes and weights have shape (sizes, nodes), all else (sizes, 1).
    """

    law: MixedPoissonLaw
    size: np.ndarray
    mode: np.ndarray
    nodes: np.ndarray
    weight: np.ndarray
    step: np.ndarray
    total: np.ndarray

    @classmethod
    def given(cls, law: MixedPoissonLaw, sizes: np.ndarray) -> Posterior:
        """For sizes all up to EXACT_TO, at the nodes of the law's grid; or all above, nine spreads around the mode."""
        size = sizes[:, None]
        mode = _mode(law, size)
        if sizes[0] <= EXACT_TO:
            nodes, step, node_weight = law.grid.x - mode, np.full(mode.shape, _STEP), np.exp(law.grid.log_weight)
        else:
            step = 0.5 / np.sqrt(np.exp(mode) - law.mixing.curvature(mode - law.anchor, law.p))
            nodes, node_weight = step * np.arange(-18, 19), step
        weight = _flushed(np.exp(_log_density(law, size, mode, nodes)) * node_weight, 1e-30)
        total = weight.sum(axis=1, keepdims=True)
        return cls(law, size, mode, nodes, weight / total, step, total)

    @property
    def mean(self) -> np.ndarray:
        """λ at the nodes."""
        return np.exp(self.mode + self.nodes)

    def of(self, chosen: np.ndarray) -> Posterior:
        """The posterior for some of the sizes."""
        names = ("size", "mode", "nodes", "weight", "step", "total")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    def below(self, x: np.ndarray) -> np.ndarray:
        """P(ln λ <= x | s) for x of shape (sizes, points): the tail that does not hold the mode, or 1 less it."""
        law, size, mode = self.law, self.size[..., None], self.mode[..., None]
        d = (x - self.mode)[..., None]
        y = mode + d - law.anchor
        outward = np.where(d > 0, 1.0, -1.0)
        # The distance over which the density falls by about a factor of e, from its first two derivatives
        fall = -outward * (size + law.mixing.slope(y, law.p) - np.exp(mode + d))
        bend = np.exp(mode + d) - law.mixing.curvature(y, law.p)
        length = 2 / np.maximum(fall + np.sqrt(fall * fall + 2 * bend), 1e-9)
        density = np.exp(_log_density(law, size, mode, d + outward * length * _TAIL))
        tail = (length * _TAIL_WEIGHT * density).sum(axis=-1) / self.total
        return np.where(x > self.mode, 1 - tail, tail)


def _log_density(law: MixedPoissonLaw, size: np.ndarray, mode: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The posterior's at ``d`` from its mode, less that at the mode: where both are near, two large terms cancel."""
    more_mean = np.where(
        d < 1, np.exp(mode) * np.expm1(np.minimum(d, 1.0)), np.exp(np.minimum(mode + d, 700.0)) - np.exp(mode)
    )
    prior = law.mixing.log_density(mode + d - law.anchor, law.p) - law.mixing.log_density(mode - law.anchor, law.p)
    return prior + size * d - more_mean


def _mode(law: MixedPoissonLaw, size: np.ndarray) -> np.ndarray:
    """ln λ where the posterior is highest, by bisection: its log density is concave."""
    low, high = np.full(size.shape, law.grid.x[0]), np.full(size.shape, 60.0)
    for _ in range(70):
        middle = (low + high) / 2
        rising = size + law.mixing.slope(middle - law.anchor, law.p) > np.exp(middle)
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return (low + high) / 2


def _flushed(values: np.ndarray, least: float) -> np.ndarray:
    """``values`` with 0 for what is below ``least``: processors multiply denormal numbers a hundred times slower."""
    return np.where(values < least, 0.0, values)


def _inverse_moment(size: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """E[1/(s + Poisson(mean))] for s > EXACT_TO, by its central moments up to the sixth; relative error below 1e-9."""
    e = 1 / (size + mean)
    q = mean * e
    return e * (1 + q * e * (1 - e * (1 - e)) + q * q * e * e * (3 - e * (10 - 25 * e)) + 15 * (q * e) ** 3)


@dataclass(frozen=True, eq=False)
class UnitInterval:
    """Nodes for integrals over (0, 1) of z^(s-1) times a generating function that may change steeply next to 1.

    z = 1/(1 + exp(-ξ)) with even steps in ξ: the trapezoid rule then sees both ends at their own scale. ``below_one`` is
    1 - z, to its last digit.
    """

    log_z: np.ndarray
    below_one: np.ndarray
    step: float

    @classmethod
    def reaching(cls, steepness: float) -> UnitInterval:
        """For functions that change over 1/``steepness`` next to 1."""
        step = 0.3
        xi = np.arange(-36.0, 37.0 + math.log1p(steepness), step)
        return cls(log_expit(xi), expit(-xi), step)

    def integral(self, sizes: np.ndarray, function: np.ndarray) -> np.ndarray:
        """The integral of z^(s-1) f(z), for f at the nodes: shape (nodes,), or (sizes, nodes) where it depends on s."""
        return self.step * (np.exp(sizes[:, None] * self.log_z) * function * self.below_one).sum(axis=1)


def smooth_inverse(
    small: Callable[[np.ndarray], np.ndarray], large: Callable[[np.ndarray], np.ndarray], sizes: np.ndarray
) -> np.ndarray:
    """E[1/F | s] from a function for the distinct sizes up to EXACT_TO, and one for those above; shape of ``sizes``.

    Where there are many sizes above, s E[1/F | s] is interpolated in ln s between geometric nodes: it is nearly constant.
    """
    sizes = np.asarray(sizes, float)
    distinct, back = np.unique(sizes, return_inverse=True)
    low, high = distinct[distinct <= EXACT_TO], distinct[distinct > EXACT_TO]
    parts = []
    if low.size:
        parts.append(small(low))
    if high.size:
        nodes = np.exp(np.linspace(math.log(high[0]), math.log(high[-1]), 256))
        if high.size <= nodes.size:
            parts.append(large(high))
        else:
            parts.append(np.exp(CubicSpline(np.log(nodes), np.log(nodes * large(nodes)))(np.log(high))) / high)
    values = np.concatenate(parts) if parts else np.empty(0)
    return np.minimum(values, 1 / distinct)[back].reshape(sizes.shape)


def at_most_where_possible(law: Callable[[np.ndarray, float], np.ndarray], sizes: np.ndarray, k: float) -> np.ndarray:
    """P(F <= k | s) from a function that holds for whole k >= s, given as flat arrays; 0 where s > k."""
    sizes = np.asarray(sizes, float)
    if k > 1e17:  # more than any population, and too many for k - s to be exact
        return np.ones(sizes.shape)
    whole = float(math.floor(k))
    result = np.zeros(sizes.shape)
    possible = sizes <= whole
    if possible.any():
        result[possible] = np.clip(law(sizes[possible], whole), 0.0, 1.0)
    return result
