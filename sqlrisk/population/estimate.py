"""What an estimator says, and what it says of the classes of each size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np


class Law(Protocol):
    """The law of F, the size of a class in the population, given s, its size in the release.

    ``sizes`` are whole numbers from 1, as a float array; the answers have its shape.
    """

    def inverse(self, sizes: np.ndarray) -> np.ndarray:
        """E[1/F | s]."""
        ...

    def at_most(self, sizes: np.ndarray, k: float) -> np.ndarray:
        """P(F <= k | s); 0 where s > k."""
        ...


@dataclass(frozen=True)
class Estimate:
    """One model's answer.

    ``people`` is S_1, the people of the population who are alone in their class; None where there is no estimate, and
    ``reason`` then says why. ``reason`` beside an estimate says what is doubtful about it. ``law`` is None where the model
    says nothing of F given s. ``expected`` are the model's expected frequencies of the sample's class sizes 1 to WINDOW,
    up to a common factor, by which models are compared; None where it has none.
    """

    people: float | None
    parameters: Mapping[str, float] = field(default_factory=dict)
    converged: bool = True
    reason: str | None = None
    law: Law | None = None
    expected: np.ndarray | None = None

    @classmethod
    def none(cls, reason: str, converged: bool = True, **parameters: float) -> Estimate:
        """No estimate, for ``reason``."""
        return cls(None, parameters, converged, reason)
