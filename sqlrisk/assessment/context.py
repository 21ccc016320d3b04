"""Attempts in context: each attacker's risk times how probable the policy says that an attempt is."""

from __future__ import annotations

from sqlrisk.policy import ATTACKERS, Policy
from sqlrisk.record import AdjustedRisk, Attempt, Context
from sqlrisk.result import Assessment
from sqlrisk.risk.context import knows_one


def context_of(policy: Policy, result: Assessment) -> Context | None:
    """The attempts that the policy expects, and the adjusted risk of each attacker that it names (of all if it names none).

    None where the policy gives no probability of an attempt.
    """
    attempts = _attempts(policy)
    if not attempts:
        return None
    adjusted = [
        AdjustedRisk(
            attacker=name,
            attempt=attempt.kind,
            highest_risk=_times(attempt, getattr(risk, "highest_risk", None)),
            average_risk=_times(attempt, risk.average_risk),
            reason=risk.reason,
        )
        for name in policy.attackers.named or ATTACKERS
        for risk in [getattr(result.attackers, name)]
        for attempt in attempts
    ]
    return Context(attempts=attempts, adjusted=adjusted, justification=policy.context.justification)


def _attempts(policy: Policy) -> list[Attempt]:
    given = policy.context
    made = []
    if given.deliberate is not None:
        made.append(Attempt(kind="deliberate", probability=float(given.deliberate)))
    if given.prevalence is not None:
        prevalence = float(given.prevalence)
        known = knows_one(prevalence, given.acquaintances)
        made.append(
            Attempt(kind="acquaintance", probability=known, prevalence=prevalence, acquaintances=given.acquaintances)
        )
    if given.breach is not None:
        made.append(Attempt(kind="breach", probability=float(given.breach)))
    if given.public:
        made.append(Attempt(kind="public", probability=1.0))
    return made


def _times(attempt: Attempt, risk: float | None) -> float | None:
    return None if risk is None else attempt.probability * risk
