"""Survey weights of an assessment: what is refused, what is warned about, and the result's part."""

from __future__ import annotations

from sqlrisk.assessment.counts import Counts
from sqlrisk.assessment.prepare import Prepared
from sqlrisk.errors import MeasurementError, number_of
from sqlrisk.policy import Policy
from sqlrisk.result import Survey

_LEAVE_OUT = "leave them out with --where"
_ONE_EACH = "a person has one {}: correct their rows, or measure rows (without --entity-id)"
# What can be wrong, in the order of its telling: one, several, what of them, and what to do.
_FAULTS = {
    "weight_missing": ("row", "rows", "of the release without a weight ({weight})", _LEAVE_OUT),
    "weight_unconverted": (
        *("value", "values", "of the weight {weight} not convertible to a number"),
        f"correct them, or {_LEAVE_OUT}",
    ),
    "weight_not_positive": (
        *("row", "rows", "of the release with a weight ({weight}) of zero or below, which stands for nobody"),
        _LEAVE_OUT,
    ),
    "weight_not_finite": (
        *("row", "rows", "of the release with a weight ({weight}) that is not a finite number, or above 1e15"),
        _LEAVE_OUT,
    ),
    "household_missing": (
        *("row", "rows", "of the release without a household ({household}): who lives together is not known"),
        f"{_LEAVE_OUT}, or give each a household of its own",
    ),
    "weights_differ": ("person", "people", "with rows of different weights ({weight})", _ONE_EACH.format("weight")),
    "households_differ": (
        *("person", "people", "with rows of different households ({household})"),
        _ONE_EACH.format("household"),
    ),
}


def refuse_unusable(policy: Policy, prepared: Prepared, counts: Counts) -> None:
    """End with exit code 3 where a record's weight or household cannot be used: left in silence, it would change every
    figure of its class."""
    survey = prepared.question.release.survey
    if survey is None or counts.survey is None:
        return
    faults = dict(counts.survey.faults)
    if policy.release.unparseable == "null":
        faults["weight_missing"] += faults.pop("weight_unconverted")
    names = {
        "weight": f"`{survey.weight.name}`",
        "household": f"`{survey.household.name}`" if survey.household else "",
    }
    for fault, (one, many, of_them, remedy) in _FAULTS.items():
        if count := faults.get(fault, 0):
            raise MeasurementError(f"{number_of(count, one, many)} {of_them.format(**names)}", remedy)


def survey_of(prepared: Prepared, counts: Counts) -> Survey | None:
    """The risk that the weights give; None where they were not asked for."""
    asked, found = prepared.question.release.survey, counts.survey
    if asked is None or found is None:
        return None
    return Survey(
        weight=asked.weight.name,
        household=asked.household.name if asked.household else None,
        population=found.population,
        weights_below_one=found.weights_below_one,
        global_risk=found.risk / found.records,
        expected_reidentifications=found.risk,
        highest_risk=found.highest_risk,
        household_global_risk=None if found.household_risk is None else found.household_risk / found.records,
        household_expected_reidentifications=found.household_risk,
    )


def about_weights(counts: Counts) -> list[str]:
    """The warnings."""
    found = counts.survey
    if found is None or not found.weights_below_one:
        return []
    unit = ("record", "records") if counts.entities is None else ("person", "people")
    return [
        f"{number_of(found.weights_below_one, *unit)} with a weight below 1, which says how many people "
        "one stands for: were the weights rescaled? A class counts as at least as many people as it has in the release"
    ]
