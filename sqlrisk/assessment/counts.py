"""The tagged rows of an answer, back as values: histograms, and how many records were left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlrisk.class_sizes import ClassSizes, JointRecordSizes, JointSizes, RecordSizes
from sqlrisk.sql.plan import Counting, Missing, Plan, Question
from sqlrisk.sql.survey import Survey


@dataclass(frozen=True)
class SurveyCounts:
    """What the survey weights say of the records measured: sums over them, and what is wrong with rows, by tally.

    Sums are None where no record has a weight, and that of the households where they were not asked for.
    """

    records: int
    population: float | None
    weights_below_one: int
    risk: float | None
    highest_risk: float | None
    household_risk: float | None
    faults: dict[str, int]


@dataclass(frozen=True)
class Counts:
    """What came back from the warehouse. ``records`` are those measured; the others are counted apart.

    ``unconverted`` is by the number of the quasi-identifier, from 1; ``entities`` is None where rows are counted.
    """

    sizes: ClassSizes | RecordSizes
    joint: JointSizes | JointRecordSizes | None
    records: int
    entities: int | None
    excluded: int
    suppressed: int
    missing: int
    unconverted: dict[int, int]
    population_unconverted: dict[int, int]
    unidentified: int
    population_unidentified: int
    survey: SurveyCounts | None = None


def read_counts(rows: Sequence[tuple], plan: Plan, question: Question) -> Counts:
    """Decode the rows of ``plan``'s answer to ``question``."""
    answers = [dict(zip(plan.columns, row, strict=True)) for row in rows]
    main = [answer for answer in answers if answer["arm"] in _MAIN_ARMS]
    register = [int(answer["people"]) for answer in answers if answer["arm"] == "population"]
    if question.counting is Counting.RECORDS:
        for answer in main:
            _complete(answer, question.missing)
    tallies = _tallies(main)
    suppressed = tallies["suppressed"]
    missing = tallies["partly_missing"] + tallies["wholly_missing"] - suppressed
    excluded = missing if question.missing is Missing.EXCLUDE else 0
    read = _read_distinct if question.counting is Counting.DISTINCT else _read_classes
    sizes, joint_sizes = read(main, "population_size" in plan.columns, register)
    return Counts(
        sizes=sizes,
        joint=joint_sizes,
        records=tallies["records"] - excluded - suppressed,
        entities=None if question.counting is Counting.RECORDS else sizes.records,
        excluded=excluded,
        suppressed=suppressed,
        missing=missing,
        unconverted=_numbered(tallies, "unconverted_"),
        population_unconverted=_numbered(tallies, "population_unconverted_"),
        unidentified=tallies["unidentified"],
        population_unidentified=tallies["population_unidentified"],
        survey=_survey(answers, tallies, question.release.survey),
    )


def _survey(answers: list[dict], tallies: Counter, asked: Survey | None) -> SurveyCounts | None:
    if asked is None:
        return None
    arms = {answer["arm"]: answer for answer in answers}
    weights, households = arms["survey"], arms.get("households")
    return SurveyCounts(
        records=int(weights["weighted"] or 0),
        population=_real(weights["weight"]),
        weights_below_one=int(weights["weights_below_one"] or 0),
        risk=_real(weights["risk"]),
        highest_risk=_real(weights["highest_risk"]),
        household_risk=_real(households["risk"]) if households else None,
        faults={name: tallies[name] for name in (*asked.row_flags, *asked.person_flags)},
    )


def _real(value: object) -> float | None:
    return None if value is None else float(value)


def _complete(answer: dict, missing: Missing) -> None:
    """Give an answer about records what those about people have."""
    records = int(answer["size"]) * int(answer["classes"])
    answer["records"] = records
    answer["partly_missing"] = records if answer["missing"] == 1 else 0
    answer["wholly_missing"] = records if answer["missing"] == 2 else 0
    answer["measured"] = 0 if missing is Missing.EXCLUDE and answer["missing"] > 0 else 1
    # The class without any key is one class, and holds the suppressed besides those of whom all is missing.
    answer["size"] -= answer.get("suppressed") or 0


def _read_classes(answers: list[dict], joint: bool, register: list[int]) -> tuple[ClassSizes, JointSizes | None]:
    sizes: Counter[int] = Counter()
    triples: Counter[tuple[int, int]] = Counter()
    for answer in answers:
        if not answer["measured"]:
            continue
        size, classes = int(answer["size"]), int(answer["classes"])
        if size:
            sizes[size] += classes
        # The class of suppressed records is neither the release's nor, maybe, the population's.
        if joint and (size or answer["population_size"]):
            triples[size, int(answer["population_size"])] += classes
    if not joint:
        return ClassSizes(sizes), None
    listed = tuple((s, f, classes) for (s, f), classes in sorted(triples.items()))
    population = register[0] if register else sum(f * classes for _, f, classes in listed)
    return ClassSizes(sizes), JointSizes(listed, population)


def _read_distinct(
    answers: list[dict], joint: bool, register: list[int]
) -> tuple[RecordSizes, JointRecordSizes | None]:
    own = [answer for answer in answers if answer["size"] is not None and answer.get("in_release", 1) == 1]
    sizes: Counter[int] = Counter()
    triples: Counter[tuple[int, int]] = Counter()
    for answer in own:
        size, people = int(answer["size"]), int(answer["people"])
        sizes[size] += people
        if joint:
            triples[size, int(answer["population_size"])] += people
    if not joint:
        return RecordSizes(sizes), None
    listed = tuple((s, f, people) for (s, f), people in sorted(triples.items()))
    population = register[0] if register else sum(int(answer["population_people"] or 0) for answer in answers)
    absent, fewer = (sum(int(answer[name]) for answer in own) for name in ("absent", "fewer"))
    return RecordSizes(sizes), JointRecordSizes(listed, population, absent, fewer)


_MAIN_ARMS = ("class_sizes", "record_sizes")
_NO_TALLIES = {
    "arm",
    "size",
    "population_size",
    "missing",
    "measured",
    "classes",
    "people",
    "absent",
    "fewer",
    "in_release",
    "weighted",
    "weight",
    "weights_below_one",
    "risk",
    "highest_risk",
}


def _tallies(answers: list[dict]) -> Counter:
    total: Counter[str] = Counter()
    for answer in answers:
        for name, value in answer.items():
            if name not in _NO_TALLIES and value is not None:
                total[name] += int(value)
    return total


def _numbered(tallies: Counter, prefix: str) -> dict[int, int]:
    return {int(name.removeprefix(prefix)): count for name, count in tallies.items() if name.startswith(prefix)}
