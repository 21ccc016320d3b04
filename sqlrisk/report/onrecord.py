"""What goes on record beside the figures: the policy's name and fingerprint, and the agreement that the release is for."""

from __future__ import annotations

from sqlrisk.errors import one_line
from sqlrisk.report.document import Block, Code, Facts, Line, line, lines
from sqlrisk.result import Assessment

TITLE = "On record"


def is_told(result: Assessment) -> bool:
    """Whether there is a policy by name, or an agreement."""
    policy = result.policy
    return policy is not None and (policy.name is not None or policy.agreement is not None)


def on_record(result: Assessment) -> tuple[Block, ...]:
    """The policy and the agreement."""
    policy = result.policy
    assert policy is not None
    rows: list[tuple[str, tuple[Line, ...]]] = []
    if policy.name is not None:
        rows.append(("Policy", (line(Code(policy.name)),)))
    rows.append(("Fingerprint", (line(Code(policy.fingerprint), ", of all that the policy decides"),)))
    agreed = policy.agreement
    if agreed is not None:
        for label, text in (
            ("Recipient", agreed.recipient),
            ("Purpose", agreed.purpose),
            ("Agreement", agreed.reference),
        ):
            if text:
                rows.append((label, lines(one_line(text))))
        if dates := validity(agreed.valid_from, agreed.valid_until):
            rows.append(("Valid", lines(dates)))
    return (Facts(tuple(rows)),)


def validity(first: object, last: object) -> str:
    """From when and until when, each a date or None; empty without either."""
    return " ".join(f"{word} {date}" for word, date in (("from", first), ("until", last)) if date)
