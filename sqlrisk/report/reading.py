"""How to read a report, for whoever has to decide and is no statistician."""

from __future__ import annotations

from sqlrisk.report.document import Block, Bullets, lines
from sqlrisk.report.words import Words

TITLE = "How to read this report"


def reading(words: Words) -> tuple[Block, ...]:
    """A few sentences, in the order of the page."""
    group = words.group
    return (
        Bullets(
            lines(
                "Begin with the verdict. PASSED means that every limit is kept: limits that somebody chose, for the reason "
                "that stands below. NO VERDICT means that nothing was judged; that is not a pass.",
                f"A record's risk is one over the number who are alike: in a {group} of 4 it is 1/4. A threshold of 1/11 means "
                f"that records in groups smaller than 11 are at risk.",
                "Whether the columns listed are all that an attacker can know, nobody measured. They decide every figure.",
                "An average hides the few: look at the highest risk and at the records at risk too.",
                "Estimates say how far to rely on them. weak: quote none of them. model-driven: another model would say "
                "otherwise. An interval is for a nominal 95 %.",
                "A dash or “not measured” is not zero. The reason stands beside it.",
                "Nobody is found by this report: it holds counts. But counts can disclose too, so mind its first line.",
            )
        ),
    )
