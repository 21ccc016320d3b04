"""Longitudinal data: the points of people, seeded targets, and who else has what an attacker knows of them.

The draws are made of the numbers of people and points in their order, so that they are the same on every engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sqlrisk.sql.coding import add_coded, add_codes
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.job import Job, begin
from sqlrisk.sql.question import Question
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.trees import case, integer, named, sum_of, sums_of

_WORST = {1: "point_worst_of_one", 2: "point_worst_of_two", 3: "point_worst_of_three"}


def unicity_plan(dialect: Dialect, question: Question, targets: int, most: int, seed: int) -> Plan:
    """The statement that counts, for 1 to ``most`` points known of ``targets`` people, who is the only one to fit; and what
    it would take to find the worst points."""
    job = _begin(dialect, question, targets, seed)
    fits = {"most": [integer(most)], "fits": [_fits(known) for known in range(1, most + 1)]}
    job.chain.add("point_fits", "point_fits", fits)
    matches = [sum_of(f"fit_{known}", f"match_{known}") for known in range(1, most + 1)]
    job.chain.add("point_matches", "point_matches", {"matches": matches})
    job.chain.add("point_shared", "point_shared", {})
    figures = [column for known in range(1, most + 1) for column in _figures(known)]
    left_out = job.policy.row_left_out
    events = {
        "left_out": [case([(left_out, 1)] if left_out is not None else [], 0)],
        "tally_sums": sums_of(job.tallies.names),
    }
    arms = [
        job.chain.bind("unicity", {"figures": figures}),
        job.chain.bind("point_counts", {}),
        job.chain.bind("point_events_counts", events),
        job.chain.bind("point_worst_cost", {}),
    ]
    return compose(dialect, job.chain, arms)


def worst_plan(dialect: Dialect, question: Question, targets: int, known: Sequence[int], seed: int) -> Plan:
    """The statement that finds, for each number of points ``known`` (1 to 3), the fewest people who have the best choice of
    points of each target."""
    job = _begin(dialect, question, targets, seed)
    job.chain.add("point_shared", "point_shared", {})
    arms = []
    for number in known:
        name = f"point_worst_{number}"
        job.chain.add(name, _WORST[number], {})
        arms.append(job.chain.bind("point_worst", {"known": [integer(number)]}, reads={"point_worst_matches": name}))
    return compose(dialect, job.chain, arms)


def _begin(dialect: Dialect, question: Question, targets: int, seed: int) -> Job:
    """The steps up to the points known of the targets."""
    # The points are collapsed first; single columns of the release are not read again.
    job = begin(dialect, replace(question, release=replace(question.release, reread=False)))
    left_out = job.policy.row_left_out
    measured = case([(left_out, 0)] if left_out is not None else [], 1)
    job.chain.add("point_events", "point_events", {**job.key_columns, "measured": [measured]})
    release = question.release
    texts = [key for key, item in zip(job.keys, release.keys, strict=True) if item.kind is Kind.TEXT]
    texts += ["entity"] if release.entity_kind is Kind.TEXT else []
    columns = ["entity", *job.keys]
    add_codes(job, columns, texts, rows="point_events")
    coded = add_coded(job, "point_events", columns)
    job.chain.add("point_people", "point_people", {"point": [_point(job)]}, reads={"point_events": coded})
    drawn = {"draw": [dialect.draw(seed, named("person"))], "targets": [integer(targets)]}
    job.chain.add("point_targets", "point_targets", drawn)
    job.chain.add("point_known", "point_known", {"draw": [dialect.draw(seed, named("person"), named("point"))]})
    return job


def _point(job: Job) -> exp.Expression:
    """The number of a point: the codes of its columns as the digits of a number of mixed radix."""
    number: exp.Expression = named(job.keys[0])
    for key in job.keys[1:]:
        largest = exp.Coalesce(this=exp.Max(this=named("code")), expressions=[integer(0)])
        codes = exp.select(exp.Add(this=largest, expression=integer(1))).from_(
            exp.to_table(job.chain.names[f"{key}_codes"])
        )
        number = exp.Add(this=exp.Mul(this=exp.paren(number), expression=codes.subquery()), expression=named(key))
    return number


def _fits(known: int) -> exp.Expression:
    """1 where a person has each of the first ``known`` points, or all where the target has fewer."""
    whole: exp.Expression | None = None
    for place in range(1, known + 1):
        has = exp.Max(this=case([(exp.EQ(this=named("place"), expression=integer(place)), 1)], 0))
        none = exp.LT(this=named("points"), expression=integer(place))
        one = case([(none, 1)], has)
        whole = one if whole is None else exp.Mul(this=whole, expression=one)
    return exp.alias_(whole, f"fit_{known}", quoted=True)


def _figures(known: int) -> list[exp.Expression]:
    match = named(f"match_{known}")
    alone = case([(exp.EQ(this=match.copy(), expression=integer(1)), 1)], 0)
    fewer = case([(exp.LT(this=named("points"), expression=integer(known)), 1)], 0)
    share = exp.Div(this=exp.cast(integer(1), "double"), expression=match.copy(), typed=True, safe=False)
    return [
        exp.alias_(exp.cast(exp.Sum(this=alone), "bigint"), f"alone_{known}", quoted=True),
        exp.alias_(exp.cast(exp.Sum(this=fewer), "bigint"), f"fewer_{known}", quoted=True),
        exp.alias_(exp.cast(exp.Sum(this=share), "double"), f"risk_{known}", quoted=True),
    ]
