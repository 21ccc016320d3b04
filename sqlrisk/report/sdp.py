"""The risk part of a result in the shape of Google's Sensitive Data Protection, for dashboards that read its job results.

What its ``dlpJobs.list`` returns: a list of jobs, each with the ``AnalyzeDataSourceRiskDetails`` of one metric, for a job of
Google's has one (``result`` is a oneof, which a strict reader enforces). Samples of raw values (``bucketValues``) and names of
jobs are left out; no condition, query or generalisation is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from typing import Any

from sqlrisk.report import estimates, json
from sqlrisk.result import Assessment, MeasuredPopulation

_SINGLY = 20
"""Sizes up to this one have a bucket each; larger ones share 21-50, 51-100, 101-200, 201-500, ..."""


def render(result: Assessment) -> str:
    """The jobs as JSON text. Whole numbers are texts, as in Google's JSON; expected numbers are rounded to whole ones."""
    jobs = [_job(result, metric, found) for metric, found in _results(result)]
    return json.shown({"jobs": jobs})


def _results(result: Assessment) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
    """(requestedPrivacyMetric, result) for each metric that was measured."""
    release, population = result.release, result.population
    columns = [_named(item.column) for item in release.quasi_identifiers]
    by = {"quasiIds": columns} if columns else {}
    entity = {"entityId": {"field": _named(release.entity_id)}} if release.entity_id is not None else {}
    if result.class_sizes is not None:
        buckets = _whole_buckets("equivalenceClassSize", result.class_sizes.pairs)
        yield (
            {"kAnonymityConfig": {**by, **entity}},
            {"kAnonymityResult": {"equivalenceClassHistogramBuckets": buckets}},
        )
    for column, part in (result.sensitive or {}).items():
        counts = [(values, classes) for values, classes, _ in part.l_histogram if classes is not None]
        if counts:
            metric = {"lDiversityConfig": {**by, "sensitiveAttribute": _named(column)}}
            buckets = _whole_buckets("sensitiveValueFrequency", counts)
            yield metric, {"lDiversityResult": {"sensitiveValueFrequencyHistogramBuckets": buckets}}
    if population is None:
        return
    tagged = [_tagged(item.column, result) for item in release.quasi_identifiers]
    by = {"quasiIds": tagged} if tagged else {}
    if population.k_map is not None and population.k_map.histogram:
        histogram = [_k_map_bucket(*bucket, population) for bucket in population.k_map.histogram]
        yield {"kMapEstimationConfig": by}, {"kMapEstimationResult": {"kMapEstimationHistogram": _filled(histogram)}}
    if population.delta_presence is not None and population.delta_presence.histogram:
        histogram = [_presence_bucket(*bucket, population) for bucket in population.delta_presence.histogram]
        found = {"deltaPresenceEstimationHistogram": _filled(histogram)}
        yield {"deltaPresenceEstimationConfig": by}, {"deltaPresenceEstimationResult": found}


def _job(result: Assessment, metric: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    ended = result.started_at + timedelta(seconds=result.seconds)
    source = {"requestedSourceTable": table} if (table := _table(result)) else {}
    return {
        "type": "RISK_ANALYSIS_JOB",
        "state": "DONE",
        "createTime": _time(result.started_at),
        "startTime": _time(result.started_at),
        "endTime": _time(ended),
        "riskDetails": {"requestedPrivacyMetric": metric, **source, **found},
    }


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _table(result: Assessment) -> dict[str, str]:
    """Project, data set and table on BigQuery; elsewhere the table's name in one piece; nothing of a query."""
    if result.release.table is None:
        return {}
    pieces = result.release.table.rsplit(".", 2) if result.dialect == "bigquery" else [result.release.table]
    return dict(zip(("projectId", "datasetId", "tableId")[-len(pieces) :], pieces, strict=True))


def _named(column: str) -> dict[str, str]:
    return {"name": column}


def _tagged(column: str, result: Assessment) -> dict[str, Any]:
    """A quasi-identifier and what its frequencies are from: the release itself, or a table or a model of the population."""
    population = result.population
    inferred = population is not None and estimates.is_estimated(population) and not estimates.is_modelled(result)
    return {"field": _named(column), **({"inferred": {}} if inferred else {"customTag": column})}


def _whole_buckets(name: str, counts: Iterable[tuple[int, int]]) -> list[dict[str, str]]:
    """(Number, classes) in buckets by the number, those without classes left out."""
    buckets: dict[tuple[int, int], int] = {}
    for number, classes in sorted(counts):
        bounds = _bounds(number)
        buckets[bounds] = buckets.get(bounds, 0) + classes
    return [
        {
            f"{name}LowerBound": str(low),
            f"{name}UpperBound": str(high),
            "bucketSize": str(classes),
            "bucketValueCount": str(classes),
        }
        for (low, high), classes in buckets.items()
        if classes
    ]


def _bounds(number: int) -> tuple[int, int]:
    if number <= _SINGLY:
        return number, number
    ends = (digit * 10**power for power in count(1) for digit in (2, 5, 10))
    low, high = next(pair for pair in pairwise(ends) if number <= pair[1])
    return low + 1, high


def _k_map_bucket(low: int, high: int, records: float, population: MeasuredPopulation) -> dict[str, Any]:
    distinct = _distinct(population, lambda size, people: low <= people <= high)
    return {"minAnonymity": str(low), "maxAnonymity": str(high), "bucketSize": _count(records), **distinct}


def _presence_bucket(low: float, high: float, records: float, population: MeasuredPopulation) -> dict[str, Any]:
    distinct = _distinct(population, lambda size, people: low <= size / people < high or low == size / people == high)
    return {"minProbability": low, "maxProbability": high, "bucketSize": _count(records), **distinct}


def _count(records: float) -> str:
    return str(round(records))


def _distinct(population: MeasuredPopulation, inside: Callable[[int, int], bool]) -> dict[str, str]:
    """The classes of the release in a bucket, where a population table gives their sizes there."""
    if population.joint_sizes is None:
        return {}
    release = [(size, max(size, people), classes) for size, people, classes in population.joint_sizes if size]
    return {"bucketValueCount": str(sum(classes for size, people, classes in release if inside(size, people)))}


def _filled(buckets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Google's histograms leave out what nobody is in."""
    return [bucket for bucket in buckets if bucket["bucketSize"] != "0"]
