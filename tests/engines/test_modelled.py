"""A population model on every engine: what the slow version computes, and values of every kind as a file gives them."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

import pytest

import sqlrisk
from tests.engines import contract
from tests.engines.contract import Table
from tests.modelled_reference import Frequency, measure, records
from tests.unit.test_modelled import POPULATION, check, write

ENGINES = list(contract.CLASSES)


def tables(missing: bool) -> list[Frequency]:
    """Two tables, with a value that the release lacks, without one that it has; and with a missing one."""
    draw = random.Random(3)
    pairs = [(a, b) for a in ("x", "y", "w", *([None] if missing else [])) for b in (1, 2, 7, 11)]
    shares = [draw.random() for _ in pairs]
    first = Frequency(("a", "b"), tuple((pair, share / sum(shares)) for pair, share in zip(pairs, shares, strict=True)))
    return [first, Frequency(("c",), (((True,), 0.25), ((False,), 0.5)))]


@pytest.mark.parametrize("nulls", ["value", "exclude", "wildcard"])
@pytest.mark.parametrize("name", ENGINES)
def test_files(name, nulls, tmp_path):
    engine, draw = contract.start(name), random.Random(1)
    rows = [
        {
            "a": draw.choice(["x", "x", "y", "z", None]),
            "b": draw.choice([1, 2, 7, 7, 11, None]),
            "c": draw.choice([True, False, None]),
        }
        for _ in range(60)
    ]
    engine.load(
        Table("release", [("a", "text"), ("b", "integer"), ("c", "boolean")], [tuple(r.values()) for r in rows])
    )
    model = tables(missing=nulls != "wildcard")
    found = sqlrisk.assess(
        engine.source(),
        table="release",
        quasi_identifiers=["a", "b:band=5", "c"],
        nulls=nulls,
        population_model=write(tmp_path, model),
        population_size=POPULATION,
    )
    expected = records(rows, "abc", model, nulls, {"b": lambda b: b // 5 * 5})
    check(found, measure(expected, POPULATION), len(expected), nulls != "wildcard")


@pytest.mark.parametrize("name", ENGINES)
def test_a_table_and_a_file(name, tmp_path):
    engine = contract.start(name)
    engine.load(Table("release", [("a", "text"), ("b", "integer")], [("x", 1), ("x", 2), ("y", 2), ("q", 1)]))
    shares = [("x", 0.125, "n"), ("x", 0.25, "s"), ("y", 0.5, "n"), (None, 0.125, "n")]
    engine.load(Table("letters", [("letter", "text"), ("share", "float"), ("region", "text")], shares))
    (tmp_path / "b.csv").write_text("b,frequency\n1,0.75\n2,0.25\n")
    listed = "tables:\n- {table: letters, columns: {a: letter}, frequency: share}\n- file: b.csv\n"
    (tmp_path / "m.yaml").write_text(listed)
    found = sqlrisk.assess(
        engine.source(),
        table="release",
        quasi_identifiers=["a", "b"],
        population_model=tmp_path / "m.yaml",
        population_size=POPULATION,
    )
    model = [
        Frequency(("a", "region"), tuple(((a, region), share) for a, share, region in shares)),
        Frequency(("b",), (((1,), 0.75), ((2,), 0.25))),
    ]
    rows = [{"a": "x", "b": 1}, {"a": "x", "b": 2}, {"a": "y", "b": 2}, {"a": "q", "b": 1}]
    check(found, measure(records(rows, "ab", model), POPULATION), 4)
    assert found.population.model == ["letters", "b.csv"]


KINDS = {
    "text": (["é", "e", " ", None], ["é", "e", '" "', ""]),
    "integer": ([2**53 + 1, -5, 0, None], ["9007199254740993", "-05", "+0", ""]),
    "decimal": ([Decimal("1.50"), Decimal("-0.25"), Decimal("10"), None], ["1.5", "-.25", "10.000", ""]),
    "float": ([0.1, 1e300, -2.5, None], ["0.1", "1E300", "-2.50", ""]),
    "boolean": ([True, False, None], ["TRUE", "0", ""]),
    "date": ([dt.date(2024, 2, 29), dt.date(1969, 12, 31), None], ["2024-02-29", "19691231", ""]),
    "timestamp": (
        [dt.datetime(2024, 1, 1, 10), dt.datetime(2024, 1, 1, 10, 0, 0, 1), None],
        ["2024-01-01T10:00", "2024-01-01 10:00:00.000001", ""],
    ),
    "timestamptz": (
        [dt.datetime(2024, 1, 1, tzinfo=dt.UTC), dt.datetime(2023, 12, 31, 23, tzinfo=dt.UTC), None],
        ["2024-01-01 01:00+01:00", "2023-12-31T23:00", ""],
    ),
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("kind", KINDS)
def test_values_of_every_kind_meet_what_the_file_says(name, kind, tmp_path):
    values, texts = KINDS[kind]
    engine = contract.start(name)
    engine.load(Table("release", [("q", kind)], [(value,) for value in values]))
    shares = [0.1 * (1 + at) for at in range(len(texts))]
    lines = [f"{text},{share}" for text, share in zip(texts, shares, strict=True)]
    (tmp_path / "m.csv").write_text("q,frequency\n" + "\n".join(lines) + "\n")
    for used in (values, values[:1]):
        engine.load(Table("release", [("q", kind)], [(value,) for value in used]))
        found = sqlrisk.assess(
            engine.source(),
            table="release",
            quasi_identifiers=["q"],
            population_model=tmp_path / "m.csv",
            population_size=1000,
        )
        assert found.population.not_in_population.records == 0
        assert found.population.k_map.smallest_expected == pytest.approx(100)
