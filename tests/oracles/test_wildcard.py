"""Missing values that match anything, against the runs of ARX 3.9.2 and sdcMicro 5.8 on the same files.

ARX takes ``*`` as what matches anything, a missing value as a text, and drops the records that are ``*`` in every column;
in these runs it counts by the threshold that it shows (``effectiveThreshold``). sdcMicro's sizes are those with alpha = 1.
In a file with records without any key, sdcMicro counts complete records among the matches of these, but not the other
way round; the tests put that right. Left out: its alpha = 0, its l-diversity (of the classes alone, not of the matches).
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

import sqlrisk
from tests.sensitive_reference import Column, differences, match_sizes, measure, select

ARX = ("qi5", "test", "test2", "nulls_abc", "nulls_a", "wild1", "wild2", "adult_subset_4", "adult_3")
FILES = {"test.csv": "arx_test.csv", "test2.csv": "arx_test2.csv"}
SDCMICRO = ("francdat_na_alpha1", "testdata_na_7_alpha1", "testdata_na_2key_alpha1")


@pytest.fixture
def arx(oracles, tmp_path):
    """(run, file) of a run; in the file a missing value is a text, as it is for ARX."""
    runs = {run["id"]: run for run in oracles.load("arx.json")["runs"]}

    def get(name: str) -> tuple[dict, Path]:
        run = runs[name]
        source, target = oracles.data(FILES.get(run["file"], run["file"])), tmp_path / "arx.csv"
        with source.open(encoding="utf-8", newline="") as rows, target.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, delimiter=run["separator"])
            writer.writerows(
                [value or "nothing" for value in row] for row in csv.reader(rows, delimiter=run["separator"])
            )
        return run, target

    return get


def test_every_run_is_tested(oracles):
    runs = oracles.load("arx.json")["runs"]
    assert tuple(run["id"] for run in runs if run.get("wildcard")) == ARX
    found = oracles.load("sdcmicro.json")
    with_missing = [n for n, run in found.items() if isinstance(run, dict) and run.get("n_rows_with_NA_key")]
    assert sorted(with_missing) == sorted([*SDCMICRO, "testdata_na_7_alpha0"])


@pytest.mark.parametrize("name", ARX)
def test_risks_of_arx(arx, name: str):
    run, file = arx(name)
    for expected in run["wildcard"]:
        k = round(1 / expected["effectiveThreshold"])
        options = {"quasi_identifiers": run["qis"], "nulls": "wildcard", "suppressed": "*"}
        result = sqlrisk.assess(file, threshold=f"1/{k}", **options)
        risk = result.prosecutor
        assert result.release.records == run["numRecords"]
        assert result.release.suppressed_records == run["rows"] - run["numRecords"]
        assert risk.highest_risk == pytest.approx(expected["highestRisk"], rel=1e-12)
        assert risk.lowest_risk == pytest.approx(expected["lowestRisk"], rel=1e-12)
        assert risk.average_risk == pytest.approx(expected["averageRisk"], rel=1e-12)
        assert risk.share_at_risk == pytest.approx(expected["recordsAtRisk"], rel=1e-12)
        assert risk.records_at_risk == sum(records for size, records in result.record_sizes.pairs if size < k)


@pytest.mark.parametrize("name", ARX)
def test_sizes_of_the_files_of_arx(arx, name: str):
    run, file = arx(name)
    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter=run["separator"]))
    kept = select(rows, run["qis"], "wildcard", "*")
    result = sqlrisk.assess(file, quasi_identifiers=run["qis"], nulls="wildcard", suppressed="*")
    sizes = match_sizes([key for key, _ in kept.kept])
    assert result.record_sizes.pairs == tuple(sorted(Counter(sizes).items()))
    assert result.release.missing_records == kept.missing


class Release:
    """The records of a file of sdcMicro, and what it says of their sizes."""

    def __init__(self, file: Path, run: dict) -> None:
        with file.open(newline="") as lines:
            self.rows = [{name: value or None for name, value in row.items()} for row in csv.DictReader(lines)]
        self.keys = [tuple(row[key] for key in run["keys"]) for row in self.rows]
        self.nothing = sum(set(key) == {None} for key in self.keys)

    def uncounted(self, key: tuple) -> int:
        """How many records sdcMicro does not count among the matches of a key: of a complete one, those without any."""
        return 0 if None in key else self.nothing


@pytest.fixture
def sdcmicro(oracles):
    def get(name: str) -> tuple[dict, Path, Release]:
        run = oracles.load("sdcmicro.json")[name]
        file = oracles.data(run["file"])
        return run, file, Release(file, run)

    return get


@pytest.mark.parametrize("name", SDCMICRO)
def test_sizes_of_sdcmicro(sdcmicro, name: str):
    run, file, release = sdcmicro(name)
    sizes = match_sizes(release.keys)
    theirs = [size - release.uncounted(key) for key, size in zip(release.keys, sizes, strict=True)]
    assert theirs[:20] == run["fk_first20"]
    assert sorted(Counter(theirs).items()) == list(zip(*run["fk_hist"].values(), strict=True))
    result = sqlrisk.assess(file, quasi_identifiers=run["keys"], nulls="wildcard")
    assert result.release.records == run["n"]
    assert result.release.missing_records == run["n_rows_with_NA_key"]
    assert result.record_sizes.pairs == tuple(sorted(Counter(sizes).items()))
    assert result.class_sizes is result.classes is result.distinction is result.separation is None


@pytest.mark.parametrize("name", SDCMICRO)
def test_sizes_of_sdcmicro_without_the_records_without_any_key(sdcmicro, name: str):
    """Of the rest, sdcMicro's sizes are right as they are, but for the records left out."""
    run, file, release = sdcmicro(name)
    result = sqlrisk.assess(
        file,
        quasi_identifiers=run["keys"],
        nulls="wildcard",
        where=" or ".join(f'"{key}" is not null' for key in run["keys"]),
    )
    sizes = dict(zip(release.keys, match_sizes(release.keys), strict=True))
    expected = Counter(sizes[key] - release.nothing for key in release.keys if set(key) != {None})
    assert result.record_sizes.pairs == tuple(sorted(expected.items()))
    assert result.sample_uniques.records == expected[1]


def test_record_by_record(oracles, sdcmicro):
    """The size of every record of the largest run."""
    _, _, release = sdcmicro("testdata_na_7_alpha1")
    with oracles.data("rows_testdata_na_7_alpha1.csv").open(newline="") as file:
        theirs = [int(row["fk"]) for row in csv.DictReader(file)]
    sizes = zip(release.keys, match_sizes(release.keys), strict=True)
    assert theirs == [size - release.uncounted(key) for key, size in sizes]


@pytest.mark.parametrize("sensitive_nulls", ["value", "ignore"])
def test_sensitive_values_of_those_that_match(sdcmicro, sensitive_nulls: str):
    run, file, release = sdcmicro("testdata_na_7_alpha1")
    result = sqlrisk.assess(
        file,
        quasi_identifiers=run["keys"],
        sensitive=["hhcivil", "age:numeric"],
        sensitive_nulls=sensitive_nulls,
        nulls="wildcard",
    )
    for column in (Column("hhcivil"), Column("age", "numeric")):
        expected = measure(release.rows, run["keys"], column, nulls="wildcard", sensitive_nulls=sensitive_nulls)
        assert differences(result.sensitive[column.name], expected) == {}


@pytest.mark.parametrize("name", ["noNA", "NA_in_C", "allNA_row_and_col", "single_key_NA"])
def test_sdcmicro_s_own_tests(oracles, name: str):
    import pandas

    found = oracles.load("sdcmicro.json")["fixture_tests"][name]
    keys = [key for key in "ABC" if key in found]
    frame = pandas.DataFrame({key: pandas.array(found[key], dtype="Int64") for key in keys})
    result = sqlrisk.assess(frame, quasi_identifiers=keys, nulls="wildcard")
    assert result.record_sizes.pairs == tuple(sorted(Counter(found["fk"]).items()))
