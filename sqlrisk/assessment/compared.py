"""A result beside the runs on record before it, and what a limit on change is judged by."""

from __future__ import annotations

from typing import Any

from sqlrisk.assessment.judged import watched
from sqlrisk.history.compare import compare, earlier_runs, nothing_before
from sqlrisk.history.store import History
from sqlrisk.limits import TOLERANCE
from sqlrisk.policy import Policy
from sqlrisk.record import Comparison
from sqlrisk.result import INCREASE, Assessment

TREND = 50
"""Earlier runs that a report shows."""
NOTHING_BEFORE = "no earlier run of this policy is on record"


def compared(result: Assessment, policy: Policy, history: History, first_run: bool) -> tuple[Assessment, Policy]:
    """The result with its comparisons, and the policy to judge it by.

    The run before is the latest that was measured and broke no limit on change: otherwise a rise would pass by being run
    twice. ``first_run`` lifts limits on change where there is nothing to compare with, or only another definition.
    """
    name = policy.name or ""
    runs = history.runs(name, limit=TREND)
    pinned, before = history.baseline(name), history.latest(name, lambda run: not _rose(run.document))
    found = [compare(result, pinned, "baseline")] if pinned is not None else []
    found.append(
        nothing_before("previous run", NOTHING_BEFORE) if before is None else compare(result, before, "previous run")
    )
    update = {"comparisons": found, "earlier": earlier_runs(result, runs) or None}
    judged = found[0]
    reason = judged.reason or _changed(judged)
    warnings = list(result.warnings)
    if policy.limits.max_increase is not None and reason is not None and first_run:
        policy = policy.model_copy(update={"limits": policy.limits.model_copy(update={"max_increase": None})})
        warnings.append(f"the limit on change was not judged, {reason} (--first-run)")
    reasons = {
        f"{INCREASE}{measure}": reason or "the measure is not known in both runs"
        for measure in watched(policy)
        if measure not in judged.figures or judged.figures[measure].increase is None
    }
    update |= {"reasons": {**result.reasons, **reasons}, "warnings": warnings}
    return result.model_copy(update=update), policy


def _rose(document: Any) -> bool:
    """Whether a run broke a limit on change: an increase beyond it, not one that only could not be relied on."""
    verdict = document.get("verdict")
    checks = verdict.get("checks") if isinstance(verdict, dict) else None
    return any(_exceeds(check) for check in checks or () if isinstance(check, dict))


def _exceeds(check: dict[str, Any]) -> bool:
    value, limit = check.get("value"), check.get("limit")
    if not str(check.get("measure")).startswith(INCREASE) or not isinstance(limit, int | float):
        return False
    return value == "infinity" or (isinstance(value, int | float) and value > limit + TOLERANCE)


def _changed(comparison: Comparison) -> str | None:
    if not comparison.changed:
        return None
    return f"the definition of what is measured changed ({', '.join(comparison.changed)}): its figures are not compared"
