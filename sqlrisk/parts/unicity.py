"""Longitudinal data: the part of ``sqlrisk attack --points``."""

from __future__ import annotations

from sqlrisk.record import Part


class Unicity(Part):
    """How many people a few of their points single out."""
