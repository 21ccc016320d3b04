"""Simulated matching: targets by a seeded draw, what an attacker knows of each, and which records of the release fit it.

Draws are made of the numbers of values in their order (see ``sqlrisk.sql.coding``), so that they are the same on every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.sql.coding import add_coded, add_codes
from sqlrisk.sql.dialect import HASH_RANGE, Dialect
from sqlrisk.sql.job import Job, begin
from sqlrisk.sql.plan import check_kinds
from sqlrisk.sql.quasi_identifier import Generalised, number_of_key
from sqlrisk.sql.question import Question, Rows
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.trees import case, integer, named

_NOT_KNOWN = -1
# Draws of the noise must not be those of the known columns.
_NOISE = 1000


@dataclass(frozen=True)
class Knowledge:
    """What the attacker knows of a target: quasi-identifiers by number, from 1.

    ``fixed`` are known of every target, and ``drawn`` more by a draw of each target. ``near`` gives how far a match may be
    off, in the unit of the key (days for dates), and ``noise`` how probable it is that the value of another target is
    believed. ``has_truth``: the release's (and the population's) entity id says who somebody is.
    """

    fixed: Sequence[int]
    drawn: int = 0
    near: Mapping[int, Fraction] = field(default_factory=dict)
    noise: Mapping[int, Fraction] = field(default_factory=dict)
    has_truth: bool = False


def attack_plan(dialect: Dialect, question: Question, knowledge: Knowledge, targets: int, seed: int) -> Plan:
    """The statement that draws ``targets`` of the population, or of the release where there is none, and matches them."""
    job = begin(dialect, question, _values(question.release, knowledge, dialect))
    if question.population:
        check_kinds(question.release.keys, question.population.keys, "the population")
        more = _values(question.population, knowledge, dialect)
        job.add_rows("population", question.population, [*job.tallies.population, *more])
    work = _Attack(job, knowledge, targets, seed)
    work.add_rows()
    work.add_targets()
    work.add_known()
    work.add_matches()
    return compose(dialect, job.chain, [job.chain.bind("attack", {}), job.chain.bind("attack_pool", {})])


def _values(rows: Rows, knowledge: Knowledge, dialect: Dialect) -> list[exp.Alias]:
    """The values of the columns that are compared by distance, as numbers."""
    return [
        exp.alias_(_number(rows.keys[at - 1], dialect), f"value_{at}", quoted=True) for at in sorted(knowledge.near)
    ]


def _number(item: Generalised, dialect: Dialect) -> exp.Expression:
    number = number_of_key(item, dialect)
    if number is None:
        raise RequestError(
            f"--tolerance: `{item.column}` is {item.kind.value}, which has no distance",
            "give numbers or dates, or write `prefix 3` for texts",
        )
    return number


class _Attack:
    """The steps of one attack."""

    def __init__(self, job: Job, knowledge: Knowledge, targets: int, seed: int) -> None:
        self.job, self.knowledge, self.targets, self.seed = job, knowledge, targets, seed
        self.numbers = range(1, len(job.keys) + 1)
        self.near = sorted(knowledge.near)
        self.truth = ["entity"] if knowledge.has_truth else []

    @property
    def columns(self) -> list[str]:
        return [*self.job.keys, *self.truth, *(f"value_{at}" for at in self.near)]

    def add_rows(self) -> None:
        """``attack_release`` and ``attack_pool``, with numbers in the place of values."""
        job, question = self.job, self.job.question
        coded_columns = [*job.keys, *self.truth]
        sides = ["release", *(["population"] if question.population else [])]
        both = "release"
        if question.population:
            job.chain.add("both", "both", {"quasi_identifiers": [named(column) for column in coded_columns]})
            both = "both"
        texts = [key for key, item in zip(job.keys, question.release.keys, strict=True) if item.kind is Kind.TEXT]
        texts += self.truth if question.release.entity_kind is Kind.TEXT else []
        add_codes(job, coded_columns, texts, rows=both)
        left_out = {"release": job.coded_policy.row_left_out, "population": job.coded_policy.population_left_out}
        for side in sides:
            coded = add_coded(job, side, coded_columns)
            gone = left_out[side]
            measured = case([(gone, 0)] if gone is not None else [], 1)
            slots = {"columns": [named(column) for column in self.columns], "measured": [measured]}
            name = "attack_release" if side == "release" else "attack_pool"
            job.chain.add(name, "measured_rows", slots, reads={"release": coded})
        if not question.population:
            job.chain.names["attack_pool"] = job.chain.names["attack_release"]

    def add_targets(self) -> None:
        """``attack_targets``, and what is believed of them."""
        job = self.job
        keys = [named(key) for key in job.keys]
        slots = {
            "columns": [named(column) for column in self.columns],
            "quasi_identifiers": keys,
            "order": [named(column) for column in self.truth] or keys,
            "draw": [job.dialect.draw(self.seed, *keys, named("copy"))],
            "targets": [integer(self.targets)],
        }
        job.chain.add("attack_targets", "attack_targets", slots)
        job.chain.add("attack_noisy", "attack_noisy", {"columns": self._believed()})

    def _believed(self) -> list[exp.Expression]:
        columns: list[exp.Expression] = [_of("own", column) for column in self.columns]
        for at, key in zip(self.numbers, self.job.keys, strict=True):
            columns.append(self._or_another(at, key, f"believed_{at}"))
            if at in self.near:
                columns.append(self._or_another(at, f"value_{at}", f"near_{at}"))
        return columns

    def _or_another(self, at: int, column: str, name: str) -> exp.Expression:
        own, probability = _of("own", column), self.knowledge.noise.get(at)
        if probability:
            drawn = self.job.dialect.draw(self.seed, _of("own", "target"), integer(_NOISE + at))
            wrong = exp.LT(this=drawn, expression=integer(round(probability * HASH_RANGE)))
            own = case([(wrong, _of("donor", column))], own)
        return exp.alias_(own, name, quoted=True)

    def add_known(self) -> None:
        """``attack_known``: what is known of each target."""
        job, fixed = self.job, set(self.knowledge.fixed)
        kept = [*self.columns, *(f"believed_{at}" for at in self.numbers), *(f"near_{at}" for at in self.near)]
        columns = [named(column) for column in kept]
        others = [at for at in self.numbers if at not in fixed] if self.knowledge.drawn else []
        draws = [
            exp.alias_(job.dialect.draw(self.seed, named("target"), integer(at)), f"draw_{at}", quoted=True)
            for at in others
        ]
        job.chain.add("attack_drawn", "attack_drawn", {"columns": columns, "draws": draws})
        knows = [exp.alias_(self._knows(at, others), f"know_{at}", quoted=True) for at in self.numbers]
        job.chain.add("attack_knowing", "attack_knowing", {"columns": columns, "knows": knows})
        known: list[exp.Expression] = [named(column) for column in self.truth]
        for at in self.numbers:
            value = case([(_is(f"know_{at}", 1), named(f"believed_{at}"))], integer(_NOT_KNOWN))
            known.append(exp.alias_(value, f"known_{at}", quoted=True))
        known += [named(f"near_{at}") for at in self.near]
        mask: exp.Expression = integer(0)
        for at in self.numbers:
            part = exp.Mul(this=named(f"know_{at}"), expression=integer(1 << (at - 1)))
            mask = exp.Add(this=mask, expression=part)
        itself = case([(exp.and_(*(self._itself(at) for at in self.numbers)), 1)], 0)
        job.chain.add("attack_known", "attack_known", {"columns": known, "mask": [mask], "itself": [itself]})

    def _knows(self, at: int, others: Sequence[int]) -> exp.Expression:
        """1 for a fixed column, and for one whose draw is among the smallest."""
        if at not in others:
            return integer(1 if at in set(self.knowledge.fixed) else 0)
        smaller: exp.Expression = integer(0)
        for other in others:
            if other != at:
                # equal draws are told apart by the number of the column
                compare = exp.LTE if other < at else exp.LT
                first = compare(this=named(f"draw_{other}"), expression=named(f"draw_{at}"))
                smaller = exp.Add(this=smaller, expression=case([(first, 1)], 0))
        return case([(exp.LT(this=exp.paren(smaller), expression=integer(self.knowledge.drawn)), 1)], 0)

    def _itself(self, at: int) -> exp.Expression:
        own = self._fits(at, named(f"believed_{at}"), named(self.job.keys[at - 1]), named(f"value_{at}"))
        return exp.paren(exp.or_(_is(f"know_{at}", 0), own))

    def _fits(self, at: int, believed: exp.Expression, other: exp.Expression, value: exp.Expression) -> exp.Expression:
        """Whether a record with the number ``other`` and the ``value`` fits what is believed."""
        if at not in self.near:
            return exp.EQ(this=believed, expression=other)
        both_missing = exp.and_(
            exp.EQ(this=believed.copy(), expression=integer(0)), exp.EQ(this=other.copy(), expression=integer(0))
        )
        distance = exp.Abs(this=exp.Sub(this=value, expression=named(f"near_{at}")))
        most = self.knowledge.near[at]
        bound = exp.Div(
            this=exp.cast(integer(most.numerator), "double"),
            expression=integer(most.denominator),
            typed=True,
            safe=False,
        )
        return exp.or_(exp.paren(both_missing), exp.LTE(this=distance, expression=exp.paren(bound)))

    def add_matches(self) -> None:
        """``attack_outcomes``: how many records fit each target, and how many of them rightly."""
        job = self.job
        job.chain.add("attack_masks", "attack_masks", {})
        values = [f"value_{at}" for at in self.near]
        job.chain.add("attack_classes", "attack_classes", {"columns": [named(key) for key in [*job.keys, *values]]})
        seen, groups = [], []
        for at, key in zip(self.numbers, job.keys, strict=True):
            if at in self.near:
                pairs = [(f"other_{at}", named(key)), (f"value_{at}", named(f"value_{at}"))]
            else:
                pairs = [(f"known_{at}", case([(_in_mask(at), named(key))], integer(_NOT_KNOWN)))]
            for name, value in pairs:
                seen.append(exp.alias_(value, name, quoted=True))
                groups.append(value)
        job.chain.add("attack_candidates", "attack_candidates", {"seen": seen, "groups": groups})
        exact = [named(f"known_{at}") for at in self.numbers if at not in self.near]
        near = case([(self._all(lambda at: named(f"other_{at}"), self.near), 1)], 0)
        job.chain.add("attack_matches", "attack_matches", {"exact": exact, "near": [near]})
        if not self.truth:
            rightly = integer(0) if job.question.population else named("itself")
            job.chain.add("attack_outcomes", "attack_outcomes_itself", {"rightly": [rightly]})
            return
        fits = case([(self._all(lambda at: named(job.keys[at - 1]), self.numbers), 1)], 0)
        job.chain.add("attack_right", "attack_right", {"fits": [fits]})
        found = exp.Coalesce(this=named("rightly"), expressions=[integer(0)])
        job.chain.add("attack_outcomes", "attack_outcomes", {"rightly": [found]})

    def _all(self, other: Callable[[int], exp.Expression], numbers: Sequence[int]) -> exp.Expression:
        """Whether each of the columns fits, or is not known."""
        conditions = [
            exp.paren(
                exp.or_(
                    _is(f"known_{at}", _NOT_KNOWN),
                    self._fits(at, named(f"known_{at}"), other(at), named(f"value_{at}")),
                )
            )
            for at in numbers
        ]
        return exp.and_(*conditions) if conditions else exp.EQ(this=integer(1), expression=integer(1))


def _of(table: str, column: str) -> exp.Column:
    return exp.column(column, table=table, quoted=True)


def _is(column: str, value: int) -> exp.Expression:
    return exp.EQ(this=named(column), expression=integer(value))


def _in_mask(at: int) -> exp.Expression:
    rest = exp.Mod(this=named("mask"), expression=integer(1 << at))
    return exp.GTE(this=rest, expression=integer(1 << (at - 1)))
