"""Which model's answer is given: one by name, the published rule, or ours.

``dankar``: Dankar, El Emam, Neisa & Roffey (2012), "Estimating the re-identification risk of clinical data sets". ``auto``
is sqlrisk's own; docs/explanation/estimators.md has its validation.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sqlrisk.errors import RequestError, nearest
from sqlrisk.population.estimate import Estimate, Law
from sqlrisk.population.estimators.ewens_pitman import NO_REPEATS, ONE_CLASS
from sqlrisk.population.laws import Census, NegativeBinomial, Pooled, census
from sqlrisk.population.sample import Sample

MODELS = (
    "pitman_yor",
    "pitman",
    "pitman_asymptotic",
    "ewens",
    "log_series",
    "zayatz",
    "snb",
    "negative_binomial",
    "poisson_inverse_gaussian",
    "poisson_lognormal",
    "npmle",
)
RULES = ("auto", "dankar")
NAMES = (*RULES, *MODELS)

NOT_AVERAGED, AVERAGED = 0.002, 0.005
"""Between these sampling fractions the average comes in: where one in a thousand is seen, the small classes tell the models
apart, but not what they are extrapolated to."""
HALF_WEIGHT = 200
"""With this number of repeats the average of the models has half of the weight that it could have."""
KEPT = 0.25
"""The share that pitman_yor keeps beside the average however many repeats there are: on real tables no model fits."""
PUBLISHED_FROM, PUBLISHED_ALONE = 0.1, 0.4
"""Between these sampling fractions the published rule takes over: what it extrapolates from is then in the sample."""

NEGLIGIBLE = 0.01
"""A model of less weight is not fitted again when an answer is resampled."""

FAILED = "its solver failed on this histogram"

_AVERAGED = ("pitman_yor", "negative_binomial", "poisson_inverse_gaussian", "poisson_lognormal")


@dataclass(frozen=True)
class Answer:
    """``people``: S_1, people of the population alone in their class. ``records``: tau_1, records of the release that are
    population uniques. Both are None where there is no estimate; ``reason`` says why, or what is doubtful."""

    estimator: str
    people: float | None
    records: float | None
    law: Law | None
    reason: str | None = None


class Fits:
    """The models fitted to one sample, each when it is first asked for."""

    def __init__(self, sample: Sample, without: Collection[str] = ()) -> None:
        self.sample = sample
        self._known = dict.fromkeys(without, Estimate.none("left out"))

    def __getitem__(self, name: str) -> Estimate:
        if name not in self._known:
            try:
                self._known[name] = _bounded(fit(self.sample, name), self.sample)
            except (ArithmeticError, ValueError):  # a model that is only compared must not stop the answer
                self._known[name] = Estimate.none(FAILED, converged=False)
        return self._known[name]

    def like(self, sample: Sample, name: str) -> Fits:
        """Those of a sample drawn anew from this one, for the rule ``name``: what had no weight is not fitted again."""
        if name not in RULES:
            return Fits(sample)
        left_out = {"npmle"}  # of the rules' answers it only serves the law
        if all(model in self._known for model in _AVERAGED):
            weights = _weights(self)
            left_out |= {model for model in _AVERAGED[1:] if weights.get(model, 0.0) < NEGLIGIBLE}
        return Fits(sample, left_out)

    def records(self, name: str) -> float | None:
        """tau_1 of a model: by its law, else the sampling fraction of S_1."""
        return _records(self[name], self.sample)


def check_name(name: str) -> None:
    """:class:`RequestError` for an estimator that does not exist."""
    if not isinstance(name, str) or name not in NAMES:
        raise RequestError(f"there is no estimator `{name}`", nearest(str(name), list(NAMES)))


def fit(sample: Sample, name: str) -> Estimate:
    """One model's answer; f_1 in a census."""
    if sample.is_census:
        return census(sample)
    return importlib.import_module(f"sqlrisk.population.estimators.{name}").estimate(sample)


def answer(fits: Fits, name: str) -> Answer:
    """The answer of the model or rule called ``name``."""
    sample = fits.sample
    if sample.is_census:
        return Answer(name, float(sample.uniques), float(sample.uniques), Census())
    if name in RULES:
        return {"auto": _auto, "dankar": _dankar}[name](fits)
    return _single(fits, name, name)


def _single(fits: Fits, name: str, as_name: str) -> Answer:
    chosen = fits[name]
    return Answer(as_name, chosen.people, fits.records(name), chosen.law, chosen.reason)


def _dankar(fits: Fits) -> Answer:
    sample = fits.sample
    if sample.uniques == 0:
        return Answer("dankar", 0.0, 0.0, None)
    if sample.fraction <= 0.1:
        return _single(fits, "pitman" if fits["pitman"].people is not None else "zayatz", "dankar")
    known = {name: fits[name].people for name in ("snb", "zayatz") if fits[name].people is not None}
    if not known:
        return Answer("dankar", None, None, None, fits["zayatz"].reason)
    return _single(fits, min(known, key=known.__getitem__), "dankar")


def _auto(fits: Fits) -> Answer:
    sample = fits.sample
    if sample.uniques == sample.n:
        return Answer("auto", None, None, None, NO_REPEATS)
    if sample.u == 1:
        return Answer("auto", 0.0, 0.0, NegativeBinomial(sample.fraction), ONE_CLASS)
    share = (sample.fraction - PUBLISHED_FROM) / (PUBLISHED_ALONE - PUBLISHED_FROM)
    return _of_large_fraction(fits) if share >= 1 else _mean(fits, max(share, 0.0))


def _of_large_fraction(fits: Fits) -> Answer:
    """The published rule, with a law of F that agrees with it where Zayatz' estimate, which has none, is the smaller."""
    published = _dankar(fits)
    if published.people is None or published.law is not None:
        return Answer("auto", published.people, published.records, published.law, published.reason)
    laws = [law for name in ("pitman_yor", "snb", "negative_binomial", "npmle") if (law := fits[name].law) is not None]
    return _with_law(fits, published.people, published.records, laws, published.reason)


def _mean(fits: Fits, share: float) -> Answer:
    """The geometric mean of three answers: the published rule with the weight ``share``, and for the rest pitman_yor and
    the average of four models weighted by their fit, which counts the more the more repeats there are."""
    sample = fits.sample
    published = _dankar(fits) if share else None
    if published is None or published.people is None:
        share = 0.0
    seen = math.log(sample.fraction / NOT_AVERAGED) / math.log(AVERAGED / NOT_AVERAGED)
    told = min(max(seen, 0.0), 1.0) * sample.repeats**2 / (sample.repeats**2 + HALF_WEIGHT**2)
    averaged = told * (1 - KEPT * (1 - share)) * (1 - share)
    own = 1 - share - averaged
    if own == 1:
        return _single(fits, "pitman_yor", "auto")
    weights = _weights(fits) if averaged else {}
    answers = [(fits["pitman_yor"].people, fits.records("pitman_yor"), own)]
    if averaged:
        people = sum(weight * fits[name].people for name, weight in weights.items())
        answers.append((people, sum(weight * fits.records(name) for name, weight in weights.items()), averaged))
    if share:
        answers.append((published.people, published.records, share))
    laws = [fits["pitman_yor"].law, *(fits[name].law for name, weight in weights.items() if weight > NEGLIGIBLE)]
    if share and published.law is not None:
        laws.append(published.law)
    people = _geometric([(people, weight) for people, _, weight in answers], 0.5)
    records = _geometric([(records, weight) for _, records, weight in answers], 0.5 * sample.fraction)
    reason = fits["pitman_yor"].reason if own >= 0.5 else None
    return _with_law(fits, sample.bounded(people), records, laws, reason)


def _weights(fits: Fits) -> dict[str, float]:
    """exp(-AIC/2) over the models with an answer, on the class sizes that all of them describe; each has two parameters."""
    small = fits.sample.small
    known = [name for name in _AVERAGED if fits[name].people is not None and fits[name].expected is not None]
    logs = {name: _log_likelihood(small, fits[name].expected) for name in known}
    best = max([*logs.values(), -1e300])  # of models none of which could show what was seen, pitman_yor remains
    raw = {name: math.exp(value - best) for name, value in logs.items()}
    total = sum(raw.values())
    return {name: value / total for name, value in raw.items()} if total else {"pitman_yor": 1.0}


def _log_likelihood(small: np.ndarray, expected: np.ndarray) -> float:
    """The multinomial log-likelihood of the small classes, given how many they are."""
    seen = small > 0
    if (expected[seen] <= 0).any():
        return -math.inf
    return float(small[seen] @ np.log(expected[seen] / expected.sum()))


def _geometric(values: Sequence[tuple[float, float]], least: float) -> float:
    """The geometric mean of (value, weight) pairs whose weights sum to 1. Values below ``least`` count as that: nobody and
    a thousandth of somebody are the same answer."""
    if all(value <= least for value, _ in values):
        return sum(weight * value for value, weight in values)
    return math.exp(sum(weight * math.log(max(value, least)) for value, weight in values))


def _with_law(fits: Fits, people: float, records: float, laws: list[Law], reason: str | None) -> Answer:
    """The answer with a law of F that gives the same records: a pool of the two laws nearest to them on either side."""
    uniques, one = fits.sample.uniques, np.ones(1)
    if not uniques:
        return Answer("auto", people, 0.0, laws[0] if laws else None, reason)
    target = min(records / uniques, 1.0)
    known = [(float(law.at_most(one, 1)[0]), law) for law in [*laws, NegativeBinomial(fits.sample.fraction), Census()]]
    below = max((item for item in known if item[0] <= target), key=lambda item: item[0], default=None)
    above = min((item for item in known if item[0] >= target), key=lambda item: item[0])
    if below is None or below[0] == above[0]:
        return Answer("auto", people, uniques * above[0], above[1], reason)
    share = (target - below[0]) / (above[0] - below[0])
    return Answer("auto", people, records, Pooled((below[1], above[1]), (1 - share, share)), reason)


def _records(estimate: Estimate, sample: Sample) -> float | None:
    if estimate.people is None:
        return None
    if estimate.law is None:
        return min(sample.fraction * estimate.people, float(sample.uniques))
    return sample.uniques * float(estimate.law.at_most(np.ones(1), 1)[0])


def _bounded(estimate: Estimate, sample: Sample) -> Estimate:
    return estimate if estimate.people is None else replace(estimate, people=sample.bounded(estimate.people))
