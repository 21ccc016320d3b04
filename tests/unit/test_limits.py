"""Measures against limits: the verdict and its exit code."""

from __future__ import annotations

import math
from fractions import Fraction

import duckdb
import pytest

import sqlrisk
from sqlrisk.errors import RequestError
from sqlrisk.limits import Limit, judge
from sqlrisk.result import Assessment, DeltaPresence, KMap, MeasuredPopulation, PopulationUniques, SensitiveColumn


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


@pytest.mark.parametrize(
    ("limit", "measure"),
    [({"min_k_map": 1}, "population.k_map.smallest"), ({"max_delta_presence": 1}, "population.delta_presence.highest")],
)
def test_k_map_and_delta_presence_of_a_weak_estimate_do_not_pass_unless_it_is_accepted(limit, measure):
    result = judged(population_size=20_000, **limit)
    (check,) = result.verdict.checks
    assert (check.measure, check.passed, result.exit_code) == (measure, False, 1)
    assert check.reason.startswith("the estimate is weak")
    assert judged(population_size=20_000, **limit, accept_weak="a test").exit_code == 0


def test_k_map_and_delta_presence_are_compared_by_their_intervals():
    limits = {"min_k_map": 2, "max_delta_presence": "0.4", "accept_weak": "a test"}
    result = judged(population_size=6_000, **limits)
    k_map, delta = result.population.k_map, result.population.delta_presence
    compared = {check.measure: check.compared for check in result.verdict.checks}
    assert compared["population.k_map.smallest"] == k_map.intervals["smallest"][0]
    assert compared["population.delta_presence.highest"] == delta.intervals["highest"][1] > delta.highest
    assert result.exit_code == 1


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


# Sensitive columns, k-map and delta-presence


def measured(**measures) -> Assessment:
    """A result with a sensitive column whose name has a dot; ``measures`` replace those of its figures."""
    figures = {
        "l_distinct": 2, "l_entropy": 1.7548, "recursive_c": 3.0, "alpha": 0.75, "t_closeness": 0.3, "basic_beta": 1.5,
        "enhanced_beta": None, "delta_disclosure": math.inf, "delta_disclosure_present_only": 0.9,
    }  # fmt: skip
    counts = {"values": 3, "missing": 0, "classes_below_l": 0, "records_below_l": 0, "l_histogram": [(2, 1, 4)]}
    asked = {"compared": "categorical", "nulls": "value", "recursive_l": 2, "below_l": 2}
    column = SensitiveColumn(**{**figures, **counts, **asked, **measures})
    return sqlrisk.estimate({4: 1}).model_copy(update={"sensitive": {"paid.to": column}})


def compared(**parts) -> Assessment:
    """A result with parts of a population."""
    nothing = dict.fromkeys(("population_people", "population_share", "release_records", "release_share"))
    uniques = PopulationUniques(**nothing, estimator="population table")
    found = MeasuredPopulation(size=10, sampling_fraction=0.4, uniques=uniques, **parts)
    return sqlrisk.estimate({4: 1}).model_copy(update={"population": found, "reasons": {}})


def check(result: Assessment, measure: str, direction: str, bound: object, strict: bool = False):
    """The check of one limit, on a measure of the sensitive column or of the population."""
    path = measure if measure.startswith("population.") else f"sensitive.paid.to.{measure}"
    return judge(result, [Limit(path, direction, Fraction(bound), strict=strict)]).checks[0]


@pytest.mark.parametrize(
    ("value", "passed"),
    [
        (3.0, False),
        (3.0 - 1e-10, False),
        (3.0 - 9e-10, False),
        (3.0 - 1e-8, True),
        (2.9, True),
        (3.0 + 1e-10, False),
        (math.inf, False),
        (0.0, True),
    ],
)
def test_recursive_c_must_be_below_its_limit(value, passed):
    assert check(measured(recursive_c=value), "recursive_c", "max", 3, strict=True).passed is passed


def test_a_limit_that_is_not_strict_is_kept_by_itself():
    for value, passed in ((3.0, True), (3.0 + 1e-10, True), (3.0 + 1e-8, False)):
        assert check(measured(recursive_c=value), "recursive_c", "max", 3).passed is passed


@pytest.mark.parametrize("measure", ["recursive_c", "delta_disclosure", "basic_beta"])
@pytest.mark.parametrize("strict", [False, True])
def test_what_is_infinite_exceeds_every_greatest_value_and_is_no_missing_measure(measure, strict):
    result = measured(**{measure: math.inf})
    for bound in (0, 1, 10**300):
        found = check(result, measure, "max", bound, strict)
        assert (found.value, found.passed, found.reason) == (math.inf, False, None)
    verdict = judge(result, [Limit(f"sensitive.paid.to.{measure}", "max", Fraction(10**300))])
    assert verdict.exit_code == 1


def test_an_infinite_value_is_kept_in_the_document():
    result = measured()
    judged = result.model_copy(
        update={"verdict": judge(result, [Limit("sensitive.paid.to.delta_disclosure", "max", 9)])}
    )
    document = judged.to_dict()
    assert document["verdict"]["checks"][0]["value"] == "infinity"
    assert document["sensitive"]["paid.to"]["delta_disclosure"] == "infinity"
    assert Assessment.from_dict(document) == judged


def test_a_measure_that_is_none_passes_no_limit():
    for direction, bound in (("max", 10**9), ("min", 0)):
        found = check(measured(), "enhanced_beta", direction, bound)
        assert (found.value, found.passed) == (None, False)
        assert found.reason == "it could not be computed"
    unknown = measured(l_distinct=None, reason="every value is missing")
    found = check(unknown, "l_distinct", "min", 1)
    assert (found.value, found.passed, found.reason) == (None, False, "every value is missing")
    assert judge(unknown, [Limit("sensitive.paid.to.l_distinct", "min", Fraction(1))]).exit_code == 3


def test_why_a_measure_is_none_is_taken_from_the_reasons():
    result = measured().model_copy(update={"reasons": {"sensitive.paid.to.enhanced_beta": "unattainable"}})
    assert check(result, "enhanced_beta", "max", 2).reason == "unattainable"


def test_a_column_that_was_not_measured_passes_no_limit():
    (found,) = judge(measured(), [Limit("sensitive.diagnosis.l_distinct", "min", Fraction(1))]).checks
    assert (found.value, found.passed) == (None, False)


def test_distinct_l_is_exact():
    for bound, passed in ((1, True), (2, True), (3, False)):
        assert check(measured(), "l_distinct", "min", bound).passed is passed


@pytest.mark.parametrize(
    ("measure", "direction", "at", "beyond"),
    [
        ("l_entropy", "min", "1.7548", "1.7549"),
        ("alpha", "max", "0.75", "0.7499"),
        ("t_closeness", "max", "0.3", "0.2999"),
        ("basic_beta", "max", "1.5", "1.4999"),
    ],
)
def test_limits_on_real_measures(measure, direction, at, beyond):
    assert check(measured(), measure, direction, at).passed is True
    assert check(measured(), measure, direction, beyond).passed is False


@pytest.mark.parametrize("reason", ["the register lacks rows", None])
def test_limits_on_presence(reason):
    k_map = KMap(smallest=5, histogram=[(4, 7, 4)])
    delta = DeltaPresence(lowest=0.0, highest=0.8, histogram=[(0.8, 0.9, 4)])
    result = compared(k_map=k_map, delta_presence=delta)
    assert [check(result, "population.k_map.smallest", "min", bound).passed for bound in (5, 6)] == [True, False]
    highest = "population.delta_presence.highest"
    assert [check(result, highest, "max", bound).passed for bound in ("0.8", "0.7999")] == [True, False]
    absent = KMap(smallest=None, histogram=[], reason=reason)
    found = check(compared(k_map=absent), "population.k_map.smallest", "min", 1)
    assert (found.passed, found.reason) == (False, reason or "it could not be computed")
    found = check(compared(), highest, "max", 1)
    assert (found.value, found.passed) == (None, False)


def test_presence_by_a_model_is_judged_by_the_worse_end_and_does_not_pass_by_itself():
    doubtful = {"reliability": "model-driven", "reason": "a model is no count"}
    k_map = KMap(smallest=5, histogram=[(4, 7, 4)], intervals={"smallest": (3.0, 9.0)}, **doubtful)
    delta = DeltaPresence(
        lowest=None, highest=0.5, histogram=[(0.5, 0.6, 4)], intervals={"highest": (0.4, 0.7)}, **doubtful
    )
    result = compared(k_map=k_map, delta_presence=delta)
    for measure, direction, kept, broken, worse in (
        ("population.k_map.smallest", "min", 3, 4, 3.0),
        ("population.delta_presence.highest", "max", "0.7", "0.6", 0.7),
    ):
        limit = Limit(measure, direction, Fraction(kept))
        (found,) = judge(result, [limit]).checks
        assert (found.compared, found.passed) == (worse, False)
        assert "--accept-weak" in found.reason
        assert judge(result, [limit], accept_weak="a test").passed is True
        assert judge(result, [Limit(measure, direction, Fraction(broken))], accept_weak="a test").passed is False
