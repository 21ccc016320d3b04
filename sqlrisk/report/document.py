"""A report as a neutral structure: what is said and in which order, but not how it is set.

Texts hold names as they are, escaped nowhere: each format escapes for its own medium, every text, in one place.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Tone = Literal["good", "bad", "unknown"]


class Code(str):
    """A name or a value out of the data or the request, set apart from the prose."""

    __slots__ = ()


Line = tuple[str, ...]
"""One sentence or cell: pieces of prose and of :class:`Code`."""


def line(*pieces: str) -> Line:
    """A line of its pieces; backticks in prose (as errors and warnings have them) set names apart."""
    parts: list[str] = []
    for piece in pieces:
        if isinstance(piece, Code) or piece.count("`") % 2:
            parts.append(piece)
        else:
            split = piece.split("`")
            parts += [Code(text) if number % 2 else text for number, text in enumerate(split) if text]
    return tuple(parts)


def lines(*texts: str) -> tuple[Line, ...]:
    """A line for each text."""
    return tuple(line(text) for text in texts)


@dataclass(frozen=True)
class Paragraph:
    """Prose."""

    text: Line


@dataclass(frozen=True)
class Bullets:
    """Sentences that stand side by side."""

    items: tuple[Line, ...]


@dataclass(frozen=True)
class Facts:
    """Labels, and one or more lines to each."""

    rows: tuple[tuple[str, tuple[Line, ...]], ...]


@dataclass(frozen=True)
class Table:
    """Figures under headers, which may be names; the first column names the row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Bar:
    """One bar: its share of the whole, and the figures beside it. ``flag`` is a word on bars that are at risk."""

    label: str
    share: float
    figures: tuple[str, ...]
    flag: str = ""


@dataclass(frozen=True)
class Bars:
    """A histogram. ``header`` names the labels, then each figure; ``flagged`` says by whom bars are at risk."""

    header: tuple[str, ...]
    bars: tuple[Bar, ...]
    flagged: str

    @property
    def longest(self) -> float:
        """The share that a bar of full length has."""
        return max((bar.share for bar in self.bars), default=0) or 1


@dataclass(frozen=True)
class Source:
    """Text of a query, its lines kept."""

    text: str


@dataclass(frozen=True)
class Mark:
    """A value of the x axis that is marked, with its name."""

    at: float
    label: str


@dataclass(frozen=True)
class Columns:
    """A share for each of a few ordered groups; ``flags`` tells which are at risk. ``border`` stands before the group of its
    number, counted from 0."""

    groups: tuple[str, ...]
    shares: tuple[float, ...]
    flags: tuple[bool, ...]
    x_label: str
    y_label: str
    border: Mark | None = None


@dataclass(frozen=True)
class Steps:
    """Shares that fall in steps as x rises: for each name (x, share from there on), x ascending, on a logarithmic axis."""

    curves: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    marks: tuple[Mark, ...]
    x_label: str
    y_label: str


@dataclass(frozen=True)
class Dots:
    """One number for each name, on a logarithmic axis; ``spans`` are intervals, and ``chosen`` the name that was used."""

    names: tuple[str, ...]
    values: tuple[float, ...]
    spans: tuple[tuple[float, float] | None, ...]
    chosen: str | None
    x_label: str


@dataclass(frozen=True)
class Trends:
    """Shares over time: for each name (when, share or None); ``same`` tells which runs are of the present definition, and
    ``note`` what is to be said of the others."""

    when: tuple[datetime, ...]
    same: tuple[bool, ...]
    lines: tuple[tuple[str, tuple[float | None, ...]], ...]
    y_label: str
    note: str = ""


@dataclass(frozen=True)
class Curves:
    """Shares over a few ordered groups: for each name one a group, None where it is not known."""

    groups: tuple[str, ...]
    lines: tuple[tuple[str, tuple[float | None, ...]], ...]
    x_label: str
    y_label: str


@dataclass(frozen=True)
class Plot:
    """A picture: what it shows in a sentence with figures, what is drawn, and the table behind it.

    It says nothing that other blocks do not say, so formats without pictures leave it out, or show ``instead``.
    """

    title: str
    alt: str
    drawn: Columns | Steps | Dots | Trends | Curves
    table: Table
    instead: Bars | None = None


Block = Paragraph | Bullets | Facts | Table | Bars | Source | Plot


@dataclass(frozen=True)
class Section:
    """Blocks under a heading."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def without_plots(self) -> tuple[Block, ...]:
        """The blocks of a format that has no pictures."""
        shown = (block.instead if isinstance(block, Plot) else block for block in self.blocks)
        return tuple(block for block in shown if block is not None)


@dataclass(frozen=True)
class CheckedLimit:
    """One limit: what was judged, what it is, what it may be."""

    word: str
    tone: Tone
    measure: Line
    value: str
    limit: str


@dataclass(frozen=True)
class Judgement:
    """The verdict in a sentence that begins with its word, the limits, and what is to be said about them."""

    sentence: str
    tone: Tone
    checks: tuple[CheckedLimit, ...]
    notes: tuple[Line, ...]


@dataclass(frozen=True)
class Report:
    """Everything that a report says, in its order. ``assumed`` and ``reading`` repeat what other sections say, for those who
    read a page from the top; formats for the terminal and for tickets leave them out."""

    title: str
    banner: str
    judgement: Judgement
    sections: tuple[Section, ...]
    closing: str
    statements: tuple[tuple[str, str], ...]
    assumed: Section | None = None
    reading: Section | None = None
