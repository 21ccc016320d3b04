"""Simulated matching against its definition, with the draws made anew in Python; every engine alike."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.errors import RequestError
from tests.engines import contract
from tests.engines.contract import Table, assert_same, comparable

ENGINES = list(contract.CLASSES)
COLUMNS = [("who", "text"), ("sex", "text"), ("age", "integer"), ("zip", "text")]
NAMES = ["sex", "age", "zip"]
ROWS = [
    ("b", "F", 30, "02139"),
    ("B", "F", 31, "02139"),
    ("a", "M", 30, "02138"),
    ("c", "M", None, "10115"),
    ("d", "F", 30, None),
    ("e", "F", 30, "02139"),
    ("f", "M", 55, "10115"),
]
REGISTER = [*ROWS[:4], ("x", "F", 30, "02139"), ("y", "M", 30, "02138"), ("z", "F", 99, "99999")]
ROW = st.tuples(
    st.sampled_from("abBcd"),
    st.sampled_from(["F", "M", None]),
    st.sampled_from([1, 2, 5, None]),
    st.sampled_from(["p", "P", None]),
)
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def attacked(name: str, rows, register=None, **options):
    engine = contract.start(name)
    table = f"attacked_{uuid.uuid4().hex[:8]}"
    engine.load(Table(table, COLUMNS, rows))
    if register is not None:
        engine.load(Table(f"{table}_r", COLUMNS, register))
        options["population_table"] = f"{table}_r"
    return sqlrisk.attack(engine.source(), table=table, **{"quasi_identifiers": NAMES, **options})


def document(name: str, rows, register=None, **options) -> dict:
    found = comparable(attacked(name, rows, register, **options))
    found["release"]["table"] = found["policy"] = ""
    if register is not None:
        found["population"]["table"] = ""
    found["warnings"] = [text for text in found["warnings"] if "one snapshot" not in text]
    return found


def draw(seed: int, *codes: int) -> int:
    text = ":".join(map(str, (seed, *codes)))
    return int(hashlib.md5(text.encode()).hexdigest()[:13], 16)


def order(value):
    return value.encode() if isinstance(value, str) else value


def coded(values) -> dict:
    present = sorted({value for value in values if value is not None}, key=order)
    return {None: 0, **{value: at for at, value in enumerate(present, start=1)}}


def reference(rows, register=None, *, targets=1000, seed=0, fixed=(), drawn=0, near=None, noise=None, truth=False):
    """(matches, rightly) of each target, by the definitions."""
    near, noise = near or {}, noise or {}
    pool = rows if register is None else register
    both = rows if register is None else [*rows, *register]
    codes = [coded(row[at] for row in both) for at in (1, 2, 3)]
    people = coded(row[0] for row in both)

    def keys(row):
        return tuple(codes[at][row[at + 1]] for at in range(3))

    seen: Counter = Counter()
    numbered = []
    for row in sorted(pool, key=lambda row: (keys(row), people[row[0]] if truth else 0)):
        seen[keys(row)] += 1
        copy = seen[keys(row)]
        numbered.append((draw(seed, *keys(row), copy), keys(row), copy, row))
    chosen = [row for *_, row in sorted(numbered, key=lambda item: item[:3])][:targets]
    outcomes = []
    for number, row in enumerate(chosen, start=1):
        donor = chosen[number % len(chosen)]
        believed = [
            donor[at] if draw(seed, number, 1000 + at) < noise.get(at, 0) * 2**52 else row[at] for at in (1, 2, 3)
        ]
        others = [at for at in (1, 2, 3) if at not in fixed]
        known = {*fixed, *sorted(others, key=lambda at: (draw(seed, number, at), at))[:drawn]} if drawn else set(fixed)

        def fits(other, known=known, believed=believed):
            for at in known:
                ours, theirs = believed[at - 1], other[at]
                if at in near and ours is not None and theirs is not None:
                    if abs(ours - theirs) > near[at]:
                        return False
                elif ours != theirs:
                    return False
            return True

        matches = [other for other in rows if fits(other)]
        rightly = sum(other[0] == row[0] for other in matches) if truth else int(register is None and fits(row))
        outcomes.append((len(matches), rightly))
    return outcomes


def check(result, outcomes) -> None:
    found = result.attack
    assert dict(found.matches) == dict(Counter(matches for matches, _ in outcomes))
    assert found.unique_matches.targets == sum(matches == 1 for matches, _ in outcomes)
    if found.right_unique is not None:
        assert found.right_unique.targets == sum(matches == 1 and rightly > 0 for matches, rightly in outcomes)
        mean = sum(min(1, rightly / matches) for matches, rightly in outcomes if matches) / len(outcomes)
        assert found.success.mean == pytest.approx(mean, rel=1e-12, abs=1e-15)


ALL = (1, 2, 3)


@pytest.mark.parametrize("name", ENGINES)
class TestEveryEngine:
    def test_by_definition(self, name: str):
        check(attacked(name, ROWS, targets=4, seed=3), reference(ROWS, targets=4, seed=3, fixed=ALL))
        check(attacked(name, ROWS, known=1, known_columns="sex", seed=1), reference(ROWS, seed=1, fixed=(1,), drawn=1))
        check(
            attacked(name, ROWS, tolerance={"age": "1"}, noise={"zip": 0.5}, seed=2),
            reference(ROWS, seed=2, fixed=ALL, near={2: 1}, noise={3: 0.5}),
        )

    def test_against_a_register_with_the_truth(self, name: str):
        result = attacked(name, ROWS, REGISTER, truth_id="who", known_columns=["sex", "age"], seed=4)
        check(result, reference(ROWS, REGISTER, seed=4, fixed=(1, 2), truth=True))
        assert result.attack.drawn_from == "population table"

    def test_the_same_document(self, name: str):
        options = {"known": 2, "targets": 5, "noise": {"sex": 0.3}, "tolerance": {"zip": "prefix 3"}, "seed": 9}
        assert_same(document("duckdb", ROWS, **options), document(name, ROWS, **options))
        options = {"truth_id": "who", "tolerance": {"age": "2"}, "nulls": "exclude"}
        assert_same(document("duckdb", ROWS, REGISTER, **options), document(name, ROWS, REGISTER, **options))


@SETTINGS
@given(
    rows=st.lists(ROW, min_size=1, max_size=10),
    seed=st.integers(0, 3),
    known=st.sets(st.sampled_from([1, 2, 3])),
    drawn=st.integers(0, 3),
    near=st.sampled_from([{}, {2: 1}, {2: 3}]),
    noise=st.sampled_from([{}, {1: 0.5}, {2: 0.9, 3: 0.2}]),
    targets=st.integers(1, 12),
)
def test_against_the_definition(rows, seed, known, drawn, near, noise, targets):  # noqa: PLR0917
    drawn = min(drawn, 3 - len(known))
    fixed = tuple(sorted(known)) if known or drawn else ALL
    result = attacked(
        "duckdb",
        rows,
        seed=seed,
        targets=targets,
        known_columns=[NAMES[at - 1] for at in sorted(known)],
        known=drawn or None,
        tolerance={NAMES[at - 1]: str(distance) for at, distance in near.items()},
        noise={NAMES[at - 1]: chance for at, chance in noise.items()},
    )
    outcomes = reference(rows, targets=targets, seed=seed, fixed=fixed, drawn=drawn, near=near, noise=noise)
    check(result, outcomes)


@SETTINGS
@given(
    rows=st.lists(ROW, min_size=1, max_size=9), register=st.lists(ROW, min_size=1, max_size=9), seed=st.integers(0, 3)
)
def test_a_register_against_the_definition(rows, register, seed):
    result = attacked("duckdb", rows, register, truth_id="who", seed=seed)
    check(result, reference(rows, register, seed=seed, fixed=ALL, truth=True))


@SETTINGS
@given(rows=st.lists(ROW, min_size=1, max_size=9), known=st.integers(1, 3))
def test_expected_is_the_mean_over_all_subsets(rows, known):
    found = attacked("duckdb", rows, known=known).attack.expected
    alone = average = 0.0
    subsets = list(combinations((1, 2, 3), known))
    for subset in subsets:
        sizes = Counter(tuple(row[at] for at in subset) for row in rows)
        alone += sum(size == 1 for size in sizes.values()) / len(rows) / len(subsets)
        average += len(sizes) / len(rows) / len(subsets)
    assert (found.unique_share, found.success) == pytest.approx((alone, average))


@SETTINGS
@given(rows=st.lists(ROW, min_size=1, max_size=9))
def test_everybody_attacked_with_everything_known_is_the_analytic_risk(rows):
    found = attacked("duckdb", rows).attack
    assert found.unique_matches.share == pytest.approx(found.expected.unique_share)
    assert found.success.mean == pytest.approx(found.expected.success)


def test_the_worst_choice_leaves_most_alone():
    found = attacked("duckdb", ROWS, known=1, worst=True).attack
    alone = {
        name: sum(size == 1 for size in Counter(row[at] for row in ROWS).values())
        for at, name in enumerate(NAMES, start=1)
    }
    assert alone[found.known_columns[0]] == max(alone.values())


@pytest.mark.slow
def test_simulated_shares_cover_what_is_to_be_expected():
    rows = [(f"p{number}", "FM"[number % 2], number * number % 60, f"{number % 7}") for number in range(900)]
    covered = 0
    for seed in range(40):
        found = attacked("duckdb", rows, targets=150, seed=seed, known_columns=["age", "zip"]).attack
        low, high = found.unique_matches.interval
        covered += low <= found.expected.unique_share <= high
    assert covered >= 34  # of 40 intervals of 95 %; fewer has a chance of about 1 in 1000


class TestRequests:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"known_columns": "town"}, "--known-columns: `town` is not a quasi-identifier"),
            ({"known": 4}, "--known 4: there are 3 quasi-identifiers"),
            ({"worst": True}, "say how many with --known"),
            ({"tolerance": {"age": "a bit"}}, "no distance for `age`"),
            ({"tolerance": {"sex": "1"}, "quasi_identifiers": ["who", "sex:map=x"]}, "map"),
            ({"noise": {"age": 1.5}}, "outside"),
            ({"entity_id": "who"}, "--entity-id"),
            ({"nulls": "wildcard"}, "wildcard"),
            ({"max_points": 3}, "--points"),
            ({"truth_id": "whom"}, "whom"),
        ],
    )
    def test_wrong_ones(self, options, said: str):
        with pytest.raises(RequestError, match=said):
            attacked("duckdb", ROWS, **options)
