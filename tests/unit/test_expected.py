"""Risks where the population's class sizes are expected, against sums over the Poisson law, simulation and mpmath.

The check values are those of the design (formulas, sections C and D).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import poisson

from sqlrisk.errors import MeasurementError, RequestError
from sqlrisk.population.expected import Expected, inverse_of_shifted_poisson
from sqlrisk.threshold import Threshold

SIZE = [1, 1, 2, 3, 1, 7]
MEAN = [0.0, 5.0, 0.4, 12.0, 30.0, 2.5]
COUNT = [3, 10, 4, 2, 20, 1]
CELLS = Expected(SIZE, MEAN, COUNT, 1000)
N = 54


def laws() -> list[tuple[int, int, np.ndarray, np.ndarray]]:
    """(s, classes, values of F, their probabilities) of each of the cells."""
    x = np.arange(400)
    return [(s, c, s + x, poisson.pmf(x, m)) for s, m, c in zip(SIZE, MEAN, COUNT, strict=True)]


def test_check_values():
    """λ = 8, π = .1; and at an expected 6 people, one of them in the release, P(F < 5) = .265."""
    found = Expected([1, 2, 3], [7.2] * 3, [1] * 3, 100).inverse()
    assert [f"{value:.7f}" for value in found] == ["0.1387852", "0.1196132", "0.1056630"]
    assert f"{Expected(1, 5, 1, 100).at_most(4)[0]:.3f}" == "0.265"
    assert inverse_of_shifted_poisson(1, 7.2) == pytest.approx(-math.expm1(-7.2) / 7.2, rel=1e-14)


@pytest.mark.parametrize("s", [1, 2, 3, 10, 100])
@pytest.mark.parametrize("mean", [0, 1e-9, 0.3, 1, 4.7, 20, 300])
def test_inverse_is_the_sum(s, mean):
    x = np.arange(2000)
    assert inverse_of_shifted_poisson(s, mean) == pytest.approx(math.fsum(poisson.pmf(x, mean) / (s + x)), rel=1e-11)


def test_inverse_against_mpmath():
    mp = pytest.importorskip("mpmath")
    sizes = [1, 2, 3, 5, 10, 31, 100, 1000, 10**5, 10**7]
    means = [1e-12, 1e-3, 0.5, 1, 2, 5, 10, 15, 20, 25, 30, 40, 60, 100, 300, 1e3, 1e5, 1e7, 1e9]

    def exact(s: int, m: float):
        s, m = mp.mpf(s), mp.mpf(m)
        if m <= 2000:
            return mp.hyp1f1(1, s + 1, -m) / s

        def exponent(t):
            return s * t - m * mp.expm1(-t)

        # x = exp(-t) in the integral over (0, 1)
        edges, step = [mp.mpf(0)], 3 / (s + m)
        while exponent(edges[-1]) < 100:
            edges.append(step)
            step *= mp.mpf("1.7")
        return mp.quad(lambda t: mp.exp(-exponent(t)), edges)

    with mp.workdps(40):
        for s in sizes:
            for m in means:
                known = exact(s, m)
                error = abs((mp.mpf(float(inverse_of_shifted_poisson(s, m))) - known) / known)
                assert error < 1e-14, (s, m)


@pytest.mark.parametrize("s", [1, 4, 60, 5000, 10**7])
@pytest.mark.parametrize("mean", [0.01, 3, 18, 77, 4000, 1e6, 1e9])
def test_inverse_is_the_integral(s, mean):
    def integrand(t: float) -> float:
        return math.exp(-s * t / (s + mean) + mean * math.expm1(-t / (s + mean)))

    parts = [quad(integrand, a, b, epsabs=0, epsrel=1e-13)[0] for a, b in [(0, 1), (1, 5), (5, 20), (20, 100)]]
    rest = quad(integrand, 100, 700 * (1 + mean / s))[0] if mean < 30 else 0.0
    assert inverse_of_shifted_poisson(s, mean) == pytest.approx((sum(parts) + rest) / (s + mean), rel=1e-11)


def test_no_mean_is_certain():
    found = Expected([1, 2, 5, 10**7], [0] * 4, [1] * 4, 10**8)
    assert list(found.inverse()) == [1, 0.5, 0.2, 1e-7]
    assert list(found.at_most(4.5)) == [1, 1, 0, 0]
    assert found.delta_presence() == 1
    assert found.delta_histogram()[-1] == (1.0, 1.0, 10**7 + 8)
    assert (found.smallest(), found.uniques()) == (1, 1)


def test_at_most():
    for k in (0, 1, 2, 3, 3.7, 10, 45, 1000):
        brute = [probability[f <= k].sum() for _, _, f, probability in sorted_laws()]
        assert CELLS.at_most(k) == pytest.approx(brute, abs=1e-12)
    assert CELLS.at_most(0).max() == 0
    each = [probability[f <= 2 * s].sum() for s, _, f, probability in sorted_laws()]
    assert CELLS.at_most(2 * CELLS.size) == pytest.approx(each, abs=1e-12)


def sorted_laws():
    order = np.lexsort((MEAN, SIZE))
    found = laws()
    return [found[index] for index in order]


@pytest.mark.parametrize("k", [2, 5, 11, 40])
def test_journalist(k):
    risk = CELLS.journalist(f"k={k}")
    at_risk = [(s, c, probability[f < k].sum()) for s, c, f, probability in laws()]
    inverse = [(s, c, (probability / f).sum()) for s, c, f, probability in laws()]
    assert risk.threshold == Threshold.parse(f"k={k}")
    assert risk.records_at_risk == pytest.approx(sum(s * c * p for s, c, p in at_risk), rel=1e-12)
    assert risk.share_at_risk == pytest.approx(risk.records_at_risk / N)
    assert risk.classes_at_risk == pytest.approx(sum(c * p for _, c, p in at_risk), rel=1e-12)
    assert risk.average_risk == pytest.approx(sum(s * c * e for s, c, e in inverse) / N, rel=1e-12)
    assert risk.highest_expected_risk == 1
    assert (risk.highest_risk, risk.lowest_risk) == (1, None)
    assert (risk.basis, risk.reliability, risk.reason) == ("population model", "model-driven", None)


def test_average_is_not_raised_to_classes_over_people():
    """Two classes of 51 records in a population of 55: the mean over records is below 2/55."""
    found = Expected([1, 50], [5 * 4 / 55, 50 * 4 / 55], [1, 1], 55)
    assert found.journalist().average_risk == pytest.approx(found.size @ found.inverse() / 51, rel=1e-14)
    assert found.journalist().average_risk < 2 / 55


def test_marketer():
    found = CELLS.marketer()
    assert found.average_risk == CELLS.journalist().average_risk
    assert found.expected_matches == pytest.approx(found.average_risk * N)
    assert (found.basis, found.intervals) == ("population model", {})


def test_reliability_is_as_given():
    found = Expected(1, 1, 1, 10, reliability="adequate")
    assert (found.journalist().reliability, found.marketer().reliability) == ("adequate", "adequate")


@pytest.mark.parametrize(
    ("size", "mean", "count"),
    [([1], [30.0], [20]), ([1, 2], [9.0, 100.0], [1, 50]), ([5], [300.0], [3]), ([4], [0], [2])],
)
def test_smallest(size, mean, count):
    cells = Expected(size, mean, count, 5000)
    expected = [
        sum(s * c * poisson.cdf(k - s, m) for s, m, c in zip(size, mean, count, strict=True)) for k in range(600)
    ]
    assert cells.smallest() == next(k for k, records in enumerate(expected) if records >= 0.05)
    assert cells.journalist().highest_risk == 1 / cells.smallest()


def test_a_release_of_everybody():
    """No mean, so F = s: the prosecutor's figures; a model knows no lowest risk even then."""
    found = Expected([1, 4], [0, 0], [2, 5], 22)
    risk = found.journalist("k=3")
    assert (risk.highest_risk, risk.lowest_risk) == (1, None)
    assert (risk.records_at_risk, risk.average_risk) == (2, pytest.approx(7 / 22))
    assert found.k_map_histogram() == [(1, 1, 2), (2, 3, 0), (4, 7, 20)]


def test_smallest_is_at_most_the_population():
    assert Expected([3], [1e6], [1], 50).smallest() == 50


def test_k_map_histogram():
    rows = CELLS.k_map_histogram()
    assert [row[:2] for row in rows][:4] == [(1, 1), (2, 3), (4, 7), (8, 15)]
    assert sum(row[2] for row in rows) == pytest.approx(N, rel=1e-9)
    for low, high, records in rows:
        brute = sum(s * c * probability[(f >= low) & (f <= high)].sum() for s, c, f, probability in laws())
        assert records == pytest.approx(brute, abs=1e-9)


def test_k_map_histogram_ends_with_the_population():
    rows = Expected([2], [1000.0], [5], 100).k_map_histogram()
    assert (rows[-1][1], sum(row[2] for row in rows)) == (100, 10)


def test_delta_presence():
    cells = Expected([1, 2, 8], [5.0, 0.4, 12.0], [9, 9, 9], 1000)
    brute = [s * (poisson.pmf(np.arange(300), m) / (s + np.arange(300))).sum() for s, m in ((1, 5), (2, 0.4), (8, 12))]
    assert cells.delta_presence() == pytest.approx(max(brute), rel=1e-12)
    assert cells.delta_presence() < 1


def test_delta_histogram():
    rows = CELLS.delta_histogram()
    assert [row[:2] for row in rows] == [(tenths / 10, (tenths + 1) / 10) for tenths in range(10)] + [(1, 1)]
    assert sum(row[2] for row in rows) == pytest.approx(N, rel=1e-12)
    for tenths, (_, _, records) in enumerate(rows):
        brute = 0.0
        for s, c, f, probability in laws():
            inside = (10 * s >= tenths * f) & ((10 * s < (tenths + 1) * f) | (tenths == 10))
            brute += s * c * probability[inside].sum()
        assert records == pytest.approx(brute, abs=1e-9)


def test_uniques():
    assert CELLS.uniques() == pytest.approx(3 + 10 * math.exp(-5) + 20 * math.exp(-30), rel=1e-14)
    assert Expected([2], [0], [5], 10).uniques() == 0


def test_simulated():
    """A population drawn from the model, and a sample of it: what is expected happens, within four standard errors."""
    rng = np.random.default_rng(7)
    share = rng.dirichlet(np.full(400, 0.3))
    size, fraction, runs = 3000, 0.2, 400
    difference = {name: [] for name in ("matches", "at risk", "uniques", "certain")}
    for _ in range(runs):
        population = rng.poisson(size * share)
        release = rng.binomial(population, fraction)
        s, f = release[release > 0], population[release > 0]
        cells = Expected(s, (1 - fraction) * size * share[release > 0], np.ones(len(s)), 10_000)
        difference["matches"].append(cells.marketer().expected_matches - (s / f).sum())
        difference["at risk"].append(cells.journalist("k=11").records_at_risk - s[f < 11].sum())
        difference["uniques"].append(cells.uniques() - (f == 1).sum())
        difference["certain"].append(cells.delta_histogram()[-1][2] - s[s == f].sum())
    for name, values in difference.items():
        assert abs(np.mean(values)) < 4 * np.std(values) / math.sqrt(runs), name


def test_cells_are_sorted_and_empty_ones_dropped():
    cells = Expected([3, 1, 2, 1], [0, 4, 0, 2], [1, 2, 0, 3], 100)
    assert (list(cells.size), list(cells.mean), list(cells.count)) == ([1, 1, 3], [2, 4, 0], [3, 2, 1])
    assert (cells.n, cells.u) == (8, 6)


def test_arguments_are_not_changed():
    size, mean, count = np.array([2.0, 1.0]), np.array([1.0, 3.0]), np.array([1.0, 1.0])
    Expected(size, mean, count, 10).journalist()
    assert (list(size), list(mean), list(count)) == ([2, 1], [1, 3], [1, 1])


@pytest.mark.parametrize("mean", [-1e-9, math.nan, math.inf])
def test_a_mean_that_is_none(mean):
    with pytest.raises(MeasurementError, match="below 0 or no number: check the relative frequencies"):
        Expected([1], [mean], [1], 10)


@pytest.mark.parametrize(
    ("size", "count", "population", "message"),
    [
        ([0], [1], 10, "not whole numbers"),
        ([1.5], [1], 10, "not whole numbers"),
        ([math.nan], [1], 10, "not whole numbers"),
        ([1], [-1], 10, "not whole numbers"),
        ([1], [0], 10, "no classes"),
        ([], [], 10, "no classes"),
        ([6], [2], 11, "smaller than the release"),
        ([1], [1], 1.5, "not a whole number"),
    ],
)
def test_cells_that_are_none(size, count, population, message):
    with pytest.raises(RequestError, match=message):
        Expected(size, [0.0] * len(size), count, population)


def test_cells_of_unequal_length():
    with pytest.raises(ValueError, match="equally long"):
        Expected([1, 2], [0.0], [1, 1], 10)


SIZES = st.integers(1, 10**7)
MEANS = st.one_of(st.just(0.0), st.floats(1e-9, 1e9), st.floats(0, 60))


@given(SIZES, MEANS)
def test_inverse_is_between_its_bounds(s, mean):
    """Jensen below; above, P(F = s)/s and the rest at least one more: (e^-m + (1 - e^-m) s/(s+1))/s."""
    found = float(inverse_of_shifted_poisson(s, mean))
    none = math.exp(-mean)
    assert (1 - 1e-14) / (s + mean) <= found <= (none + (1 - none) * s / (s + 1)) / s * (1 + 1e-14)


@given(SIZES, MEANS, MEANS)
def test_inverse_falls_with_the_mean_and_the_size(s, mean, other):
    low, high = sorted((mean, other))
    assert inverse_of_shifted_poisson(s, high) <= inverse_of_shifted_poisson(s, low) * (1 + 1e-14)
    assert inverse_of_shifted_poisson(s + 1, mean) <= inverse_of_shifted_poisson(s, mean) * (1 + 1e-14)


@given(SIZES, st.floats(1e-6, 1e9))
def test_neighbours_fit_by_parts(s, mean):
    """s J(s) + m J(s + 1) = 1."""
    here, next_ = inverse_of_shifted_poisson([s, s + 1], [mean, mean])
    assert s * here + mean * next_ == pytest.approx(1, rel=1e-13)


CELL_LISTS = st.lists(
    st.tuples(st.integers(1, 500), st.one_of(st.just(0.0), st.floats(0, 1e4)), st.integers(1, 50)),
    min_size=1,
    max_size=12,
)


@given(CELL_LISTS, st.integers(1, 200))
def test_figures_hang_together(cells, k):
    found = Expected(*zip(*cells, strict=True), 10**6)
    risk, next_ = found.journalist(f"k={k}"), found.journalist(f"k={k + 1}")
    assert 0 <= risk.share_at_risk <= next_.share_at_risk <= 1
    assert risk.records_at_risk <= found.n * (1 + 1e-12)
    assert risk.classes_at_risk <= found.u * (1 + 1e-12)
    assert 1 / found.population <= risk.average_risk <= found.u / found.n
    assert risk.average_risk <= risk.highest_expected_risk * (1 + 1e-12)
    assert risk.highest_expected_risk <= 1 / found.size.min()
    assert found.size.min() <= found.smallest() <= found.population
    assert 0 <= found.uniques() <= found.n
    assert 0 < found.delta_presence() <= 1
    for histogram in (found.k_map_histogram(), found.delta_histogram()):
        assert sum(row[2] for row in histogram) == pytest.approx(found.n, rel=1e-9)
        assert min(row[2] for row in histogram) >= 0


@given(CELL_LISTS, st.integers(0, 11))
def test_one_cell_more_or_less(cells, index):
    """Cells add up: parts of a cell, in any order, are the cell."""
    size, mean, count = zip(*cells, strict=True)
    whole = Expected(size, mean, count, 10**6)
    index %= len(cells)
    parts = Expected([*size[::-1], size[index]], [*mean[::-1], mean[index]], [*count[::-1], count[index]], 10**6)
    more = size[index] * count[index]
    assert parts.n == whole.n + more
    s, m = np.array([size[index]], float), np.array([mean[index]])
    assert parts.marketer().expected_matches - whole.marketer().expected_matches == pytest.approx(
        more * float(inverse_of_shifted_poisson(s, m)[0]), rel=1e-6, abs=1e-9
    )
