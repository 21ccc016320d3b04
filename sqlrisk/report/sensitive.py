"""Sensitive columns: what whoever is found in a class is found out about, the worst class first."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from sqlrisk.report import pictures, sizes
from sqlrisk.report.document import Bars, Block, Bullets, Code, Line, Paragraph, Table, line
from sqlrisk.report.figures import Unit, number, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, SensitiveColumn

TITLE = "Sensitive columns"
WORST = (
    "Whoever is known to be in a {0} is found out in what all of that {0} share, without being singled out. Each figure is "
    "of the worst {0}."
)
MEANINGS = "What that means:"
HOW_MANY = "How many are affected:"
COMPARED = {
    "categorical": "by value",
    "numeric": "by the order of its values, as numbers",
    "ordered": "by the order of its values",
    "hierarchical": "by a map of its values to groups",
    "map": "by a map of its values to groups",
}
_VALUES = Unit("different value", "different values")
_SIDE_BY_SIDE = 3
_MOST = 700.0  # of which exp is still finite
_SAME_MIX = "every {group} has the same mix of values as the whole release."
_ALL_ALIKE = "in at least one {group} everybody has the same value"


@dataclass(frozen=True)
class Measure:
    """A measure by its name for people, how its figures are shown, and what one tells the reader.

    ``meaning`` is of the figure and the l of recursive diversity, and leaves a place for the word for a class. ``least``
    says that the least figure is the worst. ``of_people`` stands in its place where people are counted.
    """

    label: str
    meaning: Callable[[float, int], str]
    shown: Callable[[float | None], str] = number
    least: bool = False
    of_people: Callable[[float, int], str] | None = None


def _distinct(value: float, _: int) -> str:
    if value <= 1:
        return f"{_ALL_ALIKE}: who is found there is found out."
    return f"every {{group}} holds at least {number(value)} different values."


def _entropy(value: float, _: int) -> str:
    if value <= 1 + 1e-9:
        return f"{_ALL_ALIKE}: nothing is left to guess."
    if number(value) == "1":
        return "in some {group} nearly everybody has the same value."
    return (
        f"the values of the least mixed {{group}} hide each other no better than {number(value)} equally frequent ones "
        "would."
    )


def _recursive(value: float, least: int) -> str:
    if math.isinf(value):
        return f"at least one {{group}} has fewer than {_VALUES.count(least)}."
    others = {1: "all values", 2: "all other values"}.get(least, f"all but the {least - 1} most frequent ones")
    return f"in some {{group}} the most frequent value is {number(value)} times as frequent as {others} together."


def _alpha(value: float, _: int) -> str:
    if value >= 1:
        return f"{_ALL_ALIKE}: a guess there is always right."
    return f"in some {{group}} {percent(value)} have the same value: a guess there is right that often."


def _alpha_of_people(value: float, least: int) -> str:
    if value >= 1:
        return _alpha(value, least)
    return (
        f"in some {{group}} {percent(value)} of what its people have is the same value, each different value of a person "
        "counted once: a person with several is in several shares."
    )


def _t_closeness(value: float, _: int) -> str:
    if value == 0:
        return _SAME_MIX
    return (
        f"on a scale from 0 (the same) to 1 (as far as can be), the values of the most peculiar {{group}} are "
        f"{number(value)} away from those of the whole release."
    )


def _basic_beta(value: float, _: int) -> str:
    if value == 0:
        return _SAME_MIX
    return f"in some {{group}} a value is {number(1 + value)} times as frequent as in the whole release."


def _enhanced_beta(value: float, _: int) -> str:
    return (
        f"as basic β, but judged more strictly where a value is frequent anyway: {number(value)} is the least bound that "
        "every {group} keeps."
    )


def _disclosure(value: float, _: int) -> str:
    if math.isinf(value):
        return "some {group} lacks a value of the release: who is found there is known not to have it."
    if value == 0:
        return _SAME_MIX
    return f"in some {{group}} a value is {_times(value)} times as frequent, or as rare, as in the whole release."


def _present_only(value: float, _: int) -> str:
    if value == 0:
        return "the values that a {group} has are as frequent in it as in the whole release."
    return (
        f"as δ-disclosure, but of the values that a {{group}} has: one is {_times(value)} times as frequent, or as rare, as "
        "in the whole release."
    )


def _times(value: float) -> str:
    return number(math.exp(min(value, _MOST)))


MEASURES = {
    "l_distinct": Measure("Distinct l", _distinct, least=True),
    "l_entropy": Measure("Entropy l", _entropy, least=True),
    "recursive_c": Measure("Recursive c", _recursive),
    "alpha": Measure("α", _alpha, percent, of_people=_alpha_of_people),
    "t_closeness": Measure("t-closeness", _t_closeness),
    "basic_beta": Measure("Basic β", _basic_beta),
    "enhanced_beta": Measure("Enhanced β", _enhanced_beta),
    "delta_disclosure": Measure("δ-disclosure", _disclosure),
    "delta_disclosure_present_only": Measure("δ, present only", _present_only),
}


def sensitive(result: Assessment, words: Words) -> tuple[Block, ...]:
    """How each column was compared, the measures side by side, what they mean, how many are affected, and the histograms."""
    columns = result.sensitive or {}
    measured = {name: part for name, part in columns.items() if part.l_distinct is not None or part.reason is None}
    blocks: list[Block] = [Paragraph(line(WORST.format(words.group)))] if measured else []
    blocks.append(Bullets(tuple(_compared(name, part, words) for name, part in columns.items())))
    names = list(measured)
    for start in range(0, len(names), _SIDE_BY_SIDE):
        blocks.append(_table({name: measured[name] for name in names[start : start + _SIDE_BY_SIDE]}))
    if absent := _absent(result, measured, words):
        blocks.append(Bullets(absent))
    if meanings := _meanings(measured, words):
        blocks += [Paragraph(line(MEANINGS)), Bullets(meanings)]
    if affected := [told for name, part in measured.items() if (told := _affected(name, part, words))]:
        blocks += [Paragraph(line(HOW_MANY)), Bullets(tuple(affected))]
    for name, part in measured.items():
        if part.l_histogram:
            blocks.append(Paragraph(line("By the number of different values of ", Code(name), f" in a {words.group}:")))
            blocks.append(pictures.l_diversity(name, part, _histogram(part, words), words))
    return tuple(blocks)


def name_of(column: str, measure: str) -> Line:
    """A measure of a column by its name: Distinct l of diagnosis."""
    return line(f"{_label(measure)} of ", Code(column))


def _label(measure: str) -> str:
    return MEASURES[measure].label if measure in MEASURES else measure.replace("_", " ")


def _compared(name: str, part: SensitiveColumn, words: Words) -> Line:
    kind = part.compared.partition("=")[0]
    pieces = [": compared ", COMPARED[kind], " ("] if kind in COMPARED else [": compared ("]
    pieces += [Code(part.compared), ")"]
    missing = "" if part.missing is None else f" ({words.unit.count(part.missing)})"
    ignored = part.nulls == "ignore"
    if part.values is not None:
        included = ", the missing one included" if part.missing and not ignored else ""
        pieces.append(f", {_VALUES.count(part.values)}{included}")
    pieces.append(f". Missing values are ignored{missing}." if ignored else f". A missing value is a value{missing}.")
    if part.without_value:
        found = words.unit.count(part.without_value)
        pieces.append(f" Of {found}, nobody in the {words.group} has a value: no measure is about them.")
    if part.l_distinct is None and part.reason is not None:
        pieces.append(f" Not measured, {words.reason(part.reason, f'under “{TITLE}”')}.")
    return line(Code(name), *pieces)


def _table(columns: dict[str, SensitiveColumn]) -> Table:
    rows = []
    for measure, about in MEASURES.items():
        label = about.label
        if measure == "recursive_c" and len(least := {part.recursive_l for part in columns.values()}) == 1:
            label += f" (l={least.pop()})"
        rows.append((label, *(about.shown(getattr(part, measure)) for part in columns.values())))
    return Table(("", *(Code(name) for name in columns)), tuple(rows))


def _absent(result: Assessment, columns: dict[str, SensitiveColumn], words: Words) -> tuple[Line, ...]:
    """Which measures of which columns there are none of, each reason once."""
    about: dict[str, list[Line]] = {}
    for name in columns:
        for measure in MEASURES:
            value, reason = result.value(f"sensitive.{name}.{measure}")
            if value is None and reason is not None:
                about.setdefault(reason, []).append(name_of(name, measure))
    place = f"under “{TITLE}”"
    return tuple(
        line(*joined(names, "; "), f": none, {words.reason(reason, place)}.") for reason, names in about.items()
    )


def _meanings(columns: dict[str, SensitiveColumn], words: Words) -> tuple[Line, ...]:
    """One sentence on each measure, of the column in which it is worst."""
    said = []
    for measure, about in MEASURES.items():
        known = {name: value for name, part in columns.items() if (value := getattr(part, measure)) is not None}
        if not known:
            continue
        worst = (min if about.least else max)(known.values())
        where = [name for name, value in known.items() if value == worst]
        least = columns[where[0]].recursive_l
        named = () if len(where) == len(columns) else (" (", *joined([line(Code(name)) for name in where], ", "), ")")
        told = (words.people and about.of_people) or about.meaning
        meaning = told(worst, least).format(group=words.group)
        said.append(line(f"{about.label} = {about.shown(worst)}", *named, f": {meaning}"))
    return tuple(said)


def joined(lines: list[Line], by: str) -> Line:
    """Several lines as one."""
    pieces: list[str] = []
    for item in lines:
        pieces += [by, *item] if pieces else item
    return tuple(pieces)


def _affected(name: str, part: SensitiveColumn, words: Words) -> Line:
    """How many are in classes with too few values, and beyond each limit; empty where that is not known."""
    said = []
    few = f"fewer than {_VALUES.count(part.below_l)}"
    if part.records_below_l == 0:
        said.append(f"no {words.group} has {few}")
    elif part.records_below_l is not None:
        found = words.within(part.records_below_l, part.classes_below_l, share=True)
        said.append(found + words.of_kind(f" with {few}", f" in tuples with {few}", f" in groups with {few}"))
    kept = []
    for measure, beyond in part.beyond.items():
        if measure == "l_distinct" and beyond.records == part.records_below_l:
            continue  # told already
        if beyond.records:
            found = words.within(beyond.records, beyond.classes, share=True)
            said.append(f"beyond the limit on {_label(measure)}: {found}")
        else:
            kept.append(_label(measure))
    if kept:
        said.append(f"nobody beyond the limit on {' or '.join(kept)}")
    return line(Code(name), f": {'; '.join(said)}.") if said else ()


def _histogram(part: SensitiveColumn, words: Words) -> Bars:
    counts = [(values, classes or 0, records) for values, classes, records in part.l_histogram]
    return sizes.binned("Values", counts, part.below_l, ("", f"below {part.below_l}"), words)
