"""The result document as JSON text."""

from __future__ import annotations

import json
from typing import Any

from sqlrisk.result import Assessment


def render(result: Assessment) -> str:
    """The document of :meth:`Assessment.to_dict`, reals in full precision.

    Characters that steer a terminal or change the direction of text stand as JSON escapes.
    """
    return shown(result.to_dict())


def shown(document: dict[str, Any] | list[Any]) -> str:
    """A document of plain values as JSON text that is safe to print."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    return "".join(_visible(line) + "\n" for line in text.split("\n"))


def _visible(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
