"""Small values merged by how often the release has them: every engine alike, against a few lines of Python."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from tests.engines import contract
from tests.engines.contract import Table

ENGINES = list(contract.CLASSES)
COLUMNS = [("sex", "text"), ("district", "text"), ("ward", "integer")]
ROWS = [
    ("F", "A", 1),
    ("F", "A", 1),
    ("M", "A", 2),
    ("M", "B", 2),
    ("F", "C", 3),
    ("F", None, None),
    ("M", "*", 1),
]
REGISTER = [("F", "A", 1)] * 5 + [("F", "C", 3)] * 2 + [("F", "D", 9)] + [("M", "B", 2)] * 4
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def loaded(name: str, rows, register=None):
    engine = contract.start(name)
    table = f"districts_{uuid.uuid4().hex[:8]}"
    engine.load(Table(table, COLUMNS, rows))
    if register is not None:
        engine.load(Table(f"{table}_register", COLUMNS, register))
    return engine, table


@pytest.mark.parametrize("name", ENGINES)
class TestEveryEngine:
    def test_by_hand(self, name: str):
        """A has three records, B, C and * have one: the classes are FA 2, MA 1, M rest 2, F rest 1, F missing 1."""
        engine, table = loaded(name, ROWS)
        result = sqlrisk.assess(engine.source(), table=table, quasi_identifiers=["sex", "district:min_count=2"])
        assert dict(result.class_sizes.pairs) == {1: 3, 2: 2}

    def test_the_token_is_missing_before_it_is_counted(self, name: str):
        engine, table = loaded(name, [*ROWS, ("M", "*", 1)])
        asked = {"table": table, "quasi_identifiers": ["district:min_count=2"], "suppressed": "*"}
        result = sqlrisk.assess(engine.source(), **asked)
        assert dict(result.class_sizes.pairs) == {3: 1, 2: 1, 1: 1}  # A; B and C; the missing one
        assert result.release.suppressed_records == 2

    def test_records_are_counted_behind_where(self, name: str):
        engine, table = loaded(name, ROWS)
        asked = {"table": table, "quasi_identifiers": ["district:min_count=3"], "where": "sex = 'F'"}
        result = sqlrisk.assess(engine.source(), **asked)
        assert dict(result.class_sizes.pairs) == {3: 1, 1: 1}

    def test_whole_numbers(self, name: str):
        engine, table = loaded(name, ROWS)
        result = sqlrisk.assess(engine.source(), table=table, quasi_identifiers=["ward:min_count=3"])
        assert dict(result.class_sizes.pairs) == {3: 2, 1: 1}

    def test_a_population_has_its_values_merged_by_the_counts_of_the_release(self, name: str):
        """FA: 2 of 5; F rest, which is C here and C and D there: 1 of 3; MA: 1 of 0; M rest: 2 of 4; F∅: 1 of 0."""
        engine, table = loaded(name, ROWS, REGISTER)
        asked = {"quasi_identifiers": ["sex", "district:min_count=2"], "population_table": f"{table}_register"}
        result = sqlrisk.assess(engine.source(), table=table, **asked)
        assert sorted(result.population.joint_sizes) == [(1, 0, 2), (1, 3, 1), (2, 4, 1), (2, 5, 1)]


def merged(rows, least: int):
    counts = Counter(district for _, district, _ in rows if district is not None)
    for sex, district, _ in rows:
        yield sex, district if district is None or counts[district] >= least else ("rest",)


@SETTINGS
@given(
    rows=st.lists(
        st.tuples(st.sampled_from("FM"), st.sampled_from(["a", "A", "b ", "b", "", None]), st.just(1)), min_size=1
    ),
    least=st.integers(1, 5),
)
def test_against_python(rows, least: int):
    engine, table = loaded("duckdb", rows)
    asked = {"table": table, "quasi_identifiers": ["sex", f"district:min_count={least}"]}
    result = sqlrisk.assess(engine.source(), **asked)
    assert dict(result.class_sizes.pairs) == dict(Counter(Counter(merged(rows, least)).values()))
