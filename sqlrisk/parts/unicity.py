"""Longitudinal data: the part of ``sqlrisk attack --points``."""

from __future__ import annotations

from sqlrisk.record import Part

Interval = tuple[float, float]


class UnicityAt(Part):
    """An attacker who knows ``known`` points of a person, drawn at random: ``unique`` targets are the only ones who fit.

    ``fewer_points`` targets have fewer points; of them all are known. ``mean_risk`` is the mean of one over the people who
    fit. The interval is that of the drawing of targets; it has no width where everybody is a target. Null, with the reason,
    where too many people have the points.
    """

    known: int
    unique: int | None
    share: float | None
    interval: Interval | None
    fewer_points: int
    mean_risk: float | None
    reason: str | None = None


class WorstPoints(Part):
    """An attacker who knows the best ``known`` points of a person: for each target, the highest risk over all choices of so
    many of their points. ``targets`` have so many, and the shares are of them; ``unique`` have a choice that fits nobody
    else. Null, with the reason, where it is too much to compare."""

    known: int
    targets: int | None
    unique: int | None
    share: float | None
    interval: Interval | None
    mean_risk: float | None
    reason: str | None = None


class Curve(Part):
    """One definition of a point: ``coarser`` is how it was made coarser, None as it is. ``events`` and ``people`` are those
    with such a point, ``distinct_points`` the different points, and ``points_of_people`` those of each person, summed."""

    coarser: str | None
    points: list[str]
    events: int
    people: int
    targets: int
    distinct_points: int
    points_of_people: int
    unicity: list[UnicityAt]
    worst_case: list[WorstPoints]


class Unicity(Part):
    """How many people a few of their points single out (de Montjoye et al. 2013). ``targets`` of the ``people`` were drawn, by
    ``seed``; the same on every engine."""

    entity_id: str
    people: int
    targets: int
    seed: int
    curves: list[Curve]
