"""The grid of population class sizes, non-parametric maximum likelihood on it, and the identifiability interval.

Everything is held against something computed in another way: exact fractions, scipy's own binomial, a plain loop of the EM
algorithm, a linear programme over all sizes, and populations that are known because they were simulated.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.stats import binom

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.population.estimators import npmle
from sqlrisk.population.estimators.npmle import HAND_OVER, GridLaw, Mixture
from sqlrisk.population.grid import SizeBins, log_binomial, reach, resolved, seen, shown, spread_to
from sqlrisk.population.identifiability import Identifiable
from sqlrisk.population.laws import NegativeBinomial
from sqlrisk.population.sample import WINDOW, Sample


def sample_of(sizes: dict[int, int], population: int) -> Sample:
    return Sample(ClassSizes(sizes), population)


FIXTURE = sample_of({1: 500, 2: 150, 3: 70, 4: 40, 5: 25, 10: 8, 20: 2}, 20_000)

EXTREMES = {
    "census": sample_of({1: 1, 2: 1}, 3),
    "one record, all there is": sample_of({1: 1}, 1),
    "all but a census": sample_of({1: 10, 2: 5, 30: 2, 400: 1}, 481),
    "no uniques": sample_of({2: 5}, 1000),
    "one class": sample_of({5: 1}, 100),
    "one class, huge": sample_of({10**8: 1}, 10**13),
    "one pair": sample_of({2: 1}, 3),
    "one pair of many": sample_of({2: 1}, 10**13),
    "hardly a repeat": sample_of({1: 10**9 - 2, 2: 1}, 10**13),
    "hardly a unique": sample_of({1: 5, 2: 10**8}, 10**13),
    "large classes only": sample_of({60: 10}, 1200),
    "equal huge classes": sample_of({10**8: 10}, 10**9 + 1),
    "uniques and a giant": sample_of({1: 999, 10**8: 1}, 10**8 + 1000),
    "a gap": sample_of({1: 3, 40: 2}, 84),
    "at the end of the window": sample_of({49: 3, 50: 3, 51: 3, 1: 1}, 100_000),
    "many sizes": sample_of({j: max(1, 10**8 // j**2) for j in [*range(1, 40_000), 10**8]}, 10**13),
}
ALL_UNIQUE = [sample_of({1: 1}, 10), sample_of({1: 7}, 10), sample_of({1: 10**9}, 10**13)]


# The grid


@pytest.mark.parametrize("top", [1, 5, 12, 13, 20, 700, 10**6, 10**13])
def test_the_grid_is_whole_ascending_and_dense_enough(top):
    sizes = spread_to(top)
    assert sizes[0] == 1
    assert sizes[-1] == top
    assert (sizes == np.round(sizes)).all()
    steps = np.diff(sizes)
    assert (steps >= 1).all()
    # Ten points a log unit, but for rounding to whole sizes.
    assert (steps <= 0.1052 * sizes[:-1] + 1).all()
    assert set(range(1, min(top, 12) + 1)) <= set(sizes)
    assert len(sizes) <= 12 + 10 * math.log(max(top, 12) / 12) + 2


@pytest.mark.parametrize("fraction", [0.01, 0.3, 0.5, 0.9, 0.999, 1.0])
@pytest.mark.parametrize("deviations", [0.25, 1.0])
def test_the_fine_grid_steps_by_what_a_size_tells(fraction, deviations):
    top = WINDOW / fraction
    sizes = resolved(top, fraction, deviations)
    assert (sizes <= top + 1).all()
    deviation = deviations * np.sqrt(sizes * (1 - fraction) / fraction)
    assert (np.diff(sizes) <= deviation[1:] + 1).all()
    if sizes.size:
        assert sizes[-1] + deviation[-1] + 1 >= top
    else:
        assert deviations * math.sqrt(top * (1 - fraction) / fraction) >= 0.1 * top * 0.99


def test_the_grid_reaches_above_the_largest_class_and_never_above_the_population():
    assert reach(20, FIXTURE) == round((20 + 6 * math.sqrt(20)) / FIXTURE.fraction)
    assert reach(1400, FIXTURE) == 20_000


# How a class shows


@pytest.mark.parametrize("fraction", [Fraction(1, 50), Fraction(3, 10), Fraction(9, 10), Fraction(1)])
def test_probabilities_against_exact_fractions(fraction):
    sizes = np.arange(1.0, 41)
    bins = SizeBins.between(np.array([0, 1, 2, 3, 7, 20, 35, np.inf]))
    matrix = shown(bins, sizes, float(fraction))
    for row, (first, last) in enumerate(zip(bins.first, bins.last, strict=True)):
        for column, size in enumerate(range(1, 41)):
            upto = int(min(last, size))
            exact = sum(
                math.comb(size, j) * fraction**j * (1 - fraction) ** (size - j) for j in range(int(first), upto + 1)
            )
            assert matrix[row, column] == pytest.approx(float(exact), rel=1e-11, abs=1e-17)


@pytest.mark.parametrize(
    ("population", "fraction", "largest"),
    [(1e13, 1e-4, 1e8), (1e6, 0.3, 1e4), (1e6, 0.95, 1e3), (1e9, 0.5, 1e8), (1e13, 1e-12, 8), (2e4, 0.07075, 20)],
)
def test_every_size_of_a_grid_shows_where_it_should(population, fraction, largest):
    top = min(population, (largest + 6 * math.sqrt(largest)) / fraction)
    sizes = spread_to(int(top))
    bins = SizeBins.of_grid(sizes, fraction)
    assert bins.first[0] == 1
    assert np.isinf(bins.last[-1])
    assert (bins.first[1:] == bins.last[:-1] + 1).all()
    matrix = shown(bins, sizes, fraction)
    assert matrix.sum(axis=0) == pytest.approx(seen(sizes, fraction), rel=1e-9)
    assert (matrix[bins.first <= largest].max(axis=1) > 0.01).all()  # no bin is out of the grid's reach
    large = sizes * fraction > WINDOW
    assert (matrix[:, large].max(axis=0) > 0.05).all()  # and no size falls between the bins
    if population <= 1e9:  # scipy.stats is right there
        last = np.minimum(bins.last, 1e15)[:, None]
        left = binom.cdf(last, sizes, fraction) - binom.cdf(bins.first[:, None] - 1, sizes, fraction)
        right = binom.sf(bins.first[:, None] - 1, sizes, fraction) - binom.sf(last, sizes, fraction)
        assert matrix == pytest.approx(np.where(bins.first[:, None] > fraction * sizes, right, left), abs=1e-13)


def test_binomial_logarithms_stay_exact_for_huge_classes():
    # Bin(3; F, π) of F = 10^13 and π = 3 · 10^-13 is Poisson(3) to 13 digits
    assert log_binomial(3.0, 1e13, 3e-13) == pytest.approx(math.log(4.5) - 3, rel=1e-12)
    assert log_binomial(3.0, 2.0, 0.5) == -math.inf


def test_bins_count_every_class_once():
    sample = sample_of({1: 4, 50: 2, 51: 3, 52: 1, 990: 7, 10**6: 1}, 10**8)
    bins = SizeBins.of_grid(spread_to(reach(10**6, sample)), sample.fraction)
    count = bins.count(sample)
    assert count.sum() == sample.u
    assert count[0] == 4
    assert count[49] == 2


# Non-parametric maximum likelihood


def test_check_value():
    fit = npmle.estimate(FIXTURE)
    assert f"{fit.people:.3f}" == "704.101"
    assert fit.converged
    assert fit.expected is None


def test_the_answer_is_that_of_a_plain_em_algorithm():
    n, population = 1415, 20_000
    fraction = n / population
    top = round((20 + 6 * math.sqrt(20)) / fraction)
    points = int(10 * math.log(top / 12)) + 2
    spread = [round(12 * (top / 12) ** (i / (points - 1))) for i in range(points)]
    sizes = np.array(sorted({*range(1, 13), *spread}))
    truncated = {j: binom.pmf(j, sizes, fraction) / (1 - (1 - fraction) ** sizes) for j, _ in FIXTURE.sizes.pairs}
    weights = np.full(len(sizes), 1 / len(sizes))
    for _ in range(1500):
        weights = sum(
            count / FIXTURE.u * weights * truncated[j] / (weights @ truncated[j]) for j, count in FIXTURE.sizes.pairs
        )
    assert npmle.estimate(FIXTURE).people == pytest.approx(FIXTURE.u * weights[0] / fraction, rel=1e-9)


SHAPES = {
    "fixture": FIXTURE,
    "window and bins": sample_of({1: 300, 2: 90, 3: 41, 7: 11, 60: 4, 61: 1, 300: 3, 5000: 1}, 60_000),
    "large fraction": sample_of({1: 300, 2: 190, 3: 141, 7: 11, 30: 4}, 2_100),
    "nearly a census": sample_of({1: 300, 2: 190, 3: 141, 7: 11, 30: 4}, 1_310),
    "large": sample_of({j: 10**7 // j**2 for j in range(1, 3000)}, 10**10),
}


@pytest.mark.parametrize("sample", SHAPES.values(), ids=SHAPES)
def test_the_maximum_has_no_way_up(sample):
    """Kuhn and Tucker: no F has a gradient above 1, and those in use have exactly 1; by scipy's own binomial."""
    mixture = Mixture.of(sample)
    smooth = mixture.smoothed()
    best, unsure = mixture.maximum(smooth)
    assert best.sum() == pytest.approx(1)
    assert (best >= 0).all()
    assert unsure < 0.1
    bins = SizeBins.of_grid(mixture.sizes, sample.fraction)
    bins = bins[bins.count(sample) > 0]
    count = bins.count(sample)
    upper = np.minimum(bins.last, 1e12)[:, None]
    probability = binom.cdf(upper, mixture.sizes, sample.fraction)
    probability -= binom.cdf(bins.first[:, None] - 1, mixture.sizes, sample.fraction)
    probability /= 1 - (1 - sample.fraction) ** mixture.sizes
    gradient = (count / (probability @ best)) @ probability / count.sum()
    assert gradient.max() < 1 + 1e-6
    assert gradient[best > 1e-4] == pytest.approx(1, abs=1e-6)
    # and the smooth answer is less likely, but not by much
    short = count @ np.log(probability @ best) - count @ np.log(probability @ smooth)
    assert short >= -1e-9
    answer = npmle.estimate(sample)
    assert answer.converged
    assert answer.parameters["short_of_maximum"] == pytest.approx(min(short, npmle.SHORT), abs=1e-4)


def test_the_likeliest_fit_is_told():
    fit = npmle.estimate(FIXTURE)
    assert fit.parameters["people_at_maximum"] == 0
    assert fit.parameters["short_of_maximum"] == pytest.approx(0.223, abs=1e-3)
    assert "the likeliest of all fits has 0 population uniques" in fit.reason


@pytest.mark.parametrize("sample", ALL_UNIQUE, ids=lambda sample: str(sample.n))
def test_no_repeats_no_estimate(sample):
    fit = npmle.estimate(sample)
    assert fit.people is None
    assert "share a class" in fit.reason
    low, high = uniques_between(sample)
    assert 0 <= low <= high <= sample.population  # the programme still has something to say


@pytest.mark.parametrize("sample", EXTREMES.values(), ids=EXTREMES)
def test_extremes(sample):
    check_estimate(sample)
    check_bounds(sample)


def test_a_census_is_counted():
    fit = npmle.estimate(EXTREMES["census"])
    assert fit.people == 1
    assert fit.law.inverse(np.array([1.0, 2.0])).tolist() == [1, 0.5]
    assert uniques_between(EXTREMES["census"]) == (1, 1)


def test_close_to_a_census_the_uniques_are_known():
    sample = sample_of({1: 1000, 2: 500, 3: 300}, 2920)
    assert npmle.estimate(sample).people == pytest.approx(1000, rel=0.02)


def test_data_as_clear_as_these_are_not_smoothed_away():
    fit = npmle.estimate(EXTREMES["hardly a repeat"])
    assert fit.people == pytest.approx(1e13, rel=1e-3)
    assert fit.parameters["short_of_maximum"] <= npmle.SHORT * 1.001


def check_estimate(sample: Sample) -> None:
    fit = npmle.estimate(sample)
    assert 0 <= fit.people <= sample.uniques + sample.population - sample.n
    assert all(math.isfinite(value) for value in fit.parameters.values())
    sizes = sample.size
    inverse = fit.law.inverse(sizes)
    assert (inverse > 0).all()
    assert (inverse <= 1 / sizes * (1 + 1e-12)).all()
    below = np.zeros(sizes.shape)
    for k in (0, 1, 2.5, 10, 49, 50, 1000, 1e9, 1e18):
        upto = fit.law.at_most(sizes, k)
        assert (upto >= below - 1e-12).all()
        assert (upto <= 1 + 1e-12).all()
        assert (upto[sizes > k] == 0).all()
        below = upto
    assert below == pytest.approx(1)


# The law of F given s


def test_the_law_is_bayes_rule():
    sizes, classes, fraction = np.arange(1.0, 9), np.array([50.0, 20, 0, 7, 3, 0, 1, 0.5]), 0.3
    law = GridLaw(sizes, classes, fraction)
    for s in range(1, 8):
        joint = [
            c * math.comb(int(F), s) * fraction**s * (1 - fraction) ** (F - s) if s <= F else 0.0
            for F, c in zip(sizes, classes, strict=True)
        ]
        expected = sum(p / F for p, F in zip(joint, sizes, strict=True)) / sum(joint)
        assert law.inverse(np.array([s, 1.0]))[0] == pytest.approx(expected, rel=1e-12)
        for k in range(s, 10):
            below = sum(p for p, F in zip(joint, sizes, strict=True) if k >= F) / sum(joint)
            assert law.at_most(np.array([s, 1.0]), k)[0] == pytest.approx(below, rel=1e-12, abs=1e-15)


def test_the_law_passes_to_the_negative_binomial():
    law, limit = npmle.estimate(FIXTURE).law, NegativeBinomial(FIXTURE.fraction)
    large = np.array([HAND_OVER[1], 51, 1000, 1e8])
    assert (law.inverse(large) == limit.inverse(large)).all()
    assert (law.at_most(large, 2e4) == limit.at_most(large, 2e4)).all()
    # impossible on the grid, so nothing is known but the limit
    assert GridLaw(np.arange(1.0, 4), np.ones(3), 0.5).inverse(np.array([7.0])) == limit_of(0.5, 7)


def limit_of(fraction: float, s: float) -> float:
    return float(NegativeBinomial(fraction).inverse(np.array([s]))[0])


def test_the_hand_over_has_no_jump():
    # S_F ~ 1/F^2 on a fine enough grid
    sizes = spread_to(100_000)
    width = np.gradient(sizes)
    law = GridLaw(sizes, width / sizes**2, 0.1)
    s = np.arange(10.0, 80)
    slopes = np.diff(np.log(s * law.inverse(s)))
    assert (np.abs(slopes) < 0.02).all()
    assert (np.abs(np.diff(slopes)) < 0.005).all()


@pytest.mark.parametrize("sample", SHAPES.values(), ids=SHAPES)
def test_the_law_agrees_with_the_uniques(sample):
    """π S_1 records of the release are population uniques: f_1 P(F = 1 | s = 1)."""
    fit = npmle.estimate(sample)
    records = sample.uniques * float(fit.law.at_most(np.array([1.0]), 1)[0])
    assert records == pytest.approx(sample.fraction * fit.people, rel=0.01, abs=0.5)


# The identifiability interval


def uniques_between(sample: Sample) -> tuple[float, float]:
    programme = Identifiable(sample)
    return programme.bounds(programme.grid == 1)


def check_bounds(sample: Sample) -> None:
    programme = Identifiable(sample)
    assert programme.z >= 2
    grid = programme.grid
    assert (np.diff(grid) > 0).all()
    assert grid[-1] <= sample.population
    functionals = {"uniques": grid == 1, "classes": np.ones(len(grid)), "small": np.where(grid < 20, grid, 0.0)}
    for functional in functionals.values():
        low, high = programme.bounds(functional)
        assert math.isfinite(low)
        assert math.isfinite(high)
        assert 0 <= low <= high
        assert high <= sample.population
    assert programme.bounds(np.zeros(len(grid))) == (0, 0)


@pytest.mark.parametrize(
    ("sizes", "population"), [({1: 5, 2: 2}, 12), ({1: 4, 3: 1}, 11), ({2: 3}, 9), ({1: 6}, 12), ({1: 2, 5: 1}, 10)]
)
def test_a_small_programme_against_a_plain_one(sizes, population):
    """All sizes up to N, the constraints as they are written in the literature."""
    sample = sample_of(sizes, population)
    every = np.arange(1, population + 1)
    rows = np.array([binom.pmf(j, every, sample.fraction) for j in range(1, population + 1)])
    observed = np.array([sizes.get(j, 0) for j in range(1, population + 1)])
    tolerance = 2 * np.sqrt(observed + 1)
    programme = Identifiable(sample)
    assert programme.z == 2
    assert (programme.grid == every).all()
    for functional in (every == 1, np.ones(population), np.where(every < 4, every, 0)):
        ends = [
            sign
            * linprog(
                sign * functional,
                np.vstack([rows, -rows]),
                np.append(observed + tolerance, tolerance - observed),
                every[None, :],
                [population],
                [(0, sample.uniques + population - sample.n), *[(0, None)] * (population - 1)],
            ).fun
            for sign in (1.0, -1.0)
        ]
        assert programme.bounds(functional) == pytest.approx(ends, rel=1e-4, abs=1e-4)


def test_the_interval_of_the_fixture_holds_every_check_value_but_zero_classes():
    low, high = uniques_between(FIXTURE)
    assert low <= 284.219
    assert high >= 2865.744
    assert high < FIXTURE.uniques + FIXTURE.population - FIXTURE.n


def test_the_tolerance_is_relaxed_and_told():
    sample = sample_of({1: 10, 5: 10**6}, 10**8)
    programme = Identifiable(sample)
    assert programme.z > 2
    check_bounds(sample)
    assert Identifiable(FIXTURE, z=6).z == 6
    narrow, wide = (p.bounds(p.grid == 1) for p in (Identifiable(FIXTURE), Identifiable(FIXTURE, z=6)))
    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


def test_the_same_histogram_has_the_same_interval():
    assert uniques_between(FIXTURE) == uniques_between(sample_of(dict(FIXTURE.sizes.pairs), 20_000))


def test_large_classes_are_known_by_themselves():
    """Sizes far above the window: their F is j/π within a few standard deviations, and no grid blurs it."""
    sample = sample_of({1: 50, 2: 20, 10_000: 3, 1_000_000: 2}, 20_300_900)
    programme = Identifiable(sample)
    people = np.where(programme.grid > 10_000, programme.grid, 0.0)
    low, high = programme.bounds(people)
    truth = 2_030_000 / sample.fraction
    assert 0.9 * truth < low < truth < high < 1.1 * truth
    assert programme.bounds(programme.grid > 10_000) == pytest.approx((5, 5), abs=0.5)


POPULATIONS = {
    "zipf": lambda g: g.multinomial(20_000, _shares(1 / (np.arange(1, 20_001) + 5.0))),
    "lognormal": lambda g: g.multinomial(20_000, _shares(np.exp(1.5 * g.normal(size=7000)))),
    "lognormal, heavy": lambda g: g.multinomial(20_000, _shares(np.exp(2.5 * g.normal(size=2000)))),
    "gamma": lambda g: g.multinomial(20_000, _shares(g.gamma(0.3, size=4000) + 1e-12)),
    "uniform": lambda g: g.multinomial(20_000, _shares(np.ones(5000))),
    "Ewens": lambda g: _urn(g, 20_000, 1000, 0.0),
    "Pitman-Yor": lambda g: _urn(g, 20_000, 200, 0.5),
    "product": lambda g: np.unique(
        sum(
            base * g.choice(k, 20_000, p=_shares(1 / np.arange(1, k + 1)))
            for base, k in ((1, 60), (60, 30), (1800, 12))
        ),
        return_counts=True,
    )[1],
}


def _shares(weights: np.ndarray) -> np.ndarray:
    return weights / weights.sum()


def _urn(generator: np.random.Generator, people: int, theta: float, alpha: float) -> np.ndarray:
    """The two-parameter urn by its sticks; what is left of the last stick is split into classes of one."""
    i = np.arange(1, 60_001)
    broken = generator.beta(1 - alpha, theta + i * alpha)
    sticks = broken * np.append(1, np.cumprod(1 - broken)[:-1])
    counts = generator.multinomial(people, np.append(sticks, max(0.0, 1 - sticks.sum())))
    return np.append(counts[:-1], np.ones(counts[-1], dtype=int))


@pytest.mark.parametrize("name", POPULATIONS)
def test_the_interval_covers_the_truth(name):
    generator = np.random.default_rng(20_240_501)
    sizes = POPULATIONS[name](generator)
    sizes = sizes[sizes > 0]
    for fraction in (0.001, 0.01, 0.1, 0.2, 0.5):
        drawn = generator.multivariate_hypergeometric(sizes, int(20_000 * fraction))
        sample = Sample(ClassSizes([(int(size), 1) for size in drawn[drawn > 0]]), 20_000)
        programme = Identifiable(sample)
        assert programme.z <= 3
        grid = programme.grid
        for functional, truth in (
            (grid == 1, (sizes == 1).sum()),
            (np.ones(len(grid)), len(sizes)),
            (np.where(grid < 11, grid, 0), sizes[sizes < 11].sum()),
            (np.where(grid < 300, grid, 0), sizes[sizes < 300].sum()),
        ):
            low, high = programme.bounds(functional)
            assert low * (1 - 1e-4) <= truth <= high * (1 + 1e-4)


def test_the_smooth_fit_is_near_the_truth_at_a_large_fraction():
    generator = np.random.default_rng(3)
    sizes = POPULATIONS["lognormal"](generator)
    drawn = generator.multivariate_hypergeometric(sizes, 10_000)
    fit = npmle.estimate(Sample(ClassSizes([(int(size), 1) for size in drawn[drawn > 0]]), 20_000))
    assert fit.people == pytest.approx((sizes == 1).sum(), rel=0.15)


# Any histogram


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    sizes=st.dictionaries(
        st.one_of(st.integers(1, 60), st.integers(1, 10**8)),
        st.one_of(st.integers(1, 50), st.integers(1, 10**8)),
        min_size=1,
    ),
    factor=st.one_of(st.floats(1, 3), st.floats(1, 1e6)),
)
def test_any_histogram(sizes, factor):
    n = ClassSizes(sizes).records
    sample = sample_of(sizes, max(n, int(n * factor)))
    if sample.uniques < sample.n or sample.is_census:
        check_estimate(sample)
    check_bounds(sample)
