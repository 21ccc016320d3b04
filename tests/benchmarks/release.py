"""The release that is measured, the query that somebody would write by hand, and processes to make and run them in."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from pathlib import Path

COLUMNS = ("sex", "age", "zip", "education", "region", "admitted")


def in_child(task: Callable, *arguments: object) -> None:
    """Run ``task`` in a process of its own: a child inherits its parent's peak memory, so this one stays small."""
    process = multiprocessing.get_context("spawn").Process(target=task, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{task.__name__} failed")


def make_table(path: Path, rows: int) -> None:
    """A skewed release: four classes for five rows, and most records alone in theirs."""
    import duckdb

    connection = duckdb.connect(str(path))
    connection.execute(
        f"""
        CREATE TABLE release AS
        SELECT
          CASE WHEN hash(i) % 2 = 0 THEN 'F' ELSE 'M' END AS sex,
          CAST(floor(100 * power((hash(i + 1) % 10007) / 10007.0, 1.3)) AS INTEGER) AS age,
          printf('%05d', CAST(1000 * power((hash(i + 2) % 10007) / 10007.0, 3) AS INTEGER)) AS zip,
          CAST(8 * power((hash(i + 3) % 10007) / 10007.0, 2) AS INTEGER) AS education,
          'r' || CAST(4 * power((hash(i + 4) % 10007) / 10007.0, 3) AS INTEGER) AS region,
          DATE '2025-01-01' + CAST(7 * floor(52 * power((hash(i + 5) % 10007) / 10007.0, 4)) AS INTEGER) AS admitted
        FROM range({rows}) AS t(i)
        """
    )
    connection.close()


def bare_sql() -> str:
    keys = ", ".join(COLUMNS)
    return f"SELECT size, count(*) FROM (SELECT count(*) AS size FROM release GROUP BY {keys}) AS c GROUP BY size ORDER BY size"


def copy_to_postgres(database: Path, url: str) -> None:
    import duckdb
    import psycopg

    source = duckdb.connect(str(database), read_only=True)
    types = "sex text, age integer, zip text, education integer, region text, admitted date"
    with psycopg.connect(url) as target:
        target.execute("DROP TABLE IF EXISTS release")
        target.execute(f"CREATE TABLE release ({types})")
        cursor = source.execute("SELECT * FROM release")
        with target.cursor().copy("COPY release FROM STDIN") as copy:
            while batch := cursor.fetchmany(50_000):
                copy.write("".join("\t".join(map(str, row)) + "\n" for row in batch))
    with psycopg.connect(url, autocommit=True) as target:
        target.execute("VACUUM ANALYZE release")
