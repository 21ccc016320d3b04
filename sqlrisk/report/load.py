"""A saved result, of this version of sqlrisk or an earlier one."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sqlrisk.errors import RequestError, SqlriskError, one_line
from sqlrisk.result import SCHEMA_VERSION, Assessment

_AS_JSON = "give a file that `--format json` or `--save` wrote"
_LEAST = ("smallest_class", "k_map.smallest", "l_distinct", "l_entropy")
"""Ends of measures of which the least is limited; the first results did not say it of each limit."""


def load(path: str | Path) -> Assessment:
    """The result in a file, or on standard input for ``-``; :class:`RequestError` in one line for anything else."""
    name = "standard input" if str(path) == "-" else str(path)
    return parse(read_text(path), name)


def read_text(path: str | Path) -> str:
    """The text of a file, or of standard input for ``-``; :class:`RequestError` if it cannot be read."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise RequestError(f"there is no file {path}", "check the path") from None
    except UnicodeDecodeError:
        raise RequestError(f"{path} is not UTF-8 text", _AS_JSON) from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or "the path is not valid"
        raise RequestError(f"{str(path)[:200]} cannot be read ({why})", "check the path and its permissions") from None


def parse(text: str, name: str) -> Assessment:
    """The result in a JSON text; ``name`` says where it is from."""
    try:
        document = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as problem:
        line = f", line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) and text.strip() else ""
        raise RequestError(f"{name}{line} is not JSON", _AS_JSON) from None
    if isinstance(document, list):
        raise RequestError(
            f"{name} holds a list, as `check --format json` writes it, and not one result",
            "give one result, for example the `result` of one of its items in a file of its own",
        )
    if not isinstance(document, dict):
        raise RequestError(f"{name} is no result of sqlrisk", _AS_JSON)
    return from_document(document, name)


def from_document(document: dict[str, Any], name: str = "the result") -> Assessment:
    """The result that a document of any known schema version holds."""
    version = document.get("schema_version")
    if type(version) is not int:
        raise RequestError(f"{name} is no result of sqlrisk: it has no schema_version", _AS_JSON)
    if version > SCHEMA_VERSION:
        raise RequestError(
            f"{name} was made by a newer sqlrisk: its schema is of version {version}, this one reads up to {SCHEMA_VERSION}",
            "upgrade sqlrisk",
        )
    if version < 1:
        raise RequestError(f"{name} is no result of sqlrisk: there is no schema of version {version}", _AS_JSON)
    try:
        result = Assessment.from_dict(_upgraded(document))
    except ValidationError as problem:
        raise _said(problem, name) from None
    except (SqlriskError, ArithmeticError, TypeError, ValueError, RecursionError):
        raise RequestError(f"{name} is no valid result of sqlrisk", _AS_JSON) from None
    return _consistent(result, name)


def _consistent(result: Assessment, name: str) -> Assessment:
    """The result, unless its verdict says otherwise than its limits."""
    verdict = result.verdict
    if verdict.passed and not (verdict.checks and all(check.passed for check in verdict.checks)):
        raise RequestError(f"{name} is no valid result: its verdict is not that of its limits", _AS_JSON)
    return result


@contextlib.contextmanager
def rendering(name: str) -> Iterator[None]:
    """Figures that no run gives (edited ones) as a :class:`RequestError`, wherever in a report they do not fit."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError) as problem:
        if os.environ.get("SQLRISK_DEBUG"):
            raise
        cause = f"{name} cannot be shown: its figures do not fit each other ({type(problem).__name__})"
        raise RequestError(cause, _AS_JSON) from None


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _upgraded(document: dict[str, Any]) -> dict[str, Any]:
    """A document as this version writes it."""
    verdict = document.get("verdict")
    checks = verdict.get("checks") if isinstance(verdict, dict) else None
    if not isinstance(checks, list):
        return document
    document = copy.deepcopy(document)
    for check in document["verdict"]["checks"]:
        if isinstance(check, dict) and "direction" not in check:
            check["direction"] = "min" if str(check.get("measure")).endswith(_LEAST) else "max"
    return document


def _said(problem: ValidationError, name: str) -> RequestError:
    """The first fault by its place, without the value that is there."""
    error = problem.errors(include_url=False, include_input=False, include_context=False)[0]
    place = one_line(".".join(str(part) for part in error["loc"]))[:200] or "it"
    if error["type"] == "missing":
        return RequestError(f"{name} is no complete result: `{place}` is missing", _AS_JSON)
    if error["type"] == "extra_forbidden":
        return RequestError(
            f"{name} holds `{place}`, which this sqlrisk does not know", "upgrade sqlrisk, or check the file"
        )
    return RequestError(f"{name} is no valid result: `{place}` is not as sqlrisk writes it", _AS_JSON)
