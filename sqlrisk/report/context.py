"""How probable an attempt is, and what that makes of the risks: beside them, never in their place."""

from __future__ import annotations

from sqlrisk.errors import one_line
from sqlrisk.report.document import Block, Bullets, Paragraph, Table, line
from sqlrisk.report.figures import percent
from sqlrisk.result import Assessment

TITLE = "Attempts in context"
NEVER_INSTEAD = "Limits are judged on the risk itself, never on an adjusted figure."
_KINDS = {
    "deliberate": "Somebody tries on purpose",
    "acquaintance": "The recipient knows somebody in it",
    "breach": "The recipient loses the data",
    "public": "It is public, so somebody tries",
}


def context(result: Assessment) -> tuple[Block, ...]:
    """Each attempt with its probability, and each attacker's risk beside its product with it."""
    known = result.context
    assert known is not None
    rows = []
    for item in known.adjusted:
        attempt = next(one for one in known.attempts if one.kind == item.attempt)
        risk = getattr(result.attackers, item.attacker)
        highest = getattr(risk, "highest_risk", None)
        rows.append(
            (
                _KINDS[attempt.kind],
                percent(attempt.probability),
                item.attacker.capitalize(),
                *map(percent, (highest, item.highest_risk, risk.average_risk, item.average_risk)),
            )
        )
    header = ("Attempt", "Probability", "Attacker", "Highest risk", "adjusted", "Average risk", "adjusted")
    notes = [line(NEVER_INSTEAD), line(f"Where the probabilities are from: {one_line(known.justification)}")]
    notes += [
        line(
            f"At a prevalence of {percent(attempt.prevalence)}, somebody who knows {attempt.acquaintances:,} people knows one "
            f"of them with a probability of {percent(attempt.probability)}."
        )
        for attempt in known.attempts
        if attempt.prevalence is not None
    ]
    return (
        Paragraph(line("A risk holds once somebody tries. Times the probability that somebody does, it is smaller:")),
        Table(header, tuple(rows)),
        Bullets(tuple(notes)),
    )
