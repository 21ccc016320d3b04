"""Several releases: the part of ``--previous``."""

from __future__ import annotations

from pydantic import Field

from sqlrisk.record import Part


class ComposedRelease(Part):
    """An earlier release that was measured together with this one. ``records`` are those measured there; ``quasi_identifiers``
    and ``sensitive`` are the columns that it has of those asked about, ``absent`` those that it lacks."""

    table: str
    link_id: str
    records: int
    quasi_identifiers: list[str]
    sensitive: list[str]
    absent: list[str]


class Linkable(Part):
    """An attacker who can tell which records of the releases are of one person: people are alike who are in the same class of
    every release, absent ones included."""

    class_sizes: list[tuple[int, int]]
    smallest_class: int
    sample_uniques: int
    highest_risk: float
    average_risk: float
    share_at_risk: float


class Unlinkable(Part):
    """An attacker who cannot tell that, and does not see who is not in a release: the people of this release who are in the
    same class as somebody in each release that this person is in. ``candidates`` are (number of them, people)."""

    candidates: list[tuple[int, int]]
    smallest: int
    alone: int
    share_at_risk: float


class Composed(Part):
    """What is left of the possible values of one sensitive column when the value sets of a person's classes in every release
    are intersected (Ganta et al. 2008). ``left`` are (values left, people); ``disclosed`` people have one left,
    ``inconsistent`` ones none, since their value changed. ``m`` is that of m-invariance (Xiao & Tao 2007), null with the
    ``reason``; ``changed_signature`` people are in classes with other values there than here."""

    left: list[tuple[int, int]]
    disclosed: int
    inconsistent: int
    changed_signature: int
    m: int | None
    reason: str | None = None


class Composition(Part):
    """What an attacker can do who has the earlier releases too. Null, with the ``reason``, where they cannot be measured
    together."""

    releases: list[ComposedRelease]
    threshold: str | None = None
    linkable: Linkable | None = None
    unlinkable: Unlinkable | None = None
    sensitive: dict[str, Composed] = Field(default_factory=dict)
    reason: str | None = None
