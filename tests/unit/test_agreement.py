"""The agreement record: complete, the same for people and as data, and any change of it is found."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta

import pytest

import sqlrisk
from sqlrisk.errors import RequestError
from sqlrisk.record import Agreed
from sqlrisk.report import agreement
from sqlrisk.result import Assessment

RELEASE = "sex,age,zip\n" + "F,31,02139\n" * 40 + "M,42,02139\n" * 30 + "F,77,90210\n" * 5


@pytest.fixture(scope="module")
def result(tmp_path_factory) -> Assessment:
    file = tmp_path_factory.mktemp("agreement") / "release.csv"
    file.write_text(RELEASE)
    return sqlrisk.assess(
        str(file),
        quasi_identifiers=["sex", "age:band=10", "zip:prefix=3"],
        population_size=5000,
        attackers=["prosecutor", "journalist"],
        threshold="1/11",
        max_share_at_risk=0.05,
        justification="one university, under contract",
        agreement={
            "recipient": "University of X",
            "purpose": "a study | of *asthma*",
            "reference": "DSA-12",
            "valid_until": date(2027, 12, 31),
        },
    )


def edited(text: str, before: str, after: str, last: bool = False) -> str:
    assert before in text
    if not last:
        return text.replace(before, after, 1)
    head, _, tail = text.rpartition(before)
    return head + after + tail


def test_the_record_holds_what_an_agreement_needs(result):
    text = agreement.render(result)
    plain = text.partition("```json")[0].replace("\\", "")
    for part in (
        "University of X", "DSA-12", "until 2027-12-31", "one university, under contract", "`age` by `band=10`", "Prosecutor",
        "Journalist", "1/11, that is, classes smaller than 11", "FAILED", "at most 5 %", "`auto`", "5,000 people",
        "Records: 75", sqlrisk.__version__, result.policy.fingerprint, agreement.fingerprint_of(result), "6.7 %", "INTERNAL",
    ):  # fmt: skip
        assert part in plain, part


def test_text_and_json_hold_the_same_record(result):
    text = agreement.render(result)
    assert agreement.read(text) == json.loads(agreement.render_json(result)) == agreement.record(result)
    assert text.endswith("}\n```\n")
    assert agreement.record(result)["schema"] == "sqlrisk-agreement-1"


def test_what_is_absent_is_not_stated(result):
    bare = result.model_copy(
        update={"policy": None, "verdict": result.verdict.model_copy(update={"justification": None})}
    )
    text = agreement.render(bare)
    for label in ("Recipient", "Purpose", "Reference", "Valid", "Justification of the limits", "Policy"):
        assert f"- {label}: not stated" in text
    assert agreement.record(bare)["agreement"]["recipient"] is None
    assert agreement.verify(text, bare) == []


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("render", [agreement.render, agreement.render_json])
def test_a_record_matches_its_result(result, render, public):
    text = render(result, public=public)
    assert agreement.verify(text, result) == []
    assert agreement.verify("\ufeff" + text.replace("\n", "\r\n"), result) == []
    assert agreement.verify(text, Assessment.from_dict(json.loads(result.to_json()))) == []


def test_a_result_whose_figure_changed_is_found(result):
    text = agreement.render(result)
    document = result.to_dict()
    document["attackers"]["prosecutor"]["share_at_risk"] = 0.01
    first, *others = agreement.verify(text, Assessment.from_dict(document))
    assert "fingerprint" in first
    shared = "attackers.prosecutor.share_at_risk: the record says 0.06666666666666667, the result 0.01"
    assert others == [shared]


def test_a_change_beside_the_record_is_found_by_the_fingerprint(result):
    later = result.model_copy(update={"seconds": result.seconds + 1})
    assert len(agreement.verify(agreement.render(result), later)) == 1
    other_day = result.model_copy(update={"started_at": result.started_at + timedelta(days=1)})
    assert any("measured_at" in item for item in agreement.verify(agreement.render(result), other_day))


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ('"share_at_risk": 0.0666', '"share_at_risk": 0.0111', "attackers.prosecutor.share_at_risk"),
        ('"recipient": "University of X"', '"recipient": "Smith Ltd"', "agreement.recipient"),
        ('"passed": false', '"passed": true', "passed"),
        ('"threshold": "1/11"', '"threshold": "1/5"', "threshold"),
        ('"fingerprint": "sha256:', '"fingerprint": "sha256:0', "policy.fingerprint"),
        ('"public": false', '"public": true', "attackers.prosecutor"),
    ],
)
def test_a_record_that_was_edited_is_found(result, before, after, found):
    different = agreement.verify(edited(agreement.render(result), before, after), result)
    assert any(found in item for item in different), different


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("FAILED: ", "PASSED: "),
        ("6.7 %", "0.7 %"),
        ("Records: 75", "Records: 750"),
        ("University of X", "University of Y"),
    ],
)
def test_a_change_of_the_prose_alone_is_found(result, before, after):
    text = agreement.render(result)
    assert agreement.verify(edited(text, before, after), result) == [agreement.CHANGED_TEXT]
    assert agreement.verify(text + "\nNothing of this holds.\n", result) == [agreement.CHANGED_TEXT]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no agreement record"),
        ("# Notes\n", "no agreement record"),
        ("[]", "no agreement record"),
        ('{"schema_version": 1}', "no agreement record"),
        ("[" * 100_000, "no agreement record"),
        ('# A\n\n```json\n{"schema": "sqlrisk-agreement-9"}\n```\n', "upgrade sqlrisk"),
        ('{"schema": "sqlrisk-agreement-1"}', "does not say whether it is public"),
    ],
)
def test_what_is_no_record(result, text, said):
    with pytest.raises(RequestError, match=said):
        agreement.verify(text, result)


@pytest.mark.parametrize("part", ["agreement", "limits", "attackers", "release", "quasi_identifiers"])
@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [None, {"a": []}]])
def test_a_mangled_record_differs_and_is_no_crash(result, part, value):
    data = agreement.record(result) | {part: value}
    assert any(part in item for item in agreement.verify(json.dumps(data), result))


def test_the_fingerprint_is_of_the_result_not_of_its_layout(result):
    document = result.to_dict()
    shuffled = dict(reversed(json.loads(json.dumps(document, indent=7)).items()))
    assert agreement.fingerprint_of(shuffled) == agreement.fingerprint_of(result) == agreement.fingerprint_of(document)
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", agreement.fingerprint_of(result))
    document["classes"] += 1
    assert agreement.fingerprint_of(document) != agreement.fingerprint_of(result)


def test_a_key_that_a_later_version_adds_changes_no_fingerprint(result):
    """What stands at its default is left out: a result saved before a key was there has the fingerprint it had."""
    document = result.to_dict()
    del document["release"]["previous"], document["release"]["suppressed_records"], document["reasons"]
    assert document["reasons" if "reasons" in document else "classes"]
    assert agreement.fingerprint_of(document) == agreement.fingerprint_of(result.model_copy(update={"reasons": {}}))


def test_hostile_names_break_no_block(result):
    name = "x\n```\n# Passed\n\x1b[2J|`<b>"
    agreed = Agreed(recipient=name, purpose="```json\n{}")
    policy = result.policy.model_copy(update={"agreement": agreed, "name": name})
    hostile = result.model_copy(update={"policy": policy})
    text = agreement.render(hostile)
    assert agreement.verify(text, hostile) == []
    assert "\x1b" not in text
    assert "\n# Passed" not in text
    assert text.count("\n```") == 2


def test_the_public_record_masks(result):
    text = agreement.render(result, public=True)
    assert "PUBLIC" in text and "INTERNAL" not in text
    assert "6.7 %" not in text and "1/5 " not in text
    assert agreement.record(result, public=True)["release"].keys() == {"records", "people", "nulls", "restricted"}
