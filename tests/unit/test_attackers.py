"""Journalist and marketer where the population's class sizes are known."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.class_sizes import ClassSizes, JointRecordSizes, JointSizes
from sqlrisk.risk.attackers import journalist, marketer
from sqlrisk.threshold import Threshold

# s = (1, 50), F = (5, 50), the check values of the formulas
CHECK = JointSizes(((1, 5, 1), (50, 50, 1)), population=55)

triples = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 200), st.integers(1, 10)), min_size=1, max_size=8)
thresholds = st.tuples(st.integers(1, 30), st.integers(1, 30)).map(lambda pair: Fraction(min(pair), max(pair)))


def limit(value: Fraction) -> Threshold:
    return Threshold(value, f"{value.numerator}/{value.denominator}")


def test_check_values():
    risk, matches = journalist(CHECK, Threshold.parse("0.2")), marketer(CHECK)
    assert matches.average_risk == pytest.approx(0.02353, abs=5e-6)
    assert matches.average_risk == pytest.approx((1 / 5 + 1) / 51, rel=1e-15)
    assert matches.expected_matches == pytest.approx(1.2, rel=1e-15)
    assert risk.average_risk == pytest.approx(0.03636, abs=5e-6)
    assert risk.average_risk == pytest.approx(2 / 55, rel=1e-15)
    assert (risk.highest_risk, risk.lowest_risk) == (0.2, 0.02)
    assert (risk.records_at_risk, risk.share_at_risk, risk.classes_at_risk) == (0, 0.0, 0)


def test_check_values_at_a_tenth():
    risk = journalist(CHECK, Threshold.parse("0.1"))
    assert (risk.records_at_risk, risk.classes_at_risk) == (1, 1)
    assert risk.share_at_risk == pytest.approx(1 / 51, rel=1e-15)


def test_average_is_the_larger_of_two():
    over_records = JointSizes(((9, 9, 1), (1, 91, 1)), population=100)
    assert journalist(over_records, Threshold.parse("1/5")).average_risk == pytest.approx((1 + 1 / 91) / 10, rel=1e-15)
    assert journalist(over_records, Threshold.parse("1/5")).average_risk == marketer(over_records).average_risk


def test_census_equals_prosecutor():
    sizes = ClassSizes({1: 3, 2: 5, 7: 1})
    joint = JointSizes(tuple((size, size, count) for size, count in sizes.pairs), population=sizes.records)
    ours, theirs = journalist(joint, Threshold.parse("1/5")), sizes.prosecutor("1/5")
    assert ours.records_at_risk == theirs.records_at_risk
    assert (ours.highest_risk, ours.lowest_risk, ours.classes_at_risk) == (theirs.highest_risk, theirs.lowest_risk, 8)
    assert ours.average_risk == pytest.approx(theirs.average_risk, rel=1e-15)


def test_classes_outside_the_release_do_not_count():
    with_others = JointSizes((*CHECK.triples, (0, 1, 1000)), population=1055)
    assert journalist(with_others, Threshold.parse("0.1")) == journalist(CHECK, Threshold.parse("0.1"))
    assert marketer(with_others) == marketer(CHECK)


@pytest.mark.parametrize("population_size", [0, 1, 2])
def test_a_population_too_small_counts_as_the_release(population_size):
    """F = s where the population table has fewer than the release, or none."""
    joint = JointSizes(((3, population_size, 2),), population=2 * population_size)
    assert journalist(joint, Threshold.parse("1/5")).highest_risk == pytest.approx(1 / 3, rel=1e-15)
    assert marketer(joint).expected_matches == pytest.approx(2.0, rel=1e-15)


def test_people_without_classes_have_the_mean_of_their_risks():
    joint = JointRecordSizes(((1, 4, 2), (5, 10, 3)), population=100, absent=0, fewer=0)
    risk = journalist(joint, Threshold.parse("1/5"))
    assert risk.average_risk == pytest.approx((2 / 4 + 3 / 10) / 5, rel=1e-15)
    assert (risk.records_at_risk, risk.classes_at_risk, risk.highest_risk) == (2, None, 0.25)
    assert marketer(joint).average_risk == pytest.approx(risk.average_risk, rel=1e-15)


def test_empty():
    nothing = JointSizes((), population=0)
    assert journalist(nothing, Threshold.parse("1/5")).average_risk is None
    assert marketer(nothing).average_risk is None
    assert marketer(JointSizes(((0, 3, 2),), population=6)).expected_matches is None


@settings(max_examples=100, deadline=None)
@given(triples, thresholds)
def test_equals_brute_force(given_triples, threshold):
    joint = JointSizes(tuple(given_triples), population=sum(f * count for _, f, count in given_triples))
    records = [Fraction(1, max(s, f)) for s, f, count in given_triples for _ in range(s * count)]
    classes = [(s, max(s, f)) for s, f, count in given_triples for _ in range(count)]
    risk, matches = journalist(joint, limit(threshold)), marketer(joint)
    assert risk.records_at_risk == sum(value > threshold for value in records)
    assert risk.share_at_risk == float(Fraction(risk.records_at_risk, len(records)))
    assert (risk.highest_risk, risk.lowest_risk) == (float(max(records)), float(min(records)))
    mean = sum(records) / len(records)
    assert matches.average_risk == pytest.approx(float(mean), rel=1e-12)
    assert matches.expected_matches == pytest.approx(float(sum(Fraction(s, f) for s, f in classes)), rel=1e-12)
    ratio = Fraction(len(classes), sum(f for _, f in classes))
    assert risk.average_risk == pytest.approx(float(max(ratio, mean)), rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(triples, thresholds)
def test_journalist_is_no_riskier_than_prosecutor(given_triples, threshold):
    """With F >= s (which sqlrisk sees to). Averages: each of the two is at most u/n."""
    joint = JointSizes(tuple(given_triples), population=1)
    sizes = ClassSizes([(s, count) for s, _, count in given_triples])
    ours, theirs = journalist(joint, limit(threshold)), sizes.prosecutor(limit(threshold))
    assert ours.records_at_risk <= theirs.records_at_risk
    assert ours.highest_risk <= theirs.highest_risk
    assert ours.lowest_risk <= theirs.lowest_risk
    assert ours.average_risk <= theirs.average_risk + 1e-12
    assert marketer(joint).average_risk <= ours.average_risk + 1e-12


@settings(max_examples=60, deadline=None)
@given(triples, st.randoms(use_true_random=False))
def test_order_does_not_matter(given_triples, random):
    shuffled = list(given_triples)
    random.shuffle(shuffled)
    one, other = (JointSizes(tuple(rows), population=1) for rows in (given_triples, shuffled))
    assert journalist(one, Threshold.parse("1/5")) == journalist(other, Threshold.parse("1/5"))
    assert marketer(one) == marketer(other)


@settings(max_examples=60, deadline=None)
@given(triples)
def test_doubled_population_is_no_riskier(given_triples):
    once = JointSizes(tuple((s, max(s, f), count) for s, f, count in given_triples), population=1)
    twice = JointSizes(tuple((s, 2 * max(s, f), count) for s, f, count in given_triples), population=1)
    assert marketer(twice).average_risk == pytest.approx(marketer(once).average_risk / 2, rel=1e-12)
    assert (
        journalist(twice, Threshold.parse("1/5")).highest_risk
        == journalist(once, Threshold.parse("1/5")).highest_risk / 2
    )


@pytest.fixture
def register():
    """A register with one person in three rows; the release has one of them, beside a class of five people."""
    with duckdb.connect(":memory:") as connection:
        connection.execute("create table register(id int, q text)")
        connection.execute(
            "insert into register values (1,'x'),(1,'x'),(1,'x'),(2,'y'),(3,'y'),(4,'y'),(5,'y'),(6,'y')"
        )
        connection.execute("create table release as select 'x' as q union all select 'y'")
        yield connection


def test_person_in_three_rows_of_the_register(register):
    options = {"table": "release", "quasi_identifiers": ["q"], "population_table": "register"}
    rows = sqlrisk.assess(register, **options)
    people = sqlrisk.assess(register, **options, population_entity_id="id")
    assert sorted(rows.population.joint_sizes) == [(1, 3, 1), (1, 5, 1)]
    assert sorted(people.population.joint_sizes) == [(1, 1, 1), (1, 5, 1)]
    assert (rows.population.size, people.population.size) == (8, 6)
    assert (rows.journalist.highest_risk, people.journalist.highest_risk) == (pytest.approx(1 / 3, rel=1e-15), 1.0)
    assert people.population.uniques.release_records == 1


def test_without_a_population_there_is_no_journalist(register):
    result = sqlrisk.assess(register, table="release", quasi_identifiers=["q"])
    assert result.journalist.share_at_risk is None
    assert result.journalist.average_risk is None
    assert result.journalist.reason
    assert result.marketer.average_risk is None
    assert result.population is None
