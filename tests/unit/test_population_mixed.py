"""Negative binomial, Poisson-inverse Gaussian, Poisson-lognormal and slide negative binomial, and their laws of F given s.

FIXTURE is the histogram of the design's check values (formulas, sections B and C).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, kve
from scipy.stats import binom, nbinom, norm, poisson

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.population.estimators import negative_binomial, poisson_inverse_gaussian, poisson_lognormal, snb
from sqlrisk.population.estimators.mixed_poisson import (
    EXACT_TO,
    Grid,
    MixedPoissonLaw,
    UnitInterval,
    _inverse_moment,
)
from sqlrisk.population.estimators.negative_binomial import NegativeBinomialLaw
from sqlrisk.population.estimators.snb import SlideLaw
from sqlrisk.population.sample import WINDOW, Sample

FIXTURE = {1: 500, 2: 150, 3: 70, 4: 40, 5: 25, 10: 8, 20: 2}
MODELS = (negative_binomial, poisson_inverse_gaussian, poisson_lognormal, snb)
WINDOWED = (poisson_inverse_gaussian, poisson_lognormal)
MIXED = (negative_binomial, *WINDOWED)
T = 20_000 / 1415


def sample(histogram, population: int) -> Sample:
    return Sample(ClassSizes(histogram), population)


def fixture() -> Sample:
    return sample(FIXTURE, 20_000)


def name(module) -> str:
    return module.__name__.rpartition(".")[2]


# --- check values


@pytest.mark.parametrize(
    ("module", "people"),
    [
        # The design has 722.715, 442.827 and 284.219, from searches that stopped early. These are from the log-series'
        # closed form, and from Newton's method in 25 and 30 digits with Bessel functions and a finer grid.
        (negative_binomial, 722.716020),
        (poisson_inverse_gaussian, 442.825995),
        (poisson_lognormal, 284.220877),
        (snb, 1900.416973),
    ],
    ids=["negative_binomial", "poisson_inverse_gaussian", "poisson_lognormal", "snb"],
)
def test_people_of_the_fixture(module, people):
    assert module.estimate(fixture()).people == pytest.approx(people, abs=1e-6)


def test_parameters_of_the_fixture():
    slide = snb.estimate(fixture()).parameters
    assert slide["classes"] == pytest.approx(3424.961, abs=5e-4)
    assert slide["alpha"] == pytest.approx(0.162589, abs=5e-7)
    assert slide["beta"] == pytest.approx(0.0267094, abs=5e-8)
    gaussian = poisson_inverse_gaussian.estimate(fixture()).parameters
    assert gaussian == {"mean": pytest.approx(0.5181344913, abs=1e-8), "shape": pytest.approx(0.1761575436, abs=1e-8)}
    lognormal = poisson_lognormal.estimate(fixture()).parameters
    assert lognormal == {"mean_log": pytest.approx(-1.157940, abs=1e-6), "sd_log": pytest.approx(1.146571, abs=1e-6)}
    assert negative_binomial.estimate(fixture()).parameters == {"shape": 0, "x": pytest.approx(0.653637, abs=5e-7)}


def test_marketer_of_the_fixture():
    law = negative_binomial.estimate(fixture()).law
    records = fixture().size * fixture().count
    assert records @ law.inverse(fixture().size) / fixture().n == pytest.approx(0.125170, abs=5e-7)


def test_one_poisson_law():
    expected = [0.1387852, 0.1196132, 0.1056630]
    sizes, rest = np.array([1.0, 2.0, 3.0]), 0.9 * 8
    unit = UnitInterval.reaching(rest)
    assert unit.integral(sizes, np.exp(-rest * unit.below_one)) == pytest.approx(expected, abs=5e-8)
    # a negative binomial of large shape
    assert NegativeBinomialLaw(1e9, rest / 1e9).inverse(sizes) == pytest.approx(expected, abs=6e-8)
    # a lognormal of small variance
    narrow = poisson_lognormal.Lognormal()
    law = MixedPoissonLaw(narrow, np.array([0.0, 400.0]), math.log(0.8), 9.0, Grid.reaching(-3.0))
    assert law.inverse(sizes) == pytest.approx(expected, rel=5e-3)


# --- fits, against formulas written another way


def inverse_gaussian_pmf(mean: float, shape: float, j: np.ndarray, t: float = 1.0) -> np.ndarray:
    """Poisson(t λ) with λ inverse Gaussian, by Bessel functions (Sichel 1975)."""
    a, b = t + shape / (2 * mean**2), shape / 2
    z, order = 2 * np.sqrt(a * b), j - 0.5
    log = 0.5 * np.log(shape / (2 * np.pi)) + shape / mean + np.log(2) + order / 2 * np.log(b / a)
    return np.exp(log + np.log(kve(order, z)) - z + j * np.log(t) - gammaln(j + 1))


def lognormal_pmf(mean: float, sd: float, j: np.ndarray, t: float = 1.0) -> np.ndarray:
    """Poisson(t λ) with λ lognormal, on a grid of its own."""
    x, step = np.linspace(mean - 14 * sd, mean + 14 * sd, 4001, retstep=True)
    return step * (norm.pdf(x, mean, sd) * poisson.pmf(j[:, None], t * np.exp(x))).sum(axis=1)


def pmf(module, parameters, j: np.ndarray, t: float = 1.0) -> np.ndarray:
    if module is poisson_inverse_gaussian:
        return inverse_gaussian_pmf(parameters["mean"], parameters["shape"], j, t)
    if module is poisson_lognormal:
        return lognormal_pmf(parameters["mean_log"], parameters["sd_log"], j, t)
    r, mean = parameters["shape"], parameters["mean"]
    return nbinom.pmf(j, r, r / (r + t * mean))


INTERIOR = {
    negative_binomial: ({1: 300, 2: 180, 3: 110, 4: 70, 5: 40, 6: 25, 8: 9, 12: 1}, 9000),
    poisson_inverse_gaussian: (FIXTURE, 20_000),
    poisson_lognormal: (FIXTURE, 20_000),
}


@pytest.mark.parametrize("module", MIXED, ids=name)
def test_fit_is_a_maximum_and_gives_its_people(module):
    """The likelihood falls in every direction, and S_1 and the expected frequencies are those of the parameters."""
    chosen = sample(*INTERIOR[module])
    found = module.estimate(chosen)
    assert found.reason is None
    j = np.arange(1, WINDOW + 1)
    small = chosen.small

    def log_likelihood(parameters) -> float:
        probability = pmf(module, parameters, j)
        # The negative binomial is conditional on j > 0 only.
        whole = probability.sum() if module in WINDOWED else 1 - pmf(module, parameters, np.zeros(1))[0]
        return float(small[small > 0] @ np.log(probability[small > 0] / whole))

    best = log_likelihood(found.parameters)
    for key in found.parameters:
        for step in (-1e-3, 1e-3):
            moved = {**found.parameters, key: found.parameters[key] + step}
            assert log_likelihood(moved) < best
    probability = pmf(module, found.parameters, j)
    assert found.expected / found.expected.sum() == pytest.approx(probability / probability.sum(), rel=1e-8)
    whole = probability.sum() if module in WINDOWED else 1 - pmf(module, found.parameters, np.zeros(1))[0]
    t = chosen.population / chosen.n
    one = pmf(module, found.parameters, np.ones(1), t)[0]
    assert found.people == pytest.approx(chosen.u / whole * one, rel=1e-8)


@pytest.mark.parametrize("module", MIXED, ids=name)
def test_uniques_of_law_and_estimate_agree(module):
    """π S_1 records are population uniques: as many as are expected alone in the release, times P(F = 1 | s = 1)."""
    found = module.estimate(fixture())
    assert found.expected.shape == (WINDOW,)
    share = found.expected / found.expected.sum()
    classes = fixture().small.sum()
    if module is negative_binomial:
        x = found.parameters["x"]
        share, classes = np.array([x / -math.log1p(-x)]), fixture().u
    alone = classes * share[0]
    assert found.people / T == pytest.approx(alone * found.law.at_most(np.ones(1), 1)[0], rel=1e-9)


def test_snb_solves_its_equations():
    found = snb.estimate(fixture())
    classes, a, b = (found.parameters[key] for key in ("classes", "alpha", "beta"))
    pi = 1 / T
    size = np.arange(1, 4000)
    p = nbinom.pmf(size - 1, a, b)
    assert classes * (p * binom.pmf(1, size, pi)).sum() == pytest.approx(500, rel=1e-9)
    assert classes * (p * binom.pmf(2, size, pi)).sum() == pytest.approx(150, rel=1e-9)
    assert found.people == pytest.approx(classes * p[0], rel=1e-12)
    # Here f_1 is both observed and expected, so S_1 and the law agree without a fit in between.
    assert found.people * pi == pytest.approx(500 * found.law.at_most(np.ones(1), 1)[0], rel=1e-9)
    assert found.expected is None


@pytest.mark.parametrize(("alpha", "beta"), [(0.2, 0.1), (1.5, 0.3), (4.0, 0.6)])
def test_snb_finds_what_its_expected_frequencies_came_from(alpha, beta):
    """Given K, that is: the modified Shlosser estimator of it has a bias of its own (here up to a third)."""
    pi, classes = 0.2, 10**9
    size = np.arange(1, 3000)
    p = nbinom.pmf(size - 1, alpha, beta)
    histogram = {j: round(classes * float((p * binom.pmf(j, size, pi)).sum())) for j in range(1, 80)}
    n = sum(j * count for j, count in histogram.items())
    chosen = sample(histogram, round(n / pi))
    logit = snb._solve(chosen, classes)
    assert snb._alpha(chosen, logit) == pytest.approx(alpha, rel=1e-4)
    assert logit == pytest.approx(math.log(beta / (1 - beta)), abs=1e-4)


def test_large_simulated_populations_are_recovered():
    generator = np.random.default_rng(7)
    laws = {
        negative_binomial: generator.gamma(0.8, 20 / 0.8, 60_000),
        poisson_inverse_gaussian: generator.wald(20, 10, 60_000),
        poisson_lognormal: np.exp(generator.normal(2, 1.2, 60_000)),
    }
    for module, mean in laws.items():
        people = generator.poisson(mean)
        seen = generator.binomial(people, 0.1)
        size, count = np.unique(seen[seen > 0], return_counts=True)
        chosen = sample(dict(zip(size.tolist(), count.tolist(), strict=True)), int(people.sum()))
        found = module.estimate(chosen)
        assert found.people == pytest.approx((people == 1).sum(), rel=0.1), name(module)
        law_share = found.law.at_most(np.arange(1.0, 4.0), 5)
        true_share = [(people[seen == s] <= 5).mean() for s in (1, 2, 3)]
        assert law_share == pytest.approx(true_share, abs=0.02), name(module)


# --- laws, by Bayes' rule written out


def by_bayes(population: np.ndarray, pi: float, s: int) -> np.ndarray:
    """P(F = 1, 2, ... | s) from p_F for F = 1, 2, ..."""
    joint = population * binom.pmf(s, np.arange(1, len(population) + 1), pi)
    return joint / joint.sum()


@pytest.mark.parametrize("module", MODELS, ids=name)
def test_law_by_enumeration(module):
    histogram, population = INTERIOR.get(module, (FIXTURE, 20_000))
    n = sum(size * count for size, count in histogram.items())
    found = module.estimate(sample(histogram, min(population, 4 * n)))
    pi = n / min(population, 4 * n)
    size = np.arange(1, 140)
    if module is snb:
        p = nbinom.pmf(size - 1, found.parameters["alpha"], found.parameters["beta"])
    else:
        p = pmf(module, found.parameters, size, 1 / pi)
    for s in range(1, 6):
        law = by_bayes(p, pi, s)
        sizes = np.array([float(s)])
        assert found.law.inverse(sizes)[0] == pytest.approx((law / size).sum(), rel=1e-8)
        for k in (1, 2, 3, 5, 8, 20, 60):
            assert found.law.at_most(sizes, k)[0] == pytest.approx(law[:k].sum(), abs=1e-9), (s, k)


def test_log_series_law_by_enumeration():
    found = negative_binomial.estimate(fixture())
    assert found.parameters["shape"] == 0
    odds = T * found.parameters["x"] / (1 - found.parameters["x"])
    size = np.arange(1, 4000)
    p = (odds / (1 + odds)) ** size / size
    for s in range(1, 6):
        law = by_bayes(p, 1 / T, s)
        assert found.law.inverse(np.array([float(s)]))[0] == pytest.approx((law / size).sum(), rel=1e-9)
        assert found.law.at_most(np.array([float(s)]), 30)[0] == pytest.approx(law[:30].sum(), rel=1e-9)


class Gamma:
    """The mixing law of the negative binomial, for which everything is known in closed form."""

    lower = upper = starts = ()

    def log_density(self, y, p):
        return p[0] * y - np.exp(y) / p[1]

    def slope(self, y, p):
        return p[0] - np.exp(y) / p[1]

    def curvature(self, y, p):
        return -np.exp(y) / p[1]

    first = second = None


ALL_SIZES = np.unique(np.round(np.concatenate([np.arange(1, 260), np.geomspace(200, 1e8, 60)])))


@pytest.mark.parametrize("t", [1 + 1e-9, 2, 14, 1e4, 1e12])
@pytest.mark.parametrize(("shape", "odds"), [(0, 2.0), (0, 1e6), (0.3, 5.0), (3, 0.2), (50, 0.01), (120, 0.5)])
def test_quadrature_against_the_closed_form(t, shape, odds):
    """Sizes from 1 to 1e8, F up to 1e20: where the Poisson law is wider than the posterior of λ, and where it is not."""
    closed = NegativeBinomialLaw(shape, (t - 1) * odds / (1 + odds))
    mixed = MixedPoissonLaw(Gamma(), np.array([shape, odds]), 0.0, t - 1, Grid.reaching(-math.log(t)))
    assert mixed.inverse(ALL_SIZES) == pytest.approx(closed.inverse(ALL_SIZES), rel=2e-8)
    typical = [float(np.floor(s * (1 + (t - 1) * odds / (1 + odds)))) for s in (1, 3, 150, 260, 1e5, 1e8)]
    for k in (1, 2, 5, 100, 399, 401, 1e4, *typical):
        if k < 1e15:
            assert mixed.at_most(ALL_SIZES, k) == pytest.approx(closed.at_most(ALL_SIZES, k), abs=2e-8), k


def test_inverse_of_one_poisson_law_at_large_sizes():
    for s in (201, 300, 2000):
        for mean in (0.1, 20, 200, 5000):
            y = np.arange(mean + 40 * math.sqrt(mean) + 60)
            exact = (poisson.pmf(y, mean) / (s + y)).sum()
            assert _inverse_moment(np.array(float(s)), np.array(mean)) == pytest.approx(exact, rel=2e-9)


@pytest.mark.parametrize("module", MODELS, ids=name)
def test_many_sizes_are_answered_as_few_are(module):
    """Interpolation, and the search for the sizes that are neither surely above nor surely below k."""
    law = module.estimate(fixture()).law
    many = np.unique(np.round(np.concatenate([np.arange(1, 5000), np.geomspace(5000, 1e8, 2000)])))
    picked = np.linspace(0, many.size - 1, 100).astype(int)
    assert law.inverse(many)[picked] == pytest.approx(law.inverse(many[picked]), rel=1e-8)
    for k in (3, 200, 2000, 50_000, 10**7):
        assert law.at_most(many, k)[picked] == pytest.approx(
            [law.at_most(many[[index]], k)[0] for index in picked], abs=1e-12
        )


@pytest.mark.parametrize("module", MODELS, ids=name)
def test_answers_have_the_shape_and_order_of_the_question(module):
    law = module.estimate(fixture()).law
    sizes = np.array([[300.0, 1.0, 2.0], [2.0, 50.0, 300.0]])
    for answer in (law.inverse(sizes), law.at_most(sizes, 60)):
        assert answer.shape == sizes.shape
        assert answer[0, 0] == answer[1, 2]
        assert answer[0, 2] == answer[1, 0]
    assert law.at_most(sizes, 60)[0, 0] == 0
    assert law.at_most(sizes, 60)[0, 1] > law.at_most(sizes, 60)[0, 2] > 0
    assert law.at_most(np.array([2.0]), 2.9) == law.at_most(np.array([2.0]), 2)
    assert law.inverse(np.empty(0)).shape == law.at_most(np.empty(0), 3).shape == (0,)


def test_slide_law_at_its_limits():
    assert SlideLaw(1.0, 0.0, 1.0).inverse(np.array([1.0, 4.0])).tolist() == [1, 0.25]
    assert SlideLaw(1.0, 0.0, 1.0).at_most(np.array([1.0, 4.0]), 1).tolist() == [1, 0]


# --- what is said of doubtful fits


@pytest.mark.parametrize(
    ("module", "histogram", "population", "reason"),
    [
        (negative_binomial, FIXTURE, 20_000, "Fisher's log-series"),
        (negative_binomial, {1: 271, 2: 271, 3: 180, 4: 90, 5: 36, 6: 12}, 20_000, "variance 0"),
        (poisson_inverse_gaussian, {1: 271, 2: 271, 3: 180, 4: 90, 5: 36, 6: 12}, 20_000, "variance 0"),
        (poisson_lognormal, {1: 271, 2: 271, 3: 180, 4: 90, 5: 36, 6: 12}, 20_000, "variance 0"),
        (poisson_lognormal, {j: 10 for j in range(1, 60)}, 10**6, "power law"),
        (poisson_lognormal, {50: 10}, 1000, "crowd"),
        (poisson_inverse_gaussian, {j: 10 for j in range(1, 60)}, 10**6, "infinite mean"),
        (poisson_inverse_gaussian, {1: 90000, 2: 4000, 3: 900, 4: 400, 5: 150, 10: 8}, 10**7, "shape 0"),
    ],
)
def test_boundaries_are_said(module, histogram, population, reason):
    found = module.estimate(sample(histogram, population))
    assert found.converged
    assert found.people is not None
    assert reason in found.reason
    assert "boundary" in found.reason
    assert all(math.isfinite(value) for value in found.parameters.values())


@pytest.mark.parametrize("module", MODELS, ids=name)
@pytest.mark.parametrize(
    ("histogram", "population", "reason"),
    [({1: 1}, 5, "no two records"), ({1: 800}, 10**6, "no two records"), ({7: 1}, 100, "one class")],
)
def test_no_information_no_estimate(module, histogram, population, reason):
    found = module.estimate(sample(histogram, population))
    assert (found.people, found.law, found.expected) == (None, None, None)
    assert reason in found.reason


@pytest.mark.parametrize("module", WINDOWED, ids=name)
@pytest.mark.parametrize(
    ("histogram", "reason"), [({60: 3, 70: 2}, "50 records or fewer"), ({1: 5, 60: 3}, "2 to 50 records")]
)
def test_nothing_in_the_window(module, histogram, reason):
    found = module.estimate(sample(histogram, 10_000))
    assert found.people is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("histogram", "reason"),
    [({2: 10, 3: 1}, "no uniques"), ({1: 10, 3: 1}, "no classes of two"), ({1: 10, 2: 50, 3: 80}, "no solution")],
)
def test_no_solution_of_the_slide_equations(histogram, reason):
    found = snb.estimate(sample(histogram, 2000))
    assert found.people is None
    assert reason in found.reason


@pytest.mark.parametrize("module", MODELS, ids=name)
@pytest.mark.parametrize("histogram", [FIXTURE, {1: 1}, {1: 5}, {3: 1}, {100: 2}])
def test_census(module, histogram):
    n = sum(size * count for size, count in histogram.items())
    found = module.estimate(sample(histogram, n))
    assert found.people == histogram.get(1, 0)
    assert found.law.inverse(np.array([2.0])) == 0.5


# --- extremes


EXTREMES = {
    "one repeat in a million": ({1: 10**6, 2: 1}, 10**13),
    "one repeat in a billion": ({1: 10**9 - 2, 2: 1}, 10**13),
    "huge classes": ({1: 3, 2: 1, 10**8: 9}, 10**13),
    "huge classes alone": ({10**8: 5, 10**8 - 1: 5}, 10**13),
    "one record outside": (FIXTURE, 1416),
    "small classes in a huge population": ({1: 2, 2: 1}, 10**13),
    "45,000 sizes": ({j: max(1, int(3e6 / j**1.5)) for j in range(1, 45_001)} | {10**8: 3}, 10**13),
    "window crowded": ({40: 10, 45: 20, 50: 30}, 10_000),
    "no uniques": ({2: 100, 3: 50}, 1000),
}
QUESTIONS = np.array([1.0, 2, 3, 49, 200, 201, 999, 1e5, 1e8])
LARGEST = (0, 0.5, 1, 2, 7.5, 50, 1e3, 1e6, 1e8, 1e10, 1e13, 1e300, math.inf)


def check(found, chosen: Sample) -> None:
    """Everything that holds whatever the histogram."""
    if found.people is None:
        assert found.reason
        return
    assert 0 <= found.people <= chosen.uniques + chosen.population - chosen.n
    assert all(math.isfinite(value) and type(value) is float for value in found.parameters.values())
    if found.expected is not None:
        assert found.expected.shape == (WINDOW,)
        assert np.isfinite(found.expected).all()
        assert (found.expected >= 0).all()
    inverse = found.law.inverse(QUESTIONS)
    assert np.isfinite(inverse).all()
    assert (inverse > 0).all()
    assert (inverse <= 1 / QUESTIONS).all()
    assert (np.diff(inverse) <= 0).all()
    before = np.zeros(QUESTIONS.size)
    for k in LARGEST:
        at_most = found.law.at_most(QUESTIONS, k)
        assert np.isfinite(at_most).all()
        assert ((at_most >= 0) & (at_most <= 1)).all()
        assert (at_most[k < QUESTIONS] == 0).all()
        assert (at_most >= before - 1e-9).all()
        before = at_most
    assert before == pytest.approx(1)


@pytest.mark.parametrize("module", MODELS, ids=name)
@pytest.mark.parametrize("histogram", EXTREMES.values(), ids=EXTREMES)
def test_extremes(module, histogram):
    chosen = sample(*histogram)
    check(module.estimate(chosen), chosen)


sizes = st.one_of(st.integers(1, 6), st.integers(1, 60), st.integers(1, 10**8))
counts = st.one_of(st.integers(1, 20), st.integers(1, 10**6))
populations = st.one_of(st.integers(0, 10), st.integers(0, 10**6), st.integers(0, 10**13))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(histogram=st.dictionaries(sizes, counts, min_size=1, max_size=12), more=populations)
@pytest.mark.parametrize("module", MODELS, ids=name)
def test_any_histogram(module, histogram, more):
    chosen = sample(histogram, sum(size * count for size, count in histogram.items()) + more)
    check(module.estimate(chosen), chosen)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(tail=st.floats(0.3, 3), scale=st.floats(1.0, 6), factor=st.floats(1.01, 1e4), largest=st.integers(2, 120))
@pytest.mark.parametrize("module", MIXED, ids=name)
def test_likely_histograms_are_fitted(module, tail, scale, factor, largest):
    """Histograms that thin out get an estimate, and it is the same when asked again."""
    histogram = {j: max(1, int(10**scale / j ** (1 + tail))) for j in range(1, largest + 1)}
    n = sum(size * count for size, count in histogram.items())
    chosen = sample(histogram, math.ceil(n * factor))
    found = module.estimate(chosen)
    assert found.converged
    assert found.people is not None
    again = module.estimate(sample(histogram, math.ceil(n * factor)))
    assert (found.people, found.parameters) == (again.people, again.parameters)
    check(found, chosen)


def test_exact_and_interpolated_sizes_join():
    law = poisson_lognormal.estimate(fixture()).law
    around = law.inverse(np.arange(EXACT_TO - 3.0, EXACT_TO + 5))
    third = np.diff(around * np.arange(EXACT_TO - 3.0, EXACT_TO + 5), n=3)
    assert np.ptp(third) < 3e-10
