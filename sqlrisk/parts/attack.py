"""Simulated matching: the part of ``sqlrisk attack``."""

from __future__ import annotations

from typing import Literal

from sqlrisk.record import Part

Interval = tuple[float, float]


class Simulated(Part):
    """How many targets, their share, and its 95 % interval, which is that of the drawing of targets."""

    targets: int
    share: float
    interval: Interval


class SimulatedMean(Part):
    """A mean over the targets, and its 95 % interval; None where there are too few targets for one."""

    mean: float
    interval: Interval | None


class Expected(Part):
    """What is to be expected without noise and tolerance, over all records that a target can be: the analytic risk. None with
    the reason where it is not computed."""

    unique_share: float | None
    success: float | None
    reason: str | None = None


class Attack(Part):
    """Targets drawn by ``seed``, what an attacker knows of each, and which records of the release fit it.

    ``known_columns`` are known of every target, and ``random_columns`` more are drawn for each. ``matches`` are
    (records that fit, targets). ``unmatched`` targets fit no record, ``unique_matches`` exactly one: ``right_unique`` is that
    of the target, ``wrong_unique`` somebody else's. ``success`` is the chance to be right for one who picks a record that fits
    at random. Right and wrong are null, with the ``reason``, where nothing says who a record is.
    """

    targets: int
    pool: int
    drawn_from: Literal["release", "population table"]
    seed: int
    known_columns: list[str]
    random_columns: int
    chosen: Literal["all", "given", "random", "worst"]
    tolerance: dict[str, str]
    noise: dict[str, float]
    truth_id: str | None
    matches: list[tuple[int, int]]
    unmatched: Simulated
    unique_matches: Simulated
    right_unique: Simulated | None
    wrong_unique: Simulated | None
    success: SimulatedMean | None
    expected: Expected
    reason: str | None = None
