"""The least generalisation: the part of ``sqlrisk recommend``."""

from __future__ import annotations

from sqlrisk.record import Part


class Recommendation(Part):
    """Options that meet every limit, and what each loses."""
