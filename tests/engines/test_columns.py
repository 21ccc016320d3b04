"""Single columns: figures against their definitions on every engine, shapes, hints, and the HIPAA column check."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.hints import SHAPES
from tests.engines import contract
from tests.engines.contract import Table, assert_same, comparable

ENGINES = list(contract.CLASSES)
COLUMNS = [
    ("contact", "text"),
    ("age", "integer"),
    ("born", "date"),
    ("zip", "text"),
    ("score", "float"),
    ("same", "text"),
]
ROWS = [
    ("a@b.org", 93, dt.date(1931, 2, 3), "03601", 0.5, "x"),
    ("c.d@post.example", 40, dt.date(1984, 2, 3), "03602", 1.5, "x"),
    ("+49 170 1234567", 41, dt.date(1984, 2, 3), "02139", None, "x"),
    ("none", None, None, "02139-1234", 1.5, "x"),
    (None, 41, dt.date(1990, 12, 31), None, 2.5, "x"),
]
VALUES = [
    "a@b.org",
    "a@b",
    "+49 170 1234567",
    "0049 170 1234567",
    "(030) 123 4567",
    "030/1234567",
    "2024-01-31",
    "2024-01-31 09:30:15",
    "31.01.2024",
    "3/31/25",
    "192.168.0.1",
    "2001:db8::ff00:42:8329",
    "09:30:15",
    "02139",
    "02139-1234",
    "SW1A 1AA",
    "1012 AB",
    "00-950",
    "https://a.example/x",
    "www.a.example",
    "12345678",
    "E11.9",
    "",
    "*",
    "name",
]
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def loaded(name: str, columns, rows):
    engine = contract.start(name)
    table = f"columns_{uuid.uuid4().hex[:8]}"
    engine.load(Table(table, columns, rows))
    return engine, table


def document(name: str, columns, rows, **options) -> dict:
    engine, table = loaded(name, columns, rows)
    found = comparable(sqlrisk.columns(engine.source(), table=table, **options))
    found["release"]["table"] = found["policy"] = ""
    for column in found["columns"]:
        del column["type"]  # each engine has names of its own
    return found


def figures(values: list) -> dict:
    n, counts = len(values), Counter(values)
    return {
        "records": n,
        "missing": values.count(None),
        "distinct": len(set(values) - {None}),
        "distinction": len(counts) / n,
        "separation": 1 - sum(c * (c - 1) for c in counts.values()) / (n * (n - 1)) if n > 1 else None,
        "unique_records": sum(c == 1 for c in counts.values()),
        "largest_share": max(counts.values()) / n,
    }


@pytest.mark.parametrize("name", ENGINES)
class TestEveryEngine:
    def test_by_definition(self, name: str):
        found = document(name, COLUMNS, ROWS)
        assert [column["column"] for column in found["columns"]] == [column for column, _ in COLUMNS]
        for at, column in enumerate(found["columns"]):
            expected = figures([row[at] for row in ROWS])
            assert_same({key: column[key] for key in expected}, expected)
        assert found["columns"][0]["shapes"]["email"] == 0.5
        assert found["columns"][0]["shapes"]["phone"] == 0.25
        assert found["columns"][3]["shapes"]["postcode"] == 1
        hints = {column["column"]: (column["hint"] or {}).get("kind") for column in found["columns"]}
        assert hints["contact"] == "direct identifier" and hints["same"] == "constant" and hints["score"] is None

    def test_shapes_are_those_of_python(self, name: str):
        """One regular expression means the same to all of them."""
        found = document(name, [("text", "text")], [(value,) for value in VALUES])
        for shape, pattern in SHAPES.items():
            matching = sum(bool(re.search(pattern, value)) for value in VALUES)
            assert found["columns"][0]["shapes"][shape] == pytest.approx(matching / len(VALUES)), shape

    def test_the_same_document(self, name: str, tmp_path):
        areas = tmp_path / "areas.csv"
        areas.write_text("zip3,people\n036,15000\n021,900000\n")
        options = {
            "safe_harbor": True,
            "zip3": str(areas),
            "quasi_identifiers": ["contact", "age", "born", "zip:prefix=3"],
        }
        assert_same(document("duckdb", COLUMNS, ROWS, **options), document(name, COLUMNS, ROWS, **options))


def findings(rows=ROWS, **options) -> dict[str, tuple[str, str]]:
    found = document("duckdb", COLUMNS, rows, safe_harbor=True, **options)["safe_harbor"]
    assert found["is_a_risk_measure"] is False
    return {item["identifier"]: (item["status"], item["reason"]) for item in found["findings"]}


class TestSafeHarbor:
    def test_as_it_is(self):
        found = findings()
        assert found["ages over 89"] == (
            "found",
            "1 record with an age over 90: they may only stand together, as 90 or older",
        )
        assert found["dates"][0] == found["ZIP codes"][0] == "found"
        assert len(found) == 20  # the 18, and lines of their own for ZIP codes (geography) and ages over 89 (dates)

    def test_three_digits_are_not_judged_without_the_people_of_the_areas(self):
        found = findings(quasi_identifiers=["zip:prefix=3", "born:truncate=year", "age:cut=20,60,90"])
        assert found["ZIP codes"][0] == "not checked" and "--zip3" in found["ZIP codes"][1]
        assert found["dates"][0] == "not found"
        assert found["ages over 89"][0] == "not found"

    @pytest.mark.parametrize(
        ("areas", "status", "said"),
        [
            ("036,20000\n021,900000\n", "found", "2 records in areas of 20,000 people or fewer"),
            ("036,20001\n021,900000\n", "not found", "more than 20,000 people each"),
            ("021,900000\n", "not checked", "2 records in areas that the file of --zip3 lacks"),
        ],
    )
    def test_small_areas(self, tmp_path, areas: str, status: str, said: str):
        path = tmp_path / "areas.csv"
        path.write_text("zip3,people\n" + areas)
        found = findings(quasi_identifiers=["zip:prefix=3"], zip3=str(path))["ZIP codes"]
        assert found[0] == status and said in found[1]

    def test_a_group_that_begins_late(self):
        assert findings(quasi_identifiers=["age:cut=50,95"])["ages over 89"] == ("found", "a group begins after 90")


@SETTINGS
@given(rows=st.lists(st.tuples(st.sampled_from(["a", "A", "", "*", None]), st.sampled_from([1, 2, None])), min_size=1))
def test_against_definitions(rows):
    found = document("duckdb", [("t", "text"), ("i", "integer")], rows)
    for at, column in enumerate(found["columns"]):
        expected = figures([row[at] for row in rows])
        assert_same({key: column[key] for key in expected}, expected)


def test_what_cannot_be_grouped_is_listed_with_the_reason():
    engine = contract.start("duckdb")
    engine.connection.execute("CREATE OR REPLACE TABLE nested AS SELECT 1 AS one, [1, 2] AS list")
    result = sqlrisk.columns(engine.connection, table="nested")
    (refused,) = [column for column in result.columns if column.column == "list"]
    assert refused.records is None and "cannot be grouped" in refused.reason
