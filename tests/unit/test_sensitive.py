"""Sensitive columns, k-map, delta-presence and missing values that match anything: the embedded engine against the slow
version, on small tables of every kind that hypothesis finds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import pandas
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from tests.sensitive_reference import (
    MEASURES,
    Column,
    NotConvertible,
    compare,
    differences,
    is_beyond,
    match,
    match_sizes,
    measure,
    same,
    select,
)

KINDS = {
    "a": "text",
    "b": "integer",
    "person_id": "integer",
    "diag": "text",
    "paid": "integer",
    "price": "text",
    "stage": "text",
    "icd": "text",
}
REGISTER = {"a": "text", "b": "integer", "person_id": "integer"}
GROUPS = {"A1": "A", "A2": "A", "B1": "B", "": "B", "it's": "'"}
# A sensitive column as a user writes it, and as the slow version knows it.
SENSITIVE = [
    ("diag", Column("diag")),
    ("paid:categorical", Column("paid")),
    ("paid:numeric", Column("paid", "numeric")),
    ("price:numeric", Column("price", "numeric")),
    ("stage:ordered", Column("stage", "ordered")),
    ("stage:ordered=I,II,III", Column("stage", "ordered", ("I", "II", "III"))),
    ({"icd": {"map": GROUPS}}, Column("icd", "hierarchical", groups=GROUPS)),
    ({"icd": {"map": GROUPS, "else": "A"}}, Column("icd", "hierarchical", groups=GROUPS, other="A")),
]
LIMITS = {
    "min_l": "l_distinct",
    "min_entropy_l": "l_entropy",
    "max_recursive_c": "recursive_c",
    "max_t": "t_closeness",
    "max_alpha": "alpha",
    "max_beta": "basic_beta",
    "max_delta_disclosure": "delta_disclosure",
}
KEY = st.tuples(st.sampled_from(["x", "y", "*", "", None]), st.sampled_from([1, 2, None]), st.integers(1, 5))
ROW = st.tuples(
    KEY,
    st.sampled_from(["flu", "Flu", "", "*", None]),
    st.sampled_from([-7, 0, 5, 10**15, None]),
    st.sampled_from(["1", "1.0", "-2.5", "10", "x", "*", None]),
    st.sampled_from(["I", "II", "III", "i", "é", "IV", "*", None]),
    st.sampled_from(["A1", "A2", "B1", "", "it's", "Z9", "*", None]),
).map(lambda row: dict(zip(KINDS, (*row[0], *row[1:]), strict=True)))
SETTINGS = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@dataclass(frozen=True)
class Situation:
    """Tables, what is asked of them, and how a person counts."""

    rows: Sequence[dict]
    columns: Sequence[Column]
    options: dict
    register: Sequence[dict] = ()

    @property
    def left(self) -> dict:
        """The arguments of the slow version that say which rows count, and how."""
        options = self.options
        return {"nulls": options["nulls"], "suppressed": options["suppressed"], "texts": ["a"]}

    @property
    def keys(self) -> list[tuple]:
        """The keys of the records that are measured."""
        return [key for key, _ in select(self.rows, ["a", "b"], **self.left).kept]

    @property
    def entity(self) -> str | None:
        return self.options.get("entity_id")

    @property
    def recursive_l(self) -> int:
        return self.options.get("recursive_l", 2)

    @property
    def limits(self) -> dict[str, float]:
        """Those on sensitive columns, by measure."""
        return {name: float(self.options[option]) for option, name in LIMITS.items() if option in self.options}


@st.composite
def situations(draw, counted=("records", "records", "people"), nulls=("value", "exclude", "wildcard")):
    """Rows and options; half of the time with limits."""
    rows = draw(st.lists(ROW, min_size=1, max_size=12))
    rows += draw(st.lists(st.sampled_from(rows), max_size=6))
    items = draw(st.lists(st.sampled_from(SENSITIVE), min_size=1, max_size=3, unique_by=lambda item: item[1].name))
    options = {
        "quasi_identifiers": ["a", "b"],
        "sensitive": [item for item, _ in items],
        "sensitive_nulls": draw(st.sampled_from(["value", "ignore"])),
        "nulls": draw(st.sampled_from(nulls)),
        "suppressed": draw(st.sampled_from([None, "*"])),
        "unparseable": draw(st.sampled_from(["error", "null", "null"])),
    }
    if draw(st.sampled_from(counted)) == "people" and options["nulls"] != "wildcard":
        options["entity_id"] = "person_id"
    if draw(st.booleans()):
        options["recursive_l"] = draw(st.integers(2, 4))
    if draw(st.booleans()):
        bounds = {
            "min_l": st.integers(1, 4),
            "min_entropy_l": st.sampled_from([1, 1.5, 2, 2.5]),
            "max_recursive_c": st.sampled_from([0.5, 1, 2, 3]),
            "max_t": st.sampled_from([0, 0.25, 0.5, 0.75]),
            "max_alpha": st.sampled_from([0.5, 0.75, 1]),
            "max_beta": st.sampled_from([0, 1, 2, 3]),
            "max_delta_disclosure": st.sampled_from([0, 0.5, 1, 2]),
        }
        options |= draw(st.fixed_dictionaries({}, optional=bounds))
    return Situation(rows, [column for _, column in items], options)


@st.composite
def with_a_register(draw, **kwargs):
    """The same against a register that holds the release or does not."""
    found = draw(situations(**kwargs))
    others = [dict(zip(REGISTER, key, strict=True)) for key in draw(st.lists(KEY, max_size=12))]
    people = found.entity is not None or draw(st.booleans())
    if draw(st.booleans()):
        own = [{name: row[name] for name in REGISTER} for row in found.rows]
        register = own + [{**row, "person_id": row["person_id"] + 10} for row in others]
    else:
        register = [*others, {"a": "x", "b": 1, "person_id": 99}]
    options = {"population_table": "register", "population_entity_id": "person_id" if people else None}
    return Situation(found.rows, found.columns, found.options | options, register)


def frame(rows: Sequence[dict], kinds: dict[str, str]) -> pandas.DataFrame:
    """Rows as a data frame, missing values as such."""
    types = {"text": "string", "integer": "Int64"}
    return pandas.DataFrame(
        {name: pandas.array([row[name] for row in rows], dtype=types[kind]) for name, kind in kinds.items()}
    )


def outcome(source, situation: Situation, **more) -> sqlrisk.Assessment | str:
    """The result, or why there is none."""
    try:
        return sqlrisk.assess(source, **situation.options, **more)
    except sqlrisk.MeasurementError as problem:
        return str(problem)


def check(found: sqlrisk.Assessment | str, situation: Situation) -> None:
    """Everything that the slow version knows of a situation, or that both end with an error."""
    if not situation.keys or (situation.register and not _register_keys(situation)):
        assert isinstance(found, str) and "empty" in found, found
        return
    try:
        expected = {column.name: _figures(situation, column) for column in situation.columns}
    except NotConvertible:
        assert isinstance(found, str), "a value that does not convert went unnoticed"
        return
    assert not isinstance(found, str), found
    assert list(found.sensitive) == list(expected)
    for name, figures in expected.items():
        assert differences(found.sensitive[name], figures) == {}, name
        check_reasons(found, name)
    check_verdict(found, expected, situation.limits)
    if situation.options["nulls"] == "wildcard":
        check_sizes(found, match_sizes(situation.keys))
    if situation.register:
        check_population(found, situation)


def _figures(situation: Situation, column: Column):
    return measure(
        situation.rows,
        ["a", "b"],
        column,
        **situation.left,
        sensitive_nulls=situation.options["sensitive_nulls"],
        unparseable=situation.options["unparseable"],
        entity=situation.entity,
        recursive_l=situation.recursive_l,
        limits=situation.limits,
    )


def _register_keys(situation: Situation) -> list[tuple]:
    return [key for key, _ in select(situation.register, ["a", "b"], **situation.left).kept]


def check_reasons(found: sqlrisk.Assessment, name: str) -> None:
    """A measure without a value says why."""
    for figure in MEASURES:
        path = f"sensitive.{name}.{figure}"
        value, reason = found.value(path)
        assert (value is None) == (reason is not None), path
        assert reason != "it could not be computed", path


def check_verdict(found: sqlrisk.Assessment, expected: dict, limits: dict[str, float]) -> None:
    """A limit is passed where the worst class passes it."""
    checks = {item.measure: item for item in found.verdict.checks}
    for name, figures in expected.items():
        for figure, bound in limits.items():
            item, value = checks[f"sensitive.{name}.{figure}"], getattr(figures, figure)
            assert item.limit == pytest.approx(bound)
            assert same(item.value, value)
            assert item.passed == (value is not None and not is_beyond(figure, value, bound))


def check_sizes(found: sqlrisk.Assessment, sizes: list[int]) -> None:
    """The sizes of records, and what follows from them; there are no classes."""
    n = len(sizes)
    assert found.class_sizes is found.classes is found.distinction is found.separation is None
    for name in ("classes", "distinction", "separation"):
        assert found.reasons[name]
    assert found.record_sizes.pairs == tuple(sorted(Counter(sizes).items()))
    assert (found.smallest_class, found.largest_class) in {(min(sizes), max(sizes)), (min(sizes), None), (None, None)}
    assert found.sample_uniques.records == sizes.count(1)
    assert found.prosecutor.highest_risk == pytest.approx(1 / min(sizes))
    assert found.prosecutor.lowest_risk == pytest.approx(1 / max(sizes))
    assert found.prosecutor.average_risk == pytest.approx(math.fsum(1 / size for size in sizes) / n)
    assert found.prosecutor.records_at_risk == sum(size < 5 for size in sizes)


def check_population(found: sqlrisk.Assessment, situation: Situation) -> None:
    """k-map and delta-presence; who is not in a register of people has made both unknown."""
    expected = compare(
        situation.rows,
        situation.register,
        ["a", "b"],
        **situation.left,
        entity=situation.entity,
        distinct=situation.options.get("entity_counting") == "distinct",
        register_entity=situation.options["population_entity_id"],
    )
    assert found.population.size == expected.size
    if situation.entity is not None and not all(unit.f for unit in expected.units):
        assert found.population.k_map is found.population.delta_presence is None
        for figure in ("k_map.smallest", "delta_presence.highest"):
            value, reason = found.value(f"population.{figure}")
            assert value is None and "same rows a person" in reason
        return
    k_map, delta = found.population.k_map, found.population.delta_presence
    people = situation.options["population_entity_id"] is not None
    if situation.options["nulls"] == "wildcard" and people and k_map is None:
        tuples = {(row["person_id"], row["a"], row["b"]) for row in situation.register}
        assert len(tuples) > len({person for person, *_ in tuples})  # somebody has rows that differ
        assert delta is found.journalist.highest_risk is found.marketer.average_risk is None
        assert "rows that differ" in found.value("population.k_map.smallest")[1]
        return
    smallest, histogram = expected.k_map
    assert k_map.smallest == smallest
    assert [(low, records) for low, _, records in k_map.histogram] == [(low, records) for low, _, records in histogram]
    lowest, highest, histogram = expected.delta_presence
    assert delta.lowest == pytest.approx(lowest)
    assert delta.highest == pytest.approx(highest)
    assert [records for *_, records in delta.histogram] == [records for *_, records in histogram]
    assert [span for *span, _ in delta.histogram] == [pytest.approx(span) for *span, _ in histogram]
    for mismatch, keep in (
        (found.population.not_in_population, lambda unit: unit.f == 0),
        (found.population.inconsistent, lambda unit: 0 < unit.f < unit.s),
    ):
        assert mismatch.records == sum(unit.records for unit in expected.units if keep(unit))
    if situation.options["nulls"] == "wildcard":
        n = len(expected.units)
        mean = math.fsum(1 / unit.corrected for unit in expected.units) / n
        assert found.journalist.highest_risk == pytest.approx(1 / smallest)
        assert found.journalist.average_risk == pytest.approx(mean)
        assert found.marketer.average_risk == pytest.approx(mean)


@SETTINGS
@given(situations(nulls=("value", "exclude")))
def test_sensitive_columns(situation):
    check(outcome(frame(situation.rows, KINDS), situation), situation)


@SETTINGS
@given(situations(nulls=("wildcard",)))
def test_missing_values_that_match_anything(situation):
    check(outcome(frame(situation.rows, KINDS), situation), situation)


@SETTINGS
@given(with_a_register())
def test_a_register(situation):
    with duckdb.connect(":memory:") as connection:
        connection.register("released", frame(situation.rows, KINDS))
        connection.register("register", frame(situation.register, REGISTER))
        check(outcome(connection, situation, table="released"), situation)


@settings(SETTINGS, max_examples=8)
@given(situations(nulls=("wildcard",)))
def test_without_missing_values_matches_are_classes(situation):
    rows = [row for row in situation.rows if row["b"] is not None and row["a"] not in {None, "*"}]
    if not rows:
        return
    options = {key: value for key, value in situation.options.items() if not key.startswith(("min", "max"))}
    matches = outcome(frame(rows, KINDS), Situation(rows, situation.columns, options))
    classes = outcome(frame(rows, KINDS), Situation(rows, situation.columns, options | {"nulls": "value"}))
    if isinstance(classes, str):
        assert matches == classes
        return
    assert matches.record_sizes.pairs == tuple((size, size * count) for size, count in classes.class_sizes.pairs)
    for name, of_classes in classes.sensitive.items():
        of_records = matches.sensitive[name]
        without_classes = [(values, None, records) for values, _, records in of_classes.l_histogram]
        assert of_records.l_histogram == without_classes
        for figure in MEASURES:
            assert same(getattr(of_records, figure), getattr(of_classes, figure)), figure


@settings(SETTINGS, max_examples=8)
@given(situations(nulls=("wildcard",)))
def test_a_constant_and_an_empty_column_change_no_size(situation):
    rows = [{**row, "one": "1", "none": None, "nothing": None} for row in situation.rows]
    kinds = {**KINDS, "one": "text", "none": "text", "nothing": "integer"}
    options = {"nulls": "wildcard"}
    plain = sqlrisk.assess(frame(rows, kinds), quasi_identifiers=["a", "b"], **options)
    for more in (["one"], ["none"], ["nothing"], ["one", "none", "nothing"]):
        result = sqlrisk.assess(frame(rows, kinds), quasi_identifiers=[*more, "a", "b"], **options)
        assert result.record_sizes == plain.record_sizes, more


@settings(SETTINGS, max_examples=8)
@given(situations(), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_changes_nothing(situation, random):
    shuffled = list(situation.rows)
    random.shuffle(shuffled)
    names = list(KINDS)
    random.shuffle(names)
    options = {**situation.options, "quasi_identifiers": ["b", "a"]}
    other = Situation(shuffled, situation.columns, options)
    check(outcome(frame(shuffled, {name: KINDS[name] for name in names}), other), situation)


def test_nothing_is_known_of_a_column_without_values():
    rows = [{"q": "x", "s": None}, {"q": "y", "s": None}]
    data = frame(rows, {"q": "text", "s": "text"})
    found = sqlrisk.assess(data, quasi_identifiers=["q"], sensitive=["s"], sensitive_nulls="ignore", min_l=2)
    column = found.sensitive["s"]
    assert (column.values, column.missing, column.without_value, column.l_histogram) == (0, 2, 2, [])
    assert all(getattr(column, figure) is None for figure in MEASURES)
    check_reasons(found, "s")
    assert found.exit_code == 3
    assert sqlrisk.assess(data, quasi_identifiers=["q"], sensitive=["s"]).sensitive["s"].l_distinct == 1


@pytest.mark.parametrize(
    ("sensitive", "value"), [("s:numeric", "many"), ("s:ordered=I,II", "III"), ({"s": {"map": {"A": "a"}}}, "B")]
)
def test_values_that_do_not_convert(sensitive, value):
    known = {"s:numeric": "1", "s:ordered=I,II": "I"}.get(str(sensitive), "A")
    data = frame([{"q": "x", "s": known}, {"q": "x", "s": value}], {"q": "text", "s": "text"})
    with pytest.raises(sqlrisk.MeasurementError) as caught:
        sqlrisk.assess(data, quasi_identifiers=["q"], sensitive=[sensitive])
    assert caught.value.exit_code == 3
    assert "`s`" in str(caught.value) and value not in str(caught.value)
    found = sqlrisk.assess(data, quasi_identifiers=["q"], sensitive=[sensitive], unparseable="null")
    assert (found.sensitive["s"].values, found.sensitive["s"].missing) == (2, 1)
    assert any("`s`" in warning for warning in found.warnings)


@pytest.mark.parametrize("options", [{}, {"entity_id": "person"}], ids=["records", "people"])
@pytest.mark.parametrize("left_out", [{"nulls": "exclude"}, {"suppressed": "*"}], ids=["excluded", "suppressed"])
def test_values_of_records_that_are_left_out_need_not_convert(options, left_out):
    nothing = None if "nulls" in left_out else "*"
    rows = [
        {"q": "x", "person": 1, "s": "I"},
        {"q": "x", "person": 2, "s": "II"},
        {"q": nothing, "person": 3, "s": "IV"},
    ]
    data = frame(rows, {"q": "text", "person": "integer", "s": "text"})
    found = sqlrisk.assess(data, quasi_identifiers=["q"], sensitive=["s:ordered=I,II"], **left_out, **options)
    assert (found.sensitive["s"].values, found.sensitive["s"].missing) == (2, 0)
    assert (found.release.excluded_records, found.release.suppressed_records) in {(1, 0), (0, 1)}


@pytest.mark.parametrize("rows", [(1, 1, 1), (1, 2, 3)], ids=["alike", "that differ"])
def test_somebody_of_a_register_with_several_rows_under_wildcard(rows):
    """Alike, they are one person. If they differ, F would count that person several times: too high, the risk too low."""
    with duckdb.connect(":memory:") as connection:
        connection.register("released", frame([{"a": "y", "b": None}], {"a": "text", "b": "integer"}))
        connection.register("register", frame([{"a": "y", "b": b, "person_id": 1} for b in rows], REGISTER))
        options = {"population_table": "register", "population_entity_id": "person_id", "nulls": "wildcard"}
        limits = {"min_k_map": 1, "max_delta_presence": 1, "attackers": ["journalist"], "max_highest_risk": 1}
        found = sqlrisk.assess(connection, table="released", quasi_identifiers=["a", "b"], **options, **limits)
    assert found.population.size == 1
    if rows == (1, 1, 1):
        assert (found.population.k_map.smallest, found.journalist.highest_risk, found.exit_code) == (1, 1, 0)
        return
    assert (found.journalist.highest_risk, found.marketer.average_risk, found.exit_code) == (None, None, 3)
    assert (found.population.k_map, found.population.delta_presence) == (None, None)
    assert "rows that differ" in found.journalist.reason
    assert all("rows that differ" in check.reason for check in found.verdict.checks)
    assert "rows that differ" in " ".join(found.to_text().split())


def test_people_are_not_measured_where_missing_values_match_anything():
    data = frame([{"a": "x", "b": None, "person_id": 1}], REGISTER)
    with pytest.raises(sqlrisk.RequestError, match="`wildcard` is not measured"):
        sqlrisk.assess(data, quasi_identifiers=["a", "b"], nulls="wildcard", entity_id="person_id")


def test_people_counted_by_distinct_tuples_have_no_classes():
    rows = [
        {"q": "x", "person": 1, "s": "flu"},
        {"q": "y", "person": 1, "s": "flu"},
        {"q": "x", "person": 2, "s": "hiv"},
    ]
    found = sqlrisk.assess(
        frame(rows, {"q": "text", "person": "integer", "s": "text"}),
        quasi_identifiers=["q"],
        sensitive=["s"],
        entity_id="person",
        entity_counting="distinct",
        min_l=1,
    )
    assert all(getattr(found.sensitive["s"], figure) is None for figure in MEASURES)
    assert found.sensitive["s"].l_histogram == []
    check_reasons(found, "s")
    assert found.exit_code == 3


def test_people_counted_by_distinct_tuples_against_a_register():
    own = [{"a": "x", "b": 1, "person_id": 1}, {"a": "y", "b": 1, "person_id": 1}, {"a": "x", "b": 1, "person_id": 2}]
    register = own + [{"a": "x", "b": 1, "person_id": 3}, {"a": "y", "b": 1, "person_id": 4}]
    with duckdb.connect(":memory:") as connection:
        connection.register("released", frame(own, REGISTER))
        connection.register("register", frame(register, REGISTER))
        options = {"entity_id": "person_id", "entity_counting": "distinct"}
        options |= {"population_table": "register", "population_entity_id": "person_id"}
        found = sqlrisk.assess(connection, table="released", quasi_identifiers=["a", "b"], **options)
    assert found.population.k_map.smallest == 2
    assert [tuple(row) for row in found.population.k_map.histogram] == [(2, 3, 2)]
    assert found.population.delta_presence is None
    assert "can be of different rows" in found.value("population.delta_presence.highest")[1]


@pytest.mark.parametrize("nulls", ["value", "wildcard"])
@pytest.mark.parametrize(("people", "seed"), [(False, 1), (False, 2), (True, 3)])
def test_hundreds_of_records_and_many_values(nulls, people, seed):
    import random

    draw = random.Random(seed)
    rows = [
        {
            "a": draw.choice(["x", "y", "z", "u", "v", None]),
            "b": draw.choice([1, 2, 3, 4, None]),
            "person_id": draw.randrange(150),
            "diag": draw.choice(["flu", "hiv", "cold", None]),
            "paid": int(draw.paretovariate(0.5)) % 500,
            "price": f"{draw.randrange(60) / 4}",
            "stage": draw.choice(["I", "II", "III"]),
            "icd": draw.choice(list(GROUPS)),
        }
        for _ in range(400)
    ]
    items = [SENSITIVE[number] for number in (0, 2, 3, 5, 6)]
    options = {"quasi_identifiers": ["a", "b"], "sensitive": [item for item, _ in items], "sensitive_nulls": "value"}
    options |= {"nulls": nulls, "suppressed": None, "unparseable": "error", "max_t": 0.1, "min_l": 3}
    if people:
        if nulls == "wildcard":
            pytest.skip("people are no records")
        options["entity_id"] = "person_id"
    situation = Situation(rows, [column for _, column in items], options)
    check(outcome(frame(rows, KINDS), situation), situation)


def test_the_matches_of_a_record_are_symmetric():
    """What the slow version takes for a match."""
    keys = [(a, b) for a in ("x", "y", None) for b in (1, 2, None)]
    assert all(match(one, other) == match(other, one) for one in keys for other in keys)
    assert all(match((None, None), key) and match(key, key) for key in keys)


def test_a_map_in_a_file(tmp_path):
    (tmp_path / "chapters.csv").write_text('value,group\nA1,A\nA2,A\nB1,B\n"it\'s",C\n')
    (tmp_path / "release.csv").write_text("q,icd\nx,A1\nx,A2\ny,B1\ny,it's\ny,\n")
    groups = {"A1": "A", "A2": "A", "B1": "B", "it's": "C"}
    rows = [{"q": q, "icd": icd} for q, icd in (("x", "A1"), ("x", "A2"), ("y", "B1"), ("y", "it's"), ("y", None))]
    found = sqlrisk.assess(
        tmp_path / "release.csv", quasi_identifiers=["q"], sensitive=[f"icd:map={tmp_path / 'chapters.csv'}"]
    )
    assert differences(found.sensitive["icd"], measure(rows, ["q"], Column("icd", "hierarchical", groups=groups))) == {}


def test_a_csv_is_text_and_its_empty_field_is_missing(tmp_path):
    file = tmp_path / "release.csv"
    file.write_text("q,s\nx,01\nx,1\ny,\ny,2\n")
    found = sqlrisk.assess(file, quasi_identifiers=["q"], sensitive=["s"]).sensitive["s"]
    assert (found.values, found.missing, found.l_histogram) == (4, 1, [(2, 2, 4)])
    found = sqlrisk.assess(file, quasi_identifiers=["q"], sensitive=["s:numeric"]).sensitive["s"]
    assert (found.values, found.missing, found.l_histogram) == (3, 1, [(1, 1, 2), (2, 1, 2)])
