"""This release together with those before: what an attacker can do who has them all."""

from __future__ import annotations

from typing import Any

from sqlrisk.assessment.prepare import Asked, earlier_releases
from sqlrisk.class_sizes import ClassSizes, RecordSizes
from sqlrisk.errors import number_of
from sqlrisk.parts.composition import Composed, ComposedRelease, Composition, Linkable, Unlinkable
from sqlrisk.policy import Policy
from sqlrisk.sql.releases import Earlier, composition_plan
from sqlrisk.warehouse.base import Warehouse
from sqlrisk.warehouse.connect import Source

_PEOPLE = "people with several rows have no class of their own in each release; give views with one row a person"
_WILDCARD = "where a missing value matches anything, records do not fall into classes that could be compared"


def composition_of(policy: Policy, source: Source, warehouse: Warehouse, asked: Asked) -> Composition:
    """This release of ``policy`` together with its earlier ones; their tables and ids are looked up."""
    earlier = earlier_releases(policy, source, asked)
    described = [_described(item, policy, asked) for item in earlier]
    if policy.release.entity_id is not None or policy.release.nulls == "wildcard":
        reason = _PEOPLE if policy.release.entity_id is not None else _WILDCARD
        return Composition(releases=[ComposedRelease(records=0, **about) for about in described], reason=reason)
    plan = composition_plan(asked.dialect, asked.question, earlier, policy.release.sensitive_nulls == "ignore")
    rows = warehouse.fetch("measuring the releases together", asked.statement(plan, policy.guards.max_rows))
    answers = [dict(zip(plan.columns, row, strict=True)) for row in rows]
    counts = {int(answer["release_number"]): answer for answer in _arm(answers, "releases")}
    releases = [
        ComposedRelease(records=int(counts[number]["records"] or 0), **about)
        for number, about in enumerate(described, start=1)
    ]
    if (reason := _why_not(counts, releases)) is not None:
        return Composition(releases=releases, reason=reason)
    threshold = policy.threshold_of("prosecutor")
    sizes = ClassSizes((int(answer["size"]), int(answer["classes"])) for answer in _arm(answers, "linkable"))
    candidates = RecordSizes(
        (int(answer["candidates"]), int(answer["people"])) for answer in _arm(answers, "unlinkable")
    )
    linkable, unlinkable = sizes.prosecutor(threshold), candidates.prosecutor(threshold)
    names = [key.column for key in asked.question.release.sensitive]
    return Composition(
        releases=releases,
        threshold=threshold.text,
        linkable=Linkable(
            class_sizes=list(sizes.pairs),
            smallest_class=sizes.smallest,
            sample_uniques=sizes.sample_uniques,
            highest_risk=linkable.highest_risk,
            average_risk=linkable.average_risk,
            share_at_risk=linkable.share_at_risk,
        ),
        unlinkable=Unlinkable(
            candidates=list(candidates.pairs),
            smallest=candidates.smallest,
            alone=candidates.sample_uniques,
            share_at_risk=unlinkable.share_at_risk,
        ),
        sensitive={
            name: _composed(number, answers)
            for number, name in enumerate(names, start=1)
            if any(number in item.sensitive for item in earlier)
        },
    )


def _arm(answers: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [answer for answer in answers if answer["arm"] == f"composition_{name}"]


def _described(item: Earlier, policy: Policy, asked: Asked) -> dict[str, Any]:
    release = asked.question.release
    keys = [release.keys[at - 1].column for at in item.keys]
    sensitive = [release.sensitive[at - 1].column for at in item.sensitive]
    everything = [*(key.column for key in release.keys), *(key.column for key in release.sensitive)]
    return {
        "table": item.rows.relation.label,
        "link_id": item.link,
        "quasi_identifiers": keys,
        "sensitive": sensitive,
        "absent": [name for name in everything if name not in (*keys, *sensitive)],
    }


def _why_not(counts: dict[int, dict[str, Any]], releases: list[ComposedRelease]) -> str | None:
    """Why ids do not link: they must be given, and each be of one record."""
    for number, answer in sorted(counts.items()):
        where = "this release" if number == 0 else releases[number - 1].table
        if not int(answer["records"] or 0):
            return f"{where} has no record that is measured"
        if repeated := int(answer["repeated"] or 0):
            return f"{number_of(repeated, 'record', 'records')} of {where} have a link id that stands in several"
        if unlinked := int(answer["unlinked"] or 0):
            return f"{number_of(unlinked, 'record', 'records')} of {where} without a link id"
    return None


def _composed(number: int, answers: list[dict[str, Any]]) -> Composed:
    own = [answer for answer in _arm(answers, "sensitive") if int(answer["number"]) == number]
    left: dict[int, int] = {}
    for answer in own:
        values = int(answer["left_values"])
        left[values] = left.get(values, 0) + int(answer["people"])
    changed = sum(int(answer["people"]) for answer in own if not int(answer["same"]))
    invariance = [answer for answer in _arm(answers, "invariance") if int(answer["number"]) == number]
    repeated = sum(int(answer["repeated"] or 0) for answer in invariance)
    m = reason = None
    if repeated:
        reason = f"{number_of(repeated, 'record has', 'records have')} a value that another of the class has too"
    elif changed:
        reason = f"the classes of {number_of(changed, 'person', 'people')} have other values in another release"
    else:
        m = min((int(answer["smallest"]) for answer in invariance if answer["smallest"] is not None), default=None)
        reason = "every value is missing" if m is None else None
    return Composed(
        left=sorted(left.items()),
        disclosed=left.get(1, 0),
        inconsistent=left.get(0, 0),
        changed_signature=changed,
        m=m,
        reason=reason,
    )
