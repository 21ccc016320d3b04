"""The plots of a report: which figures are drawn, the sentence that says what is seen, and the table behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlrisk.report.document import Bars, Columns, Dots, Mark, Plot, Steps, Table, Trends
from sqlrisk.report.estimates import REPORTED, has_estimates, model_name
from sqlrisk.report.figures import NONE, PEOPLE, Unit, between, estimate, number, percent
from sqlrisk.report.plots import LEAST
from sqlrisk.report.sizes import range_label, records_by_size
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, PopulationUniques, SensitiveColumn

_STARTS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
"""Where ranges of sizes begin, beside the threshold."""
_READ_AT = (1, 2, 3, 5, 10, 11, 20, 50, 100)
_TREND = (
    ("Prosecutor: average risk", "attackers.prosecutor.average_risk"),
    ("Prosecutor: share at risk", "attackers.prosecutor.share_at_risk"),
    ("Journalist: average risk", "attackers.journalist.average_risk"),
    ("Unique in the release", "sample_uniques.share"),
)
DID_NOT_CONVERGE = "it did not converge"
HOLLOW = "hollow: of another definition, not to be compared"


def risk_distribution(result: Assessment, words: Words) -> Plot | None:
    """The share of records in each range of record risk, with the prosecutor's threshold as a border between two."""
    sizes = records_by_size(result)
    bound = result.prosecutor.classes_smaller_than
    if not sizes:
        return None
    groups = []
    for start, end in reversed(_ranges(max(sizes), bound)):  # from the least risk to the most
        records = sum(count for size, count in sizes.items() if start <= size and (end is None or size <= end))
        groups.append((start, end, records))
    shares = tuple(records / words.counted for *_, records in groups)
    flags = tuple(start < bound for start, *_ in groups)
    risk = result.prosecutor
    alt = (
        f"Columns of the share of {words.unit.many} by record risk. Above the threshold {risk.threshold}: "
        f"{percent(risk.share_at_risk)}. The highest risk is {percent(risk.highest_risk)}."
    )
    rows = tuple(
        (_risk_range(start, end), range_label(start, end), f"{records:,}", percent(share), "at risk" if flag else "")
        for (start, end, records), share, flag in zip(groups, shares, flags, strict=True)
    )
    label = words.of_kind("Class size", "Shared by", "Matches")
    return Plot(
        title=f"Record risk, with the threshold {risk.threshold}",
        alt=alt,
        drawn=Columns(
            tuple(_risk_range(start, end) for start, end, _ in groups),
            shares,
            flags,
            "record risk: one over the number who are alike (hatched: above the threshold)",
            f"share of {words.unit.many}",
            Mark(flags.count(False), f"threshold {risk.threshold}"),
        ),
        table=Table(("Record risk", label, words.units, "Share", "Prosecutor"), rows),
    )


def _ranges(largest: int, bound: int) -> list[tuple[int, int | None]]:
    """Ranges of sizes from 1 to the largest, with a border at ``bound``; the last may have no end."""
    starts = sorted({*_STARTS, bound})
    shown = [start for start in starts if start <= largest]
    ends = [start - 1 for start in starts[1:]]
    return [(start, ends[place] if place < len(ends) else None) for place, start in enumerate(shown)]


def share_against_threshold(result: Assessment, words: Words) -> Plot | None:
    """What share of records would be at risk at any other threshold."""
    curves = []
    for name, sizes in (("Prosecutor", records_by_size(result)), ("Journalist", _people_by_size(result))):
        if sizes:
            curves.append((name, _shares_above(sizes)))
    if not curves:
        return None
    attackers = {"Prosecutor": result.prosecutor, "Journalist": result.journalist}
    drawn = [attackers[name] for name, _ in curves]
    told_apart = len({risk.threshold for risk in drawn}) > 1
    marks = {
        risk.threshold: Mark(
            _number(risk.threshold, risk.classes_smaller_than),
            f"{name.lower() if told_apart else 'threshold'} {risk.threshold}",
        )
        for (name, _), risk in zip(curves, drawn, strict=True)
    }
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
    uniques = population.uniques
    known = {
        name: item.population_people
        for name, item in population.estimators.items()
        if item.converged and item.population_people is not None
    }
    if uniques.population_people is not None:
        known[uniques.estimator] = uniques.population_people
    if not known:
        return None
    names = sorted(known, key=lambda name: known[name])
    spans = {name: uniques.interval if name == uniques.estimator else None for name in names}
    labels = {name: model_name(name) + (REPORTED if name == uniques.estimator else "") for name in names}
    reasons = {name: item.reason or "" for name, item in population.estimators.items()}
    rows = [
        (labels[name], estimate(known[name]), between(spans[name], estimate), reasons.get(name, "")) for name in names
    ]
    rows += [
        (model_name(name), NONE, NONE, item.reason or DID_NOT_CONVERGE)
        for name, item in population.estimators.items()
        if name not in known
    ]
    return Plot(
        title="Population uniques, by every model",
        alt=(
            f"A dot for each of {len(known)} models on a logarithmic axis, from {estimate(known[names[0]])} to "
            f"{PEOPLE.estimated(known[names[-1]])}.{_reported(uniques)}"
        ),
        drawn=Dots(
            tuple(labels[name] for name in names),
            tuple(known[name] for name in names),
            tuple(spans[name] for name in names),
            labels.get(uniques.estimator),
            f"people who are unique in the population (logarithmic; ◂ fewer than {LEAST})",
        ),
        table=Table(("Model", "People", "95 % interval", "Note"), tuple(rows)),
    )


def _reported(uniques: PopulationUniques) -> str:
    if uniques.population_people is None:
        return ""
    within = f", 95 % interval {between(uniques.interval, estimate)}" if uniques.interval else ""
    return f" Reported, by {model_name(uniques.estimator)}: {PEOPLE.estimated(uniques.population_people)}{within}."


def l_diversity(column: str, measured: SensitiveColumn, bars: Bars, words: Words) -> Plot:
    """The histogram of the different values of a sensitive column in a class, drawn."""
    rows = tuple((bar.label, *bar.figures, bar.flag) for bar in bars.bars)
    below = measured.records_below_l
    return Plot(
        title=f"Different values of {column} in a {words.group}",
        alt=(
            f"Columns of the share of {words.unit.many} by the number of different values in their {words.group}. Below "
            f"{measured.below_l}: {'an unknown number' if below is None else words.unit.count(below)}. The least is "
            f"{number(measured.l_distinct)}."
        ),
        drawn=Columns(
            tuple(bar.label for bar in bars.bars),
            tuple(bar.share for bar in bars.bars),
            tuple(bool(bar.flag) for bar in bars.bars),
            f"different values (hatched: fewer than {measured.below_l:,})",
            f"share of {words.unit.many}",
        ),
        table=Table((*bars.header, ""), rows),
        instead=bars,
    )


def history(result: Assessment) -> Plot | None:
    """The headline shares of the runs before, and of this one."""
    earlier = result.earlier or []
    if not earlier:
        return None
    known = [run.figures for run in earlier]
    paths = [(name, path) for name, path in _TREND if result.value(path)[0] is not None]
    lines = tuple(
        (name, (*(_finite(found.get(path)) for found in known), _finite(result.value(path)[0]))) for name, path in paths
    )
    when = (*(run.started_at for run in earlier), result.started_at)
    same = (*(run.same_definition for run in earlier), True)
    rows = tuple(
        (
            f"{moment:%Y-%m-%d %H:%M}",
            *(percent(values[at]) for _, values in lines),
            "" if same[at] else "another definition",
        )
        for at, moment in enumerate(when)
    )
    told = [
        f"{name}: {percent(values[at])} at first, {percent(values[-1])} now"
        for name, values in lines
        if (at := _first(values, same)) is not None and values[-1] is not None
    ]
    moved = f" Of the present definition: {'; '.join(told)}." if told else ""
    others = same.count(False)
    apart = (
        f" {others} of the runs {'is' if others == 1 else 'are'} of another definition: hollow, and not joined."
        if others
        else ""
    )
    return Plot(
        title="The runs before",
        alt=f"Lines of {Unit('share', 'shares').count(len(lines))} over {len(when)} runs.{moved}{apart}",
        drawn=Trends(when, same, lines, "share", "" if all(same) else HOLLOW),
        table=Table(("Run (UTC)", *(name for name, _ in lines), "Definition"), rows),
    )


def _people_by_size(result: Assessment) -> dict[int, int]:
    """Records by the number who are alike in the population, where a population table was counted and compared."""
    population = result.population
    if population is None or result.journalist.share_at_risk is None:
        return {}
    counted: Counter[int] = Counter()
    for size, people, classes in population.joint_sizes or ():
        if size:
            counted[max(size, people)] += size * classes
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


def _first(values: Sequence[float | None], same: Sequence[bool]) -> int | None:
    """The first run before the last that is of its definition and knows the figure."""
    known = (at for at, value in enumerate(values[:-1]) if same[at] and value is not None)
    return next(known, None)


def _risk_range(start: int, end: int | None) -> str:
    if end is None:
        return f"1/{start:,} or less"
    return f"1/{start:,}" if start == end else f"1/{end:,} – 1/{start:,}"


def _finite(value: float | None) -> float | None:
    return None if value is None or value in (float("inf"), float("-inf")) else value
