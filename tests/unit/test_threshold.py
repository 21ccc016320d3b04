"""Thresholds are the exact fractions that were written; at risk is strictly above."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.errors import RequestError
from sqlrisk.threshold import DEFAULT_THRESHOLD, Threshold, parse_fraction


@pytest.mark.parametrize(
    ("text", "value", "smaller_than"),
    [
        ("1/5", Fraction(1, 5), 5),
        ("0.2", Fraction(1, 5), 5),
        (0.2, Fraction(1, 5), 5),
        (".2", Fraction(1, 5), 5),
        ("k=5", Fraction(1, 5), 5),
        ("k = 11", Fraction(1, 11), 11),
        ("1 / 11", Fraction(1, 11), 11),
        (" 1/11 ", Fraction(1, 11), 11),
        ("0.09", Fraction(9, 100), 12),
        (0.09, Fraction(9, 100), 12),
        ("0.0909", Fraction(909, 10000), 12),
        ("0.33", Fraction(33, 100), 4),
        ("0.333", Fraction(333, 1000), 4),
        ("1/3", Fraction(1, 3), 3),
        ("2/5", Fraction(2, 5), 3),
        ("0.5", Fraction(1, 2), 2),
        ("1", Fraction(1), 1),
        (1, Fraction(1), 1),
        ("1.0", Fraction(1), 1),
        ("0.000000001", Fraction(1, 10**9), 10**9),
    ],
)
def test_parse(text, value, smaller_than):
    threshold = Threshold.parse(text)
    assert threshold.value == value
    assert threshold.smaller_than == smaller_than
    assert threshold.text == str(text).strip()
    assert Threshold.parse(threshold) is threshold


@pytest.mark.parametrize(
    "text",
    ["", "x", "0", 0, "0/5", "1/0", "k=0", "-0.1", "-1/5", "1.1", "2", "6/5", "k=", "1/", "/5", "1e-1", "0,2", "20%"]
    + ["nan", "inf", "1/5/2", "k=1.5", None, True, "½", [0.2], "0.2.1", "k5", "1/5 ; drop"],
)
def test_no_threshold(text):
    with pytest.raises(RequestError) as caught:
        Threshold.parse(text)
    assert caught.value.exit_code == 2
    assert "1/11" in caught.value.remedy


def test_default():
    assert Threshold.parse("1/5") == DEFAULT_THRESHOLD


@pytest.mark.parametrize(
    ("sizes", "text", "records"),
    [
        ({11: 10}, "0.09", 110),
        ({11: 10}, "1/11", 0),
        ({11: 10}, "k=11", 0),
        ({11: 10}, "k=12", 110),
        ({3: 5}, "0.33", 15),
        ({3: 5}, "1/3", 0),
        ({5: 1}, "0.2", 0),
        ({5: 1}, 0.2, 0),
        ({4: 1}, "0.2", 4),
        ({10: 1}, "0.1", 0),
        ({1: 3}, "1", 0),
        ({1: 3, 2: 1}, "0.5", 3),
        ({49: 1}, "1/49", 0),
        ({49: 1}, "k=50", 49),
    ],
)
def test_strictly_above(sizes, text, records):
    assert ClassSizes(sizes).prosecutor(text).records_at_risk == records


@pytest.mark.parametrize(
    ("text", "meant"),
    [("0.09", "1/11"), ("0.0909", "1/11"), ("0.33", "1/3"), ("0.333", "1/3"), ("0.17", "1/6"), ("0.14", "1/7")],
)
def test_rounded_decimals_are_warned_of(text, meant):
    warning = Threshold.parse(text).warning
    assert warning is not None
    assert f"{text} is not {meant}" in warning
    assert f"smaller than {Threshold.parse(text).smaller_than} " in warning


@pytest.mark.parametrize(
    "text", ["0.2", "0.05", "0.1", "0.5", "0.25", "0.125", "1/11", "k=11", "1/3", "0.3", "0.37", "1"]
)
def test_exact_thresholds_are_not_warned_of(text):
    assert Threshold.parse(text).warning is None


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 10**7))
def test_classes_smaller_than_is_what_is_at_risk(a, b, size):
    threshold = Threshold.parse(f"{min(a, b)}/{max(a, b)}")
    assert threshold.at_risk(size) == (Fraction(1, size) > threshold.value) == (size < threshold.smaller_than)


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0), ("0.0", 0), ("0.05", Fraction(1, 20)), ("3", 3), ("1/20", Fraction(1, 20))]
)
def test_parse_fraction(text, value):
    assert parse_fraction(text, "the limit") == value


@pytest.mark.parametrize("text", ["-1", "x", "1e3", "", "1/0", "1 2"])
def test_parse_fraction_refuses(text):
    with pytest.raises(RequestError, match="the limit"):
        parse_fraction(text, "the limit")
