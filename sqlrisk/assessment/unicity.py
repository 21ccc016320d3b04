"""How few points single people out, in longitudinal data: the procedure of ``sqlrisk attack --points``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from sqlrisk.assessment.assess import Session, session
from sqlrisk.assessment.prepare import ask
from sqlrisk.errors import MeasurementError, RequestError, nearest, number_of
from sqlrisk.generalisations import QuasiIdentifier
from sqlrisk.parts.unicity import Curve, Unicity, UnicityAt, WorstPoints
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment
from sqlrisk.risk.linkage import share_interval
from sqlrisk.sql.points import unicity_plan, worst_plan
from sqlrisk.sql.question import Question

MOST_POINTS = 4
TARGETS = 1000
_MOST_KNOWN = 12
_MOST_COMPARED = 100_000_000  # choices of points, over all targets and those who share them
_WORST = (1, 2, 3)


@dataclass(frozen=True)
class _Counted:
    """What came back of one definition of a point."""

    question: Question
    answers: dict[str, dict[str, Any]]
    worst: dict[int, dict[int, int]]  # by points known: targets by the fewest people who fit


def unicity(policy: Policy, source: Any, label: str = "") -> Assessment:
    """Draw targets among the people of ``source``, and count who else has a few of their points.

    :class:`RequestError` when the request is wrong, :class:`MeasurementError` when it could not be measured.
    """
    most = _check(policy)
    definitions = [
        (None, _points_of(policy, None)),
        *((text, _points_of(policy, text)) for text in policy.attack.coarser),
    ]
    targets = policy.attack.targets or TARGETS
    with session(policy, source, label, lambda given, _: _of_points(given, definitions[0][1])) as run:
        counted = []
        for coarser, points in definitions:
            asked = run.asked if coarser is None else ask(_of_points(policy, points), run.opened)
            counted.append(_count(run, asked.question, policy, targets, most))
        first = counted[0]
        people, events = int(first.answers["points"]["people"] or 0), first.answers["events"]
        drawn = min(targets, people)
        part = Unicity(
            entity_id=run.asked.question.release.entity,
            people=people,
            targets=drawn,
            seed=policy.seed,
            curves=[
                _curve(coarser, points, own, people, most)
                for (coarser, points), own in zip(definitions, counted, strict=True)
            ],
        )
        left_out = int(events["left_out"] or 0)
        release = {
            "entity_id": run.asked.question.release.entity,
            "nulls": policy.release.nulls,
            "entities": people,
            "excluded_records": left_out,
            "excluded_share": left_out / int(events["events"]),
        }
        return run.result(int(events["events"]) - left_out, unicity=part, release=release)


def _check(policy: Policy) -> int:
    """Refuse, before anything is opened, what points are not measured with; the most points known."""
    attack = policy.attack
    if policy.release.entity_id is None:
        raise RequestError("--points are those of people, and whose an event is is not known", "give --entity-id")
    for given, option in (
        (attack.known, "--known"),
        (attack.known_columns, "--known-columns"),
        (attack.worst, "--worst"),
        (attack.tolerance, "--tolerance"),
        (attack.noise, "--noise"),
        (attack.truth_id, "--truth-id"),
        (policy.population.table, "--population-table"),
    ):
        if given:
            raise RequestError(
                f"{option} is about one row a person, and --points are about several", "leave out one of them"
            )
    if policy.release.nulls == "wildcard":
        raise RequestError(
            "--nulls wildcard: points with a missing part match each other or nothing", "use value or exclude"
        )
    most = attack.max_points or MOST_POINTS
    if most > _MOST_KNOWN:
        raise RequestError(f"--max-points {most} is above {_MOST_KNOWN}", "ask about fewer points")
    return most


def _points_of(policy: Policy, coarser: str | None) -> list[QuasiIdentifier]:
    """The columns of a point, generalised as asked; ``coarser`` says otherwise for some of them."""
    given = {item.column: item for item in policy.release.quasi_identifiers}
    if stray := set(given) - set(policy.attack.points):
        raise RequestError(
            f"`{min(stray)}` is a quasi-identifier and no column of --points", nearest(min(stray), policy.attack.points)
        )
    found = {column: given.get(column, QuasiIdentifier(column)) for column in policy.attack.points}
    for text in (coarser or "").split(",") if coarser else ():
        item = QuasiIdentifier.parse(text.strip())
        if item.column not in found:
            raise RequestError(
                f"--coarser: `{item.column}` is no column of --points", nearest(item.column, policy.attack.points)
            )
        found[item.column] = item
    return list(found.values())


def _of_points(policy: Policy, points: list[QuasiIdentifier]) -> Policy:
    own = {"quasi_identifiers": points, "sensitive": [], "weight": None, "household": None, "previous": []}
    release = policy.release.model_copy(update=own)
    return policy.model_copy(update={"release": release, "population": Policy().population})


def _count(run: Session, question: Question, policy: Policy, targets: int, most: int) -> _Counted:
    dialect = run.asked.dialect
    plan = unicity_plan(dialect, question, targets, most, policy.seed)
    answers = {answer["arm"]: answer for answer in run.fetch("matching points", plan)}
    _refuse_unmeasurable(policy, question, answers)
    cost = answers["worst_cost"]
    choices = {1: 0.0, 2: float(cost["pairs"] or 0), 3: float(cost["triples"] or 0)}
    known = [number for number in _WORST if number <= most and choices[number] <= _MOST_COMPARED]
    worst: dict[int, dict[int, int]] = {number: {} for number in known}
    for answer in run.fetch("finding the worst points", worst_plan(dialect, question, targets, known, policy.seed)):
        worst[int(answer["known"])][int(answer["matches"])] = int(answer["targets"])
    return _Counted(question, answers, worst)


def _refuse_unmeasurable(policy: Policy, question: Question, answers: dict[str, dict[str, Any]]) -> None:
    events = answers["events"]
    for number, item in enumerate(question.release.keys, start=1):
        lost = int(events.get(f"unconverted_{number}") or 0)
        if lost and policy.release.unparseable == "error":
            raise MeasurementError(
                f"{number_of(lost, 'value', 'values')} of `{item.column}` not convertible for {item.spec}",
                "correct them, or count them as missing with --unparseable null",
            )
    if unidentified := int(events.get("unidentified") or 0):
        raise MeasurementError(
            f"{number_of(unidentified, 'event', 'events')} without `{question.release.entity}`: whose they are is not known",
            "leave them out with --where, or give them an id",
        )
    if not int(answers["points"]["people"] or 0):
        raise MeasurementError(
            "the release is empty: there is no event to measure", "check --where, or that it was loaded"
        )


def _curve(coarser: str | None, points: list[QuasiIdentifier], own: _Counted, people: int, most: int) -> Curve:
    found = own.answers["unicity"]
    targets = int(found["targets"])
    random = []
    for known in range(1, most + 1):
        alone = int(found[f"alone_{known}"] or 0)
        random.append(
            UnicityAt(
                known=known,
                unique=alone,
                share=alone / targets,
                interval=share_interval(alone, targets, people),
                fewer_points=int(found[f"fewer_{known}"] or 0),
                mean_risk=float(found[f"risk_{known}"]) / targets,
            )
        )
    return Curve(
        coarser=coarser,
        points=[item.spec for item in points],
        distinct_points=int(own.answers["points"]["points"]),
        points_of_people=int(own.answers["points"]["person_points"]),
        unicity=random,
        worst_case=[_worst(number, own, people) for number in _WORST if number <= most],
    )


def _worst(known: int, own: _Counted, people: int) -> WorstPoints:
    nothing = dict.fromkeys(("targets", "unique", "share", "interval", "mean_risk"))
    if known not in own.worst:
        reason = f"there are more than {_MOST_COMPARED:,} choices of {known} points to compare; draw fewer targets"
        return WorstPoints(known=known, reason=reason, **nothing)
    fewest = own.worst[known]
    targets, alone = sum(fewest.values()), fewest.get(1, 0)
    if not targets:
        return WorstPoints(known=known, reason=f"no target has {known} different points", **nothing)
    return WorstPoints(
        known=known,
        targets=targets,
        unique=alone,
        share=alone / targets,
        interval=share_interval(alone, targets, people),
        mean_risk=math.fsum(number / matches for matches, number in fewest.items()) / targets,
    )
