"""Minimal sample uniques: which records are alone on which subsets of the quasi-identifiers, and on nothing less."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.job import Job, begin
from sqlrisk.sql.question import Question
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.subsets import add_classes, sets_of
from sqlrisk.sql.trees import case, integer, named


def minimal_uniques_plan(dialect: Dialect, question: Question, subsets: Sequence[Sequence[int]], most: int) -> Plan:
    """The statement that counts the minimal sample uniques of at most ``most`` quasi-identifiers, by subset and by record;
    ``subsets`` are all of that size or less, as numbers of quasi-identifiers from 1."""
    job = begin(dialect, question)
    add_classes(job)
    sizes = add_minimal_uniques(job, subsets, most)
    arms = [
        job.chain.bind("msu_subsets", {}),
        job.chain.bind("msu_vectors", {"sizes": [named(size) for size in sizes]}),
    ]
    return compose(dialect, job.chain, arms)


def add_minimal_uniques(job: Job, subsets: Sequence[Sequence[int]], most: int) -> list[str]:
    """The steps from ``subset_classes`` to ``msu_records``, over ``msu_numbered``, in which each class has its ``class_id``.

    Returns the columns of ``msu_records``: the minimal uniques of size 1, 2, ... of a record.
    """
    chain = job.chain
    chain.add("msu_numbered", "msu_numbered", {**job.key_columns, "order": job.partition})
    chain.add("msu_unique", "msu_unique", sets_of(job, subsets))
    bits = [chain.bind("msu_bits", {"bit": [integer(1 << at)]}) for at in range(len(job.keys))]
    union: exp.Query = bits[0]
    for bit in bits[1:]:
        union = exp.union(union, bit, distinct=False, copy=False)
    chain.add_tree("msu_bits", union)
    chain.add("msu_marked", "msu_marked", {"size": [_size(job)], "most": [integer(most)]})
    chain.add("msu_minimal", "msu_minimal", {})
    sizes = [f"size_{size}" for size in range(1, most + 1)]
    counts = [
        exp.alias_(
            exp.cast(exp.Sum(this=case([(exp.EQ(this=_size(job), expression=integer(size)), 1)], 0)), "bigint"),
            name,
            quoted=True,
        )
        for size, name in enumerate(sizes, start=1)
    ]
    chain.add("msu_records", "msu_records", {"counts": counts})
    return sizes


def _size(job: Job) -> exp.Expression:
    """How many quasi-identifiers a subset has."""
    total: exp.Expression | None = None
    for at in range(len(job.keys)):
        rest = exp.Mod(this=named("subset"), expression=integer(2 << at))
        has = case([(exp.GTE(this=rest, expression=integer(1 << at)), 1)], 0)
        total = has if total is None else exp.Add(this=total, expression=has)
    return exp.paren(total)
