"""What single columns look like: the procedure of ``sqlrisk columns``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlrisk.assessment.assess import Session, session
from sqlrisk.assessment.modelled import refuse_lost
from sqlrisk.assessment.prepare import columns_of_release
from sqlrisk.assessment.safe_harbor import SafeHarborCheck
from sqlrisk.errors import MeasurementError, RequestError, number_of
from sqlrisk.generalisations import QuasiIdentifier
from sqlrisk.hints import SHAPES, hint
from sqlrisk.parts.columns import ColumnHint, ColumnProfile
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment
from sqlrisk.sql.columns import AskedOfColumn, columns_plan
from sqlrisk.sql.quasi_identifier import Generalised
from sqlrisk.sql.relation import Column, Kind
from sqlrisk.warehouse.connect import Source

# Measurements and times are often different for each record, and are nobody's number.
_COUNTABLE = {Kind.TEXT, Kind.INTEGER, Kind.OTHER}


def columns(policy: Policy, source: Any, label: str = "") -> Assessment:
    """Look at each column of ``source`` (or each quasi-identifier of ``policy``) by itself.

    :class:`RequestError` when the request is wrong, :class:`MeasurementError` when it could not be measured.
    """
    check = SafeHarborCheck.of(policy) if policy.columns.safe_harbor else None
    if policy.columns.zip3 is not None and check is None:
        raise RequestError("--zip3 is for the HIPAA column check", "give --safe-harbor too")
    refused: list[Column] = []

    def complete(given: Policy, opened: Source) -> Policy:
        own = {"nulls": "value", "entity_id": None, "sensitive": [], "weight": None, "household": None, "previous": []}
        if not given.release.quasi_identifiers:
            found = columns_of_release(given, opened)
            refused.extend(column for column in found if column.kind is Kind.UNGROUPABLE)
            own["quasi_identifiers"] = [QuasiIdentifier(item.name) for item in found if item not in refused]
            if not own["quasi_identifiers"]:
                raise RequestError(
                    "no column of the release can be grouped", "give a view, or a --query, of their parts"
                )
        release = given.release.model_copy(update=own)
        # It is about single columns: a population, and limits, are for assess.
        return given.model_copy(update={"release": release, "population": Policy().population})

    with session(policy, source, label, complete) as run:
        keys = run.asked.question.release.keys
        asked = [check.asked(item) if check else AskedOfColumn() for item in keys]
        shaped = [replace(item, shapes={**SHAPES, **item.shapes}) for item in asked]
        reread = run.warehouse.rereads(run.asked.question.release.relation)
        plan = columns_plan(run.asked.dialect, run.asked.question, shaped, reread)
        answers = sorted(run.fetch("looking at the columns", plan), key=lambda answer: int(answer["number"]))
        counts = [
            {name: int(answer[name] or 0) for name in plan.columns if name not in ("arm", "number")}
            for answer in answers
        ]
        records = counts[0]["records"]
        if records == 0:
            raise MeasurementError(
                "the release is empty: there is no record to look at", "check --where, or that it was loaded"
            )
        lost = _lost(run, counts)
        profiles = [_profile(item, own) for item, own in zip(keys, counts, strict=True)]
        profiles += [_refused(column) for column in refused]
        parts: dict[str, Any] = {"columns": profiles, **lost}
        if check:
            parts["safe_harbor"] = check.result(keys, counts, profiles)
        return run.result(records, **parts)


def _lost(run: Session, counts: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """Values that did not convert, which end the run unless they are to count as missing: what the result says of them."""
    fallible = {
        item.column: (item, own["lost"])
        for item, own in zip(run.asked.question.release.keys, counts, strict=True)
        if item.may_fail
    }
    for item, count in fallible.values():
        refuse_lost(run.policy, item, count, "the release")
    warnings = [
        f"{number_of(count, 'value', 'values')} of `{name}` not convertible for {item.spec}: counted as missing"
        for name, (item, count) in fallible.items()
        if count
    ]
    return {"release": {"unparseable": {name: count for name, (_, count) in fallible.items()}}, "warnings": warnings}


def _profile(item: Generalised, counts: dict[str, int]) -> ColumnProfile:
    n, missing, distinct = counts["records"], counts["missing"], counts["distinct_values"]
    present = n - missing
    shapes = {name: counts[f"shape_{name}"] / present for name in SHAPES if present and item.kind is Kind.TEXT}
    found = hint(
        item.column,
        records=n,
        missing=missing,
        distinct=distinct,
        shapes=shapes,
        countable=item.kind in _COUNTABLE and item.spec is None,
    )
    return ColumnProfile(
        column=item.column,
        type=item.type_name,
        kind=item.kind.value,
        generalisation=item.spec,
        records=n,
        missing=missing,
        distinct=distinct,
        distinction=(distinct + (1 if missing else 0)) / n,
        separation=(n * n - counts["squares"]) / (n * (n - 1)) if n > 1 else None,
        unique_records=counts["unique_values"],
        largest_share=counts["largest"] / n,
        shapes=shapes,
        hint=None if found is None else ColumnHint(kind=found.kind, reason=found.reason, by=found.by),
        reason="one record has nothing to be separated from" if n == 1 else None,
    )


def _refused(column: Column) -> ColumnProfile:
    figures = ("records", "missing", "distinct", "distinction", "separation", "unique_records", "largest_share")
    leaves = f"; use a part of it: {', '.join(column.leaves[:6])}" if column.leaves else ""
    return ColumnProfile(
        column=column.name,
        type=column.type_name,
        kind=column.kind.value,
        reason=f"values of the type {column.type_name} cannot be grouped{leaves}",
        **dict.fromkeys(figures),
    )
