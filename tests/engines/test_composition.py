"""Several releases together, against their definitions; every engine alike."""

from __future__ import annotations

import re
import uuid
from collections import Counter, defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.errors import RequestError
from tests.engines import contract
from tests.engines.contract import Table, assert_same, comparable

ENGINES = list(contract.CLASSES)
COLUMNS = [("id", "text"), ("age", "integer"), ("zip", "text"), ("condition", "text")]
# Two hospitals in the manner of Ganta et al. (2008), table 1: each is diverse, and together they give Alice (a) away.
HERE = [
    ("a", 25, "130", "AIDS"),
    ("B", 28, "130", "heart"),
    ("c", 24, "130", "flu"),
    ("d", 33, "131", "x"),
    ("e", 36, "131", "x"),
]
THERE = [
    ("a", 25, "130", "AIDS"),
    ("f", 23, "130", "ulcer"),
    ("g", 29, "130", "cold"),
    ("d", 33, "131", "x"),
    ("h", 38, "131", "y"),
]
SETTINGS = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def measured(name: str, here, *earlier, columns=COLUMNS, **options):
    engine = contract.start(name)
    table = f"here_{uuid.uuid4().hex[:8]}"
    engine.load(Table(table, columns, here))
    tables = []
    for number, rows in enumerate(earlier):
        tables.append(f"{table}_{number}")
        engine.load(Table(tables[-1], COLUMNS, rows))
    asked = {"quasi_identifiers": ["age:band=10", "zip"], "sensitive": ["condition"], "link_id": "id", **options}
    result = sqlrisk.assess(engine.source(), table=table, previous=tables, **asked)
    document = comparable(result)
    document["release"]["table"] = document["policy"] = ""
    for number, item in enumerate(document["release"]["previous"]):
        item["table"] = document["composition"]["releases"][number]["table"] = ""
    document["warnings"] = [text for text in document["warnings"] if "one snapshot" not in text]
    return result.composition, document


def band(row):
    return (None if row[1] is None else row[1] // 10, row[2])


def reference(here, *earlier, ignore=False):
    """Linkable class sizes, candidates, and for each person the values left and whether all signatures agree."""
    releases = [here, *earlier]
    tuples = [{row[0]: band(row) for row in rows} for rows in releases]
    values = []
    for rows in releases:
        own = defaultdict(list)
        for row in rows:
            if not (ignore and row[3] is None):
                own[band(row)].append(row[3])
        values.append(own)
    joint = {who: tuple(own.get(who) for own in tuples) for who in tuples[0]}
    present = {who: [at for at, own in enumerate(tuples) if who in own] for who in joint}
    linkable = Counter(Counter(joint.values()).values())
    candidates = Counter(
        sum(all(tuples[at].get(other) == tuples[at][who] for at in present[who]) for other in joint) for who in joint
    )
    left, changed = Counter(), 0
    for who in joint:
        sets = [set(values[at][tuples[at][who]]) for at in present[who]]
        left[len(set.intersection(*sets))] += 1
        changed += any(own != sets[0] for own in sets)
    repeated = any(len(own) != len(set(own)) for each in values for own in each.values())
    # a class without any value that counts is no class of the measure
    smallest = min((len(own) for each in values for own in each.values() if own), default=None)
    return linkable, candidates, left, changed, None if repeated or changed else smallest


def check(found, here, *earlier, **options):
    linkable, candidates, left, changed, m = reference(here, *earlier, **options)
    assert dict(found.linkable.class_sizes) == dict(linkable)
    assert dict(found.unlinkable.candidates) == dict(candidates)
    own = found.sensitive["condition"]
    assert dict(own.left) == dict(left)
    assert (own.changed_signature, own.m) == (changed, m)


@pytest.mark.parametrize("name", ENGINES)
class TestEveryEngine:
    def test_two_hospitals(self, name: str):
        """Linked: a (both), B and c (here alone), d, e. Not linked: B and c could be a too. a's and d's value is known."""
        found, _ = measured(name, HERE, THERE)
        assert dict(found.linkable.class_sizes) == {1: 3, 2: 1}
        assert dict(found.unlinkable.candidates) == {1: 2, 2: 1, 3: 2}
        own = found.sensitive["condition"]
        assert (dict(own.left), own.disclosed, own.inconsistent, own.changed_signature) == ({1: 3, 3: 2}, 3, 0, 2)
        check(found, HERE, THERE)

    def test_the_same_document(self, name: str):
        earlier = [THERE, [("a", 25, "130", "flu"), ("e", None, "131", None)]]
        options = {"nulls": "exclude", "sensitive_nulls": "ignore", "threshold": "1/3"}
        assert_same(measured("duckdb", HERE, *earlier, **options)[1], measured(name, HERE, *earlier, **options)[1])


def releases(ids: str):
    row = st.tuples(
        st.sampled_from([21, 25, 33, None]), st.sampled_from(["p", "q", None]), st.sampled_from(["u", "v", "w", None])
    )
    people = st.sets(st.sampled_from(ids), min_size=1)
    return people.flatmap(
        lambda who: st.tuples(*(row.map(lambda rest, w=w: (w, *rest)) for w in sorted(who))).map(list)
    )


@pytest.mark.slow
@SETTINGS
@given(here=releases("abcDe"), first=releases("abcDef"), second=releases("aD"), ignore=st.booleans())
def test_against_the_definitions(here, first, second, ignore):
    options = {"sensitive_nulls": "ignore" if ignore else "value"}
    check(measured("duckdb", here, first, **options)[0], here, first, ignore=ignore)
    check(measured("duckdb", here, first, second, **options)[0], here, first, second, ignore=ignore)


def test_an_updated_table():
    """The second version of a table: one person left, one came, one value changed."""
    before = [("a", 21, "1", "u"), ("b", 22, "1", "v"), ("c", 31, "1", "u"), ("d", 32, "1", "v")]
    after = [("a", 21, "1", "u"), ("b", 22, "1", "w"), ("c", 31, "1", "u"), ("e", 35, "1", "v")]
    found, _ = measured("duckdb", after, before)
    own = found.sensitive["condition"]
    assert own.changed_signature == 2 and own.m is None  # a and b: {u, w} after {u, v}
    assert dict(own.left) == {1: 2, 2: 2}
    same, _ = measured("duckdb", before, before)
    assert same.sensitive["condition"].m == 2


def test_columns_that_an_earlier_release_lacks_are_not_known_there():
    columns = [*COLUMNS, ("sex", "text")]
    here = [(*row, "F") for row in HERE]
    found, _ = measured("duckdb", here, THERE, columns=columns, quasi_identifiers=["age:band=10", "zip", "sex"])
    assert found.releases[0].absent == ["sex"]
    check(found, HERE, THERE)


@pytest.mark.parametrize(
    ("here", "there", "said"),
    [
        ([*HERE, HERE[0]], THERE, "2 records of this release have a link id that stands in several"),
        (HERE, [*THERE, (None, 1, "1", "x")], "1 record of here_.*_0 without a link id"),
        (HERE, [], "has no record that is measured"),
    ],
)
def test_ids_that_do_not_link_are_a_reason(here, there, said):
    engine = contract.start("duckdb")
    table = f"here_{uuid.uuid4().hex[:8]}"
    for name, rows in ((table, here), (f"{table}_0", there)):
        engine.load(Table(name, COLUMNS, rows))
    asked = {"quasi_identifiers": ["zip"], "previous": f"{table}_0", "link_id": "id"}
    found = sqlrisk.assess(engine.source(), table=table, **asked).composition
    assert re.search(said, found.reason) and found.linkable is None


class TestRequests:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"link_id": None}, "previous= needs link_id= too"),
            ({"link_id": ["id", "id"]}, "link_id= is given 2 times, and previous= 1 times"),
            ({"link_id": "person"}, "person"),
            ({"link_id": "age", "quasi_identifiers": ["zip"]}, None),
            ({"quasi_identifiers": ["town"]}, "town"),
        ],
    )
    def test_wrong_ones(self, options, said):
        if said is None:
            assert measured("duckdb", HERE, THERE, **options)[0].reason is None
            return
        with pytest.raises(RequestError, match=said):
            measured("duckdb", HERE, THERE, **options)

    def test_people_with_several_rows_are_a_reason(self):
        found, _ = measured("duckdb", HERE, THERE, entity_id="id")
        assert found.linkable is None and "one row a person" in found.reason
