"""The runs of one policy as series: each measure over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlrisk.errors import RequestError, nearest
from sqlrisk.history.compare import figures_of_run
from sqlrisk.history.run import Run
from sqlrisk.history.store import History


@dataclass(frozen=True)
class Point:
    """One run. ``changed`` names the keys in which what it measured is defined otherwise than in the latest run that was
    measured; ``reason`` says why it has no figures."""

    run: Run
    figures: Mapping[str, float | None] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True)
class Range:
    """A measure over the runs of the latest definition; None where it is known in none of them."""

    first: float | None
    last: float | None
    least: float | None
    most: float | None


@dataclass(frozen=True)
class Trend:
    """The last runs of a policy, oldest first, out of the ``recorded`` ones; ``baseline`` is the run that is pinned."""

    policy: str
    recorded: int
    points: tuple[Point, ...]
    baseline: Run | None = None

    @property
    def measures(self) -> list[str]:
        """The paths of the measures that are known in at least one run."""
        return list(
            dict.fromkeys(path for point in self.points for path, value in point.figures.items() if value is not None)
        )

    @property
    def segments(self) -> list[list[Point]]:
        """The runs in order, divided where what is measured was defined anew; runs without figures divide nothing."""
        parts: list[list[Point]] = []
        before: Run | None = None
        for point in self.points:
            if not parts or (point.reason is None and before is not None and point.run.changed(before.definition)):
                parts.append([])
            parts[-1].append(point)
            before = point.run if point.reason is None else before
        return parts

    def range(self, measure: str) -> Range:
        """First, last, least and most of a measure; runs of another definition are left out."""
        same = [point for point in self.points if point.reason is None and not point.changed]
        known = [value for point in same if (value := point.figures.get(measure)) is not None]
        if not known:
            return Range(None, None, None, None)
        return Range(known[0], known[-1], min(known), max(known))


def trend_of(history: History, policy: str, limit: int | None = None) -> Trend:
    """The last ``limit`` runs of a policy as a trend."""
    runs = history.runs(policy, limit)
    return Trend(policy, history.count(policy), _points(runs), history.baseline(policy))


def chosen(trends: Sequence[Trend], measures: Sequence[str]) -> list[str]:
    """``measures``, or else all that are known; :class:`RequestError` for one that no run has."""
    known = list(dict.fromkeys(path for trend in trends for path in trend.measures))
    for measure in measures:
        if measure not in known:
            raise RequestError(f"no run on record has the measure `{measure}`", nearest(measure, known))
    return list(dict.fromkeys(measures)) or known


def _points(runs: Sequence[Run]) -> tuple[Point, ...]:
    read = [(run, *figures_of_run(run)) for run in runs]
    latest = next((run for run, _, reason in reversed(read) if reason is None), None)
    return tuple(
        Point(run, figures, () if reason or latest is None else tuple(run.changed(latest.definition)), reason)
        for run, figures, reason in read
    )
