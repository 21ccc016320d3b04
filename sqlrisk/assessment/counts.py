"""The tagged rows of an answer, back as values: histograms, and how many records were left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlrisk.class_sizes import ClassSizes, JointRecordSizes, JointSizes, RecordSizes
from sqlrisk.sql.plan import Counting, Missing, Plan, Question


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


def read_counts(rows: Sequence[tuple], plan: Plan, question: Question) -> Counts:
    """Decode the rows of ``plan``'s answer to ``question``."""
    counting, missing, drop_wholly_missing = question.counting, question.missing, question.drop_wholly_missing
    answers = [dict(zip(plan.columns, row, strict=True)) for row in rows]
    main = [answer for answer in answers if answer["arm"] != "population"]
    register = [int(answer["people"]) for answer in answers if answer["arm"] == "population"]
    if counting is Counting.RECORDS:
        for answer in main:
            records = int(answer["size"]) * int(answer["classes"])
            answer["records"] = records
            answer["partly_missing"] = records if answer["missing"] == 1 else 0
            answer["wholly_missing"] = records if answer["missing"] == 2 else 0
            left_out = missing is Missing.EXCLUDE and answer["missing"] > 0
            answer["measured"] = 0 if left_out or (drop_wholly_missing and answer["missing"] == 2) else 1
    tallies = _tallies(main)
    excluded = tallies["partly_missing"] if missing is Missing.EXCLUDE else 0
    if missing is Missing.EXCLUDE and not drop_wholly_missing:
        excluded += tallies["wholly_missing"]
    suppressed = tallies["wholly_missing"] if drop_wholly_missing else 0
    joint = "population_size" in plan.columns
    read = _read_distinct if counting is Counting.DISTINCT else _read_classes
    sizes, joint_sizes = read(main, joint, register, tallies)
    return Counts(
        sizes=sizes,
        joint=joint_sizes,
        records=tallies["records"] - excluded - suppressed,
        entities=None if counting is Counting.RECORDS else sizes.records,
        excluded=excluded,
        suppressed=suppressed,
        missing=tallies["partly_missing"] + (0 if drop_wholly_missing else tallies["wholly_missing"]),
        unconverted=_numbered(tallies, "unconverted_"),
        population_unconverted=_numbered(tallies, "population_unconverted_"),
        unidentified=tallies["unidentified"],
        population_unidentified=tallies["population_unidentified"],
    )


def _read_classes(
    answers: list[dict], joint: bool, register: list[int], tallies: Counter
) -> tuple[ClassSizes, JointSizes | None]:
    sizes: Counter[int] = Counter()
    triples: Counter[tuple[int, int]] = Counter()
    for answer in answers:
        if not answer["measured"]:
            continue
        size, classes = int(answer["size"]), int(answer["classes"])
        if size:
            sizes[size] += classes
        if joint:
            triples[size, int(answer["population_size"])] += classes
    if not joint:
        return ClassSizes(sizes), None
    listed = tuple((s, f, classes) for (s, f), classes in sorted(triples.items()))
    population = register[0] if register else sum(f * classes for _, f, classes in listed)
    return ClassSizes(sizes), JointSizes(listed, population)


def _read_distinct(
    answers: list[dict], joint: bool, register: list[int], tallies: Counter
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
    population = register[0] if register else tallies["population_records"]
    absent, fewer = (sum(int(answer[name]) for answer in own) for name in ("absent", "fewer"))
    return RecordSizes(sizes), JointRecordSizes(listed, population, absent, fewer)


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
