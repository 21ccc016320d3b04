"""Sensitive columns, k-map, delta-presence and missing values that match anything: the same on every engine, and what the
slow version computes. Small tables of every kind are tried on the embedded engine in ``tests/unit/test_sensitive.py``."""

from __future__ import annotations

import datetime as dt
import math
import random
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings

import sqlrisk
from tests.engines import contract
from tests.engines.contract import Table
from tests.sensitive_reference import Column, differences, measure
from tests.unit.test_sensitive import GROUPS, KINDS, REGISTER, Situation, check, situations, with_a_register

ENGINES = list(contract.CLASSES)
# GoogleSQL and the emulator take seconds a statement.
SOME_SLOW = [
    pytest.param(name, marks=pytest.mark.slow) if name in {"googlesql", "bigquery"} else name for name in ENGINES
]
OTHERS = [name for name in SOME_SLOW if name != "duckdb"]
SETTINGS = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def load(engine, situation: Situation) -> None:
    for name, kinds, rows in (("release", KINDS, situation.rows), ("register", REGISTER, situation.register)):
        engine.load(Table(name, list(kinds.items()), [tuple(row[column] for column in kinds) for row in rows]))


def outcome(engine, situation: Situation) -> sqlrisk.Assessment | str:
    """The result, or why there is none."""
    load(engine, situation)
    try:
        return sqlrisk.assess(engine.source(), table="release", **situation.options)
    except sqlrisk.MeasurementError as problem:
        return str(problem)


def document(found: sqlrisk.Assessment | str) -> dict | str:
    return found if isinstance(found, str) else contract.comparable(found)


def assert_alike(name: str, situation: Situation) -> None:
    """As the slow version has it, and the document of the embedded engine in everything else."""
    found = outcome(contract.start(name), situation)
    check(found, situation)
    contract.assert_same(document(outcome(contract.start("duckdb"), situation)), document(found))


@pytest.mark.parametrize("name", OTHERS)
@SETTINGS
@given(situation=situations())
def test_sensitive_columns(name, situation):
    assert_alike(name, situation)


@pytest.mark.parametrize("name", OTHERS)
@SETTINGS
@given(situation=with_a_register())
def test_a_register(name, situation):
    assert_alike(name, situation)


def large(seed: int) -> list[dict]:
    """Hundreds of rows, some of them several of a person, with values missing here and there."""
    draw = random.Random(seed)
    return [
        {
            "a": draw.choice(["x", "y", "z", "*", None]),
            "b": draw.choice([1, 2, 3, None]),
            "person_id": draw.randrange(140),
            "diag": draw.choice(["flu", "hiv", "cold", "", None]),
            "paid": int(draw.paretovariate(0.5)) % 300,
            "price": f"{draw.randrange(60) / 4}",
            "stage": draw.choice(["I", "II", "III"]),
            "icd": draw.choice(list(GROUPS)),
        }
        for _ in range(300)
    ]


COLUMNS = {
    "diag": ("diag", Column("diag")),
    "paid": ("paid:numeric", Column("paid", "numeric")),
    "price": ("price:numeric", Column("price", "numeric")),
    "stage": ("stage:ordered=III,I,II", Column("stage", "ordered", ("III", "I", "II"))),
    "icd": ({"icd": {"map": GROUPS}}, Column("icd", "hierarchical", groups=GROUPS)),
}


@pytest.mark.parametrize("name", SOME_SLOW)
@pytest.mark.parametrize("nulls", ["value", "exclude", "wildcard"])
@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("register", [False, True])
def test_hundreds_of_rows(name, nulls, people, register):
    if people and nulls == "wildcard":
        pytest.skip("people are no records")
    rows = large(7)
    options = {
        "quasi_identifiers": ["a", "b"],
        "sensitive": [item for item, _ in COLUMNS.values()],
        "sensitive_nulls": "value",
        "nulls": nulls,
        "suppressed": "*",
        "unparseable": "error",
        "recursive_l": 3,
        "min_l": 4,
        "max_t": 0.25,
        "max_recursive_c": 2,
    }
    if people:
        options["entity_id"] = "person_id"
    more = []
    if register:
        options |= {"population_table": "register", "population_entity_id": "person_id" if people else None}
        more = [{key: row[key] for key in REGISTER} for row in rows + large(8)]
        if people:  # everybody of the release with the same rows, and others
            more = more[:300] + [{**row, "person_id": row["person_id"] + 140} for row in more]
    situation = Situation(rows, [column for _, column in COLUMNS.values()], options, more)
    check(outcome(contract.start(name), situation), situation)


# Values of each kind that are the same, that are neighbours, and that an engine could confuse.
VALUES = {
    "text": ["b", "B", "a", "a ", "é", "Z", "", "N", "10", "9", None],
    "integer": [2**53, 2**53 + 1, -5, 0, 10, 9, None],
    "decimal": [Decimal("1.0"), Decimal("1.00"), Decimal("-0.5"), Decimal("10"), Decimal("9.9999"), None],
    "float": [0.0, -0.0, 1e300, -2.5, 0.1, 0.30000000000000004, 0.3, None],
    "boolean": [True, False, None],
    "date": [dt.date(2024, 2, 29), dt.date(1969, 12, 31), dt.date(2024, 3, 1), None],
    "timestamp": [dt.datetime(2024, 1, 1, 10), dt.datetime(2024, 1, 1, 10, 0, 0, 1), dt.datetime(1969, 1, 1), None],
    "timestamptz": [dt.datetime(2024, 1, 1, tzinfo=dt.UTC), dt.datetime(2023, 12, 31, 23, tzinfo=dt.UTC), None],
}
COMPARED = [
    *((kind, "categorical") for kind in VALUES),
    *((kind, "ordered") for kind in VALUES),
    *((kind, "numeric") for kind in ("integer", "decimal", "float")),
]


@pytest.mark.parametrize("name", SOME_SLOW)
@pytest.mark.parametrize(("kind", "compared"), COMPARED)
@pytest.mark.parametrize("sensitive_nulls", ["value", "ignore"])
def test_values_of_every_kind(name, kind, compared, sensitive_nulls):
    engine = contract.start(name)
    draw = random.Random(5)
    rows = [{"q": draw.choice("xyz"), "p": draw.randrange(9), "s": draw.choice(VALUES[kind])} for _ in range(40)]
    engine.load(Table("release", [("q", "text"), ("p", "integer"), ("s", kind)], [tuple(row.values()) for row in rows]))
    for people in ({}, {"entity_id": "p"}):
        result = sqlrisk.assess(
            engine.source(),
            table="release",
            quasi_identifiers=["q"],
            sensitive=[f"s:{compared}"],
            sensitive_nulls=sensitive_nulls,
            **people,
        )
        expected = measure(
            rows, ["q"], Column("s", compared), sensitive_nulls=sensitive_nulls, entity=people.get("entity_id")
        )
        assert differences(result.sensitive["s"], expected) == {}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("compared", ["categorical", "numeric", "ordered"])
def test_what_is_no_number_is_one_value_and_has_no_place_in_an_order(name, compared):
    if name == "bigquery":
        pytest.skip("the emulator's load jobs take no NaN")
    engine = contract.start(name)
    rows = [("x", math.nan), ("x", math.nan), ("x", 1.0), ("y", math.inf), ("y", -math.inf), ("y", 1.0), ("y", None)]
    engine.load(Table("release", [("q", "text"), ("s", "float")], rows))
    options = {"quasi_identifiers": ["q"], "sensitive": [f"s:{compared}"]}
    expected = measure(
        [{"q": q, "s": s} for q, s in rows], ["q"], Column("s", compared), unparseable="null", limits={"alpha": 0.5}
    )
    if compared != "categorical":
        with pytest.raises(sqlrisk.MeasurementError, match="2 values of the sensitive column `s`"):
            sqlrisk.assess(engine.source(), table="release", **options)
    found = sqlrisk.assess(engine.source(), table="release", unparseable="null", max_alpha=0.5, **options)
    assert differences(found.sensitive["s"], expected) == {}


@pytest.mark.parametrize("name", ENGINES)
def test_numbers_in_texts(name):
    engine = contract.start(name)
    rows = [("x", "1"), ("x", "1.0"), ("x", "10"), ("y", "9"), ("y", "-2.5"), ("y", "10")]
    engine.load(Table("release", [("q", "text"), ("s", "text")], rows))
    expected = measure([{"q": q, "s": s} for q, s in rows], ["q"], Column("s", "numeric"))
    options = {"quasi_identifiers": ["q"], "sensitive": ["s:numeric"]}
    found = sqlrisk.assess(engine.source(), table="release", **options)
    assert differences(found.sensitive["s"], expected) == {}
    engine.load(Table("release", [("q", "text"), ("s", "text")], [*rows, ("y", "n/a")]))
    with pytest.raises(sqlrisk.MeasurementError, match="`s`"):
        sqlrisk.assess(engine.source(), table="release", **options)
    found = sqlrisk.assess(engine.source(), table="release", **options, unparseable="null", sensitive_nulls="ignore")
    assert differences(found.sensitive["s"], expected).keys() == {"missing", "l_histogram"}


@pytest.mark.parametrize("name", SOME_SLOW)
@pytest.mark.parametrize("column", ["select", "value", "qi_1", "missing", "entity", "records", "class", "s_1"])
def test_names_that_mean_something_else(name, column):
    engine = contract.start(name)
    rows = [("x", 1, "flu"), ("x", 2, "hiv"), ("y", 3, "flu")]
    engine.load(Table("release", [("q", "text"), ("source", "integer"), (column, "text")], rows))
    for options in ({}, {"entity_id": "source"}, {"nulls": "wildcard"}):
        found = sqlrisk.assess(engine.source(), table="release", quasi_identifiers=["q"], sensitive=[column], **options)
        assert (found.sensitive[column].l_distinct, found.sensitive[column].values) == (1, 2)


@pytest.mark.parametrize("name", [name for name in ENGINES if contract.CLASSES[name].odd_names])
@pytest.mark.parametrize("column", ['say "so"', "a.b", "a b", "co:lon", "per%cent", "it's", "new\nline"])
def test_odd_names(name, column):
    engine = contract.start(name)
    engine.load(Table("release", [("q", "text"), (column, "text")], [("x", "flu"), ("x", "hiv"), ("y", "flu")]))
    item = '"' + column.replace('"', '""') + '":ordered'
    options = {"quasi_identifiers": ["q"], "sensitive": [item], "min_l": 2}
    found = sqlrisk.assess(engine.source(), table="release", **options)
    assert found.sensitive[column].t_closeness == pytest.approx(1 / 3)
    assert [check.measure for check in found.verdict.checks] == [f"sensitive.{column}.l_distinct"]
    assert found.exit_code == 1


@pytest.mark.parametrize("name", SOME_SLOW)
def test_one_column_for_everything(name):
    """A column can be an attacker's knowledge and nobody's business, and whose row it is as well."""
    engine = contract.start(name)
    engine.load(Table("release", [("q", "text"), ("p", "integer")], [("x", 1), ("x", 2), ("y", 3), (None, 3)]))
    for nulls in ("value", "wildcard"):
        found = sqlrisk.assess(
            engine.source(), table="release", quasi_identifiers=["q"], sensitive=["q", "p:numeric"], nulls=nulls
        )
        rows = [{"q": q, "p": p} for q, p in (("x", 1), ("x", 2), ("y", 3), (None, 3))]
        assert differences(found.sensitive["q"], measure(rows, ["q"], Column("q"), nulls=nulls)) == {}
        assert differences(found.sensitive["p"], measure(rows, ["q"], Column("p", "numeric"), nulls=nulls)) == {}
    found = sqlrisk.assess(engine.source(), table="release", quasi_identifiers=["q"], sensitive=["p"], entity_id="p")
    assert differences(found.sensitive["p"], measure(rows, ["q"], Column("p"), entity="p")) == {}


@pytest.mark.parametrize("name", SOME_SLOW)
@pytest.mark.parametrize(
    "options", [{}, {"entity_id": "p"}, {"nulls": "wildcard"}], ids=["records", "people", "wildcard"]
)
def test_no_row_no_value_and_no_class_leaves(name, options):
    """One statement; its answer grows with the number of different sizes and of different l alone."""
    engine = contract.start(name)
    counts = []
    for n in (60, 600):
        rows = [(f"q{number // 3}", number, f"secret{number % (n // 2)}", number) for number in range(n)]
        engine.load(Table("release", [("q", "text"), ("p", "integer"), ("s", "text"), ("paid", "integer")], rows))
        found = sqlrisk.assess(
            engine.source(),
            table="release",
            quasi_identifiers=["q"],
            sensitive=["s", "paid:numeric"],
            max_t=0.1,
            **options,
        )
        (query,) = [query for query in found.queries if not query.look_up]
        counts.append(query.rows)
        assert "secret" not in found.to_json()
    assert counts[0] == counts[1] < 15


@pytest.mark.parametrize("name", SOME_SLOW)
@pytest.mark.parametrize("nulls", ["value", "wildcard"])
def test_a_release_of_one_record_and_of_one_value(name, nulls):
    engine = contract.start(name)
    for rows in ([("x", 5)], [("x", 5)] * 3, [("x", None)], [("x", 5), ("y", 5)]):
        engine.load(Table("release", [("q", "text"), ("s", "integer")], rows))
        for compared in ("categorical", "numeric", "ordered"):
            found = sqlrisk.assess(
                engine.source(), table="release", quasi_identifiers=["q"], sensitive=[f"s:{compared}"], nulls=nulls
            )
            expected = measure([{"q": q, "s": s} for q, s in rows], ["q"], Column("s", compared), nulls=nulls)
            assert differences(found.sensitive["s"], expected) == {}
            assert (expected.t_closeness, expected.basic_beta, expected.enhanced_beta) == (0, 0, 0)


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "bigquery"])  # whose load jobs take no NaN
@pytest.mark.parametrize("options", [{"entity_id": "p"}, {"nulls": "wildcard"}, {}], ids=["people", "wildcard", "rows"])
def test_what_is_no_number_is_a_value_of_a_quasi_identifier_and_not_missing(name, options):
    engine = contract.start(name)
    rows = [(math.nan, 1, "a"), (math.nan, 2, "b"), (0.0, 3, "a"), (-0.0, 4, "a"), (2.5, 5, "b")]
    engine.load(Table("release", [("q", "float"), ("p", "integer"), ("s", "text")], rows))
    found = sqlrisk.assess(engine.source(), table="release", quasi_identifiers=["q"], sensitive=["s"], **options)
    assert found.release.missing_records == 0
    assert (found.smallest_class, found.sample_uniques.records) == (1, 1)
    assert [(l_distinct, records) for l_distinct, _, records in found.sensitive["s"].l_histogram] == [(1, 3), (2, 2)]
