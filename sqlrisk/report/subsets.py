"""How risk grows with what the attacker knows: by the number of columns, the worst subsets, and each column's part."""

from __future__ import annotations

from collections.abc import Sequence

from sqlrisk.parts.subsets import Subset, Sweep
from sqlrisk.report.document import (
    Bar,
    Bars,
    Block,
    Bullets,
    Code,
    Curves,
    Facts,
    Line,
    Paragraph,
    Plot,
    Section,
    Table,
    line,
)
from sqlrisk.report.figures import Unit, percent
from sqlrisk.report.minimal_uniques import minimal_uniques
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "How risk grows with what the attacker knows"
SHOWN = 10
"""The most dangerous subsets that a report names."""
_SUBSETS = Unit("subset", "subsets")
_STATEMENTS = Unit("statement", "statements")


def sections(result: Assessment, words: Words) -> tuple[Section, ...]:
    """The sweep and the minimal sample uniques; none where they were not measured."""
    if result.sweep is None:
        return ()
    blocks: list[Block] = [
        Paragraph(line(_asked(result.sweep))),
        _by_size(result.sweep),
        _plot(result.sweep),
        Facts((("Most dangerous", tuple(_dangerous(result.subsets or []))),)),
        _contributions(result.sweep),
        Bullets(tuple(_notes(result.sweep))),
    ]
    return Section(TITLE, tuple(blocks)), *minimal_uniques(result, words)


def _asked(sweep: Sweep) -> str:
    return (
        f"{_SUBSETS.count(sweep.subsets)} of at most {sweep.max_known} quasi-identifiers, each an attacker who knows those "
        f"columns of a person and no others. Threshold {sweep.threshold}."
    )


def _by_size(sweep: Sweep) -> Table:
    header = (
        "Known",
        "Subsets",
        "Unique, mean",
        "Unique, worst",
        "Average risk, mean",
        "At risk, mean",
        "At risk, worst",
    )
    rows = tuple(
        (
            f"{known.known}",
            f"{known.subsets:,}",
            percent(known.uniqueness.mean),
            percent(known.uniqueness.worst),
            percent(known.average_risk.mean),
            percent(known.share_at_risk.mean),
            percent(known.share_at_risk.worst),
        )
        for known in sweep.by_size
    )
    return Table(header, rows)


def _plot(sweep: Sweep) -> Plot:
    groups = tuple(f"{known.known}" for known in sweep.by_size)
    shares = (
        ("At risk, worst subset", tuple(known.share_at_risk.worst for known in sweep.by_size)),
        ("At risk, mean of the subsets", tuple(known.share_at_risk.mean for known in sweep.by_size)),
        ("Unique, worst subset", tuple(known.uniqueness.worst for known in sweep.by_size)),
        ("Unique, mean of the subsets", tuple(known.uniqueness.mean for known in sweep.by_size)),
    )
    first, last = sweep.by_size[0], sweep.by_size[-1]
    alt = (
        f"With {first.known} column known, at most {percent(first.share_at_risk.worst)} of the records are at risk; with "
        f"{last.known}, {percent(last.share_at_risk.worst)}."
    )
    table = Table(
        ("Known", *(name for name, _ in shares)),
        tuple((group, *(percent(values[at]) for _, values in shares)) for at, group in enumerate(groups)),
    )
    bars = tuple(
        Bar(f"{known.known}", known.share_at_risk.mean, (percent(known.share_at_risk.mean),)) for known in sweep.by_size
    )
    return Plot(
        title="Risk against what the attacker knows",
        alt=alt,
        drawn=Curves(groups, shares, "quasi-identifiers known", "share of the records"),
        table=table,
        instead=Bars(("Known", "At risk, mean of the subsets"), bars, ""),
    )


def _dangerous(subsets: Sequence[Subset]) -> list[Line]:
    """The worst subset of each size, smallest first, then the next worst, at most :data:`SHOWN`."""
    ranked = sorted(subsets, key=lambda item: (-item.share_at_risk, -item.sample_uniques, len(item.columns)))
    first: dict[int, Subset] = {}
    for item in ranked:
        first.setdefault(len(item.columns), item)
    chosen = sorted(first.values(), key=lambda item: len(item.columns))[:SHOWN]
    return [
        line(
            *_columns(item.columns),
            f": {percent(item.share_at_risk)} at risk, {percent(item.sample_uniques / item.records)} unique",
        )
        for item in chosen
    ]


def _columns(columns: Sequence[str]) -> list[str]:
    pieces: list[str] = []
    for column in columns:
        pieces += [", ", Code(column)]
    return pieces[1:]


def _contributions(sweep: Sweep) -> Table:
    rows = sorted(sweep.contributions, key=lambda item: -item.share_at_risk)
    return Table(
        ("Column", "Adds to the share at risk", "To the share unique", "To the average risk"),
        tuple(
            (Code(item.column), _signed(item.share_at_risk), _signed(item.uniqueness), _signed(item.average_risk))
            for item in rows
        ),
    )


def _signed(share: float) -> str:
    return percent(share) if share >= 0 else f"−{percent(-share)}"


def _notes(sweep: Sweep) -> list[Line]:
    return [
        line(
            "What a column adds is its Shapley value: the rise when it joins what the attacker knows already, averaged over "
            "all that this can be. Together they are the risk of all columns (or its mean at the largest size measured)."
        ),
        line(
            f"{_STATEMENTS.count(sweep.statements)} for the subsets: each reads the release once, and rolls the subsets up "
            "from its classes."
        ),
    ]
