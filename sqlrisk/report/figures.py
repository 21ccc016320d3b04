"""Numbers as people read them: sensible digits, a unit to every count, and never 0 % for something."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

NONE = "–"


@dataclass(frozen=True)
class Unit:
    """What is counted."""

    one: str
    many: str

    def count(self, number: int | None) -> str:
        """``1 record``, ``1,000 records``; a dash where the number is not known."""
        if number is None:
            return NONE
        return f"{number:,} {self.one if number == 1 else self.many}"

    def exactly(self, value: float | None) -> str:
        """As :meth:`count`, for a whole number that came as a real one."""
        return self._after(number(value))

    def estimated(self, value: float | None) -> str:
        """``961 people``: an estimated number of them."""
        return self._after(estimate(value))

    def about(self, value: float | None) -> str:
        """``about 961 people``: an estimated number of them, and said to be one."""
        return self._after(about(value))

    def _after(self, shown: str) -> str:
        if shown == NONE:
            return shown
        return f"{shown} {self.one if shown in ('1', 'about 1') else self.many}"


RECORDS = Unit("record", "records")
PEOPLE = Unit("person", "people")
CLASSES = Unit("class", "classes")


def percent(share: float | None, extra: int = 0, whole: bool = False) -> str:
    """A share as a percentage: one decimal, below 1 % two significant digits, ``extra`` more on request.

    Only 0 reads ``0 %`` and only 1 reads ``100 %``: what would round to them reads ``<0.001 %`` and ``>99.9 %``.
    ``whole`` drops the decimal from 10 % on, where the exact fraction stands beside it.
    """
    if share is None:
        return NONE
    if not math.isfinite(share):
        return "infinite"
    if share in (0, 1):
        return f"{share * 100:.0f} %"
    value = share * 100
    if 0 < value < (1e-13 if extra else 0.001):
        return "<0.001 %"
    text = _rounded(value, _decimals(value, whole) + extra)
    if share < 1 and float(text) >= 100:
        return ">99." + "9" * (1 + extra) + " %"
    if share > 1 and float(text) <= 100:
        return ">100 %"
    return f"{text} %"


def _decimals(value: float, whole: bool) -> int:
    if abs(value) >= 1:
        return 0 if whole and 10 <= abs(value) < 99 else 1
    return 1 - math.floor(math.log10(abs(value)))


def _rounded(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def risk(value: float | None, shown: str | None = None) -> str:
    """A record's risk: ``1/3 (33 %)`` where it is exactly one in so many, else the percentage (or ``shown``)."""
    if value is None or not 1e-15 < value <= 1:
        return shown or percent(value)
    people = round(1 / value)
    if 1 / people == value:
        return f"1/{people:,} ({shown or percent(value, whole=True)})"
    return shown or percent(value)


def number(value: float | None) -> str:
    """A number with thousands separators: whole from 100 on, three significant digits below; never 0 for something."""
    if value is None:
        return NONE
    if not math.isfinite(value):
        return "infinite"
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 else "<0.001"


def estimate(value: float | None) -> str:
    """An estimated number: as :func:`number`, but no more than four significant digits."""
    if value is None or not math.isfinite(value) or abs(value) < 10_000:
        return number(value)
    return f"{round(value, 3 - math.floor(math.log10(abs(value)))):,.0f}"


def about(value: float | None) -> str:
    """An estimated number in a sentence: ``about 961``, ``under 0.001``."""
    shown = estimate(value)
    if value is None:
        return shown
    return f"under {shown[1:]}" if shown.startswith("<") else f"about {shown}"


def between(interval: tuple[float, float] | None, shown: Callable[[float], str]) -> str:
    """``0 to 6,367``: both ends, each by ``shown``; one where they read the same, a dash without an interval."""
    if interval is None:
        return NONE
    low, high = (shown(end) for end in interval)
    return low if low == high else f"{low} to {high}"


def of(part: int | None, whole: int | None) -> str:
    """``117 of 1,000``; a dash where the part is not known."""
    return NONE if part is None else f"{part:,} of {whole:,}" if whole is not None else f"{part:,}"


def compared(value: float, limit: float, kind: str) -> tuple[str, str]:
    """A value and its limit as texts that differ if they do, the limit in full; ``share``, ``risk`` or ``number``."""
    shown = percent if kind != "number" else _decimal
    texts = (shown(value, 0), shown(limit, 0))
    for extra in range(1, 17):
        if (value == limit or texts[0] != texts[1]) and not texts[1].startswith(("<", ">")):
            break
        texts = (shown(value, extra), shown(limit, extra))
    if kind == "risk":
        whole = value == limit or percent(value, whole=True) != percent(limit, whole=True)
        return (risk(value, None if whole else texts[0]), risk(limit, None if whole else texts[1]))
    return texts


def _decimal(value: float, extra: int) -> str:
    if not extra or not math.isfinite(value):
        return number(value)
    return _rounded(value, 2 + extra)


def times(ratio: float) -> str:
    """How many times as much: ``4.9``, ``12``."""
    return estimate(round(ratio)) if ratio >= 10 else f"{ratio:.2g}"


def size_of(quantity: int) -> str:
    """Bytes: ``512 bytes``, ``1.2 MB``."""
    if quantity < 1000:
        return Unit("byte", "bytes").count(quantity)
    units = ("kB", "MB", "GB", "TB")
    value, power = quantity / 1000, 0
    while value >= 999.5 and power < len(units) - 1:
        value, power = value / 1000, power + 1
    unit = units[power]
    return f"{value:.2g} {unit}" if value < 10 else f"{value:,.0f} {unit}"


def duration(seconds: float) -> str:
    """``0.22 seconds``, ``12 seconds``, ``3 minutes 5 seconds``."""
    if seconds < 0.01:
        return "under 0.01 seconds"
    if seconds < 10:
        shown = f"{seconds:.2g}"
        return "1 second" if shown == "1" else f"{shown} seconds"
    minutes, rest = divmod(round(seconds), 60)
    seconds_text = Unit("second", "seconds").count(rest)
    return f"{Unit('minute', 'minutes').count(minutes)} {seconds_text}" if minutes else seconds_text


def listed(names: Sequence[str]) -> str:
    """``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
