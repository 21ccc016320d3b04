"""The plots of a report: which figures are drawn, the sentence that says what is seen, and the table behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlrisk.report.document import Columns, Dots, Mark, Plot, Steps, Table, Trends
from sqlrisk.report.estimates import has_estimates
from sqlrisk.report.figures import CLASSES, NONE, about, percent
from sqlrisk.report.plots import LEAST
from sqlrisk.report.sizes import range_label
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, SensitiveColumn

_READ_AT = (1, 2, 3, 5, 10, 11, 20, 50, 100)
_TREND = (
    ("Prosecutor: average risk", "attackers.prosecutor.average_risk"),
    ("Prosecutor: share at risk", "attackers.prosecutor.share_at_risk"),
    ("Journalist: average risk", "attackers.journalist.average_risk"),
    ("Unique in the release", "sample_uniques.share"),
)


def risk_distribution(result: Assessment, words: Words) -> Plot | None:
    """The share of records in each range of record risk, with the prosecutor's threshold as a border between two."""
    sizes = _records_by_size(result)
    bound = result.prosecutor.classes_smaller_than
    if not sizes:
        return None
    largest = max(sizes)
    starts = [1]
    while starts[-1] <= largest:
        starts.append(starts[-1] * 2)
    starts = sorted({*starts, min(bound, largest + 1)})
    groups = []
    for start, after in zip(starts, starts[1:], strict=False):
        records = sum(count for size, count in sizes.items() if start <= size < after)
        groups.append((start, after - 1, records))
    groups.reverse()  # from the least risk to the most
    shares = tuple(records / words.counted for *_, records in groups)
    flags = tuple(end < bound for _, end, _ in groups)
    at_risk = result.prosecutor.share_at_risk
    alt = (
        f"Columns of the share of {words.unit.many} by record risk. Above the threshold {result.prosecutor.threshold} "
        f"{'are' if words.unit.many != 'share' else 'is'} {percent(at_risk)}; the highest risk is "
        f"{percent(result.prosecutor.highest_risk)}."
    )
    rows = tuple(
        (_risk_range(start, end), range_label(start, end), f"{records:,}", percent(share), "at risk" if flag else "")
        for (start, end, records), share, flag in zip(groups, shares, flags, strict=True)
    )
    label = words.of_kind("Class size", "Shared by", "Matches")
    return Plot(
        title=f"Record risk, with the threshold {result.prosecutor.threshold}",
        alt=alt,
        drawn=Columns(
            tuple(_risk_range(start, end) for start, end, _ in groups),
            shares,
            flags,
            "record risk: one over the number who are alike (hatched: above the threshold)",
            f"share of {words.unit.many}",
        ),
        table=Table(("Record risk", label, words.units, "Share", "Prosecutor"), rows),
    )


def share_against_threshold(result: Assessment, words: Words) -> Plot | None:
    """What share of records would be at risk at any other threshold."""
    curves = []
    for name, sizes in (("Prosecutor", _records_by_size(result)), ("Journalist", _people_by_size(result))):
        if sizes:
            curves.append((name, _shares_above(sizes)))
    if not curves:
        return None
    attackers = {"Prosecutor": result.prosecutor, "Journalist": result.journalist}
    drawn = [attackers[name] for name, _ in curves]
    marks = {risk.threshold: Mark(_number(risk.threshold, risk.classes_smaller_than), risk.threshold) for risk in drawn}
    read_at = sorted({*_READ_AT, *(risk.classes_smaller_than for risk in drawn)})
    rows = tuple(
        (f"1/{size}", *(percent(_at_risk(points, 1 / size)) for _, points in curves)) for size in read_at if size > 0
    )
    told = "; ".join(
        f"{name.lower()}, {percent(attackers[name].share_at_risk)} at the threshold {attackers[name].threshold}"
        for name, _ in curves
    )
    return Plot(
        title="Share at risk against threshold",
        alt=f"A curve that falls in steps as the threshold rises: the share of {words.unit.many} at risk. {told}.",
        drawn=Steps(
            tuple(curves),
            tuple(marks.values()),
            "threshold (logarithmic)",
            f"share of {words.unit.many} at risk",
        ),
        table=Table(("Threshold", *(name for name, _ in curves)), rows),
    )


def estimators(result: Assessment) -> Plot | None:
    """What each model says of the population uniques, with the interval of the one that was used."""
    population = result.population
    if population is None or not has_estimates(population):
        return None
    known = {
        name: item.population_people
        for name, item in population.estimators.items()
        if item.converged and item.population_people is not None
    }
    if not known:
        return None
    uniques = population.uniques
    names, values = list(known), list(known.values())
    spans: list[tuple[float, float] | None] = [None] * len(names)
    chosen = None
    if uniques.population_people is not None:
        chosen = f"{uniques.estimator} (used)"
        names, values, spans = [chosen, *names], [uniques.population_people, *values], [uniques.interval, *spans]
    rows = [(chosen or "", about(uniques.population_people), _interval(uniques.interval), "")] if chosen else []
    rows += [
        (name, about(item.population_people) if name in known else NONE, NONE, item.reason or "")
        for name, item in population.estimators.items()
    ]
    used = f"The one used, {uniques.estimator}, says {about(uniques.population_people)} people. " if chosen else ""
    return Plot(
        title="Population uniques, by every model",
        alt=(
            f"A dot for each of {len(known)} models on a logarithmic axis. {used}"
            f"The models say from {about(min(known.values()))} to {about(max(known.values()))} people."
        ),
        drawn=Dots(
            tuple(names),
            tuple(values),
            tuple(spans),
            chosen,
            f"people of the population who are unique (logarithmic; fewer than {LEAST} at the edge)",
        ),
        table=Table(("Model", "People", "Interval", "Note"), tuple(rows)),
    )


def l_diversity(column: str, measured: SensitiveColumn, words: Words) -> Plot | None:
    """How many records are in classes with so many different values of a sensitive column."""
    if not measured.l_histogram:
        return None
    total = sum(records for *_, records in measured.l_histogram)
    most = 12
    shown: list[tuple[str, int, int | None, bool]] = []
    for values, classes, records in measured.l_histogram[:most]:
        shown.append((f"{values:,}", records, classes, values < measured.below_l))
    if rest := measured.l_histogram[most:]:
        classes = None if rest[0][1] is None else sum(count or 0 for _, count, _ in rest)
        shown.append((f"{rest[0][0]:,}+", sum(records for *_, records in rest), classes, rest[0][0] < measured.below_l))
    shares = tuple(records / total if total else 0.0 for _, records, _, _ in shown)
    rows = tuple(
        (label, f"{records:,}", percent(share), NONE if classes is None else f"{classes:,}")
        for (label, records, classes, _), share in zip(shown, shares, strict=True)
    )
    below = (
        f"{words.unit.count(measured.records_below_l)}" if measured.records_below_l is not None else "an unknown number"
    )
    return Plot(
        title=f"Different values of {column} in a {words.group}",
        alt=(
            f"Columns of the share of {words.unit.many} by the number of different values in their {words.group}. "
            f"Below {measured.below_l}: {below}. The least is {measured.l_distinct}."
        ),
        drawn=Columns(
            tuple(label for label, *_ in shown),
            shares,
            tuple(flag for *_, flag in shown),
            f"different values (hatched: fewer than {measured.below_l})",
            f"share of {words.unit.many}",
        ),
        table=Table(("Different values", words.units, "Share", CLASSES.many.capitalize()), rows),
    )


def history(result: Assessment) -> Plot | None:
    """The headline shares of the runs before, and of this one."""
    earlier = result.earlier or []
    if not earlier:
        return None
    figures = [run.figures for run in earlier]
    paths = [(name, path) for name, path in _TREND if result.value(path)[0] is not None]
    lines = tuple(
        (name, (*(_finite(found.get(path)) for found in figures), _finite(result.value(path)[0])))
        for name, path in paths
    )
    when = (*(run.started_at for run in earlier), result.started_at)
    same = (*(run.same_definition for run in earlier), True)
    rows = tuple(
        (
            f"{moment:%Y-%m-%d %H:%M}",
            *(NONE if values[at] is None else percent(values[at]) for _, values in lines),
            "" if same[at] else "another definition",
        )
        for at, moment in enumerate(when)
    )
    first, last = lines[0][1][0], lines[0][1][-1]
    moved = "" if first is None or last is None else f" {lines[0][0]}: {percent(first)} at first, {percent(last)} now."
    return Plot(
        title="The runs before",
        alt=f"Lines of {len(lines)} shares over {len(when)} runs.{moved}",
        drawn=Trends(when, same, lines, "share"),
        table=Table(("Run (UTC)", *(name for name, _ in lines), "Definition"), rows),
    )


def _records_by_size(result: Assessment) -> dict[int, int]:
    """Records by the number who are alike in the release."""
    if result.class_sizes is not None:
        return {size: size * classes for size, classes in result.class_sizes.pairs}
    return dict(result.record_sizes.pairs) if result.record_sizes is not None else {}


def _people_by_size(result: Assessment) -> dict[int, int]:
    """Records by the number who are alike in the population, where a population table was counted and compared."""
    population = result.population
    if population is None or result.journalist.share_at_risk is None:
        return {}
    counted: Counter[int] = Counter()
    for size, people, number in population.joint_sizes or ():
        if size:
            counted[max(size, people)] += size * number
    for _, people, records in population.joint_record_sizes or ():
        counted[people] += records
    return dict(counted)


def _shares_above(sizes: dict[int, int]) -> tuple[tuple[float, float], ...]:
    """(Threshold, share of records with a risk above it), from the smallest risk on."""
    total, above, points = sum(sizes.values()), sum(sizes.values()), []
    largest = max(sizes)
    points.append((1 / (2 * largest), 1.0))
    for size in sorted(sizes, reverse=True):
        above -= sizes[size]
        points.append((1 / size, above / total))
    return tuple(points)


def _at_risk(points: Sequence[tuple[float, float]], threshold: float) -> float:
    share = 1.0
    for at, above in points:
        if at > threshold + 1e-12:
            break
        share = above
    return share


def _number(text: str, smaller_than: int) -> float:
    """A threshold as written, as a number."""
    top, slash, bottom = text.replace(" ", "").removeprefix("k=").partition("/")
    try:
        return float(top) / float(bottom) if slash else 1 / float(top) if text.strip().startswith("k") else float(top)
    except (ValueError, ZeroDivisionError):
        return 1 / max(smaller_than, 1)


def _risk_range(start: int, end: int) -> str:
    return f"1/{start:,}" if start == end else f"1/{end:,} – 1/{start:,}"


def _interval(interval: tuple[float, float] | None) -> str:
    return NONE if interval is None else f"{about(interval[0])} – {about(interval[1])}"


def _finite(value: float | None) -> float | None:
    return None if value is None or value in (float("inf"), float("-inf")) else value
