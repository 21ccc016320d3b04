"""The values of a policy, as pydantic reads them: each with the form in which a person writes it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema

from sqlrisk.errors import RequestError, nearest
from sqlrisk.generalisations import QuasiIdentifier
from sqlrisk.population_model import PopulationModel, read_model
from sqlrisk.profiles import PROFILES
from sqlrisk.sensitive import Sensitive
from sqlrisk.threshold import Threshold, parse_fraction


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


def _probability(value: Fraction) -> Fraction:
    if not 0 <= value <= 1:
        raise ValueError(f"`{value}` is outside [0, 1]: it is a probability")
    return value


def _name(value: str) -> str:
    if not value.strip() or len(value) > 300 or not value.isprintable():
        raise ValueError("the text is empty, longer than 300 characters, or has characters that do not print")
    return value


def _profile(name: str) -> str:
    if name not in PROFILES:
        raise ValueError(f"there is no profile `{name}`: {nearest(name, list(PROFILES))}")
    return name


def read_pairs(value: object) -> object:
    """``["key=value", ...]``, as options give it, as a mapping; anything else as it is."""
    if not isinstance(value, list | tuple):
        return value
    pairs = [str(item).partition("=") for item in value]
    keys = [key.strip() for key, _, _ in pairs]
    if not all(key and equals for key, (_, equals, _) in zip(keys, pairs, strict=True)):
        raise ValueError("it is not given as `KEY=VALUE`")
    if len(set(keys)) < len(keys):
        raise ValueError("a key is given twice")
    return {key: text.strip() for key, (_, _, text) in zip(keys, pairs, strict=True)}


def read_columns(value: object) -> object:
    if not isinstance(value, str):
        return value
    pairs = [item.partition("=") for item in value.split(",")]
    if not all(equals and ours.strip() and theirs.strip() for ours, equals, theirs in pairs):
        raise ValueError(f"`{value}` is not a list of columns: write `release=population,…`")
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


def not_boolean(value: object) -> object:
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
    return not_boolean(value)


def _date(value: object) -> object:
    if not isinstance(value, str | date) or isinstance(value, datetime):
        raise ValueError("it is not a date: write it as 2026-12-31")
    return value


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
Probability = Annotated[Number, AfterValidator(_probability)]
Name = Annotated[str, AfterValidator(_name)]
Profile = Annotated[str, AfterValidator(_profile), WithJsonSchema({"enum": list(PROFILES)})]
ADate = Annotated[date, BeforeValidator(_date)]
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
Seconds = Annotated[float, Field(gt=0, le=31_536_000), BeforeValidator(not_boolean)]
