"""Survey weights on every engine: the formula's error, all engines alike, and a few lines of Python that do the same."""

from __future__ import annotations

import datetime as dt
import math
import uuid
from collections import defaultdict
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.sql import template
from sqlrisk.sql.dialect import DIALECTS
from sqlrisk.sql.relation import TableName
from sqlrisk.sql.trees import named
from sqlrisk.warehouse.base import Guards
from sqlrisk.warehouse.connect import open_source
from tests.engines import contract
from tests.engines.contract import Table
from tests.sensitive_reference import match
from tests.survey_reference import household_risk, individual_risk

ENGINES = list(contract.CLASSES)
DIALECT_OF = {"googlesql": "bigquery"}
# The error that the template's header states.
STATED = 1.2e-10

SHARES = [
    *(10 ** (-power / 8) for power in range(1, 97)),
    *(0.5 + step / 100 for step in range(50)),
    *(1 - 10 ** (-power / 2) for power in range(4, 29)),
    *(0.9899999, 0.99, 0.9900001),
]
CLASSES = [(size, size / share) for size in [*range(1, 13), 20, 50, 10**3, 10**6, 10**9] for share in SHARES]


@pytest.mark.parametrize("name", ENGINES)
def test_the_error_of_the_formula_is_the_stated_one(name: str):
    engine = contract.start(name)
    engine.load(Table("risky_classes", [("weighted", "integer"), ("weight", "float")], CLASSES))
    dialect = DIALECTS[DIALECT_OF.get(name, name)]
    kept = {"kept": [named("weighted"), named("weight")]}
    table = TableName.parse("risky_classes", dialect.name).relation().source
    tree = template.bind("record_risks", kept, {"classes": table})
    with open_source(engine.source(), Guards()).warehouse as warehouse:
        rows = warehouse.fetch("testing", dialect.write(tree))
    assert len(rows) == len(CLASSES)
    errors = [abs(risk / individual_risk(size, weight) - 1) for size, weight, risk in rows]
    assert max(errors) < STATED
    assert max(errors) > STATED / 2, "the header states too much"
    assert all(risk <= 1 / size for size, _, risk in rows)


COLUMNS = [("a", "text"), ("b", "integer"), ("person_id", "integer"), ("weight", "float"), ("home", "text")]
WEIGHTS = st.one_of(st.sampled_from([0.25, 1.0, 1.0000001, 1.5, 2.0, 1e-9, 1e15]), st.floats(0.5, 1e4))
ROW = st.tuples(
    st.sampled_from(["x", "y", "*", None]),
    st.sampled_from([1, 2, None]),
    st.integers(1, 6),
    WEIGHTS,
    st.sampled_from(["p", "q", "r", ""]),
)
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@st.composite
def situations(draw):
    """Rows and options; a person has one weight and one household."""
    rows = draw(st.lists(ROW, min_size=1, max_size=14))
    rows += draw(st.lists(st.sampled_from(rows), max_size=6))
    options = {
        "quasi_identifiers": ["a", "b"],
        "weight": "weight",
        "nulls": draw(st.sampled_from(["value", "exclude", "wildcard"])),
        "suppressed": draw(st.sampled_from([None, "*"])),
    }
    if draw(st.booleans()):
        options["household"] = "home"
    if options["nulls"] != "wildcard" and draw(st.booleans()):
        first = {row[2]: row[3:] for row in reversed(rows)}
        rows = [(*row[:3], *first[row[2]]) for row in rows]
        options["entity_id"] = "person_id"
    if draw(st.booleans()):
        options |= {"population_table": "register", "population_entity_id": "person_id"}
    return rows, options


def load(engine, rows, columns=COLUMNS) -> None:
    engine.load(Table("release", columns, rows))
    register = [(*row[:3], None, None) for row in rows] + [("x", 1, 99, None, None)]
    engine.load(Table("register", COLUMNS, register if columns is COLUMNS else []))


def expected(rows, options) -> tuple[list[float], list[str], list[float]]:
    """Each record's (person's) risk, household and weight."""
    token = options["suppressed"]
    kept = []
    for a, b, person, weight, home in rows:
        if token is not None and a == token and b is None:
            continue
        key = (None if a == token and token is not None else a, b)
        if options["nulls"] == "exclude" and None in key:
            continue
        kept.append((key, person, weight, home))
    if "entity_id" in options:
        people = defaultdict(list)
        for key, person, weight, home in kept:
            people[person].append((key, weight, home))
        units = [(tuple(sorted((r[0] for r in own), key=repr)), own[0][1], own[0][2]) for own in people.values()]
    else:
        units = [(key, weight, home) for key, _, weight, home in kept]
    meets = match if options["nulls"] == "wildcard" else (lambda one, other: one == other)
    risks = []
    for key, _, _ in units:
        weights = [weight for other, weight, _ in units if meets(key, other)]
        risks.append(individual_risk(len(weights), math.fsum(weights)))
    return risks, [home for _, _, home in units], [weight for _, weight, _ in units]


def measure(engine, rows, options) -> dict | str:
    load(engine, rows)
    try:
        return contract.comparable(sqlrisk.assess(engine.source(), table="release", **options))
    except sqlrisk.MeasurementError as problem:
        return str(problem)


@SETTINGS
@given(situations())
def test_it_is_what_python_computes(situation):
    rows, options = situation
    engine = contract.start("duckdb")
    load(engine, rows)
    risks, homes, weights = expected(rows, options)
    if not risks:
        with pytest.raises(sqlrisk.MeasurementError, match="empty"):
            sqlrisk.assess(engine.source(), table="release", **options)
        return
    result = sqlrisk.assess(engine.source(), table="release", **options)
    survey, close = result.survey, lambda value: pytest.approx(value, rel=1e-9, abs=0)
    assert survey.weight == "weight"
    assert survey.population == close(math.fsum(weights))
    assert survey.weights_below_one == sum(weight < 1 for weight in weights)
    assert survey.expected_reidentifications == close(math.fsum(risks))
    assert survey.global_risk == close(math.fsum(risks) / len(risks))
    assert survey.highest_risk == close(max(risks))
    assert len(risks) == (result.release.entities or result.release.records)
    if "household" not in options:
        assert survey.household_global_risk is survey.household_expected_reidentifications is None
        return
    members = defaultdict(list)
    for risk, home in zip(risks, homes, strict=True):
        members[home].append(risk)
    total = math.fsum(len(own) * household_risk(own) for own in members.values())
    assert survey.household == "home"
    assert survey.household_expected_reidentifications == close(total)
    assert survey.household_global_risk == close(total / len(risks))


@SETTINGS
@given(situations())
def test_duckdb_and_postgres_give_the_same_document(situation):
    duckdb = measure(contract.start("duckdb"), *situation)
    contract.assert_same(duckdb, measure(contract.start("postgres"), *situation))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["googlesql", "bigquery"])
@settings(SETTINGS, max_examples=30)
@given(situation=situations())
def test_bigquery_gives_the_same_document(name, situation):
    contract.assert_same(measure(contract.start("duckdb"), *situation), measure(contract.start(name), *situation))


# Kinds of columns: what is a weight, and what can be a household.
VALUES = {
    "text": ["1.5", " 2 ", "2.500"],
    "integer": [1, 2, 3],
    "decimal": [Decimal("1.5"), Decimal("2"), Decimal("2.5000")],
    "float": [1.5, 2.0, 2.5],
    "real": [1.5, 2.0, 2.5],
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("people", [False, True])
def test_weights_of_every_kind(name: str, kind: str, people: bool):
    engine = contract.start(name)
    rows = [("x", value, number) for number, value in enumerate(VALUES[kind])]
    engine.load(Table("release", [("a", "text"), ("w", kind), ("person_id", "integer")], rows))
    options = {"entity_id": "person_id"} if people else {}
    survey = sqlrisk.assess(engine.source(), table="release", quasi_identifiers=["a"], weight="w", **options).survey
    assert survey.population == 6
    assert survey.global_risk == pytest.approx(individual_risk(3, 6), rel=1e-9)


HOMES = {
    "text": ["a", "a", "B"],
    "integer": [1, 1, 2],
    "decimal": [Decimal("1.0"), Decimal("1.00"), Decimal("2")],
    "float": [0.0, -0.0, float("nan")],
    "boolean": [True, True, False],
    "date": [dt.date(2024, 1, day) for day in (1, 1, 2)],
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("kind", HOMES)
@pytest.mark.parametrize("people", [False, True])
def test_households_of_every_kind(name: str, kind: str, people: bool):
    engine = contract.start(name)
    rows = [(str(number), 4, home, number) for number, home in enumerate(HOMES[kind])]
    engine.load(
        Table("release", [("a", "text"), ("w", "integer"), ("h", kind), ("person_id", "integer")], [*rows, *rows[:1]])
    )
    options = {"entity_id": "person_id"} if people else {"where": "w = 4"}
    result = sqlrisk.assess(
        engine.source(), table="release", quasi_identifiers=["a"], weight="w", household="h", **options
    )
    one, pair = individual_risk(1, 4), individual_risk(2, 8)
    homes = [[one, one], [one]] if people else [[pair, pair, one], [one]]
    total = sum(len(own) * household_risk(own) for own in homes)
    assert result.survey.household_expected_reidentifications == pytest.approx(total, rel=1e-9)


def test_a_uuid_of_a_household_on_duckdb_and_postgres():
    home = uuid.UUID(int=7)
    for name in ("duckdb", "postgres"):
        engine = contract.start(name)
        engine.load(Table("raw", [("a", "text"), ("h", "text"), ("person_id", "integer")], [("x", str(home), 1)] * 2))
        query = 'SELECT a, CAST(h AS UUID) AS h, 3 AS w, "person_id" FROM raw'
        for options in ({}, {"entity_id": "person_id"}):
            result = sqlrisk.assess(
                engine.source(), query=query, quasi_identifiers=["a"], weight="w", household="h", **options
            )
            assert result.survey.household_global_risk > 0


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("people", [False, True])
def test_everybody_and_nobody(name: str, people: bool):
    """A census: the risk is 1/size, and certain for whoever is alone in it, and so for their household."""
    engine = contract.start(name)
    rows = [("x", 1, 1, 1.0, "p"), ("x", 1, 2, 1.0, "q"), ("y", 1, 3, 1.0, "q"), ("z", 1, 4, 1e12, "r")]
    load(engine, rows)
    options = {"entity_id": "person_id"} if people else {}
    options |= {"quasi_identifiers": ["a", "b"], "weight": "weight", "household": "home"}
    survey = sqlrisk.assess(engine.source(), table="release", **options).survey
    alone = individual_risk(1, 1e12)
    assert survey.highest_risk == 1
    assert survey.expected_reidentifications == pytest.approx(2 + alone, rel=1e-12)
    assert survey.household_expected_reidentifications == pytest.approx(0.5 + 2 + alone, rel=1e-12)


@pytest.mark.parametrize("name", ENGINES)
def test_small_risks_of_households_keep_their_digits(name: str):
    engine = contract.start(name)
    load(engine, [("x", 1, number, 1e14, "p") for number in range(12)] + [("y", 1, 20, 1e14, "q")])
    options = {"quasi_identifiers": ["a"], "weight": "weight", "household": "home"}
    survey = sqlrisk.assess(engine.source(), table="release", **options).survey
    common, alone = individual_risk(12, 12e14), individual_risk(1, 1e14)
    total = 12 * household_risk([common] * 12) + alone
    assert survey.household_expected_reidentifications == pytest.approx(total, rel=1e-9, abs=0)


@pytest.mark.parametrize("name", ENGINES)
def test_a_household_of_many(name: str):
    """Four hundred people of whom each is likely to be found: exp(-h) underflows."""
    engine = contract.start(name)
    load(engine, [(str(number), 1, number, 1.0001, "p") for number in range(400)])
    options = {"quasi_identifiers": ["a"], "weight": "weight", "household": "home"}
    assert sqlrisk.assess(engine.source(), table="release", **options).survey.household_global_risk == 1


BAD = [
    (None, "2 rows of the release without a weight"),
    (0.0, "2 rows of the release with a weight (`weight`) of zero or below"),
    (-3.5, "2 rows of the release with a weight (`weight`) of zero or below"),
    (-math.inf, "2 rows of the release with a weight (`weight`) of zero or below"),
    (math.nan, "2 rows of the release with a weight (`weight`) that is not a finite number"),
    (math.inf, "2 rows of the release with a weight (`weight`) that is not a finite number"),
    (1.1e15, "2 rows of the release with a weight (`weight`) that is not a finite number, or above 1e15"),
]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("weight", "message"), BAD)
@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("population", [False, True])
def test_weights_that_cannot_be_used(name, weight, message, people, population):  # noqa: PLR0917
    engine = contract.start(name)
    if name == "bigquery" and weight is not None and not math.isfinite(weight):
        pytest.skip("the emulator's load jobs take no NaN and no infinity")
    load(engine, [("x", 1, 1, 2.0, "p"), ("y", 1, 2, weight, "p"), ("y", 1, 2, weight, "p")])
    options = {"quasi_identifiers": ["a", "b"], "weight": "weight", "household": "home"}
    options |= {"entity_id": "person_id"} if people else {}
    options |= {"population_table": "register", "population_entity_id": "person_id"} if population else {}
    with pytest.raises(sqlrisk.MeasurementError) as caught:
        sqlrisk.assess(engine.source(), table="release", **options)
    assert message in str(caught.value) and "--where" in str(caught.value)
    where = "a = 'x'"
    assert sqlrisk.assess(engine.source(), table="release", where=where, **options).survey.population == 2


@pytest.mark.parametrize("name", ENGINES)
def test_rows_that_are_left_out_need_no_weight(name: str):
    engine = contract.start(name)
    rows = [("x", 1, 1, 2.0, "p"), ("x", 1, 1, 2.0, "p"), ("x", None, 1, None, None), ("*", None, 2, -1.0, None)]
    load(engine, rows)
    options = {"quasi_identifiers": ["a", "b"], "weight": "weight", "household": "home", "suppressed": "*"}
    with pytest.raises(sqlrisk.MeasurementError, match="1 row of the release without a weight"):
        sqlrisk.assess(engine.source(), table="release", **options)
    result = sqlrisk.assess(engine.source(), table="release", nulls="exclude", **options)
    assert (result.release.records, result.survey.population) == (2, 4)
    result = sqlrisk.assess(engine.source(), table="release", nulls="exclude", entity_id="person_id", **options)
    assert (result.release.entities, result.survey.population) == (1, 2)


@pytest.mark.parametrize("name", ENGINES)
def test_a_person_has_one_weight_and_one_household(name: str):
    engine = contract.start(name)
    load(engine, [("x", 1, 1, 2.0, "p"), ("y", 1, 1, 3.0, "p"), ("x", 1, 2, 3.0, "p"), ("x", 1, 2, 3.0, "p")])
    options = {"quasi_identifiers": ["a"], "weight": "weight", "household": "home", "entity_id": "person_id"}
    with pytest.raises(sqlrisk.MeasurementError, match="1 person with rows of different weights"):
        sqlrisk.assess(engine.source(), table="release", **options)
    load(engine, [("x", 1, 1, 2.0, "p"), ("y", 1, 1, 2.0, "q"), ("x", 1, 2, 3.0, "p"), ("x", 1, 2, 3.0, "")])
    with pytest.raises(sqlrisk.MeasurementError, match="2 people with rows of different households"):
        sqlrisk.assess(engine.source(), table="release", **options)
    del options["entity_id"]
    assert sqlrisk.assess(engine.source(), table="release", **options).survey.population == 10


@pytest.mark.parametrize("name", ENGINES)
def test_a_household_must_be_known(name: str):
    engine = contract.start(name)
    load(engine, [("x", 1, 1, 2.0, "p"), ("y", 1, 2, 2.0, None), ("y", 1, 3, 2.0, None)])
    options = {"quasi_identifiers": ["a"], "weight": "weight", "household": "home"}
    with pytest.raises(sqlrisk.MeasurementError, match=r"2 rows of the release without a household \(`home`\)"):
        sqlrisk.assess(engine.source(), table="release", **options)


@pytest.mark.parametrize("name", ENGINES)
def test_one_statement_and_one_row_an_arm(name: str):
    engine = contract.start(name)
    load(engine, [(str(number % 7), 1, number, 1.5 + number, str(number % 3)) for number in range(40)])
    options = {"quasi_identifiers": ["a", "b"], "weight": "weight", "household": "home"}
    result = sqlrisk.assess(engine.source(), table="release", **options)
    (query,) = [query for query in result.queries if not query.look_up]
    assert query.rows == len(result.class_sizes.pairs) + 2


@pytest.mark.parametrize("name", ENGINES)
def test_one_column_for_everything(name: str):
    engine = contract.start(name)
    load(engine, [("x", 2, 1, 2.0, "p"), ("x", 2, 2, 2.0, "p"), ("x", 1, 3, 4.0, "p")])
    options = {"quasi_identifiers": ["b"], "weight": "b"}
    survey = sqlrisk.assess(engine.source(), table="release", **options).survey
    assert survey.population == 5
    assert survey.highest_risk == 1
    with pytest.raises(sqlrisk.RequestError, match="the weight and the household are the same column"):
        sqlrisk.assess(engine.source(), table="release", **options, household="b")
