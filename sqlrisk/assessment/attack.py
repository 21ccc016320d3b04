"""Simulated matching: the procedure of ``sqlrisk attack``."""

from __future__ import annotations

from typing import Any

from sqlrisk.policy import Policy
from sqlrisk.result import Assessment


def attack(policy: Policy, source: Any, label: str = "") -> Assessment:
    """Simulate an attack on ``source``."""
    from sqlrisk.assessment.unicity import unicity

    return unicity(policy, source, label)
