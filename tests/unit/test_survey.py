"""Record risk from survey weights: check values, an independent computation to hundreds of digits, and its limits."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrisk
from tests.survey_reference import household_risk, individual_risk

# Sampling fractions of classes, with the places where a formula changes into another.
SHARES = [
    *(10 ** (-power / 4) for power in range(1, 49)),
    *(0.5 + step / 50 for step in range(25)),
    *(1 - 10 ** (-power / 2) for power in range(4, 24)),
    *(0.989999, 0.99, 0.990001, 0.99999),
]
SIZES = [*range(1, 13), 15, 20, 49, 50, 51, 200]


def exact(size: int, weight: float) -> float:
    """The same in 500 digits, by ``risk(s + 1) = (p/q) (1/s - risk(s))`` from ``risk(1) = -(p/q) ln p``."""
    with localcontext() as context:
        context.prec = 500
        p = Decimal(size) / Decimal(weight)
        odds = p / (1 - p)
        risk = -odds * p.ln()
        for known in range(1, size):
            risk = odds * (1 / Decimal(known) - risk)
        return float(risk)


@pytest.mark.parametrize(("size", "risk"), [(1, 0.2558428), (2, 0.0826841), (3, 0.0463684), (5, 0.0242350)], ids=str)
def test_the_check_values(size: int, risk: float):
    assert individual_risk(size, size / 0.1) == pytest.approx(risk, abs=5e-8)


@pytest.mark.parametrize("size", SIZES)
def test_it_is_exact(size: int):
    for share in SHARES:
        weight = size / share
        if size < weight:
            if size * math.log10(share / (1 - share)) > 450:
                continue  # so many digits are lost by the subtractions of `exact`
            assert individual_risk(size, weight) == pytest.approx(exact(size, weight), rel=1e-12, abs=0), share


@pytest.mark.parametrize("size", [1, 2, 3, 7, 60, 10**9])
def test_a_class_that_is_all_there_has_the_prosecutor_s_risk(size: int):
    assert individual_risk(size, size) == 1 / size
    assert individual_risk(size, size / 3) == 1 / size, "weights that sum to less than the records"
    assert individual_risk(size, math.nextafter(size, math.inf)) == pytest.approx(1 / size, rel=1e-15)


@given(st.integers(1, 10**9), st.floats(1e-12, 1, exclude_min=True))
def test_it_is_a_risk(size: int, share: float):
    """Between that of F people, were F certain to be the sum of the weights, and the prosecutor's (Jensen)."""
    weight = size / share
    risk = individual_risk(size, weight)
    assert 1 / weight * (1 - 1e-12) <= risk <= 1 / size


@given(st.integers(1, 400), st.floats(1e-9, 0.9))
def test_it_falls_as_the_class_or_its_weight_grows(size: int, share: float):
    weight = size / share
    assert individual_risk(size, weight * 1.01) < individual_risk(size, weight)
    assert individual_risk(size + 1, (size + 1) / share) < individual_risk(size, weight)


def test_large_numbers():
    assert individual_risk(1, 1e15) == pytest.approx(1e-15 * math.log(1e15), rel=1e-12, abs=0)
    assert individual_risk(10**9, 1e12) == pytest.approx(1e-12, rel=1e-8, abs=0)
    assert individual_risk(10**6, 1e18) == pytest.approx(1e-18, rel=2e-6, abs=0)


@pytest.mark.parametrize(("size", "weight"), [(0, 1), (-1, 1), (1, 0), (1, -2), (2, math.nan), (3, math.inf)])
def test_what_has_no_risk_is_refused(size: int, weight: float):
    with pytest.raises(sqlrisk.RequestError, match="positive numbers"):
        individual_risk(size, weight)


class TestHouseholds:
    def test_three_people(self):
        """The example of the sdcMicro guide."""
        assert household_risk([0.02, 0.03, 0.03]) == pytest.approx(0.077918, abs=1e-12)

    def test_somebody_who_is_certain_to_be_found(self):
        assert household_risk([0.1, 1.0, 0.2]) == 1
        assert household_risk([]) == 0

    def test_small_risks_keep_their_digits(self):
        assert household_risk([1e-18] * 3) == pytest.approx(3e-18, rel=1e-12, abs=0)

    @given(st.lists(st.floats(0, 0.999), max_size=20))
    def test_it_is_one_minus_the_product(self, risks: list[float]):
        assert household_risk(risks) == pytest.approx(1 - math.prod(1 - risk for risk in risks), rel=1e-9, abs=1e-14)
