"""How risk grows with what the attacker knows: the parts of ``sqlrisk sweep``."""

from __future__ import annotations

from sqlrisk.record import Part


class Subset(Part):
    """One subset of the quasi-identifiers."""


class Sweep(Part):
    """The subsets by their size."""


class MinimalUniques(Part):
    """Minimal sample uniques and their scores."""
