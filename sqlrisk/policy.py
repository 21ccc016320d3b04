"""What to measure and what is allowed: the policy as frozen values, and its format.

Every later capability has its key from the start; what this version cannot measure is refused by name, never ignored.
How a policy is read from YAML, options and Python is in ``sqlrisk.policy_document``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
)

from sqlrisk.errors import RequestError, nearest
from sqlrisk.generalisations import QuasiIdentifier
from sqlrisk.population_model import PopulationModel, read_model
from sqlrisk.sensitive import Sensitive
from sqlrisk.threshold import DEFAULT_THRESHOLD, Threshold, parse_fraction

ATTACKERS = ("prosecutor", "journalist", "marketer")


def _column(value: object, info: ValidationInfo, made: type[QuasiIdentifier] | type[Sensitive]) -> object:
    folder = (info.context or {}).get("folder")
    with _as_value_error():
        if isinstance(value, made):
            return value
        if isinstance(value, str):
            return made.parse(value, folder)
        if isinstance(value, Mapping):
            return made.from_mapping(value, folder)
        raise RequestError(f"`{value}` is not read as a column's name", "put it in quotes")


def _quasi_identifier(value: object, info: ValidationInfo) -> object:
    return _column(value, info, QuasiIdentifier)


def _model(value: object, info: ValidationInfo) -> object:
    if isinstance(value, PopulationModel):
        return value
    if not isinstance(value, str | Path) or not str(value).strip():
        raise ValueError(f"`{value}` is not a file: name a CSV or YAML file")
    with _as_value_error():
        return read_model(((info.context or {}).get("folder") or Path()) / value)


def _sensitive(value: object, info: ValidationInfo) -> object:
    return _column(value, info, Sensitive)


class _as_value_error:
    """pydantic collects ValueErrors with their location; ours become such."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RequestError):
            raise ValueError(str(error)) from None


def _threshold(value: object) -> Threshold:
    with _as_value_error():
        return Threshold.parse(value)


def _fraction(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return value
    with _as_value_error():
        return parse_fraction(value, "the limit")


def _share(value: Fraction) -> Fraction:
    if not 0 <= value <= 1:
        raise ValueError(f"the limit `{value}` is outside [0, 1]: it is a share")
    return value


def _columns(value: object) -> object:
    if not isinstance(value, str):
        return value
    pairs = [item.partition("=") for item in value.split(",")]
    if not all(equals and ours.strip() and theirs.strip() for ours, equals, theirs in pairs):
        raise ValueError(f"`{value}` is not a list of columns: write `release=population,…`")
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def _not_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"`{str(value).lower()}` is not a number")
    return value


def _fractions(value: object) -> tuple[Fraction, ...]:
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]
    with _as_value_error():
        fractions = [parse_fraction(item, "the sampling fraction", sizes=False) for item in items]
    for item, fraction in zip(items, fractions, strict=True):
        if not 0 < fraction <= 1:
            raise ValueError(
                f"the sampling fraction `{item}` is outside (0, 1]: it is the release's share of the population"
            )
    if not fractions or len(set(fractions)) < len(fractions):
        raise ValueError("a sampling fraction is missing or given twice")
    return tuple(fractions)


def _estimator(name: str) -> str:
    if name not in ESTIMATORS:
        raise ValueError(f"there is no estimator `{name}`: {nearest(name, list(ESTIMATORS))}")
    return name


def _whole(value: object) -> object:
    if isinstance(value, str) and not value.strip().isdecimal():
        raise ValueError(f"`{value}` is not a whole number: write it in digits alone, as 20000")
    return _not_boolean(value)


def _given_reason(value: str) -> str:
    if not value.strip():
        raise ValueError("say why: the reason is part of the report")
    return value


_NUMBER = WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]})
AThreshold = Annotated[Threshold, BeforeValidator(_threshold), _NUMBER]
Number = Annotated[Fraction, BeforeValidator(_fraction), _NUMBER]
Share = Annotated[Number, AfterValidator(_share)]
_COLUMN = WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object", "maxProperties": 1, "minProperties": 1}]})
AQuasiIdentifier = Annotated[QuasiIdentifier, BeforeValidator(_quasi_identifier), _COLUMN]
ASensitive = Annotated[Sensitive, BeforeValidator(_sensitive), _COLUMN]
AModel = Annotated[PopulationModel, BeforeValidator(_model), WithJsonSchema({"type": "string"})]
Fractions = Annotated[
    tuple[Fraction, ...],
    BeforeValidator(_fractions),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array", "items": {"type": "number"}}]}),
]
Reason = Annotated[str, AfterValidator(_given_reason)]
ESTIMATORS = (
    "auto",
    "dankar",
    "pitman_yor",
    "pitman",
    "pitman_asymptotic",
    "ewens",
    "zayatz",
    "snb",
    "log_series",
    "negative_binomial",
    "poisson_inverse_gaussian",
    "poisson_lognormal",
    "npmle",
)
Estimator = Annotated[str, AfterValidator(_estimator), WithJsonSchema({"enum": list(ESTIMATORS)})]
Count = Annotated[int, Field(ge=1), BeforeValidator(_whole)]
Seconds = Annotated[float, Field(gt=0, le=31_536_000), BeforeValidator(_not_boolean)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Release(_Section):
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
    previous: list[Any] = Field(default_factory=list)


class Population(_Section):
    """Whom the release is a sample of."""

    size: Count | None = None
    sampling_fraction: Fractions | None = None
    table: str | None = None
    columns: Annotated[dict[str, str], BeforeValidator(_columns)] = Field(default_factory=dict)
    where: str | None = None
    entity_id: str | None = None
    model: AModel | None = None
    description: str | None = None
    source: str | None = None
    as_of: date | None = None


class Prosecutor(_Section):
    """Limits against somebody who knows that the target is in the release."""

    threshold: AThreshold | None = None
    max_highest_risk: Share | None = None
    max_average_risk: Share | None = None
    max_share_at_risk: Share | None = None


class Journalist(Prosecutor):
    """Limits against somebody who does not know that."""

    estimator: Estimator | None = None


class Marketer(_Section):
    """Limits against somebody who matches everybody."""

    max_average_risk: Share | None = None


class Attackers(_Section):
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


class Limits(_Section):
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
    max_increase: Number | None = None


class Guards(_Section):
    """What a run may cost, and how many rows may leave the warehouse."""

    timeout: Seconds | None = None
    max_bytes: Count | None = None
    max_rows: Count = 100_000


class Output(_Section):
    """Where the report goes."""

    format: Literal["text", "json", "markdown", "html", "sdp-json", "junit"] = "text"
    file: str | None = None
    histogram: str | None = None
    public: bool = False
    quiet: bool = False
    progress: bool = True


class Policy(_Section):
    """One policy: a release, its population, the attackers, the limits."""

    version: Annotated[Literal[1], BeforeValidator(_not_boolean)] = 1
    connection: str | None = Field(default=None, repr=False)
    release: Release = Field(default_factory=Release)
    releases: list[Any] = Field(default_factory=list)
    population: Population = Field(default_factory=Population)
    profile: str | None = None
    threshold: AThreshold | None = None
    attackers: Attackers = Field(default_factory=Attackers)
    limits: Limits = Field(default_factory=Limits)
    accept_weak: Reason | None = None
    seed: Annotated[int, Field(ge=0), BeforeValidator(_not_boolean)] = 0
    sample_classes: Share | None = None
    context: dict[str, Any] = Field(default_factory=dict)
    justification: str | None = None
    agreement: dict[str, Any] = Field(default_factory=dict)
    measure_only: bool = False
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
    "timeout": "guards.timeout",
    "max_bytes": "guards.max_bytes",
    "max_rows": "guards.max_rows",
    "format": "output.format",
    "output": "output.file",
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
    "releases": "several releases in one file",
    "release.previous": "earlier releases",
    "profile": "published precedents",
    "limits.max_increase": "comparison with earlier runs",
    "sample_classes": "samples of the classes",
    "context": "attack probabilities",
    "agreement": "agreements with recipients",
    "measure_only": "unattended checks",
    "output.public": "reports fit to leave the house",
}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the policy format, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Policy.model_json_schema()}
