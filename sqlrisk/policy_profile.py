"""A policy under a published precedent: its thresholds and limits where the policy has none of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sqlrisk.errors import RequestError
from sqlrisk.policy import Marketer, Policy, Prosecutor
from sqlrisk.profiles import PROFILES, Precedent
from sqlrisk.threshold import Threshold


def with_profile(policy: Policy) -> Policy:
    """The policy with the limits of its profile on each attacker that it names, on a prosecutor where it names none.

    What the policy says itself stands. :class:`RequestError` where the profile does not apply.
    """
    if policy.profile is None:
        return policy
    precedent = PROFILES[policy.profile]
    named = policy.attackers.named or ["prosecutor"]
    if precedent.highest is not None and not precedent.averaged and named == ["marketer"]:
        raise RequestError(
            f"the profile {policy.profile} limits the highest risk, and a marketer has an average alone",
            "name a prosecutor or a journalist",
        )
    sections = {name: _filled(policy, name, precedent) for name in named}
    return policy.model_copy(update={"attackers": policy.attackers.model_copy(update=sections)})


def told_of_profile(policy: Policy) -> str | None:
    """The profile with what it limits and where it was published."""
    if policy.profile is None:
        return None
    precedent = PROFILES[policy.profile]
    return f"{policy.profile}: {precedent.limits} ({precedent.source})"


def looser_than_profile(policy: Policy) -> list[str]:
    """The keys of the policy that allow more than its profile does."""
    if policy.profile is None:
        return []
    looser = []
    for name in policy.attackers.named:
        section = getattr(policy.attackers, name)
        for key, bound in _bounds(policy, name, PROFILES[policy.profile]).items():
            own = getattr(section, key)
            if own is not None and (own.value if isinstance(own, Threshold) else own) > bound:
                looser.append(f"attackers.{name}.{key}")
    return looser


def _filled(policy: Policy, name: str, precedent: Precedent) -> Any:
    section = getattr(policy.attackers, name) or (Marketer() if name == "marketer" else Prosecutor())
    absent = {}
    for key, bound in _bounds(policy, name, precedent).items():
        if getattr(section, key) is None and not (key == "threshold" and policy.threshold is not None):
            absent[key] = Threshold(bound, str(bound)) if key == "threshold" else bound
    return section.model_copy(update=absent) if absent else section


def _bounds(policy: Policy, name: str, precedent: Precedent) -> dict[str, Fraction]:
    """What the precedent allows the attacker called ``name``, by the keys of its section."""
    bounds = {}
    if precedent.averaged:
        threshold = policy.attackers.threshold(name) or policy.threshold
        if threshold is None:
            raise RequestError(
                f"the profile {policy.profile} takes the threshold as its limit on the average, and none is given",
                "add `threshold`, for example 0.1",
            )
        bounds["max_average_risk"] = threshold.value
    elif precedent.average is not None:
        bounds["max_average_risk"] = precedent.average
    if precedent.highest is not None and name != "marketer":
        bounds["max_highest_risk"] = precedent.highest
        if not precedent.averaged:
            bounds["threshold"] = precedent.highest
    return bounds
