"""How risk grows with what the attacker knows: the parts of ``sqlrisk sweep``."""

from __future__ import annotations

from pydantic import Field

from sqlrisk.record import Part


class Subset(Part):
    """An attacker who knows these ``columns`` of a person and no others: the classes of one subset of the quasi-identifiers.

    ``sample_uniques`` are records; ``average_risk`` is the prosecutor's, u/n; ``share_at_risk`` is of the records.
    """

    columns: list[str]
    records: int
    classes: int
    sample_uniques: int
    distinction: float
    separation: float | None
    average_risk: float
    share_at_risk: float


class AtSize(Part):
    """A measure over the subsets of one size: its mean, its worst value, and the first subset that has it."""

    mean: float
    worst: float
    worst_columns: list[str]


class Known(Part):
    """The subsets of ``known`` quasi-identifiers: ``uniqueness`` is the share of the records that are alone."""

    known: int
    subsets: int
    uniqueness: AtSize
    average_risk: AtSize
    share_at_risk: AtSize


class Contribution(Part):
    """What one column adds to each measure, averaged over what else the attacker knows (its Shapley value)."""

    column: str
    uniqueness: float
    average_risk: float
    share_at_risk: float


class Sweep(Part):
    """The subsets by their size, and what each column adds. ``statements`` were sent for them, and each reads the release
    once; the subsets are rolled up from its classes."""

    max_known: int
    threshold: str
    subsets: int
    statements: int
    by_size: list[Known]
    contributions: list[Contribution]


class MinimalUniquesOf(Part):
    """The minimal sample uniques of one size, and the records that have one."""

    size: int
    minimal_uniques: int
    records: int


class MinimalUniqueColumns(Part):
    """How many minimal sample uniques are on these columns."""

    columns: list[str]
    minimal_uniques: int


class ScoreShare(Part):
    """A column's part in the scores: the share of their sum that comes from minimal uniques with it, by either scheme. An
    unique on several columns counts for each, so that the shares sum to more than 1."""

    column: str
    suda: float
    ihsn: float


class Scores(Part):
    """The scores of the records by one scheme: the highest, their sum, and how many records have each, highest first."""

    highest: float
    total: float
    histogram: list[tuple[float, int]]


class DisSuda(Part):
    """The chance that a match with a record is right, by its score (DIS-SUDA); over the records, those without a minimal
    unique included with 0."""

    sampling_fraction: float
    highest: float
    mean: float
    histogram: list[tuple[float, int]]


class MinimalUniques(Part):
    """Minimal sample uniques: subsets of at most ``max_size`` quasi-identifiers on which a record is alone, and on no subset of
    them. ``records`` have at least one."""

    max_size: int
    records: int
    by_size: list[MinimalUniquesOf]
    subsets: list[MinimalUniqueColumns]
    contributions: list[ScoreShare]
    suda: Scores
    ihsn: Scores
    dis_suda: DisSuda | None
    reasons: dict[str, str] = Field(default_factory=dict)
