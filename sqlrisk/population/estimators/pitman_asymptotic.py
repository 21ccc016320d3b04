"""Pitman's model by the asymptotic form ``Γ(θ+1)/Γ(θ+α) N^α`` that older tools print (Hoshino 2001).

Here so that people can compare with older reports. As in those tools, α may be negative (a population of −θ/α classes). The
form is off where N is not far above θ, and for α below 0 it falls with N: it then says next to nothing.
"""

from __future__ import annotations

import math

from sqlrisk.population.estimate import Estimate
from sqlrisk.population.estimators.ewens_pitman import fit, fit_finite, refusal
from sqlrisk.population.sample import Sample
from sqlrisk.population.series import log_rising

NO_UNIQUES = "the release has no unique record; older tools then print 0"
EVEN = "the classes are as even as if all were of one size: the model has no largest likelihood"
FINITE = "alpha is negative, a population of a fixed number of classes: the asymptotic form says next to nothing there"
OUT_OF_RANGE = "the asymptotic form gives more uniques than there are people: it is out of its range here"


def estimate(sample: Sample) -> Estimate:
    """S_1 by the asymptotic form; None without repeats or with one class, and where the form exceeds N."""
    if sample.uniques == 0:
        return Estimate(0.0, reason=NO_UNIQUES)
    refused = refusal(sample)
    if refused:
        return refused
    best = fit(sample)
    if best.alpha == 0:
        best = fit_finite(sample)
        if best is None:
            return Estimate.none(EVEN, converged=False)
    parameters = {"theta": best.theta, "alpha": best.alpha}
    log_people = float(log_rising(best.theta + best.alpha, 1 - best.alpha)) + best.alpha * math.log(sample.population)
    if log_people > math.log(sample.population):
        return Estimate.none(OUT_OF_RANGE, **parameters)
    return Estimate(math.exp(log_people), parameters, reason=FINITE if best.alpha < 0 else None)
