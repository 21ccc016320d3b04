"""What goes on record of a policy: fingerprints that hang on what it says, not on how it is spelled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from sqlrisk.policy import Policy
from sqlrisk.policy_commands import OF_COMMANDS
from sqlrisk.record import Agreed, PolicyRecord

# Where the data is, what a run may cost, where its report goes, and what other commands do decide nothing about the release.
_NO_MATTER = {"version", "name", "connection", "guards", "output", *OF_COMMANDS}
# How a value was written, and where: `0.2` is 1/5, and a map is what it holds.
_SPELLING = {"text", "label", "origin"}
_OF_THE_POPULATION = ("size", "sampling_fraction", "table", "columns", "where", "entity_id", "model")


def record_of(policy: Policy) -> PolicyRecord:
    """The policy's name and fingerprints, and the agreement that it is for."""
    decided = {key: value for key, value in plain(policy).items() if key not in _NO_MATTER}
    agreed = policy.agreement
    return PolicyRecord(
        name=policy.name,
        fingerprint=f"sha256:{_digest(decided)}",
        definition={key: _digest(value)[:16] for key, value in definition_of(policy).items()},
        default_threshold=policy.has_default_threshold,
        agreement=Agreed(**agreed.model_dump()) if agreed.model_fields_set else None,
    )


def definition_of(policy: Policy) -> dict[str, Any]:
    """What says which figures are measured, by the policy's keys: limits and wording do not."""
    keys = {f"release.{key}": value for key, value in plain(policy.release).items()}
    population = plain(policy.population)
    keys |= {f"population.{key}": population[key] for key in _OF_THE_POPULATION if key in population}
    for attacker in ("prosecutor", "journalist"):
        keys[f"attackers.{attacker}.threshold"] = plain(policy.threshold_of(attacker).value)
    keys |= {"attackers.journalist.estimator": policy.estimator, "seed": policy.seed}
    if policy.limits.recursive_l is not None:
        keys["limits.recursive_l"] = policy.limits.recursive_l
    return keys


def plain(value: Any) -> Any:
    """A value as JSON has it; what a section leaves at its default is left out, so that a new key changes no fingerprint.
    Files count by what they hold, not by where they are."""
    if isinstance(value, BaseModel):
        defaults = {
            key: field.get_default(call_default_factory=True) for key, field in type(value).model_fields.items()
        }
        return {key: plain(item) for key, item in value if item != defaults[key]}
    if is_dataclass(value):
        items = ((item.name, getattr(value, item.name)) for item in fields(value) if item.name not in _SPELLING)
        kept = {name: plain(item) for name, item in items if not isinstance(item, Path)}
        return {"kind": type(value).__name__, **kept}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
