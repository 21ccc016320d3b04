"""Results as JUnit XML, for the test views of CI servers: a suite for each policy, a case for each limit."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from sqlrisk.errors import one_line
from sqlrisk.outcome import Outcome
from sqlrisk.report import public as outside
from sqlrisk.report.document import CheckedLimit, Line
from sqlrisk.result import Assessment, Check

NOTHING_JUDGED = "nothing was judged"
_SHOWN = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render(result: Assessment, public: bool = False) -> str:
    """One result as JUnit XML."""
    named = outside.name_of(result)
    if named is None:
        named = "release" if public else result.release.table or result.release.histogram or "query"
    outcome = Outcome(named, "", result=result, exit_code=result.exit_code, seconds=result.seconds)
    return suite([outcome], public=public)


def suite(outcomes: Sequence[Outcome], public: bool = False) -> str:
    """Several outcomes as JUnit XML: limits not kept are failures; what could not be judged or measured, errors."""
    root = ElementTree.Element("testsuites", name="sqlrisk")
    for outcome in outcomes:
        root.append(_suite(outcome, public))
    _count(root, sum(outcome.seconds for outcome in outcomes))
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _suite(outcome: Outcome, public: bool) -> ElementTree.Element:
    name, public = one_line(outcome.name), public or outcome.public
    made = ElementTree.Element("testsuite", name=name)
    told = ElementTree.SubElement(ElementTree.SubElement(made, "properties"), "property", name="outcome")
    told.set("value", outcome.word)
    if outcome.result is not None:
        made.set("timestamp", f"{outcome.result.started_at:%Y-%m-%dT%H:%M:%S}")
        _judged(made, name, outcome.result, public)
    if outcome.error is not None:
        told = "recorded" if outcome.result is not None else "measured"
        message = outside.WITHHELD if public else one_line(outcome.error)
        error = ElementTree.SubElement(_case(made, name, told), "error", message=message)
        error.set("type", "sqlrisk.request" if outcome.exit_code == 2 else "sqlrisk.measurement")
    elif outcome.skipped is not None:
        ElementTree.SubElement(_case(made, name, "measured"), "skipped", message=one_line(outcome.skipped))
    _count(made, outcome.seconds)
    return made


def _judged(made: ElementTree.Element, name: str, result: Assessment, public: bool) -> None:
    judged = outside.judgement_for(result, public)
    if not judged.checks:
        ElementTree.SubElement(_case(made, name, "measured"), "skipped", message=NOTHING_JUDGED)
    for check, shown in zip(result.verdict.checks, judged.checks, strict=True):
        case = _case(made, name, check.measure)
        if check.passed:
            continue
        fault = ElementTree.SubElement(case, "error" if check.value is None else "failure", message=_message(shown))
        fault.set("type", "sqlrisk.limit")
        fault.text = _told(check, shown, public)


def _message(shown: CheckedLimit) -> str:
    return one_line(f"{_text(shown.measure)}: {shown.value}, {shown.limit}")


def _told(check: Check, shown: CheckedLimit, public: bool) -> str:
    reason = f" ({one_line(check.reason)})" if check.reason and not public else ""
    return one_line(f"{shown.word}: {_message(shown)}{reason}")


def _text(line: Line) -> str:
    return "".join(line)


def _case(made: ElementTree.Element, suite_name: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(made, "testcase", classname=suite_name, name=one_line(name))


def _count(element: ElementTree.Element, seconds: float) -> None:
    element.set("tests", str(len(list(element.iter("testcase")))))
    for attribute, tag in _SHOWN.items():
        element.set(attribute, str(len(list(element.iter(tag)))))
    element.set("time", f"{seconds:.3f}")
