"""A BigQuery server on this machine (PyPI `bqemulator`), for the wire: jobs, paging, labels, errors, limits.

It is more lenient than BigQuery, so it never judges the language: `googlesql` does.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import datetime as dt
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import EngineMissing, environments, free_port, is_required

if TYPE_CHECKING:
    from google.cloud import bigquery

VERSION = "1.4.0"
_DUCKDB = "1.5.5"  # the newest that bqemulator takes; its extensions are found under this number
_PACKAGES = [f"bqemulator=={VERSION}", f"duckdb=={_DUCKDB}", f"duckdb-extension-spatial=={_DUCKDB}", "numpy"]
_START_SECONDS = 60
_ROWS_A_REQUEST = 5000


def environment() -> Path:
    """The folder of the emulator's own virtual environment (it pins sqlglot and DuckDB), there or not."""
    return environments.folder_of(f"bqemulator-{VERSION}", "SQLRISK_TEST_BQEMULATOR_VENV")


def create_environment() -> Path:
    """Make the environment if it is not there: some 30 s and 400 MB."""
    return environments.create(environment(), _PACKAGES)


class Emulator:
    """A running emulator. Everything in it is gone when it stops."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.host = f"http://127.0.0.1:{port}"
        self.log = log
        self._process = process
        atexit.register(self.stop)

    def client(self, project: str = "test-project") -> bigquery.Client:
        from google.api_core.client_options import ClientOptions
        from google.auth.credentials import AnonymousCredentials
        from google.cloud import bigquery

        return bigquery.Client(
            project=project,
            credentials=AnonymousCredentials(),  # type: ignore[no-untyped-call]
            client_options=ClientOptions(api_endpoint=self.host),
        )

    def stop(self) -> None:
        atexit.unregister(self.stop)
        _end(self._process)
        self.log.unlink(missing_ok=True)


def start() -> Emulator:
    """Start an emulator on free ports and wait until it answers."""
    try:
        import google.cloud.bigquery  # noqa: F401
    except ImportError as error:
        raise EngineMissing("google-cloud-bigquery is not installed") from error
    folder = environment()
    if not environments.python_of(folder).exists():
        if not (is_required("bigquery") or os.environ.get("SQLRISK_TEST_CREATE_ENVIRONMENTS")):
            raise EngineMissing(
                f"there is no bqemulator environment in {folder}; "
                "set SQLRISK_TEST_CREATE_ENVIRONMENTS=1 to have it installed"
            )
        folder = create_environment()
    home = _home_with_extension(folder)
    port = free_port()
    log_handle, log_name = tempfile.mkstemp(prefix="bqemulator-", suffix=".log")
    log = Path(log_name)
    command = [
        str(environments.python_of(folder)),
        "-m",
        "bqemulator",
        "start",
        "--ephemeral",
        "--rest-port",
        str(port),
        "--grpc-port",
        str(free_port()),
        "--log-level",
        "warning",
    ]
    with os.fdopen(log_handle, "wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(home)},
            cwd=home,
        )
    deadline = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if _answers(f"http://127.0.0.1:{port}"):
            return Emulator(process, port, log)
        time.sleep(0.1)
    _end(process)
    raise EngineMissing(f"bqemulator did not start: {log.read_text(errors='replace')[-2000:]}")


def load(client: bigquery.Client, name: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]) -> None:
    """Make the table `dataset.table` with these rows, and its dataset, in place of one of that name.

    By streaming insert, which keeps every value as it is; the emulator has no upload of JSON files, and leaves escapes
    such as \\U0001f600 in SQL texts as they stand. It cannot make a BIGNUMERIC column.
    """
    from google.cloud import bigquery

    dataset, table = name.split(".")
    path = f"{client.project}.{dataset}.{table}"
    schema = [bigquery.SchemaField(column, type_name) for column, type_name in columns]
    # the client would try a request that the emulator cannot serve again and again for ten minutes
    once: Any = None
    client.create_dataset(dataset, exists_ok=True, retry=once)
    client.delete_table(path, not_found_ok=True, retry=once)
    client.create_table(bigquery.Table(path, schema=schema), retry=once)
    for first in range(0, len(rows), _ROWS_A_REQUEST):
        batch = [
            {column: _json(value) for (column, _), value in zip(columns, row, strict=True)}
            for row in rows[first : first + _ROWS_A_REQUEST]
        ]
        errors = client.insert_rows_json(path, batch, retry=once)
        if errors:
            raise RuntimeError(f"bqemulator refused rows for {name}: {errors[:3]}")


def _json(value: Any) -> Any:
    """A value as BigQuery's JSON writes it: 64-bit and decimal numbers as text, bytes as base64."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dt.date | dt.time):  # a datetime is a date
        return value.isoformat()
    return str(value)


def _home_with_extension(folder: Path) -> Path:
    """A home folder in which DuckDB finds the extension that the emulator insists on, as nothing can be downloaded."""
    package = "lib/python3*/site-packages/duckdb_extension_spatial"
    wheels = list(folder.glob(f"{package}/extensions/*/spatial.duckdb_extension"))
    if not wheels:
        raise EngineMissing(f"no spatial.duckdb_extension in {folder}")
    home = folder / "home"
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    system = "osx" if sys.platform == "darwin" else "linux"
    target = home / ".duckdb" / "extensions" / f"v{_DUCKDB}" / f"{system}_{machine}" / "spatial.duckdb_extension"
    target.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        target.symlink_to(wheels[0])
    return home


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url + "/readyz", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:  # nobody listens yet, or the answer is "not ready" (an HTTPError)
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
