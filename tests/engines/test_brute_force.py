"""Every way of counting against a few lines of Python that follow the definitions (formulas of the measures reference)."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from tests.engines import contract
from tests.engines.contract import Table

COLUMNS = [("a", "text"), ("b", "text"), ("person_id", "integer")]
VALUES = st.sampled_from(["x", "y", "*", "", None])
ROW = st.tuples(VALUES, VALUES, st.integers(1, 4))
THRESHOLD = Fraction(1, 3)


class Left:
    """The rows that are measured, and how many are not."""

    def __init__(self, rows, nulls: str, token: str | None) -> None:
        self.kept, self.suppressed, self.excluded, self.missing = [], 0, 0, 0
        for a, b, person in rows:
            if token is not None and a == b == token:
                self.suppressed += 1
                continue
            key = tuple(None if value == token else value for value in (a, b)) if token is not None else (a, b)
            self.missing += None in key
            if nulls == "exclude" and None in key:
                self.excluded += 1
            else:
                self.kept.append((key, person))


def multisets(kept) -> Counter:
    rows = defaultdict(list)
    for key, person in kept:
        rows[person].append(key)
    return Counter(tuple(sorted(keys, key=repr)) for keys in rows.values())


def distinct_sizes(kept) -> dict:
    people = defaultdict(set)
    for key, person in kept:
        people[key].add(person)
    return {key: len(who) for key, who in people.items()}


def worst(kept, sizes) -> dict:
    """Each person's smallest size over their tuples."""
    smallest: dict = {}
    for key, person in kept:
        smallest[person] = min(sizes[key], smallest.get(person, sizes[key]))
    return smallest


def assert_left_out(result, left: Left) -> None:
    assert result.release.records == len(left.kept)
    assert result.release.suppressed_records == left.suppressed
    assert result.release.excluded_records == left.excluded
    assert result.release.missing_records == left.missing


def assert_risk(risk, sizes) -> None:
    """``sizes`` are the matches of each record (or person)."""
    n = len(sizes)
    assert risk.highest_risk == pytest.approx(1 / min(sizes))
    assert risk.lowest_risk == pytest.approx(1 / max(sizes))
    assert risk.records_at_risk == sum(Fraction(1, size) > THRESHOLD for size in sizes)
    assert risk.share_at_risk == pytest.approx(risk.records_at_risk / n)


SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("counting", ["records", "multiset", "distinct"])
@pytest.mark.parametrize("people", [False, True], ids=["register-rows", "register-people"])
@SETTINGS
@given(  # noqa: PLR0917
    rows=st.lists(ROW, min_size=1, max_size=12),
    others=st.lists(ROW, max_size=10),
    complete=st.booleans(),
    nulls=st.sampled_from(["value", "exclude"]),
    token=st.sampled_from([None, "*"]),
)
def test_counting(  # noqa: PLR0917
    counting, people, rows, others, complete, nulls, token
):
    if counting == "multiset" and not people:
        return
    engine = contract.start("duckdb")
    register = [*rows, *((a, b, person + 10) for a, b, person in others)] if complete else [*others, ("x", "x", 99)]
    engine.load(Table("release", COLUMNS, rows))
    engine.load(Table("register", COLUMNS, register))
    options = {"quasi_identifiers": ["a", "b"], "nulls": nulls, "suppressed": token, "threshold": "1/3"}
    options |= {"population_table": "register", "population_entity_id": "person_id" if people else None}
    if counting != "records":
        options |= {"entity_id": "person_id", "entity_counting": counting}
    left, theirs = Left(rows, nulls, token), Left(register, nulls, token)
    if not left.kept or not theirs.kept:
        with pytest.raises(sqlrisk.MeasurementError, match="empty"):
            sqlrisk.assess(engine.source(), table="release", **options)
        return
    result = sqlrisk.assess(engine.source(), table="release", **options)
    assert_left_out(result, left)
    check = {"records": check_records, "multiset": check_multiset, "distinct": check_distinct}[counting]
    check(result, left.kept, theirs.kept, people)


def check_records(result, kept, theirs, people) -> None:
    ours = Counter(key for key, _ in kept)
    population = Counter(distinct_sizes(theirs)) if people else Counter(key for key, _ in theirs)
    assert result.class_sizes.pairs == tuple(sorted(Counter(ours.values()).items()))
    assert_classes(result, ours, population)
    n = len({person for _, person in theirs}) if people else len(theirs)
    assert result.population.size == n


def check_multiset(result, kept, theirs, people) -> None:
    ours, population = multisets(kept), multisets(theirs)
    assert result.class_sizes.pairs == tuple(sorted(Counter(ours.values()).items()))
    assert result.release.entities == sum(ours.values()) == len({person for _, person in kept})
    if set(ours) - set(population):
        assert result.journalist.average_risk is result.marketer.average_risk is None
        assert "same rows a person" in result.journalist.reason
    else:
        assert_classes(result, ours, population)


def assert_classes(result, ours: Counter, population: Counter) -> None:
    sizes = [size for size in ours.values() for _ in range(size)]
    assert_risk(result.prosecutor, sizes)
    assert result.prosecutor.average_risk == pytest.approx(len(ours) / len(sizes))
    f = {key: max(size, population[key]) for key, size in ours.items()}
    assert_risk(result.journalist, [f[key] for key, size in ours.items() for _ in range(size)])
    marketer = sum(Fraction(size, f[key]) for key, size in ours.items()) / len(sizes)
    assert result.marketer.average_risk == pytest.approx(float(marketer))
    assert result.journalist.average_risk == pytest.approx(float(max(marketer, Fraction(len(ours), sum(f.values())))))
    absent = [size for key, size in ours.items() if population[key] == 0]
    fewer = [size for key, size in ours.items() if 0 < population[key] < size]
    for mismatch, found in ((result.population.not_in_population, absent), (result.population.inconsistent, fewer)):
        assert (mismatch.classes, mismatch.records) == (len(found), sum(found))
    joint = Counter((ours[key], population[key]) for key in ours | population)
    assert [tuple(triple) for triple in result.population.joint_sizes] == sorted(
        (*pair, n) for pair, n in joint.items()
    )
    assert result.population.uniques.population_people == sum(size == 1 for size in population.values())


def check_distinct(result, kept, theirs, people) -> None:
    ours = distinct_sizes(kept)
    smallest = worst(kept, ours)
    assert result.record_sizes.pairs == tuple(sorted(Counter(smallest.values()).items()))
    assert result.release.entities == len(smallest)
    assert result.class_sizes is result.classes is result.distinction is None
    assert_risk(result.prosecutor, list(smallest.values()))
    assert result.prosecutor.average_risk == pytest.approx(sum(1 / size for size in smallest.values()) / len(smallest))
    population = Counter(distinct_sizes(theirs)) if people else Counter(key for key, _ in theirs)
    f = worst(kept, {key: max(size, population[key]) for key, size in ours.items()})
    assert_risk(result.journalist, list(f.values()))
    assert result.journalist.average_risk == pytest.approx(sum(1 / size for size in f.values()) / len(f))
    assert result.marketer.average_risk == pytest.approx(result.journalist.average_risk)
    absent = {person for key, person in kept if population[key] == 0}
    fewer = {person for key, person in kept if 0 < population[key] < ours[key]}
    assert result.population.not_in_population.records == len(absent)
    assert result.population.inconsistent.records == len(fewer)
    assert result.population.size == (len({person for _, person in theirs}) if people else len(theirs))
