"""What work_mem and parallel workers bring to the main job on PostgreSQL.

``python -m tests.benchmarks.postgres_settings [--rows N] [--repeat N]``
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from tests.benchmarks.release import bare_sql, copy_to_postgres, in_child, make_table
from tests.engines.starters import postgres

WORK_MEM = ("4MB", "32MB", "64MB", "128MB", "256MB")
WORKERS = (0, 2)


def main() -> None:
    """Print the median seconds of the bare query for each pair of settings."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.postgres_settings")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    server = postgres.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "benchmark.duckdb"
            in_child(make_table, database, arguments.rows)
            in_child(copy_to_postgres, database, server.url)
        _measure(server.url, arguments.repeat)
    finally:
        server.stop()


def _measure(url: str, repeat: int) -> None:
    import psycopg

    settings = [(memory, workers) for memory in WORK_MEM for workers in WORKERS]
    seconds: dict[tuple[str, int], list[float]] = {pair: [] for pair in settings}
    with psycopg.connect(url, autocommit=True) as connection:
        for turn in range(repeat + 1):
            for memory, workers in settings:
                connection.execute("SELECT set_config('work_mem', %s, false)", (memory,))
                connection.execute("SELECT set_config('max_parallel_workers_per_gather', %s, false)", (str(workers),))
                started = time.perf_counter()
                connection.execute(bare_sql()).fetchall()
                if turn:
                    seconds[memory, workers].append(time.perf_counter() - started)
    print(f"{'work_mem':>9} {'workers':>8} {'seconds':>8}")
    for (memory, workers), times in seconds.items():
        print(f"{memory:>9} {workers:8} {statistics.median(times):8.2f}")


if __name__ == "__main__":
    main()
