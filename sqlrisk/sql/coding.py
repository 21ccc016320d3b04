"""Values as numbers: what the richer questions join by, and by which a row's tuple, or a person's class, is one number.

A missing value is 0, so that keys compare with =; no text, date or NULL is compared after these steps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from sqlrisk.sql.trees import case, integer, is_null, named

if TYPE_CHECKING:
    from sqlrisk.sql.job import Job


def add_codes(job: Job, columns: Sequence[str], texts: Collection[str] = (), rows: str = "release") -> None:
    """The steps that number the values of ``columns``, each over the step ``rows``; ``texts`` are put in bytewise order."""
    for column in columns:
        name = f"{column}_codes"
        job.chain.add(name, "dictionary", {"column": [named(column)]}, reads={"release": rows})
        if column in texts:
            job.chain.order_bytewise(job.dialect)


def add_coded(job: Job, rows: str, columns: Sequence[str]) -> str:
    """The step of ``rows`` with ``columns`` coded; its name."""
    current = rows
    for column in columns:
        coded = exp.alias_(exp.Coalesce(this=named("code"), expressions=[integer(0)]), column, quoted=True)
        kept = [coded if name == column else named(name) for name in job.chain.columns(current)]
        slots = {"columns": kept, "column": [named(column)]}
        reads = {"release": current, "dictionary": f"{column}_codes"}
        current = f"{rows}_{column}"
        job.chain.add(current, "coded", slots, reads=reads)
    return current


def add_numbers(job: Job, keys: Sequence[str], coded: Sequence[str], over: str) -> tuple[list[str], exp.Expression]:
    """Steps that give each row of the steps ``coded`` the number of its tuple, numbers being shared between them.

    ``over`` is the step with the keys of all of them. Returns the steps' names, and the number as an expression in them.
    """
    if len(keys) == 1:
        return list(coded), named(keys[0])
    first, second = ([named(key) for key in half] for half in (keys[: len(keys) // 2], keys[len(keys) // 2 :]))
    for name, half in (("first_half", first), ("second_half", second)):
        job.chain.add(name, "half_tuples", {"half": half}, reads={"coded": over})
    numbered = []
    for step in coded:
        kept = [named(name) for name in job.chain.columns(step)]
        slots = {"columns": kept, "first": first, "second": second}
        numbered.append(f"numbered_{step}")
        job.chain.add(numbered[-1], "numbered", slots, reads={"coded": step})
    return numbered, named("tuple")


def unless(left_out: exp.Expression | None, value: exp.Expression) -> exp.Expression:
    """``value``, or NULL for a row that is left out."""
    return case([(left_out, exp.null())] if left_out is not None else [], value)


def is_missing(key: str, coded: bool) -> exp.Expression:
    """Whether the key column ``key`` is missing."""
    return exp.EQ(this=named(key), expression=integer(0)) if coded else is_null(named(key))
