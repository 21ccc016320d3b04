"""The trend of a policy's measures as a picture: a panel for each, over time."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlrisk.errors import RequestError, one_line
from sqlrisk.history.trend import Point, Trend
from sqlrisk.report.plots import settings_of_its_own
from sqlrisk.report.trend import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS = ("svg", "png")
MOST_PANELS = 12
_FIRST = (
    "attackers.prosecutor.average_risk",
    "attackers.prosecutor.share_at_risk",
    "attackers.journalist.average_risk",
    "attackers.journalist.share_at_risk",
    "population.uniques.release_share",
    "sample_uniques.share",
    "smallest_class",
    "release.records",
)
_LINE, _OTHER, _BASELINE = "#1f5fa8", "#6b6b6b", "#8a4b00"


def check_plot(path: str) -> str:
    """The kind of picture that a file name asks for; :class:`RequestError` for another than :data:`ENDINGS`."""
    ending = path.rpartition(".")[2].lower()
    if "." not in path or ending not in ENDINGS:
        cause = f"--plot: `{path}` is not the name of a picture"
        raise RequestError(cause, f"end it with {' or '.join(f'.{known}' for known in ENDINGS)}")
    return ending


def drawn_by_default(trend: Trend) -> list[str]:
    """The measures of a picture for which none are named: those that say most, of those that are known."""
    known = trend.measures
    return [measure for measure in _FIRST if measure in known] or known[:MOST_PANELS]


def plot(trend: Trend, measures: Sequence[str], kind: str) -> bytes:
    """The picture as a file of this ``kind``. Runs of different definitions are never joined by a line."""
    from matplotlib.figure import Figure

    if len(measures) > MOST_PANELS:
        raise RequestError(
            f"{len(measures)} measures are too many for one picture, {MOST_PANELS} fit", "choose some with --measure"
        )
    if not measures:
        raise RequestError(f"no run of `{trend.policy}` has a figure to draw", "run it with `sqlrisk check --history`")
    settings = {"svg.hashsalt": "sqlrisk", "svg.fonttype": "path", "text.parse_math": False}
    with settings_of_its_own(**settings):
        figure = Figure(figsize=(8, 0.9 + 1.5 * len(measures)), layout="constrained")
        panels = figure.subplots(len(measures), 1, sharex=True, squeeze=False)[:, 0]
        figure.suptitle(one_line(trend.policy), fontsize=11, x=0.01, ha="left")
        for panel, measure in zip(panels, measures, strict=True):
            _draw(panel, trend, measure)
        _explain(figure, trend)
        written = io.BytesIO()
        metadata: dict[str, Any] = {"Title": f"Trend of {one_line(trend.policy)}"}
        figure.savefig(written, format=kind, dpi=150, metadata=metadata | ({"Date": None} if kind == "svg" else {}))
    return written.getvalue()


def _draw(panel: Axes, trend: Trend, measure: str) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    for number, segment in enumerate(trend.segments):
        same = not any(point.changed for point in segment)
        panel.plot(
            [point.run.started_at for point in segment],
            [point.figures[measure] if _finite(point, measure) else math.nan for point in segment],
            color=_LINE if same else _OTHER,
            linestyle="-" if same else "--",
            linewidth=1.4,
            marker="o",
            markersize=4.5,
            markerfacecolor=_LINE if same else "white",
        )
        if number:
            panel.axvline(segment[0].run.started_at, color=_OTHER, linewidth=0.8, linestyle=":")
    if (pinned := _baseline(trend, measure)) is not None:
        panel.axhline(pinned, color=_BASELINE, linewidth=0.9, linestyle="-.")
    panel.set_title(one_line(measure), fontsize=9, loc="left")
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(measure, round(value, 12))))
    known = [point.figures[measure] for point in trend.points if _finite(point, measure)]
    whole = all(isinstance(value, int) for value in known)
    panel.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=whole))
    panel.margins(y=0.2)
    panel.tick_params(labelsize=8)
    panel.grid(axis="y", linewidth=0.4, alpha=0.6)
    panel.spines[["top", "right"]].set_visible(False)


def _explain(figure: Any, trend: Trend) -> None:
    """What the lines are, where they differ."""
    notes = []
    if any(point.changed for point in trend.points):
        notes.append("hollow, dashed: another definition of what is measured, not to be compared")
    if trend.baseline is not None:
        notes.append("dash-dotted: the baseline")
    if notes:
        figure.supxlabel("; ".join(notes), fontsize=8, x=0.01, ha="left")


def _baseline(trend: Trend, measure: str) -> float | None:
    """The baseline's figure, if it is of the latest definition and among the runs drawn."""
    for point in trend.points:
        pinned = trend.baseline is not None and point.run.id == trend.baseline.id
        if pinned and not point.changed and _finite(point, measure):
            return point.figures[measure]
    return None


def _finite(point: Point, measure: str) -> bool:
    value = point.figures.get(measure)
    return value is not None and math.isfinite(value)
