"""Journalist, marketer, k-map and delta-presence from the law of F given s of the fitted model.

Sources: El Emam & Dankar (2008), "Protecting privacy using k-anonymity", for the attackers and the k-map test; Nergiz,
Atzori & Clifton (2007) for delta-presence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import pdtrc

from sqlrisk.class_sizes import ClassSizes, RecordRisk
from sqlrisk.population.estimate import Law
from sqlrisk.population.laws import SMALL
from sqlrisk.population.sample import Sample
from sqlrisk.threshold import Threshold

EXPECTED_RECORDS = 0.05
"""A class is taken to be as small as k once this many records are expected in classes of at most k."""


@dataclass(frozen=True)
class KMapTest:
    """Classes smaller than ``sample_threshold`` in the release are taken to be smaller than ``k`` in the population."""

    k: int
    sample_threshold: int
    classes: int
    records: int


def journalist(sample: Sample, law: Law, threshold: Threshold, smallest: int | None = None) -> RecordRisk:
    """Expected risk: the share of records with 1/F above the threshold, the mean of E[1/F | s] over records, and as the
    highest 1/k, k the least with 0.05 records expected in classes of at most k. The lowest is known of a census alone.

    ``smallest`` is that k, where it is known already.
    """
    at_risk = law.at_most(sample.size, threshold.smaller_than - 1)
    records = float(sample.size * sample.count @ at_risk)
    return RecordRisk(
        threshold=threshold,
        highest_risk=1 / (smallest or smallest_class(sample, law)),
        lowest_risk=1 / sample.sizes.largest if sample.is_census else None,
        average_risk=average_risk(sample, law),
        records_at_risk=records,
        share_at_risk=min(records / sample.n, 1.0),
        classes_at_risk=float(sample.count @ at_risk),
    )


def average_risk(sample: Sample, law: Law) -> float:
    """The mean of E[1/F | s] over records: the journalist's average and the share that the marketer matches right.

    At least u/N, since the population has u classes or more, and at most u/n.
    """
    mean = float(sample.size * sample.count @ law.inverse(sample.size)) / sample.n
    return min(max(mean, sample.u / sample.population), sample.u / sample.n)


def highest_expected_risk(sample: Sample, law: Law) -> float:
    """The largest E[1/F | s]; no limit judges it."""
    return float(law.inverse(sample.size).max())


def smallest_class(sample: Sample, law: Law) -> int:
    """The least k with 0.05 records of the release expected in population classes of at most k: k-map, estimated."""

    def reached(k: int) -> bool:
        return float(sample.size * sample.count @ law.at_most(sample.size, k)) >= EXPECTED_RECORDS

    return least(reached, int(sample.size[0]), sample.population)


def least(reached: Callable[[int], bool], low: int, high: int) -> int:
    """The least whole number in [low, high] from which on ``reached`` holds; ``high`` where it never does."""
    step, beyond = 1, low
    while beyond < high and not reached(beyond):
        low, beyond, step = beyond + 1, min(beyond + step, high), step * 2
    while low < beyond:
        middle = (low + beyond) // 2
        low, beyond = (low, middle) if reached(middle) else (middle + 1, beyond)
    return beyond


def k_map_histogram(sample: Sample, law: Law) -> list[tuple[int, int, float]]:
    """(least, most, expected records) by F: 1, 2-3, 4-7, ...; bounds inclusive, empty ends left out."""
    records = sample.size * sample.count
    rows: list[tuple[int, int, float]] = []
    low, before = 1, 0.0
    while low <= sample.population and before < sample.n * (1 - 1e-12):
        high = min(2 * low - 1, sample.population)
        upto = sample.n if high == sample.population else float(records @ law.at_most(sample.size, high))
        if rows or upto > 1e-9:
            rows.append((low, high, max(upto - before, 0.0)))
        low, before = high + 1, max(upto, before)
    while len(rows) > 1 and rows[-1][2] < 1e-9:
        rows.pop()
    return rows


def delta_presence(sample: Sample, law: Law) -> float:
    """The highest s E[1/F | s]: how sure an attacker can be, on average, that somebody of a class is in the release.

    At least n/N, since it is an average over the population's classes of s/F, by their F.
    """
    return min(max(float((sample.size * law.inverse(sample.size)).max()), sample.n / sample.population), 1.0)


def delta_histogram(sample: Sample, law: Law) -> list[tuple[float, float, float]]:
    """(from, below, expected records) of s/F in tenths, and (1, 1, ...) for those of whom it is certain.

    Large classes stand whole at their expected s/F.
    """
    records = sample.size * sample.count
    expected, small = sample.size * law.inverse(sample.size), sample.size <= SMALL

    def reached(tenths: int) -> float:
        # P(s/F >= tenths/10) = P(F <= 10 s / tenths)
        chance = [float(law.at_most(np.array([size]), 10 * int(size) // tenths)[0]) for size in sample.size[small]]
        return float(records[small] @ np.array(chance)) + float(records[~small] @ (10 * expected[~small] >= tenths))

    return tenths_of(sample.n, [reached(tenths) for tenths in range(1, 11)])


def tenths_of(records: float, reached: Sequence[float]) -> list[tuple[float, float, float]]:
    """(from, below, records) in tenths, and (1, 1, records), for the records whose share is at least 1/10, ..., 10/10."""
    least = [*(tenth / 10 for tenth in range(10)), 1.0]
    numbers = [max(here - beyond, 0.0) for here, beyond in zip([records, *reached], [*reached, 0.0], strict=True)]
    return [(low, high, number) for low, high, number in zip(least, [*least[1:], 1.0], numbers, strict=True)]


def k_map_test(sizes: ClassSizes, k: int, fraction: float) -> KMapTest:
    """The test rule of El Emam & Dankar (2008), at 10 % for each class; not a probability."""
    threshold = sample_threshold(k, fraction)
    below: Sequence[tuple[int, int]] = [(size, classes) for size, classes in sizes.pairs if size < threshold]
    return KMapTest(k, threshold, sum(classes for _, classes in below), sum(size * classes for size, classes in below))


def sample_threshold(k: int, fraction: float) -> int:
    """k': the least x with P(X >= x | X >= 1) <= 0.1 for X Poisson(fraction (k - 1)), at most k."""
    mean = fraction * (k - 1)
    if mean <= 0 or fraction >= 1:
        return k if fraction >= 1 else 1

    def rare(x: int) -> bool:
        return pdtrc(x - 1, mean) <= 0.1 * -math.expm1(-mean)

    return least(rare, 1, k)
