"""Ewens-Pitman, Zayatz and log-series estimators, laws of F, risks and rules, against the check values of the design.

The check values were computed independently of this package (formulas, sections B and C). FIXTURE is their histogram.
"""

from __future__ import annotations

import importlib
import math
import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import betabinom, binom, hypergeom, nbinom, poisson

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.errors import RequestError
from sqlrisk.population import risks
from sqlrisk.population.estimation import Estimation, population_of
from sqlrisk.population.estimators import ewens_pitman, pitman_asymptotic, zayatz
from sqlrisk.population.laws import SMALL, BetaBinomial, Census, NegativeBinomial, Pooled
from sqlrisk.population.sample import Sample
from sqlrisk.population.selection import MODELS, NAMES, Fits, answer
from sqlrisk.population.series import digamma_difference, gauss_1_1, log_choose, log_rising
from sqlrisk.threshold import Threshold

FIXTURE = ClassSizes({1: 500, 2: 150, 3: 70, 4: 40, 5: 25, 10: 8, 20: 2})
SAMPLE = Sample(FIXTURE, 20_000)


def digits(value: float, text: str) -> bool:
    """Whether ``value`` rounds to the digits of ``text``."""
    return f"{value:.{len(text.partition('.')[2])}f}" == text


def fitted(name: str, sample: Sample = SAMPLE):
    return importlib.import_module(f"sqlrisk.population.estimators.{name}").estimate(sample)


PEOPLE = {
    "zayatz": "2865.744",
    "snb": "1900.417",
    "pitman": "961.523",
    "pitman_asymptotic": "986.498",
    "pitman_yor": "961.244",
    "ewens": "722.004",
    "log_series": "722.716",
    "negative_binomial": "722.715",
    "poisson_inverse_gaussian": "442.827",
    "poisson_lognormal": "284.219",
    "npmle": "704.101",
}


BY_QUADRATURE = {"poisson_inverse_gaussian", "poisson_lognormal"}


def test_every_model_has_a_check_value():
    assert set(PEOPLE) == set(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_check_value(name):
    # Those fitted by quadrature on a grid of their own are given to about one part in 100,000.
    people = fitted(name).people
    assert people == pytest.approx(float(PEOPLE[name]), abs=2.1e-3 if name in BY_QUADRATURE else 1.1e-3)


def test_parameters():
    found = fitted("pitman").parameters
    assert digits(found["theta"], "605.820")
    assert digits(found["alpha"], "0.139403")
    assert digits(found["log_likelihood"], "-4602.43795")
    assert digits(fitted("ewens").parameters["theta"], "749.0072")
    assert digits(fitted("log_series").parameters["x"], "0.653637")
    assert fitted("log_series").parameters["alpha"] == pytest.approx(749.810, abs=2e-3)
    assert digits(Fits(SAMPLE).records("pitman_yor"), "67.7540")


def test_class_level():
    law = fitted("pitman_yor").law
    # given for the parameters as rounded above
    assert law.inverse(np.array([1.0, 2.0, 3.0])) == pytest.approx([0.2980838, 0.0886477, 0.0480571], abs=1.5e-7)
    assert digits(risks.average_risk(SAMPLE, law), "0.137860")
    assert digits(risks.average_risk(SAMPLE, fitted("negative_binomial").law), "0.125170")


@pytest.mark.parametrize(("threshold", "share"), [("1/5", "0.1574"), ("1/11", "0.3235")])
def test_share_at_risk(threshold, share):
    risk = risks.journalist(SAMPLE, fitted("pitman_yor").law, Threshold.parse(threshold))
    assert digits(risk.share_at_risk, share)
    assert risk.highest_risk == 1.0
    assert risk.records_at_risk == pytest.approx(risk.share_at_risk * 1415)


def test_highest_expected_is_not_the_highest():
    """67.8 records are expected to be population uniques, so the highest risk is 1, though no E[1/F | s] is above .298."""
    found = Estimation(FIXTURE, 20_000, "pitman_yor").journalist("1/3")
    assert (found.highest_risk, digits(found.highest_expected_risk, "0.298")) == (1.0, True)


def test_dis():
    assert digits(Estimation(FIXTURE, 20_000).dis, "0.1126054")
    assert Estimation(ClassSizes({2: 5}), 100).dis is None
    assert Estimation(ClassSizes({1: 5, 3: 1}), 100).dis is None
    assert Estimation(ClassSizes({1: 5, 3: 1}), 8).dis == 1


@pytest.mark.parametrize(
    ("k", "fraction", "threshold"),
    [(5, 0.01, 2), (5, 0.1, 3), (5, 0.3, 4), (5, 0.5, 5), (20, 0.01, 2), (20, 0.1, 5), (20, 0.3, 10), (20, 0.5, 15)],
)
def test_k_map_test_rule(k, fraction, threshold):
    assert risks.sample_threshold(k, fraction) == threshold


def test_k_map_test_rule_by_the_definition():
    for k in (1, 2, 7, 40):
        for fraction in (0.003, 0.2, 0.9):
            mean = fraction * (k - 1)
            x = 1
            while mean and poisson.sf(x - 1, mean) / poisson.sf(0, mean) > 0.1:
                x += 1
            assert risks.sample_threshold(k, fraction) == min(x, k)


def test_zayatz_by_the_hypergeometric():
    expected = 500**2 / sum(f * hypergeom.pmf(1, 20_000, j, 1415) for j, f in FIXTURE.pairs)
    assert fitted("zayatz").people == pytest.approx(expected, rel=1e-11)


def test_zayatz_does_not_jump_where_the_binomial_takes_over():
    below, above = (zayatz.estimate(Sample(FIXTURE, n)).people / n for n in (10**9, 10**9 + 1))
    assert below == pytest.approx(above, rel=1e-6)


def test_likelihood_is_largest_at_the_fit():
    best = ewens_pitman.fit(SAMPLE)
    for theta, alpha in ((1.001, 1.0), (0.999, 1.0), (1.0, 1.001), (1.0, 0.999)):
        assert ewens_pitman.log_likelihood(SAMPLE, best.theta * theta, best.alpha * alpha) < best.log_likelihood


def test_thinner_tails_than_ewens():
    """Classes of one size: alpha stays at 0 and says so; the older tools' form takes a negative alpha."""
    sample = Sample(ClassSizes({1: 30, 2: 40, 3: 30, 4: 12, 5: 3}), 2_000)
    found = fitted("pitman_yor", sample)
    assert found.parameters["alpha"] == 0
    assert "inadequate" in found.reason
    sample = Sample(ClassSizes({1: 900, 2: 600, 3: 300, 4: 160, 5: 60, 6: 30, 7: 10}), 40_000)
    assert pitman_asymptotic.estimate(sample).parameters["alpha"] < 0


def test_expected_frequencies_are_those_of_the_chinese_restaurant():
    """Against Pitman's process itself, drawn: 4,000 times 60 people, theta 5, alpha 0.3."""
    theta, alpha, n = 5.0, 0.3, 60
    generator = np.random.default_rng(3)
    total = np.zeros(n + 1)
    for _ in range(4_000):
        tables = [1]
        for seated in range(1, n):
            weights = np.array([*(size - alpha for size in tables), theta + alpha * len(tables)])
            chosen = int(generator.choice(len(weights), p=weights / (theta + seated)))
            if chosen == len(tables):
                tables.append(1)
            else:
                tables[chosen] += 1
        total += np.bincount(tables, minlength=n + 1)
    expected = ewens_pitman.expected_frequencies(Sample(ClassSizes({n: 1}), n), theta, alpha)
    assert expected[:6] / expected.sum() == pytest.approx(total[1:7] / total[1:51].sum(), abs=0.006)


def test_posterior_uniques_by_the_chinese_restaurant():
    """Going on seating people from the sample: S_1 and tau_1 of the posterior are the means over many such populations."""
    sizes = ClassSizes({1: 12, 2: 4, 3: 2, 6: 1})
    sample = Sample(sizes, 90)
    best = ewens_pitman.fit(sample)
    generator = np.random.default_rng(5)
    start = [size for size, count in sizes.pairs for _ in range(count)]
    alone, stayed = [], []
    for _ in range(3_000):
        tables = list(start)
        for seated in range(sample.n, sample.population):
            weights = np.array([*(size - best.alpha for size in tables), best.theta + best.alpha * len(tables)])
            chosen = int(generator.choice(len(weights), p=weights / (best.theta + seated)))
            tables.append(1) if chosen == len(tables) else tables.__setitem__(chosen, tables[chosen] + 1)
        alone.append(tables.count(1))
        stayed.append(tables[:12].count(1))
    assert fitted("pitman_yor", sample).people == pytest.approx(np.mean(alone), abs=4 * np.std(alone) / 3_000**0.5)
    assert Fits(sample).records("pitman_yor") == pytest.approx(np.mean(stayed), abs=4 * np.std(stayed) / 3_000**0.5)


# Laws -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", [1, 2, 5, 50, SMALL, SMALL + 1, 300])
def test_beta_binomial_by_summing(s):
    n, m, theta, alpha = 1415, 18_585, 605.82, 0.1394
    law = BetaBinomial(n, m, theta, alpha)
    x = np.arange(m + 1)
    mass = betabinom(m, s - alpha, theta + n - s + alpha).pmf(x)
    tolerance = 1e-9 if s <= SMALL else 1e-5
    sizes = np.array([float(s)])
    assert law.inverse(sizes)[0] == pytest.approx((mass / (s + x)).sum(), rel=tolerance)
    for k in (1, 4, 10, 100, 500, 2_000, 5_000):
        expected = mass[: max(k - s + 1, 0)].sum()
        assert law.at_most(sizes, k)[0] == pytest.approx(
            expected, abs=1e-9 if k <= 400 else 1e-6 if s <= SMALL else 1e-3
        )


def test_beta_binomial_of_a_small_rest_is_exact():
    law = BetaBinomial(10, 7, 2.5, 0.4)
    for s in (1, 3):
        mass = betabinom(7, s - 0.4, 2.5 + 10 - s + 0.4).pmf(np.arange(8))
        assert law.inverse(np.array([float(s)]))[0] == pytest.approx((mass / (s + np.arange(8))).sum(), rel=1e-12)
        assert [law.at_most(np.array([float(s)]), s + x)[0] for x in range(8)] == pytest.approx(mass.cumsum())


@pytest.mark.parametrize("p", [1e-9, 1e-3, 0.07, 0.5, 0.999])
@pytest.mark.parametrize("s", [1, 2, 7, 40, 41, 1_000])
def test_negative_binomial_by_summing(p, s):
    law, sizes = NegativeBinomial(p), np.array([float(s)])
    if s / p < 1e5:
        x = np.arange(int(60 * (s + 30) / p))
        mass = nbinom(s, p).pmf(x)
        assert law.inverse(sizes)[0] == pytest.approx((mass / (s + x)).sum(), rel=1e-9)
        assert law.at_most(sizes, s + 3)[0] == pytest.approx(mass[:4].sum(), rel=1e-9)
    assert 0 < law.inverse(sizes)[0] <= 1 / s


@pytest.mark.parametrize(("s", "text"), [(1, ".2558428"), (2, ".0826841"), (3, ".0463684"), (5, ".0242350")])
def test_the_flat_law_is_that_of_benedetti_and_franconi(s, text):
    assert digits(NegativeBinomial(0.1).inverse(np.array([float(s)]))[0], "0" + text)


def test_pooled_is_the_mixture():
    law = Pooled((Census(), NegativeBinomial(0.5)), (0.25, 0.75))
    one = np.ones(1)
    assert law.at_most(one, 1)[0] == 0.25 + 0.75 * 0.5
    assert law.inverse(one)[0] == pytest.approx(0.25 + 0.75 * math.log(2))


# Numerics ---------------------------------------------------------------------------------------------------------------


@given(st.floats(0.001, 1e14), st.integers(0, 300))
def test_log_rising_is_the_sum_of_logarithms(x, d):
    expected = math.fsum(math.log(x + i) for i in range(d))
    assert float(log_rising(x, d)) == pytest.approx(expected, rel=1e-12, abs=1e-11)


def test_log_rising_of_part_of_a_step_is_accurate_where_log_gamma_is_not():
    # ln Γ(x + d) - ln Γ(x) = d ln x + d(d-1)/(2x) - ... for small d and large x
    x, d = 1e13, 0.37
    assert float(log_rising(x, d)) == pytest.approx(d * math.log(x) + d * (d - 1) / (2 * x), rel=1e-14)


@given(st.floats(0.01, 1e10), st.integers(0, 300))
def test_digamma_difference_is_the_harmonic_sum(x, d):
    assert digamma_difference(x, d) == pytest.approx(math.fsum(1 / (x + i) for i in range(d)), rel=1e-11, abs=1e-13)


def test_log_choose():
    assert float(log_choose(50, 20)) == pytest.approx(math.log(math.comb(50, 20)), rel=1e-13)
    assert float(log_choose(10**6, 10**6 - 3)) == pytest.approx(math.log(math.comb(10**6, 3)), rel=1e-13)


@pytest.mark.parametrize("s", [39.0, 41.0, 200.0])
def test_gauss_1_1_by_its_series(s):
    for q in (0.0, 0.3, 0.999999):
        terms = [1.0]
        for k in range(1, 4_000):
            terms.append(terms[-1] * q * k / (s + k))
        assert gauss_1_1(np.array([s]), q)[0] == pytest.approx(math.fsum(terms), rel=1e-13)


# Edges ------------------------------------------------------------------------------------------------------------------

EDGES = {
    "all unique": ({1: 50}, 1_000),
    "no uniques": ({2: 30, 5: 4}, 1_000),
    "one record": ({1: 1}, 10),
    "one class": ({100: 1}, 1_000),
    "two classes": ({100: 1, 101: 1}, 1_000),
    "one more person": ({1: 50, 2: 10}, 71),
    "many": ({1: 10**8, 2: 3 * 10**7, 10**8: 3}, 10**12),
    "a huge class": ({1: 3, 10**8: 1}, 10**11),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edge", EDGES)
def test_edges(name, edge):
    sizes, population = EDGES[edge]
    found = Estimation(ClassSizes(sizes), population, name)
    uniques, journalist, marketer = found.uniques, found.journalist(), found.marketer()
    n, alone = found.sample.n, found.sample.uniques
    if uniques.records is None:
        assert uniques.reason
    else:
        assert 0 <= uniques.records <= alone + population - n
        assert 0 <= uniques.release_records <= alone * (1 + 1e-12)
        assert uniques.interval[0] <= uniques.records <= uniques.interval[1]
        assert uniques.release_interval[0] <= uniques.release_records <= uniques.release_interval[1]
    if journalist.average_risk is None:
        assert journalist.reason
        assert marketer.reason
    else:
        assert 0 < journalist.average_risk == marketer.average_risk <= found.sample.u / n
        assert journalist.average_risk <= journalist.highest_expected_risk <= journalist.highest_risk <= 1 / min(sizes)
        assert 0 <= journalist.share_at_risk <= ClassSizes(sizes).prosecutor().share_at_risk + 1e-12
        for figure, (low, high) in journalist.intervals.items():
            assert 0 <= low <= getattr(journalist, figure) <= high <= 1


@pytest.mark.parametrize("name", NAMES)
def test_census(name):
    """At pi = 1 the journalist is the prosecutor, the marketer gets u/n, and nothing is uncertain."""
    found = Estimation(FIXTURE, 1415, name)
    prosecutor, journalist = FIXTURE.prosecutor("1/5"), found.journalist("1/5")
    for figure in ("highest_risk", "average_risk", "share_at_risk", "records_at_risk", "classes_at_risk"):
        assert getattr(journalist, figure) == getattr(prosecutor, figure)
    assert (found.uniques.records, found.uniques.release_records, found.uniques.interval) == (500, 500, (500, 500))
    assert found.marketer().average_risk == 795 / 1415
    assert found.uniques.reliability == "measured"
    assert {estimate.people for estimate, _ in found.models.values()} == {500.0}
    assert (found.k_map().smallest, found.k_map().interval, found.k_map().reliability) == (1, (1, 1), "measured")
    assert (found.delta_presence().highest, found.delta_presence().interval) == (1, (1, 1))


def test_smaller_than_the_release():
    with pytest.raises(RequestError, match=r"population \(1,414\) is smaller than the release \(1,415 records\)"):
        Estimation(FIXTURE, 1414)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({}, "one of them"),
        ({"population_size": 10, "sampling_fraction": 0.5}, "one of them"),
        ({"population_size": 0}, "not a whole number"),
        ({"population_size": 2.5}, "not a whole number"),
        ({"population_size": True}, "not a whole number"),
        ({"population_size": "many"}, "not a whole number"),
        ({"sampling_fraction": 0}, "outside"),
        ({"sampling_fraction": "1.01"}, "outside"),
        ({"sampling_fraction": "half"}, "not a number"),
    ],
)
def test_population_of_refuses(given_, message):
    with pytest.raises(RequestError, match=message):
        population_of(FIXTURE, **given_)


def test_population_of_a_fraction_is_exact():
    assert population_of(FIXTURE, sampling_fraction=0.07075) == 20_000
    assert population_of(FIXTURE, sampling_fraction="1/3") == 4245
    assert population_of(FIXTURE, sampling_fraction=1) == 1415


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(st.integers(1, 60), st.integers(1, 400), min_size=1, max_size=8),
    st.floats(0.001, 0.99),
    st.sampled_from(NAMES),
)
def test_nothing_contradicts_itself(sizes, fraction, name):
    sizes = ClassSizes(sizes)
    found = Estimation(sizes, population_of(sizes, sampling_fraction=round(fraction, 6)), name)
    answered, law = found.answer, found.law
    if answered.people is None or law is None:
        return
    # The records that are population uniques are those whose class has one person.
    assert answered.records == pytest.approx(
        sizes.sample_uniques * float(law.at_most(np.ones(1), 1)[0]), rel=1e-6, abs=1e-9
    )
    assert found.journalist("1").share_at_risk == pytest.approx(0, abs=1e-12)
    assert found.journalist("k=2").share_at_risk == pytest.approx(answered.records / sizes.records, rel=1e-6, abs=1e-9)
    k_map = found.k_map()
    assert sum(records for _, _, records in k_map.histogram) == pytest.approx(sizes.records, rel=1e-6)
    assert k_map.smallest == round(1 / found.journalist().highest_risk)
    assert k_map.interval[0] <= k_map.smallest <= k_map.interval[1]
    presence = found.delta_presence()
    assert sum(records for _, _, records in presence.histogram) == pytest.approx(sizes.records, rel=1e-6)
    assert found.marketer().average_risk <= presence.highest + 1e-12
    assert sizes.records / found.sample.population <= presence.interval[0] + 1e-12
    assert presence.interval[0] <= presence.highest <= presence.interval[1] <= 1


@pytest.mark.parametrize(("people", "classes", "fraction"), [(10, 20_000, 0.5), (20, 20_000, 0.5), (60, 20_000, 0.15)])
def test_the_interval_of_delta_presence_holds_the_truth_of_classes_of_one_size(people, classes, fraction):
    """Of many classes the one of which most is in the release is far from its expectation."""
    generator = np.random.default_rng(7)
    seen = generator.binomial(people, fraction, classes)
    numbers = Counter(seen[seen > 0].tolist())
    found = Estimation(ClassSizes(sorted(numbers.items())), people * classes)
    highest = max(s / people for s, number in numbers.items() if number >= 10)
    assert found.delta_presence().interval[1] >= highest


@pytest.mark.slow
@pytest.mark.parametrize("shape", [0.8, 1.5])
@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_the_intervals_of_k_map_and_delta_presence_hold_the_truth(shape, fraction):
    """Populations drawn here, whose F are known: the highest mean s/F over the classes of one size s, of the sizes that at
    least 30 classes have, and the expected number of records in classes of at most k."""
    generator = np.random.default_rng(3)
    inside = 0
    for _ in range(10):
        population = np.minimum(np.ceil(2 * generator.pareto(shape, 15_000) + 1e-9), 3_000).astype(int)
        seen = generator.binomial(population, fraction)
        numbers = Counter(seen[seen > 0].tolist())
        found = Estimation(ClassSizes(sorted(numbers.items())), int(population.sum()))
        means = [s * float((1 / population[seen == s]).mean()) for s, number in numbers.items() if number >= 30]
        low, high = found.delta_presence().interval
        records = np.cumsum(fraction * np.bincount(population) * np.arange(population.max() + 1))
        smallest = int(np.argmax(records >= 0.05))
        least, most = found.k_map().interval
        inside += (low <= max(means) <= high) and (least <= smallest <= most)
        assert found.delta_presence().reliability == ("model-driven" if fraction < 0.1 else "adequate")
    assert inside >= 9


def test_a_seed_gives_the_same_interval_and_another_another():
    first, again, other = (
        Estimation(ClassSizes({1: 50, 2: 300, 3: 300, 4: 200}), 3_000, "zayatz", seed).uniques for seed in (1, 1, 2)
    )
    assert first == again
    assert first.records == other.records


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("fraction", [0.15, 0.3])
def test_suppressed_small_classes_are_no_random_sample(k, fraction):
    """Without the classes below k no population fits: the flag says so, and the prosecutor's figures are the upper ends."""
    generator = np.random.default_rng(7)
    population = np.maximum(generator.lognormal(1.2, 1.3, 40_000).round(), 1).astype(int)
    sampled = generator.multivariate_hypergeometric(population, int(fraction * population.sum()), method="marginals")
    kept = sampled >= k
    truth = float(sampled[kept][population[kept] < 11].sum() / sampled[kept].sum())
    sizes = ClassSizes(list(zip(*np.unique(sampled[kept], return_counts=True), strict=True)))
    found = Estimation(sizes, int(population.sum() * sampled[kept].sum() / sampled.sum()))
    grade, why = found.reliability
    assert grade == "weak"
    assert "suppressed or merged" in why
    risk = found.journalist("1/11")
    assert risk.intervals["share_at_risk"][1] >= truth
    assert risk.intervals["average_risk"][1] == sizes.distinction
    whole = ClassSizes(list(zip(*np.unique(sampled[sampled > 0], return_counts=True), strict=True)))
    assert Estimation(whole, int(population.sum())).reliability[0] == "adequate"


def test_one_model_that_fails_does_not_stop_the_answer(monkeypatch):
    def broken(sample):
        raise ValueError("f(a) and f(b) must have different signs")

    monkeypatch.setattr("sqlrisk.population.estimators.npmle.estimate", broken)
    found = Estimation(FIXTURE, 20_000)
    assert found.uniques.records > 0
    assert (found.models["npmle"][0].people, found.models["npmle"][0].converged) == (None, False)


def test_almost_all_unique():
    """Rounding is all that the profile of the likelihood has left."""
    found = Estimation(ClassSizes({1: 10**9, 2: 1}), 5 * 10**9)
    assert {name for name, (estimate, _) in found.models.items() if not estimate.converged} <= {"pitman_asymptotic"}
    assert found.reliability[0] == "weak"


def test_beyond_what_is_computed():
    with pytest.raises(RequestError, match="beyond what is computed"):
        Estimation(FIXTURE, 10**15 + 1)
    assert Estimation(FIXTURE, 10**15).journalist().average_risk > 0


@pytest.mark.parametrize("seed", [-1, 1.5, "3", None, True])
def test_seeds(seed):
    with pytest.raises(RequestError, match="seed"):
        Estimation(FIXTURE, 20_000, seed=seed)


def test_reliability():
    assert Estimation(ClassSizes({1: 50, 2: 20}), 10_000).reliability[0] == "weak"
    assert Estimation(ClassSizes({1: 5_000, 2: 500, 3: 60, 4: 9, 5: 2}), 100_000).reliability[0] == "model-driven"
    assert Estimation(ClassSizes({1: 5_000, 2: 500, 3: 60, 4: 9, 5: 2}), 20_000).reliability[0] == "adequate"
    assert (
        Estimation(ClassSizes({1: 5_000, 2: 500, 3: 60, 4: 9, 5: 2}), 20_000, "ewens").reliability[0] == "model-driven"
    )


def test_the_published_rule():
    assert answer(Fits(SAMPLE), "dankar").people == fitted("pitman").people
    half = Sample(FIXTURE, 2830)
    both = [fitted(name, half).people for name in ("snb", "zayatz")]
    assert answer(Fits(half), "dankar").people == min(both)


def test_facades():
    uniques = FIXTURE.population_uniques(population_size=20_000, estimator="pitman_yor")
    assert digits(uniques.release_records, "67.754")
    assert uniques.share == uniques.records / 20_000
    assert digits(FIXTURE.marketer(sampling_fraction=0.07075, estimator="pitman_yor").average_risk, "0.137860")
    assert digits(FIXTURE.journalist("1/11", 20_000, estimator="pitman_yor").share_at_risk, "0.3235")
    with pytest.raises(RequestError, match="no estimator `pitman-yor`.*pitman_yor"):
        FIXTURE.population_uniques(population_size=20_000, estimator="pitman-yor")


def test_binomial_thinning_agrees_with_zayatz_limit():
    """h(j) is j pi (1-pi)^(j-1) in the limit."""
    sample = Sample(ClassSizes({1: 10, 3: 5}), 10**10)
    pi = sample.n / 10**10
    expected = 100 / (10 * binom.pmf(1, 1, pi) + 5 * binom.pmf(1, 3, pi))
    assert zayatz.estimate(sample).people == pytest.approx(expected, rel=1e-9)


def test_no_solver_looks_at_the_clock(monkeypatch):
    def refuse():
        raise AssertionError("the clock was read")

    for name in ("time", "perf_counter", "monotonic", "process_time"):
        monkeypatch.setattr(time, name, refuse)
    for name in MODELS:
        fitted(name)
