"""One family of errors: a cause, a remedy, an exit code.

Everything that a user can get wrong, and everything that a warehouse can refuse, ends in one of these. The command
line prints them as one line; Python code catches :class:`SqlriskError`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


class SqlriskError(Exception):
    """A run that ended without a result.

    ``cause`` says what is wrong, ``remedy`` what to do about it; both are one line without secrets.
    ``exit_code`` is the process exit code of the command line.
    """

    exit_code = 3

    def __init__(self, cause: str, remedy: str = "") -> None:
        self.cause = one_line(cause)
        self.remedy = one_line(remedy)
        super().__init__(str(self))

    def __str__(self) -> str:
        return f"{self.cause}: {self.remedy}" if self.remedy else self.cause


class RequestError(SqlriskError):
    """The request is wrong; nothing but catalogue look-ups was sent (exit code 2)."""

    exit_code = 2


class MissingTableError(RequestError):
    """The table, view or file does not exist (exit code 2)."""


class MeasurementError(SqlriskError):
    """The request is right, but it could not be measured (exit code 3)."""

    exit_code = 3


class Interrupted(SqlriskError):
    """The user stopped the run; the statement was cancelled on the engine (exit code 130)."""

    exit_code = 130


def without_context(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """A decorator: errors leave ``function`` without the exceptions that led to them, whose texts can hold passwords."""

    @functools.wraps(function)
    def clean(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except SqlriskError as problem:
            problem.__context__ = problem.__cause__ = None
            raise

    return clean


def one_line(text: str) -> str:
    """``text`` on one line: white space folded, control characters shown as escapes, never sent to a terminal."""
    return " ".join(escape_control("".join(" " if c in "\r\n\t" else c for c in text)).split())


def escape_control(text: str) -> str:
    """``text`` with control and direction-changing characters as visible escapes (names come from other people)."""
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode("ascii") for c in text)


def nearest(word: str, known: list[str]) -> str:
    """A clause that offers the nearest known words, or lists them when none is near; empty when there are none."""
    import difflib

    if not known:
        return ""
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), lowered, n=2, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(f"`{lowered[name]}`" for name in close) + "?"
    shown = ", ".join(f"`{name}`" for name in known[:12])
    return f"there is {shown}" + (f" and {len(known) - 12} more" if len(known) > 12 else "")


def number_of(count: int, one: str, many: str) -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else many}"
