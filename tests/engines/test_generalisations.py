"""Every generalisation against groups worked out by hand: on PostgreSQL, and as BigQuery's language on GoogleSQL.

DuckDB's are in tests/sql. The BigQuery emulator, which casts decimals in its own way, is no judge of the language.
"""

from __future__ import annotations

import pytest

import sqlrisk
from tests.engines import contract
from tests.generalisation_cases import CASES, Case

LEFT_OUT = {("postgres", "normalise_all"): "lower() of a database with ctype C folds ASCII alone"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("name", ["postgres", "googlesql"])
def test_groups(name: str, case: Case):
    if reason := LEFT_OUT.get((name, case.name)):
        pytest.skip(f"{name}: {reason}")
    engine = contract.start(name)
    query = case.rows_sql("postgres" if name == "postgres" else "bigquery")
    options = {"query": query, "quasi_identifiers": [case.quasi_identifier], "unparseable": "null"}
    if case.mapping is not None and case.unconverted:
        with pytest.raises(sqlrisk.MeasurementError, match=f"{len(case.unconverted)} values? of `x` .* not in its map"):
            sqlrisk.assess(engine.source(), **options)
        return
    result = sqlrisk.assess(engine.source(), **options)
    assert dict(result.class_sizes.pairs) == case.sizes
    assert sum(result.release.unparseable.values()) == len(case.unconverted)
