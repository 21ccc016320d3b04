"""How probable it is that a re-identification is attempted at all: factors that stand beside a risk, never in its place.

Source: El Emam, Guide to the De-Identification of Personal Health Information (2013), chapters 12 to 16.
"""

from __future__ import annotations

ACQUAINTANCES = 150
"""People whom somebody knows well enough to recognise (Dunbar's number)."""


def knows_one(prevalence: float, acquaintances: int = ACQUAINTANCES) -> float:
    """The probability of knowing at least one person of whom the release could be: ``1 − (1 − prevalence)^acquaintances``.

    ``prevalence`` is the share of the population that such releases are about, in [0, 1].
    """
    return 1 - (1 - prevalence) ** acquaintances
