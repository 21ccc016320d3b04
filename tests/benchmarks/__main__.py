"""The main job against the bare GROUP BY that somebody would write by hand, in the same run.

``python -m tests.benchmarks [--rows N] [--repeat N] [--engines duckdb,postgres] [--json FILE]``

Machines are noisy, so each repeat runs the bare query and sqlrisk one after the other, as processes of their own, and
only ratios are compared. Memory is the process's peak resident set, as the kernel counts it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.release import COLUMNS, bare_sql, copy_to_postgres, in_child, make_table

TARGET_TIME = "1.15 x bare + 0.5 s"


@dataclass(frozen=True)
class Run:
    """One process: its wall time, and its peak memory."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Comparison:
    """The bare query and sqlrisk on one engine: medians over the repeats."""

    engine: str
    rows: int
    bare_seconds: float
    sqlrisk_seconds: float
    overhead_seconds: float
    within_time: bool
    bare_megabytes: float
    sqlrisk_megabytes: float
    memory_ratio: float


def main() -> None:
    """Run the benchmarks, print a table, and the same as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--engines", default="duckdb,postgres")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "benchmark.duckdb"
        in_child(make_table, database, arguments.rows)
        results = []
        for engine in arguments.engines.split(","):
            measure = {"duckdb": _duckdb, "postgres": _postgres}[engine]
            results.append(measure(database, arguments.rows, arguments.repeat))
    _print(results)
    document = json.dumps([asdict(result) for result in results], indent=2)
    if arguments.json:
        arguments.json.write_text(document + "\n", "utf-8")
    print(document)


def _duckdb(database: Path, rows: int, repeat: int) -> Comparison:
    code = "import duckdb, sys; duckdb.connect(sys.argv[1], read_only=True).execute(sys.argv[2]).fetchall()"
    bare = [sys.executable, "-c", code, str(database), bare_sql()]
    ours = [sys.executable, "-m", "sqlrisk", "assess", str(database), "--table", "release", *_options()]
    return _compare("duckdb", rows, repeat, bare, ours)


def _postgres(database: Path, rows: int, repeat: int) -> Comparison:
    from tests.engines.starters import postgres

    server = postgres.start()
    try:
        in_child(copy_to_postgres, database, server.url)
        code = "import psycopg, sys; psycopg.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()"
        bare = [sys.executable, "-c", code, server.url, bare_sql()]
        ours = [sys.executable, "-m", "sqlrisk", "assess", server.url, "--table", "release", *_options()]
        return _compare("postgres", rows, repeat, bare, ours)
    finally:
        server.stop()


def _options() -> list[str]:
    return ["--quiet", "--no-progress", *(word for column in COLUMNS for word in ("-q", column))]


def _compare(engine: str, rows: int, repeat: int, bare: Sequence[str], ours: Sequence[str]) -> Comparison:
    pairs = [(run(bare), run(ours)) for _ in range(repeat + 1)][1:]  # the first pair warms the caches
    bare_seconds, our_seconds = (statistics.median(pair[side].seconds for pair in pairs) for side in (0, 1))
    bare_memory, our_memory = (statistics.median(pair[side].megabytes for pair in pairs) for side in (0, 1))
    return Comparison(
        engine=engine,
        rows=rows,
        bare_seconds=round(bare_seconds, 3),
        sqlrisk_seconds=round(our_seconds, 3),
        overhead_seconds=round(our_seconds - bare_seconds, 3),
        within_time=our_seconds <= 1.15 * bare_seconds + 0.5,
        bare_megabytes=round(bare_memory, 1),
        sqlrisk_megabytes=round(our_memory, 1),
        memory_ratio=round(our_memory / bare_memory, 3),
    )


def run(command: Sequence[str], most_seconds: float | None = None) -> Run:
    """Run a process to its end: its wall time and peak memory. After ``most_seconds`` it is stopped, and that is its time."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    stop = threading.Timer(most_seconds or 0, process.kill)
    if most_seconds is not None:
        stop.start()
    _, status, usage = os.wait4(process.pid, 0)
    stop.cancel()
    seconds = time.perf_counter() - started
    stopped = most_seconds is not None and seconds >= most_seconds
    if os.waitstatus_to_exitcode(status) != 0 and not stopped:
        raise SystemExit(f"{' '.join(command)} failed")
    return Run(seconds, usage.ru_maxrss / 1024)


def _print(results: Sequence[Comparison]) -> None:
    print(f"{'engine':10} {'rows':>12} {'bare s':>8} {'sqlrisk s':>10} {'within':>7} ", end="")
    print(f"{'bare MB':>9} {'sqlrisk MB':>11} {'ratio':>6}")
    for result in results:
        print(
            f"{result.engine:10} {result.rows:12,} {result.bare_seconds:8.2f} {result.sqlrisk_seconds:10.2f} "
            f"{'yes' if result.within_time else 'NO':>7} {result.bare_megabytes:9.0f} {result.sqlrisk_megabytes:11.0f} "
            f"{result.memory_ratio:6.2f}"
        )
    print(f"Target: the whole process within {TARGET_TIME}, peak memory within 1.1 x.")


if __name__ == "__main__":
    main()
