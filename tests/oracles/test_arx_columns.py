"""Distinction and separation of single columns against ARX 3.9.2, which leaves out the records that are `*` in the column."""

from __future__ import annotations

import pytest

import sqlrisk
from tests.oracles.test_arx import FILES

COLUMNS = 29  # over all runs


def singles(run: dict) -> dict[str, dict]:
    return {item["qi"][0]: item for item in run["attributeRisks"] if len(item["qi"]) == 1}


def test_distinction_and_separation(oracles):
    compared = 0
    for run in oracles.load("arx.json")["runs"]:
        source = oracles.data(FILES.get(run["file"], run["file"]))
        for column, expected in singles(run).items():
            result = sqlrisk.columns(source, quasi_identifiers=[column], where=f"\"{column}\" is distinct from '*'")
            (found,) = result.columns
            assert found.distinction == pytest.approx(expected["distinction"], rel=1e-12), (run["id"], column)
            assert found.separation == pytest.approx(expected["separation"], rel=1e-12, abs=1e-15), (run["id"], column)
            compared += 1
    assert compared == COLUMNS


def test_all_columns_at_once(oracles):
    """The figures of a column do not hang on the others."""
    (run,) = [item for item in oracles.load("arx.json")["runs"] if item["id"] == "adult_5"]
    found = {item.column: item for item in sqlrisk.columns(oracles.data(run["file"])).columns}
    for column, expected in singles(run).items():
        assert found[column].distinction == pytest.approx(expected["distinction"], rel=1e-12)
        assert found[column].separation == pytest.approx(expected["separation"], rel=1e-12)


def test_a_missing_value_is_a_value(oracles):
    """ARX counts an empty field as a value of its own, in distinction and in separation."""
    (run,) = [item for item in oracles.load("arx.json")["runs"] if item["id"] == "nulls_a"]
    (found,) = sqlrisk.columns(
        oracles.data(run["file"]), quasi_identifiers=["a"], where="a is distinct from '*'"
    ).columns
    assert found.missing > 0
    assert found.distinction == pytest.approx((found.distinct + 1) / found.records)
    assert found.distinction == pytest.approx(singles(run)["a"]["distinction"])
