"""Published precedents: thresholds and limits that somebody else chose for their releases, with the source. Never a default."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Precedent:
    """What a published precedent allows an attacker: a record risk (its threshold, and the highest that passes), or an
    average; ``averaged`` takes the policy's threshold as the limit on the average."""

    source: str
    highest: Fraction | None = None
    average: Fraction | None = None
    averaged: bool = False

    @property
    def limits(self) -> str:
        """What it limits, in words."""
        if self.averaged:
            return f"average risk at most the threshold, highest risk at most {self.highest}"
        if self.average is not None:
            return f"average risk at most {float(self.average):g}"
        return f"highest risk at most {self.highest}"


def _smallest(size: int, source: str) -> Precedent:
    return Precedent(source, highest=Fraction(1, size))


PROFILES = {
    "k3": _smallest(
        3,
        "three to a cell, the least rule of statistical offices: Hundepool et al., Statistical Disclosure Control (2012)",
    ),
    "k5": _smallest(5, "five to a cell, common for health data: El Emam & Dankar, JAMIA 15 (2008)"),
    "ema-0070": _smallest(
        11, "European Medicines Agency, external guidance on Policy 0070, EMA/90915/2016: 0.09 for publication"
    ),
    "health-canada-prci": _smallest(
        11, "Health Canada, guidance on the Public Release of Clinical Information (2019): 0.09 for publication"
    ),
    "us-public": _smallest(
        11, "Centers for Medicare & Medicaid Services, cell size suppression policy: no cell of 1 to 10"
    ),
    "strict-public": _smallest(
        20,
        "twenty to a cell, the strictest in use for public files: El Emam, Guide to the De-Identification of PHI (2013)",
    ),
    "competition": Precedent(
        "Heritage Health Prize: El Emam et al., J Med Internet Res 14 (2012) e33", average=Fraction(1, 20)
    ),
    "strict-average": Precedent(
        "strict average risk: El Emam, Guide to the De-Identification of PHI (2013); an average, and nobody above one half",
        highest=HALF,
        averaged=True,
    ),
}
