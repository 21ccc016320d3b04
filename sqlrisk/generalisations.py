"""Quasi-identifiers and the ways to generalise them, as users write them: ``age:band=5``, ``{age: {band: 5}}``.

Each generalisation knows its own text (``spec``) and nothing of SQL; ``sqlrisk.sql.quasi_identifier`` compiles it.
Intervals are ``[a, b)``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

from sqlrisk.errors import RequestError, nearest

DATE_UNITS = ("year", "quarter", "month", "week", "day", "hour")
TIME_UNITS = ("hour", "minute")
TEXT_STEPS = ("trim", "casefold", "nfc")
LARGEST_MAP = 100_000


@dataclass(frozen=True)
class Band:
    """Intervals of equal ``width`` from 0; the key is the lower bound."""

    width: Decimal

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return f"band={self.width:f}"


@dataclass(frozen=True)
class Cut:
    """Intervals between ``bounds``, with one below the first and one from the last; the key is the interval's number."""

    bounds: tuple[Decimal, ...]

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return "cut=" + ",".join(f"{bound:f}" for bound in self.bounds)


@dataclass(frozen=True)
class Round:
    """Rounded half away from zero to ``digits`` decimals (negative: tens, hundreds, ...)."""

    digits: int

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return f"round={self.digits}"


@dataclass(frozen=True)
class Prefix:
    """The first ``length`` characters."""

    length: int

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return f"prefix={self.length}"


@dataclass(frozen=True)
class Truncate:
    """The start of the ``unit`` (weeks from Monday), in ``zone`` (UTC if None) for instants."""

    unit: str
    zone: str | None = None

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return f"truncate={self.unit}" + (f"@{self.zone}" if self.zone else "")


@dataclass(frozen=True)
class TimeOfDay:
    """The hour of the day, or the minute of the day."""

    unit: str
    zone: str | None = None

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return f"time={self.unit}" + (f"@{self.zone}" if self.zone else "")


@dataclass(frozen=True)
class Weekday:
    """1 for Monday to 7 for Sunday."""

    zone: str | None = None

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return "weekday" + (f"@{self.zone}" if self.zone else "")


@dataclass(frozen=True)
class MapTo:
    """Values replaced by their group; ``other`` is the group of values that the map lacks, None if that is an error."""

    pairs: tuple[tuple[str, str], ...]
    other: str | None = None
    label: str = "values"
    file: Path | None = field(default=None, compare=False)

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return f"map={self.label}" + ("" if self.other is None else f":else={self.other}")


@dataclass(frozen=True)
class MinCount:
    """Values with fewer than ``count`` records of the release become one."""

    count: int

    @property
    def rest(self) -> str:
        """What stands in their place."""
        return f"(fewer than {self.count} records)"

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return f"min_count={self.count}"


@dataclass(frozen=True)
class Normalise:
    """Text made comparable: ``trim`` outer white space, ``casefold`` to lower case, ``nfc`` Unicode normal form."""

    steps: tuple[str, ...]

    @property
    def spec(self) -> str:
        """As the user writes it."""
        return "normalise=" + "+".join(self.steps)


Generalisation = Band | Cut | Round | Prefix | Truncate | TimeOfDay | Weekday | MapTo | MinCount | Normalise


@dataclass(frozen=True)
class QuasiIdentifier:
    """A column by which a person could be found, and how it is generalised before it is compared."""

    column: str
    generalisation: Generalisation | None = None

    @property
    def spec(self) -> str:
        """As the user writes it on the command line."""
        column = '"' + self.column.replace('"', '""') + '"' if ":" in self.column or '"' in self.column else self.column
        return column + (f":{self.generalisation.spec}" if self.generalisation else "")

    @classmethod
    def parse(cls, text: str, folder: Path | None = None) -> QuasiIdentifier:
        """Read ``age``, ``age:band=5``, ``"odd:name":prefix=3``; paths of maps are relative to ``folder``."""
        column, given = cls.split(text, "a quasi-identifier", "write `COLUMN` or `COLUMN:band=5`")
        if given is None:
            return cls(column)
        kind, equals, argument = given.partition("=")
        options: dict[str, object] = {}
        if kind.strip() == "map" and ":else=" in argument:
            argument, _, options["else"] = argument.partition(":else=")
        if "@" in kind:  # weekday@Europe/Berlin
            kind, _, options["zone"] = kind.partition("@")
        return cls(column, build(column, kind.strip(), argument if equals else None, options, folder))

    @staticmethod
    def split(text: str, what: str, example: str) -> tuple[str, str | None]:
        """The column's name and what stands behind its colon; a name with a colon is quoted."""
        match = re.fullmatch(r'(?:"((?:[^"]|"")*)"|([^:"][^:]*))(?::(.*))?', text.strip(), re.DOTALL)
        if match is None:
            raise RequestError(f"`{text}` is not {what}", example)
        column = match[1].replace('""', '"') if match[1] is not None else match[2].strip()
        if not column:
            raise RequestError(f"`{text}` names no column", example)
        return column, match[3]

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object], folder: Path | None = None) -> QuasiIdentifier:
        """Read ``{"age": {"band": 5}}`` or ``{"started": "weekday"}``, as YAML gives them."""
        if len(mapping) != 1:
            raise RequestError(
                "a quasi-identifier has one column", "write each as an item of its own: `- age: {band: 5}`"
            )
        ((column, value),) = mapping.items()
        if not isinstance(column, str):
            raise RequestError(f"`{column}` is not read as a column's name", "put it in quotes")
        if value is None:
            return cls(column)
        if isinstance(value, str):
            quoted = column.replace('"', '""')
            return cls.parse(f'"{quoted}":{value}', folder)
        if not isinstance(value, Mapping):
            raise RequestError(f"`{column}`: `{value}` is not a generalisation", "write `{band: 5}`")
        options = {str(key): item for key, item in value.items() if str(key) in {"else", "zone"}}
        kinds = {str(key): item for key, item in value.items() if str(key) not in options}
        if len(kinds) != 1:
            raise RequestError(f"`{column}` needs exactly one generalisation", "write `{band: 5}`")
        ((kind, argument),) = kinds.items()
        return cls(column, build(column, kind, argument, options, folder))


def build(
    column: str, kind: str, argument: object, options: Mapping[str, object], folder: Path | None = None
) -> Generalisation:
    """The generalisation called ``kind``; :class:`RequestError` naming the column when its argument is wrong."""
    if kind not in _BUILDERS:
        raise RequestError(f"`{column}`: there is no generalisation `{kind}`", nearest(kind, list(_BUILDERS)))
    builder, allowed, example = _BUILDERS[kind]
    if stray := set(options) - allowed:
        raise RequestError(f"`{column}`: {kind} takes no `{min(stray)}`", f"write `{column}:{example}`")
    if argument is None and kind != "weekday":
        raise RequestError(f"`{column}`: {kind} needs a value", f"write `{column}:{example}`")
    try:
        return builder(argument, options, folder)
    except (ValueError, InvalidOperation) as problem:
        detail = str(problem) if isinstance(problem, ValueError) else f"`{argument}` is not a number"
        raise RequestError(f"`{column}`: {detail}", f"write `{column}:{example}`") from None


def _number(value: object) -> Decimal:
    number = Decimal(str(value).strip())
    if not number.is_finite() or abs(number) > Decimal(10) ** 15:
        raise ValueError(f"`{value}` is not a usable number")
    number = number.normalize()
    if -number.as_tuple().exponent > 6:
        raise ValueError(f"`{value}` has more than 6 decimals")
    return number


def _whole(value: object, low: int, high: int) -> int:
    text = str(value).strip()
    if not re.fullmatch(r"[+-]?\d{1,6}", text) or not low <= int(text) <= high:
        raise ValueError(f"`{value}` is not a whole number from {low} to {high}")
    return int(text)


def _band(argument: object, options: Mapping[str, object], folder: Path | None) -> Band:
    width = _number(argument)
    if width <= 0:
        raise ValueError(f"the width `{argument}` is not above 0")
    return Band(width)


def _cut(argument: object, options: Mapping[str, object], folder: Path | None) -> Cut:
    items = argument if isinstance(argument, list | tuple) else str(argument).split(",")
    bounds = tuple(_number(item) for item in items)
    if not bounds or any(a >= b for a, b in zip(bounds, bounds[1:], strict=False)):
        raise ValueError("the bounds must rise")
    return Cut(bounds)


def _unit_and_zone(argument: object, options: Mapping[str, object], units: tuple[str, ...]) -> tuple[str, str | None]:
    unit, _, zone = str(argument).partition("@")
    if unit.strip() not in units:
        raise ValueError(f"there is no unit `{unit}` ({', '.join(units)})")
    return unit.strip(), _zone(zone or options.get("zone"))


def _zone(name: object) -> str | None:
    if not name:
        return None
    import zoneinfo

    text = str(name).strip()
    known = zoneinfo.available_timezones()  # empty on machines without a time zone database
    if not re.fullmatch(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", text) or (known and text not in known):
        raise ValueError(f"there is no time zone `{text}`")
    return text


def _map(argument: object, options: Mapping[str, object], folder: Path | None) -> MapTo:
    other = None if options.get("else") is None else str(options["else"])
    if isinstance(argument, Mapping):
        if not argument:
            raise ValueError("the map has no values")
        return MapTo(tuple((str(value), str(group)) for value, group in argument.items()), other)
    path = Path(str(argument))
    file = folder / path if folder and not path.is_absolute() else path
    return MapTo(tuple(_read_map(file).items()), other, str(argument), file)


def _read_map(path: Path) -> dict[str, str]:
    """A CSV with the header ``value,group``."""
    pairs: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = file.readline().strip()
            if header not in {"value,group", "value;group"}:
                raise ValueError(f"{path.name} does not begin with the header `value,group`")
            lines = csv.reader(file, delimiter=header[5])
            for row in lines:
                if len(row) not in {0, 2}:
                    raise ValueError(f"{path.name} has a row with {len(row)} fields; two are expected: value, group")
                if row and pairs.setdefault(row[0], row[1]) != row[1]:
                    raise ValueError(f"{path.name} gives a value two groups in line {lines.line_num + 1}")
    except OSError as problem:
        raise ValueError(f"the map {path} cannot be read ({problem.strerror or problem})") from None
    except UnicodeDecodeError:
        raise ValueError(f"the map {path} is not UTF-8") from None
    except csv.Error as problem:
        raise ValueError(f"the map {path} is not a well-formed CSV ({problem})") from None
    if not pairs or len(pairs) > LARGEST_MAP:
        raise ValueError(f"{path.name} has {len(pairs)} values; 1 to {LARGEST_MAP} are expected")
    return pairs


def _normalise(argument: object, options: Mapping[str, object], folder: Path | None) -> Normalise:
    items = argument if isinstance(argument, list | tuple) else str(argument).split("+")
    steps = tuple(str(item).strip() for item in items)
    for step in steps:
        if step not in TEXT_STEPS:
            raise ValueError(f"there is no step `{step}` ({', '.join(TEXT_STEPS)})")
    return Normalise(steps)


_Builder = Callable[[object, Mapping[str, object], Path | None], Generalisation]
_BUILDERS: dict[str, tuple[_Builder, set[str], str]] = {
    "band": (_band, set(), "band=5"),
    "cut": (_cut, set(), "cut=0,20000,50000"),
    "round": (lambda value, _o, _f: Round(_whole(value, -9, 9)), set(), "round=2"),
    "prefix": (lambda value, _o, _f: Prefix(_whole(value, 1, 999_999)), set(), "prefix=3"),
    "truncate": (lambda value, o, _f: Truncate(*_unit_and_zone(value, o, DATE_UNITS)), {"zone"}, "truncate=month"),
    "time": (lambda value, o, _f: TimeOfDay(*_unit_and_zone(value, o, TIME_UNITS)), {"zone"}, "time=hour"),
    "weekday": (lambda value, o, _f: Weekday(_zone(value or o.get("zone"))), {"zone"}, "weekday"),
    "map": (_map, {"else"}, "map=chapters.csv"),
    "min_count": (lambda value, _o, _f: MinCount(_whole(value, 1, 999_999)), set(), "min_count=100"),
    "normalise": (_normalise, set(), "normalise=trim+casefold"),
}


def band(column: str, width: object) -> QuasiIdentifier:
    """``column`` in intervals of ``width``, ``[a, b)``, from 0."""
    return QuasiIdentifier(column, build(column, "band", width, {}))


def cut(column: str, bounds: list[object]) -> QuasiIdentifier:
    """``column`` in the intervals between rising ``bounds``, ``[a, b)``, open at both ends."""
    return QuasiIdentifier(column, build(column, "cut", bounds, {}))


def rounded(column: str, digits: int) -> QuasiIdentifier:
    """``column`` rounded half away from zero to ``digits`` decimals."""
    return QuasiIdentifier(column, build(column, "round", digits, {}))


def prefix(column: str, length: int) -> QuasiIdentifier:
    """The first ``length`` characters of ``column``."""
    return QuasiIdentifier(column, build(column, "prefix", length, {}))


def truncate(column: str, unit: str, zone: str | None = None) -> QuasiIdentifier:
    """The start of the year, quarter, month, week (Monday), day or hour of ``column``."""
    return QuasiIdentifier(column, build(column, "truncate", unit, {"zone": zone} if zone else {}))


def time_of_day(column: str, unit: str = "hour", zone: str | None = None) -> QuasiIdentifier:
    """The hour (or minute) of the day of ``column``."""
    return QuasiIdentifier(column, build(column, "time", unit, {"zone": zone} if zone else {}))


def weekday(column: str, zone: str | None = None) -> QuasiIdentifier:
    """The weekday of ``column``, 1 for Monday to 7 for Sunday."""
    return QuasiIdentifier(column, build(column, "weekday", None, {"zone": zone} if zone else {}))


def min_count(column: str, count: int) -> QuasiIdentifier:
    """``column`` with its values of fewer than ``count`` records of the release made one."""
    return QuasiIdentifier(column, build(column, "min_count", count, {}))


def mapped(column: str, groups: Mapping[object, object] | str | Path, other: str | None = None) -> QuasiIdentifier:
    """``column`` replaced by the group of its value, from a mapping or a CSV with the header ``value,group``."""
    argument = groups if isinstance(groups, Mapping) else str(groups)
    return QuasiIdentifier(column, build(column, "map", argument, {} if other is None else {"else": other}))


def normalised(column: str, *steps: str) -> QuasiIdentifier:
    """Text of ``column`` after ``trim``, ``casefold`` and ``nfc``, in the order given."""
    return QuasiIdentifier(column, build(column, "normalise", steps, {}))
