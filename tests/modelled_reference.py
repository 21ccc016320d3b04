"""Risks by a population model, slowly and by their definitions: each record by itself, sums over the Poisson law."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import poisson

from tests.sensitive_reference import match

Row = Mapping[str, object]


@dataclass(frozen=True)
class Frequency:
    """One table: its columns, and a frequency for each combination of values."""

    columns: tuple[str, ...]
    rows: tuple[tuple[tuple, float], ...]


@dataclass(frozen=True)
class Record:
    """s of a record of the release, and its frequency in the population."""

    size: int
    frequency: float
    key: tuple


def records(
    rows: Sequence[Row],
    quasi_identifiers: Sequence[str],
    model: Sequence[Frequency],
    nulls: str = "value",
    general: Mapping[str, Callable] | None = None,
) -> list[Record]:
    """The measured records; ``general`` generalises a column's values, in release and model alike."""
    general = general or {}

    def value(column: str, raw: object) -> object:
        return raw if raw is None or column not in general else general[column](raw)

    keys = [tuple(value(name, row[name]) for name in quasi_identifiers) for row in rows]
    if nulls == "exclude":
        keys = [key for key in keys if None not in key]
    meets = match if nulls == "wildcard" else (lambda one, other: one == other)
    found = []
    for key in keys:
        own = dict(zip(quasi_identifiers, key, strict=True))
        frequency = 1.0
        for table in model:
            chosen = [at for at, name in enumerate(table.columns) if name in own]
            mine = tuple(own[table.columns[at]] for at in chosen)
            frequency *= math.fsum(
                share
                for values, share in table.rows
                if meets(mine, tuple(value(table.columns[at], values[at]) for at in chosen))
            )
        found.append(Record(sum(meets(key, other) for other in keys), frequency, key))
    return found


def law(record: Record, n: int, population: int) -> tuple[np.ndarray, np.ndarray]:
    """F and its probabilities: the s of the release, and a Poisson number of the N - n others."""
    mean = (1 - n / population) * population * record.frequency
    beside = np.arange(int(mean + 40 * math.sqrt(mean + 1)) + 60)
    return record.size + beside, poisson.pmf(beside, mean)


@dataclass(frozen=True)
class Expected:
    """The figures over all records."""

    average_risk: float
    share_at_risk: float
    smallest: int
    smallest_expected: float
    highest_delta: float
    highest_delta_expected: float
    k_map: dict[int, float]
    delta: list[float]
    uniques: float
    absent: int


def measure(found: Sequence[Record], population: int, k: int = 5) -> Expected:
    """``k``: records in population classes smaller than that are at risk."""
    n = len(found)
    k_map: Counter[int] = Counter()
    delta = [0.0] * 11
    inverse, small = [], []
    at_most: Counter[int] = Counter()
    for record in found:
        people, chance = law(record, n, population)
        inverse.append(float(chance @ (1 / people)))
        small.append(float(chance[people < k].sum()))
        for f, p in zip(people.tolist(), chance.tolist(), strict=True):
            k_map[f.bit_length()] += p
            delta[10 * record.size // f] += p
            at_most[f] += p
    total, smallest = 0.0, 0
    for f in sorted(at_most):
        total += at_most[f]
        if total >= 0.05:
            smallest = f
            break
    expected = [max(record.size, population * record.frequency) for record in found]
    return Expected(
        average_risk=math.fsum(inverse) / n,
        share_at_risk=math.fsum(small) / n,
        smallest=smallest,
        smallest_expected=min(expected),
        highest_delta=max(record.size * value for record, value in zip(found, inverse, strict=True)),
        highest_delta_expected=max(record.size / people for record, people in zip(found, expected, strict=True)),
        k_map={2 ** (bits - 1): records for bits, records in k_map.items()},
        delta=delta,
        uniques=at_most[1],
        absent=sum(record.frequency == 0 for record in found),
    )
