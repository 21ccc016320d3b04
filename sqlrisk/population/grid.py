"""The grid on which the sizes of population classes are laid, and how a class of each size shows up in the release.

F is the size of a class in the population, j in the release, π the sampling fraction. The sample is taken as binomial:
a class of F is seen with j records with probability ``Bin(j; F, π)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaincc, xlog1py

from sqlrisk.population.sample import WINDOW, Sample
from sqlrisk.population.series import log_choose

_EVERY_SIZE_UPTO = 12
_PER_LOG_UNIT = 10
_NEGLIGIBLE = 9.0
"""Standard deviations beyond which a binomial tail is taken as 0 (it is below 1e-18)."""


def spread_to(top: int) -> np.ndarray:
    """Whole sizes F from 1 to ``top``, ascending: each up to 12, then at least ten a log unit, equally spaced."""
    every = np.arange(1.0, min(_EVERY_SIZE_UPTO, top) + 1)
    if top <= _EVERY_SIZE_UPTO:
        return every
    points = int(_PER_LOG_UNIT * np.log(top / _EVERY_SIZE_UPTO)) + 2
    return np.union1d(every, np.round(np.geomspace(_EVERY_SIZE_UPTO, top, points)))


def resolved(top: float, fraction: float, deviations: float) -> np.ndarray:
    """Whole sizes F up to about ``top`` in steps of that many √(F(1 - π)/π), the standard deviation with which j tells F.

    They begin where ten points a log unit are coarser than that; there are none if that is above ``top``.
    """
    unit = deviations * np.sqrt((1 - fraction) / fraction)
    start = max(1.0, _PER_LOG_UNIT * unit)
    # Steps of unit √F in F are steps of unit/2 in √F; below half a record they only repeat sizes.
    root = np.arange(start, np.sqrt(top), max(unit, 0.5 / np.sqrt(top)) / 2)
    return np.unique(np.round(root**2))


def reach(size: float, sample: Sample, deviations: float = 6.0) -> int:
    """The largest F that need be thought of behind ``size`` records, at most N: πF is ``deviations`` √size above them."""
    wanted = (size + deviations * np.sqrt(size)) / sample.fraction
    return int(min(np.round(wanted), sample.population))


@dataclass(frozen=True)
class SizeBins:
    """Ranges of sizes in the release: from ``first`` to ``last``, both included; float arrays."""

    first: np.ndarray
    last: np.ndarray

    @classmethod
    def between(cls, edges: np.ndarray) -> SizeBins:
        """The ranges that end at each edge but the first: ``edges[i] + 1`` to ``edges[i + 1]``."""
        edges = np.asarray(edges, float)
        return cls(edges[:-1] + 1, edges[1:])

    @classmethod
    def of_grid(cls, sizes: np.ndarray, fraction: float) -> SizeBins:
        """Single sizes up to WINDOW, then ranges that part the expected sizes πF of the grid at their geometric means.

        So each F of the grid has a range in which it is likely seen, however large it is. The last range has no end.
        """
        parted = np.floor(fraction * np.sqrt(sizes[:-1] * sizes[1:]))
        return cls.between(np.union1d(np.arange(WINDOW + 1.0), np.append(parted[parted > WINDOW], np.inf)))

    def count(self, sample: Sample) -> np.ndarray:
        """The release's classes in each range."""
        below = np.append(0, np.cumsum(sample.count))
        upto = np.searchsorted(sample.size, self.last, side="right")
        before = np.searchsorted(sample.size, self.first, side="left")
        return below[upto] - below[before]

    def __getitem__(self, chosen: np.ndarray) -> SizeBins:
        return SizeBins(self.first[chosen], self.last[chosen])


def seen(sizes: np.ndarray, fraction: float) -> np.ndarray:
    """P(j >= 1 | F): the chance that a class of each size is in the release at all."""
    return -np.expm1(xlog1py(sizes, -fraction))


def log_binomial(j: np.ndarray, sizes: np.ndarray, fraction: float) -> np.ndarray:
    """ln Bin(j; F, π), broadcast; -inf where j > F."""
    j, sizes = np.broadcast_arrays(np.asarray(j, float), np.asarray(sizes, float))
    possible = np.maximum(sizes, j)
    log_probability = log_choose(possible, j) + j * np.log(fraction) + xlog1py(possible - j, -fraction)
    return np.where(sizes >= j, log_probability, -np.inf)


def shown(bins: SizeBins, sizes: np.ndarray, fraction: float) -> np.ndarray:
    """P(first <= j <= last | F): a row a range, a column an F."""
    matrix = np.empty((len(bins.first), len(sizes)))
    single = bins.first == bins.last
    matrix[single] = np.exp(log_binomial(bins.first[single, None], sizes, fraction))
    matrix[~single] = _between(bins.first[~single, None] - 1, bins.last[~single, None], sizes[None, :], fraction)
    return matrix


def _between(below: np.ndarray, last: np.ndarray, sizes: np.ndarray, fraction: float) -> np.ndarray:
    """P(below < j <= last | F), as the difference of the tails on the side where they are small."""
    right = below >= fraction * sizes
    tails = [_tail(edge, sizes, fraction, right) for edge in (below, last)]
    return np.abs(tails[0] - tails[1])


def _tail(edge: np.ndarray, sizes: np.ndarray, fraction: float, right: np.ndarray) -> np.ndarray:
    """P(j > edge | F) where ``right``, else P(j <= edge | F).

    scipy's bdtr would be the natural function, but counts F with 32 bits; the incomplete beta function does not.
    """
    edge, sizes, right = np.broadcast_arrays(edge, sizes, right)
    mean = fraction * sizes
    deviation = np.sqrt(mean * (1 - fraction)) + 1
    above = edge < mean
    tail = np.where(above == right, 1.0, 0.0)
    near = (np.abs(edge - mean) < _NEGLIGIBLE * deviation + 10) & (edge < sizes)
    for side, function in ((True, betainc), (False, betaincc)):
        chosen = near & (right == side)
        tail[chosen] = function(edge[chosen] + 1, sizes[chosen] - edge[chosen], fraction)
    tail[edge >= sizes] = np.where(right, 0.0, 1.0)[edge >= sizes]
    return tail
