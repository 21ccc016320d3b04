"""The limits of a policy as the verdict takes them."""

from __future__ import annotations

from sqlrisk.limits import EXCLUDED, Limit
from sqlrisk.policy import SENSITIVE_LIMITS, Policy


def limits_of(policy: Policy, excluded: int = 0) -> list[Limit]:
    """Each limit on the measure it is about; ``excluded`` records block a pass unless the policy allows some."""
    limits = []
    for attacker in policy.attackers.named:
        settings = getattr(policy.attackers, attacker)
        for name in ("highest_risk", "average_risk", "share_at_risk"):
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
    if policy.limits.max_excluded is not None or (limits and excluded):
        reason = (
            None
            if policy.limits.max_excluded is not None
            else "excluded records block a pass; --max-excluded allows them"
        )
        limits.append(Limit(EXCLUDED, "max", policy.limits.max_excluded or 0, reason))
    return limits
