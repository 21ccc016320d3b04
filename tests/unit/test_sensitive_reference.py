"""The slow version of the sensitive measures against published values, other definitions of the same, and other tools."""

from __future__ import annotations

import csv
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles.conftest import Oracles, find_folder
from tests.sensitive_reference import (
    Column,
    Figures,
    Population,
    Unit,
    alpha,
    basic_beta,
    compare,
    delta_disclosure,
    delta_disclosure_present_only,
    enhanced_is_attainable,
    groups_of_people,
    groups_of_records,
    is_beyond,
    l_distinct,
    l_entropy,
    match_sizes,
    measure,
    people_keys,
    recursive_c,
    same,
    select,
    shares,
    t_categorical,
    t_hierarchical,
    t_ordered,
)

close = pytest.approx


@pytest.fixture(scope="module")
def oracles() -> Oracles:
    folder = find_folder()
    if folder is None:
        pytest.skip("no oracle folder: set SQLRISK_ORACLES, or put it at ../shared/oracles beside the repository")
    return Oracles(folder)


def rows(names: str, *values: tuple) -> list[dict]:
    """Rows of the columns named in a text."""
    return [dict(zip(names.split(), row, strict=True)) for row in values]


class TestCheckValues:
    """Those of the reference of the formulas."""

    CLASSES = [
        Counter(dict(enumerate(row))) for row in ([3, 1, 0], [2, 2, 0], [0, 0, 4], [5, 1, 2])
    ]  # of the values 0, 1, 2
    TABLE = Counter({0: 10, 1: 4, 2: 6})

    def test_the_table_is_the_sum(self):
        assert sum(self.CLASSES, Counter()) == self.TABLE

    @pytest.mark.parametrize(
        ("of", "expected"),
        [
            (lambda c, t: l_distinct(c), (2, 2, 1, 3)),
            (lambda c, t: l_entropy(c), (1.7548, 2, 1, 2.4602)),
            (t_categorical, (0.3, 0.3, 0.7, 0.125)),
            (lambda c, t: t_ordered(c, t, lambda value: value), (0.275, 0.15, 0.6, 0.0875)),
            (basic_beta, (0.5, 1.5, 2.333, 0.25)),
            (lambda c, t: recursive_c(c, 2), (3, 1, math.inf, 1.6667)),
            (lambda c, t: alpha(c), (0.75, 0.5, 1, 0.625)),
            (delta_disclosure, (math.inf, math.inf, math.inf, math.log(0.2 / 0.125))),
            (delta_disclosure_present_only, (math.log(1.5), math.log(2.5), math.log(1 / 0.3), math.log(0.2 / 0.125))),
            (enhanced_is_attainable, (True, True, False, True)),
        ],
    )
    def test_each_measure_of_each_class(self, of, expected):
        assert [float(of(counts, self.TABLE)) for counts in self.CLASSES] == [
            close(float(value), abs=5e-4) for value in expected
        ]

    def test_the_worst_over_the_classes(self):
        data = [
            {"q": number, "s": value}
            for number, counts in enumerate(self.CLASSES)
            for value, count in counts.items()
            for _ in range(count)
        ]
        limits = {"l_distinct": 3, "t_closeness": 0.3, "recursive_c": 3, "basic_beta": 1}
        expected = Figures(
            values=3,
            missing=0,
            without_value=0,
            l_distinct=1,
            l_entropy=1.0,
            recursive_c=math.inf,
            recursive_l=2,
            alpha=1.0,
            t_closeness=0.6,
            basic_beta=7 / 3,
            enhanced_beta=None,
            delta_disclosure=math.inf,
            delta_disclosure_present_only=math.log(10 / 3),
            l_histogram=[(1, 1, 4), (2, 2, 8), (3, 1, 8)],
            below_l=3,
            classes_below_l=3,
            records_below_l=12,
            beyond={"l_distinct": (3, 12), "t_closeness": (1, 4), "recursive_c": (2, 8), "basic_beta": (2, 8)},
        )
        found = measure(data, ["q"], Column("s", "numeric"), limits=limits)
        assert [name for name, value in vars(expected).items() if not same(getattr(found, name), value)] == []

    def test_salaries(self):
        """Nine salaries from 3k to 11k (Li et al. 2007)."""
        table = Counter(range(3, 12))
        for salaries, t in (((3, 4, 5), Fraction(3, 8)), ((6, 8, 11), Fraction(1, 6))):
            assert t_ordered(Counter(salaries), table, lambda value: value) == t

    def test_enhanced_beta_that_nothing_attains(self):
        counts, table = Counter(a=3), Counter(a=3, b=7)
        assert float(basic_beta(counts, table)) == close(2.333, abs=5e-4)
        assert -math.log(0.3) == close(1.204, abs=5e-4)
        assert not enhanced_is_attainable(counts, table)
        assert enhanced_is_attainable(table, table)

    def test_delta_presence(self):
        """A 5 of 10, B 0 of 20, C 1 of none: highest 1, lowest 0."""
        release = [{"q": "A"}] * 5 + [{"q": "C"}]
        register = [{"q": "A"}] * 10 + [{"q": "B"}] * 20
        lowest, highest, histogram = compare(release, register, ["q"]).delta_presence
        assert (lowest, highest) == (0, 1)
        assert [row for row in histogram if row[2]] == [(0.5, 0.6, 5), (1.0, 1.0, 1)]
        assert compare(release, register, ["q"]).k_map == (1, [(1, 1, 1), (2, 3, 0), (4, 7, 0), (8, 15, 5)])

    def test_presence_of_two_columns_and_of_one(self):
        """ZIP 85942, age 72: 2 rows of 2 people; without the age 2 of 80. ZIP 62083, age 53: 1 of 5."""
        release = rows("zip age", ("85942", 72), ("85942", 72), ("62083", 53))
        register = rows("zip age", *[("85942", 72)] * 2, *[("85942", age) for age in range(78)], *[("62083", 53)] * 5)
        register = [row for row in register if row["age"] != 72] + release[:2]
        register += rows("zip age", ("85942", 78))
        both, zips = compare(release, register, ["zip", "age"]), compare(release, register, ["zip"])
        assert sorted((unit.s, unit.f) for unit in both.units) == [(1, 5), (2, 2)]
        assert both.delta_presence[1] == 1
        assert sorted((unit.s, unit.f) for unit in zips.units) == [(1, 5), (2, 80)]

    def test_several_rows_a_person(self):
        data = rows(
            "person q",
            *((1, 42000), (2, 17000), (2, 42000), (3, 17000), (3, 42000), (3, 42000), (4, 42000), (4, 17000)),
        )
        kept = select(data, ["q"]).kept
        assert sorted(Counter(people_keys(kept, "person").values()).values()) == [1, 1, 2]
        assert Counter(key for key, _ in kept) == {(17000,): 3, (42000,): 5}
        tuples = compare(data, data, ["q"], entity="person", distinct=True, register_entity="person")
        assert sorted((unit.records, unit.s, unit.f) for unit in tuples.units) == [(1, 3, 3)] * 3 + [(1, 4, 4)]

    def test_a_person_with_two_values_counts_in_both(self):
        data = rows("person q s", (1, "x", "flu"), (1, "x", "hiv"), (2, "x", "flu"), (2, "x", "flu"), (3, "y", None))
        (both, other) = groups_of_people(select(data, ["q"]).kept, lambda row: row["s"], "person")
        assert (both.records, both.counts) == (2, {"flu": 2, "hiv": 1})
        assert shares(both.counts) == {"flu": Fraction(2, 3), "hiv": Fraction(1, 3)}
        assert (other.records, other.counts) == (1, {None: 1})


class TestWildcard:
    def test_sizes_are_matches(self):
        data = rows("a b", (1, 1), (1, 2), (1, None))
        assert match_sizes([key for key, _ in select(data, ["a", "b"], "wildcard").kept]) == [2, 2, 3]
        assert Counter(key for key, _ in select(data, ["a", "b"]).kept).most_common(1)[0][1] == 1
        assert len(select(data, ["a", "b"], "exclude").kept) == 2

    @pytest.mark.parametrize("name", ["noNA", "NA_in_C", "allNA_row_and_col", "single_key_NA"])
    def test_the_records_of_sdcmicro_s_own_tests(self, oracles, name):
        found = oracles.load("sdcmicro.json")["fixture_tests"][name]
        assert match_sizes(list(zip(*(found[key] for key in "ABC" if key in found), strict=True))) == found["fk"]

    @pytest.mark.parametrize("name", ["francdat_na_alpha1", "testdata_na_2key_alpha1", "testdata_na_7_alpha1"])
    def test_the_files_of_sdcmicro(self, oracles, name):
        """Of a file with records without any key, sdcMicro does not count these among the matches of complete ones."""
        run = oracles.load("sdcmicro.json")[name]
        keys = [tuple(row[key] for key in run["keys"]) for row in read(oracles.data(run["file"]))]
        nothing = sum(set(key) == {None} for key in keys)
        sizes = [size - nothing * (None not in key) for key, size in zip(keys, match_sizes(keys), strict=True)]
        assert sizes[:20] == run["fk_first20"]
        assert sorted(Counter(sizes).items()) == list(zip(*run["fk_hist"].values(), strict=True))

    def test_what_matches_a_record_gives_its_sensitive_values(self):
        data = rows("q s", ("x", "flu"), ("y", "hiv"), (None, None))
        found = measure(data, ["q"], Column("s"), nulls="wildcard")
        assert found.l_histogram == [(2, None, 2), (3, None, 1)]
        assert (found.values, found.missing, found.without_value) == (3, 1, 0)
        found = measure(data, ["q"], Column("s"), nulls="wildcard", sensitive_nulls="ignore")
        assert found.l_histogram == [(1, None, 2), (2, None, 1)]
        assert (found.alpha, found.t_closeness, found.basic_beta) == (1, 0.5, 1)


class TestMissingValues:
    DATA = rows("q s", ("x", "I"), ("x", "III"), ("x", None), ("y", "II"), ("y", "II"), ("z", None))
    STAGE = Column("s", "ordered", ("I", "II", "III"))

    def test_a_value_of_its_own_stands_before_all_others(self):
        found = measure(self.DATA, ["q"], self.STAGE)
        assert (found.values, found.missing, found.without_value) == (4, 2, 0)
        assert found.l_histogram == [(1, 2, 3), (3, 1, 3)]
        # the class z: all of it at the missing value, the first of four
        assert found.t_closeness == close(float((Fraction(4, 6) + Fraction(3, 6) + Fraction(1, 6)) / 3))

    def test_ignored(self):
        found = measure(self.DATA, ["q"], self.STAGE, sensitive_nulls="ignore")
        assert (found.values, found.missing, found.without_value) == (3, 2, 1)
        assert found.l_histogram == [(1, 1, 2), (2, 1, 3)]
        assert found.t_closeness == 0.25
        assert (found.alpha, found.basic_beta) == (1, 1)

    def test_a_group_of_its_own(self):
        icd = Column("s", "hierarchical", groups={"I": "low", "II": "low", "III": "high"})
        counts, table = Counter({"I": 1, None: 1}), Counter({"I": 1, "II": 1, None: 2})
        assert t_hierarchical(counts, table, icd.group) == Fraction(1, 8)


# The same from other definitions.

COUNTS = st.lists(st.integers(0, 5), min_size=2, max_size=6).filter(any)


@st.composite
def of_a_table(draw):
    """A class, and the table that it is part of."""
    counts = draw(COUNTS)
    table = [count + draw(st.integers(0, 5)) for count in counts]
    return Counter(dict(enumerate(counts))), Counter(dict(enumerate(table)))


def moved(counts, table, distance) -> float:
    """The earth mover's distance, by a linear programme."""
    from scipy.optimize import linprog

    q, p = shares(counts), shares(table)
    values = list(p)
    cost = [float(distance(a, b)) for a in values for b in values]
    rows_ = [[float(a == of) for a in values for _ in values] for of in values]
    columns = [[float(b == of) for _ in values for b in values] for of in values]
    sums = [float(q.get(value, 0)) for value in values] + [float(p[value]) for value in values]
    return linprog(cost, A_eq=rows_ + columns, b_eq=sums).fun


@settings(max_examples=40, deadline=None, derandomize=True)
@given(of_a_table())
def test_t_is_the_earth_mover_s_distance(situation):
    counts, table = situation
    values = sorted(shares(table))
    apart = max(len(values) - 1, 1)
    near = {value: place for place, value in enumerate(values)}
    assert float(t_categorical(counts, table)) == close(moved(counts, table, lambda a, b: a != b), abs=1e-9)
    ordered = moved(counts, table, lambda a, b: abs(near[a] - near[b]) / apart)
    assert float(t_ordered(counts, table, lambda value: value)) == close(ordered, abs=1e-9)
    hierarchy = moved(counts, table, lambda a, b: 0 if a == b else 0.5 if a % 3 == b % 3 else 1)
    assert float(t_hierarchical(counts, table, lambda value: value % 3)) == close(hierarchy, abs=1e-9)


@given(of_a_table())
def test_absent_values_count(situation):
    counts, table = situation
    q, p = shares(counts), shares(table)
    there = sum(abs(q[value] - p[value]) for value in q)
    assert t_categorical(counts, table) == (there + 1 - sum(p[value] for value in q)) / 2


@given(COUNTS, st.integers(1, 6), st.fractions(0, 30, max_denominator=50))
def test_recursive_c_is_where_the_condition_begins_to_hold(counts, l, c):  # noqa: E741
    ranked = sorted(counts, reverse=True)
    assert (ranked[0] < c * sum(ranked[l - 1 :])) == (c > recursive_c(Counter(dict(enumerate(counts))), l))


@given(COUNTS)
def test_l_is_between_one_and_the_number_of_values(counts):
    found = Counter(dict(enumerate(counts)))
    assert 1 - 1e-12 <= l_entropy(found) <= l_distinct(found) + 1e-12
    assert alpha(found) >= Fraction(1, l_distinct(found))


@given(of_a_table())
def test_enhanced_beta_by_its_definition(situation):
    """The smallest beta with (q - p)/p <= min(beta, -ln p) is the basic one, or there is none."""
    counts, table = situation
    q, p = shares(counts), shares(table)
    beta = basic_beta(counts, table)
    gains = {value: (q.get(value, 0) - p[value]) / p[value] for value in p}
    holds = all(gain <= min(beta, -math.log(p[value])) for value, gain in gains.items())
    assert holds == enhanced_is_attainable(counts, table)
    assert max(gains.values()) == beta >= 0


@given(of_a_table())
def test_delta_disclosure_is_infinite_where_a_value_is_absent(situation):
    counts, table = situation
    absent = any(table[value] and not counts[value] for value in table)
    strict, present = delta_disclosure(counts, table), delta_disclosure_present_only(counts, table)
    assert strict == (math.inf if absent else present)


def test_limits_that_are_just_met():
    assert not is_beyond("l_distinct", 2, 2)
    assert is_beyond("l_distinct", 1, 2)
    assert not is_beyond("t_closeness", 0.1 + 0.2, 0.3)
    assert is_beyond("recursive_c", 3, 3), "a strict bound"
    assert is_beyond("delta_disclosure", math.inf, 1e300)


def test_histograms_of_the_population():
    units = [Unit(3, 3, 0), Unit(1, 1, 10), Unit(2, 2, 3), Unit(9, 9, 10)]
    population = Population(units, [], 26)
    assert population.k_map == (3, [(2, 3, 5), (4, 7, 0), (8, 15, 10)])
    lowest, highest, histogram = population.delta_presence
    assert (lowest, highest) == (0.1, 1)
    assert [records for _, _, records in histogram] == [0, 1, 0, 0, 0, 0, 2, 0, 0, 9, 3]
    assert histogram[0] == (0, 0.1, 0)
    assert histogram[-2:] == [(0.9, 1, 9), (1, 1, 3)]
    assert Population(units, [Fraction(0)], 26).delta_presence[0] == 0


# The figures of another implementation.


def read(path) -> list[dict]:
    """A CSV of texts; the empty field is the missing value."""
    with path.open(newline="", encoding="utf-8") as lines:
        return [{name: value or None for name, value in row.items()} for row in csv.DictReader(lines)]


RUNS = ("tiny", "tiny_num", "mid_1sa", "mid_num", "hospital", "math_k5", "drug_k5", "stroke_k25", "adult_k10")
NUMERIC = ("tiny_num", "mid_num", "math_k5")


@pytest.mark.parametrize("name", RUNS)
def test_textbook_values(oracles, name):
    run = oracles.load("sensitive.json")[name]
    (column,) = run["sensitive"]
    data = read(oracles.data(run["csv"]))
    sensitive = Column(column, "numeric" if name in NUMERIC else "categorical")
    found = measure(data, run["quasi_identifiers"], sensitive, recursive_l=run["l_distinct"])
    for measured in ("l_distinct", "l_entropy", "alpha", "basic_beta", "t_closeness", "delta_disclosure_present_only"):
        assert getattr(found, measured) == close(run[measured], rel=1e-9), measured
    assert found.recursive_c == close(run["recursive_c_at_l"], rel=1e-9)
    assert math.isinf(found.delta_disclosure) == run["delta_disclosure_strict_is_infinite"]
    sizes = Counter(
        group.size for group in groups_of_records(select(data, run["quasi_identifiers"]).kept, lambda row: row[column])
    )
    assert {str(size): count for size, count in sizes.items()} == run["class_sizes"]
