"""Minimal sample uniques and their scores, for ``sqlrisk sweep --minimal-uniques``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqlrisk.assessment.assess import Session
from sqlrisk.errors import RequestError
from sqlrisk.parts.subsets import (
    DisSuda,
    MinimalUniqueColumns,
    MinimalUniques,
    MinimalUniquesOf,
    Scores,
    ScoreShare,
)
from sqlrisk.result import Assessment
from sqlrisk.risk import suda
from sqlrisk.risk.knowledge import Numbers, subsets
from sqlrisk.sql.minimal_uniques import minimal_uniques_plan
from sqlrisk.sql.subsets import mask_of

_MOST_PAIRS = 400_000_000
_NO_FRACTION = (
    "the sampling fraction is not known: give it (--sampling-fraction), or the population's size (--population-size)"
)
_NONE = "no record has a minimal unique of this size"


def minimal_uniques_of(run: Session, result: Assessment, most: int) -> MinimalUniques:
    """The minimal sample uniques of at most ``most`` quasi-identifiers; ``result`` is the assessment of all of them."""
    columns = len(run.asked.question.release.keys)
    wanted = list(subsets(columns, most))
    refuse_too_many(result.sample_uniques.records, len(wanted))
    plan = minimal_uniques_plan(run.asked.dialect, run.asked.question, wanted, most)
    answers = run.fetch("finding minimal sample uniques", plan)
    by_mask = {mask_of(subset): subset for subset in wanted}
    on: dict[Numbers, int] = {
        by_mask[int(answer["subset"])]: int(answer["minimal_uniques"])
        for answer in answers
        if answer["arm"] == "msu_subsets"
    }
    sizes = range(1, most + 1)
    vectors = {
        tuple(int(answer[f"size_{size}"]) for size in sizes): int(answer["records"])
        for answer in answers
        if answer["arm"] == "msu_vectors"
    }
    names = [item.column for item in result.release.quasi_identifiers]
    by_scheme = {"suda": suda.suda_weights(columns, most), "ihsn": suda.ihsn_weights(columns, most)}
    scored = {scheme: suda.scores(vectors, weights) for scheme, weights in by_scheme.items()}
    shares = {scheme: suda.contributions(on, weights, columns) for scheme, weights in by_scheme.items()}
    dis, reason = _dis(result, scored["suda"], columns)
    reasons = {} if dis is not None else {"minimal_uniques.dis_suda": reason}
    return MinimalUniques(
        max_size=most,
        records=sum(vectors.values()),
        by_size=[
            MinimalUniquesOf(
                size=size,
                minimal_uniques=sum(number for subset, number in on.items() if len(subset) == size),
                records=sum(records for vector, records in vectors.items() if vector[size - 1]),
            )
            for size in sizes
        ],
        subsets=[
            MinimalUniqueColumns(columns=[names[number - 1] for number in subset], minimal_uniques=number_of)
            for subset, number_of in sorted(on.items(), key=lambda item: (-item[1], len(item[0]), item[0]))
        ],
        contributions=[
            ScoreShare(column=name, suda=(shares["suda"] or {}).get(at, 0.0), ihsn=(shares["ihsn"] or {}).get(at, 0.0))
            for at, name in enumerate(names, start=1)
        ],
        suda=_scores(scored["suda"]),
        ihsn=_scores(scored["ihsn"]),
        dis_suda=dis,
        reasons=reasons,
    )


def refuse_too_many(uniques: int, wanted: int) -> None:
    """Refuse to look at more (record, subset) pairs than a warehouse should hold."""
    if uniques * wanted > _MOST_PAIRS:
        raise RequestError(
            f"{uniques:,} records that are alone, on {wanted:,} subsets each, are above {_MOST_PAIRS:,} pairs to look at",
            "lower --max-known, or generalise the quasi-identifiers",
        )


def _scores(scored: Sequence[tuple[float, int]]) -> Scores:
    total = math.fsum(score * records for score, records in scored)
    return Scores(highest=scored[0][0] if scored else 0.0, total=total, histogram=list(scored))


def _dis(result: Assessment, scored: Sequence[tuple[float, int]], columns: int) -> tuple[DisSuda | None, str]:
    fraction = None if result.population is None else result.population.sampling_fraction
    if fraction is None:
        return None, _NO_FRACTION
    pairs = sum(2 * classes for size, classes in result.class_sizes.pairs if size == 2)
    found = suda.dis_suda(scored, pairs, fraction, columns)
    if not found:
        return None, _NONE
    mean = math.fsum(chance * records for chance, records in found) / result.release.records
    return DisSuda(sampling_fraction=fraction, highest=found[0][0], mean=mean, histogram=found), ""
