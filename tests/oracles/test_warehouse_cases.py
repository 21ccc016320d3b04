"""Situations from public bug reports: the answers that are right, on every engine that starts here.

The set-ups come from ``warehouse_cases.json``; what is expected is written out below, case by case.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import sqlrisk
from sqlrisk.errors import MeasurementError

Starter = Callable[[str], Any]


@contextmanager
def duckdb_with(setup: str) -> Iterator[Any]:
    """A DuckDB connection after ``setup``."""
    import duckdb

    connection = duckdb.connect(":memory:")
    try:
        connection.execute(setup)
        yield connection
    finally:
        connection.close()


class _Postgres:
    """One server for the session, one schema a set-up."""

    server: Any = None

    @classmethod
    @contextmanager
    def with_(cls, setup: str) -> Iterator[str]:
        """The URL of a PostgreSQL whose schema holds ``setup`` alone."""
        import sqlalchemy

        url = cls.url()
        engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.pool.NullPool)
        with engine.begin() as connection:
            connection.exec_driver_sql("drop schema if exists sqlrisk_cases cascade")
            connection.exec_driver_sql("create schema sqlrisk_cases")
            connection.exec_driver_sql("set local search_path to sqlrisk_cases")
            connection.exec_driver_sql(setup.replace(" double)", " double precision)"))
        try:
            yield url.update_query_dict({"options": "-csearch_path=sqlrisk_cases"}).render_as_string(
                hide_password=False
            )
        finally:
            with engine.begin() as connection:
                connection.exec_driver_sql("drop schema if exists sqlrisk_cases cascade")
            engine.dispose()

    @classmethod
    def url(cls):
        """The server's URL; skips (or fails under ``SQLRISK_REQUIRE_ENGINES``) where none starts."""
        import sqlalchemy

        from tests.engines.starters import EngineMissing, is_required

        if cls.server is None:
            starter = importlib.import_module("tests.engines.starters.postgres")
            try:
                cls.server = starter.start()
            except EngineMissing as missing:
                if is_required("postgres"):
                    raise
                pytest.skip(f"PostgreSQL: {missing.reason}")
        return sqlalchemy.make_url(cls.server.url).set(drivername="postgresql+psycopg")


def engines() -> list[tuple[str, Starter]]:
    """(name, context manager that runs a set-up and gives a SOURCE) of each engine that this checkout can start."""
    found: list[tuple[str, Starter]] = [("duckdb", duckdb_with)]
    if importlib.util.find_spec("tests.engines.starters.postgres"):
        found.append(("postgres", _Postgres.with_))
    return found


@pytest.fixture(scope="module", autouse=True)
def _stop_server():
    yield
    if _Postgres.server is not None:
        _Postgres.server.stop()
        _Postgres.server = None


@pytest.fixture(params=engines(), ids=lambda engine: engine[0])
def assess(request, oracles):
    """Assess the table ``t`` of a case."""
    cases = {case["id"]: case for case in oracles.load("warehouse_cases.json")}
    run_setup = request.param[1]

    def run(case: str, *quasi_identifiers: str, **options):
        if case not in cases:
            pytest.skip(f"warehouse_cases.json has no case {case}")
        with run_setup(cases[case]["setup"]) as source:
            return sqlrisk.assess(source, table="t", quasi_identifiers=list(quasi_identifiers), **options)

    return run


def test_null_qi_is_a_value(assess):
    result = assess("null_qi", "age", "sex")
    assert result.class_sizes.pairs == ((1, 1), (2, 2))
    assert (result.release.records, result.classes, result.smallest_class) == (5, 3, 1)
    assert (result.release.nulls, result.release.missing_records, result.release.excluded_records) == ("value", 3, 0)


def test_null_qi_excluded_is_reported(assess):
    result = assess("null_qi", "age", "sex", nulls="exclude")
    assert result.class_sizes.pairs == ((2, 1),)
    assert (result.release.records, result.smallest_class) == (2, 2)
    assert (result.release.nulls, result.release.excluded_records, result.release.excluded_share) == ("exclude", 3, 0.6)


def test_null_qi_excluded_blocks_a_pass(assess):
    blocked = assess("null_qi", "age", "sex", nulls="exclude", min_k=2)
    assert blocked.verdict.passed is False
    (failed,) = [check for check in blocked.verdict.checks if not check.passed]
    assert (failed.measure, failed.value) == ("release.excluded_share", 0.6)
    assert assess("null_qi", "age", "sex", nulls="exclude", min_k=2, max_excluded="0.6").verdict.passed is True


def test_suppressed_rows_left_out(assess):
    result = assess("suppressed_rows", "a", "g", "z", suppressed="*")
    assert result.class_sizes.pairs == ((2, 3),)
    assert (result.smallest_class, result.release.records, result.release.suppressed_records) == (2, 6, 1)
    assert result.release.suppressed == "*"


def test_suppressed_rows_taken_literally(assess):
    result = assess("suppressed_rows", "a", "g", "z")
    assert result.class_sizes.pairs == ((1, 1), (2, 3))
    assert (result.smallest_class, result.release.records, result.release.suppressed_records) == (1, 7, 0)


def test_violations_count_records_and_classes(assess):
    result = assess("violations_count", "q", threshold="k=3")
    assert (result.prosecutor.records_at_risk, result.prosecutor.classes_at_risk) == (5, 3)
    assert result.prosecutor.classes_smaller_than == 3
    assert result.prosecutor.share_at_risk == pytest.approx(5 / 12, rel=1e-12)


def test_float_nan_zero(assess):
    result = assess("float_nan_zero", "x")
    assert result.class_sizes.pairs == ((1, 1), (2, 3))
    assert (result.smallest_class, result.release.records, result.release.missing_records) == (1, 7, 2)
    assert result.release.unparseable == {}


def test_count_distinct_tuple(assess):
    result = assess("count_distinct_tuple", "id", "name")
    assert result.class_sizes.pairs == ((1, 1), (2, 1))
    assert result.classes == 2


def test_ident_quoting(assess):
    result = assess("ident_quoting", "user", "select from", "a.b", '"q""x"', "Order")
    assert result.class_sizes.pairs == ((1, 3),)
    assert [item.column for item in result.release.quasi_identifiers] == ["user", "select from", "a.b", 'q"x', "Order"]


def test_ident_quoting_user_alone(assess):
    assert assess("ident_quoting", "user").class_sizes.pairs == ((1, 3),)
    assert assess("ident_quoting", "user", where="user <> 'bob'").class_sizes.pairs == ((1, 2),)


def test_person_rows_counted_as_rows(assess):
    result = assess("person_rows", "zip", "age")
    assert result.class_sizes.pairs == ((2, 1), (6, 1))
    assert (result.release.records, result.release.entities) == (8, None)


def test_person_rows_counted_as_multisets(assess):
    result = assess("person_rows", "zip", "age", entity_id="pid")
    assert result.class_sizes.pairs == ((1, 1), (2, 2))
    assert (result.smallest_class, result.release.entities, result.release.records) == (1, 5, 8)


def test_person_rows_counted_as_distinct_tuples(assess):
    """A is shared by five people and B by two of them: those two by B, the other three by A."""
    result = assess("person_rows", "zip", "age", entity_id="pid", entity_counting="distinct")
    assert result.class_sizes is None
    assert result.record_sizes.pairs == ((2, 2), (5, 3))
    assert result.prosecutor.average_risk == pytest.approx((2 / 2 + 3 / 5) / 5, rel=1e-12)
    assert (result.classes, result.distinction, result.separation) == (None, None, None)


@pytest.mark.parametrize("options", [{}, {"entity_id": "a"}, {"entity_id": "a", "entity_counting": "distinct"}])
def test_empty(assess, options):
    with pytest.raises(MeasurementError, match="the release is empty") as caught:
        assess("empty", "a", **options)
    assert caught.value.exit_code == 3


def test_average_risk_is_over_records(assess):
    result = assess("avg_risk", "a")
    assert result.prosecutor.average_risk == 0.2
    assert (result.release.records, result.classes) == (10, 2)
