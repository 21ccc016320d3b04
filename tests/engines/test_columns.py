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
    " a@b.org ",
    "2024-01-31 09:30\nlate",
    "a\nb@c.org",
    "617-555-0101",
    "01 23 45 67 89",
    "12.345",
    "2019-2020",
    "0012345678",
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
LAST_YEAR = dt.datetime.now(dt.UTC).year - 90  # who was born in it can be 90
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
            matching = sum(bool(re.search(pattern.replace("$", r"\Z"), value.strip(" "))) for value in VALUES)
            assert found["columns"][0]["shapes"][shape] == pytest.approx(matching / len(VALUES)), shape

    def test_toy_of_five_records(self, name: str):
        """Section E of the formulas: distinction and separation of age, sex and state."""
        rows = [(20, "f", "CA"), (30, "f", "CA"), (40, "f", "TX"), (20, "m", "NY"), (40, "m", "CA")]
        found = document(name, [("age", "integer"), ("sex", "text"), ("state", "text")], rows)["columns"]
        assert [(item["distinction"], item["separation"]) for item in found] == [
            (pytest.approx(0.6), pytest.approx(0.8)),
            (pytest.approx(0.4), pytest.approx(0.6)),
            (pytest.approx(0.6), pytest.approx(0.7)),
        ]

    def test_the_check_is_the_same(self, name: str, tmp_path):
        """Of every kind of column, and of values that only some engines would read."""
        areas = tmp_path / "areas.csv"
        areas.write_text("zip3,people\n036,15000\n021,900000\n")
        columns = [
            ("zip", "integer"),
            ("birth_date", "text"),
            ("born", "timestamptz"),
            ("admitted", "timestamp"),
            ("birth_year", "decimal"),
            ("age", "float"),
            ("remark", "text"),
        ]
        early, late = dt.datetime(1931, 2, 3, 4), dt.datetime(1999, 1, 1, 23)
        rows = [
            (36, "1931-02-03", early.replace(tzinfo=dt.UTC), early, 1931, 93.0, "a b c d e"),
            (21, "3/2/1931", late.replace(tzinfo=dt.UTC), late, 1999, 90.0, "02139"),
            (None, "1931\n", None, None, None, None, " 617 555 0101 "),
            (21, " ", None, late, 1931, 12.5, None),
        ]
        options = {"safe_harbor": True, "zip3": str(areas)}
        found = document(name, columns, rows, **options)
        assert_same(document("duckdb", columns, rows, **options), found)
        statuses = {item["identifier"]: item["status"] for item in found["safe_harbor"]["findings"]}
        assert statuses["ZIP codes"] == statuses["dates"] == statuses["ages over 89"] == "found"

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


def one_column(column: str, kind: str, *values: object, **options) -> dict[str, tuple[str, str]]:
    found = document("duckdb", [(column, kind)], [(value,) for value in values], safe_harbor=True, **options)
    return {item["identifier"]: (item["status"], item["reason"]) for item in found["safe_harbor"]["findings"]}


class TestSafeHarbor:
    def test_as_it_is(self):
        found = findings()
        assert found["ages over 89"] == (
            "found",
            "`age`: 1 record with an age over 90: they may only stand together, as 90 or older; `born`: 1 record with a year "
            f"up to {LAST_YEAR}, which gives an age over 89 if it is that of birth",
        )
        assert found["dates"][0] == found["ZIP codes"][0] == "found"
        assert found["email addresses"] == ("found", "2 values shaped like them")
        assert found["telephone numbers"] == ("found", "1 value shaped like them")
        # The 18 (all elements of dates and ages being one, geography too, ZIP codes among it), and what is not read.
        assert len(found) == 21

    def test_three_digits_are_not_judged_without_the_people_of_the_areas(self):
        found = findings(quasi_identifiers=["zip:prefix=3", "born:truncate=year", "age:cut=20,60,90"])
        assert found["ZIP codes"][0] == "not checked" and "--zip3" in found["ZIP codes"][1]
        assert found["dates"][0] == "not found"
        assert found["ages over 89"][0] == "found"  # by the year of birth
        assert findings(quasi_identifiers=["age:cut=20,60,90"])["ages over 89"][0] == "not found"

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

    @pytest.mark.parametrize(("kind", "values"), [("text", ["021**", "000"]), ("integer", [21, 0])])
    def test_areas_however_they_are_written(self, tmp_path, kind: str, values: list):
        path = tmp_path / "areas.csv"
        path.write_text("zip3,people\n021,20001\n")
        assert one_column("zip", kind, *values, zip3=str(path))["ZIP codes"][0] == "not found"
        path.write_text("zip3,people\n021,20000\n")
        assert one_column("zip", kind, *values, zip3=str(path))["ZIP codes"][0] == "found"
        assert one_column("zip", "integer", 2139, zip3=str(path))["ZIP codes"][0] == "found"

    def test_postcodes_under_another_name(self):
        assert one_column("x", "text", "02139", "02140")["ZIP codes"][0] == "found"

    def test_groups_of_ages(self):
        assert findings(quasi_identifiers=["age:cut=50,95"])["ages over 89"] == ("found", "a group begins after 90")
        assert findings(quasi_identifiers=["age:band=5"])["ages over 89"][0] == "not found"  # 93 is 90 to 94, the last
        assert one_column("age", "integer", 95, quasi_identifiers=["age:band=5"])["ages over 89"][0] == "found"
        assert one_column("age", "text", "90")["ages over 89"][0] == "not found"
        assert one_column("age", "text", "91", "20")["ages over 89"][0] == "found"
        assert one_column("age", "text", "90-94", "20")["ages over 89"][0] == "not checked"

    @pytest.mark.parametrize(
        ("kind", "value", "ages", "dates"),
        [
            ("integer", LAST_YEAR, "found", "not found"),
            ("integer", LAST_YEAR + 1, "not found", "not found"),
            ("integer", LAST_YEAR * 10_000 + 1231, "found", "found"),
            ("integer", 19900101, "not found", "found"),
            ("text", f"{LAST_YEAR}", "found", "not found"),
            ("text", f"{LAST_YEAR + 1}", "not found", "not found"),
            ("text", f"{LAST_YEAR}-12-31", "found", "found"),
            ("text", f"31.12.{LAST_YEAR}", "found", "found"),
            ("text", "1990-05", "not found", "found"),
            ("text", "3 Jan 1930", "not checked", "not checked"),
            ("date", dt.date(LAST_YEAR, 12, 31), "found", "found"),
            ("date", dt.date(LAST_YEAR + 1, 1, 1), "not found", "found"),
            ("timestamptz", dt.datetime(LAST_YEAR, 12, 31, 23, tzinfo=dt.UTC), "found", "found"),
        ],
    )
    def test_dates_of_birth(self, kind: str, value: object, ages: str, dates: str):
        found = one_column("date_of_birth", kind, value)
        assert (found["ages over 89"][0], found["dates"][0]) == (ages, dates)

    def test_groups_of_years_of_birth(self):
        cut = f"born:cut={LAST_YEAR + 1},1980"
        assert one_column("born", "integer", 1930, quasi_identifiers=[cut])["ages over 89"][0] == "not found"
        found = one_column("born", "integer", 1930, quasi_identifiers=[f"born:cut=1920,{LAST_YEAR + 1}"])
        assert found["ages over 89"][0] == "found"

    def test_what_is_not_read_is_said(self):
        found = one_column("remark", "text", "seen", "Mrs Smith came by today, again")
        assert found["values that are not read"] == ("not checked", "1 value of five words or more")
        engine = contract.start("duckdb")
        engine.connection.execute(
            "CREATE OR REPLACE TABLE nested AS SELECT 1 AS one, [1, 2] AS list, 'a'::BLOB AS picture"
        )
        result = sqlrisk.columns(engine.connection, table="nested", safe_harbor=True)
        assert result.safe_harbor.findings[-1].columns == ["picture", "list"]
        assert [item.columns for item in result.safe_harbor.findings if item.status == "found"] == [["picture"]]


def test_values_that_do_not_convert():
    columns, rows = [("age", "text")], [("40",), ("old",), ("41",), (None,)]
    with pytest.raises(sqlrisk.MeasurementError, match="1 value of `age` in the release not convertible for band=5"):
        document("duckdb", columns, rows, quasi_identifiers=["age:band=5"])
    found = document("duckdb", columns, rows, quasi_identifiers=["age:band=5"], unparseable="null")
    assert found["release"]["unparseable"] == {"age": 1}
    assert "counted as missing" in found["warnings"][0]
    assert (found["columns"][0]["missing"], found["columns"][0]["distinct"]) == (2, 1)


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
