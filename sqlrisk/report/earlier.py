"""This run beside those before it, and beside earlier releases of the same data."""

from __future__ import annotations

import math

from sqlrisk.errors import one_line
from sqlrisk.record import Change, Comparison
from sqlrisk.report.document import Block, Bullets, Code, Line, Paragraph, Table, line
from sqlrisk.report.figures import NONE, compared, percent
from sqlrisk.report.verdict import measure_of
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "Since the earlier run"
NO_EARLIER_RELEASES = "Earlier releases considered: none."
_NOT_TOGETHER = "named, recorded, and not measured together with this one"


def comparisons(result: Assessment, words: Words) -> tuple[Block, ...]:
    """What changed since the run before, and since the baseline; figures of two definitions stand side by side."""
    blocks: list[Block] = []
    for found in result.comparisons or []:
        blocks += _compared(found, words)
    return tuple(blocks)


def earlier_releases(result: Assessment) -> Line:
    """Which earlier releases were considered, or none."""
    named = result.release.previous
    if not named:
        return line(NO_EARLIER_RELEASES)
    pieces: list[str] = ["Earlier releases considered: "]
    for item in named:
        pieces += [Code(item.table), " (linked by ", Code(item.link_id), "), "]
    found = result.composition
    together = "measured together with this one" if found is not None and found.reason is None else _NOT_TOGETHER
    return line(*pieces[:-1], f"), {together}.")


def _compared(found: Comparison, words: Words) -> list[Block]:
    what = "The baseline" if found.against == "baseline" else "The run before"
    if found.reason is not None:
        return [Paragraph(line(f"{what}: nothing to compare with, because {one_line(found.reason)}."))]
    when = f", {found.started_at:%Y-%m-%d %H:%M} UTC" if found.started_at else ""
    blocks: list[Block] = [Paragraph(line(f"{what}: ", Code(found.run or ""), f"{when}."))]
    if found.changed:
        keys: list[str] = []
        for key in found.changed:
            keys += [", ", Code(key)]
        said = line(
            "What is measured was defined anew since: ",
            *keys[1:],
            ". Both figures are shown, and are not to be compared.",
        )
        blocks.append(Bullets((said,)))
    rows = []
    same = 0
    for path, change in found.figures.items():
        if _is_same(change):
            same += 1
            continue
        label, kind = measure_of(path, words)
        rows.append(("".join(label), *_both(change, kind), _increase(change.increase, kind)))
    if rows:
        blocks.append(Table(("", "Before", "Now", "Increase"), tuple(rows)))
    if same:
        told = "the same in both" if found.changed else "as before"
        blocks.append(Paragraph(line(f"{same} {'figure is' if same == 1 else 'figures are'} {told}.")))
    return blocks


def _is_same(change: Change) -> bool:
    if change.before is None or change.after is None:
        return change.before is change.after
    return change.before == change.after or math.isclose(change.before, change.after, rel_tol=1e-9, abs_tol=1e-12)


def _both(change: Change, kind: str) -> tuple[str, str]:
    """Both figures, with digits enough to tell them apart."""
    if change.before is None or change.after is None:
        return _shown(change.before, kind), _shown(change.after, kind)
    return compared(change.before, change.after, kind)


def _shown(value: float | None, kind: str) -> str:
    return NONE if value is None else compared(value, value, kind)[0]


def _increase(value: float | None, kind: str) -> str:
    if value is None:
        return NONE
    sign = "+" if value > 0 else "−"
    if math.isinf(value):
        return f"{sign}infinite"
    if kind == "number":
        return sign + _shown(abs(value), kind)
    return f"{sign}{percent(abs(value)).removesuffix(' %')} points"
