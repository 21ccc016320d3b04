"""BigQuery through Google's client: dry runs, labels, bytes billed, job timeouts, cancelled jobs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from sqlrisk.errors import Interrupted, MeasurementError, MissingTableError, RequestError, one_line
from sqlrisk.sql.relation import Column, Kind, Relation
from sqlrisk.warehouse.base import Guards, Preview, Warehouse

_KINDS = {
    **dict.fromkeys(("INTEGER", "INT64"), Kind.INTEGER),
    **dict.fromkeys(("NUMERIC", "BIGNUMERIC", "DECIMAL", "BIGDECIMAL"), Kind.DECIMAL),
    **dict.fromkeys(("FLOAT", "FLOAT64"), Kind.FLOAT),
    "STRING": Kind.TEXT,
    **dict.fromkeys(("BOOLEAN", "BOOL"), Kind.BOOLEAN),
    "DATE": Kind.DATE,
    "DATETIME": Kind.TIMESTAMP,
    "TIMESTAMP": Kind.TIMESTAMP_TZ,
    "TIME": Kind.TIME,
    "BYTES": Kind.OTHER,
}
_PAGE = 10_000
# Seconds to go on trying to reach the service.
_RETRY = 30.0


class BigQueryWarehouse(Warehouse):
    """A client and a default data set. A statement is a job with labels, which is cancelled when we are stopped."""

    dialect = "bigquery"
    snapshots = False

    def __init__(
        self, client, dataset: str | None, guards: Guards, location: str | None = None, owned: bool = True
    ) -> None:
        super().__init__(guards)
        self._client = client
        self._dataset = dataset
        self._location = location
        self._owned = owned
        self._job = None
        self._scanned: int | None = None
        self._row_counts: dict[str, int] = {}

    @classmethod
    def open(
        cls, project: str | None, dataset: str | None, options: dict[str, str], guards: Guards
    ) -> BigQueryWarehouse:
        """Connect with the machine's credentials (or ``credentials_path``), or to ``$BIGQUERY_EMULATOR_HOST``."""
        try:
            from google.api_core.client_options import ClientOptions
            from google.auth.credentials import AnonymousCredentials
            from google.auth.exceptions import GoogleAuthError
            from google.cloud import bigquery
        except ImportError:
            raise RequestError(
                "the BigQuery client is not installed", "run `pip install 'sqlrisk[bigquery]'`"
            ) from None
        if stray := set(options) - {"location", "credentials_path"}:
            raise RequestError(
                f"`{min(stray)}` is no option of a BigQuery URL", "there are location and credentials_path"
            )
        emulator = os.environ.get("BIGQUERY_EMULATOR_HOST")
        try:
            if emulator:
                host = emulator if "://" in emulator else f"http://{emulator}"
                client = bigquery.Client(
                    project=project or "sqlrisk",
                    credentials=AnonymousCredentials(),
                    client_options=ClientOptions(api_endpoint=host),
                )
            elif path := options.get("credentials_path"):
                client = bigquery.Client.from_service_account_json(path, **({"project": project} if project else {}))
            else:
                client = bigquery.Client(project=project)
        except (GoogleAuthError, OSError, ValueError) as problem:
            text = one_line(str(problem).split(". ", maxsplit=1)[0])
            raise MeasurementError(
                f"no BigQuery credentials: {text}", "run `gcloud auth application-default login`"
            ) from None
        return cls(client, dataset, guards, options.get("location"))

    def columns(self, relation: Relation) -> list[Column]:
        """See :meth:`Warehouse.columns`. Reads the table's metadata or makes a dry run: LIMIT 0 may bill a scan."""
        from google.api_core.exceptions import BadRequest, NotFound

        is_table = relation.name is not None and not relation.label.endswith("*")
        sql = f"tables.get {relation.label}" if is_table else relation.without_rows("bigquery")
        with self.looking_up(f"the columns of {relation.label}", sql):
            try:
                schema = self._table_schema(relation) if is_table else self._dry_run(sql).schema
            except NotFound:
                raise MissingTableError(f"there is no table or view `{relation.label}`") from None
            except BadRequest as problem:
                raise RequestError(f"{relation.label}: {_message(problem)}") from None
        return [_column(field) for field in schema or ()]

    def tables(self) -> list[str]:
        """See :meth:`Warehouse.tables`."""
        if self._dataset is None:
            return []
        dataset = f"{self._client.project}.{self._dataset}"
        with self.looking_up("the tables", f"tables.list {dataset}") as rows:
            listed = self._client.list_tables(dataset, max_results=1000, retry=self._retry())
            rows.extend((table.table_id,) for table in listed)
        return sorted(name for (name,) in rows)

    def row_count(self, relation: Relation) -> int | None:
        """See :meth:`Warehouse.row_count`. From the metadata that the look-up of the columns brought."""
        return self._row_counts.get(relation.label)

    def preview(self, sql: str) -> Preview | None:
        """What a dry run says: bytes scanned."""
        with self.errors("previewing the cost"):
            return Preview(bytes_scanned=self._dry_run(sql).total_bytes_processed)

    def close(self) -> None:
        """See :meth:`Warehouse.close`."""
        if self._owned:
            self._client.close()

    def _execute(self, sql: str) -> Iterator[Sequence[tuple]]:
        from concurrent.futures import TimeoutError as FutureTimeout

        self._scanned = None
        config = self._config(dry_run=False)
        self._job = self._client.query(sql, job_config=config, location=self._location, retry=self._retry())
        try:
            result = self._job.result(page_size=_PAGE, timeout=self.guards.timeout)
        except FutureTimeout:
            self._cancel()
            raise self.timed_out(self._purpose) from None
        self._scanned = self._job.total_bytes_processed
        for page in result.pages:
            yield [tuple(row.values()) for row in page]
        self._job = None

    def _table_schema(self, relation: Relation):
        table = self._client.get_table(self._reference(relation), retry=self._retry())
        if table.table_type == "TABLE" and table.num_rows is not None:
            self._row_counts[relation.label] = table.num_rows
        return table.schema

    def _dry_run(self, sql: str):
        return self._client.query(sql, job_config=self._config(dry_run=True), location=self._location)

    def _cancel(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            from google.api_core.exceptions import GoogleAPIError

            try:
                job.cancel(retry=None, timeout=_RETRY)
            except (GoogleAPIError, OSError):
                return  # The job's own timeout ends it.

    def _bytes_scanned(self) -> int | None:
        return self._scanned

    def _retry(self):
        from google.cloud.bigquery.retry import DEFAULT_RETRY

        return DEFAULT_RETRY.with_timeout(_RETRY)

    def _config(self, dry_run: bool):
        from google.cloud import bigquery

        config = bigquery.QueryJobConfig(dry_run=dry_run, use_query_cache=not dry_run, labels={"tool": "sqlrisk"})
        if self._dataset is not None:
            config.default_dataset = f"{self._client.project}.{self._dataset}"
        if self.guards.max_bytes is not None and not dry_run:
            config.maximum_bytes_billed = self.guards.max_bytes
        if self.guards.timeout is not None and not dry_run:
            config.job_timeout_ms = max(1, round(self.guards.timeout * 1000))
        return config

    def _reference(self, relation: Relation):
        from google.cloud import bigquery

        parts = [name for name, _ in relation.name.parts]
        defaults = [self._client.project, self._dataset]
        project, dataset, table = [*defaults[: 3 - len(parts)], *parts]
        if dataset is None:
            raise RequestError(
                f"`{relation.label}` names no data set", "write dataset.table, or bigquery://project/dataset"
            )
        return bigquery.TableReference(bigquery.DatasetReference(project, dataset), table)

    def _error(self, problem: Exception, purpose: str) -> Exception:
        from google.api_core import exceptions
        from google.auth.exceptions import GoogleAuthError

        text = _message(problem)
        if isinstance(problem, GoogleAuthError):
            return MeasurementError(f"the service refused the login: {text}", "check the credentials")
        if isinstance(problem, exceptions.RetryError | exceptions.ServiceUnavailable | OSError):
            return MeasurementError(f"no connection: {text}", "check the network, or try again later")
        if isinstance(problem, exceptions.GoogleAPICallError):
            reasons = {error.get("reason") for error in problem.errors or () if isinstance(error, dict)}
            if "bytesBilledLimitExceeded" in reasons:
                return MeasurementError(f"{purpose}: {text}", "raise --max-bytes, or restrict the release")
            if isinstance(problem, exceptions.Unauthorized):
                return MeasurementError(f"the service refused the login: {text}", "check the credentials")
            if isinstance(problem, exceptions.Forbidden):
                return MeasurementError(f"{purpose}: {text}", "ask for the right to read it and to run jobs")
            if isinstance(problem, exceptions.NotFound):
                return MeasurementError(f"{purpose}: {text}", "the table may have been dropped meanwhile")
            if "stopped" in reasons or "timeout" in text.lower():
                return (
                    self.timed_out(purpose) if self.guards.timeout else Interrupted("the job was stopped on the engine")
                )
            if self._purpose and isinstance(problem, exceptions.BadRequest):
                # The service's message can repeat a value, which can be somebody's.
                reason = ", ".join(sorted(filter(None, reasons))) or "invalidQuery"
                return MeasurementError(
                    f"{purpose}: the service gave up on a value, or on the SQL ({reason})",
                    "the job's page in the console says more",
                )
        return MeasurementError(f"{purpose}: {text}")


def _column(field) -> Column:
    if field.mode == "REPEATED":
        return Column(field.name, Kind.UNGROUPABLE, f"ARRAY<{field.field_type}>")
    leaves = tuple(f"`{field.name}`.`{child.name}`" for child in field.fields or ())
    return Column(field.name, _KINDS.get(field.field_type, Kind.UNGROUPABLE), field.field_type, leaves)


def _message(problem: Exception) -> str:
    """The service's own sentence, without the address and the job's number."""
    text = getattr(problem, "message", None) or str(problem)
    lines = [line for line in str(text).splitlines() if line.strip()]
    return one_line(lines[0].rsplit("prettyPrint=false: ", maxsplit=1)[-1]) if lines else type(problem).__name__
