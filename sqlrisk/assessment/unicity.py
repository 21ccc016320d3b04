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
from sqlrisk.sql.points import Bounds, Draw, unicity_plan, worst_plan
from sqlrisk.sql.question import Question

MOST_POINTS = 4
TARGETS = 1000
_MOST_KNOWN = 12
_MOST_MATCHED = 300_000_000  # people who have the first point of a target, over all targets: gone through one by one
_MOST_SHARED = 50_000_000  # the same of every point of the targets whom their rarest point does not single out: held
_MOST_COMPARED = 30_000_000  # choices of points, over all targets and those who share them
_TOO_MANY = "there are {1:,} {0} to go through, above {2:,}: draw fewer targets"
_WORST = (1, 2, 3)

Fewest = dict[int, int]
"""Targets by the fewest people who fit."""


@dataclass(frozen=True)
class _Counted:
    """What came back of one definition of a point."""

    question: Question
    answers: dict[str, dict[str, Any]]
    worst: dict[int, Fewest | str]  # by points known; why not, where it is not measured

    @property
    def people(self) -> int:
        return int(self.answers["points"]["people"])

    @property
    def left_out(self) -> int:
        return int(self.answers["events"]["left_out"] or 0)

    @property
    def events(self) -> int:
        """Those that are measured."""
        return int(self.answers["events"]["events"]) - self.left_out

    @property
    def unconverted(self) -> dict[str, int]:
        return {
            item.column: lost
            for number, item in enumerate(self.question.release.keys, start=1)
            if (lost := int(self.answers["events"].get(f"unconverted_{number}") or 0))
        }


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
        part = Unicity(
            entity_id=run.asked.question.release.entity,
            people=first.people,
            targets=min(targets, first.people),
            seed=policy.seed,
            curves=[
                _curve(coarser, points, own, most) for (coarser, points), own in zip(definitions, counted, strict=True)
            ],
        )
        suppressed = int(first.answers["events"].get("suppressed") or 0)
        excluded = first.left_out - suppressed
        release = {
            "entity_id": part.entity_id,
            "nulls": policy.release.nulls,
            "entities": first.people,
            "excluded_records": excluded,
            "excluded_share": excluded / (first.events + excluded),
            "suppressed_records": suppressed,
            "unparseable": first.unconverted,
        }
        return run.result(first.events, unicity=part, release=release, warnings=_about_lost(counted))


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
    dialect, draw = run.asked.dialect, Draw(targets, policy.seed)
    fetched = run.fetch("matching points", unicity_plan(dialect, question, draw, most, _MOST_MATCHED))
    answers = {answer["arm"]: answer for answer in fetched if answer["arm"] != "rarest"}
    _refuse_unmeasurable(policy, question, answers)
    rarest = [answer for answer in fetched if answer["arm"] == "rarest"]
    worst: dict[int, Fewest | str] = {known: {} for known in _WORST if known <= most}
    for answer in rarest:
        _add(worst[1], answer)
    for known in worst.keys() - {1}:
        if number := _singled_out(rarest, known):
            worst[known][1] = number
    still = [answer for answer in rarest if int(answer["matches"]) > 1 and int(answer["points"]) > 1]
    counts = answers["points"]
    shared = sum(int(answer["matches"]) * int(answer["targets"]) for answer in still)
    beside = round(shared * int(counts["person_points"]) / int(counts["people"]))
    if beside > _MOST_MATCHED:
        reason = _TOO_MANY.format("points of people who share the rarest", beside, _MOST_MATCHED)
        worst |= dict.fromkeys(worst.keys() - {1}, reason)
    elif most > 1 and still:
        _search(run, question, draw, worst)
    return _Counted(question, answers, worst)


def _search(run: Session, question: Question, draw: Draw, worst: dict[int, Fewest | str]) -> None:
    """Complete the worst of two and of three points. Whom fewer points single out, more do too: the others are compared."""
    bounds, most = Bounds(_MOST_SHARED, _MOST_COMPARED), max(worst)
    fetched = run.fetch("finding the worst points", worst_plan(run.asked.dialect, question, draw, most, bounds))
    reason = None
    for known in range(2, most + 1):
        own = [answer for answer in fetched if int(answer["known"]) == known]
        # what is still to be compared hangs on what fewer points single out
        reason = reason or _why_not(own)
        if reason:
            worst[known] = reason
            continue
        found = [answer for answer in own if answer["arm"] == "worst"]
        for answer in found:
            _add(worst[known], answer)
        for more in range(known + 1, most + 1):
            if number := _singled_out(found, more):
                worst[more][1] = worst[more].get(1, 0) + number


def _why_not(answers: list[dict[str, Any]]) -> str | None:
    """Why the choices of so many points were not searched."""
    (cost,) = (answer for answer in answers if answer["arm"] == "cost")
    shared, choices = int(cost["shared"]), round(float(cost["choices"]))
    if shared > _MOST_SHARED:
        return _TOO_MANY.format("points shared with targets", shared, _MOST_SHARED)
    return _TOO_MANY.format("choices of points", choices, _MOST_COMPARED) if choices > _MOST_COMPARED else None


def _add(fewest: Fewest, answer: dict[str, Any]) -> None:
    matches = int(answer["matches"])
    fewest[matches] = fewest.get(matches, 0) + int(answer["targets"])


def _singled_out(answers: list[dict[str, Any]], known: int) -> int:
    """How many targets are the only one who fits already, and have ``known`` points."""
    return sum(
        int(answer["targets"]) for answer in answers if int(answer["matches"]) == 1 and int(answer["points"]) >= known
    )


def _about_lost(counted: list[_Counted]) -> list[str]:
    """What did not convert, in any of the curves, with ``--unparseable null``."""
    warnings = []
    for own in counted:
        for item in own.question.release.keys:
            if lost := own.unconverted.get(item.column):
                values = number_of(lost, "value", "values")
                warnings.append(f"{values} of `{item.column}` not convertible for {item.spec}: counted as missing")
    return list(dict.fromkeys(warnings))


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


def _curve(coarser: str | None, points: list[QuasiIdentifier], own: _Counted, most: int) -> Curve:
    found, people = own.answers["unicity"], own.people
    targets = int(found["targets"])
    return Curve(
        coarser=coarser,
        points=[item.spec for item in points],
        events=own.events,
        people=people,
        targets=targets,
        distinct_points=int(own.answers["points"]["points"]),
        points_of_people=int(own.answers["points"]["person_points"]),
        unicity=[_random(known, found, targets, people) for known in range(1, most + 1)],
        worst_case=[_worst(known, own, targets) for known in _WORST if known <= most],
    )


def _random(known: int, found: dict[str, Any], targets: int, people: int) -> UnicityAt:
    fewer, compared = int(found[f"fewer_{known}"] or 0), int(found["compared"])
    if known > 1 and compared > _MOST_MATCHED:
        reason = _TOO_MANY.format("people who share the first point with a target", compared, _MOST_MATCHED)
        nothing = dict.fromkeys(("unique", "share", "interval", "mean_risk"))
        return UnicityAt(known=known, fewer_points=fewer, reason=reason, **nothing)
    alone = int(found[f"alone_{known}"] or 0)
    return UnicityAt(
        known=known,
        unique=alone,
        share=alone / targets,
        interval=share_interval(alone, targets, people),
        fewer_points=fewer,
        mean_risk=float(found[f"risk_{known}"]) / targets,
    )


def _worst(known: int, own: _Counted, drawn: int) -> WorstPoints:
    nothing = dict.fromkeys(("targets", "unique", "share", "interval", "mean_risk"))
    fewest = own.worst[known]
    if isinstance(fewest, str):
        return WorstPoints(known=known, reason=fewest, **nothing)
    targets, alone = sum(fewest.values()), fewest.get(1, 0)
    if not targets:
        return WorstPoints(known=known, reason=f"no target has {known} different points", **nothing)
    # Where everybody is a target, so is everybody who has enough points.
    people = targets if drawn == own.people else own.people
    return WorstPoints(
        known=known,
        targets=targets,
        unique=alone,
        share=alone / targets,
        interval=share_interval(alone, targets, people),
        mean_risk=math.fsum(number / matches for matches, number in fewest.items()) / targets,
    )
