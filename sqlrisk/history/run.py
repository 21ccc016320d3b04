"""One run of a policy, as it stands on record."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True)
class Run:
    """A run on record. ``document`` is the result document, None where nothing could be measured; ``definition`` gives a
    digest of each key that says what is measured, ``error`` the one line of a run that failed."""

    id: str
    policy: str
    started_at: datetime
    exit_code: int
    fingerprint: str | None
    definition: Mapping[str, str] = field(default_factory=dict)
    document: dict[str, Any] | None = None
    error: str | None = None
    sqlrisk_version: str = ""

    def changed(self, definition: Mapping[str, str]) -> list[str]:
        """The keys in which ``definition`` differs from this run's: changed ones, new ones and those that are gone."""
        keys = self.definition.keys() | definition.keys()
        return sorted(key for key in keys if self.definition.get(key) != definition.get(key))


def new_run_id(started_at: datetime) -> str:
    """A name for a run that no other has: when it started (UTC), and a few digits of its own."""
    return f"{started_at.astimezone(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
