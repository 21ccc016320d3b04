"""Longitudinal data: the points of people, seeded targets, and who else has what an attacker knows of them.

The draws are made of the numbers of people and points in their order, so that they are the same on every engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from sqlrisk.sql.coding import add_coded, add_codes, add_numbers
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.job import Job, begin
from sqlrisk.sql.question import Question
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.trees import case, integer, named, sum_of, sums_of

_CHOICES = {2: "point_choices_of_two", 3: "point_choices_of_three"}


@dataclass(frozen=True)
class Draw:
    """How many targets are drawn, and by which seed."""

    targets: int
    seed: int


@dataclass(frozen=True)
class Bounds:
    """How far a search for the worst points goes: the people who share points with targets, summed over the points; and the
    choices of points that are compared."""

    shared: int
    choices: int


def unicity_plan(dialect: Dialect, question: Question, draw: Draw, most: int, bound: int) -> Plan:
    """The statement that counts, for 1 to ``most`` points known of the targets, who is the only one to fit; and what it would
    take to find the worst points. Where more than ``bound`` people have the first point of the targets, one point alone."""
    job = _begin(dialect, question, draw)
    job.chain.add("point_drawn", "point_drawn", {"points": [_in_place(place) for place in range(1, most + 1)]})
    figures = [column for known in range(1, most + 1) for column in _figures(known)]
    if most > 1:
        _add_matches(job, most, bound)
        unicity = job.chain.bind("unicity", {"figures": figures})
    else:
        unicity = job.chain.bind("unicity_of_one", {"figures": figures})
    left_out = job.policy.row_left_out
    events = {
        "left_out": [case([(left_out, 1)] if left_out is not None else [], 0)],
        "tally_sums": sums_of(job.tallies.names),
    }
    arms = [
        unicity,
        job.chain.bind("point_counts", {}),
        job.chain.bind("point_events_counts", events),
        job.chain.bind("point_rarest", {}),
    ]
    return compose(dialect, job.chain, arms)


def worst_plan(dialect: Dialect, question: Question, draw: Draw, most: int, bounds: Bounds) -> Plan:
    """The statement that finds, for 2 to ``most`` (at most 3) points known, the fewest people who have the best choice of
    points of each target, of those whom fewer points do not single out. Nothing is searched beyond the ``bounds``."""
    job = _begin(dialect, question, draw)
    chain = job.chain
    chain.add("point_best_1", "point_best_of_one", {})
    arms = []
    for known in range(2, most + 1):
        opened = _add_open(job, known, f"point_best_{known - 1}")
        if known == 2:
            # Most targets are singled out by their rarest point and another one; the rest is searched.
            chain.add("point_beside", "point_beside", {}, reads={"point_open": opened})
            chain.add("point_near", "point_near", {}, reads={"point_open": opened})
            chain.add("point_near_best", "point_best", {}, reads={"point_choices": "point_near"})
            opened = _add_open(job, known, "point_near_best")
        choices = _add_search(job, known, opened, bounds)
        best, template = f"point_best_{known}", "point_best_of_two" if known == 2 else "point_best"
        chain.add(best, template, {}, reads={"point_choices": choices})
        own = {"known": [integer(known)]}
        reads = {"point_open": opened, "point_cost": f"point_cost_{known}"}
        arms.append(chain.bind("point_cost_counts", own, reads=reads))
        arms.append(chain.bind("point_worst", own, reads={"point_best": best}))
    return compose(dialect, chain, arms)


def _add_open(job: Job, known: int, best: str) -> str:
    name = f"point_open_after_{best}"
    job.chain.add(name, "point_open", {"known": [integer(known)]}, reads={"point_best": best})
    return name


def _add_search(job: Job, known: int, opened: str, bounds: Bounds) -> str:
    """All choices of ``known`` of the points of the step ``opened``, and how many people have each."""
    names = ("left", "shared", "cost", "compared", "choices")
    left, shared, cost, compared, choices = (f"point_{name}_{known}" for name in names)
    job.chain.add(left, "point_left", {"bound": [integer(bounds.shared)]}, reads={"point_open": opened})
    job.chain.add(shared, "point_shared", {}, reads={"point_left": left})
    job.chain.add(cost, "point_cost", {"choices": [_choices(known)]}, reads={"point_shared": shared})
    reads = {"point_shared": shared, "point_cost": cost}
    job.chain.add(compared, "point_compared", {"bound": [integer(bounds.choices)]}, reads=reads)
    job.chain.reread.add(job.chain.names[compared])
    job.chain.add(choices, _CHOICES[known], {}, reads={"point_compared": compared})
    return choices


def _begin(dialect: Dialect, question: Question, draw: Draw) -> Job:
    """The steps up to the points of the targets, in the order in which an attacker comes to know them."""
    # The points are collapsed first; single columns of the release are not read again.
    job = begin(dialect, replace(question, release=replace(question.release, reread=False)))
    left_out = job.policy.row_left_out
    measured = case([(left_out, 0)] if left_out is not None else [], 1)
    job.chain.add("point_events", "point_events", {**job.key_columns, "measured": [measured]})
    coded, point = _coded(job)
    job.chain.add("point_people", "point_people", {"point": [point]}, reads={"point_events": coded})
    drawn = {"draw": [dialect.draw(draw.seed, named("person"))], "targets": [integer(draw.targets)]}
    job.chain.add("point_targets", "point_targets", drawn)
    known = dialect.draw(draw.seed, named("person"), named("point"))
    job.chain.add("point_known", "point_known", {"draw": [known]})
    job.chain.add("point_sizes", "point_sizes", {})
    return job


def _coded(job: Job) -> tuple[str, exp.Expression]:
    """The step of the events with numbers in the place of values, and the number of a point in it."""
    release = job.question.release
    kinds = {
        "entity": release.entity_kind,
        **{key: item.kind for key, item in zip(job.keys, release.keys, strict=True)},
    }
    for column, kind in kinds.items():
        add_codes(job, [column], [column] if kind is Kind.TEXT else [], rows="point_events")
        if kind is Kind.FLOAT and column != "entity" and not job.dialect.partitions_by_float:
            _order_as_numbers(job)
    coded = add_coded(job, "point_events", list(kinds))
    if len(job.keys) == 1:
        return coded, named(job.keys[0])
    if len(job.keys) == 2:
        return coded, _pair(job)
    # The codes of more columns could be multiplied to a number beyond BIGINT: halves of them are numbered.
    (numbered,), number = add_numbers(job, job.keys, [coded], coded)
    return numbered, number


def _order_as_numbers(job: Job) -> None:
    """Put floating-point values, which are texts where they cannot be joined, in the order of other engines."""
    for ordered in job.chain.steps[-1][1].find_all(exp.Ordered):
        ordered.set("this", exp.cast(ordered.this.copy(), "double"))


def _pair(job: Job) -> exp.Expression:
    """The number of a point of two columns: their codes as digits."""
    first, second = job.keys
    largest = exp.Coalesce(this=exp.Max(this=named("code")), expressions=[integer(0)])
    codes = exp.select(exp.Add(this=largest, expression=integer(1)))
    radix = codes.from_(exp.to_table(job.chain.names[f"{second}_codes"])).subquery()
    return exp.Add(this=exp.Mul(this=named(first), expression=radix), expression=named(second))


def _in_place(place: int) -> exp.Expression:
    """The number of the point in a place of the draw; NULL where the target has fewer."""
    own = exp.Max(this=case([(exp.EQ(this=named("place"), expression=integer(place)), named("point"))]))
    return exp.alias_(own, f"point_{place}", quoted=True)


def _add_matches(job: Job, most: int, bound: int) -> None:
    """``point_matches``: how many people fit, for 2 to ``most`` points known."""
    job.chain.add("point_held", "point_held", {"most": [integer(most)]})
    later = [named(f"point_{place}") for place in range(3, most + 1)]
    first = {"next": [named("point_2")], "later": later, "bound": [integer(bound)]}
    job.chain.add("point_fits_1", "point_fits_first", first)
    for known in range(2, most + 1):
        earlier = [named(f"fit_{before}") for before in range(2, known)]
        fits = exp.alias_(_fits(known), f"fit_{known}", quoted=True)
        following = [exp.alias_(named(f"point_{known + 1}"), "next", quoted=True)] if known < most else []
        later = [named(f"point_{place}") for place in range(known + 2, most + 1)]
        columns = {"columns": [*earlier, fits, *following, *later]}
        job.chain.add(f"point_fits_{known}", "point_fits", columns, reads={"point_fits": f"point_fits_{known - 1}"})
    matches = [sum_of(f"fit_{known}", f"match_{known}") for known in range(2, most + 1)]
    job.chain.add("point_matches", "point_matches", {"matches": matches}, reads={"point_fits": f"point_fits_{most}"})


def _fits(known: int) -> exp.Expression:
    """1 where a person has each of the first ``known`` points, or all where the target has fewer."""
    before = named(f"fit_{known - 1}") if known > 2 else integer(1)
    fewer = exp.LT(this=named("points"), expression=integer(known))
    absent = exp.Is(this=exp.column("point", table="other", quoted=True), expression=exp.null())
    return case([(fewer, before), (absent, 0)], before)


def _figures(known: int) -> list[exp.Expression]:
    match = named("first") if known == 1 else named(f"match_{known}")
    alone = case([(exp.EQ(this=match.copy(), expression=integer(1)), 1)], 0)
    fewer = case([(exp.LT(this=named("points"), expression=integer(known)), 1)], 0)
    share = exp.Div(this=exp.cast(integer(1), "double"), expression=match.copy(), typed=True, safe=False)
    return [
        exp.alias_(exp.cast(exp.Sum(this=alone), "bigint"), f"alone_{known}", quoted=True),
        exp.alias_(exp.cast(exp.Sum(this=fewer), "bigint"), f"fewer_{known}", quoted=True),
        exp.alias_(exp.cast(exp.Sum(this=share), "double"), f"risk_{known}", quoted=True),
    ]


def _choices(known: int) -> exp.Expression:
    """How many choices of ``known`` points there are among those that a person shares with a target."""
    number, divisor = named("shared"), 1
    product: exp.Expression = number
    for less in range(1, known):
        product = exp.Mul(this=product, expression=exp.paren(exp.Sub(this=named("shared"), expression=integer(less))))
        divisor *= less + 1
    return exp.Div(this=product, expression=integer(divisor), typed=True, safe=False)
