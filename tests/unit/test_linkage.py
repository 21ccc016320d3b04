"""Intervals of simulated shares."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sqlrisk.risk.linkage import mean_interval, share_interval


@given(trials=st.integers(1, 5000), data=st.data())
def test_wilson_is_that_of_scipy(trials: int, data):
    hits = data.draw(st.integers(0, trials))
    expected = stats.binomtest(hits, trials).proportion_ci(confidence_level=0.95, method="wilson")
    assert share_interval(hits, trials) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_census_has_no_width():
    assert share_interval(3, 10, 10) == pytest.approx((0.3, 0.3))
    assert share_interval(1, 1, 1) == (1.0, 1.0)
    assert share_interval(0, 0) is None
    low, high = share_interval(30, 100, 200)
    wide = share_interval(30, 100)
    assert wide[0] < low < 0.3 < high < wide[1]


def test_a_mean():
    values = [1, 0.5, 0.25, 1, 0]
    mean, squares = sum(values) / 5, sum(v * v for v in values) / 5
    error = stats.sem(values)
    expected = (mean - 1.959963984540054 * error, min(1.0, mean + 1.959963984540054 * error))
    assert mean_interval(mean, squares, 5) == pytest.approx((max(0, expected[0]), expected[1]))
    assert mean_interval(mean, squares, 5, 5) == pytest.approx((mean, mean))
    assert mean_interval(1.0, 1.0, 1) is None
    assert not math.isnan(mean_interval(0.3, 0.09, 4)[0])
