"""Records written into the warehouse: the part of ``sqlrisk records``."""

from __future__ import annotations

from sqlrisk.record import Part


class WrittenRecords(Part):
    """What was written, or shown."""
