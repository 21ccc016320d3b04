"""Class sizes from a file: the CSV that ``assess --histogram`` writes, JSON, or a saved result."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.errors import RequestError

HEADER = ("class_size", "classes")
LARGEST_FILE = 100_000_000
_FORM = "give a CSV with the header class_size,classes, or JSON such as [[1, 500], [2, 150]]"


def read_sizes(histogram: Any) -> tuple[ClassSizes, str | None]:
    """The class sizes of a file (``-`` is stdin), a mapping, pairs, a data frame or :class:`ClassSizes`; the file's name.

    :class:`RequestError`, naming the line, for what is none of these.
    """
    if isinstance(histogram, ClassSizes):
        return histogram, None
    if isinstance(histogram, str | Path):
        name, text = _text(histogram)
        return _parse(text, name), name
    if hasattr(histogram, "columns"):
        if not set(HEADER) <= set(histogram.columns):
            raise RequestError("the data frame has no columns class_size and classes", _FORM)
        histogram = [tuple(pair) for pair in zip(*(list(histogram[name]) for name in HEADER), strict=True)]
    try:
        return ClassSizes(histogram), None
    except (TypeError, ValueError):
        raise RequestError("this is no histogram of class sizes", _FORM) from None


def _text(path: str | Path) -> tuple[str, str]:
    if str(path) == "-":
        return "stdin", sys.stdin.read()
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise RequestError(f"{file} is larger than a histogram can be", _FORM)
        return file.name, file.read_text("utf-8-sig")
    except FileNotFoundError:
        raise RequestError(f"there is no file {file}", "check the path") from None
    except UnicodeDecodeError:
        raise RequestError(f"{file} is not UTF-8 text", _FORM) from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or "its name"
        raise RequestError(f"{file} cannot be read ({why})", "check the path") from None


def _parse(text: str, name: str) -> ClassSizes:
    begin = text.lstrip()[:1]
    if not begin:
        raise RequestError(f"{name} is empty", _FORM)
    return _of_json(text, name) if begin in "[{" else _of_csv(text, name)


def _of_json(text: str, name: str) -> ClassSizes:
    try:
        value = json.loads(text, object_pairs_hook=_once(name))
    except (ValueError, RecursionError):
        raise RequestError(f"{name} is not valid JSON", _FORM) from None
    if isinstance(value, Mapping) and "class_sizes" in value:
        value = value["class_sizes"]
        if value is None:
            raise RequestError(
                f"{name} is a result whose records do not fall into classes", "there is nothing to estimate"
            )
    pairs: Iterable[Any] = value.items() if isinstance(value, Mapping) else value
    if not isinstance(value, list | Mapping) or not all(
        isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs
    ):
        raise RequestError(f"{name} is no histogram of class sizes", _FORM)
    return ClassSizes([(_whole(size, name), _whole(count, name)) for size, count in pairs])


def _of_csv(text: str, name: str) -> ClassSizes:
    first = text.splitlines()[0]
    separator = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error:
        raise RequestError(f"{name} is not a CSV file", _FORM) from None
    header = [cell.strip() for cell in rows[0]]
    if not set(HEADER) <= set(header):
        raise RequestError(f"{name}, line 1: the columns class_size and classes are not there", _FORM)
    at = [header.index(column) for column in HEADER]
    pairs: dict[int, int] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            raise RequestError(f"{name}, line {number}: {len(row)} values for {len(header)} columns", _FORM)
        size, count = (_whole(row[column].strip(), f"{name}, line {number}") for column in at)
        if size in pairs:
            raise RequestError(f"{name}, line {number}: the class size {size:,} stands twice", "give each size once")
        pairs[size] = count
    return ClassSizes(pairs)


def _once(name: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Refuses JSON objects in which a key stands twice, of which Python would take the last in silence."""

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1 and key.isdecimal():
                raise RequestError(f"{name}: the class size {key} stands twice", "give each size once")
        return dict(pairs)

    return build


def _whole(value: object, where: str) -> int:
    text = str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdigit() or len(text) > 18:
        raise RequestError(
            f"{where}: `{text[:40]}` is not a whole number", "sizes are whole numbers from 1, counts from 0"
        )
    return int(text)
