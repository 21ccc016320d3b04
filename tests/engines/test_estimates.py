"""Estimates of an unknown population on every engine: the document of the class sizes alone, whoever counted them."""

from __future__ import annotations

import random

import pytest

import sqlrisk
from tests.engines import contract
from tests.engines.contract import Table

COLUMNS = [("a", "text"), ("b", "integer"), ("person_id", "integer")]


def rows() -> list[tuple]:
    draw = random.Random(11)
    return [
        (draw.choice(["x", "y", "z", None]), int(draw.paretovariate(0.6)) % 5_000, draw.randrange(400))
        for _ in range(700)
    ]


@pytest.mark.parametrize("name", list(contract.CLASSES))
@pytest.mark.parametrize("counted", ["records", "people"])
def test_the_document_is_that_of_the_class_sizes(name: str, counted: str):
    engine = contract.start(name)
    engine.load(Table("release", COLUMNS, rows()))
    options = {"population_size": 9_000, "threshold": "1/11", "max_population_uniques": "0.5", "accept_weak": "a test"}
    entity = {"entity_id": "person_id"} if counted == "people" else {}
    result = sqlrisk.assess(engine.source(), table="release", quasi_identifiers=["a", "b"], **options, **entity)
    again = sqlrisk.estimate(result.class_sizes, **options)
    assert result.population is not None
    assert result.population.uniques.population_people > 0
    assert (result.release.entities or result.release.records) == result.class_sizes.records
    for part in ("population", "attackers", "class_sizes", "verdict"):
        contract.assert_same(result.to_dict()[part], again.to_dict()[part], part)
