"""Unicity of ten million events on the embedded DuckDB: ``python -m tests.benchmarks.unicity [EVENTS]``.

100,000 people with 100 events each, at 2,000 places (few are visited by many) and 720 hours.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from sqlrisk import attack

MAKE = """
CREATE TABLE events AS
SELECT
  CAST(i % 100000 AS INTEGER) AS person,
  'place ' || CAST(FLOOR(2000 * power((hash(i) % 1000003) / 1000003, 2)) AS INTEGER) AS place,
  TIMESTAMP '2025-03-01' + INTERVAL (hash(i * 7 + 1) % 720) HOUR AS seen
FROM range({events}) AS events(i)
"""


def main(events: int = 10_000_000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "events.duckdb"
        with duckdb.connect(str(file)) as connection:
            connection.execute(MAKE.format(events=events))
        for coarser in ([], ["seen:truncate=day"], ["seen:truncate=day", "seen:truncate=month,place:prefix=7"]):
            started = time.perf_counter()
            result = attack(
                file,
                table="events",
                entity_id="person",
                points=["place", "seen"],
                coarser=coarser,
                targets=1000,
            )
            seconds = time.perf_counter() - started
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            print(f"{events:,} events, {1 + len(coarser)} curves: {seconds:.1f} s, {memory:.1f} GiB at most")
            for curve in result.unicity.curves:
                print(" ", curve.coarser or "as it is", [round(at.share, 3) for at in curve.unicity])


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
