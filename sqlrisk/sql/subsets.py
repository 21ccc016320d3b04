"""Subsets of the quasi-identifiers: their classes, rolled up from the classes of larger sets, never from the rows anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.job import Job, begin
from sqlrisk.sql.question import Question
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.trees import case, integer, named


@dataclass(frozen=True)
class RollUp:
    """Subsets that are grouped in one go, from the classes of ``parent``; sets of quasi-identifiers by number, from 1."""

    parent: tuple[int, ...]
    subsets: tuple[tuple[int, ...], ...]


def mask_of(subset: Sequence[int]) -> int:
    """The number of a subset: the sum of 1, 2, 4, ... for its quasi-identifiers."""
    return sum(1 << (number - 1) for number in subset)


def subsets_plan(dialect: Dialect, question: Question, roll_ups: Sequence[RollUp], smaller_than: int) -> Plan:
    """The statement that counts the classes of each subset; classes ``smaller_than`` that are at risk.

    Parents hold one another, the largest first: each is rolled up from the one before.
    """
    job = begin(dialect, question)
    add_classes(job)
    whole = tuple(range(1, len(job.keys) + 1))
    current, arms = "subset_classes", []
    for number, roll_up in enumerate(roll_ups):
        if roll_up.parent != whole:
            parent = f"subset_parent_{number}"
            kept = {"kept": [named(job.keys[at - 1]) for at in roll_up.parent]}
            job.chain.add(parent, "subset_parent", kept, reads={"subset_classes": current})
            current = parent
        groups = f"subset_groups_{number}"
        job.chain.add(groups, "subset_groups", sets_of(job, roll_up.subsets), reads={"subset_classes": current})
        at_risk = case([(exp.LT(this=named("size"), expression=integer(smaller_than)), 1)], 0)
        arms.append(job.chain.bind("subset_sums", {"at_risk": [at_risk]}, reads={"subset_groups": groups}))
    return compose(dialect, job.chain, arms)


def add_classes(job: Job) -> None:
    """The step ``subset_classes``: the measured records' classes, collapsed."""
    left_out = job.policy.row_left_out
    measured = case([(left_out, 0)] if left_out is not None else [], 1)
    job.chain.add("subset_classes", "subset_classes", {**job.key_columns, "measured": [measured]})


def sets_of(job: Job, subsets: Sequence[Sequence[int]]) -> dict[str, list[exp.Expression]]:
    """The slots of a template that groups by several subsets: their GROUPING SETS, and the number of each."""
    used = sorted({number for subset in subsets for number in subset})
    sets = [exp.Tuple(expressions=[named(job.keys[number - 1]) for number in subset]) for subset in subsets]
    mask: exp.Expression = integer(mask_of(used))
    for number in used:  # GROUPING is 1 for a column that a subset lacks
        absent = exp.Grouping(expressions=[named(job.keys[number - 1])])
        mask = exp.Sub(this=mask, expression=exp.Mul(this=absent, expression=integer(1 << (number - 1))))
    return {"subset": [exp.cast(mask, "bigint")], "sets": sets}
