"""Subsets of the quasi-identifiers and minimal sample uniques: against their definitions, and every engine alike."""

from __future__ import annotations

import uuid
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.assessment import sweep as procedure
from tests.engines import contract
from tests.engines.contract import Table, assert_same, comparable
from tests.knowledge_reference import ihsn_score, minimal_uniques, subset_figures, suda_score

ENGINES = list(contract.CLASSES)
COLUMNS = [("a", "text"), ("b", "integer"), ("c", "text"), ("d", "float")]
NAMES = [name for name, _ in COLUMNS]
ROWS = [
    ("x", 1, "p", 0.5),
    ("x", 1, "q", 0.5),
    ("y", 2, "p", None),
    ("y", None, "p", 1.5),
    ("y", None, None, 1.5),
    ("z", 2, "q", 0.5),
    (None, 1, "q", 0.5),
    (None, 1, "q", 0.5),
    ("x", 1, "p", 0.5),
]
ROW = st.tuples(
    st.sampled_from(["x", "y", "Y", None]),
    st.sampled_from([1, 2, None]),
    st.sampled_from(["p", "q", ""]),
    st.sampled_from([0.5, 1.5, None]),
)
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def swept(name: str, rows, **options):
    engine = contract.start(name)
    table = f"swept_{uuid.uuid4().hex[:8]}"
    engine.load(Table(table, COLUMNS, rows))
    result = sqlrisk.sweep(engine.source(), table=table, quasi_identifiers=NAMES, minimal_uniques=True, **options)
    document = comparable(result)
    document["release"]["table"] = document["policy"] = ""  # the table has a name of its own each time
    document["warnings"] = [text for text in document["warnings"] if "one snapshot" not in text]
    return result, document


def check(result, rows, smaller_than: int, most: int = 4) -> None:
    """Every figure, by its definition."""
    subsets = [subset for size in range(1, most + 1) for subset in combinations(range(4), size)]
    assert [item.columns for item in result.subsets] == [[NAMES[at] for at in subset] for subset in subsets]
    for item, subset in zip(result.subsets, subsets, strict=True):
        found = {key: value for key, value in item.model_dump().items() if key != "columns"}
        assert_same(found, subset_figures(rows, subset, smaller_than))
    found, own = result.minimal_uniques, minimal_uniques(rows, most)
    assert found.records == sum(bool(subsets) for subsets in own)
    on = Counter(tuple(NAMES[at] for at in subset) for subsets in own for subset in subsets)
    assert {tuple(item.columns): item.minimal_uniques for item in found.subsets} == dict(on)
    for scheme, score in (("suda", suda_score), ("ihsn", ihsn_score)):
        scores = Counter(round(score(subsets, 4), 9) for subsets in own if subsets)
        assert {round(value, 9): records for value, records in getattr(found, scheme).histogram} == dict(scores)


@pytest.mark.parametrize("name", ENGINES)
class TestEveryEngine:
    def test_by_definition(self, name: str):
        result, _ = swept(name, ROWS)
        check(result, ROWS, 5)

    def test_the_same_document(self, name: str):
        options = {"population_size": 90, "threshold": "1/3", "nulls": "exclude"}
        _, one = swept("duckdb", ROWS, **options)
        _, other = swept(name, ROWS, **options)
        assert_same(one, other)


@SETTINGS
@given(rows=st.lists(ROW, min_size=1, max_size=14), k=st.integers(2, 4), most=st.integers(1, 4))
def test_against_definitions(rows, k: int, most: int):
    result, _ = swept("duckdb", rows, threshold=f"k={k}", max_known=most)
    check(result, rows, k, most)


@SETTINGS
@given(rows=st.lists(ROW, min_size=1, max_size=14))
def test_excluded_records_are_in_no_subset(rows):
    whole = [row for row in rows if None not in row]
    if whole:
        result, _ = swept("duckdb", rows, nulls="exclude")
        check(result, whole, 5)


@pytest.mark.slow
@SETTINGS
@given(rows=st.lists(ROW, min_size=1, max_size=30), most_rows=st.integers(1, 40))
def test_small_batches_give_the_same(rows, most_rows: int):
    _, one = swept("duckdb", rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(procedure, "_MOST_ROWS", most_rows)
        _, other = swept("duckdb", rows)
    assert other["sweep"].pop("statements") >= one["sweep"].pop("statements")
    assert_same(one, other)


def test_suppressed_records_are_in_no_subset():
    rows = [("x", 1, "p", 0.5), ("*", None, "*", None), ("x", 2, "p", 0.5)]
    result, _ = swept("duckdb", rows, suppressed="*")
    check(result, [("x", 1, "p", 0.5), ("x", 2, "p", 0.5)], 5)
