"""What to measure and what is allowed: the policy as frozen values, and its format.

Every later capability has its key from the start; what this version cannot measure is refused by name, never ignored.
How a policy is read from YAML, options and Python is in ``sqlrisk.policy_document``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from sqlrisk.policy_commands import Attack, Columns, Section, Sweep
from sqlrisk.policy_values import (
    ADate,
    AModel,
    AQuasiIdentifier,
    ASensitive,
    AThreshold,
    Count,
    Estimator,
    Fractions,
    Name,
    Number,
    Probability,
    Profile,
    Reason,
    Seconds,
    Share,
    not_boolean,
    read_columns,
    read_pairs,
)
from sqlrisk.threshold import DEFAULT_THRESHOLD, Threshold

ATTACKERS = ("prosecutor", "journalist", "marketer")


class Previous(Section):
    """A release that was handed out before, and the column that links its records with those of this one."""

    table: Name
    link_id: Name


class Release(Section):
    """The table that may go out."""

    table: str | None = None
    query: str | None = None
    where: str | None = None
    quasi_identifiers: list[AQuasiIdentifier] = Field(default_factory=list)
    sensitive: list[ASensitive] = Field(default_factory=list)
    sensitive_nulls: Literal["value", "ignore"] = "value"
    entity_id: str | None = None
    entity_counting: Literal["multiset", "distinct"] = "multiset"
    weight: str | None = None
    household: str | None = None
    nulls: Literal["value", "wildcard", "exclude"] = "value"
    suppressed: str | None = None
    unparseable: Annotated[Literal["error", "null"], BeforeValidator(lambda value: value or "null")] = "error"
    previous: list[Previous] = Field(default_factory=list)


class Population(Section):
    """Whom the release is a sample of."""

    size: Count | None = None
    sampling_fraction: Fractions | None = None
    table: str | None = None
    columns: Annotated[dict[str, str], BeforeValidator(read_columns)] = Field(default_factory=dict)
    where: str | None = None
    entity_id: str | None = None
    model: AModel | None = None
    description: str | None = None
    source: str | None = None
    as_of: ADate | None = None


class Prosecutor(Section):
    """Limits against somebody who knows that the target is in the release."""

    threshold: AThreshold | None = None
    max_highest_risk: Share | None = None
    max_average_risk: Share | None = None
    max_share_at_risk: Share | None = None


class Journalist(Prosecutor):
    """Limits against somebody who does not know that."""

    estimator: Estimator | None = None


class Marketer(Section):
    """Limits against somebody who matches everybody."""

    max_average_risk: Share | None = None


class Attackers(Section):
    """The attackers named; none named means all that the inputs allow, and no limits on them."""

    prosecutor: Prosecutor | None = None
    journalist: Journalist | None = None
    marketer: Marketer | None = None

    @property
    def named(self) -> list[str]:
        """The attackers given, in the order of the reports. A journalist with an estimator alone is not named by it."""
        given = {name: section for name in ATTACKERS if (section := getattr(self, name)) is not None}
        return [name for name, section in given.items() if section.model_fields_set != {"estimator"}]

    def threshold(self, name: str) -> Threshold | None:
        """The threshold given for the attacker called ``name``."""
        return getattr(getattr(self, name, None), "threshold", None)


class Limits(Section):
    """Limits that hang on no attacker. Shares are of the release's records."""

    min_k: Count | None = None
    min_k_map: Count | None = None
    min_l: Count | None = None
    min_entropy_l: Number | None = None
    max_recursive_c: Number | None = None
    recursive_l: Count | None = None
    max_t: Share | None = None
    max_alpha: Share | None = None
    max_beta: Number | None = None
    max_delta_disclosure: Number | None = None
    max_delta_presence: Share | None = None
    max_sample_uniques: Share | None = None
    max_population_uniques: Share | None = None
    max_excluded: Share | None = None
    max_increase: Share | None = None


class Context(Section):
    """How probable it is that somebody tries: figures beside the risks, never instead of them."""

    deliberate: Probability | None = None
    prevalence: Probability | None = None
    acquaintances: Count = 150
    breach: Probability | None = None
    public: bool = False
    justification: Reason | None = None

    @property
    def attempts(self) -> list[str]:
        """The ways to an attempt that a probability is given for."""
        given = {
            "deliberate": self.deliberate is not None,
            "acquaintance": self.prevalence is not None,
            "breach": self.breach is not None,
            "public": self.public,
        }
        return [kind for kind, known in given.items() if known]


class Agreement(Section):
    """With whom the release is agreed, for what, and for how long."""

    recipient: Name | None = None
    purpose: Name | None = None
    reference: Name | None = None
    valid_from: ADate | None = None
    valid_until: ADate | None = None


class Guards(Section):
    """What a run may cost, and how many rows may leave the warehouse."""

    timeout: Seconds | None = None
    max_bytes: Count | None = None
    max_rows: Count = 100_000


class Output(Section):
    """Where the report goes."""

    format: Literal["text", "json", "markdown", "html", "sdp-json", "junit", "agreement"] = "text"
    file: str | None = None
    save: str | None = None
    histogram: str | None = None
    public: bool = False
    quiet: bool = False
    progress: bool = True


class Policy(Section):
    """One policy: a release, its population, the attackers, the limits."""

    version: Annotated[Literal[1], BeforeValidator(not_boolean)] = 1
    name: Name | None = None
    connection: str | None = Field(default=None, repr=False)
    release: Release = Field(default_factory=Release)
    population: Population = Field(default_factory=Population)
    profile: Profile | None = None
    threshold: AThreshold | None = None
    attackers: Attackers = Field(default_factory=Attackers)
    limits: Limits = Field(default_factory=Limits)
    accept_weak: Reason | None = None
    seed: Annotated[int, Field(ge=0), BeforeValidator(not_boolean)] = 0
    sample_classes: Share | None = None
    context: Annotated[Context, BeforeValidator(read_pairs)] = Field(default_factory=Context)
    justification: Reason | None = None
    agreement: Annotated[Agreement, BeforeValidator(read_pairs)] = Field(default_factory=Agreement)
    measure_only: bool = False
    columns: Columns = Field(default_factory=Columns)
    sweep: Sweep = Field(default_factory=Sweep)
    attack: Attack = Field(default_factory=Attack)
    guards: Guards = Field(default_factory=Guards)
    output: Output = Field(default_factory=Output)

    def threshold_of(self, attacker: str) -> Threshold:
        """The attacker's own threshold, else the policy's, else sqlrisk's default."""
        return self.attackers.threshold(attacker) or self.threshold or DEFAULT_THRESHOLD

    @property
    def estimator(self) -> str:
        """How an unknown population is estimated."""
        return (self.attackers.journalist and self.attackers.journalist.estimator) or "auto"

    @property
    def has_limits(self) -> bool:
        """Whether there is anything to judge by."""
        sections = [getattr(self.attackers, name) for name in self.attackers.named]
        limits = [value for section in sections for key, value in section if key.startswith("max_")]
        limits += [value for key, value in self.limits if key not in ("recursive_l", "max_excluded")]
        return self.profile is not None or any(limit is not None for limit in limits)

    @property
    def has_default_threshold(self) -> bool:
        """Whether some attacker is judged by sqlrisk's default threshold, which is no recommendation."""
        named = [name for name in self.attackers.named if name != "marketer"]
        return self.threshold is None and not all(self.attackers.threshold(name) for name in named or ["prosecutor"])


# Where each option of the command line, and each keyword of Python, stands in a policy. `*` is each named attacker.
KEYS = {
    "table": "release.table",
    "query": "release.query",
    "quasi_identifiers": "release.quasi_identifiers",
    "sensitive": "release.sensitive",
    "sensitive_nulls": "release.sensitive_nulls",
    "where": "release.where",
    "nulls": "release.nulls",
    "suppressed": "release.suppressed",
    "unparseable": "release.unparseable",
    "entity_id": "release.entity_id",
    "entity_counting": "release.entity_counting",
    "weight": "release.weight",
    "household": "release.household",
    "previous": "release.previous",
    "link_id": "release.previous",
    "population_size": "population.size",
    "sampling_fraction": "population.sampling_fraction",
    "population_model": "population.model",
    "population_table": "population.table",
    "population_columns": "population.columns",
    "population_where": "population.where",
    "population_entity_id": "population.entity_id",
    "estimator": "attackers.journalist.estimator",
    "seed": "seed",
    "attackers": "attackers",
    "threshold": "threshold",
    "max_highest_risk": "attackers.*.max_highest_risk",
    "max_average_risk": "attackers.*.max_average_risk",
    "max_share_at_risk": "attackers.*.max_share_at_risk",
    "min_k": "limits.min_k",
    "min_k_map": "limits.min_k_map",
    "min_l": "limits.min_l",
    "min_entropy_l": "limits.min_entropy_l",
    "max_recursive_c": "limits.max_recursive_c",
    "recursive_l": "limits.recursive_l",
    "max_t": "limits.max_t",
    "max_alpha": "limits.max_alpha",
    "max_beta": "limits.max_beta",
    "max_delta_disclosure": "limits.max_delta_disclosure",
    "max_delta_presence": "limits.max_delta_presence",
    "max_sample_uniques": "limits.max_sample_uniques",
    "max_population_uniques": "limits.max_population_uniques",
    "max_excluded": "limits.max_excluded",
    "accept_weak": "accept_weak",
    "justification": "justification",
    "profile": "profile",
    "context": "context",
    "agreement": "agreement",
    "timeout": "guards.timeout",
    "max_bytes": "guards.max_bytes",
    "max_rows": "guards.max_rows",
    "format": "output.format",
    "output": "output.file",
    "save": "output.save",
    "public": "output.public",
    "histogram": "output.histogram",
    "quiet": "output.quiet",
    "progress": "output.progress",
}

# Each limit on sensitive columns: the measure of a column, and whether the bound is the least or the most that passes.
SENSITIVE_LIMITS: dict[str, tuple[str, Literal["min", "max"]]] = {
    "min_l": ("l_distinct", "min"),
    "min_entropy_l": ("l_entropy", "min"),
    "max_recursive_c": ("recursive_c", "max"),
    "max_t": ("t_closeness", "max"),
    "max_alpha": ("alpha", "max"),
    "max_beta": ("basic_beta", "max"),
    "max_delta_disclosure": ("delta_disclosure", "max"),
}

# Keys of the format that this version does not measure, and what it would take.
LATER = {
    "sample_classes": "samples of the classes",
}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the policy format, for editors."""
    schema = Policy.model_json_schema()
    properties, definitions = schema["properties"], schema["$defs"]
    # An item of `releases` holds the keys of `release`, and those of the policy that it overrides.
    own = {key: value for key, value in properties.items() if key not in ("version", "release")}
    item = {**definitions["Release"]["properties"], **own}
    definitions["OneRelease"] = {"type": "object", "additionalProperties": False, "properties": item}
    properties["releases"] = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/OneRelease"}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
