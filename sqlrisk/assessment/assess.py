"""Measure one table where it lives, and decide: the procedure of ``sqlrisk assess``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlrisk import __version__
from sqlrisk.assessment.composition import composition_of
from sqlrisk.assessment.context import context_of
from sqlrisk.assessment.counts import Counts, by_column, read_counts
from sqlrisk.assessment.estimated import (
    about_estimates,
    about_thresholds,
    figures_of,
    no_classes,
    nothing_known,
    parts,
    record_figures,
)
from sqlrisk.assessment.judged import about_earlier, about_policy, decided, refuse_increase
from sqlrisk.assessment.modelled import (
    SEVERAL_ROWS,
    about_model,
    check_model,
    modelled,
    reasons_of_model,
    refuse_lost,
    refuse_unsized,
)
from sqlrisk.assessment.prepare import Asked, Prepared, ask, guards_of, prepare_asked
from sqlrisk.assessment.recorded import record_of
from sqlrisk.assessment.sensitive import about_sensitive, reasons_of_sensitive, refuse_unconverted, sensitive_of
from sqlrisk.assessment.survey import about_weights, refuse_unusable, survey_of
from sqlrisk.class_sizes import JointRecordSizes, JointSizes
from sqlrisk.errors import MeasurementError, RequestError, number_of, without_context
from sqlrisk.policy import Policy
from sqlrisk.record import EarlierRelease
from sqlrisk.result import (
    Assessment,
    DeltaPresence,
    JournalistRisk,
    KMap,
    MarketerRisk,
    MeasuredColumn,
    MeasuredPopulation,
    MeasuredRelease,
    Mismatch,
    PopulationUniques,
    Query,
    Verdict,
)
from sqlrisk.risk import attackers, presence
from sqlrisk.sql.question import Counting
from sqlrisk.sql.steps import Plan
from sqlrisk.warehouse.base import Warehouse
from sqlrisk.warehouse.connect import Source, open_source

_OTHER_ROWS = (
    "the population table lacks the rows of {} of the release; a person is known by all of their rows, so it must hold the "
    "same rows a person"
)
_OF_DIFFERENT_ROWS = (
    "of people counted by their distinct tuples, the fewest in the release and the fewest in the population can be of "
    "different rows"
)
_NO_SNAPSHOT = (
    "this engine does not hold one snapshot over several statements: if the data changed meanwhile, figures are of "
    "different states of it"
)
_SEVERAL_TUPLES = (
    "somebody of the population table has rows that differ, and where a missing value matches anything they would count once "
    "for each of them that matches; give a table with one row a person"
)


@without_context
def assess(policy: Policy, source: Any, label: str = "") -> Assessment:
    """Measure ``source`` (a URL, a path or an object, see ``open_source``) under ``policy``, and decide.

    :class:`RequestError` when the request is wrong, :class:`MeasurementError` when it could not be measured.
    """
    refuse_increase(policy)
    return decided(policy, measure(policy, source, label))


@without_context
def measure(policy: Policy, source: Any, label: str = "") -> Assessment:
    """Everything that ``policy`` asks about ``source``, without a verdict; errors as :func:`assess` has them."""
    with session(policy, source, label) as run:
        result = measure_asked(policy, run.warehouse, run.asked)
        if policy.release.previous:
            together = composition_of(policy, run.opened, run.warehouse, run.asked)
            warnings = [*result.warnings, *(about_earlier(policy, together.reason) if together.reason else [])]
            result = result.model_copy(update={"composition": together, "warnings": warnings})
        return run.finished(result)


@dataclass
class Session:
    """An open connection, what a policy asks of it, and when that began: what every command that measures begins with."""

    warehouse: Warehouse
    opened: Source
    policy: Policy
    asked: Asked
    started: datetime
    clock: float

    def fetch(self, purpose: str, plan: Plan) -> list[dict[str, Any]]:
        """The rows that answer ``plan``, by the names of their columns."""
        rows = self.warehouse.fetch(purpose, self.asked.statement(plan, self.policy.guards.max_rows))
        return [dict(zip(plan.columns, row, strict=True)) for row in rows]

    def finished(self, result: Assessment) -> Assessment:
        """``result`` with what is known of the run: when, how long, and the statements so far."""
        warnings = result.warnings
        if not self.warehouse.snapshots and sum(not record.look_up for record in self.warehouse.log) > 1:
            warnings = [*warnings, _NO_SNAPSHOT]
        return result.model_copy(
            update={
                "started_at": self.started,
                "seconds": time.perf_counter() - self.clock,
                "queries": [Query(**asdict(record)) for record in self.warehouse.log],
                "warnings": warnings,
            }
        )

    def result(self, records: int, **parts: Any) -> Assessment:
        """The document of a command that measures no classes: the release of ``records`` rows, and ``parts``."""
        policy, question = self.policy, self.asked.question
        release = parts.pop("release", {})
        return self.finished(
            Assessment(
                sqlrisk_version=__version__,
                started_at=self.started,
                seconds=0.0,
                dialect=self.asked.dialect.name,
                release=MeasuredRelease(
                    table=None if policy.release.query is not None else question.release.relation.label,
                    query=policy.release.query,
                    where=policy.release.where,
                    quasi_identifiers=measured_columns(self.asked),
                    suppressed=policy.release.suppressed,
                    records=records,
                    **release,
                ),
                verdict=Verdict(passed=None, checks=[]),
                policy=record_of(policy),
                queries=[],
                warnings=[*self.asked.warnings, *parts.pop("warnings", ())],
                **parts,
            )
        )


@contextmanager
def session(
    policy: Policy, source: Any, label: str, complete: Callable[[Policy, Source], Policy] | None = None
) -> Iterator[Session]:
    """Open ``source`` and look up what ``policy`` asks, after ``complete`` put in what hangs on the source; statements within
    the block see one snapshot, where there are any."""
    started, clock = datetime.now(UTC), time.perf_counter()
    refuse_unsized(policy)
    opened = open_source(source, guards_of(policy))
    with opened.warehouse as warehouse:
        warehouse.label = label
        whole = policy if complete is None else complete(policy, opened)
        asked = ask(whole, opened)
        with warehouse.snapshot():
            yield Session(warehouse, opened, whole, asked, started, clock)


def measure_asked(policy: Policy, warehouse: Warehouse, asked: Asked) -> Assessment:
    """The assessment of what was asked, without the run itself (see :class:`Session`) and without a verdict."""
    prepared = prepare_asked(policy, asked)
    rows = warehouse.fetch("measuring the release", prepared.sql)
    stored = warehouse.row_count(prepared.question.release.relation)
    counts = read_counts(rows, prepared.plan, prepared.question)
    _refuse_unmeasurable(policy, prepared, counts)
    result = _result(policy, prepared, counts, stored)
    return result.model_copy(update={"context": context_of(policy, result)})


def _result(policy: Policy, prepared: Prepared, counts: Counts, stored: int | None) -> Assessment:
    """The document but for the run itself and the verdict; ``stored`` are the rows that the catalogue knows of."""
    figures = figures_of(policy, counts.sizes, _of_population(policy, prepared, counts))
    sensitive = sensitive_of(policy, prepared, counts)
    figures["reasons"].update(reasons_of_sensitive(sensitive))
    figures["reasons"].update(reasons_of_model(figures["population"]))
    figures["reasons"].update(_reasons_of_presence(policy, figures["population"], _why_not_compared(prepared, counts)))
    return Assessment(
        sqlrisk_version=__version__,
        started_at=datetime.now(UTC),
        seconds=0.0,
        dialect=prepared.dialect.name,
        release=_release(policy, prepared, counts),
        **figures,
        sensitive=sensitive,
        survey=survey_of(prepared, counts),
        policy=record_of(policy),
        verdict=Verdict(passed=None, checks=[]),
        queries=[],
        warnings=[
            *_warnings(policy, prepared, counts),
            *_hidden_rows(policy, counts, stored),
            *about_policy(policy, datetime.now(UTC).date()),
        ],
    )


def _release(policy: Policy, prepared: Prepared, counts: Counts) -> MeasuredRelease:
    release = policy.release
    people = prepared.question.counting is not Counting.RECORDS
    return MeasuredRelease(
        table=None if release.query is not None else prepared.question.release.relation.label,
        query=release.query,
        where=release.where,
        quasi_identifiers=measured_columns(prepared),
        entity_id=prepared.question.release.entity,
        entity_counting=release.entity_counting if people else None,
        nulls=release.nulls,
        suppressed=release.suppressed,
        records=counts.records,
        entities=counts.entities,
        excluded_records=counts.excluded,
        excluded_share=counts.excluded / (counts.records + counts.excluded),
        suppressed_records=counts.suppressed,
        unparseable=by_column(counts.unconverted, prepared.question.release.keys),
        missing_records=counts.missing,
        previous=[EarlierRelease(table=item.table, link_id=item.link_id) for item in release.previous],
    )


def measured_columns(asked: Asked) -> list[MeasuredColumn]:
    """The quasi-identifiers as they were measured."""
    return [
        MeasuredColumn(column=item.column, generalisation=item.spec, expression=asked.expression(item))
        for item in asked.question.release.keys
    ]


def _of_population(policy: Policy, prepared: Prepared, counts: Counts) -> dict[str, Any]:
    """Journalist, marketer and population: from the population table or a model, else estimated from the class sizes."""
    if counts.joint is None:
        try:
            if policy.population.model is None:
                return parts(policy, counts.sizes)
            if prepared.question.model:
                return modelled(policy, prepared.question, counts)
            return nothing_known(policy.threshold_of("journalist"), SEVERAL_ROWS)
        except RequestError as problem:  # known only now that the release is measured
            raise MeasurementError(problem.cause, problem.remedy) from None
    threshold, reason = policy.threshold_of("journalist"), _why_not_compared(prepared, counts)
    population = _population(policy, prepared, counts)
    if reason is not None:
        return {**nothing_known(threshold, reason), "population": population}
    risk, matches = attackers.journalist(counts.joint, threshold), attackers.marketer(counts.joint)
    basis = {"basis": "population table", "reliability": "measured"}
    return {
        "journalist": JournalistRisk(**record_figures(risk), highest_expected_risk=risk.highest_risk, **basis),
        "marketer": MarketerRisk(**asdict(matches), **basis),
        "population": population,
        "fractions": None,
    }


def _reasons_of_presence(policy: Policy, population: MeasuredPopulation | None, why_not: str | None) -> dict[str, str]:
    """Why a population table does not give k-map or delta-presence."""
    delta = "population.delta_presence"
    if why_not is not None:
        return dict.fromkeys(("population.k_map", "population.k_map.smallest", delta, f"{delta}.highest"), why_not)
    if population is not None and population.table is not None and population.delta_presence is None:
        return dict.fromkeys((delta, f"{delta}.highest"), _OF_DIFFERENT_ROWS)
    return {}


def _why_not_compared(prepared: Prepared, counts: Counts) -> str | None:
    """Why a population table that is there cannot be compared with the release."""
    if counts.joint is None:
        return None
    absent = counts.joint.not_in_population[1]
    if prepared.question.counting is Counting.MULTISET and absent:
        return _OTHER_ROWS.format(number_of(absent, "person", "people"))
    return _SEVERAL_TUPLES if counts.register_repeats else None


def _population(policy: Policy, prepared: Prepared, counts: Counts) -> MeasuredPopulation:
    given, joint = policy.population, counts.joint
    absent, fewer = joint.not_in_population, joint.inconsistent
    partition = isinstance(joint, JointSizes)
    n, size = counts.sizes.records, joint.population
    reason = _why_not_compared(prepared, counts)
    delta = None if reason else presence.delta_presence(joint)
    return MeasuredPopulation(
        table=prepared.question.population.relation.label,
        where=given.where,
        columns=given.columns,
        entity_id=prepared.question.population.entity,
        size=size,
        sampling_fraction=n / size if n <= size else None,
        description=given.description,
        source=given.source,
        as_of=given.as_of,
        not_in_population=Mismatch(classes=absent[0], records=absent[1]),
        inconsistent=None if counts.register_repeats else Mismatch(classes=fewer[0], records=fewer[1]),
        unparseable=by_column(counts.population_unconverted, prepared.question.population.keys),
        joint_sizes=list(joint.triples) if partition else None,
        joint_record_sizes=None if partition else list(joint.triples),
        uniques=_population_uniques(policy, joint, n, reason),
        k_map=None if reason else KMap(**asdict(presence.k_map(joint)), reliability="measured"),
        delta_presence=None if delta is None else DeltaPresence(**asdict(delta), reliability="measured"),
    )


def _population_uniques(
    policy: Policy, joint: JointSizes | JointRecordSizes, n: int, reason: str | None
) -> PopulationUniques:
    if isinstance(joint, JointRecordSizes) or reason is not None:
        nothing = dict.fromkeys(("population_people", "population_share", "release_records", "release_share"))
        return PopulationUniques(**nothing, estimator="population table", reason=reason or no_classes(policy))
    people = sum(classes for _, f, classes in joint.triples if f == 1)
    records = sum(classes for s, f, classes in joint.triples if s == f == 1)
    return PopulationUniques(
        population_people=people,
        population_share=people / joint.population if joint.population else None,
        release_records=records,
        release_share=records / n,
        estimator="population table",
        reliability="measured",
    )


def _refuse_unmeasurable(policy: Policy, prepared: Prepared, counts: Counts) -> None:
    """End with exit code 3 where a figure would be about something else than what was asked."""
    for what, rows, unconverted in (
        ("the release", prepared.question.release, counts.unconverted),
        ("the population table", prepared.question.population, counts.population_unconverted),
    ):
        for number, count in unconverted.items():
            refuse_lost(policy, rows.keys[number - 1], count, what)
    refuse_unconverted(policy, prepared, counts)
    check_model(policy, prepared.question, counts.model)
    for what, rows, count in (
        ("the release", prepared.question.release, counts.unidentified),
        ("the population table", prepared.question.population, counts.population_unidentified),
    ):
        if count:
            raise MeasurementError(
                f"{number_of(count, 'row', 'rows')} of {what} without `{rows.entity}`: whose they are is not known",
                "leave them out with --where, or give them an id",
            )
    if counts.sizes.records == 0:
        left_out = counts.excluded + counts.suppressed
        hint = "check --where" if policy.release.where else "check that it was loaded"
        if left_out:
            hint = f"all of its {left_out:,} records were left out for missing or suppressed values"
        raise MeasurementError("the release is empty: there is no record to measure", hint)
    if counts.joint is not None and counts.joint.population == 0:
        raise MeasurementError("the population table is empty", "check --population-table and --population-where")
    refuse_unusable(policy, prepared, counts)


def _warnings(policy: Policy, prepared: Prepared, counts: Counts) -> list[str]:
    warnings = [*prepared.warnings, *about_thresholds(policy)]
    for number, count in counts.unconverted.items():
        if count:
            item = prepared.question.release.keys[number - 1]
            warnings.append(
                f"{number_of(count, 'value', 'values')} of `{item.column}` not convertible for {item.spec}: counted as missing"
            )
    if counts.suppressed:
        warnings.append(
            f"{number_of(counts.suppressed, 'record', 'records')} left out as wholly suppressed: no quasi-identifier is left"
        )
    warnings += [
        *about_sensitive(policy, prepared, counts),
        *about_weights(counts),
        *about_model(policy, prepared.question, counts),
    ]
    joint = counts.joint
    warnings += about_estimates(policy, counts.excluded + counts.suppressed, joint is not None)
    if joint is not None and _why_not_compared(prepared, counts) is None:
        mismatches = ((joint.not_in_population[1], "not in"), (joint.inconsistent[1], "in classes that are smaller in"))
        for count, what in mismatches:
            if count:
                units = (
                    ("record", "records") if prepared.question.counting is Counting.RECORDS else ("person", "people")
                )
                warnings.append(
                    f"{number_of(count, *units)} of the release {what} the population table; "
                    "counted with the size of their class in the release"
                )
        if counts.sizes.records > joint.population:
            warnings.append(
                "the release has more records than the population table has people: is it the right population?"
            )
    return list(dict.fromkeys(warnings))


def _hidden_rows(policy: Policy, counts: Counts, stored: int | None) -> list[str]:
    seen = counts.records + counts.excluded + counts.suppressed
    if stored is None or seen >= stored or policy.release.where is not None:
        return []
    return [
        f"the catalogue says that the table has {stored:,} rows, and {seen:,} were seen: a row access policy or an analysis "
        "rule can hide the rest from this login, and small groups with it"
    ]
