"""The release as a simple random sample: its frequency of frequencies, and the size of the population."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.errors import RequestError

WINDOW = 50
"""Models of which only the small classes matter are fitted, and compared, on the classes of 1 to this many records."""


def check_population(population: int, n: int) -> None:
    """:class:`RequestError` for a population smaller than the release of ``n`` records."""
    if population < n:
        raise RequestError(
            f"the population ({population:,}) is smaller than the release ({n:,} records)",
            "give the number of people that the release is a sample of; with several rows a person, give the entity id",
        )


@dataclass(frozen=True)
class Sample:
    """``sizes`` of the release's classes, and ``population``: N, the people it is a simple random sample of.

    :class:`RequestError` where N is smaller than the release.
    """

    sizes: ClassSizes
    population: int

    def __post_init__(self) -> None:
        check_population(self.population, self.n)

    @cached_property
    def size(self) -> np.ndarray:
        """j: the sizes that occur, ascending, as floats."""
        return np.array([size for size, _ in self.sizes.pairs], dtype=float)

    @cached_property
    def count(self) -> np.ndarray:
        """f_j: the number of classes of each of these sizes."""
        return np.array([count for _, count in self.sizes.pairs], dtype=float)

    @cached_property
    def n(self) -> int:
        """The records of the release."""
        return self.sizes.records

    @cached_property
    def u(self) -> int:
        """The classes of the release."""
        return self.sizes.classes

    @property
    def uniques(self) -> int:
        """f_1, the sample uniques."""
        return self.sizes.sample_uniques

    @property
    def pairs(self) -> int:
        """f_2, the classes of two."""
        return dict(self.sizes.pairs).get(2, 0)

    @property
    def repeats(self) -> int:
        """r = u - f_1: the classes that carry information about the population."""
        return self.u - self.uniques

    @property
    def fraction(self) -> float:
        """The sampling fraction n/N."""
        return self.n / self.population

    @property
    def most_uniques(self) -> int:
        """The largest possible S_1: the release's own uniques, and everybody outside it."""
        return self.uniques + self.population - self.n

    def bounded(self, people: float) -> float:
        """``people`` within [0, ``most_uniques``]: nobody else can be unique."""
        return float(min(max(people, 0.0), self.most_uniques))

    @property
    def is_census(self) -> bool:
        """Whether the release is the whole population."""
        return self.n == self.population

    @cached_property
    def small(self) -> np.ndarray:
        """f_1, ..., f_WINDOW, zeros included."""
        small = np.zeros(WINDOW)
        inside = self.size <= WINDOW
        small[self.size[inside].astype(int) - 1] = self.count[inside]
        return small
