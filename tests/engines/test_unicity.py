"""Unicity against its definition, with the draws made anew in Python; every engine alike."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.errors import MeasurementError, RequestError
from tests.engines import contract
from tests.engines.contract import Table, assert_same, comparable

ENGINES = list(contract.CLASSES)
COLUMNS = [("who", "text"), ("place", "text"), ("hour", "integer")]
ROWS = [
    ("b", "North", 1),
    ("b", "North", 1),
    ("b", "South", 2),
    ("B", "North", 1),
    ("B", "South", 3),
    ("a", "North", 1),
    ("a", "South", 2),
    ("a", "east", 2),
    ("c", None, 1),
    ("c", "North", None),
    ("d", "North", 1),
]
EVENT = st.tuples(st.sampled_from("abBcd"), st.sampled_from(["p", "P", "q", None]), st.sampled_from([1, 2, 3, None]))
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def attacked(name: str, rows, **options):
    engine = contract.start(name)
    table = f"events_{uuid.uuid4().hex[:8]}"
    engine.load(Table(table, COLUMNS, rows))
    asked = {"table": table, "entity_id": "who", "points": ["place", "hour"], "max_points": 3, **options}
    return sqlrisk.attack(engine.source(), **asked)


def document(name: str, rows, **options) -> dict:
    found = comparable(attacked(name, rows, **options))
    found["release"]["table"] = found["policy"] = ""
    found["warnings"] = [text for text in found["warnings"] if "one snapshot" not in text]
    return found


def draw(seed: int, *codes: int) -> int:
    text = ":".join(map(str, (seed, *codes)))
    return int(hashlib.md5(text.encode()).hexdigest()[:13], 16)


def coded(values) -> dict:
    """Numbers from 1 in the order of the values (texts bytewise), 0 for a missing one."""
    present = sorted(
        {value for value in values if value is not None}, key=lambda v: v.encode() if isinstance(v, str) else v
    )
    return {None: 0, **{value: at for at, value in enumerate(present, start=1)}}


def reference(rows, targets: int, most: int, seed: int):
    """For each number of points known: targets that are alone, and the sum of 1/matches; and the worst choices."""
    events = set(rows)
    people, places, hours = (coded(row[at] for row in events) for at in range(3))
    radix = max(hours.values()) + 1
    points = defaultdict(set)
    for who, place, hour in events:
        points[people[who]].add(places[place] * radix + hours[hour])
    drawn = sorted(points, key=lambda person: (draw(seed, person), person))[:targets]
    alone, risk = [0] * most, [0.0] * most
    worst = {number: Counter() for number in range(1, most + 1)}
    for target in drawn:
        order = sorted(points[target], key=lambda point: (draw(seed, target, point), point))
        for number in range(1, most + 1):
            known = set(order[:number])
            matches = sum(known <= own for own in points.values())
            alone[number - 1] += matches == 1
            risk[number - 1] += 1 / matches
            choices = [sum(set(choice) <= own for own in points.values()) for choice in combinations(order, number)]
            if choices:
                worst[number][min(choices)] += 1
    return len(drawn), alone, risk, worst


def check(result, rows, targets: int, seed: int, most: int = 3) -> None:
    drawn, alone, risk, worst = reference(rows, targets, most, seed)
    (curve,) = result.unicity.curves
    assert result.unicity.targets == drawn
    assert [at.unique for at in curve.unicity] == alone
    assert [at.mean_risk for at in curve.unicity] == pytest.approx([total / drawn for total in risk], rel=1e-12)
    for at in curve.worst_case:
        own = worst[at.known]
        count = sum(own.values())
        assert (at.targets or 0) == count
        if count:
            assert at.unique == own[1]
            assert at.mean_risk == pytest.approx(sum(n / m for m, n in own.items()) / count, rel=1e-12)


@pytest.mark.parametrize("name", ENGINES)
class TestEveryEngine:
    def test_by_definition(self, name: str):
        for targets, seed in ((2, 7), (99, 0)):
            check(attacked(name, ROWS, targets=targets, seed=seed), ROWS, targets, seed)

    def test_the_same_document(self, name: str):
        options = {
            "targets": 3,
            "seed": 5,
            "coarser": ["hour:band=2", "place:prefix=1,hour:band=10"],
            "nulls": "exclude",
        }
        assert_same(document("duckdb", ROWS, **options), document(name, ROWS, **options))


@SETTINGS
@given(rows=st.lists(EVENT, min_size=1, max_size=20), targets=st.integers(1, 6), seed=st.integers(0, 3))
def test_against_the_definition(rows, targets: int, seed: int):
    check(attacked("duckdb", rows, targets=targets, seed=seed), rows, targets, seed)


@SETTINGS
@given(rows=st.lists(EVENT, min_size=1, max_size=20))
def test_excluded_events_are_no_points(rows):
    whole = [row for row in rows if None not in row]
    if whole:
        result = attacked("duckdb", rows, nulls="exclude")
        check(result, whole, 1000, 0)
        assert result.release.excluded_records == len(rows) - len(whole)


@SETTINGS
@given(rows=st.lists(EVENT, min_size=1, max_size=20), seed=st.integers(0, 3))
def test_more_points_never_single_out_fewer(rows, seed: int):
    shares = [at.share for at in attacked("duckdb", rows, seed=seed, max_points=4).unicity.curves[0].unicity]
    assert shares == sorted(shares)


class TestRequests:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"entity_id": None}, "--entity-id"),
            ({"known": 2}, "--known is about one row a person"),
            ({"nulls": "wildcard"}, "wildcard"),
            ({"max_points": 13}, "above 12"),
            ({"coarser": ["town:prefix=1"]}, "`town` is no column of --points"),
            ({"quasi_identifiers": ["sex"]}, "`sex` is a quasi-identifier and no column of --points"),
            ({"points": ["place", "minute"]}, "minute"),
        ],
    )
    def test_wrong_ones(self, options, said: str):
        with pytest.raises(RequestError, match=said):
            attacked("duckdb", ROWS, **options)

    def test_whose_an_event_is_must_be_known(self):
        with pytest.raises(MeasurementError, match="1 event without `who`"):
            attacked("duckdb", [*ROWS, (None, "North", 1)])

    def test_nothing_to_measure(self):
        with pytest.raises(MeasurementError, match="empty"):
            attacked("duckdb", ROWS, where="hour > 99")

    def test_too_much_to_compare_is_null_with_a_reason(self, monkeypatch):
        monkeypatch.setattr("sqlrisk.assessment.unicity._MOST_COMPARED", 1)
        (curve,) = attacked("duckdb", ROWS).unicity.curves
        assert curve.worst_case[0].unique is not None
        assert curve.worst_case[1].unique is None and "fewer targets" in curve.worst_case[1].reason
