"""Sensitive columns against textbook values on published files, and against the slow version in every other figure.

The oracle's recursive c is at the l of distinct l-diversity; its enhanced beta is that of other tools, which differs.
"""

from __future__ import annotations

import csv
import math

import pytest

import sqlrisk
from tests.sensitive_reference import Column, differences, measure

RUNS = ("tiny", "tiny_num", "mid_1sa", "mid_num", "hospital", "math_k5", "drug_k5", "stroke_k25", "adult_k10")
NUMERIC = ("tiny_num", "mid_num", "math_k5")
LIMITS = {
    "min_l": ("l_distinct", 3),
    "min_entropy_l": ("l_entropy", 2.5),
    "max_recursive_c": ("recursive_c", 3),
    "max_t": ("t_closeness", 0.2),
    "max_alpha": ("alpha", 0.6),
    "max_beta": ("basic_beta", 1),
    "max_delta_disclosure": ("delta_disclosure", 1),
}


@pytest.fixture
def get(oracles):
    """(what the oracle says, the file, the sensitive column) of a run."""

    def find(name: str):
        run = oracles.load("sensitive.json")[name]
        (column,) = run["sensitive"]
        return run, oracles.data(run["csv"]), Column(column, "numeric" if name in NUMERIC else "categorical")

    return find


def read(path) -> list[dict]:
    """A CSV of texts; the empty field is the missing value."""
    with path.open(newline="", encoding="utf-8") as lines:
        return [{name: value or None for name, value in row.items()} for row in csv.DictReader(lines)]


def test_every_run_is_tested(oracles):
    assert tuple(oracles.load("sensitive.json")) == RUNS


@pytest.mark.parametrize("name", RUNS)
def test_textbook_values(get, name: str):
    run, file, sensitive = get(name)
    result = sqlrisk.assess(
        file,
        quasi_identifiers=run["quasi_identifiers"],
        sensitive=[f"{sensitive.name}:{sensitive.kind}"],
        recursive_l=run["l_distinct"],
    )
    assert (result.release.records, result.classes, result.smallest_class) == (
        run["rows"],
        run["classes"],
        run["smallest_class"],
    )
    assert {str(size): count for size, count in result.class_sizes.pairs} == run["class_sizes"]
    assert result.sample_uniques.records == run["sample_uniques"]
    assert result.prosecutor.average_risk == pytest.approx(run["average_record_risk"], rel=1e-12)
    found = result.sensitive[sensitive.name]
    for figure in ("l_distinct", "l_entropy", "alpha", "basic_beta", "t_closeness", "delta_disclosure_present_only"):
        assert getattr(found, figure) == pytest.approx(run[figure], rel=1e-9), figure
    assert found.recursive_c == pytest.approx(run["recursive_c_at_l"], rel=1e-9)
    assert math.isinf(found.delta_disclosure) == run["delta_disclosure_strict_is_infinite"]
    if math.isfinite(found.delta_disclosure):
        assert found.delta_disclosure == pytest.approx(found.delta_disclosure_present_only, rel=1e-12)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("sensitive_nulls", ["value", "ignore"])
def test_every_figure_is_that_of_the_slow_version(get, name: str, sensitive_nulls: str):
    run, file, sensitive = get(name)
    result = sqlrisk.assess(
        file,
        quasi_identifiers=run["quasi_identifiers"],
        sensitive=[f"{sensitive.name}:{sensitive.kind}"],
        sensitive_nulls=sensitive_nulls,
        **{option: bound for option, (_, bound) in LIMITS.items()},
    )
    expected = measure(
        read(file), run["quasi_identifiers"], sensitive, sensitive_nulls=sensitive_nulls, limits=dict(LIMITS.values())
    )
    assert differences(result.sensitive[sensitive.name], expected) == {}
    reason = f"sensitive.{sensitive.name}.enhanced_beta"
    assert (reason in result.reasons) == (expected.enhanced_beta is None)


def test_enhanced_beta_is_that_of_other_tools_where_it_is_attainable(get):
    """They print min(beta, the largest -ln p), which is the basic beta where that is smaller."""
    attainable = 0
    for name in RUNS:
        run, file, sensitive = get(name)
        ((_, theirs),) = run["per_sensitive"].items()
        result = sqlrisk.assess(
            file, quasi_identifiers=run["quasi_identifiers"], sensitive=[f"{sensitive.name}:{sensitive.kind}"]
        )
        ours = result.sensitive[sensitive.name].enhanced_beta
        if ours is not None:
            attainable += 1
            assert ours == pytest.approx(theirs["enhanced_beta_pycanon"], rel=1e-9), name
    assert attainable


def test_three_columns_at_once(oracles):
    """Each is measured as if it were alone, in the order given, in one statement."""
    file = oracles.data("mid3sa.csv")
    columns = ["s3:numeric", "s1", "s2:ordered"]
    together = sqlrisk.assess(file, quasi_identifiers=["q1", "q2", "q3"], sensitive=columns)
    assert list(together.sensitive) == ["s3", "s1", "s2"]
    assert sum(not query.look_up for query in together.queries) == 1
    for column in columns:
        name = column.partition(":")[0]
        alone = sqlrisk.assess(file, quasi_identifiers=["q1", "q2", "q3"], sensitive=[column])
        assert alone.sensitive == {name: together.sensitive[name]}
