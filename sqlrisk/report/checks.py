"""Several policies at once: a line for each, then the details of those that did not pass."""

from __future__ import annotations

from collections.abc import Sequence

from sqlrisk.errors import number_of, one_line
from sqlrisk.outcome import Outcome
from sqlrisk.report import check_public, figures, junit
from sqlrisk.report import json as json_report
from sqlrisk.report import markdown as in_markdown
from sqlrisk.report import public as outside
from sqlrisk.report.document import Judgement

_COLORS = {"good": "\x1b[1;32m", "bad": "\x1b[1;31m", "unknown": "\x1b[1;33m"}
_PLAIN = "\x1b[0m"
_GOOD = "passed"
FORMATS = ("text", "json", "junit", "markdown")


def render(outcomes: Sequence[Outcome], format: str, public: bool = False) -> str:
    """The outcomes in one of :data:`FORMATS`."""
    check_public(format, public)
    if format == "json":
        return json(outcomes)
    return {"text": text, "junit": junit.suite, "markdown": markdown}[format](outcomes, public=public)


def text(outcomes: Sequence[Outcome], color: bool = False, public: bool = False) -> str:
    """A line for each outcome, the details of those that did not pass, and how many did."""
    told = [line(outcome, color=color) for outcome in outcomes]
    told += [f"\n{detail}" for detail in every_detail(outcomes, color, public)]
    return "\n".join([*told, "", summary(outcomes)]) + "\n"


def line(outcome: Outcome, color: bool = False) -> str:
    """One outcome on one line: its word, its name, and how long it took."""
    took = "" if outcome.skipped is not None else f" ({figures.duration(outcome.seconds)})"
    why = f": {one_line(outcome.skipped)}" if outcome.skipped else ""
    return f"{_colored(outcome.word, outcome, color)}  {one_line(outcome.name)}{took}{why}"


def is_detailed(outcome: Outcome) -> bool:
    """Whether there is more to say of an outcome than its line does."""
    return outcome.error is not None or (outcome.result is not None and outcome.result.verdict.passed is False)


def every_detail(outcomes: Sequence[Outcome], color: bool = False, public: bool = False) -> list[str]:
    """The details of each outcome that has some."""
    return [details(outcome, color=color, public=public) for outcome in outcomes if is_detailed(outcome)]


def details(outcome: Outcome, color: bool = False, public: bool = False) -> str:
    """What was wrong: the error and what to do about it, or each limit that is not kept with what was measured, and why."""
    public = public or outcome.public
    where = f" ({one_line(outcome.file)})" if outcome.file and not public else ""
    told = [f"{_colored(outcome.word, outcome, color)}  {one_line(outcome.name)}{where}"]
    if outcome.error is not None:
        told.append(f"  {outside.WITHHELD if public else one_line(outcome.error)}")
    judged = _judgement(outcome, public)
    if judged is not None and outcome.result is not None and outcome.result.verdict.passed is False:
        told.append(f"  {judged.sentence}")
        told += [
            f"  {check.word}  {one_line(''.join(check.measure))}: {check.value}, {check.limit}"
            for check in judged.checks
            if check.tone != "good"
        ]
        told += [f"  {one_line(''.join(note))}" for note in judged.notes]
    return "\n".join(told)


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many policies there were, and what became of them."""
    words: dict[str, int] = {}
    for outcome in outcomes:
        words[outcome.word] = words.get(outcome.word, 0) + 1
    counted = "; ".join(f"{count} {word}" for word, count in words.items())
    return f"{number_of(len(outcomes), 'policy', 'policies')}" + (f": {counted}." if counted else ".")


def markdown(outcomes: Sequence[Outcome], public: bool = False) -> str:
    """A table of the outcomes, and the details of those that did not pass, for the summary of a CI job."""
    rows = [tuple(in_markdown.prose(cell) for cell in _cells(outcome)) for outcome in outcomes]
    parts = [
        "## sqlrisk",
        in_markdown.grid(("", "Policy", "Took", "Limits"), rows),
        in_markdown.prose(summary(outcomes)),
    ]
    for outcome in outcomes:
        if is_detailed(outcome):
            parts += _detailed(outcome, public)
    return "\n\n".join(parts) + "\n"


def json(outcomes: Sequence[Outcome]) -> str:
    """The outcomes as JSON: what became of each, and its whole result document."""
    return json_report.shown(
        [
            {
                "name": outcome.name,
                "file": outcome.file,
                "word": outcome.word,
                "exit_code": outcome.exit_code,
                "error": outcome.error,
                "skipped": outcome.skipped,
                "seconds": outcome.seconds,
                "result": None if outcome.result is None else outcome.result.to_dict(),
            }
            for outcome in outcomes
        ]
    )


def _cells(outcome: Outcome) -> tuple[str, ...]:
    took = "" if outcome.skipped is not None else figures.duration(outcome.seconds)
    checks = outcome.result.verdict.checks if outcome.result is not None else []
    kept = f"{sum(check.passed for check in checks)} of {len(checks)} kept" if checks else figures.NONE
    return outcome.word, one_line(outcome.name), took, kept


def _detailed(outcome: Outcome, public: bool) -> list[str]:
    public = public or outcome.public
    parts = [f"### {in_markdown.prose(one_line(outcome.name))}"]
    if outcome.error is not None:
        parts.append(in_markdown.prose(outside.WITHHELD if public else one_line(outcome.error)))
    judged = _judgement(outcome, public)
    return parts if judged is None else [*parts, *in_markdown.judged(judged)]


def _judgement(outcome: Outcome, public: bool) -> Judgement | None:
    return None if outcome.result is None else outside.judgement_for(outcome.result, public)


def _colored(word: str, outcome: Outcome, color: bool) -> str:
    if not color:
        return word
    tone = "good" if word == _GOOD else "bad" if outcome.error is not None or word == "FAILED" else "unknown"
    return f"{_COLORS[tone]}{word}{_PLAIN}"
