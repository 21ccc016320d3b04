"""Simulated matching: the part of ``sqlrisk attack``."""

from __future__ import annotations

from sqlrisk.record import Part


class Attack(Part):
    """A simulated attack beside the analytic risk."""
