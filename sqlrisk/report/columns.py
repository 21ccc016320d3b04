"""What each column looks like, what it could be, and the HIPAA column check."""

from __future__ import annotations

from sqlrisk.parts.columns import ColumnProfile, SafeHarbor
from sqlrisk.report.document import Block, Bullets, Code, Facts, Line, Paragraph, Section, Table, line
from sqlrisk.report.figures import NONE, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "The columns"
SAFE_HARBOR = "HIPAA Safe Harbor: a check of columns, not a measure of risk"
_HINTS = (
    "Largest is the share of the most frequent value, a missing one included. Hints go by names, shapes and figures. What an "
    "attacker can know, they do not know: decide it column by column."
)
_NO_RISK = (
    "It asks whether columns look like the identifiers of 45 CFR 164.514(b)(2), by their names, shapes and bounds; free text "
    "it cannot judge. A table without any of them can have records that are unique, and Safe Harbor also asks that nobody "
    "actually knows a way to identify a person."
)


def sections(result: Assessment, words: Words) -> tuple[Section, ...]:
    """The columns, and the check if it was asked for; none where they were not looked at."""
    if result.columns is None:
        return ()
    hints = tuple(_hint(item) for item in result.columns if item.hint is not None or item.reason)
    blocks: list[Block] = [_table(result.columns)]
    if hints:
        blocks.append(Bullets(hints))
    blocks.append(Paragraph(line(_HINTS)))
    found = [Section(TITLE, tuple(blocks))]
    if result.safe_harbor is not None:
        found.append(Section(SAFE_HARBOR, _safe_harbor(result.safe_harbor)))
    return tuple(found)


def _table(columns: list[ColumnProfile]) -> Table:
    typed = all(item.generalisation is None for item in columns)  # the type is that of what is stored
    header = ("Column", *(["Type"] if typed else []), "Missing", "Distinct", "Distinction", "Separation", "Largest")
    return Table(
        header,
        tuple(
            (
                Code(item.column if item.generalisation is None else f"{item.column}:{item.generalisation}"),
                *([item.type.lower()] if typed else []),
                NONE if item.missing is None else f"{item.missing:,}",
                NONE if item.distinct is None else f"{item.distinct:,}",
                percent(item.distinction),
                percent(item.separation),
                percent(item.largest_share),
            )
            for item in columns
        ),
    )


def _hint(item: ColumnProfile) -> Line:
    told = f"{item.hint.kind}, because {item.hint.reason}" if item.hint else item.reason or ""
    return line(Code(item.column), f": {told}.")


def _safe_harbor(check: SafeHarbor) -> tuple[Block, ...]:
    rows = []
    for finding in check.findings:
        columns: list[str] = []
        for column in finding.columns:
            columns += [", ", Code(column)]
        where = [": ", *columns[1:]] if columns else []
        rows.append(
            (
                finding.identifier[0].upper() + finding.identifier[1:],
                (line(finding.status, *where, f" ({finding.reason})"),),
            )
        )
    return Facts(tuple(rows)), Paragraph(line(_NO_RISK))
