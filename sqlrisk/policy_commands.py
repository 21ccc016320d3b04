"""The sections of a policy that commands beside ``assess`` read, and the options that set them."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, WithJsonSchema

from sqlrisk.policy_values import Count, Name, Probability, read_pairs


class Section(BaseModel):
    """A part of a policy: frozen, and without keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


def _listed(value: object) -> object:
    """``"a,b"``, as an option gives it, as a list; anything else as it is."""
    return [item.strip() for item in value.split(",")] if isinstance(value, str) else value


def _without_twins(value: list[str]) -> list[str]:
    if len(set(value)) < len(value):
        raise ValueError("a column is given twice")
    return value


Listed = Annotated[
    list[Name],
    BeforeValidator(_listed),
    AfterValidator(_without_twins),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


def _beside_policy(value: str, info: ValidationInfo) -> str:
    folder = (info.context or {}).get("folder")
    return value if folder is None else str(folder / value)


File = Annotated[Name, AfterValidator(_beside_policy)]
"""A path, relative to the policy file where there is one."""


class Columns(Section):
    """What ``sqlrisk columns`` looks at. ``zip3`` is a file of the people of each three-digit ZIP area."""

    safe_harbor: bool = False
    zip3: File | None = None


class Sweep(Section):
    """What ``sqlrisk sweep`` goes through: subsets of at most ``max_known`` quasi-identifiers."""

    max_known: Count | None = None
    minimal_uniques: bool = False


class Attack(Section):
    """What the attacker of ``sqlrisk attack`` knows, and how well.

    ``tolerance`` maps quasi-identifiers to how far a match may be off (``2``, ``30 days``, ``prefix 3``), ``noise`` to the
    probability that what the attacker knows is somebody else's value. ``points`` are the columns of a point of longitudinal
    data, ``max_points`` the most of them that the attacker knows, ``coarser`` generalisations of points to be compared.
    """

    targets: Count | None = None
    known: Count | None = None
    known_columns: Listed = Field(default_factory=list)
    worst: bool = False
    tolerance: Annotated[dict[str, str], BeforeValidator(read_pairs)] = Field(default_factory=dict)
    noise: Annotated[dict[str, Probability], BeforeValidator(read_pairs)] = Field(default_factory=dict)
    truth_id: Name | None = None
    points: Listed = Field(default_factory=list)
    max_points: Count | None = None
    coarser: list[Name] = Field(default_factory=list)


OF_COMMANDS: dict[str, dict[str, str]] = {
    "columns": {"safe_harbor": "columns.safe_harbor", "zip3": "columns.zip3"},
    "sweep": {"max_known": "sweep.max_known", "minimal_uniques": "sweep.minimal_uniques"},
    "attack": {
        "targets": "attack.targets",
        "known": "attack.known",
        "known_columns": "attack.known_columns",
        "worst": "attack.worst",
        "tolerance": "attack.tolerance",
        "noise": "attack.noise",
        "truth_id": "attack.truth_id",
        "points": "attack.points",
        "max_points": "attack.max_points",
        "coarser": "attack.coarser",
    },
}
"""Where the options of a command alone stand in a policy, beside those that it shares with ``assess``."""
