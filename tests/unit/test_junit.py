"""JUnit XML and the summaries of several checks: every outcome in its place, whatever it is called."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

import sqlrisk
from sqlrisk.outcome import Outcome
from sqlrisk.report import checks, junit
from sqlrisk.result import Assessment

RELEASE = "sex,age\n" + "F,31\n" * 6 + "M,42\n" * 3
HOSTILE = "a\x00\x0b\x1b[31m<b>&\"'\ud800\ufffe|`#\u202e\n]]>"

# Of the schema that Jenkins, GitLab and the Ant task have in common: attributes that are required, and which are allowed.
ATTRIBUTES = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, {"skipped"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"timestamp"}),
    "properties": (set(), set()),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "classname"}, {"time"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "testcase": {"failure", "error", "skipped"},
}


def valid(text: str) -> ElementTree.Element:
    """The document, held against the schema."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        required, allowed = ATTRIBUTES[element.tag]
        assert required <= set(element.keys()) <= required | allowed
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        if element.tag == "testcase":
            assert len(element) <= 1
        if element.tag.startswith("testsuite"):
            for attribute, tag in (
                ("tests", "testcase"),
                ("failures", "failure"),
                ("errors", "error"),
                ("skipped", "skipped"),
            ):
                assert int(element.get(attribute)) == len(list(element.iter(tag)))
            float(element.get("time"))
    return root


@pytest.fixture
def assess(tmp_path):
    def run(**options) -> Assessment:
        (tmp_path / "release.csv").write_text(RELEASE)
        return sqlrisk.assess(str(tmp_path / "release.csv"), quasi_identifiers=["sex", "age"], **options)

    return run


@pytest.fixture
def outcomes(assess) -> list[Outcome]:
    failed = assess(min_k=5, attackers=["prosecutor", "journalist"], max_average_risk=0.9)
    return [
        Outcome("good", "a.yaml", result=assess(min_k=3, justification="why"), seconds=0.5),
        Outcome("unjustified", "a.yaml", result=assess(min_k=3), seconds=0.5),
        Outcome("failed", "b.yaml", result=failed, exit_code=1, seconds=1.25),
        Outcome("measured", "c.yaml", result=assess(), seconds=0.25),
        Outcome("refused", "d.yaml", error="there is no table `x`: check the name", exit_code=2),
        Outcome("timeout", "e.yaml", error="it took too long: give more", exit_code=3, seconds=60.0),
        Outcome("unkept", "e.yaml", result=assess(min_k=3), error="it is not on record, the disk is full", exit_code=2),
        Outcome("waiting", "f.yaml", skipped="after `failed` (--fail-fast)"),
    ]


def test_each_outcome_has_a_suite_and_each_limit_a_case(outcomes):
    root = valid(junit.suite(outcomes))
    assert [element.get("name") for element in root] == [outcome.name for outcome in outcomes]
    cases = {
        (suite.get("name"), case.get("name")): (case[0].tag if len(case) else "passed")
        for suite in root
        for case in suite.iter("testcase")
    }
    assert cases == {
        ("good", "smallest_class"): "passed",
        ("unjustified", "smallest_class"): "passed",
        ("failed", "attackers.prosecutor.average_risk"): "passed",
        ("failed", "attackers.journalist.average_risk"): "error",
        ("failed", "smallest_class"): "failure",
        ("measured", "measured"): "skipped",
        ("refused", "measured"): "error",
        ("timeout", "measured"): "error",
        ("unkept", "smallest_class"): "passed",
        ("unkept", "recorded"): "error",
        ("waiting", "measured"): "skipped",
    }
    assert root.get("time") == "62.500"


def test_messages_tell_figure_and_limit(outcomes):
    root = valid(junit.suite(outcomes))
    assert root.find(".//failure").get("message") == "Records in the smallest class (k): 3, at least 5"
    assert root.find(".//testsuite[@name='refused']//error").get("message") == "there is no table `x`: check the name"
    assert root.find(".//testsuite[@name='measured']//skipped").get("message") == "nothing was judged"


def test_a_public_suite_tells_no_figure(outcomes):
    root = valid(junit.suite(outcomes, public=True))
    assert root.find(".//failure").get("message") == "Records in the smallest class (k): not kept, at least 5"
    assert "no table" not in junit.suite(outcomes, public=True)


def test_one_result(assess):
    assert valid(junit.render(assess(min_k=5))).get("failures") == "1"
    assert valid(junit.render(assess())).get("skipped") == "1"
    assert "release.csv" not in junit.render(assess(min_k=5), public=True)


def test_hostile_names_make_valid_documents(assess):
    result = assess(min_k=5)
    check = result.verdict.checks[0].model_copy(
        update={"measure": f"sensitive.{HOSTILE}.l_distinct", "reason": HOSTILE}
    )
    verdict = result.verdict.model_copy(update={"checks": [check], "justification": HOSTILE})
    hostile = [
        Outcome(HOSTILE, HOSTILE, result=result.model_copy(update={"verdict": verdict}), exit_code=1),
        Outcome(HOSTILE, HOSTILE, error=HOSTILE, exit_code=3),
        Outcome(HOSTILE, HOSTILE, skipped=HOSTILE),
    ]
    assert len(valid(junit.suite(hostile))) == 3
    for text in (checks.text(hostile), checks.markdown(hostile), checks.json(hostile)):
        assert "\x1b" not in text and "\u202e" not in text
    assert json.loads(checks.json(hostile))[1]["error"] == HOSTILE
    assert "<b>" not in checks.markdown(hostile)


def test_nothing_at_all():
    assert valid(junit.suite([])).get("tests") == "0"
    assert checks.text([]).strip() == "0 policies."


# The terminal, CI job summaries, JSON


def test_a_line_each_then_details_of_what_did_not_pass(outcomes):
    text = checks.text(outcomes)
    lines = text.splitlines()
    assert lines[0] == "passed  good (0.5 seconds)"
    assert lines[1] == "within limits, not a pass: no justification  unjustified (0.5 seconds)"
    assert lines[2] == "FAILED  failed (1.2 seconds)"
    assert lines[3].startswith("not judged  measured")
    assert lines[7] == "skipped  waiting: after `failed` (--fail-fast)"
    details = text.partition("\n\n")[2]
    assert "FAILED  Records in the smallest class (k): 3, at least 5" in details
    assert "NOT MEASURED  Journalist: average risk: –, at most 90 %" in details
    assert "there is no table `x`: check the name" in details
    assert "unjustified (" not in details
    assert lines[-1].startswith("8 policies: 1 passed; 1 within limits")


def test_markdown_is_a_table_then_details(outcomes):
    text = checks.markdown(outcomes)
    assert "| passed | good | 0.5 seconds | 1 of 1 kept |" in text
    assert "| FAILED | failed | 1.2 seconds | 1 of 3 kept |" in text
    assert "### failed" in text and "### good" not in text
    assert "the disk is full" in text


def test_json_lists_the_outcomes(outcomes):
    listed = json.loads(checks.json(outcomes))
    assert [item["word"] for item in listed][:3] == ["passed", "within limits, not a pass: no justification", "FAILED"]
    assert listed[4]["result"] is None and listed[4]["exit_code"] == 2
    assert Assessment.from_dict(listed[2]["result"]) == outcomes[2].result


def test_colours_on_request_alone(outcomes):
    assert "\x1b" not in checks.text(outcomes)
    assert checks.text(outcomes, color=True).startswith("\x1b[1;32mpassed\x1b[0m")
