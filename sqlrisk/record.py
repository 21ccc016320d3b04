"""What stands in a result beside the figures: the policy that was applied, attempts in context, and earlier runs."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    """A part of the result document: frozen, and without keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class EarlierRelease(Part):
    """A release that was handed out before, and the column that links its records with those of this one."""

    table: str
    link_id: str


class Agreed(Part):
    """With whom the release is agreed, for what, and for how long."""

    recipient: str | None = None
    purpose: str | None = None
    reference: str | None = None
    valid_from: date | None = None
    valid_until: date | None = None


class PolicyRecord(Part):
    """The policy that was applied. ``fingerprint`` is of all that it decides; ``definition`` gives a digest of each key
    that says what is measured, so that a changed release can be told from changed figures."""

    name: str | None = None
    fingerprint: str
    definition: dict[str, str] = Field(default_factory=dict)
    default_threshold: bool = False
    agreement: Agreed | None = None


class Attempt(Part):
    """A way in which a re-identification comes to be attempted, and how probable that is."""

    kind: Literal["deliberate", "acquaintance", "breach", "public"]
    probability: float
    prevalence: float | None = None
    acquaintances: int | None = None


class AdjustedRisk(Part):
    """An attacker's risk times the probability of the attempt; printed beside the risk, compared with no limit.

    A marketer has no highest risk; ``reason`` says why the attacker's risk itself is None.
    """

    attacker: str
    attempt: str
    highest_risk: float | None
    average_risk: float | None
    reason: str | None = None


class Context(Part):
    """The attempts that the policy expects, and what they make of each attacker's risk."""

    attempts: list[Attempt]
    adjusted: list[AdjustedRisk]
    justification: str


class Change(Part):
    """A measure in an earlier run and in this one; ``increase`` is None where one of them is not known."""

    before: float | None
    after: float | None
    increase: float | None


class Comparison(Part):
    """This run beside an earlier one of the same policy.

    ``changed`` names the keys of the policy whose value differs: figures of another definition are shown side by side, and
    their ``increase`` is None. ``reason`` says why there is nothing to compare with.
    """

    against: Literal["previous run", "baseline"]
    run: str | None = None
    started_at: datetime | None = None
    changed: list[str] = Field(default_factory=list)
    figures: dict[str, Change] = Field(default_factory=dict)
    reason: str | None = None


class EarlierRun(Part):
    """What an earlier run of the same policy measured, for a trend; ``same_definition`` tells whether its figures are of
    the same release, measured in the same way."""

    run: str
    started_at: datetime
    same_definition: bool
    figures: dict[str, float | None] = Field(default_factory=dict)
