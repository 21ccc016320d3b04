"""Counts that may leave the house: none of 1 to 10, and none that gives such a count away by subtraction or from a share.

Two rules, and nothing is shown but by one of them. A row of counts with a known total is shown exactly, but for its small
counts and one more that hides each of them. Every other share is shown as the interval of a grid in which it lies; all its
intervals hold at least :data:`WINDOW` counts, so that neither the share nor its difference from a shown count is a count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlrisk.report.figures import percent

SMALL = 11
"""Counts below are small, as for the cells of the Centers for Medicare & Medicaid Services; 0 is nobody's, and is shown."""
WINDOW = 2 * SMALL
"""Counts in each interval of the grid: twice the small ones, so that a class of at most 10 fits in beside any other."""
UNDER = f"<{SMALL}"
MASKED = "masked"
NOT_SHOWN = "not shown"
_GRIDS = (1000, 500, 200, 100, 50, 20, 10, 5, 2)  # intervals of 0.1 % to 50 %


@dataclass(frozen=True)
class Cell:
    """A count of the records in classes of ``least`` to ``most`` records, both inclusive."""

    least: int
    most: int | None
    records: int

    @property
    def is_small(self) -> bool:
        """Whether the count may not be shown."""
        return 0 < self.records < SMALL

    @property
    def certain_from(self) -> int:
        """The least count from which on every one is possible for whole classes of these sizes, of which there are two or
        more."""
        if self.most is None:
            return self.least
        classes = 1
        while classes * self.most < (classes + 1) * self.least - 1:
            classes += 1
        return classes * self.least


@dataclass(frozen=True)
class Row:
    """Counts with a known total, of which those at the places ``hidden`` are not shown."""

    cells: tuple[Cell, ...]
    hidden: frozenset[int]

    @property
    def total(self) -> int:
        """All records of the row."""
        return sum(cell.records for cell in self.cells)

    @property
    def highest_average(self) -> float:
        """The most classes that the counts shown allow, over all records."""
        shown = [cell for place, cell in enumerate(self.cells) if place not in self.hidden]
        hidden = [self.cells[place] for place in self.hidden]
        most = sum(cell.records // cell.least for cell in shown)
        most += sum((SMALL - 1) // cell.least for cell in hidden if cell.is_small)
        others = [cell.least for cell in hidden if not cell.is_small]
        if others:
            most += sum(cell.records for cell in hidden) // min(others)
        return min(1.0, most / self.total)

    def shown(self, place: int) -> str:
        """The count at a place: in full, ``<11``, or ``masked`` where it is hidden to hide another."""
        cell = self.cells[place]
        if place not in self.hidden:
            return f"{cell.records:,}"
        return UNDER if cell.is_small else MASKED


def masked(cells: Sequence[Cell], whole_classes: bool) -> Row | None:
    """The row with its small counts hidden among others; None where too few others are there to hide them.

    The others are the next that are not small, one after the other and whatever their counts: to choose by the counts would
    tell of them. They are enough when, as far as the reader can tell, each small count may as well be any from 1 to 10.
    ``whole_classes``: records fall into classes, so that no class of 20 can hold 3 of them.
    """
    small = [place for place, cell in enumerate(cells) if cell.is_small]
    if not small:
        return Row(tuple(cells), frozenset())
    places = [*range(small[0] + 1, len(cells)), *reversed(range(small[0]))]
    others = [place for place in places if cells[place].records >= SMALL]
    for number in range(1, len(others) + 1):
        hidden = [*small, *others[:number]]
        # One more than a small count can be: that fewer others were not enough must not tell the count either.
        left = sum(cells[place].records for place in hidden) - SMALL * len(small)
        if _are_enough([cells[place] for place in others[:number]], left, whole_classes):
            return Row(tuple(cells), frozenset(hidden))
    return None


def _are_enough(others: list[Cell], left: int, whole_classes: bool) -> bool:
    """Whether ``left`` and everything above can be the sum of counts that are not small."""
    least = [max(cell.least, SMALL) if whole_classes else SMALL for cell in others]
    certain = [max(cell.certain_from, SMALL) if whole_classes else SMALL for cell in others]
    return any(left >= sum(least) - own + start for own, start in zip(least, certain, strict=True))


def count(number: int) -> str:
    """A count with no total beside it: ``none``, ``<11``, or in full."""
    if number == 0:
        return "none"
    return UNDER if number < SMALL else f"{number:,}"


def small_share(total: int) -> str:
    """The share of which a small count lies below."""
    return f"under {percent(SMALL / total)}" if total > SMALL else NOT_SHOWN


def at_most(value: float) -> str:
    """A bound on a share, rounded up."""
    return percent(min(1.0, math.ceil(value * 1000 - 1e-9) / 1000))


def share(value: float | None, total: int) -> str:
    """The interval of the grid in which a share of ``total`` lies: ``under 2 %``, ``4 % to 6 %``, ``98 % or more``."""
    if value is None:
        return "not measured"
    number = grid(total)
    if number is None:
        return NOT_SHOWN
    start = min(int(round(value * number, 9)), number - 1)
    low, high = (percent(end / number) for end in (start, start + 1))
    if start == 0:
        return f"under {high}"
    return f"{low} or more" if start == number - 1 else f"{low} to {high}"


def grid(total: int) -> int | None:
    """Into how many intervals of equal length shares of ``total`` are put; None where there are too few for two."""
    return next((number for number in _GRIDS if total >= number * WINDOW), None)
