"""Against which attacker, and how large the classes are."""

from __future__ import annotations

import math

from sqlrisk.report import figures
from sqlrisk.report.document import Bar, Bars, Block, Bullets, Facts, Line, Paragraph, Table, line, lines
from sqlrisk.report.figures import NONE, percent, risk
from sqlrisk.report.words import NOT_A_RECOMMENDATION, Words
from sqlrisk.result import Assessment, AttackerRisks, JournalistRisk, MarketerRisk, ProsecutorRisk

WHO = (
    "Prosecutor: knows that the person they look for is in this table. Use it when anyone could know that a person is "
    "in this table (a complete register, known participation).",
    "Journalist: knows that the person is in the population, not whether they are in this table. Use it only when "
    "nobody could know that.",
    "Marketer: matches everybody, to get as many right as possible.",
)
SAME_BY_DEFINITION = "Estimated journalist average and marketer average are the same number by definition."
BINS = (1, 2, 3, 4, 5, 10, 20, 50, 100)
_PLACE = "under “Against which attacker”"


def attackers(result: Assessment, words: Words) -> tuple[Block, ...]:
    """Who attacks, with what success, and above which threshold a record is at risk."""
    known = result.attackers
    blocks: list[Block] = [Bullets(lines(*WHO)), _table(known, words), Facts(_thresholds(known, words))]
    notes = [*_absent(known, words), *_compared(known)]
    if notes:
        blocks.append(Bullets(tuple(notes)))
    return tuple(blocks)


def _table(known: AttackerRisks, words: Words) -> Table:
    columns: list[tuple[str, ProsecutorRisk | MarketerRisk]] = [("Prosecutor", known.prosecutor)]
    columns += [("Journalist", known.journalist)] if known.journalist.average_risk is not None else []
    columns += [("Marketer", known.marketer)] if known.marketer.average_risk is not None else []
    estimated = _estimated(known.journalist)
    rows = {
        "Highest risk": [risk(getattr(item, "highest_risk", None)) for _, item in columns],
        "Average risk": [
            "the same" if item is known.marketer and estimated else percent(item.average_risk) for _, item in columns
        ],
        "Lowest risk": [risk(getattr(item, "lowest_risk", None)) for _, item in columns],
        f"{words.units} at risk, of {words.counted:,}": [_at_risk(item) for _, item in columns],
        "Classes at risk": [_classes_at_risk(item) for _, item in columns],
        f"{words.units} matched right": [_matches(item) for _, item in columns],
        "Known from": [_basis(item) for _, item in columns],
    }
    filled = tuple((name, *cells) for name, cells in rows.items() if set(cells) != {NONE})
    return Table(("", *(name for name, _ in columns)), filled)


def _at_risk(item: ProsecutorRisk | MarketerRisk) -> str:
    if isinstance(item, MarketerRisk) or item.records_at_risk is None:
        return NONE
    return f"{figures.number(item.records_at_risk)} ({percent(item.share_at_risk)})"


def _classes_at_risk(item: ProsecutorRisk | MarketerRisk) -> str:
    return NONE if isinstance(item, MarketerRisk) else figures.number(item.classes_at_risk)


def _matches(item: ProsecutorRisk | MarketerRisk) -> str:
    matches = getattr(item, "expected_matches", None)
    return NONE if matches is None else f"{figures.number(matches)} expected"


def _basis(item: ProsecutorRisk | MarketerRisk) -> str:
    basis = getattr(item, "basis", None) or "the release"
    reliability = getattr(item, "reliability", None)
    return basis if reliability in (None, "measured") else f"{basis} ({reliability})"


def _thresholds(known: AttackerRisks, words: Words) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    rows = []
    for name, place, item in (
        ("Prosecutor", "release", known.prosecutor),
        ("Journalist", "population", known.journalist),
    ):
        if item.share_at_risk is None and item.reason:
            continue
        text = f"{item.threshold}, that is, classes smaller than {item.classes_smaller_than:,} "
        text += f"in the {place} are at risk" if words.classes else f"(here: {words.no_classes(place)}) are at risk"
        if words.is_default(item.threshold):
            text += f"; {NOT_A_RECOMMENDATION}"
        rows.append((f"{name} threshold", (line(text),)))
    return tuple(rows)


def _absent(known: AttackerRisks, words: Words) -> list[Line]:
    about: dict[str, list[str]] = {}
    named: dict[str, ProsecutorRisk | MarketerRisk] = {
        "Prosecutor": known.prosecutor,
        "Journalist": known.journalist,
        "Marketer": known.marketer,
    }
    for name, item in named.items():
        if item.average_risk is None:
            about.setdefault(item.reason or "it could not be computed", []).append(name)
    return [
        line(f"{' and '.join(names).capitalize()}: not measured, {words.reason(reason, _PLACE)}.")
        for reason, names in about.items()
    ]


def _compared(known: AttackerRisks) -> list[Line]:
    prosecutor, journalist = known.prosecutor.average_risk, known.journalist.average_risk
    notes = []
    if prosecutor and journalist:
        if math.isclose(prosecutor, journalist):
            notes.append(line("Prosecutor equals journalist (average risk)."))
        else:
            notes.append(
                line(
                    f"Prosecutor is {figures.times(prosecutor / journalist)} times journalist (average risk): what "
                    "over-protection would cost where nobody could know who is in this table."
                )
            )
    expected = known.journalist.highest_expected_risk
    if expected is not None and expected != known.journalist.highest_risk:
        notes.append(line(f"Journalist: the highest expected risk is {risk(expected)}; no limit judges it."))
    if _estimated(known.journalist) and known.marketer.average_risk is not None:
        notes.append(line(SAME_BY_DEFINITION))
    return notes


def _estimated(journalist: JournalistRisk) -> bool:
    return journalist.basis is not None and journalist.basis != "population table"


def class_sizes(result: Assessment, words: Words) -> tuple[Block, ...]:
    """How many share what: the figures and the histogram."""
    return (Paragraph(line(_what_is_a_class(words))), Facts(_size_facts(result, words)), histogram(result, words))


def _what_is_a_class(words: Words) -> str:
    if words.classes:
        same = "rows" if words.people else "values"
        return f"A class is all {words.unit.many} with the same {same} in the columns listed: these tell nobody apart."
    if words.people:
        return "People by the smallest number of people who share a tuple with them."
    return "Records by the number of records that match them."


def _size_facts(result: Assessment, words: Words) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    uniques = result.sample_uniques
    alone = f"{words.unit.count(uniques.records)} ({percent(uniques.share)}): no other {words.unit.one} matches"
    label = "Smallest class" if words.classes else "Smallest number"
    rows = [(label, lines(words.unit.count(result.smallest_class))), ("Sample uniques", lines(alone))]
    if words.classes:
        rows.insert(0, ("Classes", lines(f"{result.classes:,}" if result.classes is not None else NONE)))
        rows.insert(2, ("Largest class", lines(words.unit.count(result.largest_class))))
    if result.distinction is not None:
        rows.append(("Distinction", lines(f"{percent(result.distinction)}: classes over {words.unit.many}")))
    if result.separation is not None:
        differ = f"{percent(result.separation)} of the pairs of {words.unit.many} differ in a quasi-identifier"
        rows.append(("Separation", lines(differ)))
    rows += _not_measured(result, words)
    return tuple(rows)


def _not_measured(result: Assessment, words: Words) -> list[tuple[str, tuple[Line, ...]]]:
    about: dict[str, list[str]] = {}
    for measure, reason in result.reasons.items():
        about.setdefault(reason, []).append(measure.replace(".", ": ").replace("_", " "))
    place = f"under “{words.sizes_title}”"
    return [
        ("Not measured", lines(f"{', '.join(names)}, {words.reason(reason, place)}")) for reason, names in about.items()
    ]


def histogram(result: Assessment, words: Words) -> Bars:
    """Records (people) by the size of their class, and the classes of those sizes; bins end at the threshold."""
    smaller_than = result.prosecutor.classes_smaller_than
    sizes = result.class_sizes or result.record_sizes
    pairs = sizes.pairs if sizes is not None else ()
    starts = sorted({*BINS, smaller_than})
    ends = [start - 1 for start in starts[1:]] + [None]
    bars = []
    for start, end in zip(starts, ends, strict=True):
        inside = [(size, count) for size, count in pairs if size >= start and (end is None or size <= end)]
        counted = sum(size * count if words.classes else count for size, count in inside)
        share = counted / words.counted if words.counted else 0.0
        shown = [f"{counted:,}", percent(share)]
        if words.classes:
            shown.append(f"{sum(count for _, count in inside):,}")
        bars.append(Bar(_label(start, end), share, tuple(shown), "at risk" if start < smaller_than else ""))
    header = ("Class size" if words.classes else "Shared by", words.units, "Share")
    return Bars((*header, "Classes") if words.classes else header, _trimmed(bars), "Prosecutor")


def _label(start: int, end: int | None) -> str:
    if end is None:
        return f"{start:,}+"
    return f"{start:,}" if start == end else f"{start:,}–{end:,}"


def _trimmed(bars: list[Bar]) -> tuple[Bar, ...]:
    """Without the empty bins at both ends."""
    full = [number for number, bar in enumerate(bars) if bar.share]
    return tuple(bars[full[0] : full[-1] + 1]) if full else ()
