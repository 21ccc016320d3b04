"""How large the classes are."""

from __future__ import annotations

from sqlrisk.report.document import Bar, Bars, Block, Facts, Line, Paragraph, line, lines
from sqlrisk.report.figures import NONE, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

BINS = (0, 1, 2, 3, 4, 5, 10, 20, 50, 100)


def class_sizes(result: Assessment, words: Words) -> tuple[Block, ...]:
    """How many share what: the figures and the histogram."""
    return (Paragraph(line(_what_is_a_class(words))), Facts(_size_facts(result, words)), histogram(result, words))


def _what_is_a_class(words: Words) -> str:
    if words.classes:
        same = "rows" if words.people else "values"
        return f"A class is all {words.unit.many} with the same {same} in the {words.columns}: these tell nobody apart."
    if words.tuples:
        return "People by the smallest number of people who share a tuple with them."
    return f"{words.units} by the number of {words.unit.many} {words.who} match them, themselves included."


def _size_facts(result: Assessment, words: Words) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    uniques = result.sample_uniques
    alone = f"{words.unit.count(uniques.records)} ({percent(uniques.share)}): no other {words.unit.one} matches"
    label = words.of_kind("Smallest class", "Smallest number", "Fewest matches")
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
        if not measure.startswith(("attackers.", "population.", "sensitive.", "increase.")):  # told where they belong
            about.setdefault(reason, []).append(measure.replace(".", ": ").replace("_", " "))
    place = f"under “{words.sizes_title}”"
    return [
        ("Not measured", lines(f"{', '.join(names)}, {words.reason(reason, place)}")) for reason, names in about.items()
    ]


def histogram(result: Assessment, words: Words) -> Bars:
    """Records (people) by the size of their class, and the classes of those sizes; bins end at the threshold."""
    if result.class_sizes is not None:
        counts = [(size, classes, size * classes) for size, classes in result.class_sizes.pairs]
    else:
        counts = [(size, 0, records) for size, records in (result.record_sizes.pairs if result.record_sizes else ())]
    label = words.of_kind("Class size", "Shared by", "Matches")
    return binned(label, counts, result.prosecutor.classes_smaller_than, ("Prosecutor", "at risk"), words)


def records_by_size(result: Assessment) -> dict[int, int]:
    """Records (people) by the number who are alike in the release."""
    if result.class_sizes is not None:
        return {size: size * classes for size, classes in result.class_sizes.pairs}
    return dict(result.record_sizes.pairs) if result.record_sizes is not None else {}


def binned(
    label: str, counts: list[tuple[int, int, int]], smaller_than: int, flag: tuple[str, str], words: Words
) -> Bars:
    """(Number, classes, records) as bars by the number, few of them; ``flag`` is a header and the word on bars below a bound,
    at which a bin ends. Classes are shown where there are any."""
    starts = sorted({*BINS, smaller_than})
    ends = [start - 1 for start in starts[1:]] + [None]
    bars = []
    for start, end in zip(starts, ends, strict=True):
        inside = [count for count in counts if count[0] >= start and (end is None or count[0] <= end)]
        records = sum(count[2] for count in inside)
        share = records / words.counted if words.counted else 0.0
        shown = [f"{records:,}", percent(share)]
        if words.classes:
            shown.append(f"{sum(count[1] for count in inside):,}")
        bars.append(Bar(range_label(start, end), share, tuple(shown), flag[1] if start < smaller_than else ""))
    header = (label, words.units, "Share", "Classes") if words.classes else (label, words.units, "Share")
    return Bars(header, trimmed(bars), flag[0])


def range_label(start: int, end: int | None) -> str:
    """``5–9``, ``4``, ``100+``."""
    if end is None:
        return f"{start:,}+"
    return f"{start:,}" if start == end else f"{start:,}–{end:,}"


def trimmed(bars: list[Bar]) -> tuple[Bar, ...]:
    """Without the empty bins at both ends."""
    full = [number for number, bar in enumerate(bars) if bar.share]
    return tuple(bars[full[0] : full[-1] + 1]) if full else ()
