"""``--weight`` and ``--household``: what they print, and the one line of each error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Place, Run, Server, Sources
from tests.engines import contract
from tests.survey_reference import household_risk, individual_risk

ROWS = [("F", "30", "2.5", "1"), ("F", "30", "3.5", "1"), ("M", "30", "4", "2"), ("M", "40", "0.5", "2")]


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """A survey as a CSV, with other rows added."""

    def write(*more: tuple[str, str, str, str]) -> Path:
        path = tmp_path / "survey.csv"
        path.write_text("\n".join(",".join(row) for row in [("sex", "age", "w", "home"), *ROWS, *more]) + "\n")
        return path

    return write


BOTH = ["-q", "sex", "-q", "age", "--weight", "w", "--household", "home"]


def test_the_document(run: Callable[..., Run], file: Callable[..., Path]):
    done = run("assess", file(), *BOTH, "--format", "json")
    assert done.code == 0
    document = json.loads(done.out)
    two, one = individual_risk(2, 6), individual_risk(1, 4)
    households = [household_risk([two, two]), 1.0]
    assert document["survey"] == {
        "weight": "w",
        "household": "home",
        "population": 10.5,
        "weights_below_one": 1,
        "global_risk": pytest.approx((2 * two + one + 1) / 4, rel=1e-9),
        "expected_reidentifications": pytest.approx(2 * two + one + 1, rel=1e-9),
        "highest_risk": 1.0,
        "household_global_risk": pytest.approx(sum(households) / 2, rel=1e-9),
        "household_expected_reidentifications": pytest.approx(2 * sum(households), rel=1e-9),
        "reason": None,
    }
    (warning,) = [text for text in document["warnings"] if "below 1" in text]
    assert warning.startswith("1 record with a weight below 1")


def test_without_a_weight_there_is_no_such_part(run: Callable[..., Run], file: Callable[..., Path]):
    assert "survey" not in json.loads(run("assess", file(), "-q", "sex", "--format", "json").out)


@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_the_report_shows_it(run: Callable[..., Run], file: Callable[..., Path], format: str):
    done = run("assess", file(), *BOTH, "--format", format)
    assert done.code == 0
    assert "Global risk" in done.out and "By household" in done.out


def test_names_are_found_whatever_their_case(run: Callable[..., Run], file: Callable[..., Path]):
    done = run("assess", file(), "-q", "sex", "--weight", "W", "--household", "HOME", "--format", "json")
    assert (json.loads(done.out)["survey"]["weight"], json.loads(done.out)["survey"]["household"]) == ("w", "home")


def test_every_kind_of_source(run: Callable[..., Run], place: Place):
    """The claims' `paid` is a text in the CSV, and a decimal elsewhere."""
    arguments = [*place.arguments, "-q", "sex", "-q", "zip", "--weight", "paid", "--household", "member_id"]
    survey = json.loads(run("assess", *arguments, "--format", "json").out)["survey"]
    assert survey["population"] == pytest.approx(sum(member * 200 + 1 for member in range(1, 31)) - 101, rel=1e-12)
    assert 0 < survey["global_risk"] < survey["household_global_risk"] < 1


class TestErrors:
    @pytest.fixture
    def bad(self, refused: Callable[..., str]) -> Callable[..., str]:
        return lambda code, *arguments: refused(code, "assess", *arguments)

    def test_a_column_that_is_not_there(self, bad, place: Place):
        arguments = [*place.arguments, "-q", "sex"]
        line = bad(2, *arguments, "--weight", "payd")
        assert "weight `payd` is not a column" in line and "did you mean `paid`?" in line
        line = bad(2, *arguments, "--weight", "paid", "--household", "memberid")
        assert "household `memberid` is not a column" in line and "did you mean `member_id`?" in line

    def test_a_weight_that_is_no_number(self, bad, sources: Sources, pg: Server):
        for source in ([sources.parquet], [pg.url, "--table", pg.table()]):
            line = bad(2, *source, "-q", "sex", "--weight", "admitted")
            assert line.startswith("weight `admitted` has the type") and "is no number" in line

    def test_a_household_that_cannot_be_grouped(self, bad, sources: Sources):
        arguments = [sources.database, "--table", "odd", "-q", "weight", "--weight", "weight"]
        line = bad(2, *arguments, "--household", "address")
        assert "household `address` has the type" in line and "cannot be grouped" in line

    def test_a_household_without_a_weight(self, bad, file):
        assert "give --weight too" in bad(2, file(), "-q", "sex", "--household", "home")

    def test_people_by_distinct_tuples(self, bad, file):
        people = ["--entity-id", "home", "--entity-counting", "distinct"]
        line = bad(2, file(), "-q", "sex", "--weight", "w", *people)
        assert "--weight" in line and "distinct" in line and "count multisets" in line

    @pytest.mark.parametrize(
        ("row", "line"),
        [
            (("F", "1", "", "9"), "1 row of the release without a weight (`w`): leave them out with --where"),
            (("F", "1", "0", "9"), "1 row of the release with a weight (`w`) of zero or below"),
            (("F", "1", "-2", "9"), "1 row of the release with a weight (`w`) of zero or below"),
            (("F", "1", "many", "9"), "1 value of the weight `w` not convertible to a number: correct them"),
            (("F", "1", "NaN", "9"), "1 value of the weight `w` not convertible to a number"),
            (("F", "1", "1e3", "9"), "1 value of the weight `w` not convertible to a number"),
            (("F", "1", "2", ""), "1 row of the release without a household (`home`): who lives together is not known"),
        ],
    )
    def test_what_cannot_be_used(self, bad, run, file, row: tuple[str, str, str, str], line: str):
        said = bad(3, file(row), *BOTH)
        assert said.startswith(line) and "--where" in said
        assert "many" not in said, "the value itself must not be shown"
        assert run("assess", file(row), *BOTH, "--where", "age <> '1'").code == 0

    def test_weights_that_do_not_convert_are_never_left_out(self, bad, file):
        row = ("F", "1", "many", "9")
        line = bad(3, file(row, row, ("F", "1", "", "9")), *BOTH, "--unparseable", "null")
        assert line.startswith("3 rows of the release without a weight (`w`)")

    def test_people_with_several_weights_or_households(self, bad, file):
        people = ["-q", "sex", "--weight", "w", "--entity-id", "home"]
        line = bad(3, file(), *people)
        assert line.startswith("2 people with rows of different weights (`w`): a person has one weight")
        line = bad(3, file(), "-q", "sex", "--weight", "age", "--household", "w", "--entity-id", "age")
        assert line.startswith("1 person with rows of different households (`w`): a person has one household")


class TestSql:
    @pytest.mark.parametrize("dialect", ["duckdb", "postgres", "bigquery", "spark"])
    def test_it_is_printed(self, run: Callable[..., Run], dialect: str):
        done = run("sql", "--dialect", dialect, "--table", "t", *BOTH)
        assert done.code == 0
        assert "'survey'" in done.out and "'households'" in done.out
        assert "-- types were not looked up: `w` is taken to be float" in done.out

    def test_of_a_file(self, run: Callable[..., Run], file: Callable[..., Path]):
        assert "'survey'" in run("sql", file(), *BOTH).out


def test_a_policy_file(run: Callable[..., Run], file: Callable[..., Path], tmp_path: Path):
    policy = tmp_path / "policy.yml"
    policy.write_text("version: 1\nrelease: {quasi_identifiers: [sex, age], weight: w, household: home}\n")
    by_options = json.loads(run("assess", file(), *BOTH, "--format", "json").out)["survey"]
    by_policy = json.loads(run("assess", file(), "--policy", policy, "--format", "json").out)["survey"]
    contract.assert_same(by_policy, by_options)
