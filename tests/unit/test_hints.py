"""Hints: whole words in several languages, shapes before names for what belongs to one person, figures last."""

from __future__ import annotations

import pytest

from sqlrisk.hints import CONSTANT, DIRECT, QUASI, SENSITIVE, _plain, hint, word_of, words


def hinted(name: str, **known):
    return hint(name, **{"records": 100, "missing": 0, "distinct": 50, "shapes": {}, "countable": True, **known})


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("patient_birth_date", "birth date"),
        ("PatientName", "name"),
        ("ZIP5", "zip"),
        ("ipAddress", "ip address"),
        ("geburtsdatum", "geburtsdatum"),
        ("Prénom", "prénom"),
        ("código_postal", "código postal"),
        ("data urodzenia", "data urodzenia"),
        ("DOBPatient", "dob"),
        ("codigo_postal", "código postal"),
        ("PLEC", "płeć"),
        ("discharge_date", "discharge date"),
        ("customer_data", None),
        ("Sussex", None),
        ("shipment", None),
        ("stage", None),
        ("unemployment", None),
    ],
)
def test_whole_words(name: str, word: str | None):
    assert (word_of(name) and word_of(name).text) == word


def test_the_table():
    listed = words()
    assert listed[0].language == "en"
    assert len({word.language for word in listed}) >= 8
    assert {word.kind for word in listed} == {DIRECT, QUASI, SENSITIVE}
    assert len({(word.language, _plain(word.text)) for word in listed}) == len(listed)


def test_order_of_the_rules():
    assert hinted("email", distinct=1).kind == CONSTANT
    assert hinted("age", shapes={"email": 0.9}).by == "shape"
    assert hinted("age", shapes={"date": 0.9}).by == "name"
    assert hinted("x", shapes={"date": 0.9}).kind == QUASI
    assert hinted("x", shapes={"email": 0.4}) is None
    assert hinted("diagnosis").kind == SENSITIVE
    assert (hinted("x", distinct=100).kind, hinted("x", distinct=100).by) == (DIRECT, "figures")
    assert hinted("x", distinct=100, countable=False) is None
    assert hinted("x", distinct=99) is None
    assert hinted("x", records=100, missing=100, distinct=0).reason == "every value is missing"
    assert hinted("x", records=9, distinct=9) is None
