"""The verdict in words, each limit on a line."""

from __future__ import annotations

from sqlrisk.errors import one_line
from sqlrisk.report import figures
from sqlrisk.report.document import CheckedLimit, Judgement, Line, Tone, line
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, Check, Verdict

NO_VERDICT = "NO VERDICT: measured, nothing was judged. Not a pass."
_FIGURES = {"highest_risk": "risk", "average_risk": "share", "share_at_risk": "share"}
_BOUNDS = {"min": "at least", "max": "at most"}


def judgement(result: Assessment, words: Words) -> Judgement:
    """What was decided, and by which limits."""
    verdict = result.verdict
    sentence, tone = _sentence(verdict)
    return Judgement(
        sentence=sentence,
        tone=tone,
        checks=tuple(_checked(check, words) for check in verdict.checks),
        notes=(*_reasons(verdict, words), *_said(verdict)),
    )


def _sentence(verdict: Verdict) -> tuple[str, Tone]:
    limits = figures.Unit("limit", "limits")
    total = len(verdict.checks)
    absent = sum(not check.passed and check.value is None for check in verdict.checks)
    broken = sum(not check.passed for check in verdict.checks) - absent
    if verdict.passed is None:
        return NO_VERDICT, "unknown"
    if verdict.passed:
        return f"PASSED: {total} of {limits.count(total)} {'is' if total == 1 else 'are'} kept.", "good"
    if not broken:
        why = "its measure is not known" if absent == 1 else "their measures are not known"
        return f"NOT MEASURED: {limits.count(absent)} could not be judged, because {why}. Not a pass.", "unknown"
    beside = f", and {absent} could not be judged" if absent else ""
    return f"FAILED: {broken} of {limits.count(total)} {'is' if broken == 1 else 'are'} not kept{beside}.", "bad"


def _checked(check: Check, words: Words) -> CheckedLimit:
    name, kind = _measure(check.measure, words)
    bound = _BOUNDS[check.direction]
    if check.value is None:
        value, limit = figures.NONE, figures.compared(check.limit, check.limit, kind)[1]
    else:
        judged = check.value if check.compared is None else check.compared
        value, limit = figures.compared(judged, check.limit, kind)
        if judged != check.value:
            value = f"{figures.compared(check.value, judged, kind)[0]}, judged as {value}"
    word, tone = _outcome(check)
    return CheckedLimit(word, tone, name, value, f"{bound} {limit}")


def _outcome(check: Check) -> tuple[str, Tone]:
    if check.passed:
        return "passed", "good"
    return ("FAILED", "bad") if check.value is not None else ("NOT MEASURED", "unknown")


def _measure(path: str, words: Words) -> tuple[str, str]:
    """A measure's name for people, and how its figures read."""
    many = words.unit.many
    known = {
        "smallest_class": (_smallest(words), "number"),
        "sample_uniques.share": (f"Share of {many} that match no other", "share"),
        "release.excluded_share": ("Share of records excluded for missing values", "share"),
    }
    if path in known:
        return known[path]
    first, *rest = path.split(".")
    if first == "attackers" and len(rest) == 2 and rest[1] in _FIGURES:
        what = f"share of {many} at risk" if rest[1] == "share_at_risk" else rest[1].replace("_", " ")
        return f"{rest[0].capitalize()}: {what}", _FIGURES[rest[1]]
    return path.replace(".", ": ").replace("_", " ").capitalize(), "number"


def _smallest(words: Words) -> str:
    if words.classes:
        return f"{words.units} in the smallest class (k)"
    return "Fewest people who share a tuple (k)" if words.people else "Fewest records that match one record (k)"


def _reasons(verdict: Verdict, words: Words) -> list[Line]:
    """The reasons of the checks, each once, with the measures that it is about."""
    about: dict[str, list[Check]] = {}
    for check in verdict.checks:
        if check.reason:
            about.setdefault(check.reason, []).append(check)
    notes = []
    for reason, checks in about.items():
        names = "; ".join(_measure(check.measure, words)[0] for check in checks)
        absent = checks[0].value is None and not checks[0].passed
        told = words.reason(reason, "with the verdict")
        notes.append(line(f"{names}: not measured, {told}." if absent else f"{names}: {reason}."))
    return notes


def _said(verdict: Verdict) -> list[Line]:
    notes = []
    if verdict.justification:
        notes.append(line(f"Justification: {one_line(verdict.justification)}"))
    if verdict.profile:
        notes.append(line(f"Published precedent: {one_line(verdict.profile)}"))
    return notes
