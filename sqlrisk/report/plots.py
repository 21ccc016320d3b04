"""Plots of a report as SVG that stands within the page: Matplotlib draws, the page's own colours and fonts are put in."""

from __future__ import annotations

import contextlib
import io
import re
import threading
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sqlrisk.errors import one_line
from sqlrisk.report.document import Columns, Curves, Dots, Plot, Steps, Trends
from sqlrisk.report.figures import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours that stand for those of the page, which differ between light, dark and paper.
_INK, _SOFT, _LINE, _BAR, _RISK = "#010101", "#020202", "#030303", "#040404", "#050505"
_GROUND = "#060606"
_COLOURS = {
    _INK: "var(--ink)",
    _SOFT: "var(--soft)",
    _LINE: "var(--line)",
    _BAR: "var(--bar)",
    _RISK: "var(--bar-risk)",
    _GROUND: "var(--ground)",
}
_DASHES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D")
_WIDTH, _HEIGHT = 7.2, 3.1  # inches of 72 units
_ONE_AT_A_TIME = threading.Lock()
LEAST = 0.5
"""Where a logarithmic axis of people begins; fewer stand there."""


@contextlib.contextmanager
def settings_of_its_own(**settings: Any) -> Iterator[None]:
    """Matplotlib as it comes, with ``settings``: what a notebook or a matplotlibrc has set is none of a report's. They are
    those of the whole process, so one picture is drawn at a time; those of others come back afterwards."""
    import matplotlib

    with _ONE_AT_A_TIME, matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a character that its fonts lack: the page's own fonts draw it
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        yield


def draw(plot: Plot, number: int) -> str:
    """The plot as an ``<svg>`` element: no script, no font, nothing from elsewhere. ``number`` keeps its ids apart from those
    of other plots of the page. The same plot gives the same bytes."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": f"sqlrisk-{number}",
        "text.parse_math": False,
        "font.family": ["sans-serif"],
        "font.size": 10,
        "text.color": _INK,
        "axes.labelcolor": _SOFT,
        "axes.edgecolor": _LINE,
        "xtick.color": _LINE,
        "ytick.color": _LINE,
        "xtick.labelcolor": _INK,
        "ytick.labelcolor": _INK,
        "hatch.color": _GROUND,
    }
    with settings_of_its_own(**settings):
        height = _HEIGHT if not isinstance(plot.drawn, Dots) else 0.9 + 0.26 * len(plot.drawn.names)
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        axes.spines[["top", "right"]].set_visible(False)
        _DRAWERS[type(plot.drawn)](axes, plot.drawn)
        written = io.StringIO()
        FigureCanvasSVG(figure).print_svg(written, metadata={"Date": None, "Creator": None})
    return _inline(written.getvalue(), number)


def _columns(axes: Axes, drawn: Columns) -> None:
    at = range(len(drawn.groups))
    colours = [_RISK if flag else _BAR for flag in drawn.flags]
    bars = axes.bar(at, drawn.shares, color=colours, width=0.8)
    for bar, flag in zip(bars, drawn.flags, strict=True):
        if flag:  # told apart without colours too
            bar.set_hatch("///")
    axes.bar_label(bars, [percent(share) for share in drawn.shares], padding=2, fontsize=8, color=_INK)
    if drawn.border is not None:
        last = len(drawn.groups)
        axes.set_xlim(-0.6, last - 0.4)
        side = {0: "left", last: "right"}.get(int(drawn.border.at), "center")
        _mark(axes, drawn.border.at - 0.5, drawn.border.label, side)
    axes.set_xticks(list(at), [_text(name) for name in drawn.groups])
    axes.tick_params(axis="x", labelrotation=0 if len(drawn.groups) <= 9 else 40, length=0)
    axes.set_xlabel(one_line(drawn.x_label))
    _percents(axes, max(drawn.shares, default=0))
    axes.set_ylabel(one_line(drawn.y_label))


def _steps(axes: Axes, drawn: Steps) -> None:
    for number, (name, points) in enumerate(drawn.curves):
        axes.step(
            [x for x, _ in points],
            [share for _, share in points],
            where="post",
            color=_BAR if number == 0 else _RISK,
            linestyle=_DASHES[number % 4],
            linewidth=1.8,
            label=_text(name),
        )
    axes.set_xscale("log")
    marks = sorted(drawn.marks, key=lambda mark: mark.at)
    sides = ["center"] if len(marks) == 1 else ["right", "left"]  # apart, or names would lie on each other
    for mark, side in zip(marks, sides, strict=False):
        _mark(axes, mark.at, mark.label, side)
    ticks = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
    low = min((x for _, points in drawn.curves for x, _ in points), default=0.01)
    shown = [tick for tick in ticks if tick >= low * 0.999] or [1]
    axes.set_xticks(shown, [f"{tick:.1%}".replace(".0%", "%").replace("%", " %") for tick in shown])
    axes.minorticks_off()
    axes.set_xlim(low, 1.05)
    axes.set_xlabel(one_line(drawn.x_label))
    _percents(axes, 1)
    axes.set_ylabel(one_line(drawn.y_label))
    if len(drawn.curves) > 1:
        _legend(axes, len(drawn.curves))


def _dots(axes: Axes, drawn: Dots) -> None:
    at = list(range(len(drawn.names)))[::-1]
    for y, value, span, name in zip(at, drawn.values, drawn.spans, drawn.names, strict=True):
        used = name == drawn.chosen
        if span is not None:
            axes.hlines(
                y, max(span[0], LEAST), max(span[1], LEAST), color=_RISK if used else _SOFT, linewidth=3, alpha=0.55
            )
        axes.plot(
            [max(value, LEAST)],
            [y],
            marker="<" if value < LEAST else "D" if used else "o",
            color=_RISK if used else _BAR,
            markersize=7 if used else 6,
            linestyle="none",
        )
    axes.set_xscale("log")
    axes.set_yticks(at, [_text(name) for name in drawn.names])
    axes.set_ylim(-0.7, len(at) - 0.3)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
    axes.minorticks_off()
    axes.grid(axis="x", color=_LINE, linewidth=0.6)
    axes.set_xlabel(one_line(drawn.x_label))


def _trends(axes: Axes, drawn: Trends) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    for number, (name, shares) in enumerate(drawn.lines):
        colour, marker = (_BAR, _RISK, _SOFT, _INK)[number % 4], _MARKERS[number % 4]
        known = [(when, share, same) for when, share, same in zip(drawn.when, shares, drawn.same, strict=True)]
        joined = [(when, share if same else None) for when, share, same in known]
        axes.plot(
            [when for when, _ in joined],
            [float("nan") if share is None else share for _, share in joined],
            color=colour,
            marker=marker,
            markersize=5,
            linestyle=_DASHES[number % 4],
            linewidth=1.5,
            label=_text(name),
            clip_on=False,  # a marker at 0 is shown whole
        )
        others = [(when, share) for when, share, same in known if not same and share is not None]
        axes.plot(
            [when for when, _ in others],
            [share for _, share in others],
            color=colour,
            marker=marker,
            markersize=5,
            markerfacecolor="none",
            linestyle="none",
            clip_on=False,
        )
    locator = AutoDateLocator(minticks=3, maxticks=7)  # with these, there is a distance of ticks for any time
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    _percents(axes, max((share or 0 for _, shares in drawn.lines for share in shares), default=0))
    axes.set_ylabel(one_line(drawn.y_label))
    if drawn.note:
        axes.set_xlabel(one_line(drawn.note))
    _legend(axes, 2)


def _curves(axes: Axes, drawn: Curves) -> None:
    at = list(range(len(drawn.groups)))
    for number, (name, shares) in enumerate(drawn.lines):
        axes.plot(
            at,
            [float("nan") if share is None else share for share in shares],
            color=(_BAR, _RISK, _SOFT, _INK)[number % 4],
            marker=_MARKERS[number % 4],
            markersize=5,
            linestyle=_DASHES[number % 4],
            linewidth=1.5,
            label=_text(name),
            clip_on=False,
        )
    axes.set_xticks(at, [_text(group) for group in drawn.groups])
    axes.set_xlabel(one_line(drawn.x_label))
    _percents(axes, max((share or 0 for _, shares in drawn.lines for share in shares), default=0))
    axes.set_ylabel(one_line(drawn.y_label))
    if len(drawn.lines) > 1:
        _legend(axes, 2)


_DRAWERS: dict[type, Any] = {Columns: _columns, Steps: _steps, Dots: _dots, Trends: _trends, Curves: _curves}


def _mark(axes: Axes, at: float, label: str, side: str) -> None:
    """A dotted line across, with its name above: centred on it, or to one side."""
    axes.axvline(at, color=_INK, linewidth=1, linestyle=":")
    axes.annotate(_text(label), (at, 1.02), xycoords=("data", "axes fraction"), ha=side, fontsize=9, color=_INK)


def _legend(axes: Axes, columns: int) -> None:
    """The names of the lines, below the picture, where they hide none."""
    figure = axes.get_figure()
    assert figure is not None
    figure.legend(loc="outside lower left", ncols=columns, frameon=False, fontsize=9)


def _percents(axes: Axes, largest: float) -> None:
    """A y axis of shares from 0."""
    from matplotlib.ticker import MaxNLocator

    axes.set_ylim(0, max(largest * 1.08, 1e-6))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    axes.grid(axis="y", color=_LINE, linewidth=0.6)
    axes.set_axisbelow(True)


def _text(text: str) -> str:
    """Names are other people's: no control characters, and not longer than an axis."""
    shown = one_line(text)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def _inline(svg: str, number: int) -> str:
    """The file as an element of the page: the page's colours, its fonts, its size, and ids of its own."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)
    body = re.sub(r"<style.*?</style>\s*", "", body, flags=re.DOTALL)  # it would hold for the whole page
    body = re.sub(r"font-family: [^;\"]*", "font-family: system-ui, sans-serif", body)
    for stand_in, colour in _COLOURS.items():
        body = body.replace(stand_in, colour)
    box = re.search(r'viewBox="([^"]+)"', body)
    assert box is not None
    body = re.sub(
        r"<svg[^>]*>",
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" viewBox="{box[1]}" aria-hidden="true">',
        body,
        count=1,
    )
    body = body.replace("xlink:href", "href")
    for kind in ('id="', 'href="#', "url(#"):
        body = body.replace(kind, f"{kind}p{number}-")
    return re.sub(r"\n\s*", "\n", body).strip()
