"""A missing value that matches anything: the steps that add up, for each class, what it matches.

Classes without missing values are compared only with groups of those that have some, so that nothing is joined with
everything. Keys are coded: 0 is a missing value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from sqlrisk.sql.frequencies import FREQUENCY, add_frequencies, bins, frequency_sums
from sqlrisk.sql.trees import case, integer, masked, named, sum_of, sums_of

if TYPE_CHECKING:
    from sqlrisk.sql.job import Job

MOST_COMPARED = 100_000_000
"""The most pairs of a class and a pattern of missing values that are compared."""


def wildcard_arms(job: Job, tally_sums: Sequence[exp.Expression]) -> list[exp.Query]:
    """The arms over the step `classes`, which has the coded keys."""
    chain, keys = job.chain, job.keys
    counted = ["size", *(["population_size"] if job.question.population else [])]
    weights = ["weighted", "weight"] if job.question.release.survey else []
    sizes = [*counted, *weights]
    quasi_identifiers = [named(key) for key in keys]
    numbered = dict(enumerate(keys, start=1))
    tallies = [named(column.alias) for column in tally_sums]
    below = [named("weights_below_one")] if weights else []
    suppressed = "suppressed" in {column.alias for column in tally_sums}
    chain.add(
        "wild_classes",
        "wild_classes",
        {
            "quasi_identifiers": quasi_identifiers,
            "pattern": [_pattern(keys)],
            "sizes": [_own_size(size, suppressed) for size in sizes],
            "kept": [named("missing"), *tallies, *below],
        },
    )
    present = [_present(key, f"present_{number}") for number, key in enumerate(keys, start=1)]
    names = [named(f"present_{number}") for number in range(1, len(keys) + 1)]
    ones = [exp.alias_(integer(1), name.name, quoted=True) for name in names]
    chain.add("patterns", "patterns", {"present": present, "most": [integer(MOST_COMPARED)]})
    chain.add("all_patterns", "all_patterns", {"present": names, "all": ones})
    frequency = []
    if job.question.model:
        add_frequencies(job, "wild_classes", wildcard=True)
        frequency = [named(FREQUENCY)]
    of_class = [exp.column(size, table="wild", quoted=True) for size in sizes]
    own = [exp.alias_(column.copy(), f"own_{column.name}", quoted=True) for column in of_class]
    chain.add(
        "gap_groups",
        "gap_groups",
        {
            "quasi_identifiers": quasi_identifiers,
            "masked": masked(numbered, "looking"),
            "sizes": of_class,
            "size_sums": _sums(sizes),
        },
    )
    chain.add(
        "meetings",
        "meetings",
        {
            "quasi_identifiers": quasi_identifiers,
            "masked": masked(numbered, "looked"),
            "own_sizes": own,
            "own_names": [named(column.alias) for column in own],
            "sizes": [named(size) for size in sizes],
        },
    )
    chain.add("gap_sizes", "gap_sizes", {"size_sums": _sums(sizes)})
    chain.add("whole_sizes", "whole_sizes", {"size_sums": _sums(sizes, "own_")})
    chain.add("own_groups", "own_groups", {"quasi_identifiers": quasi_identifiers})
    chain.add(
        "matches",
        "matches",
        {
            "columns": [named("class"), named("missing"), *own, *tallies, *below, *frequency],
            "matches": [_matched(size) for size in sizes],
            "whole_sizes": [named(size) for size in sizes],
        },
    )
    by = [named(size) for size in counted]
    own_sums = sums_of([f"own_{size}" for size in counted])
    if frequency:
        by.append(bins())
        own_sums += frequency_sums("own_size")
    slots = {
        "by": by,
        "own_sums": own_sums,
        "tally_sums": list(tally_sums),
    }
    return [chain.bind("wild_sizes", slots), chain.bind("wild_size", {})]


def add_wild_rows(job: Job) -> None:
    """The step of the records with the number of their class, `wild_rows`, after :func:`wildcard_arms`."""
    keys = [named(key) for key in job.keys]
    others = [named(name) for name in job.chain.columns("release") if name not in job.keys]
    job.chain.add("wild_rows", "wild_rows", {"quasi_identifiers": keys, "columns": others})


def add_gap_members(job: Job) -> None:
    """The step of the classes of each group of those with missing values, which the values of sensitive columns need."""
    members = {
        "quasi_identifiers": [named(key) for key in job.keys],
        "masked": masked(dict(enumerate(job.keys, start=1)), "looking"),
    }
    job.chain.add("gap_members", "gap_members", members)


def add_matched_pairs(job: Job, number: int, value: exp.Expression) -> tuple[str, str]:
    """The steps of one sensitive column, over the step `sensitive_rows`: the values of classes, and those that they match."""
    chain = job.chain

    def name(step: str) -> str:
        return f"{step}_{number}"

    chain.add(name("wild_values"), "wild_values", {"value": [value]})
    reads = {step: name(step) for step in ("wild_values", "gap_values", "whole_values", "matched_values")}
    for step in ("gap_values", "whole_values", "matched_values"):
        chain.add(reads[step], step, {}, reads={key: own for key, own in reads.items() if own in chain.names})
    chain.add(name("matched_pairs"), "matched_pairs", {}, reads={"matched_values": reads["matched_values"]})
    return reads["wild_values"], name("matched_pairs")


def _pattern(keys: Sequence[str]) -> exp.Expression:
    """A bit for each key that is missing."""
    bits: exp.Expression | None = None
    for number, key in enumerate(keys):
        missing = exp.EQ(this=named(key), expression=integer(0))
        bit = case([(missing, integer(2**number))], integer(0))
        bits = bit if bits is None else exp.Add(this=bits, expression=bit)
    assert bits is not None
    return bits


def _own_size(size: str, suppressed: bool) -> exp.Expression:
    """The size of a class; wholly suppressed records, which are all in the class of which everything is missing, are not
    measured."""
    if size != "size" or not suppressed:
        return named(size)
    return exp.alias_(exp.Sub(this=named(size), expression=named("suppressed")), size, quoted=True)


def _sums(sizes: Sequence[str], prefix: str = "") -> list[exp.Expression]:
    """The sum of each size, as whole numbers but for the weight."""
    return [sum_of(f"{prefix}{size}", size, "double" if size == "weight" else "bigint") for size in sizes]


def _present(key: str, name: str) -> exp.Expression:
    seen = case([(exp.EQ(this=named(key), expression=integer(0)), integer(0))], integer(1))
    return exp.alias_(exp.Max(this=seen), name, quoted=True)


def _matched(size: str) -> exp.Expression:
    own, gap, whole = (exp.column(size, table=table, quoted=True) for table in ("wild", "gap", "whole"))
    no_gap = exp.EQ(this=named("pattern"), expression=integer(0))
    nothing = [integer(0)]
    complete = case([(no_gap, own)], exp.Coalesce(this=whole, expressions=nothing))
    return exp.alias_(exp.Add(this=complete, expression=exp.Coalesce(this=gap, expressions=nothing)), size, quoted=True)
