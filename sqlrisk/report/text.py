"""The report for a terminal."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

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
    Source,
    Table,
)
from sqlrisk.result import Assessment

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_STYLES = {"good": "bold green", "bad": "bold red", "unknown": "bold yellow"}
_GLUE = "\ue000"  # stands for a space at which no line may break; escape_control lets none through from a name
_BAR = 24
_EIGHTHS = " ▏▎▍▌▋▊▉"


def render(result: Assessment, color: bool = False, width: int = 88, public: bool = False) -> str:
    """The report as text of at most ``width`` columns, with colours on request; the last line ends with a newline."""
    from rich.console import Console

    printed = io.StringIO()
    console = Console(
        file=printed,
        width=max(width, 40),
        height=100,
        force_terminal=color,
        force_jupyter=False,
        force_interactive=False,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    _print(console, content.compose(result, public=public))
    lines = printed.getvalue().replace(_GLUE, " ").split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"


def _print(console: Console, report: Report) -> None:
    console.print(_text((report.banner,), "bold yellow"))
    console.print()
    console.print(_text((report.title,), "bold"))
    console.print()
    _print_verdict(console, report.judgement)
    for section in report.sections:
        console.print()
        console.print(_text((section.title,), "bold"))
        console.print("─" * min(len(section.title), console.width), style="dim")
        for number, block in enumerate(section.without_plots):
            if number:
                console.print()
            console.print(_indented(_block(block)))
    console.print()
    console.print(_text((report.closing,), "dim"))


def _print_verdict(console: Console, judgement: Judgement) -> None:
    console.print(_text((judgement.sentence,), _STYLES[judgement.tone]))
    if judgement.checks:
        grid = _grid()
        for check in judgement.checks:
            figures = (_text(cell) for cell in (check.measure, (check.value,), (check.limit,)))
            grid.add_row(_text((check.word,), _STYLES[check.tone]), *figures)
        console.print()
        console.print(_indented(grid))
    if judgement.notes:
        console.print()
        console.print(_indented(_block(Bullets(judgement.notes))))


def _indented(shown: RenderableType) -> RenderableType:
    from rich.padding import Padding

    return Padding(shown, (0, 0, 0, 2))


def _grid(gap: int = 2):
    from rich.table import Table as Grid

    return Grid.grid(padding=(0, gap, 0, 0))


def _text(line: Line, style: str = "") -> Text:
    """The one door to the terminal: no control character passes, and figures keep their percent sign."""
    from rich.text import Text

    text = Text(style=style, overflow="fold")
    for piece in line:
        if isinstance(piece, Code):
            text.append(f"`{escape_control(piece)}`", "cyan")
        else:
            text.append(re.sub(r"(?<=\d) (?=%)", _GLUE, escape_control(piece)))
    return text


def _block(block: Block) -> RenderableType:
    match block:
        case Paragraph(text):
            return _text(text)
        case Bullets(items):
            return _rows([(_text(("•",)), _text(item)) for item in items], gap=1)
        case Facts(rows):
            return _facts(rows)
        case Table():
            return _table(block)
        case Bars():
            return _bars(block)
        case Source(text):
            return _rows([(_text((piece,)),) for piece in text.expandtabs(4).splitlines()])


def _rows(rows: list[tuple[RenderableType, ...]], gap: int = 2) -> RenderableType:
    grid = _grid(gap)
    for row in rows:
        grid.add_row(*row)
    return grid


def _facts(rows: tuple[tuple[str, tuple[Line, ...]], ...]) -> RenderableType:
    pairs = []
    for label, lines in rows:
        for number, line in enumerate(lines):
            pairs.append((_text((label if number == 0 else "",)), _text(line)))
    grid = _grid()
    grid.add_column(no_wrap=True)
    grid.add_column()
    for pair in pairs:
        grid.add_row(*pair)
    return grid


def _table(table: Table) -> RenderableType:
    grid = _grid(gap=3)
    grid.add_row(*(_text((name,), "bold") for name in table.header))
    for row in table.rows:
        grid.add_row(*(_text((cell,)) for cell in row))
    return grid


def _bars(bars: Bars) -> RenderableType:
    grid = _grid()
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True, width=_BAR)
    for _ in bars.header[1:]:
        grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    label, *names = bars.header
    grid.add_row(*(_text((name,), "bold") for name in (label, "", *names, bars.flagged)))
    for bar in bars.bars:
        style = "red" if bar.flag else "blue"
        drawn = _text((block_bar(bar.share / bars.longest, _BAR),), style)
        figures = (_text((figure,)) for figure in bar.figures)
        grid.add_row(_text((bar.label,)), drawn, *figures, _text((bar.flag,), "red"))
    return grid


def block_bar(share: float, width: int) -> str:
    """A bar of block characters, ``width`` long for 1; what is not nothing shows at least a sliver."""
    eighths = round(share * width * 8)
    if share > 0:
        eighths = max(eighths, 1)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")
