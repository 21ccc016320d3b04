"""Everything that needs only the frequency of frequencies: the procedure of ``sqlrisk estimate``."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from sqlrisk import __version__
from sqlrisk.assessment.estimated import parts, reasons_of, record_figures
from sqlrisk.assessment.histogram import read_sizes
from sqlrisk.assessment.judged import limits_of
from sqlrisk.errors import MeasurementError, RequestError, without_context
from sqlrisk.limits import judge
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment, AttackerRisks, MeasuredRelease, ProsecutorRisk, Uniques, Verdict


@without_context
def estimate_histogram(policy: Policy, histogram: Any) -> Assessment:
    """Judge a histogram of class sizes (a file or a value, see ``read_sizes``) by ``policy``, without any database."""
    started, clock = datetime.now(UTC), time.perf_counter()
    if policy.population.table is not None:
        raise RequestError(
            "a population table cannot be compared with a histogram",
            "give the population's size, or use `sqlrisk assess`",
        )
    sizes, name = read_sizes(histogram)
    if not sizes.pairs:
        raise RequestError(f"{name or 'the histogram'} holds no record", "there is nothing to estimate from")
    try:
        about = parts(policy, sizes)
    except MeasurementError as problem:  # nothing had to be measured to know it
        raise RequestError(problem.cause, problem.remedy) from None
    reasons = reasons_of(about)
    if sizes.separation is None:
        reasons["separation"] = "one record has nothing to be separated from"
    prosecutor = sizes.prosecutor(policy.threshold_of("prosecutor"))
    result = Assessment(
        sqlrisk_version=__version__,
        started_at=started,
        seconds=0.0,
        dialect=None,
        release=MeasuredRelease(histogram=name or "class sizes", records=sizes.records),
        class_sizes=sizes,
        classes=sizes.classes,
        smallest_class=sizes.smallest,
        largest_class=sizes.largest,
        sample_uniques=Uniques(records=sizes.sample_uniques, share=sizes.sample_uniques / sizes.records),
        distinction=sizes.distinction,
        separation=sizes.separation,
        reasons=reasons,
        attackers=AttackerRisks(
            prosecutor=ProsecutorRisk(**record_figures(prosecutor)),
            journalist=about.pop("journalist"),
            marketer=about.pop("marketer"),
        ),
        **about,
        verdict=Verdict(passed=None, checks=[]),
        queries=[],
        warnings=[text for name in ("prosecutor", "journalist") if (text := policy.threshold_of(name).warning)][:1],
    )
    verdict = judge(result, limits_of(policy), policy.justification, policy.accept_weak)
    return result.model_copy(update={"verdict": verdict, "seconds": time.perf_counter() - clock})
