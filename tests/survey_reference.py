"""Record risk from survey weights (Benedetti & Franconi 1998), and the risk of a household.

The engines compute the same from ``sql_templates/record_risks.sql``; this is what they are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from sqlrisk.errors import RequestError

# Sizes from which Gauss's continued fraction, _DEPTH terms deep, is exact to the last digit for every weight.
_LARGE, _DEPTH = 50, 40


def individual_risk(size: int, weight: float) -> float:
    """The risk of a record in a class of ``size`` records whose survey weights sum to ``weight``.

    The mean of 1/F, where F, the people of the population in the class, is negative binomial: with ``p = size/weight``
    it is ``(p^s/s) 2F1(s, s; s+1; 1-p)``. A weight below ``size`` counts as ``size``: then p is 1, and the risk 1/size.
    """
    if not (size >= 1 and 0 < weight < math.inf):
        raise RequestError(
            f"a class of {size} records with the weight {weight:g} has no risk", "both must be positive numbers"
        )
    if weight <= size:
        return 1 / size
    p, q = size / weight, (weight - size) / weight
    # ln p, from whichever of p and q has the digits.
    logarithm = math.log(p) if p < 0.5 else math.log1p(-q)
    if size == 1:
        return -p * logarithm / q
    if size == 2 and p < 0.5:
        return p * (1 + p * logarithm / q) / q
    # Euler: (p^s/s) 2F1(s, s; s+1; q) = (p/s) 2F1(1, 1; s+1; q), which neither under- nor overflows.
    return p / size * (_large(size, q) if size >= _LARGE else _hypergeometric(size, q))


def household_risk(risks: Iterable[float]) -> float:
    """The risk that anybody of a household is found, from the risks of its members: ``1 - prod(1 - r)``."""
    known = list(risks)
    if any(risk >= 1 for risk in known):
        return 1.0
    return -math.expm1(math.fsum(math.log1p(-risk) for risk in known))


def _hypergeometric(size: int, q: float) -> float:
    from scipy.special import hyp2f1

    return float(hyp2f1(1, 1, size + 1, q))


def _large(size: int, q: float) -> float:
    """Gauss's continued fraction for 2F1(1, 1; size+1; q), from its end."""
    rest = 1.0
    for term in range(_DEPTH, 0, -1):
        n = term // 2
        above = (n + 1) * (size + n) if term % 2 else n * (size + n - 1)
        below = (size + term - 1) * (size + term)
        rest = 1 - above * q / below / rest
    return 1 / rest
