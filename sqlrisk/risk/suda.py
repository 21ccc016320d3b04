"""Scores of minimal sample uniques: SUDA2 and DIS-SUDA.

Sources: Elliot, Manning & Ford (2002); Manning, Haglin & Keane (2008); Elliot & Manning (2003) for DIS-SUDA; the guide of the
International Household Survey Network for its weights. V is the number of quasi-identifiers, k that of a minimal unique.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def suda_weights(columns: int, most: int) -> list[int]:
    """What a minimal unique of size 1, 2, ..., ``most`` adds to the score of SUDA2: (V - k)!."""
    return [math.factorial(columns - size) for size in range(1, most + 1)]


def ihsn_weights(columns: int, most: int) -> list[float]:
    """The same by the IHSN's guide: (2^(V-k) - 1) k! (V - k)! / V!."""
    return [(2 ** (columns - size) - 1) / math.comb(columns, size) for size in range(1, most + 1)]


def scores(vectors: Mapping[tuple[int, ...], int], weights: Sequence[float]) -> list[tuple[float, int]]:
    """(score, records), highest first, of records with so many minimal uniques of size 1, 2, ..."""
    found: dict[float, int] = {}
    for vector, records in vectors.items():
        score = math.fsum(count * weight for count, weight in zip(vector, weights, strict=True))
        found[score] = found.get(score, 0) + records
    return sorted(found.items(), reverse=True)


def contributions(
    subsets: Mapping[tuple[int, ...], int], weights: Sequence[float], columns: int
) -> dict[int, float] | None:
    """The share of all scores that comes from minimal uniques with each quasi-identifier; ``subsets`` gives how many minimal
    uniques each subset has. They sum to more than 1. None where every score is 0."""
    total = math.fsum(number * weights[len(subset) - 1] for subset, number in subsets.items())
    if not total:
        return None
    return {
        column: math.fsum(number * weights[len(subset) - 1] for subset, number in subsets.items() if column in subset)
        / total
        for column in range(1, columns + 1)
    }


def dis_suda(
    scored: Sequence[tuple[float, int]], pairs: int, sampling_fraction: float, columns: int
) -> list[tuple[float, int]]:
    """(DIS-SUDA, records), highest first: the chance that a match with a record is right, by its score S.

    ``1/(1 + P(1-π)/(π S^q A))`` with q = 1 + (8 - V)/20, A the sum of S^-q over the records that have a score, and P =
    ``pairs``, the records in classes of two. Records without a score have none; at P = 0 it is 1.
    """
    q = 1 + (8 - columns) / 20
    positive = [(score, records) for score, records in scored if score > 0]
    a = math.fsum(records * score**-q for score, records in positive)
    odds = pairs * (1 - sampling_fraction) / sampling_fraction
    return [(1 / (1 + odds / (score**q * a)), records) for score, records in positive]
