"""Measures against limits: the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sqlrisk.result import Assessment, Check, Verdict

TOLERANCE = 1e-9
EXCLUDED = "release.excluded_share"


@dataclass(frozen=True)
class Limit:
    """A bound on a measure of the result document, named by its dotted path."""

    measure: str
    direction: Literal["min", "max"]
    bound: Fraction
    reason: str | None = None


def judge(result: Assessment, limits: Sequence[Limit], justification: str | None = None) -> Verdict:
    """The verdict: passed if every limit holds, None without limits. A limit whose measure is None does not pass.

    Real-valued limits are compared with a tolerance of 1e-9; whole numbers exactly.
    """
    checks = [_check(result, limit) for limit in limits]
    passed = all(check.passed for check in checks) if checks else None
    if passed and all(check.measure == EXCLUDED for check in checks):
        passed = None  # how many records were left out is no risk: alone it judges nothing
    return Verdict(passed=passed, checks=checks, justification=justification)


def _check(result: Assessment, limit: Limit) -> Check:
    value, reason = result.value(limit.measure)
    bound = float(limit.bound)
    if value is None:
        passed = False
    else:
        reason = limit.reason
        passed = value >= bound - TOLERANCE if limit.direction == "min" else value <= bound + TOLERANCE
    return Check(
        measure=limit.measure,
        value=value,
        compared=value,
        direction=limit.direction,
        limit=bound,
        passed=passed,
        reason=reason,
    )
