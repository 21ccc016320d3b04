"""The limits of a policy as the verdict takes them, and the verdict."""

from __future__ import annotations

from datetime import date

from sqlrisk.errors import RequestError
from sqlrisk.limits import EXCLUDED, Limit, judge
from sqlrisk.policy import SENSITIVE_LIMITS, Policy
from sqlrisk.policy_profile import looser_than_profile, told_of_profile
from sqlrisk.result import INCREASE, Assessment

_RISKS = ("highest_risk", "average_risk", "share_at_risk")


def decided(policy: Policy, result: Assessment) -> Assessment:
    """The result with its verdict under ``policy``."""
    limits = limits_of(policy, result.release.excluded_records)
    verdict = judge(result, limits, policy.justification, policy.accept_weak)
    return result.model_copy(update={"verdict": verdict.model_copy(update={"profile": told_of_profile(policy)})})


def refuse_increase(policy: Policy) -> None:
    """Refuse a limit on change where nothing is kept to compare with."""
    if policy.limits.max_increase is not None:
        raise RequestError(
            "`max_increase` is about the run before, and nothing here is kept or compared",
            "use `sqlrisk check --history FILE`, or take it out",
        )


def about_earlier(policy: Policy, reason: str) -> list[str]:
    """That the earlier releases of a policy were not measured together with this one, and why."""
    return [
        f"the earlier release `{item.table}` was not measured together with this one, because {reason}: whoever has both can "
        f"link them by `{item.link_id}`"
        for item in policy.release.previous
    ]


def about_policy(policy: Policy, today: date) -> list[str]:
    """What is to be said of the policy itself: limits above its precedent, releases before, an agreement that has ended."""
    warnings = [
        f"`{key}` allows more than the profile {policy.profile}: the policy's own value stands"
        for key in looser_than_profile(policy)
    ]
    agreed = policy.agreement
    if agreed.valid_until is not None and agreed.valid_until < today:
        warnings.append(f"the agreement ended on {agreed.valid_until}")
    if agreed.valid_from is not None and agreed.valid_from > today:
        warnings.append(f"the agreement begins on {agreed.valid_from}")
    return warnings


def watched(policy: Policy) -> list[str]:
    """The measures whose increase `max_increase` limits: the risks of the attackers named, of a prosecutor if none is."""
    if policy.limits.max_increase is None:
        return []
    attackers = policy.attackers.named or ["prosecutor"]
    return [
        f"attackers.{attacker}.{risk}"
        for attacker in attackers
        for risk in _RISKS
        if attacker != "marketer" or risk == "average_risk"
    ]


def limits_of(policy: Policy, excluded: int = 0) -> list[Limit]:
    """Each limit on the measure it is about; ``excluded`` records block a pass unless the policy allows some."""
    limits = []
    for attacker in policy.attackers.named:
        settings = getattr(policy.attackers, attacker)
        for name in _RISKS:
            bound = getattr(settings, f"max_{name}", None)
            if bound is not None:
                limits.append(Limit(f"attackers.{attacker}.{name}", "max", bound))
    if policy.limits.min_k is not None:
        limits.append(Limit("smallest_class", "min", policy.limits.min_k))
    if policy.limits.max_sample_uniques is not None:
        limits.append(Limit("sample_uniques.share", "max", policy.limits.max_sample_uniques))
    if policy.limits.max_population_uniques is not None:
        limits.append(Limit("population.uniques.release_share", "max", policy.limits.max_population_uniques))
    if policy.limits.min_k_map is not None:
        limits.append(Limit("population.k_map.smallest", "min", policy.limits.min_k_map))
    if policy.limits.max_delta_presence is not None:
        limits.append(Limit("population.delta_presence.highest", "max", policy.limits.max_delta_presence))
    for item in policy.release.sensitive:
        for option, (measure, direction) in SENSITIVE_LIMITS.items():
            bound = getattr(policy.limits, option)
            if bound is not None:
                path = f"sensitive.{item.column}.{measure}"
                limits.append(Limit(path, direction, bound, strict=measure == "recursive_c"))
    limits += [Limit(f"{INCREASE}{measure}", "max", policy.limits.max_increase) for measure in watched(policy)]
    if policy.limits.max_excluded is not None or (limits and excluded):
        reason = (
            None
            if policy.limits.max_excluded is not None
            else "excluded records block a pass; --max-excluded allows them"
        )
        limits.append(Limit(EXCLUDED, "max", policy.limits.max_excluded or 0, reason))
    return limits
