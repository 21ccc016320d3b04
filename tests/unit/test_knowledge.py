"""Subsets of what the attacker knows, and the scores of special uniques."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.risk import knowledge, suda
from sqlrisk.risk.knowledge import SubsetRisk
from tests.knowledge_reference import minimal_uniques


class TestBatches:
    @given(
        distinct=st.lists(st.integers(1, 1000), min_size=1, max_size=7),
        classes=st.integers(1, 10_000),
        most=st.integers(1, 20_000),
    )
    def test_each_subset_once_under_a_parent_that_holds_it(self, distinct, classes, most):
        values = dict(enumerate(distinct, start=1))
        wanted = list(knowledge.subsets(len(distinct), len(distinct)))
        planned = knowledge.batches(wanted, values, classes, most)
        assert sorted(subset for batch in planned for _, own in batch.roll_ups for subset in own) == sorted(wanted)
        for batch in planned:
            parents = [set(parent) for parent, _ in batch.roll_ups]
            assert all(small < large for large, small in zip(parents, parents[1:], strict=False))
            expected = 0
            for parent, own in batch.roll_ups:
                assert all(set(subset) <= set(parent) for subset in own)
                expected += sum(min(classes, math.prod(values[number] for number in subset)) for subset in own)
            assert expected <= most or sum(len(own) for _, own in batch.roll_ups) == 1

    def test_half_of_them_lack_the_column_with_most_values(self):
        (batch,) = knowledge.batches(list(knowledge.subsets(4, 4)), {1: 2, 2: 900, 3: 30, 4: 5}, 1000, 10**9)
        assert [(parent, len(own)) for parent, own in batch.roll_ups] == [
            ((1, 2, 3, 4), 8),
            ((1, 3, 4), 4),
            ((1, 4), 2),
            ((1,), 1),
        ]

    def test_numbers_of_subsets(self):
        assert knowledge.count_of_subsets(12, 12) == 4095
        assert knowledge.count_of_subsets(5, 2) == 15


def of(uniques: int, classes: int = 3, at_risk: int = 4) -> SubsetRisk:
    return SubsetRisk(10, classes, uniques, 34, 1, 5, at_risk)


class TestContributions:
    RISKS = {(1,): of(1, 2, 0), (2,): of(3, 4, 6), (1, 2): of(7, 8, 9)}

    def test_by_hand(self):
        """Knowing nothing: one class of 10. Column 1: alone +.1, after column 2 +.4; column 2: +.3 and +.6."""
        found = knowledge.contributions(self.RISKS, 2, knowledge.nothing_known(10, 5))
        assert found[1]["uniqueness"] == pytest.approx(0.25)
        assert found[2]["uniqueness"] == pytest.approx(0.45)
        assert found[1]["average_risk"] == pytest.approx((0.1 + 0.4) / 2)

    @given(st.data())
    def test_they_sum_to_what_all_of_them_give(self, data):
        columns = data.draw(st.integers(1, 5))
        most = data.draw(st.integers(1, columns))
        risks = {
            subset: of(data.draw(st.integers(0, 10)), data.draw(st.integers(1, 10)), data.draw(st.integers(0, 10)))
            for subset in knowledge.subsets(columns, most)
        }
        empty = knowledge.nothing_known(10, 5)
        found = knowledge.contributions(risks, columns, empty)
        largest = [risk for subset, risk in risks.items() if len(subset) == most]
        for measure in knowledge.MEASURES:
            mean = sum(getattr(risk, measure) for risk in largest) / len(largest)
            total = sum(values[measure] for values in found.values())
            assert total == pytest.approx(mean - getattr(empty, measure), abs=1e-12)


class TestScores:
    ROWS = [(2, 0, 0), (1, 3, 6), (1, 0, 0)]

    def test_the_fixture_of_the_contributions(self):
        found = minimal_uniques(self.ROWS)
        on = {}
        for subsets in found:
            for subset in subsets:
                key = tuple(at + 1 for at in subset)
                on[key] = on.get(key, 0) + 1
        shares = suda.contributions(on, suda.suda_weights(3, 3), 3)
        assert shares == {1: 0.5, 2: 0.375, 3: 0.375}

    def test_weights(self):
        assert suda.suda_weights(4, 4) == [6, 2, 1, 1]
        expected = [
            (2 ** (4 - k) - 1) * math.factorial(k) * math.factorial(4 - k) / math.factorial(4) for k in (1, 2, 3, 4)
        ]
        assert suda.ihsn_weights(4, 4) == pytest.approx(expected)

    def test_no_pair_means_that_every_match_is_right(self):
        assert suda.dis_suda([(6.0, 2), (2.0, 1)], 0, 0.01, 4) == [(1.0, 2), (1.0, 1)]

    def test_through_sqlrisk(self, tmp_path):
        path = tmp_path / "rows.csv"
        path.write_text("a,b,c\n" + "".join(",".join(map(str, row)) + "\n" for row in self.ROWS))
        result = sqlrisk.sweep(path, quasi_identifiers=["a", "b", "c"], minimal_uniques=True)
        assert [item.suda for item in result.minimal_uniques.contributions] == [0.5, 0.375, 0.375]
        assert result.minimal_uniques.dis_suda is None
        assert "sampling fraction" in result.minimal_uniques.reasons["minimal_uniques.dis_suda"]


def test_the_toy_of_five_records(tmp_path):
    """Two states of three people and two: distinction and separation of single columns, and of all pairs."""
    path = tmp_path / "toy.csv"
    rows = [("20", "F", "CA"), ("20", "M", "CA"), ("30", "F", "CA"), ("40", "M", "NY"), ("40", "M", "TX")]
    path.write_text("age,sex,state\n" + "".join(",".join(row) + "\n" for row in rows))
    result = sqlrisk.sweep(path, quasi_identifiers=["age", "sex", "state"])
    single = {item.columns[0]: (item.distinction, item.separation) for item in result.subsets if len(item.columns) == 1}
    assert single == {"age": (0.6, 0.8), "sex": (0.4, 0.6), "state": (0.6, 0.7)}
    assert sum(item.columns == ["age", "sex", "state"] for item in result.subsets) == 1


def test_every_pair_is_a_combination():
    assert list(knowledge.subsets(3, 2)) == [(1,), (2,), (3,), *combinations((1, 2, 3), 2)]
