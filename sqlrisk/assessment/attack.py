"""Simulated matching: the procedure of ``sqlrisk attack``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from sqlrisk.assessment.assess import Session, measure_asked, session
from sqlrisk.assessment.prepare import Asked, ask
from sqlrisk.assessment.sweep import fetched, refuse_unsuitable
from sqlrisk.errors import MeasurementError, RequestError, nearest
from sqlrisk.generalisations import Prefix, QuasiIdentifier
from sqlrisk.parts.attack import Attack, Expected, Simulated, SimulatedMean
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment
from sqlrisk.risk.knowledge import Batch, Numbers, batches
from sqlrisk.risk.linkage import mean_interval, share_interval
from sqlrisk.sql.matching import Knowledge, attack_plan

TARGETS = 1000
_MOST_COMPARED = 300_000_000  # (class, set of known columns) pairs, or (class, target) pairs
_MOST_SUBSETS = 5_000
_MOST_ROWS = 30_000_000


def attack(policy: Policy, source: Any, label: str = "") -> Assessment:
    """Measure ``source`` under ``policy``, and simulate what an attacker makes of it; with points, of longitudinal data.

    :class:`RequestError` when the request is wrong, :class:`MeasurementError` when it could not be measured.
    """
    if policy.attack.points:
        from sqlrisk.assessment.unicity import unicity

        return unicity(policy, source, label)
    wanted = _Wanted.of(policy)
    with session(policy, source, label) as run:
        result = measure_asked(policy, run.warehouse, run.asked)
        part = _Simulation(run, wanted, result.classes or 0).part()
        return run.finished(result.model_copy(update={"attack": part}))


@dataclass(frozen=True)
class _Wanted:
    """What the policy says of the attacker, by the numbers of the quasi-identifiers."""

    names: Sequence[str]
    fixed: Numbers
    drawn: int
    chosen: str
    near: dict[int, Fraction]
    prefixes: dict[int, int]
    noise: dict[int, Fraction]

    @classmethod
    def of(cls, policy: Policy) -> _Wanted:
        """:class:`RequestError` for what does not fit together."""
        attack = policy.attack
        refuse_unsuitable(policy, "attack")
        if attack.max_points or attack.coarser:
            raise RequestError("--max-points and --coarser are about points", "give --points, or leave them out")
        names = [item.column for item in policy.release.quasi_identifiers]
        numbers = {name: at for at, name in enumerate(names, start=1)}

        def number(column: str, option: str) -> int:
            if column not in numbers:
                raise RequestError(f"{option}: `{column}` is not a quasi-identifier", nearest(column, names))
            return numbers[column]

        fixed = tuple(sorted(number(column, "--known-columns") for column in attack.known_columns))
        near, prefixes = {}, {}
        for column, text in attack.tolerance.items():
            at, (kind, value) = number(column, "--tolerance"), _tolerance(column, text)
            (near if kind == "near" else prefixes)[at] = value
        noise = {number(column, "--noise"): chance for column, chance in attack.noise.items()}
        most = len(names) - len(fixed)
        if attack.known is not None and attack.known > most and names:
            raise RequestError(
                f"--known {attack.known}: there are {most} quasi-identifiers beside the known columns", "ask for fewer"
            )
        if attack.worst and attack.known is None:
            raise RequestError("--worst is about the worst choice of so many columns", "say how many with --known")
        if attack.known is not None:
            return cls(names, fixed, attack.known, "worst" if attack.worst else "random", near, prefixes, noise)
        chosen = "given" if fixed else "all"
        return cls(names, fixed or tuple(numbers.values()), 0, chosen, near, prefixes, noise)

    def as_asked(self, policy: Policy) -> Policy:
        """The policy of the attack: keys cut to the prefix that is sure, and who somebody is in the place of an entity id."""
        keys = [
            QuasiIdentifier(item.column, Prefix(self.prefixes[at])) if at in self.prefixes else item
            for at, item in enumerate(policy.release.quasi_identifiers, start=1)
        ]
        for at in self.prefixes:
            item = policy.release.quasi_identifiers[at - 1]
            if item.generalisation is not None and not isinstance(item.generalisation, Prefix):
                raise RequestError(
                    f"--tolerance: `{item.spec}` is generalised already, and no text to take a prefix of",
                    "leave the tolerance out",
                )
        truth = policy.attack.truth_id
        own = {"quasi_identifiers": keys, "sensitive": [], "weight": None, "household": None, "previous": []}
        own |= {"entity_id": truth, "entity_counting": "distinct"}
        population = policy.population
        if truth is not None and population.table is not None and population.entity_id is None:
            population = population.model_copy(update={"entity_id": truth})
        if truth is None:
            population = population.model_copy(update={"entity_id": None})
        release = policy.release.model_copy(update=own)
        return policy.model_copy(
            update={"release": release, "population": population.model_copy(update={"model": None})}
        )


def _tolerance(column: str, text: str) -> tuple[str, Any]:
    """``2``, ``0.5``, ``30 days`` or ``prefix 3``: how far a match may be off."""
    if match := re.fullmatch(r"prefix[ =]([1-9][0-9]{0,2})", text.strip()):
        return "prefix", int(match[1])
    if match := re.fullmatch(r"([0-9]{1,9}([.][0-9]{1,6})?)( ?(d|day|days|years?))?", text.strip()):
        return "near", Fraction(match[1])
    raise RequestError(
        f"--tolerance: `{text}` is no distance for `{column}`", "write `age=2`, `admitted=30 days` or `zip=prefix 3`"
    )


class _Simulation:
    """One attack on an open source."""

    def __init__(self, run: Session, wanted: _Wanted, classes: int) -> None:
        self.policy, self.run, self.wanted, self.classes = run.policy, run, wanted, classes
        self.asked: Asked = ask(wanted.as_asked(run.policy), run.opened)

    def part(self) -> Attack:
        """Draw, match, and sum up."""
        policy, wanted, names = self.policy, self.wanted, self.wanted.names
        fixed, drawn = wanted.fixed, wanted.drawn
        if wanted.chosen == "worst":
            fixed, drawn = self._worst(), 0
        knowledge = Knowledge(fixed, drawn, wanted.near, wanted.noise, policy.attack.truth_id is not None)
        targets = policy.attack.targets or TARGETS
        self._refuse_too_many(knowledge, targets)
        plan = attack_plan(self.asked.dialect, self.asked.question, knowledge, targets, policy.seed)
        answers = self.run.fetch("matching the targets", plan)
        outcomes = [
            (int(answer["matches"]), int(answer["rightly"]), int(answer["targets"]))
            for answer in answers
            if answer["arm"] == "attack"
        ]
        (pool,) = (int(answer["pool"]) for answer in answers if answer["arm"] == "pool")
        if pool == 0:
            raise MeasurementError(
                "there is nobody to attack: the population table is empty", "check --population-where"
            )
        return self._summed(outcomes, pool, fixed, drawn, [names[at - 1] for at in fixed])

    def _summed(
        self, outcomes: list[tuple[int, int, int]], pool: int, fixed: Numbers, drawn: int, columns: list[str]
    ) -> Attack:
        policy, wanted = self.policy, self.wanted
        targets = sum(number for _, _, number in outcomes)
        by_matches: dict[int, int] = {}
        for matches, _, number in outcomes:
            by_matches[matches] = by_matches.get(matches, 0) + number

        def simulated(hits: int) -> Simulated:
            interval = share_interval(hits, targets, pool)
            return Simulated(targets=hits, share=hits / targets, interval=interval)

        from_release = policy.population.table is None
        reason = None
        right = wrong = success = None
        if from_release or policy.attack.truth_id is not None:
            right = simulated(sum(number for matches, rightly, number in outcomes if matches == 1 and rightly))
            wrong = simulated(sum(number for matches, rightly, number in outcomes if matches == 1 and not rightly))
            chances = [(min(1.0, rightly / matches), number) for matches, rightly, number in outcomes if matches]
            mean = math.fsum(chance * number for chance, number in chances) / targets
            squares = math.fsum(chance * chance * number for chance, number in chances) / targets
            success = SimulatedMean(mean=mean, interval=mean_interval(mean, squares, targets, pool))
        else:
            reason = "nothing says which record is a target's: give --truth-id, a column of both tables"
        return Attack(
            targets=targets,
            pool=pool,
            drawn_from="release" if from_release else "population table",
            seed=policy.seed,
            known_columns=columns,
            random_columns=drawn,
            chosen=wanted.chosen,
            tolerance=policy.attack.tolerance,
            noise={column: float(chance) for column, chance in policy.attack.noise.items()},
            truth_id=policy.attack.truth_id,
            matches=sorted(by_matches.items()),
            unmatched=simulated(by_matches.get(0, 0)),
            unique_matches=simulated(by_matches.get(1, 0)),
            right_unique=right,
            wrong_unique=wrong,
            success=success,
            expected=self._expected(fixed, drawn),
            reason=reason,
        )

    def _refuse_too_many(self, knowledge: Knowledge, targets: int) -> None:
        sets = math.comb(len(self.wanted.names) - len(knowledge.fixed), knowledge.drawn)
        if sets * self.classes > _MOST_COMPARED:
            raise RequestError(
                f"{sets:,} sets of known columns, of {self.classes:,} classes each, are above {_MOST_COMPARED:,} pairs",
                "name the known columns, or generalise the quasi-identifiers",
            )
        exact = [at for at in range(1, len(self.wanted.names) + 1) if at not in knowledge.near]
        known_exactly = [at for at in exact if at in knowledge.fixed]
        if knowledge.near and not known_exactly and targets * self.classes > _MOST_COMPARED:
            raise RequestError(
                f"{targets:,} targets would be compared by distance with {self.classes:,} classes",
                "draw fewer --targets, or let a column be known exactly",
            )

    def _subsets(self) -> list[Numbers]:
        """The sets of columns that can be known."""
        wanted = self.wanted
        others = [at for at in range(1, len(wanted.names) + 1) if at not in wanted.fixed]
        return [tuple(sorted((*wanted.fixed, *more))) for more in combinations(others, wanted.drawn)]

    def _risks(self, subsets: list[Numbers]):
        whole = tuple(range(1, len(self.wanted.names) + 1))
        singles = [(at,) for at in whole]
        found = fetched(self.policy, self.run, [Batch(((whole, tuple(singles)),))])
        distinct = {numbers[0]: risk.classes for numbers, risk in found.items()}
        rest = [subset for subset in subsets if len(subset) > 1]
        if rest:
            found |= fetched(self.policy, self.run, batches(rest, distinct, self.classes, _MOST_ROWS))
        return {subset: found[subset] for subset in subsets}

    def _worst(self) -> Numbers:
        """The set of columns with the most records alone; of those alike the one with the highest average risk, then the
        first."""
        subsets = self._subsets()
        if len(subsets) > _MOST_SUBSETS:
            raise RequestError(
                f"--worst: there are {len(subsets):,} choices of columns, above {_MOST_SUBSETS:,}", "lower --known"
            )
        risks = self._risks(subsets)
        return max(subsets, key=lambda subset: (risks[subset].sample_uniques, risks[subset].average_risk))

    def _expected(self, fixed: Numbers, drawn: int) -> Expected:
        if self.policy.population.table is not None:
            return self._expected_of_population(fixed, drawn)
        subsets = [tuple(sorted((*fixed, *more))) for more in self._more(fixed, drawn)]
        if len(subsets) > _MOST_SUBSETS:
            reason = f"there are {len(subsets):,} sets of known columns, above {_MOST_SUBSETS:,}"
            return Expected(unique_share=None, success=None, reason=reason)
        risks = self._risks(subsets).values()
        return Expected(
            unique_share=math.fsum(risk.uniqueness for risk in risks) / len(subsets),
            success=math.fsum(risk.average_risk for risk in risks) / len(subsets),
        )

    def _more(self, fixed: Numbers, drawn: int):
        others = [at for at in range(1, len(self.wanted.names) + 1) if at not in fixed]
        return combinations(others, drawn)

    def _expected_of_population(self, fixed: Numbers, drawn: int) -> Expected:
        """With F_c of the N people of the population in class c of the release, s_c of them released: alone F_c/N where
        s_c = 1, and 1/N of being picked rightly for each class."""
        if drawn:
            reason = "it is not computed for columns that are drawn for each target, against a population table"
            return Expected(unique_share=None, success=None, reason=reason)
        policy = self.policy
        keys = [item for at, item in enumerate(policy.release.quasi_identifiers, start=1) if at in fixed]
        release = policy.release.model_copy(update={"quasi_identifiers": keys, "sensitive": [], "previous": []})
        columns = {name: other for name, other in policy.population.columns.items() if name in {k.column for k in keys}}
        population = policy.population.model_copy(update={"columns": columns, "entity_id": None})
        own = policy.model_copy(update={"release": release, "population": population})
        joint = measure_asked(own, self.run.warehouse, ask(own, self.run.opened)).population
        if joint is None or joint.joint_sizes is None:
            return Expected(unique_share=None, success=None, reason="release and population cannot be compared")
        alone = sum(f * classes for s, f, classes in joint.joint_sizes if s == 1)
        found = sum(min(1.0, f / s) * classes for s, f, classes in joint.joint_sizes if s and f)
        return Expected(unique_share=alone / joint.size, success=found / joint.size)
