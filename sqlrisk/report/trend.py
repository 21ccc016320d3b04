"""What earlier runs measured: a line for each policy, or the trend of each measure of one."""

from __future__ import annotations

import csv
import io
import math
import textwrap
from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Any

from sqlrisk.errors import escape_control, number_of, one_line
from sqlrisk.history.run import Run
from sqlrisk.history.trend import Point, Trend
from sqlrisk.outcome import Outcome
from sqlrisk.report import figures, json
from sqlrisk.report.markdown import grid, prose
from sqlrisk.result import Assessment

FORMATS = ("text", "json", "csv", "markdown")
HEADLINE = "attackers.prosecutor.average_risk"
"""The measure that stands for a policy where there is room for one."""

_LEVELS = "▁▂▃▄▅▆▇█"
_UNKNOWN, _ANEW = "·", "│"
_SHARES = {"highest_risk", "average_risk", "share_at_risk", "share", "release_share", "highest", "alpha"}
_TONES = {"passed": "32", "FAILED": "31", "ERROR": "31", "NOT MEASURED": "33"}
_BOLD, _DIM = "1", "2"
_WIDTH = 88
_ABOUT_ANEW = (
    f"{_ANEW} stands where what is measured was defined anew. Figures of another definition than the last run's are not "
    "compared: each definition has a scale of its own, and first, last, least and most are of the last one."
)
_ABOUT_UNKNOWN = f"{_UNKNOWN} stands for a run in which the measure is not known."


def render(trends: Sequence[Trend], measures: Sequence[str], format: str, color: bool = False) -> str:
    """The trend of ``measures`` in each of ``trends``, in one of :data:`FORMATS`."""
    if format == "json":
        return json.shown({"policies": [_document(trend, measures) for trend in trends]})
    if format == "csv":
        return _csv(trends, measures)
    shown = _markdown if format == "markdown" else lambda trend, known: _text(trend, known, color)
    return "\n".join(shown(trend, [measure for measure in measures if measure in trend.measures]) for trend in trends)


def render_overview(trends: Sequence[Trend], format: str, color: bool = False) -> str:
    """A line for each policy, in one of :data:`FORMATS`."""
    if format == "json":
        return json.shown({"policies": [_summary(trend) for trend in trends]})
    if format == "csv":
        header = ("policy", "recorded", "run", "started_at", "outcome", "exit_code", "baseline")
        return _comma_separated(header, [tuple(_summary(trend).values()) for trend in trends])
    header = ("Policy", "Runs", "Last run (UTC)", "Outcome", "Prosecutor's average risk", "Baseline")
    rows = [_overview_row(trend) for trend in trends]
    if format == "markdown":
        return "## Runs on record\n\n" + _escaped(header, rows) + "\n"
    return _aligned(header, rows, color) + "\n" if rows else "no run is on record yet\n"


def shown(measure: str, value: float | None) -> str:
    """A figure of ``measure`` as people read it."""
    if measure.rpartition(".")[2] in _SHARES:
        return figures.percent(value)
    return figures.number(value)


def sparkline(trend: Trend, measure: str) -> str:
    """A measure as block characters, one a run, divided where the definition changed."""
    scales: dict[tuple[str, ...], list[float]] = {}
    for point in trend.points:
        value = point.figures.get(measure)
        if value is not None and math.isfinite(value):
            scales.setdefault(_definition(point), []).append(value)

    def level(point: Point) -> str:
        value = point.figures.get(measure)
        if value is None:
            return _UNKNOWN
        if math.isinf(value):
            return "∞"
        scale = scales[_definition(point)]
        low, high = min(scale), max(scale)
        if low == high:
            return _LEVELS[3] if low else _LEVELS[0]
        return _LEVELS[round((value - low) / (high - low) * (len(_LEVELS) - 1))]

    return _ANEW.join("".join(map(level, part)) for part in trend.segments)


def _definition(point: Point) -> tuple[str, ...]:
    return tuple(f"{key}={digest}" for key, digest in sorted(point.run.definition.items()))


def outcome_word(run: Run) -> str:
    """What became of a run, in a word or a few."""
    if run.document is None:
        return Outcome(run.policy, "", error=run.error, exit_code=run.exit_code).word
    try:
        result = Assessment.from_dict(run.document)
    except ValueError:
        return f"exit code {run.exit_code}"
    return Outcome(run.policy, "", result=result, error=run.error, exit_code=run.exit_code).word


def when(run: Run) -> str:
    """When a run started, to the minute (UTC)."""
    return f"{run.started_at.astimezone(UTC):%Y-%m-%d %H:%M}"


def _note(point: Point, trend: Trend) -> str:
    """What is to be said of a run beside its outcome."""
    notes = ["baseline"] if trend.baseline is not None and point.run.id == trend.baseline.id else []
    if point.changed:
        notes.append(f"another definition: {', '.join(point.changed)}")
    if point.run.error is not None:
        notes.append(one_line(point.run.error))
    elif point.reason is not None:
        notes.append(point.reason)
    return "; ".join(notes)


def _overview_row(trend: Trend) -> tuple[str, ...]:
    last = trend.points[-1].run
    line = sparkline(trend, HEADLINE)
    risk = shown(HEADLINE, trend.range(HEADLINE).last)
    baseline = figures.NONE if trend.baseline is None else f"{trend.baseline.id}"
    return one_line(trend.policy), f"{trend.recorded:,}", when(last), outcome_word(last), f"{line} {risk}", baseline


def _said(trend: Trend) -> str:
    """How many runs there are, which are shown, and the baseline."""
    said = f"{number_of(trend.recorded, 'run', 'runs')} on record"
    if len(trend.points) < trend.recorded:
        said += f", the last {len(trend.points):,} of them here"
    if trend.baseline is None:
        return f"{said}; no baseline is pinned."
    return f"{said}; the baseline is {trend.baseline.id} of {when(trend.baseline)}."


def _runs(trend: Trend) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    rows = [(p.run.id, when(p.run), outcome_word(p.run), _note(p, trend)) for p in trend.points]
    return ("Run", "Started (UTC)", "Outcome", ""), rows


def _measured(trend: Trend, measures: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    rows = []
    for measure in measures:
        found = trend.range(measure)
        ends = (shown(measure, value) for value in (found.first, found.last, found.least, found.most))
        rows.append((measure, sparkline(trend, measure), *ends))
    return ("Measure", "Trend", "First", "Last", "Least", "Most"), rows


def _legend(lines: Sequence[str]) -> list[str]:
    drawn = "".join(lines)
    return [text for mark, text in ((_ANEW, _ABOUT_ANEW), (_UNKNOWN, _ABOUT_UNKNOWN)) if mark in drawn]


def _text(trend: Trend, measures: Sequence[str], color: bool) -> str:
    header, rows = _measured(trend, measures)
    parts = [
        f"{_styled(escape_control(trend.policy), _BOLD, color)}\n{_said(trend)}",
        _aligned(*_runs(trend), color),
        _aligned(header, rows, color) if rows else "No run here has a figure.",
        *(_styled(textwrap.fill(text, _WIDTH), _DIM, color) for text in _legend([row[1] for row in rows])),
    ]
    return "\n\n".join(parts) + "\n"


def _markdown(trend: Trend, measures: Sequence[str]) -> str:
    header, rows = _measured(trend, measures)
    parts = [f"## {prose(trend.policy)}", prose(_said(trend)), _escaped(*_runs(trend))]
    if rows:
        parts.append(_escaped(header, rows))
    return "\n\n".join([*parts, *(prose(text) for text in _legend([row[1] for row in rows]))]) + "\n"


def _escaped(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    return grid(header, [tuple(map(prose, row)) for row in rows])


def _aligned(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], color: bool) -> str:
    """Columns under each other; no control character passes."""
    from rich.cells import cell_len

    cells = [[escape_control(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]

    def line(row: Sequence[str], style: Callable[[str], str]) -> str:
        padded = [(cell, " " * (width - cell_len(cell))) for cell, width in zip(row, widths, strict=True)]
        return "   ".join(f"{_styled(cell, style(cell), color)}{space}" for cell, space in padded).rstrip()

    return "\n".join(
        [line(cells[0], lambda _: _BOLD), *(line(row, lambda cell: _TONES.get(cell, "")) for row in cells[1:])]
    )


def _styled(text: str, style: str, color: bool) -> str:
    return f"\033[{style}m{text}\033[0m" if color and style and text else text


def _summary(trend: Trend) -> dict[str, Any]:
    last = trend.points[-1].run
    return {
        "policy": trend.policy,
        "recorded": trend.recorded,
        "run": last.id,
        "started_at": last.started_at.isoformat(),
        "outcome": outcome_word(last),
        "exit_code": last.exit_code,
        "baseline": trend.baseline and trend.baseline.id,
    }


def _document(trend: Trend, measures: Sequence[str]) -> dict[str, Any]:
    return {
        "policy": trend.policy,
        "recorded": trend.recorded,
        "baseline": trend.baseline and trend.baseline.id,
        "runs": [_run(point, measures) for point in trend.points],
    }


def _run(point: Point, measures: Sequence[str]) -> dict[str, Any]:
    run = point.run
    return {
        "run": run.id,
        "started_at": run.started_at.isoformat(),
        "sqlrisk_version": run.sqlrisk_version,
        "outcome": outcome_word(run),
        "exit_code": run.exit_code,
        "error": run.error,
        "reason": point.reason,
        "fingerprint": run.fingerprint,
        "changed": list(point.changed),
        "figures": {name: _plain(point.figures[name]) for name in measures if name in point.figures},
    }


def _plain(value: float | None) -> float | str | None:
    return "infinity" if value is not None and math.isinf(value) else value


def _csv(trends: Sequence[Trend], measures: Sequence[str]) -> str:
    """A row for each figure of each run; a run without figures has one row without a measure."""
    header = ("policy", "run", "started_at", "outcome", "exit_code", "same_definition", "measure", "value")
    rows = []
    for trend in trends:
        for point in trend.points:
            run = point.run
            about = (trend.policy, run.id, run.started_at.isoformat(), outcome_word(run), run.exit_code)
            same = "" if point.reason is not None else str(not point.changed).lower()
            found = [(name, _plain(point.figures[name])) for name in measures if name in point.figures]
            rows += [(*about, same, *figure) for figure in found or [("", None)]]
    return _comma_separated(header, rows)


def _comma_separated(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([escape_control(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return written.getvalue()
