"""A report as a neutral structure: what is said and in which order, but not how it is set.

Texts hold names as they are, escaped nowhere: each format escapes for its own medium, every text, in one place.
"""

from __future__ import annotations

from dataclasses import dataclass
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


Block = Paragraph | Bullets | Facts | Table | Bars | Source


@dataclass(frozen=True)
class Section:
    """Blocks under a heading."""

    title: str
    blocks: tuple[Block, ...]


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
    """Everything that a report says, in its order."""

    title: str
    banner: str
    judgement: Judgement
    sections: tuple[Section, ...]
    closing: str
    statements: tuple[tuple[str, str], ...]
