"""How to read a report, for whoever has to decide and is no statistician."""

from __future__ import annotations

from sqlrisk.report.document import Block, Bullets, lines
from sqlrisk.report.estimates import has_estimates
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "How to read this report"


def reading(result: Assessment, words: Words) -> tuple[Block, ...]:
    """A few sentences, in the order of the page."""
    group = words.group
    estimated = (
        "Estimates say how far to rely on them. weak: quote none of them. model-driven: another model would say otherwise. An "
        "interval is for a nominal 95 %."
    )
    return (
        Bullets(
            lines(
                "Begin with the verdict. A pass means that every limit is kept: limits that somebody chose, for the reason "
                "that stands below. No verdict means that nothing was judged; that is not a pass.",
                f"A record's risk is one over the number who are alike: in a {group} of 4 it is 1/4. A threshold of 1/11 means "
                f"that records in groups smaller than 11 are at risk.",
                f"Whether the {words.columns} are all that an attacker can know, nobody measured. They decide every figure.",
                "An average hides the few: look at the highest risk and at the records at risk too.",
                *([estimated] if has_estimates(result.population) else []),
                "A dash or “not measured” is not zero. The reason stands beside it.",
                "Nobody is found by this report: it holds counts. But counts can disclose too, so mind its first line.",
            )
        ),
    )
