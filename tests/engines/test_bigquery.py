"""BigQuery's own manners: names, dry runs, labels, bytes billed, timeouts, cancelled jobs, errors."""

from __future__ import annotations

import concurrent.futures
from types import SimpleNamespace

import pytest
from google.api_core import exceptions
from google.auth.exceptions import DefaultCredentialsError

import sqlrisk
from sqlrisk.errors import Interrupted, MeasurementError
from sqlrisk.warehouse.base import Guards
from sqlrisk.warehouse.bigquery import BigQueryWarehouse
from tests.engines import contract
from tests.engines.contract import Table

ROWS = [(sex, 20 + number % 30) for number in range(60) for sex in ("F", "M")]


@pytest.fixture(scope="module")
def emulator():
    engine = contract.start("bigquery")
    engine.load(Table("people", [("sex", "text"), ("Age", "integer")], ROWS))
    return engine


@pytest.mark.parametrize(
    "name",
    [
        "people",
        "contract.people",
        "test-project.contract.people",
        "`test-project.contract.people`",
        "`test-project`.contract.people",
        "`test-project`.`contract`.`people`",
        "test-project.`contract.people`",
    ],
)
def test_names(emulator, name):
    result = sqlrisk.assess(emulator.source(), table=name, quasi_identifiers=["sex", "age:band=10"])
    assert result.class_sizes.pairs == ((20, 6),)
    assert result.release.quasi_identifiers[1].column == "Age"


def test_a_query_is_looked_up_by_a_dry_run(emulator):
    query = "SELECT Sex, MOD(age, 2) AS odd FROM people WHERE age < 30"
    result = sqlrisk.assess(emulator.source(), query=query, quasi_identifiers=["sex", "odd"])
    assert result.class_sizes.pairs == ((10, 4),)


def test_missing_table_offers_the_nearest(emulator):
    with pytest.raises(sqlrisk.RequestError, match="no table or view `peple`: did you mean `people`"):
        sqlrisk.assess(emulator.source(), table="peple", quasi_identifiers=["sex"])


def test_missing_data_set(emulator):
    with pytest.raises(sqlrisk.RequestError, match="no table or view `people`"):
        sqlrisk.assess("bigquery://test-project/nowhere", table="people", quasi_identifiers=["sex"])
    with pytest.raises(sqlrisk.RequestError, match="names no data set"):
        sqlrisk.assess("bigquery://test-project", table="people", quasi_identifiers=["sex"])


def test_unreachable(emulator, monkeypatch):
    monkeypatch.setenv("BIGQUERY_EMULATOR_HOST", "http://127.0.0.1:1")
    monkeypatch.setattr("sqlrisk.warehouse.bigquery._RETRY", 1.0)
    with pytest.raises(sqlrisk.MeasurementError, match="no connection"):
        sqlrisk.assess("bigquery://test-project/contract", table="people", quasi_identifiers=["sex"])


def test_no_credentials(emulator, monkeypatch):
    def none(**_: object):
        raise DefaultCredentialsError("Your default credentials were not found. To set up, see https://x")

    monkeypatch.delenv("BIGQUERY_EMULATOR_HOST")
    monkeypatch.setattr("google.cloud.bigquery.Client", none)
    with pytest.raises(sqlrisk.MeasurementError, match="no BigQuery credentials: .*gcloud auth"):
        sqlrisk.assess("bigquery://test-project/contract", table="people", quasi_identifiers=["sex"])


def test_unknown_option_of_the_url(emulator):
    with pytest.raises(sqlrisk.RequestError, match="`colour` is no option"):
        sqlrisk.assess("bigquery://p/d?colour=red", table="people", quasi_identifiers=["sex"])


class Client:
    """Records what it is asked; ``fail`` is raised by the job."""

    project = "my-project"

    def __init__(self, fail: BaseException | None = None, dry_bytes: int = 1000) -> None:
        self.fail, self.dry_bytes = fail, dry_bytes
        self.sent: list[tuple[str, object]] = []
        self.cancelled = 0

    def query(self, sql, job_config, location=None, retry=None):
        self.sent.append((sql, job_config))
        return SimpleNamespace(
            total_bytes_processed=self.dry_bytes, result=self._result, cancel=self._cancel, schema=[], job_id="1"
        )

    def _result(self, **_: object):
        if self.fail is not None:
            raise self.fail
        return SimpleNamespace(pages=[[SimpleNamespace(values=lambda: (1, 2))]])

    def _cancel(self, **_: object) -> None:
        self.cancelled += 1


def test_labels_bytes_timeout_and_comment_go_with_the_job():
    client = Client()
    warehouse = BigQueryWarehouse(client, "data", Guards(timeout=30, max_bytes=5000))
    assert warehouse.fetch("measuring the release", "SELECT 1, 2") == [(1, 2)]
    (_, dry), (sql, real) = client.sent
    assert dry.dry_run and not real.dry_run
    assert sql.startswith("/* sqlrisk ") and "measuring the release" in sql.splitlines()[0]
    assert real.labels == {"tool": "sqlrisk"}
    assert real.maximum_bytes_billed == 5000
    assert int(real.job_timeout_ms) == 30_000
    assert real.default_dataset.dataset_id == "data"
    assert warehouse.log[0].bytes_scanned == 1000


def test_nothing_is_run_when_the_dry_run_says_too_much():
    client = Client(dry_bytes=6000)
    with pytest.raises(MeasurementError, match="would scan 6,000 bytes, more than --max-bytes 5,000"):
        BigQueryWarehouse(client, "data", Guards(max_bytes=5000)).fetch("measuring", "SELECT 1")
    assert all(config.dry_run for _, config in client.sent)


@pytest.mark.parametrize(
    ("fail", "error", "message"),
    [
        (KeyboardInterrupt(), Interrupted, "interrupted"),
        (concurrent.futures.TimeoutError(), MeasurementError, "stopped after --timeout 2 seconds"),
    ],
)
def test_the_job_is_cancelled(fail, error, message):
    client = Client(fail)
    with pytest.raises(error, match=message):
        BigQueryWarehouse(client, "data", Guards(timeout=2)).fetch("measuring", "SELECT 1")
    assert client.cancelled == 1


@pytest.mark.parametrize(
    ("fail", "message"),
    [
        (exceptions.Forbidden("Access Denied: no"), "ask for the right to read it"),
        (exceptions.NotFound("Not found: Table p:d.t"), "dropped meanwhile"),
        (exceptions.Unauthorized("Invalid Credentials"), "refused the login"),
        (exceptions.ServiceUnavailable("try later"), "no connection"),
        (exceptions.BadRequest("Bad int64 value: Smith"), "gave up on a value"),
        (
            exceptions.InternalServerError("over", errors=[{"reason": "bytesBilledLimitExceeded"}]),
            "raise --max-bytes",
        ),
    ],
)
def test_errors_are_one_line_without_values(fail, message):
    with pytest.raises(MeasurementError) as caught:
        BigQueryWarehouse(Client(fail), "data", Guards()).fetch("measuring", "SELECT 1")
    assert message in str(caught.value)
    assert "Smith" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_rows_that_are_hidden_are_told(emulator, monkeypatch):
    assert sqlrisk.assess(emulator.source(), table="people", quasi_identifiers=["sex"]).warnings == []
    monkeypatch.setattr(BigQueryWarehouse, "row_count", lambda self, relation: 500)
    result = sqlrisk.assess(emulator.source(), table="people", quasi_identifiers=["sex"])
    assert "the table has 500 rows, and 120 were seen" in result.warnings[0]
    assert sqlrisk.assess(emulator.source(), table="people", quasi_identifiers=["sex"], where="age > 0").warnings == []
