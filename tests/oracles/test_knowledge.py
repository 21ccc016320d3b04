"""Distinction, separation and minimal sample uniques against ARX 3.9.2, scores and DIS-SUDA against sdcMicro 5.8.

ARX counts minimal uniques rightly and overwrites scores instead of adding them, so its scores are not compared.
"""

from __future__ import annotations

import pytest

import sqlrisk
from tests.oracles.test_arx import FILES

ARX = ("qi5", "test", "test2", "adult_subset_4", "adult_3", "adult_5")
SUDA = (
    "suda_guide10",
    "suda_guide10_ihsn",
    "suda_book8",
    "suda_testdata2_5",
    "suda_testdata_5",
    "suda_testdata_7",
)


@pytest.mark.parametrize("name", ARX)
def test_arx(oracles, name: str):
    (run,) = (run for run in oracles.load("arx.json")["runs"] if run["id"] == name)
    source = oracles.data(FILES.get(run["file"], run["file"]))
    result = sqlrisk.sweep(source, quasi_identifiers=run["qis"], minimal_uniques=True)
    own = {frozenset(item.columns): item for item in result.subsets}
    assert len(run["attributeRisks"]) == len(own)
    for expected in run["attributeRisks"]:
        item = own[frozenset(expected["qi"])]
        assert item.distinction == pytest.approx(expected["distinction"], rel=1e-12)
        assert item.separation == pytest.approx(expected["separation"], rel=1e-12)
    keys = next(item["keys"] for item in run["msu"] if item["maxKeyLength"] == 0)
    total = sum(item.minimal_uniques for item in result.minimal_uniques.by_size)
    assert total == keys["numKeys"]
    shares = [item.minimal_uniques / total for item in result.minimal_uniques.by_size]
    assert shares == pytest.approx(keys["sizeDistribution"], rel=1e-12)


@pytest.mark.parametrize("name", SUDA)
def test_sdcmicro(oracles, name: str):
    run = oracles.load("sdcmicro.json")[name]
    result = sqlrisk.sweep(
        oracles.data(run["file"]),
        quasi_identifiers=run["variables"],
        minimal_uniques=True,
        sampling_fraction=run["DisFraction"],
    )
    found = result.minimal_uniques
    scheme = "suda" if run["original_scores"] else "ihsn"
    scores = getattr(found, scheme)
    assert found.records == run["n_nonzero"]
    assert scores.total == pytest.approx(run["sum_score"], rel=1e-12)
    assert scores.highest == pytest.approx(run["max_score"], rel=1e-12)
    histogram = dict(zip(run["score_hist"]["value"], run["score_hist"]["records"], strict=True))
    histogram.pop(0, None)
    assert dict(scores.histogram) == pytest.approx(histogram)
    contributions = {item["variable"]: item["contribution"] / 100 for item in run["attribute_contributions"]}
    assert {item.column: getattr(item, scheme) for item in found.contributions} == pytest.approx(
        contributions, rel=1e-9
    )
    if scheme == "suda":
        assert found.dis_suda.highest == pytest.approx(run["max_dis"], rel=1e-5)
        assert found.dis_suda.mean * run["n"] == pytest.approx(run["sum_dis"], rel=1e-5)
