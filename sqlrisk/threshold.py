"""The record risk above which a record is at risk, as the exact fraction that the user wrote."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sqlrisk.errors import RequestError

_FORMS = re.compile(
    r"(?:(?P<numerator>[0-9]{1,9})\s*/\s*(?P<denominator>[0-9]{1,9})|k\s*=\s*(?P<k>[0-9]{1,9})|(?P<decimal>[0-9]*\.?[0-9]{1,20}))"
)


def parse_fraction(text: object, what: str, sizes: bool = True) -> Fraction:
    """``0.2``, ``1/11`` or ``k=11`` as an exact fraction; :class:`RequestError` naming ``what`` for anything else.

    ``k=11`` only where ``sizes``: what is no risk has no class size.
    """
    forms = "write it as `0.2`, `1/11` or `k=11`" if sizes else "write it as `0.05` or `1/20`"
    match = _FORMS.fullmatch(plain(text))
    if match is None or (match["k"] and not sizes):
        raise RequestError(f"{what} `{plain(text)[:40]}` is not a number", forms)
    if match["decimal"]:
        return Fraction(match["decimal"])
    numerator, denominator = (
        (1, int(match["k"])) if match["k"] else (int(match["numerator"]), int(match["denominator"]))
    )
    if denominator == 0:
        raise RequestError(f"{what} `{text}` divides by zero", forms)
    return Fraction(numerator, denominator)


def plain(number: object) -> str:
    """A number as people write it: a float without an exponent."""
    return f"{Decimal(repr(float(number))):f}" if isinstance(number, float) else str(number).strip()


@dataclass(frozen=True)
class Threshold:
    """A record is at risk when its risk is strictly above ``value``.

    ``value`` is exact, so that ``0.09`` is 9/100 and not "about 1/11": whether a class of 11 is at risk must not hang
    on a rounded decimal. A class of size s is at risk when ``s * value < 1``, decided in integers.
    """

    value: Fraction
    text: str

    @classmethod
    def parse(cls, text: object) -> Threshold:
        """Read ``0.2``, ``1/11`` or ``k=11``; :class:`RequestError` outside (0, 1]."""
        if isinstance(text, Threshold):
            return text
        beyond = re.fullmatch(r"-[\d./ ]+|k\s*=\s*-?0*|k\s*=\s*-\d+", plain(text))
        value = Fraction(0) if beyond else parse_fraction(text, "the threshold")
        if not 0 < value <= 1:
            raise RequestError(
                f"the threshold `{text}` is outside (0, 1]", "it is a record risk: write `0.2`, `1/11` or `k=11`"
            )
        return cls(value, plain(text))

    @property
    def smaller_than(self) -> int:
        """K such that exactly the classes smaller than K are at risk."""
        return math.ceil(1 / self.value)

    def at_risk(self, size: int) -> bool:
        """Whether a class of ``size`` records is at risk."""
        return size * self.value < 1

    @property
    def warning(self) -> str | None:
        """Names the fraction that a rounded decimal usually stands for: 0.09 is 9/100, and 1/11 is usually meant."""
        if 1 / self.value == self.smaller_than or "." not in self.text:
            return None
        decimals = len(self.text.split(".")[1])
        for denominator in range(3, 13):
            if decimals >= 2 and round(Fraction(1, denominator), decimals) == self.value:
                return (
                    f"threshold {self.text} is not 1/{denominator}: it puts classes smaller than {self.smaller_than} "
                    f"at risk. If 1/{denominator} is meant, write 1/{denominator} (classes smaller than {denominator})"
                )
        return None


DEFAULT_THRESHOLD = Threshold(Fraction(1, 5), "1/5")
