"""Models judged by the class sizes that dbt's last run put on record, without reading the models."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlrisk.assessment.estimate import estimate_histogram
from sqlrisk.assessment.estimated import NO_POPULATION
from sqlrisk.assessment.prepare import guards_of
from sqlrisk.assessment.recorded import record_of
from sqlrisk.class_sizes import ClassSizes
from sqlrisk.dbt.manifest import Model
from sqlrisk.dbt.profile import Target
from sqlrisk.dbt.project import Project
from sqlrisk.dbt.tasks import Declared
from sqlrisk.errors import MeasurementError, MissingTableError, RequestError, SqlriskError
from sqlrisk.outcome import Outcome, skipped_after
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment
from sqlrisk.sql.audit import newest_histogram
from sqlrisk.sql.relation import Relation, TableName, write
from sqlrisk.warehouse.base import Warehouse
from sqlrisk.warehouse.connect import open_source

AUDIT_TABLE = "sqlrisk_audit"
VARIABLE = "sqlrisk_audit_table"
_WITHOUT = "leave out --from-audit"
_NO_TABLE = (
    "it was not compared with the population table: the record holds the class sizes of the release alone; leave out "
    "--from-audit"
)
# dbt commands that build models, by which a record becomes old.
_BUILDING = ("run", "build", "retry")


@dataclass(frozen=True)
class _Recorded:
    """What one run of dbt put on record for a model."""

    sizes: ClassSizes
    label: str


def judge_recorded(
    found: Sequence[Declared],
    target: Target,
    project: Project,
    *,
    fail_fast: bool = False,
    on_done: Callable[[Any, Outcome], Outcome] = lambda _, outcome: outcome,
) -> list[Outcome]:
    """The outcome of each model by its newest record, in their order; ``on_done`` as in ``run_checks``."""
    builds = _last_builds(project)
    outcomes: list[Outcome] = []
    failed: Outcome | None = None
    guards = next((guards_of(item.task.policy) for item in found if item.task.policy is not None), None)
    warehouse = open_source(target.url, guards).warehouse if guards is not None else None
    try:
        for item in found:
            if fail_fast and failed:
                outcome = skipped_after(failed, item.task.name, item.task.file)
            else:
                outcome = _judged(item, project, warehouse, builds)
            outcome = on_done(item.task, outcome)
            failed = failed or (outcome if outcome.exit_code else None)
            outcomes.append(outcome)
    finally:
        if warehouse is not None:
            warehouse.close()
    return outcomes


def _judged(item: Declared, project: Project, warehouse: Warehouse | None, builds: dict[str, _Build]) -> Outcome:
    clock, task = time.perf_counter(), item.task
    outcome = Outcome(task.name, task.file)
    try:
        if task.policy is None or warehouse is None:
            raise task.problem or MeasurementError("it could not be measured")
        refuse_unrecorded(task.policy)
        warehouse.label = task.name
        recorded = _newest(item.model, project, warehouse, builds)
        result = _result(task.policy, item.model, recorded)
        outcome = replace(outcome, result=result, exit_code=result.exit_code)
    except SqlriskError as problem:
        outcome = replace(outcome, error=str(problem), exit_code=problem.exit_code)
    return replace(outcome, seconds=time.perf_counter() - clock)


def refuse_unrecorded(policy: Policy) -> None:
    """Refuse a policy that needs what no record holds; what is only unknown is null in the result, with its reason."""
    if policy.release.nulls != "value" or policy.limits.max_excluded is not None:
        raise RequestError("how many records were left out for missing values is not on record", _WITHOUT)
    if policy.limits.max_increase is not None:
        raise RequestError("`max_increase` is about the run before, which the record does not hold", _WITHOUT)
    if policy.population.model is not None:
        raise RequestError(
            "a population model needs the values of the classes, and their sizes alone are on record", _WITHOUT
        )


def _newest(model: Model, project: Project, warehouse: Warehouse, builds: dict[str, _Build]) -> _Recorded:
    relation = audit_relation(model, project, warehouse.dialect)
    remedy = "give it the post-hook `{{ sqlrisk.record_histogram() }}` and run `dbt build`"
    try:
        warehouse.columns(relation)
    except MissingTableError:
        raise RequestError(f"nothing of the model is on record, there is no table {relation.label}", remedy) from None
    sql = write(newest_histogram(relation, model.unique_id), warehouse.dialect)
    rows = warehouse.fetch("reading the histogram on record", sql)
    if not rows:
        raise RequestError(f"nothing of the model is on record in {relation.label}", remedy)
    runs = {(run, str(at), fingerprint, counted) for run, at, fingerprint, counted, *_ in rows}
    if len(runs) > 1:
        raise MeasurementError(f"two runs put the model on record at the same time in {relation.label}", _build(model))
    ((run, at, fingerprint, counted),) = runs
    if fingerprint != model.fingerprint:
        raise RequestError("the histogram on record is of another declaration than the model's", _build(model))
    if counted != "classes":
        raise RequestError("people compared by their distinct rows do not fall into classes", _WITHOUT)
    _refuse_old(model, builds, str(run), at)
    try:
        sizes = ClassSizes([(int(size), int(number)) for *_, size, number in rows])
    except (TypeError, ValueError, SqlriskError):
        raise MeasurementError(f"what is on record in {relation.label} is no histogram", _build(model)) from None
    if not sizes.pairs:
        raise MeasurementError("the release on record is empty", _build(model))
    return _Recorded(sizes, f"{relation.label}, of {at}")


def audit_relation(model: Model, project: Project, dialect: str) -> Relation:
    """The audit table: beside the model, unless the variable ``sqlrisk_audit_table`` says otherwise."""
    named = str(project.variable(VARIABLE) or AUDIT_TABLE)
    if "{{" in named:
        raise RequestError(f"the Jinja of the variable `{VARIABLE}` is not read here", "write the table's name")
    parts = TableName.parse(named, dialect).parts
    if len(parts) == 1:
        parts = ((model.schema or "", True), *parts)
    if len(parts) == 2 and model.database:
        parts = ((model.database, True), *parts)
    return TableName(parts).relation()


def _build(model: Model) -> str:
    return f"run `dbt build --select {model.label}`"


def _result(policy: Policy, model: Model, recorded: _Recorded) -> Assessment:
    alone = policy.population.model_copy(update={"table": None, "columns": {}, "where": None, "entity_id": None})
    result = estimate_histogram(policy.model_copy(update={"population": alone}), recorded.sizes)
    release = result.release.model_copy(update={"table": model.relation, "histogram": recorded.label})
    result = result.model_copy(update={"release": release, "policy": record_of(policy)})
    if policy.population.table is None:
        return result
    return Assessment.from_dict(_with_reason(result.to_dict()))


def _with_reason(value: Any) -> Any:
    """A document in which nothing is said to be unknown for want of a population that the policy does give."""
    if isinstance(value, dict):
        return {key: _with_reason(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_reason(item) for item in value]
    return _NO_TABLE if value == NO_POPULATION else value


@dataclass(frozen=True)
class _Build:
    """When a run of dbt had built a model."""

    invocation: str
    at: datetime


def _last_builds(project: Project) -> dict[str, _Build]:
    """The models that the last run of dbt built, by ``run_results.json``; none where that was no such run."""
    try:
        document = json.loads((project.target / "run_results.json").read_text("utf-8"))
        if document["args"]["which"] not in _BUILDING:
            return {}
        run = str(document["metadata"]["invocation_id"])
        return {
            result["unique_id"]: _Build(run, max(_moment(timing["completed_at"]) for timing in result["timing"]))
            for result in document["results"]
            if result["status"] == "success" and result["timing"]
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _refuse_old(model: Model, builds: dict[str, _Build], run: str, at: str) -> None:
    """Refuse a record that is older than the model, as far as dbt's last run tells."""
    build = builds.get(model.unique_id)
    if build is None or build.invocation == run:
        return
    try:
        recorded = _moment(at)
    except ValueError:
        raise MeasurementError("the time of the histogram on record is not read", _build(model)) from None
    if recorded < build.at:
        raise RequestError(
            f"the histogram on record is of {at}, and the model was built again without it at {build.at:%Y-%m-%d %H:%M:%S}",
            f"{_build(model)} with its post-hook `{{{{ sqlrisk.record_histogram() }}}}`",
        )


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
