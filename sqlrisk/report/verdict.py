"""The verdict in words, each limit on a line."""

from __future__ import annotations

from sqlrisk.errors import one_line
from sqlrisk.report import figures
from sqlrisk.report.document import CheckedLimit, Judgement, Line, Tone, line
from sqlrisk.report.sensitive import joined, name_of
from sqlrisk.report.words import Words
from sqlrisk.result import INCREASE, Assessment, Check, Verdict

NO_VERDICT = "NO VERDICT: measured, nothing was judged. Not a pass."
_FIGURES = {
    "highest_risk": "risk",
    "average_risk": "share",
    "share_at_risk": "share",
    "records_at_risk": "number",
    "classes_at_risk": "number",
}
DOUBTFUL = ("weak", "model-driven")
_BOUNDS = {"min": "at least", "max": "at most"}
_STRICT = "recursive_c"


def judgement(result: Assessment, words: Words) -> Judgement:
    """What was decided, and by which limits."""
    verdict = result.verdict
    told, tone = sentence(result)
    return Judgement(
        sentence=told,
        tone=tone,
        checks=tuple(_checked(check, result, words) for check in verdict.checks),
        notes=(*_reasons(verdict, words), *_doubts(result), *said(verdict)),
    )


def sentence(result: Assessment) -> tuple[str, Tone]:
    """The verdict in one sentence, without a figure but the number of limits."""
    verdict, limits = result.verdict, figures.Unit("limit", "limits")
    total = len(verdict.checks)
    failed = [check for check in verdict.checks if not check.passed]
    absent = sum(check.value is None for check in failed)
    doubtful = sum(_only_doubtful(check, result) for check in failed)
    broken = len(failed) - absent - doubtful
    if verdict.passed is None:
        return NO_VERDICT, "unknown"
    if verdict.passed:
        return f"PASSED: {_of(total, total)} kept.", "good"
    if absent == len(failed):
        why = "its measure is not known" if absent == 1 else "their measures are not known"
        return f"NOT MEASURED: {limits.count(absent)} could not be judged, because {why}. Not a pass.", "unknown"
    told = [(broken, "not kept"), (doubtful, "kept only by a doubtful estimate"), (absent, "could not be judged")]
    (number, what), *others = [item for item in told if item[0]]
    *middle, last = [f"{_of(number, total)} {what}", *(f"{number} {what}" for number, what in others)]
    return f"FAILED: {', '.join(middle) + ', and ' if middle else ''}{last}.", "bad"


def _of(part: int, total: int) -> str:
    return f"{part} of {figures.Unit('limit', 'limits').count(total)} {'is' if part == 1 else 'are'}"


def _only_doubtful(check: Check, result: Assessment) -> bool:
    """Whether the limit is kept, but by an estimate that cannot be relied on."""
    if check.compared is None or not _doubtful(check, result):
        return False
    beyond = check.limit - check.compared if check.direction == "min" else check.compared - check.limit
    return beyond <= 1e-9


def _checked(check: Check, result: Assessment, words: Words) -> CheckedLimit:
    name, kind = measure_of(check.measure, words)
    if kind == "risk" and check.value and check.value < 1e-4 and result.reliability(check.measure):
        kind = "share"  # no number of people is named that is estimated
    if check.value is None:
        value, limit = figures.NONE, figures.compared(check.limit, check.limit, kind)[1]
    else:
        judged = check.value if check.compared is None else check.compared
        value, limit = figures.compared(judged, check.limit, kind)
        if judged != check.value:
            end = "upper" if judged > check.value else "lower"
            value = f"{figures.compared(check.value, judged, kind)[0]}, {end} end {value}"
        if grade := _doubtful(check, result):
            value += f" ({grade})"
    word, tone = outcome_of(check)
    return CheckedLimit(word, tone, name, value, f"{_bound(check)} {limit}")


def limit_of(check: Check, words: Words) -> str:
    """What a limit allows, whatever was measured."""
    return f"{_bound(check)} {figures.compared(check.limit, check.limit, measure_of(check.measure, words)[1])[1]}"


def _bound(check: Check) -> str:
    return "below" if check.measure.endswith(f".{_STRICT}") else _BOUNDS[check.direction]


def _doubtful(check: Check, result: Assessment) -> str | None:
    """The word for an estimate that does not pass by itself."""
    grade = result.reliability(check.measure)
    return grade if grade in DOUBTFUL else None


def outcome_of(check: Check) -> tuple[str, Tone]:
    """What became of a limit, in a word."""
    if check.passed:
        return "passed", "good"
    return ("FAILED", "bad") if check.value is not None else ("NOT MEASURED", "unknown")


def measure_of(path: str, words: Words) -> tuple[Line, str]:
    """A measure's name for people, and how its figures read."""
    if path.startswith(INCREASE):
        name, kind = measure_of(path.removeprefix(INCREASE), words)
        return ("Increase of ", *name), "share" if kind == "risk" else kind
    if path.startswith("sensitive."):
        column, _, measure = path.removeprefix("sensitive.").rpartition(".")
        return name_of(column, measure), "share" if measure == "alpha" else "number"
    name, kind = _named(path, words)
    return (name,), kind


def _named(path: str, words: Words) -> tuple[str, str]:
    many = words.unit.many
    known = {
        "release.records": ("Records", "number"),
        "classes": ("Classes", "number"),
        "smallest_class": (_smallest(words), "number"),
        "sample_uniques.share": (f"Share of {many} that match no other", "share"),
        "population.uniques.release_share": (f"Share of {many} that are population uniques", "share"),
        "population.k_map.smallest": ("Fewest people of the population who match (k-map)", "number"),
        "population.delta_presence.highest": ("Highest δ-presence", "share"),
        "release.excluded_share": ("Share of records excluded for missing values", "share"),
    }
    if path in known:
        return known[path]
    first, *rest = path.split(".")
    if first == "attackers" and len(rest) == 2 and rest[1] in _FIGURES:
        at_risk = {"share_at_risk": f"share of {many} at risk", "records_at_risk": f"{many} at risk"}
        what = at_risk.get(rest[1]) or rest[1].replace("_", " ")
        return f"{rest[0].capitalize()}: {what}", _FIGURES[rest[1]]
    return path.replace(".", ": ").replace("_", " ").capitalize(), "number"


def _smallest(words: Words) -> str:
    return words.of_kind(
        f"{words.units} in the smallest class (k)",
        "Fewest people who share a tuple (k)",
        f"Fewest {words.unit.many} {words.who} match one {words.unit.one} (k)",
    )


def _reasons(verdict: Verdict, words: Words) -> list[Line]:
    """The reasons of the checks, each once, with the measures that it is about."""
    about: dict[str, list[Check]] = {}
    for check in verdict.checks:
        if check.reason:
            about.setdefault(check.reason, []).append(check)
    notes = []
    for reason, checks in about.items():
        names = joined([measure_of(check.measure, words)[0] for check in checks], "; ")
        absent = checks[0].value is None and not checks[0].passed
        told = f"not measured, {words.reason(reason, 'with the verdict')}" if absent else one_line(reason)
        notes.append(line(*names, f": {told}."))
    return notes


def _doubts(result: Assessment) -> list[Line]:
    """Why the estimates that were judged are doubtful."""
    doubts = {
        (grade, _why(check, result)): None for check in result.verdict.checks if (grade := _doubtful(check, result))
    }
    return [line(f"{grade.capitalize()}, because {why}.") for grade, why in doubts if why]


def _why(check: Check, result: Assessment) -> str | None:
    population = result.population
    parts = {} if population is None else {"k_map": population.k_map, "delta_presence": population.delta_presence}
    part = parts.get(check.measure.split(".")[1]) if check.measure.startswith("population.") else None
    return getattr(part, "reason", None) or (population.uniques.reason if population is not None else None)


def said(verdict: Verdict) -> list[Line]:
    """What the user says of the limits: why these, and which precedent."""
    notes = []
    if verdict.justification:
        notes.append(line(f"Justification: {one_line(verdict.justification)}"))
    if verdict.profile:
        notes.append(line(f"Published precedent: {one_line(verdict.profile)}"))
    return notes
