"""Sensitive columns of an assessment: what is refused, what is warned about, and the result's part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sqlrisk.assessment.estimated import no_classes
from sqlrisk.errors import MeasurementError, number_of
from sqlrisk.policy import Policy
from sqlrisk.result import Mismatch, SensitiveColumn

if TYPE_CHECKING:  # `sqlrisk estimate` has no use for the SQL
    from sqlrisk.assessment.counts import Counts, SensitiveCounts
    from sqlrisk.assessment.prepare import Prepared

_UNATTAINABLE = "unattainable: some value's gain (q-p)/p is above -ln p in a class, whatever beta (Cao & Karras 2012)"
_NOTHING = (
    "values",
    "missing",
    "l_distinct",
    "l_entropy",
    "recursive_c",
    "alpha",
    "t_closeness",
    "basic_beta",
    "enhanced_beta",
    "delta_disclosure",
    "delta_disclosure_present_only",
    "classes_below_l",
    "records_below_l",
)


def refuse_unconverted(policy: Policy, prepared: Prepared, counts: Counts) -> None:
    """End with exit code 3 where values could not be compared as was asked."""
    if policy.release.unparseable == "null":
        return
    for number, count in counts.sensitive_unconverted.items():
        item = prepared.question.release.sensitive[number - 1]
        if not count:
            continue
        what = f"{number_of(count, 'value', 'values')} of the sensitive column `{item.column}` not"
        if item.compared.order:
            raise MeasurementError(
                f"{what} in its order", "add them to it, or count them as missing with --unparseable null"
            )
        if item.must_match:
            raise MeasurementError(
                f"{what} in its map", "add them to it, or give the rest a group of its own with :else=Other"
            )
        raise MeasurementError(f"{what} a number", "correct them, or count them as missing with --unparseable null")


def sensitive_of(policy: Policy, prepared: Prepared, counts: Counts) -> dict[str, SensitiveColumn] | None:
    """What each column's classes give away; None where none was asked for."""
    asked = policy.release.sensitive
    if not asked:
        return None
    if not counts.sensitive:
        return nothing_of_sensitive(policy, no_classes(policy))
    keys = prepared.question.release.sensitive
    by_record = policy.release.nulls == "wildcard"
    return {
        key.column: _column(policy, key.compared.spec, found, counts.sizes.records, by_record)
        for key, found in zip(keys, counts.sensitive, strict=True)
    }


def nothing_of_sensitive(policy: Policy, reason: str) -> dict[str, SensitiveColumn] | None:
    """The same where nothing is known of the columns, for ``reason``."""
    asked = policy.release.sensitive
    return {item.column: _unknown(policy, item.spec, reason) for item in asked} if asked else None


def reasons_of_sensitive(sensitive: dict[str, SensitiveColumn] | None) -> dict[str, str]:
    """Why a measure is None in a column that has the others."""
    return {
        f"sensitive.{column}.enhanced_beta": _UNATTAINABLE
        for column, found in (sensitive or {}).items()
        if found.enhanced_beta is None and found.basic_beta is not None
    }


def about_sensitive(policy: Policy, prepared: Prepared, counts: Counts) -> list[str]:
    """The warnings."""
    warnings = []
    for number, (key, found) in enumerate(
        zip(prepared.question.release.sensitive, counts.sensitive, strict=False), start=1
    ):
        if lost := counts.sensitive_unconverted.get(number, 0):
            values = number_of(lost, "value", "values")
            warnings.append(f"{values} of the sensitive column `{key.column}` not convertible: counted as missing")
        if found.missing and key.is_ordered and policy.release.sensitive_nulls == "value":
            warnings.append(
                f"a missing value of `{key.column}` stands before all others in its order; --sensitive-nulls ignore leaves "
                "missing values out"
            )
        without = counts.sizes.records - sum(records for _, _, records in found.by_l)
        if without:
            unit = ("record", "records") if counts.entities is None else ("person", "people")
            warnings.append(
                f"{number_of(without, *unit)} in classes without any value of `{key.column}`: no measure of it is about "
                "them"
            )
    return warnings


def _unknown(policy: Policy, spec: str, reason: str) -> SensitiveColumn:
    return SensitiveColumn(**dict.fromkeys(_NOTHING), **_asked(policy, spec), l_histogram=[], reason=reason)


def _asked(policy: Policy, spec: str) -> dict:
    return {
        "compared": spec,
        "nulls": policy.release.sensitive_nulls,
        "recursive_l": policy.limits.recursive_l or 2,
        "below_l": policy.limits.min_l or 2,
    }


def _column(policy: Policy, spec: str, found: SensitiveCounts, records: int, by_record: bool) -> SensitiveColumn:
    if not found.by_l:
        nothing = _unknown(policy, spec, "every value is missing, and missing values are ignored")
        known = {"values": found.values, "missing": found.missing, "without_value": records}
        return nothing.model_copy(update=known)
    asked, worst = _asked(policy, spec), found.worst
    below = [(classes, count) for number, classes, count in found.by_l if number < asked["below_l"]]
    classes = None if by_record else sum(number for number, _ in below)
    return SensitiveColumn(
        **asked,
        values=found.values,
        missing=found.missing,
        without_value=records - sum(count for _, _, count in found.by_l),
        l_distinct=found.by_l[0][0],
        l_entropy=worst["l_entropy"],
        recursive_c=math.inf if worst["unbounded"] else worst["recursive_c"],
        alpha=worst["alpha"],
        t_closeness=worst["t_closeness"],
        basic_beta=worst["basic_beta"],
        enhanced_beta=None if worst["unattainable"] else worst["basic_beta"],
        delta_disclosure=math.inf if worst["absent"] else worst["delta_present"],
        delta_disclosure_present_only=worst["delta_present"],
        l_histogram=[(distinct, None if by_record else number, count) for distinct, number, count in found.by_l],
        classes_below_l=classes,
        records_below_l=sum(count for _, count in below),
        beyond={
            measure: Mismatch(classes=None if by_record else number, records=count)
            for measure, (number, count) in found.beyond.items()
        },
    )
