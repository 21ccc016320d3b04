"""Unicity against its definition, with the draws made anew in Python; every engine alike."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter, defaultdict
from datetime import date
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


def attacked(name: str, rows, columns=COLUMNS, **options):
    engine = contract.start(name)
    table = f"events_{uuid.uuid4().hex[:8]}"
    engine.load(Table(table, columns, rows))
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


def numbers_of(points, codes) -> dict:
    """The number of each point: its codes as digits; of more than two columns, the ranks of its halves as digits."""
    if len(codes) == 2:
        radix = max(codes[1].values()) + 1
        return {point: point[0] * radix + point[1] for point in points}
    middle = len(codes) // 2
    first, second = (
        {half: at for at, half in enumerate(sorted(halves), start=1)}
        for halves in ({point[:middle] for point in points}, {point[middle:] for point in points})
    )
    return {point: first[point[:middle]] * (len(second) + 1) + second[point[middle:]] for point in points}


def reference(rows, targets: int, most: int, seed: int):
    """For each number of points known: targets that are alone, and the sum of 1/matches; and the worst choices."""
    events = set(rows)
    codes = [coded(row[at] for row in events) for at in range(len(rows[0]))]
    numbered = [tuple(own[value] for own, value in zip(codes, row, strict=True)) for row in events]
    points = defaultdict(set)
    for who, *columns in numbered:
        points[who].add(tuple(columns))
    number_of = numbers_of({own for person in points.values() for own in person}, codes[1:])
    points = {who: {number_of[point] for point in own} for who, own in points.items()}
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

    def test_three_columns(self, name: str):
        columns = [("who", "text"), ("lat", "float"), ("lon", "float"), ("day", "date")]
        days = [date(2025, 3, 9), date(2025, 3, 10)]
        rows = [
            (f"p{at % 5}", [9.5, 10.25, -3.0, None][at * 7 % 4], [100.5, 20.0][at * 3 % 2], days[at * at % 3 % 2])
            for at in range(40)
        ]
        result = attacked(name, rows, columns, points="lat,lon,day", targets=4, seed=11)
        check(result, rows, 4, 11)

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


CROWDED = st.tuples(st.sampled_from("abcdef"), st.sampled_from(["p", "q"]), st.sampled_from([1, 2]))


@SETTINGS
@given(rows=st.lists(CROWDED, min_size=6, max_size=24), seed=st.integers(0, 3))
def test_few_points_that_many_share(rows, seed: int):
    check(attacked("duckdb", rows, seed=seed), rows, 1000, seed)


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

    @pytest.mark.parametrize(
        ("bound", "said"),
        [
            ("_MOST_MATCHED", "share the rarest"),
            ("_MOST_SHARED", "shared with targets"),
            ("_MOST_COMPARED", "choices"),
        ],
    )
    def test_too_much_to_search_is_null_with_a_reason(self, monkeypatch, bound: str, said: str):
        # Everybody has every point: nobody is singled out, and everything would be compared.
        rows = [(who, place, hour) for who in "abc" for place in ("p", "q") for hour in (1, 2)]
        whole = attacked("duckdb", rows).unicity.curves[0]
        assert [at.unique for at in (*whole.unicity, *whole.worst_case)] == [0] * 6
        assert [at.mean_risk for at in (*whole.unicity, *whole.worst_case)] == pytest.approx([1 / 3] * 6)
        monkeypatch.setattr(f"sqlrisk.assessment.unicity.{bound}", 1)
        result = attacked("duckdb", rows)
        (curve,) = result.unicity.curves
        assert curve.worst_case[0].mean_risk == pytest.approx(1 / 3)
        for at in curve.worst_case[1:]:
            assert at.unique is None and said in at.reason and "fewer targets" in at.reason
        random = curve.unicity
        assert random[0].mean_risk == pytest.approx(1 / 3)
        assert [at.unique for at in random[1:]] == ([None, None] if bound == "_MOST_MATCHED" else [0, 0])
        assert said in result.to_text()

    def test_a_census_has_no_interval(self):
        (curve,) = attacked("duckdb", ROWS).unicity.curves
        for at in (*curve.unicity, *curve.worst_case):
            assert at.interval == (at.share, at.share)

    def test_one_point(self):
        (curve,) = attacked("duckdb", ROWS, max_points=1).unicity.curves
        assert [at.unique for at in curve.unicity] == [
            at.unique for at in attacked("duckdb", ROWS).unicity.curves[0].unicity[:1]
        ]
        assert len(curve.worst_case) == 1

    def test_what_does_not_convert_is_counted(self):
        columns = [("who", "text"), ("place", "text"), ("hour", "text")]
        rows = [("a", "p", "1"), ("a", "p", "x"), ("b", "p", "1"), ("c", "p", "y")]
        with pytest.raises(MeasurementError, match="2 values of `hour` not convertible"):
            attacked("duckdb", rows, columns, coarser=["hour:band=2"])
        result = attacked("duckdb", rows, columns, coarser=["hour:band=2"], unparseable="null", nulls="exclude")
        first, second = result.unicity.curves
        assert (first.people, first.events, second.people, second.events) == (3, 4, 2, 2)
        assert any("2 values of `hour` not convertible for band=2" in text for text in result.warnings)


def test_coarser_points_are_shared_by_more():
    """With the same points known; which points are drawn hangs on their numbers, so that a curve alone may rise."""
    events = [(f"p{at % 40}", f"place {at * at % 17}", at * 7 % 24) for at in range(400)]
    result = attacked("duckdb", events, coarser=["hour:band=6", "hour:band=24"], max_points=2)
    alone = [curve.worst_case[0].share for curve in result.unicity.curves]
    assert alone == sorted(alone, reverse=True)
    assert [curve.distinct_points for curve in result.unicity.curves] == sorted(
        (curve.distinct_points for curve in result.unicity.curves), reverse=True
    )
