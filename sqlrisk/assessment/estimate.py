"""Everything that needs only the frequency of frequencies: the procedure of ``sqlrisk estimate``."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from sqlrisk import __version__
from sqlrisk.assessment.context import context_of
from sqlrisk.assessment.estimated import about_estimates, about_thresholds, figures_of, parts
from sqlrisk.assessment.histogram import read_sizes
from sqlrisk.assessment.judged import about_earlier, about_policy, decided, refuse_increase
from sqlrisk.assessment.recorded import record_of
from sqlrisk.assessment.sensitive import nothing_of_sensitive
from sqlrisk.errors import RequestError, without_context
from sqlrisk.policy import Policy
from sqlrisk.result import Assessment, MeasuredRelease, Verdict


@without_context
def estimate_histogram(policy: Policy, histogram: Any) -> Assessment:
    """Judge a histogram of class sizes (a file or a value, see ``read_sizes``) by ``policy``, without any database."""
    started, clock = datetime.now(UTC), time.perf_counter()
    refuse_increase(policy)
    if policy.population.table is not None:
        raise RequestError(
            "a population table cannot be compared with a histogram",
            "give the population's size, or use `sqlrisk assess`",
        )
    if policy.population.model is not None:
        raise RequestError(
            "a population model needs the values of the classes, which a histogram does not have",
            "leave it out, or use `sqlrisk assess`",
        )
    sizes, name = read_sizes(histogram)
    if not sizes.pairs:
        raise RequestError(f"{name or 'the histogram'} holds no record", "there is nothing to estimate from")
    warnings = [*about_thresholds(policy), *about_estimates(policy), *about_policy(policy, started.date())]
    warnings += about_earlier(policy, "a histogram of class sizes has no records to link")
    result = Assessment(
        sqlrisk_version=__version__,
        started_at=started,
        seconds=0.0,
        dialect=None,
        release=MeasuredRelease(histogram=name or "class sizes", records=sizes.records),
        **figures_of(policy, sizes, parts(policy, sizes)),
        sensitive=nothing_of_sensitive(policy, "a histogram of class sizes holds no sensitive value"),
        policy=record_of(policy),
        verdict=Verdict(passed=None, checks=[]),
        queries=[],
        warnings=list(dict.fromkeys(warnings)),
    )
    result = result.model_copy(update={"context": context_of(policy, result), "seconds": time.perf_counter() - clock})
    return decided(policy, result)
