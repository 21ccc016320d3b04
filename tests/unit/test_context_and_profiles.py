"""Precedents, attempts in context, earlier releases and agreements: figures of formulas.md, section H, and hand-made ones."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pandas
import pytest

import sqlrisk
from sqlrisk.profiles import PROFILES
from sqlrisk.risk.context import knows_one

SIZES = {5: 10, 10: 15}  # 200 records, highest 1/5, average 25/200


class TestContext:
    def test_the_published_value(self):
        assert knows_one(0.01) == pytest.approx(0.7785, abs=5e-5)
        assert (knows_one(0.0), knows_one(1.0), knows_one(0.5, 1)) == (0, 1, 0.5)

    def test_each_attempt_beside_each_risk(self):
        context = {
            "deliberate": "0.4",
            "prevalence": 0.01,
            "breach": "1/5",
            "public": True,
            "justification": "a survey",
        }
        found = sqlrisk.estimate(SIZES, attackers=["prosecutor"], context=context).context
        assert [item.kind for item in found.attempts] == ["deliberate", "acquaintance", "breach", "public"]
        assert [item.highest_risk for item in found.adjusted] == pytest.approx([0.08, 0.1557, 0.04, 0.2], abs=5e-5)
        assert [item.average_risk for item in found.adjusted] == pytest.approx([0.05, 0.0973, 0.025, 0.125], abs=5e-5)

    def test_limits_are_judged_on_the_risk_itself(self):
        context = {"deliberate": 0.01, "justification": "hardly anybody"}
        result = sqlrisk.estimate(SIZES, attackers=["prosecutor"], max_highest_risk="1/10", context=context)
        assert result.context.adjusted[0].highest_risk == pytest.approx(0.002)
        assert result.verdict.passed is False

    def test_what_is_not_known_stays_unknown(self):
        context = {"deliberate": 0.5, "justification": "x"}
        found = sqlrisk.estimate(SIZES, context=context).context.adjusted
        unknown = next(item for item in found if item.attacker == "journalist")
        assert unknown.highest_risk is None and unknown.average_risk is None
        assert "population is not known" in unknown.reason

    @pytest.mark.parametrize(
        ("context", "said"),
        [
            ({"deliberate": 0.5}, "needs a justification"),
            ({"justification": "x"}, "no probability of an attempt"),
            ({"public": False, "justification": "x"}, "no probability of an attempt"),
            ({"deliberate": 1.5, "justification": "x"}, "deliberate"),
            ({"prevalence": -0.1, "justification": "x"}, "prevalence"),
            ({"deliberate": 0.5, "justification": "  "}, "justification"),
            ({"deliberat": 0.5, "justification": "x"}, "did you mean `deliberate`"),
        ],
    )
    def test_refused(self, context, said):
        with pytest.raises(sqlrisk.RequestError, match=said):
            sqlrisk.estimate(SIZES, context=context)


class TestProfiles:
    HIGHEST = {"k3": 3, "k5": 5, "ema-0070": 11, "health-canada-prci": 11, "us-public": 11, "strict-public": 20}

    def test_the_published_ones(self):
        assert set(PROFILES) == {*self.HIGHEST, "competition", "strict-average"}
        for name, size in self.HIGHEST.items():
            assert PROFILES[name].highest == Fraction(1, size)
        assert PROFILES["competition"].average == Fraction(1, 20)
        assert all(item.source for item in PROFILES.values())

    @pytest.mark.parametrize("name", HIGHEST)
    def test_a_smallest_class(self, name):
        size = self.HIGHEST[name]
        for smallest, passed in ((size, True), (size - 1, False)):
            result = sqlrisk.estimate({smallest: 1, 40: 3}, profile=name)
            assert result.verdict.passed is passed
            assert result.prosecutor.classes_smaller_than == size
            assert result.verdict.profile.startswith(f"{name}: ")

    def test_competition_is_an_average(self):
        assert sqlrisk.estimate({1: 1, 39: 1}, profile="competition").verdict.passed is True  # 2/40
        assert sqlrisk.estimate({1: 1, 38: 1}, profile="competition").verdict.passed is False  # 2/39

    def test_strict_average(self):
        """Average at most the threshold, and nobody above one half."""
        assert (
            sqlrisk.estimate({2: 2, 36: 1}, profile="strict-average", threshold="1/10").verdict.passed is True
        )  # 3/40
        assert (
            sqlrisk.estimate({2: 4, 32: 1}, profile="strict-average", threshold="1/10").verdict.passed is False
        )  # 5/40
        assert sqlrisk.estimate({1: 1, 39: 1}, profile="strict-average", threshold="1/10").verdict.passed is False  # 1
        with pytest.raises(sqlrisk.RequestError, match="add `threshold`"):
            sqlrisk.estimate({2: 2}, profile="strict-average")

    def test_the_policy_s_own_values_stand_and_are_told(self):
        result = sqlrisk.estimate({4: 9}, profile="k5", attackers=["prosecutor"], max_highest_risk="1/4")
        assert result.verdict.passed is True
        assert any("allows more than the profile k5" in text for text in result.warnings)
        result = sqlrisk.estimate({4: 9}, profile="k3", attackers=["prosecutor"], max_highest_risk="1/5")
        assert result.verdict.passed is False and result.warnings == []

    def test_a_marketer_has_no_highest_risk(self):
        with pytest.raises(sqlrisk.RequestError, match="name a prosecutor or a journalist"):
            sqlrisk.estimate(SIZES, profile="k5", attackers=["marketer"])
        with pytest.raises(sqlrisk.RequestError, match="did you mean `k5`"):
            sqlrisk.estimate(SIZES, profile="k55")


class TestPrevious:
    @pytest.fixture
    def database(self, tmp_path: Path):
        import duckdb

        with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
            connection.execute("CREATE TABLE now AS SELECT 'F' AS sex, i AS member FROM range(9) AS r(i)")
            connection.execute("CREATE TABLE before AS SELECT * FROM now")
        return tmp_path / "x.duckdb"

    def policy(self, tmp_path: Path, previous: str) -> Path:
        text = f"version: 1\nrelease:\n  table: now\n  quasi_identifiers: [sex]\n  previous: {previous}\n"
        (tmp_path / "p.yml").write_text(text)
        return tmp_path / "p.yml"

    def test_it_is_on_record_and_told(self, database, tmp_path):
        result = sqlrisk.assess(database, policy=self.policy(tmp_path, "[{table: before, link_id: member}]"))
        assert [(item.table, item.link_id) for item in result.release.previous] == [("before", "member")]
        assert dict(result.composition.linkable.class_sizes) == {9: 1}
        assert "before" in result.to_text().split("Earlier releases")[1].split("\n\n")[0]

    @pytest.mark.parametrize(
        ("previous", "said"),
        [
            ("[{table: befor, link_id: member}]", "there is no table or view `befor`: did you mean `before`"),
            ("[{table: before, link_id: membr}]", "link id `membr` is not a column of now"),
            ("[{table: before}]", "p.yml, line"),
            ("[before]", "p.yml, line"),
        ],
    )
    def test_refused(self, database, tmp_path, previous, said):
        with pytest.raises(sqlrisk.RequestError) as problem:
            sqlrisk.assess(database, policy=self.policy(tmp_path, previous))
        assert said in str(problem.value)


class TestAgreement:
    @pytest.mark.parametrize("value", [0, 1.5, True, "soon", "2026-13-01", "2026-01-01T10:00:00"])
    def test_what_is_no_date(self, value):
        with pytest.raises(sqlrisk.RequestError, match="valid_until"):
            sqlrisk.estimate(SIZES, agreement={"valid_until": value})

    def test_dates(self):
        today = date.today()
        for dates, said in (
            ({"valid_until": today - timedelta(days=2)}, "ended"),
            ({"valid_from": today + timedelta(days=2)}, "begins"),
            ({"valid_from": today - timedelta(days=2), "valid_until": today + timedelta(days=2)}, None),
        ):
            result = sqlrisk.estimate(SIZES, agreement={key: str(value) for key, value in dates.items()})
            assert [text for text in result.warnings if "agreement" in text] == (
                [text for text in result.warnings if said in text] if said else []
            )
            assert bool(said) == any("agreement" in text for text in result.warnings)


class TestFingerprint:
    FRAME = pandas.DataFrame({"sex": ["F", "F"], "age": [1, 2]})

    def of(self, **options):
        return sqlrisk.assess(self.FRAME, **options).policy.fingerprint

    def test_it_hangs_on_what_is_decided_and_not_on_how_it_is_spelled(self):
        base = self.of(quasi_identifiers=["sex", "age:band=5"], threshold="1/5")
        assert base == self.of(quasi_identifiers=["sex", sqlrisk.band("age", 5)], threshold="0.2")
        assert base == self.of(quasi_identifiers=["sex", "age:band=5"], threshold="1/5", max_rows=500, timeout=60)
        for other in (
            {"quasi_identifiers": ["sex", "age:band=10"], "threshold": "1/5"},
            {"quasi_identifiers": ["sex", "age:band=5"], "threshold": "1/6"},
            {"quasi_identifiers": ["sex", "age:band=5"], "threshold": "1/5", "min_k": 2},
            {"quasi_identifiers": ["sex", "age:band=5"], "threshold": "1/5", "justification": "other"},
            {"quasi_identifiers": ["sex", "age:band=5"], "threshold": "1/5", "where": "age > 0"},
        ):
            assert self.of(**other) != base, other

    def test_maps_count_by_what_they_hold(self, tmp_path):
        found = []
        for name, text in (
            ("a.csv", "value,group\nF,x\n"),
            ("b.csv", "value,group\nF,x\n"),
            ("c.csv", "value,group\nF,y\n"),
        ):
            (tmp_path / name).write_text(text)
            found.append(self.of(quasi_identifiers=[f"sex:map={tmp_path / name}"]))
        assert found[0] == found[1] != found[2]
