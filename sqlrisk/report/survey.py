"""Risk from survey weights, under its own name."""

from __future__ import annotations

from sqlrisk.report.document import Block, Bullets, Code, Facts, Line, line, lines
from sqlrisk.report.figures import PEOPLE, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Survey

TITLE = "Survey weights (Benedetti–Franconi)"
LOW = "Benedetti–Franconi risk is systematically low at small sampling fractions."
OWN_NAME = "It is computed from class sizes and their weights, and is neither the journalist's risk nor the marketer's."
HOUSEHOLD = "By household, the risk of a {} is that of anybody in its household being found."


def survey(found: Survey, words: Words) -> tuple[Block, ...]:
    """The weights, and the risk that they give."""
    rows: list[tuple[str, tuple[Line, ...]]] = [("Weight", (line(Code(found.weight)),))]
    if found.household is not None:
        rows.append(("Household", (line(Code(found.household)),)))
    rows.append(("Sum of the weights", lines(f"{PEOPLE.exactly(found.population)}, whom the weights stand for")))
    if found.weights_below_one:
        rows.append(("Weights below one", lines(words.unit.count(found.weights_below_one))))
    if found.global_risk is None and found.expected_reidentifications is None:
        why = words.reason(found.reason or "it could not be computed", f"under “{TITLE}”")
        return Facts((*rows, ("Risk", lines(f"not estimated, {why}")))), Bullets(lines(LOW, OWN_NAME))
    many = words.unit.many
    rows.append(("Global risk", lines(f"{percent(found.global_risk)}, the mean over {many}")))
    expected = words.unit.about(found.expected_reidentifications)
    rows.append(("Expected re-identifications", lines(expected)))
    rows.append(("Highest risk", lines(percent(found.highest_risk))))
    said = [LOW, OWN_NAME]
    if found.household_global_risk is not None or found.household_expected_reidentifications is not None:
        expected = words.unit.about(found.household_expected_reidentifications)
        rows.append(("By household", lines(f"global risk {percent(found.household_global_risk)}, {expected} expected")))
        said.append(HOUSEHOLD.format(words.unit.one))
    if found.reason:
        said.append(f"{found.reason}.")
    return Facts(tuple(rows)), Bullets(lines(*said))
