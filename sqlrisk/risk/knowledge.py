"""What the attacker knows: every subset of the quasi-identifiers, how subsets are summed up, and what each column adds.

A subset stands for an attacker who knows its columns and no others. Quasi-identifiers are numbered from 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Numbers = tuple[int, ...]
MEASURES = ("uniqueness", "average_risk", "share_at_risk")


@dataclass(frozen=True)
class SubsetRisk:
    """What the classes of one subset give: ``squares`` is the sum of their squared sizes."""

    records: int
    classes: int
    sample_uniques: int
    squares: int
    smallest: int
    largest: int
    records_at_risk: int

    @property
    def uniqueness(self) -> float:
        """Share of the records that are alone with their values."""
        return self.sample_uniques / self.records

    @property
    def average_risk(self) -> float:
        """Mean record risk, u/n; also the distinction of the subset."""
        return self.classes / self.records

    @property
    def separation(self) -> float | None:
        """Share of the pairs of records that differ in the subset; None for a single record."""
        pairs = self.records * (self.records - 1)
        return (self.records**2 - self.squares) / pairs if pairs else None

    @property
    def share_at_risk(self) -> float:
        """Share of the records in classes that the threshold does not allow."""
        return self.records_at_risk / self.records


def nothing_known(records: int, smaller_than: int) -> SubsetRisk:
    """The empty subset: everybody is alike."""
    return SubsetRisk(
        records, 1, int(records == 1), records**2, records, records, records if records < smaller_than else 0
    )


def count_of_subsets(columns: int, most: int) -> int:
    """How many subsets of 1 to ``most`` of ``columns`` quasi-identifiers there are."""
    return sum(math.comb(columns, size) for size in range(1, most + 1))


def subsets(columns: int, most: int) -> Iterator[Numbers]:
    """The subsets of 1 to ``most`` quasi-identifiers, small ones first, each ascending."""
    for size in range(1, most + 1):
        yield from combinations(range(1, columns + 1), size)


@dataclass(frozen=True)
class Batch:
    """Subsets that are counted in one statement: (parent, its subsets), parents from the largest to the smallest, each
    holding the next."""

    roll_ups: tuple[tuple[Numbers, tuple[Numbers, ...]], ...]


def batches(wanted: Sequence[Numbers], distinct: Mapping[int, int], classes: int, most_rows: int) -> list[Batch]:
    """``wanted`` in batches whose classes are together at most about ``most_rows``, each subset under its smallest parent.

    ``distinct`` are the values of each quasi-identifier, ``classes`` those of all of them together. Parents are made by
    leaving out one column after another, the one with the most values first, so that half of all subsets are rolled up
    from classes without that column, a quarter from those without the first two, and so on.
    """
    order = sorted(distinct, key=lambda number: (-distinct[number], number))
    place = {number: at for at, number in enumerate(order)}
    by_parent: dict[int, list[Numbers]] = {}
    for subset in wanted:
        by_parent.setdefault(min(place[number] for number in subset), []).append(subset)
    made: list[dict[int, list[Numbers]]] = [{}]
    rows = 0
    for dropped in sorted(by_parent):
        for subset in by_parent[dropped]:
            expected = min(classes, math.prod(distinct[number] for number in subset))
            if rows and rows + expected > most_rows:
                made.append({})
                rows = 0
            made[-1].setdefault(dropped, []).append(subset)
            rows += expected
    return [
        Batch(tuple((tuple(sorted(order[dropped:])), tuple(own)) for dropped, own in sorted(batch.items())))
        for batch in made
        if batch
    ]


@dataclass(frozen=True)
class OfSize:
    """A measure over the subsets of one size: its mean, its worst value, and the first subset that has it."""

    mean: float
    worst: float
    worst_subset: Numbers


def by_size(risks: Mapping[Numbers, SubsetRisk]) -> dict[int, dict[str, OfSize]]:
    """Each of :data:`MEASURES` over the subsets of each size."""
    sizes: dict[int, list[Numbers]] = {}
    for subset in risks:
        sizes.setdefault(len(subset), []).append(subset)
    return {
        size: {measure: _of_size(measure, own, risks) for measure in MEASURES} for size, own in sorted(sizes.items())
    }


def _of_size(measure: str, own: Sequence[Numbers], risks: Mapping[Numbers, SubsetRisk]) -> OfSize:
    values = {subset: getattr(risks[subset], measure) for subset in own}
    worst = max(own, key=lambda subset: values[subset])  # the first of them
    return OfSize(math.fsum(values.values()) / len(own), values[worst], worst)


def contributions(risks: Mapping[Numbers, SubsetRisk], columns: int, empty: SubsetRisk) -> dict[int, dict[str, float]]:
    """How much each quasi-identifier adds to each of :data:`MEASURES`: its Shapley value (Shapley 1953), with the attacker's
    knowledge as the coalition.

    The rise when the column is added to a subset without it, averaged over the subsets of a size, then over the sizes. Over
    all columns the values sum to the measure of all of them less that of knowing nothing; where only subsets up to a size
    were measured, to its mean over the subsets of that size less that of knowing nothing.
    """
    known: dict[Numbers, SubsetRisk] = {(): empty, **risks}
    rises: dict[tuple[int, int, str], list[float]] = {}
    for subset, risk in risks.items():
        for number in subset:
            before = known[tuple(other for other in subset if other != number)]
            for measure in MEASURES:
                rises.setdefault((number, len(subset), measure), []).append(
                    getattr(risk, measure) - getattr(before, measure)
                )
    sizes = sorted({len(subset) for subset in risks})
    return {
        number: {
            measure: math.fsum(
                math.fsum(rises[number, size, measure]) / len(rises[number, size, measure]) for size in sizes
            )
            / columns
            for measure in MEASURES
        }
        for number in range(1, columns + 1)
    }
