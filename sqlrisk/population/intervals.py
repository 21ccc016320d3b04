"""How far the histogram determines an estimate: sampling, and identifiability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.population.sample import Sample
from sqlrisk.population.selection import Fits, answer

REPLICATES, FEWER = 60, 20
LONG = 2_000
"""Histograms of more sizes than this are drawn anew fewer times: each takes long, and there is little chance in them."""

_NORMAL = 1.959963984540054

SAMPLING = "sampling (bootstrap of the classes)"
IDENTIFIABILITY = "identifiability (every population within {:g} standard deviations of the histogram)"


@dataclass(frozen=True)
class Interval:
    """Both ends, for a nominal 95 %, and which of the two kinds is the wider."""

    low: float
    high: float
    kind: str


def sampling(fits: Fits, name: str, people: float, seed: int) -> tuple[float, float] | None:
    """The class-multinomial bootstrap: u classes drawn anew from f/u, N scaled with the records, the rule applied again.

    Log-normal with the spread of the replicates (their quantiles where some are 0); None where most have no answer.
    """
    sample = fits.sample
    generator = np.random.default_rng(seed)
    replicates = REPLICATES if len(sample.size) <= LONG else FEWER
    draws = generator.multinomial(sample.u, sample.count / sample.u, replicates)
    values = []
    for drawn in draws:
        left = drawn > 0
        sizes = ClassSizes(zip(sample.size[left].astype(int).tolist(), drawn[left].tolist(), strict=True))
        population = max(sizes.records, round(sizes.records / sample.fraction))
        again = answer(fits.like(Sample(sizes, population), name), name).people
        if again is not None:
            values.append(again * sample.population / population)
    if 2 * len(values) < replicates:
        return None
    if people > 0 and min(values) > 0:
        spread = math.exp(_NORMAL * float(np.std(np.log(values), ddof=1)))
        return people / spread, people * spread
    low, high = np.quantile(values, [0.025, 0.975])
    return min(float(low), people), max(float(high), people)


def wider(
    estimate: float, sampled: tuple[float, float] | None, identified: tuple[float, float], deviations: float
) -> Interval:
    """Both together, so that it holds the estimate and the wider of the two, which gives it its name. ``deviations`` are
    those within which the programme of the identifiability interval found a population at all."""
    pairs = [identified] if sampled is None else [sampled, identified]
    kind = (
        SAMPLING if sampled is not None and _width(sampled) > _width(identified) else IDENTIFIABILITY.format(deviations)
    )
    return Interval(min(estimate, *(low for low, _ in pairs)), max(estimate, *(high for _, high in pairs)), kind)


def _width(pair: tuple[float, float]) -> float:
    return pair[1] - pair[0]


def of_release(interval: tuple[float, float], sample: Sample, records: float) -> tuple[float, float]:
    """tau_1 from S_1: each population unique is in the release with the sampling fraction, and that is chance again."""
    fraction = sample.fraction
    noise = [_NORMAL * math.sqrt(fraction * (1 - fraction) * end) for end in interval]
    low, high = fraction * interval[0] - noise[0], fraction * interval[1] + noise[1]
    return max(0.0, min(low, records)), min(float(sample.uniques), max(high, records))
