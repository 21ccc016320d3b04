"""What to measure and what is allowed: the policy, from YAML, from command-line options or from Python.

All three become one document of plain values, which is validated here, once. Every later capability has its key from
the start; what this version cannot measure is refused by name, never ignored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)

from sqlrisk.errors import RequestError, nearest
from sqlrisk.generalisations import QuasiIdentifier
from sqlrisk.threshold import DEFAULT_THRESHOLD, Threshold, parse_fraction

ATTACKERS = ("prosecutor", "journalist", "marketer")
LARGEST_FILE = 1_000_000
LARGEST_DOCUMENT = 20_000  # nodes, with aliases written out


def _quasi_identifier(value: object, info: ValidationInfo) -> QuasiIdentifier:
    folder = (info.context or {}).get("folder")
    with _as_value_error():
        if isinstance(value, QuasiIdentifier):
            return value
        if isinstance(value, str):
            return QuasiIdentifier.parse(value, folder)
        if isinstance(value, Mapping):
            return QuasiIdentifier.from_mapping(value, folder)
        raise RequestError(f"`{value}` is not read as a column's name", "put it in quotes")


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


_NUMBER = WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]})
AThreshold = Annotated[Threshold, BeforeValidator(_threshold), _NUMBER]
Number = Annotated[Fraction, BeforeValidator(_fraction), _NUMBER]
Share = Annotated[Number, AfterValidator(_share)]
AQuasiIdentifier = Annotated[
    QuasiIdentifier,
    BeforeValidator(_quasi_identifier),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object", "maxProperties": 1, "minProperties": 1}]}),
]
Count = Annotated[int, Field(ge=1), BeforeValidator(_not_boolean)]
Seconds = Annotated[float, Field(gt=0, le=31_536_000), BeforeValidator(_not_boolean)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Release(_Section):
    """The table that may go out."""

    table: str | None = None
    query: str | None = None
    where: str | None = None
    quasi_identifiers: list[AQuasiIdentifier] = Field(default_factory=list)
    sensitive: list[Any] = Field(default_factory=list)
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
    sampling_fraction: Annotated[float, Field(gt=0, le=1)] | None = None
    table: str | None = None
    columns: Annotated[dict[str, str], BeforeValidator(_columns)] = Field(default_factory=dict)
    where: str | None = None
    entity_id: str | None = None
    model: str | None = None
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

    estimator: str | None = None


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
        """The attackers given, in the order of the reports."""
        return [name for name in ATTACKERS if getattr(self, name) is not None]

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

    format: Literal["text", "json", "markdown", "html", "junit"] = "text"
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
    accept_weak: str | None = None
    seed: int | None = None
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
    def has_default_threshold(self) -> bool:
        """Whether some attacker is judged by sqlrisk's default threshold, which is no recommendation."""
        named = [name for name in self.attackers.named if name != "marketer"]
        return self.threshold is None and not all(self.attackers.threshold(name) for name in named or ["prosecutor"])


# Where each option of the command line, and each keyword of Python, stands in a policy. `*` is each named attacker.
KEYS = {
    "table": "release.table",
    "query": "release.query",
    "quasi_identifiers": "release.quasi_identifiers",
    "where": "release.where",
    "nulls": "release.nulls",
    "suppressed": "release.suppressed",
    "unparseable": "release.unparseable",
    "entity_id": "release.entity_id",
    "entity_counting": "release.entity_counting",
    "population_table": "population.table",
    "population_columns": "population.columns",
    "population_where": "population.where",
    "population_entity_id": "population.entity_id",
    "attackers": "attackers",
    "threshold": "threshold",
    "max_highest_risk": "attackers.*.max_highest_risk",
    "max_average_risk": "attackers.*.max_average_risk",
    "max_share_at_risk": "attackers.*.max_share_at_risk",
    "min_k": "limits.min_k",
    "max_sample_uniques": "limits.max_sample_uniques",
    "max_excluded": "limits.max_excluded",
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

# Keys of the format that this version does not measure, and what it would take.
LATER = {
    "releases": "several releases in one file",
    "release.sensitive": "sensitive columns",
    "release.sensitive_nulls": "sensitive columns",
    "release.weight": "survey weights",
    "release.household": "household risk",
    "release.previous": "earlier releases",
    "population.size": "estimates of an unknown population",
    "population.sampling_fraction": "estimates of an unknown population",
    "population.model": "population models",
    "profile": "published precedents",
    "attackers.journalist.estimator": "estimates of an unknown population",
    "limits.min_k_map": "k-map",
    "limits.min_l": "sensitive columns",
    "limits.min_entropy_l": "sensitive columns",
    "limits.max_recursive_c": "sensitive columns",
    "limits.recursive_l": "sensitive columns",
    "limits.max_t": "sensitive columns",
    "limits.max_alpha": "sensitive columns",
    "limits.max_beta": "sensitive columns",
    "limits.max_delta_disclosure": "sensitive columns",
    "limits.max_delta_presence": "delta-presence",
    "limits.max_population_uniques": "estimates of an unknown population",
    "limits.max_increase": "comparison with earlier runs",
    "accept_weak": "estimates of an unknown population",
    "seed": "estimates of an unknown population",
    "sample_classes": "samples of the classes",
    "context": "attack probabilities",
    "agreement": "agreements with recipients",
    "measure_only": "unattended checks",
    "output.public": "reports fit to leave the house",
}


class _Loader(yaml.SafeLoader):
    """Dates stay text, so that an impossible one is an error of its key, with its line."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class Document:
    """A policy before validation: plain values, and where each of them was written."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.origins: dict[tuple, str] = {}
        self.folder: Path | None = None
        self.label = ""
        self._expanded: set[tuple] = set()

    @classmethod
    def read(cls, path: str | Path) -> Document:
        """Read a YAML file; :class:`RequestError` naming file and line for what is no policy at all."""
        document = cls()
        file = Path(path)
        document.folder, document.label = file.parent, file.name
        try:
            if file.stat().st_size > LARGEST_FILE:
                raise RequestError(f"{file} is larger than a policy can be", "give a policy file of under a megabyte")
            text = file.read_text("utf-8-sig")
        except FileNotFoundError:
            raise RequestError(f"there is no policy file {file}", "check the path") from None
        except UnicodeDecodeError:
            raise RequestError(f"{file} is not UTF-8 text", "save it as UTF-8") from None
        except OSError as problem:
            raise RequestError(
                f"{file} cannot be read ({problem.strerror})", "check the path and its permissions"
            ) from None
        try:
            loader = _Loader(text)
            node = loader.get_single_node()
            if not isinstance(node, yaml.MappingNode):
                raise RequestError(f"{file.name} is not a policy", "begin it with `version: 1`")
            document._note_lines(node, ())
            document.values = loader.construct_document(node)
        except (yaml.YAMLError, ValueError, TypeError, RecursionError) as problem:
            mark = getattr(problem, "problem_mark", None)
            where = f"{file.name}, line {mark.line + 1}" if mark else file.name
            raise RequestError(f"{where}: not valid YAML", getattr(problem, "problem", None) or "check it") from None
        return document

    def _note_lines(self, node: yaml.Node, path: tuple) -> None:
        if len(self.origins) > LARGEST_DOCUMENT or len(path) > 30:
            raise RequestError(f"{self.label} is too large for a policy", "take out its repeated parts")
        self.origins[path] = f"{self.label}, line {node.start_mark.line + 1}"
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self._note_lines(item, (*path, index))
        elif isinstance(node, yaml.MappingNode):
            seen = set()
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise RequestError(
                        f"{self.label}, line {key.start_mark.line + 1}: a key is not a text", "write `key: value`"
                    )
                if key.value in seen:
                    raise RequestError(f"{self.label}, line {key.start_mark.line + 1}: `{key.value}` stands twice")
                seen.add(key.value)
                self._note_lines(value, (*path, key.value))
                self.origins[(*path, key.value)] = f"{self.label}, line {key.start_mark.line + 1}"

    def set(self, path: str, value: object, origin: str) -> None:
        """Put ``value`` at a dotted ``path``, overriding what stands there; ``origin`` names it in errors."""
        keys = path.split(".")
        section = self.values
        for key in keys[:-1]:
            if not isinstance(section.get(key), dict):
                section[key] = {}
            section = section[key]
        section[keys[-1]] = value
        self.origins = {at: text for at, text in self.origins.items() if at[: len(keys)] != tuple(keys)}
        self.origins[tuple(keys)] = origin

    def override(self, options: Mapping[str, object], spell=lambda name: name) -> None:
        """Apply options by the names of :data:`KEYS`; None means not given. ``spell`` names an option in errors."""
        given = {name: value for name, value in options.items() if value is not None}
        for name in ("quasi_identifiers", "attackers"):
            if isinstance(given.get(name), str):
                given[name] = [given[name]]
        if unknown := set(given) - set(KEYS):
            raise RequestError(f"there is no option `{min(unknown)}`", nearest(min(unknown), list(KEYS)))
        if "attackers" in given:
            self._name_attackers(list(given.pop("attackers")), spell("attackers"))
        if "threshold" in given:
            for attacker in self._attackers().values():
                if isinstance(attacker, dict):
                    attacker.pop("threshold", None)
        for other, name in (("query", "table"), ("table", "query")):
            if name in given and other not in given:
                release = self.values.get("release")
                if isinstance(release, dict):
                    release.pop(other, None)
        for name, value in given.items():
            if "*" in KEYS[name]:
                self._limit_attackers(KEYS[name], value, spell(name))
            else:
                self.set(KEYS[name], value, spell(name))

    def _attackers(self) -> dict[str, Any]:
        section = self.values.get("attackers")
        return section if isinstance(section, dict) else {}

    def _name_attackers(self, names: list[str], origin: str) -> None:
        for name in names:
            if name not in ATTACKERS:
                raise RequestError(f"{origin}: there is no attacker `{name}`", nearest(name, list(ATTACKERS)))
        kept = {name: self._attackers().get(name) or {} for name in names}
        self.values["attackers"] = kept
        self.origins[("attackers",)] = origin

    def _limit_attackers(self, key: str, value: object, origin: str) -> None:
        limit = key.rsplit(".", 1)[1]
        named = list(self._attackers())
        if not named:
            raise RequestError(
                f"{origin} needs an attacker: whose risk may not exceed it?",
                "add --attacker prosecutor, journalist or marketer",
            )
        able = [name for name in named if name != "marketer" or limit == "max_average_risk"]
        if not able:
            raise RequestError(f"{origin} does not apply to a marketer", "a marketer has only --max-average-risk")
        for name in able:
            self.set(f"attackers.{name}.{limit}", value, origin)

    def validate(self) -> Policy:
        """The policy; :class:`RequestError` for the first thing that is wrong, naming where it stands."""
        self._expand(self.values, ())
        # A section with nothing behind its colon says nothing.
        for key in [key for key, value in self.values.items() if value is None]:
            if isinstance(Policy.model_fields.get(key, None) and Policy.model_fields[key].default_factory, type):
                del self.values[key]
        # `marketer:` with nothing behind it names the attacker.
        for name, attacker in self._attackers().items():
            if attacker is None:
                self.values["attackers"][name] = {}
        try:
            policy = Policy.model_validate(self.values, context={"folder": self.folder})
        except ValidationError as problem:
            raise self._explain(problem.errors()[0]) from None
        self._refuse_later(policy)
        if policy.release.table is not None and policy.release.query is not None:
            raise RequestError(
                f"{self.origin(('release', 'query'))}: both a table and a query are given", "give one of them"
            )
        for key in ("columns", "where", "entity_id"):
            if policy.population.table is None and getattr(policy.population, key):
                raise RequestError(
                    f"{self.origin(('population', key))}: `{key}` describes the population table",
                    "give `table` too (--population-table)",
                )
        return policy

    def check_described(self, policy: Policy) -> None:
        """A verdict against a journalist, from a policy file, needs to say which population it is about."""
        journalist = policy.attackers.journalist
        limits = [
            getattr(journalist, f"max_{name}", None) for name in ("highest_risk", "average_risk", "share_at_risk")
        ]
        absent = [key for key in ("description", "source", "as_of") if getattr(policy.population, key) is None]
        if absent and any(limit is not None for limit in limits):
            raise RequestError(
                f"{self.origin(('attackers', 'journalist'))}: a verdict against a journalist needs `population.{absent[0]}`",
                "say which population it is, from where, and of when",
            )

    def origin(self, path: tuple) -> str:
        """Where the value at ``path`` was written, or the nearest thing around it."""
        while path and path not in self.origins:
            path = path[:-1]
        return self.origins.get(path, self.label)

    def _expand(self, value: Any, path: tuple) -> Any:
        if path == ("connection",):
            return value  # expanded when it is used: a SOURCE can stand in its place
        if isinstance(value, str):
            expanded = expand_variables(value, self.origin(path))
            if expanded != value:
                self._expanded.add(path)
            return expanded
        if isinstance(value, dict):
            for key in value:
                value[key] = self._expand(value[key], (*path, key))
        elif isinstance(value, list):
            value[:] = [self._expand(item, (*path, index)) for index, item in enumerate(value)]
        return value

    def _explain(self, error: Mapping[str, Any]) -> RequestError:
        path = tuple(error["loc"])
        origin = self.origin(path)
        key = ".".join(str(part) for part in path if not isinstance(part, int))
        key = "…" if "://" in key else key
        where = f"{origin}: `{key}`" if key and not origin.startswith("--") else origin or key or "the policy"
        if error["type"] == "extra_forbidden":
            return RequestError(f"{where} is not a key of a policy", nearest(str(path[-1]), _known_keys(path[:-1])))
        message = str(error["msg"]).removeprefix("Value error, ")
        # What came from the environment is not shown: it can be a password in the wrong place.
        from_environment = any(path[: len(at)] == at or at[: len(path)] == path for at in self._expanded)
        secret = path[:1] == ("connection",) or from_environment or "://" in str(error["input"])
        shown = "" if secret or error["type"] in {"value_error", "missing"} else f" (`{error['input']}`)"
        return RequestError(f"{where}: {message[0].lower() + message[1:]}{shown}")

    def _refuse_later(self, policy: Policy) -> None:
        for key, what in LATER.items():
            section: Any = policy
            *parents, last = key.split(".")
            for parent in parents:
                section = getattr(section, parent) if section is not None else None
            if (
                section is not None
                and last in section.model_fields_set
                and getattr(section, last) not in (None, False, [], {})
            ):
                raise RequestError(
                    f"{self.origin(tuple(key.split('.'))) or 'the policy'}: `{key}` is part of the policy format, "
                    f"but this version of sqlrisk does not measure it yet ({what})",
                    "take it out to go on without it",
                )
        if policy.release.nulls == "wildcard":
            raise RequestError(
                f"{self.origin(('release', 'nulls'))}: `wildcard` is not measured by this version of sqlrisk",
                "use `value` (a missing value is a value) or `exclude`",
            )
        if policy.output.format == "junit":
            raise RequestError(
                f"{self.origin(('output', 'format'))}: there is no JUnit report yet", "use text, json, markdown or html"
            )


def expand_variables(text: str, where: str) -> str:
    """``text`` with ``${NAME}`` taken from the environment; :class:`RequestError` for a variable that is not set."""

    def value(match: re.Match) -> str:
        if match[1] not in os.environ:
            raise RequestError(f"{where}: the environment has no variable {match[1]}", f"set {match[1]}")
        return os.environ[match[1]]

    return re.sub(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}", value, text)


def _known_keys(path: tuple) -> list[str]:
    model: Any = Policy
    for part in path:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        candidates = getattr(annotation, "__args__", (annotation,))
        model = next((item for item in candidates if isinstance(item, type) and issubclass(item, BaseModel)), None)
        if model is None:
            return []
    return list(model.model_fields)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the policy format, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Policy.model_json_schema()}
