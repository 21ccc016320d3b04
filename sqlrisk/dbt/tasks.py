"""The declarations of a dbt project's models as policies to run."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrisk.assessment.tasks import Task, task_of
from sqlrisk.dbt.manifest import Manifest, Model
from sqlrisk.dbt.profile import Target
from sqlrisk.dbt.project import Project
from sqlrisk.dbt.selection import Selected
from sqlrisk.errors import RequestError, SqlriskError, nearest
from sqlrisk.outcome import Outcome
from sqlrisk.policy import Guards, Release
from sqlrisk.policy_document import Document

# Of a policy's top; the connection is the profile's, and where reports go is dbt's.
_OF_THE_POLICY = (
    "name",
    "population",
    "profile",
    "threshold",
    "attackers",
    "limits",
    "accept_weak",
    "seed",
    "context",
    "justification",
    "agreement",
    "measure_only",
)
_OF_THE_RELEASE = tuple(key for key in Release.model_fields if key not in ("table", "query"))
KEYS = (*_OF_THE_RELEASE, *_OF_THE_POLICY)


@dataclass(frozen=True)
class Declared:
    """A model and what is to be run for it."""

    model: Model
    task: Task


class _Declaration(Document):
    """A policy that stands in a manifest. dbt has rendered it: what looks like `${NAME}` is meant as it is written."""

    def _expand(self, value: Any, path: tuple) -> Any:
        return value


def declared(
    manifest: Manifest, target: Target, project: Project, selected: Selected
) -> tuple[list[Declared], list[str]]:
    """The selected models that declare a policy, and notes on what was passed over.

    What is wrong with one declaration is its task's problem. :class:`RequestError` where a model that was named has none,
    or where none is left.
    """
    without = [model for model in selected.models if model.declaration is None]
    for model in without:
        if model.unique_id in selected.named:
            raise RequestError(
                f"the model `{model.label}` declares no policy", "declare it under `config.meta.sqlrisk` of the model"
            )
    models = [model for model in selected.models if model.declaration is not None]
    if not models:
        raise RequestError(
            "no model that was selected declares a policy",
            "declare one under `config.meta.sqlrisk`: see `sqlrisk dbt init`",
        )
    _refuse_other_target(manifest, target, models)
    found = [Declared(model, _task(model, manifest, target, project)) for model in models]
    _refuse_twins(found)
    return found, [*_of_other_schemas(target, models), *_passed_over(selected, without)]


def _passed_over(selected: Selected, without: Sequence[Model]) -> list[str]:
    """Of a selection, what declares nothing. Without a selector that goes without saying."""
    if selected.by_default:
        return []
    return [f"the model `{model.label}` is passed over: it declares no policy" for model in without]


def _refuse_other_target(manifest: Manifest, target: Target, models: Sequence[Model]) -> None:
    remedy = f"run `dbt parse --target {target.name}`"
    if manifest.adapter != target.adapter:
        raise RequestError(
            f"the manifest was written for {manifest.adapter}, and the {target.label} is {target.adapter}", remedy
        )
    for model in models:
        if model.database and target.database and model.database.lower() != target.database.lower():
            raise RequestError(
                f"the model `{model.label}` is in the database `{model.database}`, and the {target.label} has "
                f"`{target.database}`",
                f"if the manifest was written for another target, {remedy}",
            )


def _of_other_schemas(target: Target, models: Sequence[Model]) -> list[str]:
    """A note where the manifest may have been written for another target: it does not say for which one it was."""
    others = sorted(
        {model.schema for model in models if model.schema and not model.schema.startswith(target.schema or "")}
    )
    return [
        f"models are measured in the schema `{schema}`, and the {target.label} has `{target.schema}`: if the manifest was "
        f"written for another target, run `dbt parse --target {target.name}`"
        for schema in others
    ]


def _task(model: Model, manifest: Manifest, target: Target, project: Project) -> Task:
    try:
        document = _document(model, manifest, target, project)
    except SqlriskError as problem:
        return Task(model.label, model.path, problem=problem)
    made = task_of(document, model.path)
    if made.policy is None:
        return made
    return replace(made, policy=made.policy.model_copy(update={"guards": Guards(max_bytes=target.max_bytes)}))


def _document(model: Model, manifest: Manifest, target: Target, project: Project) -> Document:
    """The declaration as the one item of a policy file's `releases`."""
    label = f"{model.declared_in}, model {model.label}"
    if not isinstance(model.declaration, Mapping):
        raise RequestError(f"{label}: `config.meta.sqlrisk` is no mapping", "write `quasi_identifiers: [...]` under it")
    if model.relation is None:
        raise RequestError(f"{label}: dbt makes no relation for it", "materialise it as a table or a view")
    item = copy.deepcopy(dict(model.declaration))
    for key in item:
        if key not in KEYS:
            raise RequestError(
                f"{label}: `{key}` is not a key of a declaration", _OTHERWISE.get(key) or nearest(str(key), list(KEYS))
            )
    _resolve_population(item.get("population"), manifest)
    top = _Declaration()
    top.folder, top.label = project.folder, label
    name = item.pop("name", None)
    if name is not None and not (isinstance(name, str) and name.strip()):
        raise RequestError(f"{label}: `name` is no text", "write it in quotes, or leave it out")
    top.values = {
        "version": 1,
        "connection": target.url,
        "releases": [{**item, "table": model.relation, "name": model.label}],
    }
    (document,) = top.releases()
    document.name = document.values["name"] = name or model.label
    return document


def _resolve_population(population: Any, manifest: Manifest) -> None:
    """The relation of the model (seed, snapshot) whose name stands where a population table's does."""
    table = population.get("table") if isinstance(population, dict) else None
    if isinstance(table, str) and (relation := manifest.relations.get(table)):
        population["table"] = relation


_OTHERWISE = {
    "table": "the release is the model's own relation",
    "query": "the release is the model's own relation",
    "connection": "the connection is the profile's",
    "output": "reports go to target/sqlrisk",
    "guards": "what a statement may cost is the profile's",
}


def _refuse_twins(found: Sequence[Declared]) -> None:
    names = Counter(item.task.name for item in found)
    for name, count in names.items():
        if count > 1:
            paths = ", ".join(item.model.path for item in found if item.task.name == name)
            raise RequestError(f"{count} models are called `{name}` ({paths})", "give each a `name` in its declaration")


def explained(outcome: Outcome, model: Model) -> Outcome:
    """The outcome; where a relation is not there, with what to do about it in a dbt project."""
    cause = (outcome.error or "").partition("`: ")[0].removesuffix("`")
    if not cause.startswith("there is no table or view `"):
        return outcome
    return replace(outcome, error=f"{cause}`: run `dbt build --select +{model.label}`")
