"""A result beside earlier runs of the same policy: what rose, what fell, and what is no longer the same thing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlrisk.history.run import Run
from sqlrisk.record import Change, Comparison, EarlierRun
from sqlrisk.result import SCHEMA_VERSION, Assessment

Against = Literal["previous run", "baseline"]

_RISKS = ("highest_risk", "average_risk", "share_at_risk", "records_at_risk", "classes_at_risk")
_WHOLE = (
    "release.records",
    "classes",
    "smallest_class",
    "sample_uniques.share",
    *(f"attackers.{attacker}.{risk}" for attacker in ("prosecutor", "journalist") for risk in _RISKS),
    "attackers.marketer.average_risk",
    "population.uniques.release_share",
    "population.k_map.smallest",
    "population.delta_presence.highest",
)
_SENSITIVE = (
    "l_distinct",
    "l_entropy",
    "recursive_c",
    "alpha",
    "t_closeness",
    "basic_beta",
    "delta_disclosure",
)


class _Unreadable(Exception):
    """A document of another form; the text says why its figures are not read."""


def figures_of(result: Assessment) -> dict[str, float | None]:
    """The headline measures by their dotted paths, of the parts that were measured; None is not known."""
    return _figures(result.to_dict())


def figures_of_run(run: Run) -> tuple[dict[str, float | None], str | None]:
    """The headline measures of a run on record, or none and the reason."""
    try:
        return _figures(_readable(run)), None
    except _Unreadable as problem:
        return {}, str(problem)


def compare(result: Assessment, run: Run, against: Against) -> Comparison:
    """``result`` beside an earlier run. Figures of another definition stand side by side, and are not subtracted."""
    definition = _definition(result)
    before, reason = figures_of_run(run)
    if reason is None and not (definition and run.definition):
        reason = "what was measured is not on record"
    if reason is not None:
        return Comparison(against=against, run=run.id, started_at=run.started_at, reason=reason)
    changed = run.changed(definition)
    after = figures_of(result)
    return Comparison(
        against=against,
        run=run.id,
        started_at=run.started_at,
        changed=changed,
        figures={
            path: _change(before.get(path), after.get(path), comparable=not changed)
            for path in dict.fromkeys([*after, *before])
            if not (before.get(path) is None and after.get(path) is None)
        },
    )


def nothing_before(against: Against, reason: str) -> Comparison:
    """A comparison with nothing, and why."""
    return Comparison(against=against, reason=reason)


def earlier_runs(result: Assessment, runs: Sequence[Run]) -> list[EarlierRun]:
    """What those of ``runs`` measured that measured something, in their order."""
    definition = _definition(result)
    return [
        EarlierRun(
            run=run.id,
            started_at=run.started_at,
            same_definition=bool(definition) and not run.changed(definition),
            figures=figures_of_run(run)[0],
        )
        for run in runs
        if run.document is not None
    ]


def _definition(result: Assessment) -> Mapping[str, str]:
    return result.policy.definition if result.policy is not None else {}


def _change(before: float | None, after: float | None, comparable: bool) -> Change:
    known = comparable and before is not None and after is not None and not (math.isinf(before) and math.isinf(after))
    return Change(before=before, after=after, increase=after - before if known else None)


def _readable(run: Run) -> dict[str, Any]:
    """The run's document in the form of this version."""
    if run.document is None:
        raise _Unreadable("the run measured nothing")
    version = run.document.get("schema_version")
    if version == SCHEMA_VERSION:
        return run.document
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise _Unreadable(
            f"its result is of another form (schema_version {version}; this sqlrisk knows {SCHEMA_VERSION})"
        )
    try:
        return Assessment.from_dict(run.document).to_dict()
    except ValueError:
        raise _Unreadable(f"its result is of an older form (schema_version {version}) that cannot be read") from None


def _figures(document: Mapping[str, Any]) -> dict[str, float | None]:
    found = {}
    for path in _WHOLE:
        *parents, name = path.split(".")
        part: Any = document
        for parent in parents:
            part = part.get(parent) if isinstance(part, Mapping) else None
        if isinstance(part, Mapping) and name in part:
            found[path] = _number(part[name])
    for column, part in (document.get("sensitive") or {}).items():
        found |= {f"sensitive.{column}.{name}": _number(part[name]) for name in _SENSITIVE if name in part}
    return found


def _number(value: Any) -> float | None:
    """A figure of a document, in which an infinite one is a text."""
    if value == "infinity":
        return math.inf
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
