"""What single columns look like: the part of ``sqlrisk columns``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sqlrisk.record import Part


class ColumnHint(Part):
    """What a column could be, why, and by what: its name, the shape of its values, or its figures. A hint, not a finding."""

    kind: str
    reason: str
    by: Literal["name", "shape", "figures"]


class ColumnProfile(Part):
    """One column, generalised as asked. Figures are null, with the ``reason``, for a column that cannot be grouped.

    ``distinct`` are its values, a missing one not counted. ``distinction`` is the number of different values over the
    records, and ``separation`` the share of the pairs of records that it tells apart; for both a missing value is a value.
    ``unique_records`` have a value of their own. ``shapes`` are shares of the values that are there.
    """

    column: str
    type: str
    kind: str
    generalisation: str | None = None
    records: int | None
    missing: int | None
    distinct: int | None
    distinction: float | None
    separation: float | None
    unique_records: int | None
    largest_share: float | None
    shapes: dict[str, float] = Field(default_factory=dict)
    hint: ColumnHint | None = None
    reason: str | None = None


class SafeHarborFinding(Part):
    """One of the identifiers of 45 CFR 164.514(b)(2): ``columns`` that look like it."""

    identifier: str
    status: Literal["found", "not found", "not checked"]
    columns: list[str] = Field(default_factory=list)
    reason: str


class SafeHarbor(Part):
    """The HIPAA column check: a check of columns by name, shape and figures. It is not a measure of risk."""

    is_a_risk_measure: bool = False
    findings: list[SafeHarborFinding]
