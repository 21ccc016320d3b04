"""Every generalisation on DuckDB, over literal values, against answers worked out by hand."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp

import sqlrisk
from sqlrisk.errors import MeasurementError, RequestError
from sqlrisk.generalisations import MapTo, QuasiIdentifier
from sqlrisk.sql.dialect import DIALECTS
from sqlrisk.sql.quasi_identifier import generalise
from sqlrisk.sql.relation import Column, Kind
from tests.generalisation_cases import CASES, Case

DUCKDB = DIALECTS["duckdb"]
KINDS = {"timestamptz": Kind.TIMESTAMP_TZ}


# What is wrong at the moment, by case.


def cases() -> list:
    return [pytest.param(case, id=case.name) for case in CASES]


@pytest.fixture(scope="module")
def connection():
    """The session's own time zone must not matter."""
    with duckdb.connect(":memory:") as opened:
        opened.execute("SET TimeZone = 'America/New_York'")
        yield opened


@pytest.fixture
def plain(connection):
    """The connection without a table ``t``."""
    connection.execute("DROP TABLE IF EXISTS t")
    yield connection
    connection.execute("DROP TABLE IF EXISTS t")


def compile_case(case: Case):
    kind = KINDS.get(case.kind) or Kind[case.kind.upper()]
    return generalise(case.quasi_identifier, Column("x", kind, case.kind), DUCKDB)


def keys(connection, case: Case) -> list[tuple]:
    """(index, key) of each value."""
    key = DUCKDB.write(compile_case(case).key, pretty=False)
    connection.execute(f"SELECT i, {key} FROM ({case.rows_sql('duckdb')}) AS source ORDER BY i")
    return connection.fetchall()


@pytest.mark.parametrize("case", cases())
def test_groups(connection, case):
    key = DUCKDB.write(compile_case(case).key, pretty=False)
    rows = f"SELECT i, {key} AS k FROM ({case.rows_sql('duckdb')}) AS source"
    connection.execute(f"SELECT k IS NULL, LIST(i ORDER BY i) FROM ({rows}) AS keyed GROUP BY k")
    found = connection.fetchall()
    assert sorted(tuple(indices) for absent, indices in found if not absent) == sorted(case.groups)
    without = sorted(index for absent, indices in found if absent for index in indices)
    nulls = [index for index, value in enumerate(case.values) if value is None]
    assert without == sorted([*case.unconverted, *nulls])


@pytest.mark.parametrize("case", cases())
def test_measured(connection, case):
    """The same through the whole of sqlrisk, with what does not convert counted."""
    connection.execute(f"CREATE OR REPLACE TABLE t AS {case.rows_sql('duckdb')}")

    def measure(unparseable: str):
        return sqlrisk.assess(connection, table="t", quasi_identifiers=[case.quasi_identifier], unparseable=unparseable)

    if case.unconverted:
        with pytest.raises(MeasurementError, match=f"^{len(case.unconverted)} values? of `x`"):
            measure("error")
        if case.mapping is not None:
            with pytest.raises(MeasurementError, match="not in its map"):
                measure("null")
            return
    result = measure("null" if case.unconverted else "error")
    assert dict(result.class_sizes.pairs) == case.sizes
    assert result.release.unparseable.get("x", 0) == len(case.unconverted)
    assert result.release.missing_records == len(case.unconverted) + case.values.count(None)


def test_keys_are_what_the_docs_say(plain):
    """A band's key is its lower bound, an interval's its number, a weekday's 1 for Monday to 7 for Sunday."""

    def key_of(kind: str, spec: str, *values: str) -> list:
        return [key for _, key in keys(plain, Case("x", kind, spec, values, (tuple(range(len(values))),)))]

    assert key_of("integer", "band=5", "-6", "-5", "4", "5") == [-10, -5, 0, 5]
    assert key_of("float", "band=0.5", "-0.25", "0.75") == [-0.5, 0.5]
    assert key_of("text", "band=5", "-0.1", "9.9") == [-5, 5]
    assert key_of("integer", "cut=0,10", "-1", "0", "10") == [0, 1, 2]
    assert key_of("date", "weekday", "2024-01-01", "2024-01-07") == [1, 7]
    assert [str(day) for day in key_of("date", "truncate=week", "2024-01-07")] == ["2024-01-01"]
    assert [str(day) for day in key_of("text", "truncate=quarter", "2024-06-30T10:00Z")] == ["2024-04-01"]
    assert key_of("time", "time=minute", "10:15:30") == [615]
    assert key_of("text", "time=minute", "10:15:30") == [615]
    assert key_of("text", "prefix=2", "日本語") == ["日本"]
    assert key_of("integer", "round=-1", "15", "-15") == [20, -20]


def test_text_and_number_agree(plain):
    """The same numbers, as text and as decimals, fall into the same bands, intervals and roundings."""
    values = ("-5", "-0.5", "0", "0.57", "4.999", "5", "17.5", "1000")
    for spec in ("band=5", "band=0.01", "band=2.5", "cut=0,0.57,5", "round=1", "round=-1"):
        as_text, as_decimal = (
            keys(plain, Case("x", kind, spec, values, (tuple(range(8)),))) for kind in ("text", "decimal")
        )
        assert as_text == as_decimal, spec


REFUSED = [
    ("float", "min_count=3", "min_count needs text or whole numbers"),
    ("date", "band=5", "band needs numbers.*truncate="),
    ("boolean", "band=5", "band needs numbers"),
    ("timestamp", "cut=1", "cut needs numbers"),
    ("date", "round=1", "round needs numbers"),
    ("date", "prefix=3", "prefix needs text.*truncate="),
    ("float", "prefix=3", "prefix needs text.*band="),
    ("decimal", "prefix=3", "prefix needs text"),
    ("integer", "truncate=month", "truncate needs dates"),
    ("time", "truncate=month", "truncate needs dates"),
    ("date", "truncate=hour", "truncate=hour needs a time stamp"),
    ("time", "truncate=hour", "truncate=hour needs a time stamp"),
    ("date", "time=hour", "time needs a time"),
    ("integer", "time=hour", "time needs a time"),
    ("integer", "weekday", "weekday needs dates"),
    ("date", "truncate=month@Europe/Berlin", "no time zone to convert from"),
    ("text", "truncate=month@Europe/Berlin", "no time zone to convert from"),
    ("timestamp", "time=hour@Europe/Berlin", "no time zone to convert from"),
    ("date", "weekday@Europe/Berlin", "no time zone to convert from"),
    ("integer", "normalise=trim", "normalise needs text"),
]


@pytest.mark.parametrize(("kind", "spec", "said"), REFUSED)
def test_kinds_that_do_not_fit_are_refused(plain, kind, spec, said):
    value = {"boolean": "true", "date": "2024-01-01", "timestamp": "2024-01-01", "time": "10:00"}.get(kind, "1")
    plain.execute(f"CREATE TABLE t AS {Case('x', kind, '', (value,), ((0,),)).rows_sql('duckdb')}")
    with pytest.raises(RequestError, match=said):
        sqlrisk.assess(plain, table="t", quasi_identifiers=[f"x:{spec}"])


@pytest.mark.parametrize("kind", ["float", "decimal"])
def test_map_needs_text_or_whole_numbers(plain, kind):
    plain.execute(f"CREATE TABLE t AS {Case('x', kind, '', ('1',), ((0,),)).rows_sql('duckdb')}")
    with pytest.raises(RequestError, match="map needs text"):
        sqlrisk.assess(plain, table="t", quasi_identifiers=[sqlrisk.mapped("x", {"1": "a"})])


@pytest.mark.parametrize("type_", ["JSON", "INTEGER[]", "STRUCT(a INTEGER)", "MAP(VARCHAR, INTEGER)", "INTEGER[3]"])
def test_columns_that_cannot_be_grouped_are_refused(plain, type_):
    plain.execute(f"CREATE TABLE t (x {type_})")
    with pytest.raises(RequestError, match="cannot be grouped"):
        sqlrisk.assess(plain, table="t", quasi_identifiers=["x"])


def test_other_types_are_grouped(plain):
    plain.execute(
        "CREATE TABLE t AS SELECT CAST('00000000-0000-0000-0000-000000000001' AS UUID) AS u, "
        "CAST('a' AS ENUM('a', 'b')) AS e, CAST('x' AS BLOB) AS b FROM range(3)"
    )
    result = sqlrisk.assess(plain, table="t", quasi_identifiers=["u:prefix=4", sqlrisk.mapped("e", {"a": "x"}), "b"])
    assert result.class_sizes.pairs == ((3, 1),)


@pytest.mark.parametrize(
    ("spec", "sizes"), [("x:band=5", {2: 1, 3: 1}), ("x", {1: 3, 2: 1}), ("x:prefix=1", {2: 1, 3: 1})]
)
def test_suppressed_token_is_missing_before_generalisation(plain, spec, sizes):
    """One column: a suppressed value is a suppressed record."""
    plain.execute("CREATE TABLE t AS SELECT UNNEST(['10', '11', '20', '20', '21', '*', '*', '*']) AS x")
    result = sqlrisk.assess(plain, table="t", quasi_identifiers=[spec], suppressed="*")
    assert dict(result.class_sizes.pairs) == sizes
    assert (result.release.suppressed_records, result.release.unparseable.get("x", 0)) == (3, 0)


def test_suppressed_in_part_counts_as_missing(plain):
    plain.execute("CREATE TABLE t AS SELECT UNNEST(['10', '*', '*', '* ']) AS x, UNNEST(['a', 'a', 'a', 'a']) AS y")
    result = sqlrisk.assess(plain, table="t", quasi_identifiers=["x", "y"], suppressed="*")
    assert result.class_sizes.pairs == ((1, 2), (2, 1))
    assert (result.release.suppressed_records, result.release.missing_records) == (0, 2)


def test_floating_point_columns_are_warned_of(plain):
    plain.execute("CREATE TABLE t AS SELECT CAST(1.5 AS DOUBLE) AS x, 1 AS n")
    assert any("floating-point" in text for text in sqlrisk.assess(plain, table="t", quasi_identifiers=["x"]).warnings)
    assert not sqlrisk.assess(plain, table="t", quasi_identifiers=["x:band=1"]).warnings
    assert any(
        "leading zeros" in text for text in sqlrisk.assess(plain, table="t", quasi_identifiers=["n:prefix=1"]).warnings
    )


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "bigquery", "spark"])
def test_every_case_can_be_written(dialect):
    """Each generalisation is SQL of each dialect that it parses again, and names nothing but its column."""
    import sqlglot

    for case in CASES:
        kind = KINDS.get(case.kind) or Kind[case.kind.upper()]
        if dialect == "spark" and "nfc" in case.spec:
            continue
        item = generalise(case.quasi_identifier, Column("x", kind, case.kind), DIALECTS[dialect])
        tree = sqlglot.parse_one(f"SELECT {DIALECTS[dialect].write(item.key)} FROM source", read=dialect)
        assert {column.name for column in tree.find_all(exp.Column)} == {"x"}, case.name


def test_map_is_text_and_nothing_else(plain):
    """Groups and values that look like SQL stay text."""
    nasty = "x' OR '1'='1"
    plain.execute("CREATE TABLE t AS SELECT UNNEST([?, 'other']) AS x", [nasty])
    result = sqlrisk.assess(
        plain, table="t", quasi_identifiers=[QuasiIdentifier("x", MapTo(((nasty, "'); --"),), "rest"))]
    )
    assert result.class_sizes.pairs == ((1, 2),)


@pytest.mark.parametrize(
    ("spec", "below", "from_"),
    [("band=5", "4.9999999999", "5"), ("cut=18", "17.9999999999", "18"), ("band=5", "-0.0000000001", "0")],
)
def test_text_of_many_decimals_stays_below_its_bound(plain, spec, below, from_):
    plain.execute("CREATE TABLE t AS SELECT UNNEST([?, ?]) AS x", [below, from_])
    assert sqlrisk.assess(plain, table="t", quasi_identifiers=[f"x:{spec}"]).class_sizes.pairs == ((1, 2),)


def test_band_of_small_integers(plain):
    plain.execute("CREATE TABLE t AS SELECT UNNEST([-128, -127, 127])::TINYINT AS x")
    assert sqlrisk.assess(plain, table="t", quasi_identifiers=["x:band=5"]).class_sizes.pairs == ((1, 1), (2, 1))


def test_infinities_are_cut_alike(plain):
    plain.execute("CREATE TABLE t AS SELECT UNNEST(['Infinity', '-Infinity', '1'])::DOUBLE AS x")
    result = sqlrisk.assess(plain, table="t", quasi_identifiers=["x:cut=0"], unparseable="null")
    assert result.release.unparseable["x"] in {0, 2}


@pytest.mark.parametrize(("lone", "spec"), [("NULL", "x"), ("'?'", "x:band=5")])
def test_only_suppressed_records_count_as_suppressed(plain, lone, spec):
    """A record that is missing, or did not convert, is still in the release: one of its kind."""
    plain.execute(f"CREATE TABLE t AS SELECT UNNEST(['*', {lone}, '1', '1']) AS x")
    result = sqlrisk.assess(plain, table="t", quasi_identifiers=[spec], suppressed="*", unparseable="null")
    assert result.release.suppressed_records == 1
    assert result.class_sizes.pairs == ((1, 1), (2, 1))
