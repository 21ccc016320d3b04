"""Measures against limits: the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sqlrisk.result import Assessment, Check, Verdict

TOLERANCE = 1e-9
EXCLUDED = "release.excluded_share"
UNRELIABLE = {"weak": "the estimate is weak", "model-driven": "the estimate is driven by its model"}
NOT_ACCEPTED = "does not pass unless --accept-weak says why it may"


@dataclass(frozen=True)
class Limit:
    """A bound on a measure of the result document, named by its dotted path; a ``strict`` one is itself beyond it."""

    measure: str
    direction: Literal["min", "max"]
    bound: Fraction
    reason: str | None = None
    strict: bool = False


def judge(
    result: Assessment, limits: Sequence[Limit], justification: str | None = None, accept_weak: str | None = None
) -> Verdict:
    """The verdict: passed if every limit holds, None without limits. A limit whose measure is None does not pass.

    Real-valued limits are compared with a tolerance of 1e-9; whole numbers exactly. An estimate is compared by the upper
    end of its interval (the lower end for a least value), and passes only if it can be relied on or ``accept_weak`` says
    why it need not be.
    """
    checks = [_check(result, limit, accept_weak) for limit in limits]
    passed = all(check.passed for check in checks) if checks else None
    if passed and all(check.measure == EXCLUDED for check in checks):
        passed = None  # how many records were left out is no risk: alone it judges nothing
    return Verdict(passed=passed, checks=checks, justification=justification)


def _check(result: Assessment, limit: Limit, accept_weak: str | None) -> Check:
    value, reason = result.value(limit.measure)
    bound = float(limit.bound)
    compared = value
    if value is None:
        passed = False
    else:
        if interval := result.interval(limit.measure):
            compared = interval[limit.direction == "max"]
        reason = limit.reason
        room = -TOLERANCE if limit.strict else TOLERANCE
        passed = compared >= bound - room if limit.direction == "min" else compared <= bound + room
        grade = result.reliability(limit.measure)
        if passed and grade in UNRELIABLE:
            passed = accept_weak is not None
            reason = UNRELIABLE[grade] + (f"; accepted: {accept_weak}" if passed else f", and {NOT_ACCEPTED}")
    return Check(
        measure=limit.measure,
        value=value,
        compared=compared,
        direction=limit.direction,
        limit=bound,
        passed=passed,
        reason=reason,
    )
