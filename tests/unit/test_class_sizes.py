"""The frequency of frequencies: check values of the formulas, and properties against brute force."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.class_sizes import ClassSizes, JointRecordSizes, JointSizes, RecordSizes, record_risk
from sqlrisk.errors import RequestError
from sqlrisk.threshold import Threshold

FIXTURE = {1: 500, 2: 150, 3: 70, 4: 40, 5: 25, 10: 8, 20: 2}
TOY = [
    ("20", "Female", "CA"),
    ("30", "Female", "CA"),
    ("40", "Female", "TX"),
    ("20", "Male", "NY"),
    ("40", "Male", "CA"),
]

histograms = st.dictionaries(st.integers(1, 60), st.integers(1, 40), min_size=1, max_size=8)
tables = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=30)
thresholds = st.tuples(st.integers(1, 30), st.integers(1, 30)).map(lambda pair: Fraction(min(pair), max(pair)))


def sizes_of(rows) -> ClassSizes:
    return ClassSizes(Counter(Counter(rows).values()))


def test_fixture():
    sizes = ClassSizes(FIXTURE)
    assert (sizes.records, sizes.classes, sizes.smallest, sizes.largest, sizes.sample_uniques) == (
        1415,
        795,
        1,
        20,
        500,
    )
    assert sizes.distinction == 795 / 1415
    risk = sizes.prosecutor()
    assert risk.threshold == Threshold.parse("1/5")
    assert (risk.highest_risk, risk.lowest_risk) == (1.0, 0.05)
    assert risk.average_risk == pytest.approx(795 / 1415, rel=1e-15)
    assert risk.records_at_risk == 500 + 300 + 210 + 160
    assert risk.share_at_risk == pytest.approx(1170 / 1415, rel=1e-15)
    assert risk.classes_at_risk == 760
    assert risk.classes_smaller_than == 5
    pairs = 150 * 2 + 70 * 6 + 40 * 12 + 25 * 20 + 8 * 90 + 2 * 380
    assert sizes.separation == pytest.approx(1 - pairs / (1415 * 1414), rel=1e-15)


@pytest.mark.parametrize(
    ("threshold", "records"), [("1/5", 1170), ("k=6", 1295), ("1/2", 500), ("0.5", 500), ("1/20", 1375), (1, 0)]
)
def test_fixture_at_thresholds(threshold, records):
    assert ClassSizes(FIXTURE).prosecutor(threshold).records_at_risk == records


def test_average_is_over_records_not_over_classes():
    assert ClassSizes({1: 1, 9: 1}).prosecutor().average_risk == 0.2


def test_toy_of_five_records():
    """age/sex/state: .6/.8, .4/.6, .6/.7, all 1/1."""
    expected = {(0,): (0.6, 0.8), (1,): (0.4, 0.6), (2,): (0.6, 0.7), (0, 1, 2): (1.0, 1.0)}
    for columns, (distinction, separation) in expected.items():
        sizes = sizes_of([tuple(row[column] for column in columns) for row in TOY])
        assert sizes.distinction == pytest.approx(distinction, rel=1e-15)
        assert sizes.separation == pytest.approx(separation, rel=1e-15)


def test_person_a_nine_rows_person_b_one():
    """As rows the highest risk is .1; as multisets both are unique; as distinct tuples two people share one."""
    rows, multisets, distinct = ClassSizes({10: 1}), ClassSizes({1: 2}), RecordSizes({2: 2})
    assert rows.prosecutor().highest_risk == 0.1
    assert (multisets.prosecutor().highest_risk, multisets.prosecutor().records_at_risk) == (1.0, 2)
    assert distinct.prosecutor().highest_risk == 0.5


@pytest.mark.parametrize(
    ("counting", "highest", "at_risk"), [(None, 0.1, 0), ("multiset", 1.0, 2), ("distinct", 0.5, 2)]
)
def test_person_a_nine_rows_person_b_one_measured(counting, highest, at_risk):
    import duckdb

    with duckdb.connect(":memory:") as connection:
        connection.execute("create table t as select 'A' as person, 'x' as q from range(9) union all select 'B', 'x'")
        options = {"entity_id": "person", "entity_counting": counting} if counting else {}
        result = sqlrisk.assess(connection, table="t", quasi_identifiers=["q"], **options)
    assert (result.prosecutor.highest_risk, result.prosecutor.records_at_risk) == (highest, at_risk)


def test_wildcard_example_as_values():
    """Rows (1,1), (1,2), (1,missing): all three are alone when a missing value is a value."""
    assert sizes_of([(1, 1), (1, 2), (1, None)]).pairs == ((1, 3),)


def test_record_sizes_of_the_wildcard_example():
    """Matches 2, 2, 3: average 4/9, highest .5."""
    sizes = RecordSizes({2: 2, 3: 1})
    risk = sizes.prosecutor("1/2")
    assert (sizes.records, sizes.smallest, sizes.sample_uniques) == (3, 2, 0)
    assert risk.average_risk == pytest.approx(4 / 9, rel=1e-15)
    assert (risk.highest_risk, risk.records_at_risk, risk.classes_at_risk) == (0.5, 0, None)


def test_empty():
    sizes = ClassSizes({})
    assert (sizes.records, sizes.classes, sizes.sample_uniques) == (0, 0, 0)
    assert (sizes.smallest, sizes.largest, sizes.distinction, sizes.separation) == (None, None, None, None)
    for risk in (sizes.prosecutor("1/3"), RecordSizes({}).prosecutor("1/3")):
        assert risk.threshold == Threshold.parse("1/3")
        assert risk.classes_smaller_than == 3
        figures = (risk.highest_risk, risk.lowest_risk, risk.average_risk, risk.records_at_risk, risk.share_at_risk)
        assert figures == (None,) * 5


def test_one_record():
    sizes = ClassSizes({1: 1})
    assert (sizes.separation, sizes.distinction, sizes.sample_uniques) == (None, 1.0, 1)


def test_pairs_are_sorted_merged_and_without_zeros():
    assert ClassSizes([(3, 1), (1, 2), (3, 4), (7, 0)]).pairs == ((1, 2), (3, 5))
    assert ClassSizes({2: 0}).pairs == ()
    assert ClassSizes({2.0: 3}).pairs == ((2, 3),)
    assert ClassSizes({1: 2}) == ClassSizes([(1, 1), (1, 1)])
    assert hash(ClassSizes({1: 2})) == hash(ClassSizes([(1, 2)]))


@pytest.mark.parametrize("pair", [(0, 1), (-1, 1), (1, -1), (1.5, 1), (1, 0.5)])
@pytest.mark.parametrize("kind", [ClassSizes, RecordSizes])
def test_no_sizes(kind, pair):
    with pytest.raises(RequestError, match="whole numbers"):
        kind([pair])


@pytest.mark.parametrize("pair", [(math.nan, 1), (math.inf, 1), (1, math.nan), ("x", 1), (None, 1)])
def test_no_sizes_at_all(pair):
    with pytest.raises(RequestError):
        ClassSizes([pair])


def test_values_do_not_change():
    given_sizes = {1: 2}
    sizes = ClassSizes(given_sizes)
    given_sizes[5] = 5
    assert sizes.pairs == ((1, 2),)
    with pytest.raises(FrozenInstanceError):
        sizes.pairs = ()


def test_frames():
    frame = ClassSizes({1: 2, 5: 1}).to_frame()
    assert list(frame.columns) == ["class_size", "classes"]
    assert frame.to_numpy().tolist() == [[1, 2], [5, 1]]
    assert list(RecordSizes({1: 2}).to_frame().columns) == ["record_size", "records"]


def test_joint_sizes_corrected_and_counted():
    joint = JointSizes(((0, 7, 3), (1, 0, 4), (2, 2, 1), (3, 1, 2), (3, 9, 1)), population=39)
    assert joint.in_release == [(1, 0, 4), (2, 2, 1), (3, 1, 2), (3, 9, 1)]
    assert joint.corrected == [(1, 1, 4), (2, 2, 1), (3, 3, 2), (3, 9, 1)]
    assert joint.not_in_population == (4, 4)
    assert joint.inconsistent == (2, 6)
    people = JointRecordSizes(((2, 2, 5),), population=9, absent=1, fewer=2)
    assert (people.corrected, people.not_in_population, people.inconsistent) == ([(2, 2, 5)], (None, 1), (None, 2))


@settings(max_examples=100, deadline=None)
@given(histograms, thresholds)
def test_share_at_risk_equals_brute_force(histogram, threshold):
    risks = [Fraction(1, size) for size, classes in histogram.items() for _ in range(size * classes)]
    at_risk = [risk for risk in risks if risk > threshold]
    risk = ClassSizes(histogram).prosecutor(f"{threshold.numerator}/{threshold.denominator}")
    assert risk.records_at_risk == len(at_risk)
    assert risk.share_at_risk == float(Fraction(len(at_risk), len(risks)))
    assert risk.average_risk == float(sum(risks) / len(risks))
    assert risk.highest_risk == float(max(risks))
    assert risk.lowest_risk == float(min(risks))
    assert risk.classes_at_risk == sum(classes for size, classes in histogram.items() if Fraction(1, size) > threshold)


@settings(max_examples=100, deadline=None)
@given(tables)
def test_separation_equals_pairs(rows):
    sizes = sizes_of(rows)
    pairs = list(combinations(rows, 2))
    if not pairs:
        assert sizes.separation is None
    else:
        differ = sum(one != other for one, other in pairs)
        assert sizes.separation == pytest.approx(differ / len(pairs), rel=1e-12, abs=1e-15)


@settings(max_examples=60, deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert sizes_of(rows) == sizes_of(shuffled)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_doubled_table_halves_the_risk(rows):
    once, twice = sizes_of(rows).prosecutor(), sizes_of(rows + rows).prosecutor()
    assert twice.highest_risk == once.highest_risk / 2
    assert twice.lowest_risk == once.lowest_risk / 2
    assert twice.average_risk == pytest.approx(once.average_risk / 2, rel=1e-15)
    assert sizes_of(rows + rows).sample_uniques == 0


@settings(max_examples=60, deadline=None)
@given(tables)
def test_fewer_columns_are_no_riskier(rows):
    all_columns, one_column = sizes_of(rows), sizes_of([row[:1] for row in rows])
    assert one_column.prosecutor().records_at_risk <= all_columns.prosecutor().records_at_risk
    assert one_column.prosecutor().average_risk <= all_columns.prosecutor().average_risk
    assert one_column.smallest >= all_columns.smallest
    assert (one_column.separation or 0) <= (all_columns.separation or 0) + 1e-15


@settings(max_examples=60, deadline=None)
@given(histograms, thresholds)
def test_records_and_classes_agree(histogram, threshold):
    """A partition seen as records gives what the classes give."""
    limit = Threshold(threshold, str(threshold))
    classes = ClassSizes(histogram).prosecutor(limit)
    records = record_risk([(size, size * count) for size, count in histogram.items()], limit)
    assert records.records_at_risk == classes.records_at_risk
    assert records.highest_risk == classes.highest_risk
    assert records.average_risk == pytest.approx(classes.average_risk, rel=1e-12)
