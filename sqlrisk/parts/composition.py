"""Several releases: the part of ``--previous``."""

from __future__ import annotations

from sqlrisk.record import Part


class Composition(Part):
    """What an attacker who has the earlier releases too can do."""
