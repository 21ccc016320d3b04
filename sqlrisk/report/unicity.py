"""How few points single people out."""

from __future__ import annotations

from sqlrisk.report.document import Section
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment


def sections(result: Assessment, words: Words) -> tuple[Section, ...]:
    """The sections on it; none where it was not measured."""
    return ()
