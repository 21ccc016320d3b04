"""A report that is fit to leave the house, made of what may be told and of nothing else.

It is composed afresh: what is not named here is not in it. No SQL, no value of a column, no text that a value could stand
in; counts and shares pass through :mod:`sqlrisk.report.masking` alone. Comparisons with earlier runs are left out, for two
histograms that differ by one person give that person's class away.
"""

from __future__ import annotations

import re

from sqlrisk.errors import number_of, one_line
from sqlrisk.report import estimates, figures, masking, measured, population, risks, sensitive, verdict
from sqlrisk.report.document import (
    Bar,
    Bars,
    Block,
    Bullets,
    CheckedLimit,
    Code,
    Facts,
    Judgement,
    Line,
    Paragraph,
    Report,
    Section,
    Table,
    line,
    lines,
)
from sqlrisk.report.masking import MASKED, NOT_SHOWN, SMALL, UNDER, Cell, Row
from sqlrisk.report.sizes import range_label, records_by_size
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, JournalistRisk, MarketerRisk, MeasuredColumn, MeasuredPopulation, ProsecutorRisk

BANNER = (
    f"PUBLIC. Made to leave the house: no SQL and no values are in it, counts of 1 to {SMALL - 1} read {UNDER}, counts from "
    "which they could be worked out are masked, and other shares are given as the range in which they lie."
)
LIMITS_ALONE = "Of what is not shown, the verdict tells whether its limit is kept."
HISTOGRAM = f"Counts of 1 to {SMALL - 1} read {UNDER}; “{MASKED}” hides those from which they could be worked out."
TOO_FEW = "Too few records for a histogram in which no small count could be worked out."
SILENT = (
    "It says nothing about columns that were not listed, nor about what a whole class shares. Conditions, values, warnings "
    "and comparisons with earlier runs are in the internal report."
)
MEASURES = "What the classes give away of them is shown by the verdict alone: whether each limit is kept."
FRACTIONS = "Estimates were made at several sampling fractions; they are in the internal report."
WITHHELD = "what was wrong is told by the internal report"
"""In the place of an error, which can name a value."""
NOT_MEASURED = "not measured"
_STARTS = (1, SMALL, 20, 50, 100)
_NUMBERS = {
    "band": r"[\d.]+",
    "round": r"-?\d+",
    "prefix": r"\d+",
    "min_count": r"\d+",
    "truncate": r"year|quarter|month|week|day|hour",
    "time": r"hour|minute|second",
    "normalise": r"[a-z_+]+",
}
"""Generalisations whose parameter is no value of the data, and what it looks like."""
_KINDS = {"cut": "cut into intervals", "map": "by a map", "weekday": "by the day of the week"}

Cells = dict[str, str]


def compose(result: Assessment) -> Report:
    """The report on ``result`` that may be handed to others."""
    words = Words(result)
    sections = [
        Section("What was measured", release(result, words)),
        Section("Against which attacker", _attackers(result, words)),
    ]
    if result.population is not None:
        sections.append(Section("The population", _population(result, words)))
    if result.sensitive:
        names = line(*sensitive.joined([line(Code(name)) for name in result.sensitive], ", "))
        blocks = (Facts((("Columns", (names,)),)), Paragraph(line(MEASURES)))
        sections.append(Section(sensitive.TITLE, blocks))
    sections.append(Section(words.sizes_title, _sizes(result, words)))
    sections.append(Section("What this report does not say", (Bullets(lines(*_unsaid(result))),)))
    return Report(
        title=f"sqlrisk: re-identification risk of {name_of(result) or 'a release'}",
        banner=BANNER,
        judgement=judgement(result, words),
        sections=tuple(sections),
        closing=f"sqlrisk {result.sqlrisk_version}, {result.started_at:%Y-%m-%d}.",
        statements=(),
    )


def name_of(result: Assessment) -> str | None:
    """What the release is called: its policy's name, never its table or file."""
    return result.policy.name if result.policy is not None else None


def judgement(result: Assessment, words: Words) -> Judgement:
    """The verdict, each limit with whether it is kept, and what the user says of them."""
    sentence, tone = verdict.sentence(result)
    checks = []
    for check in result.verdict.checks:
        word, colour = verdict.outcome_of(check)
        kept = "kept" if check.passed else NOT_MEASURED if check.value is None else "not kept"
        name = verdict.measure_of(check.measure, words)[0]
        checks.append(CheckedLimit(word, colour, name, kept, verdict.limit_of(check, words)))
    return Judgement(sentence, tone, tuple(checks), tuple(verdict.said(result.verdict)))


def judgement_for(result: Assessment, public: bool) -> Judgement:
    """The verdict as it may be told: with its figures in the house, without them if ``public``."""
    return (judgement if public else verdict.judgement)(result, Words(result))


def generalisation_of(item: MeasuredColumn) -> str | None:
    """How a column was generalised: its kind, with its parameter where that is a number or a unit and no value."""
    if item.generalisation is None:
        return None
    kind, _, argument = item.generalisation.partition("=")
    argument = argument.partition("@")[0]
    if kind in _NUMBERS and re.fullmatch(_NUMBERS[kind], argument):
        return f"{kind}={argument}"
    return _KINDS.get(kind.partition("@")[0], "generalised")


def figures_of(result: Assessment) -> dict[str, Cells]:
    """The figures that may be told of each attacker, as texts: highest risk, average risk, share at risk, and from what."""
    known = result.attackers
    row, words = row_of(result), Words(result)
    people = words.counted
    shown = {
        "prosecutor": {
            "highest_risk": _highest(known.prosecutor),
            "average_risk": _average(result, row, words),
            "share_at_risk": _at_risk(known.prosecutor, row, words),
            "known_from": "the release",
        }
    }
    # A second row of measured shares could be set against the masked one.
    hides = (row is None or bool(row.hidden)) and not _estimated(result)
    if known.journalist.average_risk is not None:
        shown["journalist"] = {
            "highest_risk": _highest(known.journalist),
            "average_risk": NOT_SHOWN if hides else masking.share(known.journalist.average_risk, people),
            "share_at_risk": NOT_SHOWN if hides else masking.share(known.journalist.share_at_risk, people),
            "known_from": _basis(known.journalist),
        }
    if known.marketer.average_risk is not None:
        shown["marketer"] = {
            "highest_risk": figures.NONE,
            "average_risk": NOT_SHOWN if hides else masking.share(known.marketer.average_risk, people),
            "share_at_risk": figures.NONE,
            "known_from": _basis(known.marketer),
        }
    return shown


def row_of(result: Assessment) -> Row | None:
    """The records by the size of their class, masked; None where no such row can be told."""
    whole = result.class_sizes is not None
    counts = records_by_size(result)
    starts = _starts(result.prosecutor.classes_smaller_than)
    ends = [start - 1 for start in starts[1:]] + [None]
    cells = [
        Cell(
            start,
            end,
            sum(records for size, records in counts.items() if start <= size and (end is None or size <= end)),
        )
        for start, end in zip(starts, ends, strict=True)
    ]
    return masking.masked(cells, whole) if counts else None


def _starts(smaller_than: int) -> list[int]:
    """Where cells begin: at the threshold too, and then none so near it that few counts are possible in a cell."""
    if smaller_than <= SMALL:
        return list(_STARTS)
    far = [start for start in _STARTS if start == 1 or not smaller_than < 2 * start < 4 * smaller_than]
    return sorted([*far, smaller_than])


def _highest(risk: ProsecutorRisk | JournalistRisk) -> str:
    """Its inverse is the size of the smallest class."""
    if risk.highest_risk is None:
        return NOT_MEASURED
    if risk.highest_risk > 1 / SMALL + 1e-12:
        return f"over 1/{SMALL}"
    estimated = getattr(risk, "basis", None) is not None and risk.highest_risk < 1e-4
    return figures.percent(risk.highest_risk) if estimated else figures.risk(risk.highest_risk)


def _average(result: Assessment, row: Row | None, words: Words) -> str:
    """Times the records, it is the number of classes: beside masked counts, what follows from the row alone."""
    if result.prosecutor.average_risk is None:
        return NOT_MEASURED
    if row is None:
        return NOT_SHOWN
    if not row.hidden:
        return masking.share(result.prosecutor.average_risk, words.counted)
    return f"at most {masking.at_most(row.highest_average)}" if words.classes else NOT_SHOWN


def _at_risk(risk: ProsecutorRisk, row: Row | None, words: Words) -> str:
    if risk.share_at_risk is None:
        return NOT_MEASURED
    if row is None:
        return NOT_SHOWN
    inside = [place for place, cell in enumerate(row.cells) if cell.least < risk.classes_smaller_than]
    hidden = row.hidden.intersection(inside)
    cells = [row.cells[place] for place in inside]
    records = sum(cell.records for cell in cells)
    if hidden and all(row.cells[place].is_small for place in hidden):
        most = sum(SMALL - 1 if place in hidden else row.cells[place].records for place in inside)
        return (
            masking.small_share(words.counted) if most < SMALL else f"at most {masking.at_most(most / words.counted)}"
        )
    if hidden and hidden != row.hidden:
        return NOT_SHOWN
    if risk.classes_smaller_than < SMALL and records:  # a part of the first count
        return NOT_SHOWN if hidden else masking.share(risk.share_at_risk, words.counted)
    return f"{figures.percent(records / words.counted)} ({words.unit.count(records)})" if records else "none"


def _basis(risk: JournalistRisk | MarketerRisk) -> str:
    told = risk.basis or "the release"
    return f"{told} ({risk.reliability})" if risk.reliability else told


def _estimated(result: Assessment) -> bool:
    found = result.population
    return found is None or (estimates.is_estimated(found) and not estimates.is_certain(found))


def release(result: Assessment, words: Words) -> tuple[Block, ...]:
    """What was measured, as far as it may be told."""
    told_of = result.release
    rows: list[tuple[str, tuple[Line, ...]]] = [("Records", lines(masking.count(told_of.records)))]
    if told_of.entities is not None:
        how = measured.COUNTING.get(told_of.entity_counting or "")
        rows.append(("People", lines(masking.count(told_of.entities), *([f"Counted so: {how}."] if how else []))))
    if told_of.query is not None:
        rows.append(("Selection", lines("the result of a query")))
    if told_of.where:
        rows.append(("Selection", lines("restricted by a condition")))
    if told_of.histogram is None:
        rows.append(("Quasi-identifiers", tuple(_column(item) for item in told_of.quasi_identifiers)))
    if told_of.nulls is not None:
        told = [measured.MISSING[told_of.nulls]] if told_of.nulls in measured.MISSING else []
        told += ["One text counts as missing, before any generalisation."] if told_of.suppressed is not None else []
        rows.append(("Missing values", lines(*told)))
    if told_of.nulls == "exclude" or told_of.excluded_records:
        rows.append(("Excluded records", lines(masking.count(told_of.excluded_records))))
    if told_of.suppressed_records:
        rows.append(("Wholly suppressed records", lines(masking.count(told_of.suppressed_records))))
    return (Facts(tuple(rows)),)


def _column(item: MeasuredColumn) -> Line:
    told = generalisation_of(item)
    if told is None:
        return line(Code(item.column), " as it is")
    return line(Code(item.column), " by ", Code(told)) if "=" in told else line(Code(item.column), f" {told}")


def _attackers(result: Assessment, words: Words) -> tuple[Block, ...]:
    thresholds = [
        (f"{name.capitalize()} threshold", lines(words.threshold(risk)))
        for name, risk in (("prosecutor", result.prosecutor), ("journalist", result.journalist))
        if name == "prosecutor" or risk.average_risk is not None
    ]
    return (
        Bullets(lines(*risks.WHO)),
        table_of(result),
        Facts(tuple(thresholds)),
        Paragraph(line(LIMITS_ALONE)),
    )


def table_of(result: Assessment) -> Table:
    """The figures that may be told, attacker by attacker."""
    shown = figures_of(result)
    labels = {
        "highest_risk": "Highest risk",
        "average_risk": "Average risk",
        "share_at_risk": f"Share of {Words(result).unit.many} at risk",
        "known_from": "Known from",
    }
    rows = tuple((label, *(cells[key] for cells in shown.values())) for key, label in labels.items())
    return Table(("", *(name.capitalize() for name in shown)), rows)


def _population(result: Assessment, words: Words) -> tuple[Block, ...]:
    found = result.population
    assert found is not None
    given = {
        "What": found.description,
        "Of when": found.as_of and f"{found.as_of:%Y-%m-%d}",
        "From where": found.source,
        "Known from": _known_from(found),
        "Size": None if found.size is None else masking.count(found.size),
    }
    rows = [(label, lines(one_line(text) if text else "not stated")) for label, text in given.items()]
    if result.fractions:
        return Facts(tuple(rows)), Paragraph(line(FRACTIONS))
    fraction = figures.percent(found.sampling_fraction) if words.counted >= SMALL else NOT_SHOWN
    rows.append(("Sampling fraction", lines(fraction)))
    if estimates.is_estimated(found):
        rows.append(("Estimator", (estimates.estimator(found.uniques.estimator),)))
        if found.uniques.reliability:
            rows.append(("Reliability", lines(found.uniques.reliability)))
        if not estimates.is_certain(found):
            told = masking.share(found.uniques.release_share, words.counted)
            rows.append((f"{words.units} that are population uniques", lines(told)))
    said = (population.SAMPLE, population.SELECTION, *([] if words.people else [population.ROWS_OVER_PEOPLE]))
    return Facts(tuple(rows)), Bullets(lines(*said))


def _known_from(found: MeasuredPopulation) -> str:
    if found.table is None:
        return "a model of it" if found.model else "its size"
    return "a table of it" + (", restricted by a condition" if found.where else "")


def _sizes(result: Assessment, words: Words) -> tuple[Block, ...]:
    row = row_of(result)
    if row is None or not row.total:
        return (Paragraph(line(TOO_FEW)),)
    filled = [place for place, cell in enumerate(row.cells) if cell.records]
    bars = []
    for place in range(filled[0], filled[-1] + 1):
        cell = row.cells[place]
        hidden = place in row.hidden
        exact = 0.0 if hidden else cell.records / row.total
        told = masking.small_share(row.total) if cell.is_small else NOT_SHOWN if hidden else figures.percent(exact)
        bars.append(Bar(range_label(cell.least, cell.most), exact, (row.shown(place), told)))
    label = words.of_kind("Class size", "Shared by", "Matches")
    return Bars((label, words.units, "Share"), tuple(bars), ""), Paragraph(line(HISTOGRAM))


def _unsaid(result: Assessment) -> list[str]:
    count = len(result.release.previous)
    considered = f"{number_of(count, 'release', 'releases')}" if count else "none"
    return [f"Earlier releases considered: {considered}.", SILENT]
