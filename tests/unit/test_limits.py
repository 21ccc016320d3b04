"""Measures against limits: the verdict and its exit code."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

import sqlrisk
from sqlrisk.errors import RequestError
from sqlrisk.limits import Limit, judge


@pytest.fixture(scope="module")
def source():
    """Classes {1: 1, 2: 1, 5: 1}; beside it a register in which they are 2, 4 and 50."""
    with duckdb.connect(":memory:") as connection:
        connection.execute(
            "create table t as select 'a' as q union all select 'b' from range(2) union all select 'c' from range(5)"
        )
        connection.execute(
            "create table register as select 'a' as q from range(2) union all select 'b' from range(4) "
            "union all select 'c' from range(50)"
        )
        connection.execute("create table gaps as select 'a' as q from range(5) union all select null")
        yield connection


def assess(source, table: str = "t", **options):
    return sqlrisk.assess(source, table=table, quasi_identifiers=["q"], **options)


def test_no_limits_no_verdict(source):
    verdict = assess(source).verdict
    assert (verdict.passed, verdict.checks, verdict.exit_code) == (None, [], 0)


@pytest.mark.parametrize(
    ("options", "passed"),
    [
        ({"min_k": 1}, True),
        ({"min_k": 2}, False),
        ({"max_sample_uniques": "1/8"}, True),
        ({"max_sample_uniques": 0.124}, False),
        ({"max_excluded": 0}, None),
        ({"attackers": ["prosecutor"], "max_highest_risk": 1}, True),
        ({"attackers": ["prosecutor"], "max_highest_risk": "0.999"}, False),
        ({"attackers": ["prosecutor"], "max_average_risk": "3/8"}, True),
        ({"attackers": ["prosecutor"], "max_average_risk": "0.374"}, False),
        ({"attackers": ["prosecutor"], "max_share_at_risk": "3/8"}, True),
        ({"attackers": ["prosecutor"], "max_share_at_risk": 0}, False),
        ({"attackers": ["prosecutor"], "max_share_at_risk": 0, "threshold": 1}, True),
        ({"attackers": ["prosecutor"], "max_share_at_risk": "1/8", "threshold": "k=2"}, True),
        ({"min_k": 1, "max_sample_uniques": 0}, False),
    ],
)
def test_verdict(source, options, passed):
    verdict = assess(source, **options).verdict
    assert verdict.passed is passed
    assert verdict.exit_code == (1 if passed is False else 0)


@pytest.mark.parametrize(
    ("options", "passed"),
    [
        ({"max_highest_risk": "1/2"}, True),
        ({"max_highest_risk": "0.49"}, False),
        ({"max_share_at_risk": "3/8"}, True),
        ({"max_share_at_risk": "1/3"}, False),
        ({"max_average_risk": "0.14"}, True),
        ({"max_average_risk": "0.1"}, False),
    ],
)
def test_verdict_against_a_journalist(source, options, passed):
    """Average: the larger of 3/56 and (1/2 + 2/4 + 5/50)/8 = .1375."""
    assert assess(source, population_table="register", attackers=["journalist"], **options).verdict.passed is passed


def test_limits_hold_for_each_attacker_named(source):
    result = assess(
        source, population_table="register", attackers=["prosecutor", "journalist", "marketer"], max_average_risk="0.2"
    )
    checks = {check.measure: check.passed for check in result.verdict.checks}
    assert checks == {
        "attackers.prosecutor.average_risk": False,
        "attackers.journalist.average_risk": True,
        "attackers.marketer.average_risk": True,
    }
    assert result.verdict.passed is False


def test_whole_limits_are_exact_and_real_ones_have_a_tolerance(source):
    result = assess(source)
    value = result.sample_uniques.share

    def passes(measure: str, direction: str, bound: Fraction) -> bool | None:
        return judge(result, [Limit(measure, direction, bound)]).passed

    assert passes("sample_uniques.share", "max", Fraction(value) - Fraction(1, 10**10))
    assert not passes("sample_uniques.share", "max", Fraction(value) - Fraction(1, 10**8))
    assert passes("smallest_class", "min", Fraction(1))
    assert not passes("smallest_class", "min", Fraction(2))


def test_null_measure_does_not_pass_and_says_why(source):
    result = assess(source, attackers=["journalist"], max_share_at_risk=1)
    (check,) = result.verdict.checks
    assert (check.value, check.passed, result.verdict.passed) == (None, False, False)
    assert check.reason.startswith("the population is not known: give its size")
    assert result.exit_code == 3


def test_exceeded_comes_before_not_measured(source):
    result = assess(source, attackers=["journalist"], max_share_at_risk=1, min_k=3)
    assert result.exit_code == 1


def test_null_by_the_way_people_are_counted(source):
    source.execute("create or replace table people as select 1 as id, 'a' as q union all select 2, 'b'")
    result = sqlrisk.assess(
        source, table="people", quasi_identifiers=["q"], entity_id="id", entity_counting="distinct", min_k=1
    )
    assert result.verdict.passed is True
    value, reason = result.value("largest_class")
    assert (value, reason) == (None, "people counted by their distinct tuples do not fall into classes")


def test_excluded_records_block_a_pass(source):
    result = assess(source, "gaps", nulls="exclude", min_k=5)
    assert result.verdict.passed is False
    blocked = result.verdict.checks[-1]
    assert (blocked.measure, blocked.limit, blocked.passed) == ("release.excluded_share", 0.0, False)
    assert blocked.value == pytest.approx(1 / 6, rel=1e-15)
    assert "--max-excluded" in blocked.reason
    assert assess(source, "gaps", nulls="exclude", min_k=5, max_excluded="1/6").verdict.passed is True
    assert assess(source, "gaps", nulls="exclude", min_k=5, max_excluded="0.1").verdict.passed is False
    assert assess(source, "gaps", nulls="exclude").verdict.passed is None
    assert assess(source, "gaps", min_k=1).verdict.passed is True


@pytest.mark.parametrize("option", ["max_highest_risk", "max_average_risk", "max_share_at_risk"])
def test_attacker_limits_need_an_attacker(source, option):
    with pytest.raises(RequestError, match=f"{option}.*needs an attacker"):
        assess(source, **{option: 0.1})


@pytest.mark.parametrize("option", ["max_highest_risk", "max_share_at_risk"])
def test_a_marketer_has_an_average_alone(source, option):
    with pytest.raises(RequestError, match="does not apply to a marketer"):
        assess(source, attackers=["marketer"], **{option: 0.1})


def test_justification_is_kept(source):
    assert assess(source, min_k=1, justification="a register").verdict.justification == "a register"


def test_unknown_measure_is_an_error_of_ours(source):
    with pytest.raises(AttributeError):
        judge(assess(source), [Limit("no_such_measure", "max", Fraction(0))])


HISTOGRAM = {1: 500, 2: 150, 3: 70, 4: 40, 5: 25, 10: 8, 20: 2}


def judged(**options):
    return sqlrisk.estimate(HISTOGRAM, **options)


def test_an_estimate_is_compared_by_the_upper_end_of_its_interval():
    result = judged(population_size=20_000, max_population_uniques="0.2", accept_weak="a test")
    (check,) = result.verdict.checks
    uniques = result.population.uniques
    assert check.measure == "population.uniques.release_share"
    assert check.value == uniques.release_share < 0.2
    assert check.compared == uniques.intervals["release_share"][1] > 0.2
    assert (check.passed, result.exit_code) == (False, 1)


def test_a_weak_estimate_does_not_pass_unless_it_is_accepted():
    limits = {"population_size": 20_000, "attackers": ["journalist"], "max_share_at_risk": "0.99"}
    result = judged(**limits)
    (check,) = result.verdict.checks
    assert result.journalist.reliability == "weak"
    assert (check.compared < 0.99, check.passed, result.exit_code) == (True, False, 1)
    assert check.reason.startswith("the estimate is weak")
    assert "--accept-weak" in check.reason
    accepted = judged(**limits, accept_weak="a recipient under contract")
    assert (accepted.verdict.passed, accepted.exit_code) == (True, 0)
    assert "accepted: a recipient under contract" in accepted.verdict.checks[0].reason


def test_what_exceeds_its_limit_is_not_accepted_either():
    result = judged(population_size=20_000, attackers=["marketer"], max_average_risk="0.01", accept_weak="a test")
    assert (result.verdict.passed, result.exit_code) == (False, 1)


def test_an_estimate_that_there_is_none_of_passes_no_limit():
    result = sqlrisk.estimate({1: 50}, population_size=1_000, max_population_uniques=1, accept_weak="a test")
    (check,) = result.verdict.checks
    assert (check.value, check.passed, result.exit_code) == (None, False, 3)
    assert "no information" in check.reason


def test_without_any_population_uniques_are_not_measured():
    (check,) = judged(max_population_uniques=1).verdict.checks
    assert (check.value, check.passed) == (None, False)
    assert check.reason.startswith("the population is not known")


def test_a_census_is_measured_and_needs_no_acceptance():
    result = judged(
        sampling_fraction=1, max_population_uniques="500/1415", attackers=["journalist"], max_average_risk=0.6
    )
    assert (result.verdict.passed, result.exit_code) == (True, 0)
    assert {check.compared for check in result.verdict.checks} == {500 / 1415, 795 / 1415}
