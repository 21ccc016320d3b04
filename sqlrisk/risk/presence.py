"""k-map and delta-presence measured against a population table.

Sources: Sweeney (2002) for k-map; Nergiz, Atzori & Clifton (2007), "Hiding the presence of individuals from shared
databases", for delta-presence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlrisk.class_sizes import JointRecordSizes, JointSizes


@dataclass(frozen=True)
class KMap:
    """How many people of the population match a record: the fewest, and (least, most, records), both inclusive."""

    smallest: int
    histogram: list[tuple[int, int, int]]


@dataclass(frozen=True)
class DeltaPresence:
    """Size in the release over size in the population: the highest of the release's classes, the lowest of the population's
    (0 where the release has none of a class), and (from, below, records) in tenths, then (1, 1, records)."""

    lowest: float
    highest: float
    histogram: list[tuple[float, float, int]]


def k_map(joint: JointSizes | JointRecordSizes) -> KMap:
    """k-map of the release's records, of which there is at least one."""
    records: Counter[int] = Counter()
    for people, count in _people(joint):
        records[people.bit_length()] += count
    first, last = min(records), max(records)
    return KMap(
        smallest=min(people for people, _ in _people(joint)),
        histogram=[(2 ** (bits - 1), 2**bits - 1, records[bits]) for bits in range(first, last + 1)],
    )


def delta_presence(joint: JointSizes | JointRecordSizes) -> DeltaPresence | None:
    """delta-presence; None where a record's sizes in release and population are not about the same people."""
    if isinstance(joint, JointRecordSizes) and joint.lowest_presence is None:
        return None
    own = [(s, f, s * count if isinstance(joint, JointSizes) else count) for s, f, count in joint.corrected]
    shares = [s / f for s, f, _ in own]
    if isinstance(joint, JointRecordSizes):
        lowest = joint.lowest_presence
    else:
        lowest = 0.0 if any(s == 0 and f > 0 for s, f, _ in joint.triples) else min(shares)
    tenths: Counter[int] = Counter()
    for s, f, records in own:
        tenths[10 * s // f] += records
    bounds = [*((tenth / 10, (tenth + 1) / 10) for tenth in range(10)), (1.0, 1.0)]
    return DeltaPresence(
        lowest=min(lowest, *shares),
        highest=max(shares),
        histogram=[(low, high, tenths[index]) for index, (low, high) in enumerate(bounds)],
    )


def _people(joint: JointSizes | JointRecordSizes) -> list[tuple[int, int]]:
    """(people of the population, records) of the release's classes."""
    if isinstance(joint, JointSizes):
        return [(f, s * classes) for s, f, classes in joint.corrected]
    return [(f, records) for _, f, records in joint.corrected]
