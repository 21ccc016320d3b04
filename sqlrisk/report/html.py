"""The report as one page that needs nothing else: no script, no font, no picture from elsewhere."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from sqlrisk.errors import escape_control
from sqlrisk.report import content
from sqlrisk.report.document import Code
from sqlrisk.result import Assessment

_HERE = Path(__file__).parent


def render(result: Assessment, title: str | None = None, public: bool = False) -> str:
    """The report as an HTML page, fit to leave the house if ``public``."""
    report = content.compose(result, public=public)
    return _page(title or report.title, [("", "", report)])


def render_pages(chapters: Sequence[tuple[str, str, Assessment]], title: str | None = None) -> str:
    """Several assessments on one page, each under its heading and introduction."""
    composed = [(head, intro, content.compose(result)) for head, intro, result in chapters]
    return _page(title or (composed[0][2].title if composed else "sqlrisk"), composed)


def _page(title: str, chapters: list) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from sqlrisk.report import plots

    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    numbers = itertools.count(1)
    environment.filters.update(
        shown=_shown,
        source=_source,
        kind=lambda block: type(block).__name__,
        # Matplotlib has escaped the texts; nothing else in it is not ours.
        drawn=lambda plot: Markup(plots.draw(plot, next(numbers))),
    )
    environment.tests["code"] = lambda piece: isinstance(piece, Code)
    return environment.get_template("page.html").render(
        title=title, chapters=chapters, banner=chapters[0][2].banner if chapters else content.BANNER
    )


def _shown(text: str) -> str:
    """Without characters that steer, and with percent signs that stay with their figure; Jinja2 escapes the rest."""
    return re.sub(r"(?<=\d) (?=%)", "\u00a0", escape_control(text))


def _source(text: str) -> str:
    return "\n".join(escape_control(piece) for piece in text.expandtabs(4).splitlines())
