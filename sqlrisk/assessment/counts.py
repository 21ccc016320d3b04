"""The tagged rows of an answer, back as values: histograms, and how many records were left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlrisk.class_sizes import ClassSizes, JointRecordSizes, JointSizes, RecordSizes
from sqlrisk.errors import MeasurementError
from sqlrisk.sql.quasi_identifier import Generalised
from sqlrisk.sql.question import Counting, Missing, Question
from sqlrisk.sql.steps import Plan
from sqlrisk.sql.survey import Survey
from sqlrisk.sql.wildcard import MOST_COMPARED


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
class SensitiveCounts:
    """What came back of one sensitive column: the worst of each measure over the classes, as the arm `sensitive` names them,
    the classes and records by their number of distinct values, and what is known of the whole table."""

    worst: dict[str, float | None]
    by_l: tuple[tuple[int, int, int], ...]
    beyond: dict[str, tuple[int, int]]
    values: int
    missing: int


@dataclass(frozen=True)
class Modelled:
    """Classes of one ``size`` that a population model finds about equally frequent: their mean ``frequency``, and the least.

    Where records do not fall into classes, ``classes`` are the records over the size.
    """

    size: int
    classes: float
    frequency: float
    least: float


@dataclass(frozen=True)
class ModelCounts:
    """What is in one table of a population model: its rows, the sum of their frequencies, and what is wrong with rows."""

    rows: int
    total: float
    unlike_frequencies: int
    without_frequency: int
    with_missing: int
    unconverted: dict[int, int]


@dataclass(frozen=True)
class Counts:
    """What came back from the warehouse. ``records`` are those measured; the others are counted apart.

    ``unconverted`` is by the number of the quasi-identifier, from 1; ``entities`` is None where rows are counted. Where a
    missing value matches anything, ``register_repeats`` are the tuples beyond the first that people of the population have.
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
    register_repeats: int = 0
    survey: SurveyCounts | None = None
    sensitive: tuple[SensitiveCounts, ...] = ()
    sensitive_unconverted: dict[int, int] = field(default_factory=dict)
    model: tuple[ModelCounts, ...] = ()
    modelled: tuple[Modelled, ...] = ()


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
    repeats = 0
    read = _read_distinct if question.counting is Counting.DISTINCT else _read_classes
    if question.missing is Missing.WILDCARD:
        _refuse_too_wild(answers)
        read = _read_wild
        if register:
            repeats = sum(int(answer["own_population_size"]) for answer in main) - register[0]
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
        register_repeats=repeats,
        survey=_survey(answers, tallies, question.release.survey),
        sensitive=tuple(_sensitive(answers, number) for number in _sensitive_numbers(answers)),
        sensitive_unconverted=_numbered(tallies, "sensitive_unconverted_"),
        model=_model(answers),
        modelled=_modelled(main, question) if question.model else (),
    )


_MEASURES = (
    "l_entropy",
    "alpha",
    "recursive_c",
    "unbounded",
    "t_closeness",
    "basic_beta",
    "unattainable",
    "delta_present",
    "absent",
)


def _sensitive_numbers(answers: list[dict]) -> list[int]:
    return sorted(int(answer["number"]) for answer in answers if answer["arm"] == "sensitive")


def _sensitive(answers: list[dict], number: int) -> SensitiveCounts:
    own = [answer for answer in answers if answer.get("number") == number]
    (worst,) = (answer for answer in own if answer["arm"] == "sensitive")
    (whole,) = (answer for answer in own if answer["arm"] == "sensitive_whole")
    by_l = [
        (int(answer["l_distinct"]), int(answer["classes"]), int(answer["records"]))
        for answer in own
        if answer["arm"] == "l_histogram"
    ]
    limited = [
        name.removesuffix("_classes") for name in worst if name.startswith("beyond_") and name.endswith("_classes")
    ]
    return SensitiveCounts(
        worst={name: _real(worst[name]) for name in _MEASURES},
        by_l=tuple(sorted(by_l)),
        beyond={
            name.removeprefix("beyond_"): (int(worst[f"{name}_classes"] or 0), int(worst[f"{name}_records"] or 0))
            for name in limited
        },
        values=int(whole["distinct_values"]),
        missing=int(whole["missing_values"] or 0),
    )


def by_column(counts: dict[int, int], keys: Sequence[Generalised]) -> dict[str, int]:
    """Counts by a quasi-identifier's number, by its column's name."""
    return {keys[number - 1].column: count for number, count in counts.items()}


def _model(answers: list[dict]) -> tuple[ModelCounts, ...]:
    found = sorted((answer for answer in answers if answer["arm"] == "model"), key=lambda answer: int(answer["number"]))
    return tuple(
        ModelCounts(
            rows=tallies["model_rows"],
            total=_real(answer["total"]) or 0.0,
            unlike_frequencies=tallies["unlike_frequencies"],
            without_frequency=tallies["without_frequency"],
            with_missing=tallies["with_missing"],
            unconverted=_numbered(tallies, "model_unconverted_"),
        )
        for answer in found
        for tallies in [_tallies([answer])]
    )


def _modelled(main: list[dict], question: Question) -> tuple[Modelled, ...]:
    cells = []
    for answer in main:
        size, total, least = int(answer["size"]), _real(answer["frequency"]), _real(answer["least_frequency"])
        if question.missing is Missing.WILDCARD:
            if records := int(answer["own_size"]):
                cells.append(Modelled(size, records / size, total / records, least))
        elif size and answer["measured"]:
            classes = int(answer["classes"])
            cells.append(Modelled(size, classes, total / classes, least))
    return tuple(cells)


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
    suppressed = int(answer.get("suppressed") or 0)
    if missing is Missing.WILDCARD:  # of a class only its own records are counted; the suppressed are not among them
        records = int(answer["own_size"]) + suppressed
    else:
        records = int(answer["size"]) * int(answer["classes"])
        answer["measured"] = 0 if missing is Missing.EXCLUDE and answer["missing"] > 0 else 1
        # The class without any key is one class, and holds the suppressed besides those of whom all is missing.
        answer["size"] -= suppressed
    answer["records"] = records
    answer["partly_missing"] = records if answer["missing"] == 1 else 0
    answer["wholly_missing"] = records if answer["missing"] == 2 else 0


def _refuse_too_wild(answers: list[dict]) -> None:
    (size,) = (answer for answer in answers if answer["arm"] == "wildcard")
    classes, patterns = int(size["wild_classes"]), int(size["wild_patterns"])
    if classes * patterns > MOST_COMPARED:
        raise MeasurementError(
            f"--nulls wildcard would compare {classes:,} classes with {patterns:,} patterns of missing values, above "
            f"{MOST_COMPARED:,} pairs",
            "generalise the quasi-identifiers, or use value or exclude",
        )


def _read_wild(answers: list[dict], joint: bool, register: list[int]) -> tuple[RecordSizes, JointRecordSizes | None]:
    sizes: Counter[int] = Counter()
    triples: Counter[tuple[int, int]] = Counter()
    absent = fewer = 0
    presence = []
    for answer in answers:
        size, records = int(answer["size"]), int(answer["own_size"])
        sizes[size] += records
        if not joint:
            continue
        people = int(answer["population_size"])
        if records:
            triples[size, max(people, size)] += records
            absent += records if people == 0 else 0
            fewer += records if 0 < people < size else 0
        if answer["own_population_size"]:
            presence.append(min(size / people, 1.0))
    sizes = Counter({size: records for size, records in sizes.items() if records})
    if not joint:
        return RecordSizes(sizes), None
    listed = tuple((s, f, records) for (s, f), records in sorted(triples.items()))
    population = register[0] if register else sum(int(answer["own_population_size"]) for answer in answers)
    lowest = min(presence, default=None)
    return RecordSizes(sizes), JointRecordSizes(listed, population, absent, fewer, lowest)


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
    "own_size",
    "own_population_size",
    "bin",
    "frequency",
    "least_frequency",
    "total",
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
