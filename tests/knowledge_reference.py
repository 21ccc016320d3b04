"""Subsets and minimal sample uniques by their definitions, in a few lines, for tests to compare with."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations


def subset_figures(rows: Sequence[tuple], subset: Sequence[int], smaller_than: int) -> dict[str, float]:
    """What `subsets` of a result says of the columns ``subset`` (from 0) of ``rows``."""
    sizes = Counter(tuple(row[at] for at in subset) for row in rows).values()
    n = len(rows)
    return {
        "records": n,
        "classes": len(sizes),
        "sample_uniques": sum(size == 1 for size in sizes),
        "distinction": len(sizes) / n,
        "separation": 1 - sum(size * (size - 1) for size in sizes) / (n * (n - 1)) if n > 1 else None,
        "average_risk": len(sizes) / n,
        "share_at_risk": sum(size for size in sizes if size < smaller_than) / n,
    }


def minimal_uniques(rows: Sequence[tuple], most: int | None = None) -> list[list[tuple[int, ...]]]:
    """The minimal sample uniques of each row: subsets of columns (from 0) on which it is alone, and on no part of them."""
    columns = len(rows[0])
    alone: dict[tuple[int, ...], set[int]] = {}
    for size in range(1, (most or columns) + 1):
        for subset in combinations(range(columns), size):
            keys = [tuple(row[at] for at in subset) for row in rows]
            counts = Counter(keys)
            alone[subset] = {at for at, key in enumerate(keys) if counts[key] == 1}
    return [
        [
            subset
            for subset, records in alone.items()
            if at in records and not any(at in alone[part] for part in alone if set(part) < set(subset))
        ]
        for at in range(len(rows))
    ]


def suda_score(found: Sequence[tuple[int, ...]], columns: int) -> int:
    """The score of SUDA2."""
    return sum(math.factorial(columns - len(subset)) for subset in found)


def ihsn_score(found: Sequence[tuple[int, ...]], columns: int) -> float:
    """The score of the IHSN's guide."""
    return sum(
        (2 ** (columns - k) - 1) * math.factorial(k) * math.factorial(columns - k) / math.factorial(columns)
        for k in map(len, found)
    )
