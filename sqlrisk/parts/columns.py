"""What single columns look like: the part of ``sqlrisk columns``."""

from __future__ import annotations

from sqlrisk.record import Part


class ColumnProfile(Part):
    """One column: what is in it, and what it looks like."""


class SafeHarbor(Part):
    """The HIPAA column check: a check of columns, not a measure of risk."""
