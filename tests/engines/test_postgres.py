"""PostgreSQL's own manners: read-only snapshot, settings for its length alone, row security, EXPLAIN."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy

import sqlrisk
from sqlrisk.warehouse.base import Guards
from sqlrisk.warehouse.sqlalchemy import PostgresWarehouse
from tests.engines import contract
from tests.engines.contract import Table

ROWS = [(sex, 20 + number % 30) for number in range(60) for sex in ("F", "M")]


@pytest.fixture(scope="module")
def postgres():
    engine = contract.start("postgres")
    engine.load(Table("people", [("sex", "text"), ("Age", "integer")], ROWS))
    return engine


@pytest.fixture
def warehouse(postgres):
    with PostgresWarehouse.open(sqlalchemy.make_url(postgres.source()), Guards(timeout=60)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("transaction_read_only", "on"),
        ("transaction_isolation", "repeatable read"),
        ("application_name", "sqlrisk"),
        ("statement_timeout", "1min"),
        ("client_connection_check_interval", "5s"),
    ],
)
def test_the_transaction_is_set(warehouse, setting, value):
    assert warehouse.fetch("testing", f"SELECT current_setting('{setting}')") == [(value,)]


def test_nothing_can_be_written(warehouse):
    with pytest.raises(sqlrisk.RequestError, match="the SQL would write"):
        warehouse.fetch("testing", "CREATE TABLE other (a integer)")


def test_an_engine_gets_its_connection_back_as_it_was(postgres):
    engine = sqlalchemy.create_engine(postgres.source().replace("postgresql://", "postgresql+psycopg://"), pool_size=1)
    for _ in range(3):
        assert sqlrisk.assess(engine, table="people", quasi_identifiers=["sex"]).classes == 2
    with engine.connect() as connection:
        for setting, value in (
            ("transaction_read_only", "off"),
            ("application_name", ""),
        ):
            assert connection.exec_driver_sql(f"SHOW {setting}").scalar() == value
    assert engine.pool.checkedout() == 0
    engine.dispose()


def test_one_snapshot(postgres, monkeypatch):
    """Rows that arrive after the look-up of the columns are not measured."""
    execute = PostgresWarehouse._execute

    def insert_first(self, sql):
        def insert() -> None:
            with postgres.connect() as connection:
                connection.execute("""INSERT INTO people VALUES ('X', 1)""")

        thread = threading.Thread(target=insert)
        thread.start()
        thread.join()
        return execute(self, sql)

    monkeypatch.setattr(PostgresWarehouse, "_execute", insert_first)
    assert sqlrisk.assess(postgres.source(), table="people", quasi_identifiers=["sex"]).release.records == 120
    monkeypatch.undo()
    assert sqlrisk.assess(postgres.source(), table="people", quasi_identifiers=["sex"]).release.records == 121
    with postgres.connect() as connection:
        connection.execute("DELETE FROM people WHERE sex = 'X'")


def test_row_security_is_told(postgres):
    with postgres.connect() as connection:
        connection.execute("DROP TABLE IF EXISTS secured")
        connection.execute("CREATE TABLE secured AS SELECT * FROM people")
        connection.execute("ALTER TABLE secured ENABLE ROW LEVEL SECURITY")
        connection.execute("CREATE POLICY women ON secured USING (sex = 'F')")
    restricted = postgres.server.restricted_url
    with postgres.connect() as connection:
        connection.execute("GRANT SELECT ON secured TO PUBLIC")
    result = sqlrisk.assess(restricted, table="secured", quasi_identifiers=["sex"])
    assert result.release.records == 60
    with postgres.connect() as connection:
        connection.execute("CREATE OR REPLACE VIEW over_secured AS SELECT * FROM secured")
        connection.execute("GRANT SELECT ON over_secured TO PUBLIC")
    for source in ({"table": "over_secured"}, {"query": "WITH a AS (SELECT * FROM secured) SELECT sex FROM a"}):
        through = sqlrisk.assess(restricted, **source, quasi_identifiers=["sex"])
        assert any("row security can hide rows of secured" in warning for warning in through.warnings)
    assert any("row security can hide rows of secured" in warning for warning in result.warnings)
    assert sqlrisk.assess(postgres.source(), table="secured", quasi_identifiers=["sex"]).warnings == []


def test_a_volatile_function_of_the_users_own_is_refused(postgres):
    with postgres.connect() as connection:
        connection.execute("CREATE OR REPLACE FUNCTION dice() RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 4'")
        connection.execute("CREATE OR REPLACE FUNCTION four() RETURNS int LANGUAGE sql STABLE AS 'SELECT 4'")
    with pytest.raises(sqlrisk.RequestError, match=r"volatile function \(dice\)"):
        sqlrisk.assess(postgres.source(), table="people", quasi_identifiers=["sex"], where="dice() = 4")
    result = sqlrisk.assess(
        postgres.source(), query="SELECT sex, four() AS f FROM people", quasi_identifiers=["sex", "f"]
    )
    assert result.classes == 2


def test_a_percent_sign_is_a_percent_sign(postgres):
    result = sqlrisk.assess(postgres.source(), table="people", quasi_identifiers=["sex"], where="sex LIKE '%F%'")
    assert result.classes == 1


@pytest.mark.parametrize("name", ["People", "public.people", '"people"', "PUBLIC.PEOPLE"])
def test_names_are_folded_as_the_engine_folds_them(postgres, name):
    assert sqlrisk.assess(postgres.source(), table=name, quasi_identifiers=["sex"]).classes == 2


def test_a_quoted_name_is_not_folded(postgres):
    with pytest.raises(sqlrisk.RequestError, match="no table or view `People`"):
        sqlrisk.assess(postgres.source(), table='"People"', quasi_identifiers=["sex"])


def test_preview_tells_rows_and_cost(warehouse):
    expected = warehouse.preview('SELECT count(*) FROM "people"')
    assert expected.rows_scanned > 0
    assert expected.cost > 0


def test_a_view_and_a_materialised_view(postgres):
    with postgres.connect() as connection:
        connection.execute('CREATE OR REPLACE VIEW young AS SELECT * FROM people WHERE "Age" < 30')
        connection.execute(
            "DROP MATERIALIZED VIEW IF EXISTS kept; CREATE MATERIALIZED VIEW kept AS SELECT * FROM young"
        )
    for name in ("young", "kept"):
        assert sqlrisk.assess(postgres.source(), table=name, quasi_identifiers=["sex", "age"]).classes == 20
