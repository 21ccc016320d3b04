"""All measures of two sensitive columns, people and missing values that match anything, against the bare GROUP BY.

``python -m tests.benchmarks.sensitive [--rows N] [--repeat N] [--cases full,people,...] [--memory 2GB] [--json FILE]``

Each repeat runs the bare query and the cases one after the other, each in a process of its own under the same memory
limit; only ratios are compared. ``--pycanon-rows N`` measures the first N rows with pycanon beside us, installed by pip into
an environment of its own. It visits each value of each class by itself (1,000 rows of the full task take minutes), so
both measure an easy one: three quasi-identifiers with some ninety classes, and one sensitive column of forty values.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.__main__ import Run, run
from tests.benchmarks.release import COLUMNS, in_child

FEW = ("sex", "education", "region")
SENSITIVE = ("diagnosis", "cost:numeric")
MOST_SECONDS = 1200.0
"""pycanon is stopped after this time: its line then says that it took at least as long."""
TARGETS = {"full": 10.0, "people": 20.0}

# What each case measures; all with a connection that has the memory limit.
OURS = """
import duckdb, json, sys
import sqlrisk
path, memory, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
connection = duckdb.connect(path, read_only=True)
connection.execute(f"SET memory_limit = '{memory}'")
connection.execute("SET temp_directory = '" + sys.argv[4] + "'")
result = sqlrisk.assess(connection, table=options.pop("table", "release"), **options)
assert result.smallest_class
"""
BARE = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1], read_only=True)
connection.execute(f"SET memory_limit = '{sys.argv[2]}'")
connection.execute("SET temp_directory = '" + sys.argv[4] + "'")
connection.execute(sys.argv[3]).fetchall()
"""
# The same measures by pycanon, each with its own call, as its users write it.
PYCANON = """
import duckdb, sys
from pycanon import anonymity
columns = sys.argv[3].split(",")
connection = duckdb.connect(sys.argv[1], read_only=True)
data = connection.execute("SELECT * FROM (SELECT * FROM release LIMIT " + sys.argv[2] + ")").df()
sensitive = ["diagnosis"]
anonymity.k_anonymity(data, columns)
for measure in ("l_diversity", "entropy_l_diversity", "recursive_c_l_diversity", "basic_beta_likeness",
                "enhanced_beta_likeness", "t_closeness", "delta_disclosure"):
    getattr(anonymity, measure)(data, columns, sensitive)
anonymity.alpha_k_anonymity(data, columns, sensitive)
"""


@dataclass(frozen=True)
class Case:
    """One thing that was measured: medians over the repeats, and the ratio to the bare GROUP BY of the same rows."""

    name: str
    rows: int
    seconds: float
    bare_seconds: float
    ratio: float
    target: float | None
    megabytes: float


def make_tables(path: Path, rows: int, few: int) -> None:
    """``release`` (three rows a person, whose admissions differ), and ``gaps``: ``few`` rows, 11 % of them with a hole."""
    import duckdb

    connection = duckdb.connect(str(path))
    connection.execute(
        f"""
        CREATE TABLE release AS
        SELECT
          CASE WHEN hash(p) % 2 = 0 THEN 'F' ELSE 'M' END AS sex,
          CAST(floor(100 * power((hash(p + 1) % 10007) / 10007.0, 1.3)) AS INTEGER) AS age,
          printf('%05d', CAST(1000 * power((hash(p + 2) % 10007) / 10007.0, 3) AS INTEGER)) AS zip,
          CAST(8 * power((hash(p + 3) % 10007) / 10007.0, 2) AS INTEGER) AS education,
          'r' || CAST(4 * power((hash(p + 4) % 10007) / 10007.0, 3) AS INTEGER) AS region,
          DATE '2025-01-01' + CAST(7 * floor(52 * power((hash(i + 5) % 10007) / 10007.0, 4)) AS INTEGER) AS admitted,
          'd' || CAST(40 * power((hash(i + 6) % 10007) / 10007.0, 2) AS INTEGER) AS diagnosis,
          CAST(2000 * power((hash(i + 7) % 100003) / 100003.0, 3) AS INTEGER) AS cost,
          p AS person
        FROM (SELECT i, CAST(hash(i + 8) % {max(rows // 3, 1)} AS BIGINT) AS p FROM range({rows}) AS t(i))
        """
    )
    holes = ", ".join(
        f"CASE WHEN hash(cost * 31 + person * 7 + {at}) % 52 = 0 THEN NULL ELSE {column} END AS {column}"
        for at, column in enumerate(COLUMNS)
    )
    connection.execute(f"CREATE TABLE gaps AS SELECT {holes} FROM (SELECT * FROM release LIMIT {few})")
    connection.close()


def bare_sql(table: str, columns: Sequence[str] = COLUMNS) -> str:
    keys = ", ".join(columns)
    return f"SELECT size, count(*) FROM (SELECT count(*) AS size FROM {table} GROUP BY {keys}) AS c GROUP BY size"


def cases() -> dict[str, tuple[str, dict]]:
    """The table and the options of each case."""
    keys = {"quasi_identifiers": list(COLUMNS)}
    people = {"entity_id": "person"}
    return {
        "main": ("release", keys),
        "full": ("release", {**keys, "sensitive": list(SENSITIVE)}),
        "multiset": ("release", {**keys, **people}),
        "people": ("release", {**keys, **people, "sensitive": list(SENSITIVE)}),
        "wildcard": ("gaps", {**keys, "nulls": "wildcard"}),
    }


def main() -> None:
    """Run the cases, print a table, and the same as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sensitive", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--cases", default=",".join(cases()))
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--pycanon-rows", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    chosen = {name: cases()[name] for name in arguments.cases.split(",") if name}
    results = []
    with tempfile.TemporaryDirectory() as folder:
        database, spill = Path(folder) / "benchmark.duckdb", str(Path(folder) / "spill")
        in_child(make_tables, database, arguments.rows, min(arguments.rows, 1_000_000))
        for name, (table, options) in chosen.items():
            bare = [sys.executable, "-c", BARE, str(database), arguments.memory, bare_sql(table), spill]
            given = json.dumps({**options, "table": table})
            ours = [sys.executable, "-c", OURS, str(database), arguments.memory, given, spill]
            rows = arguments.rows if table == "release" else min(arguments.rows, 1_000_000)
            results.append(_compare(name, rows, arguments.repeat, bare, ours))
            print(_line(results[-1]), flush=True)
        if arguments.pycanon_rows:
            python = _environment(Path(folder) / "pycanon")
            results += _pycanon(python, database, min(arguments.rows, arguments.pycanon_rows), arguments.memory, spill)
    document = json.dumps([asdict(result) for result in results], indent=2)
    if arguments.json:
        arguments.json.write_text(document + "\n", "utf-8")
    print(document)


def _compare(name: str, rows: int, repeat: int, bare: list[str], ours: list[str]) -> Case:
    pairs = [(run(bare), run(ours)) for _ in range(repeat)]
    plain, full = (statistics.median(pair[side].seconds for pair in pairs) for side in (0, 1))
    memory = max(pair[1].megabytes for pair in pairs)
    ratio = statistics.median(pair[1].seconds / pair[0].seconds for pair in pairs)
    return Case(name, rows, round(full, 2), round(plain, 2), round(ratio, 2), TARGETS.get(name), round(memory))


def _environment(folder: Path) -> str:
    """The interpreter of a new environment that has pycanon."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "pycanon", "duckdb"], check=True)
    return python


def _pycanon(python: str, database: Path, rows: int, memory: str, spill: str) -> list[Case]:
    """pycanon and sqlrisk on the same first rows; once, since it takes minutes."""
    query = f"SELECT * FROM release LIMIT {rows}"
    keys = {"quasi_identifiers": list(FEW), "sensitive": ["diagnosis"], "query": query, "table": None}
    bare = run([sys.executable, "-c", BARE, str(database), memory, bare_sql(f"({query})", FEW), spill])
    measured: dict[str, Run] = {
        "sqlrisk beside pycanon": run([sys.executable, "-c", OURS, str(database), memory, json.dumps(keys), spill]),
        "pycanon": run([python, "-c", PYCANON, str(database), str(rows), ",".join(FEW)], MOST_SECONDS),
    }
    found = []
    for name, took in measured.items():
        ratio = round(took.seconds / bare.seconds, 2)
        found.append(
            Case(name, rows, round(took.seconds, 2), round(bare.seconds, 2), ratio, None, round(took.megabytes))
        )
        print(_line(found[-1]), flush=True)
    return found


def _line(case: Case) -> str:
    target = f"target {case.target:g} x" if case.target else ""
    return (
        f"{case.name:24} {case.rows:12,} rows {case.seconds:9.2f} s, bare {case.bare_seconds:7.2f} s: {case.ratio:7.2f} x "
        f"{target:12} {case.megabytes:8,.0f} MB"
    )


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    main()
