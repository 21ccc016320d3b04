"""How risk grows with what the attacker knows: the procedure of ``sqlrisk sweep``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlrisk.assessment.assess import Session, measure_asked, session
from sqlrisk.errors import MeasurementError, RequestError, number_of
from sqlrisk.parts.subsets import AtSize, Contribution, Known, Subset, Sweep
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment
from sqlrisk.risk import knowledge
from sqlrisk.risk.knowledge import Batch, Numbers, SubsetRisk
from sqlrisk.sql.subsets import RollUp, mask_of, subsets_plan

MOST_COLUMNS = 12
"""Up to so many quasi-identifiers every subset is measured, unless told otherwise."""
MOST_SUBSETS = 20_000
_MOST_ROWS = 30_000_000  # classes that one statement groups, over all of its subsets


def sweep(policy: Policy, source: Any, label: str = "") -> Assessment:
    """Measure ``source`` under ``policy``, and every subset of its quasi-identifiers up to a size.

    :class:`RequestError` when the request is wrong, :class:`MeasurementError` when it could not be measured.
    """
    most = _most_known(policy)
    refuse_unsuitable(policy, "sweep")
    with session(policy, source, label) as run:
        result = measure_asked(policy, run.warehouse, run.asked)
        risks, statements = _risks(policy, run, result, most)
        update: dict[str, Any] = _parts(policy, result, risks, most, statements)
        if policy.sweep.minimal_uniques:
            from sqlrisk.assessment.minimal_uniques import minimal_uniques_of

            update["minimal_uniques"] = minimal_uniques_of(run, result, most)
        return run.finished(result.model_copy(update=update))


def refuse_unsuitable(policy: Policy, command: str) -> None:
    """Refuse what subsets of records are not counted for."""
    if policy.release.nulls == "wildcard":
        raise RequestError(
            f"--nulls wildcard: {command} compares records by subsets of their columns, and where a missing value matches "
            "anything they do not fall into classes",
            "use value or exclude",
        )
    if policy.release.entity_id is not None:
        raise RequestError(
            f"--entity-id: {command} counts records, not people", "give a view with one row a person, or leave it out"
        )


def _most_known(policy: Policy) -> int:
    columns = len(policy.release.quasi_identifiers)
    if not columns:
        return 0  # refused with the rest of the request
    given = policy.sweep.max_known
    if given is None and columns > MOST_COLUMNS:
        raise RequestError(
            f"{columns} quasi-identifiers have {2**columns - 1:,} subsets",
            "say with --max-known how many an attacker knows at most",
        )
    most = min(given or columns, columns)
    if (number := knowledge.count_of_subsets(columns, most)) > MOST_SUBSETS:
        raise RequestError(
            f"--max-known {most}: {columns} quasi-identifiers have {number:,} such subsets, above {MOST_SUBSETS:,}",
            "lower it, or name fewer quasi-identifiers",
        )
    return most


def _risks(policy: Policy, run: Session, result: Assessment, most: int) -> tuple[dict[Numbers, SubsetRisk], int]:
    columns = len(policy.release.quasi_identifiers)
    wanted = list(knowledge.subsets(columns, most))
    whole = tuple(range(1, columns + 1))
    singles = [subset for subset in wanted if len(subset) == 1]
    found = fetched(policy, run, [Batch(((whole, tuple(singles)),))])
    distinct = {numbers[0]: risk.classes for numbers, risk in found.items()}
    rest = [subset for subset in wanted if len(subset) > 1]
    planned = knowledge.batches(rest, distinct, result.classes, _MOST_ROWS)
    found |= fetched(policy, run, planned)
    if any(risk.records != result.release.records for risk in found.values()):
        raise MeasurementError("the release changed while it was measured", "measure it when nothing writes to it")
    return {subset: found[subset] for subset in wanted}, 1 + len(planned)


def fetched(policy: Policy, run: Session, planned: Sequence[Batch]) -> dict[Numbers, SubsetRisk]:
    """The figures of the subsets of each batch."""
    found: dict[Numbers, SubsetRisk] = {}
    threshold = policy.threshold_of("prosecutor")
    for at, batch in enumerate(planned, start=1):
        roll_ups = [RollUp(parent, subsets) for parent, subsets in batch.roll_ups]
        asked_for = {mask_of(subset): subset for roll_up in roll_ups for subset in roll_up.subsets}
        plan = subsets_plan(run.asked.dialect, run.asked.question, roll_ups, threshold.smaller_than)
        purpose = f"measuring {number_of(len(asked_for), 'subset', 'subsets')} ({at} of {len(planned)})"
        for answer in run.fetch(purpose, plan):
            del answer["arm"]
            subset = asked_for[int(answer.pop("subset"))]
            found[subset] = SubsetRisk(**{name: int(value) for name, value in answer.items()})
    return found


def _parts(
    policy: Policy, result: Assessment, risks: dict[Numbers, SubsetRisk], most: int, statements: int
) -> dict[str, Any]:
    names = [item.column for item in result.release.quasi_identifiers]
    threshold = policy.threshold_of("prosecutor")
    empty = knowledge.nothing_known(result.release.records, threshold.smaller_than)

    def named(numbers: Numbers) -> list[str]:
        return [names[number - 1] for number in numbers]

    def at_size(found: knowledge.OfSize) -> AtSize:
        return AtSize(mean=found.mean, worst=found.worst, worst_columns=named(found.worst_subset))

    added = knowledge.contributions(risks, len(names), empty)
    return {
        "subsets": [
            Subset(
                columns=named(subset),
                records=risk.records,
                classes=risk.classes,
                sample_uniques=risk.sample_uniques,
                distinction=risk.average_risk,
                separation=risk.separation,
                average_risk=risk.average_risk,
                share_at_risk=risk.share_at_risk,
            )
            for subset, risk in risks.items()
        ],
        "sweep": Sweep(
            max_known=most,
            threshold=threshold.text,
            subsets=len(risks),
            statements=statements,
            by_size=[
                Known(
                    known=size,
                    subsets=sum(len(subset) == size for subset in risks),
                    **{measure: at_size(value) for measure, value in found.items()},
                )
                for size, found in knowledge.by_size(risks).items()
            ],
            contributions=[Contribution(column=names[number - 1], **values) for number, values in added.items()],
        ),
    }
