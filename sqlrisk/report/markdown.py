"""The report as Markdown, for a ticket or the summary of a CI job."""

from __future__ import annotations

import re

from sqlrisk.errors import escape_control
from sqlrisk.report import content
from sqlrisk.report.document import (
    Bars,
    Block,
    Bullets,
    Code,
    Facts,
    Judgement,
    Line,
    Paragraph,
    Report,
    Section,
    Source,
    Table,
)
from sqlrisk.report.text import block_bar
from sqlrisk.result import Assessment

_BAR = 20
_SPECIAL = re.compile(r"[\\`*_\[\]<>&~$#|]")
_PLAIN = re.compile(r"[^`|<>\\\n]+")


def render(result: Assessment, public: bool = False) -> str:
    """The report as GitHub-flavoured Markdown."""
    return shown(content.compose(result, public=public))


def shown(report: Report) -> str:
    """Any report as GitHub-flavoured Markdown."""
    word, _, rest = report.banner.partition(" ")
    parts = [f"## {prose(report.title)}", f"> **{prose(word)}** {prose(rest)}", *judged(report.judgement)]
    for section in report.sections:
        parts += [f"### {prose(section.title)}", _section(section)]
    parts.append(f"*{prose(report.closing)}*")
    return "\n\n".join(parts) + "\n"


def judged(judgement: Judgement) -> list[str]:
    """The verdict and its limits, as the parts of a text."""
    parts = [f"**{prose(judgement.sentence)}**"]
    if judgement.checks:
        rows = [((check.word,), check.measure, (check.value,), (check.limit,)) for check in judgement.checks]
        parts.append(grid(("", "Measure", "Measured", "Limit"), [tuple(_line(cell) for cell in row) for row in rows]))
    if judgement.notes:
        parts.append(_block(Bullets(judgement.notes)))
    return parts


def _section(section: Section) -> str:
    """Its blocks; lists that follow each other become one."""
    text = ""
    for before, block in zip((None, *section.without_plots), section.without_plots, strict=False):
        lists = isinstance(before, Bullets | Facts) and isinstance(block, Bullets | Facts)
        text += ("" if before is None else "\n" if lists else "\n\n") + _block(block)
    return text


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return _line(text)
        case Bullets(items):
            return "\n".join(f"- {_line(item)}" for item in items)
        case Facts(rows):
            return "\n".join(f"- {prose(label)}: {'; '.join(_line(item) for item in items)}" for label, items in rows)
        case Table(header, rows):
            cells = [tuple(prose(cell) for cell in row) for row in rows]
            return grid(tuple(_line((name,)) for name in header), cells)
        case Bars():
            return _bars(block)
        case Source(text):
            return _source(text)


def _bars(bars: Bars) -> str:
    label, *names = bars.header
    rows = []
    for bar in bars.bars:
        drawn = block_bar(bar.share / bars.longest, _BAR)
        rows.append(tuple(prose(cell) for cell in (bar.label, drawn, *bar.figures, bar.flag)))
    return grid((label, "", *names, bars.flagged), rows, right=range(2, 2 + len(names)))


def grid(header: tuple[str, ...], rows: list[tuple[str, ...]], right: range = range(0)) -> str:
    """A table of cells that are Markdown already; the columns of ``right`` are set to the right."""
    rule = ["---:" if number in right else "---" for number in range(len(header))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows))


def _source(text: str) -> str:
    shown = [escape_control(piece) for piece in text.expandtabs(4).splitlines()]
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((f"{fence}sql", *shown, fence))


def _line(line: Line) -> str:
    return "".join(_code(piece) if isinstance(piece, Code) else prose(piece) for piece in line)


def prose(text: str) -> str:
    """Text that Markdown shows as it is; ``|`` as an entity, so that no backslash before it can free it in a table."""
    return _SPECIAL.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), escape_control(text))


_ENTITIES = {"|": "&#124;", "<": "&lt;", ">": "&gt;", "&": "&amp;"}


def _code(text: str) -> str:
    """A code span, or ``<code>`` with entities where a span could be broken out of."""
    shown = escape_control(text)
    if _PLAIN.fullmatch(shown) and shown == shown.strip():
        return f"`{shown}`"
    return "<code>" + "".join(c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in shown) + "</code>"
