"""The frequency of frequencies as a value, and every figure that needs nothing else.

Sources: El Emam & Dankar (2008), "Protecting privacy using k-anonymity"; Dankar & El Emam (2010), "A method for
evaluating marketer re-identification risk"; Motwani & Xu (2007) for distinction and separation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlrisk.errors import RequestError
from sqlrisk.threshold import DEFAULT_THRESHOLD, Threshold

if TYPE_CHECKING:
    import pandas

    from sqlrisk.population.estimation import EstimatedMatches, EstimatedRisk, Estimation, PopulationUniques


@dataclass(frozen=True)
class RecordRisk:
    """Risk of the records of a release against one attacker. Shares are of the records, never of the classes.

    ``classes_at_risk`` is None where records do not fall into classes (see :class:`RecordSizes`); every figure but the
    threshold is None for a release without records.
    """

    threshold: Threshold
    highest_risk: float | None
    lowest_risk: float | None
    average_risk: float | None
    records_at_risk: float | None
    share_at_risk: float | None
    classes_at_risk: float | None

    @property
    def classes_smaller_than(self) -> int:
        """K: the threshold puts exactly the classes smaller than K at risk."""
        return self.threshold.smaller_than

    @classmethod
    def unknown(cls, threshold: Threshold) -> RecordRisk:
        """The risk of which nothing is known."""
        return cls(threshold, None, None, None, None, None, None)


@dataclass(frozen=True)
class ClassSizes:
    """How many equivalence classes there are of each size: ``ClassSizes({1: 500, 2: 150})``.

    Takes a mapping size -> classes or pairs (size, classes). Sizes and counts are whole numbers; sizes are at least 1,
    classes at least 0 (pairs with 0 classes are dropped). :class:`RequestError` otherwise.
    """

    pairs: tuple[tuple[int, int], ...]

    def __init__(self, sizes: Mapping[int, int] | Iterable[tuple[int, int]]) -> None:
        object.__setattr__(self, "pairs", _histogram(sizes, "class"))

    @property
    def records(self) -> int:
        """n, the records of the release (people, with an entity id)."""
        return sum(size * classes for size, classes in self.pairs)

    @property
    def classes(self) -> int:
        """u, the equivalence classes."""
        return sum(classes for _, classes in self.pairs)

    @property
    def smallest(self) -> int | None:
        """k of k-anonymity: the size of the smallest class; None without classes."""
        return self.pairs[0][0] if self.pairs else None

    @property
    def largest(self) -> int | None:
        """The size of the largest class; None without classes."""
        return self.pairs[-1][0] if self.pairs else None

    @property
    def sample_uniques(self) -> int:
        """Records that are alone in their class."""
        return self.pairs[0][1] if self.pairs and self.pairs[0][0] == 1 else 0

    @property
    def distinction(self) -> float | None:
        """Classes over records, u/n, in (0, 1]; None without records."""
        return self.classes / self.records if self.pairs else None

    @property
    def separation(self) -> float | None:
        """The share of pairs of records that differ somewhere, ``1 - sum f_j j(j-1) / (n(n-1))``; None below two records."""
        n = self.records
        if n < 2:
            return None
        together = sum(classes * size * (size - 1) for size, classes in self.pairs)
        return (n * (n - 1) - together) / (n * (n - 1))

    def prosecutor(self, threshold: object = DEFAULT_THRESHOLD) -> RecordRisk:
        """Risk against an attacker who knows that the target is in the release: 1/size for each record.

        ``threshold`` is ``"1/5"``, ``0.2``, ``"k=5"`` or a :class:`Threshold`. The average is u/n, over records.
        """
        limit = Threshold.parse(threshold)
        if not self.pairs:
            return RecordRisk.unknown(limit)
        at_risk = [(size, classes) for size, classes in self.pairs if limit.at_risk(size)]
        records = sum(size * classes for size, classes in at_risk)
        return RecordRisk(
            threshold=limit,
            highest_risk=1 / self.pairs[0][0],
            lowest_risk=1 / self.pairs[-1][0],
            average_risk=self.classes / self.records,
            records_at_risk=records,
            share_at_risk=records / self.records,
            classes_at_risk=sum(classes for _, classes in at_risk),
        )

    def population_uniques(
        self,
        population_size: int | None = None,
        sampling_fraction: object = None,
        estimator: str = "auto",
        seed: int = 0,
    ) -> PopulationUniques:
        """How many people of the population, and how many records of the release, are alone in the population.

        The release is taken as a simple random sample of ``population_size`` people, or as ``sampling_fraction`` of them.
        ``estimator`` is one of the models, ``"dankar"`` or ``"auto"``; ``seed`` is of the interval's resampling.
        :class:`RequestError` for a population smaller than the release.
        """
        return self._estimation(population_size, sampling_fraction, estimator, seed).uniques

    def journalist(
        self,
        threshold: object = DEFAULT_THRESHOLD,
        population_size: int | None = None,
        sampling_fraction: object = None,
        estimator: str = "auto",
        seed: int = 0,
    ) -> EstimatedRisk:
        """Estimated risk against somebody who does not know whether the target is in the release; arguments as above."""
        return self._estimation(population_size, sampling_fraction, estimator, seed).journalist(threshold)

    def marketer(
        self,
        population_size: int | None = None,
        sampling_fraction: object = None,
        estimator: str = "auto",
        seed: int = 0,
    ) -> EstimatedMatches:
        """Estimated share of the records that somebody who matches everybody gets right; arguments as above."""
        return self._estimation(population_size, sampling_fraction, estimator, seed).marketer()

    def _estimation(self, size: object, fraction: object, estimator: str, seed: int) -> Estimation:
        from sqlrisk.population.estimation import Estimation, population_of

        return Estimation(self, population_of(self, size, fraction), estimator, seed)

    def to_frame(self) -> pandas.DataFrame:
        """A pandas DataFrame with the columns ``class_size`` and ``classes``, ascending."""
        return _frame(self.pairs, ("class_size", "classes"))


@dataclass(frozen=True)
class RecordSizes:
    """How many records have each number of matches, where matches do not partition the records into classes.

    So it is when a person's risk is the worst over several tuples (``--entity-counting distinct``). Takes what
    :class:`ClassSizes` takes, with records (people) in the place of classes.
    """

    pairs: tuple[tuple[int, int], ...]

    def __init__(self, sizes: Mapping[int, int] | Iterable[tuple[int, int]]) -> None:
        object.__setattr__(self, "pairs", _histogram(sizes, "record"))

    @property
    def records(self) -> int:
        """n, the records (people, with an entity id)."""
        return sum(records for _, records in self.pairs)

    @property
    def smallest(self) -> int | None:
        """The smallest number of matches; None without records."""
        return self.pairs[0][0] if self.pairs else None

    @property
    def sample_uniques(self) -> int:
        """Records that match nobody but themselves."""
        return self.pairs[0][1] if self.pairs and self.pairs[0][0] == 1 else 0

    def prosecutor(self, threshold: object = DEFAULT_THRESHOLD) -> RecordRisk:
        """As :meth:`ClassSizes.prosecutor`; the average is the mean of 1/matches over the records."""
        return record_risk(self.pairs, Threshold.parse(threshold))

    def to_frame(self) -> pandas.DataFrame:
        """A pandas DataFrame with the columns ``record_size`` and ``records``, ascending."""
        return _frame(self.pairs, ("record_size", "records"))


def record_risk(pairs: Iterable[tuple[int, int]], threshold: Threshold) -> RecordRisk:
    """Risk of records with (matches, records) pairs; matches may repeat and stand in any order."""
    pairs = list(pairs)
    n = sum(records for _, records in pairs)
    if n == 0:
        return RecordRisk.unknown(threshold)
    at_risk = sum(records for size, records in pairs if threshold.at_risk(size))
    return RecordRisk(
        threshold=threshold,
        highest_risk=1 / min(size for size, _ in pairs),
        lowest_risk=1 / max(size for size, _ in pairs),
        average_risk=math.fsum(records / size for size, records in pairs) / n,
        records_at_risk=at_risk,
        share_at_risk=at_risk / n,
        classes_at_risk=None,
    )


@dataclass(frozen=True)
class JointSizes:
    """How many classes have each pair (size in the release, size in the population).

    ``triples`` are (s, F, classes). Classes of the population that the release does not have stand with s = 0, those of
    the release that the population table lacks with F = 0. ``population`` is N, the records (people) of the population.
    """

    triples: tuple[tuple[int, int, int], ...]
    population: int

    @property
    def in_release(self) -> list[tuple[int, int, int]]:
        """The triples of the release's own classes, as measured."""
        return [triple for triple in self.triples if triple[0] > 0]

    @property
    def corrected(self) -> list[tuple[int, int, int]]:
        """The same with F = s where the population table has fewer than the release (or none)."""
        return [(s, max(s, f), classes) for s, f, classes in self.in_release]

    @property
    def not_in_population(self) -> tuple[int, int]:
        """(classes, records) of the release that the population table does not have."""
        return self._count(lambda s, f: f == 0)

    @property
    def inconsistent(self) -> tuple[int, int]:
        """(classes, records) that the population table has, but fewer of them than the release."""
        return self._count(lambda s, f: 0 < f < s)

    def _count(self, keep: Callable[[int, int], bool]) -> tuple[int, int]:
        chosen = [(s, classes) for s, f, classes in self.in_release if keep(s, f)]
        return sum(classes for _, classes in chosen), sum(s * classes for s, classes in chosen)


@dataclass(frozen=True)
class JointRecordSizes:
    """The same where matches do not partition records into classes.

    ``triples`` are (s, F, records), F = s where the population table has fewer. Of people counted by their distinct tuples,
    s and F are the smallest over them; where a missing value matches anything, they are the record's matches, and
    ``lowest_presence`` is the lowest s/F over the population's records. ``absent`` and ``fewer`` are the records for which
    the population table had nobody, or fewer than the release.
    """

    triples: tuple[tuple[int, int, int], ...]
    population: int
    absent: int
    fewer: int
    lowest_presence: float | None = None

    @property
    def corrected(self) -> list[tuple[int, int, int]]:
        """The triples; F is corrected already."""
        return list(self.triples)

    @property
    def not_in_population(self) -> tuple[None, int]:
        """(None, people) with a tuple that the population table does not have."""
        return None, self.absent

    @property
    def inconsistent(self) -> tuple[None, int]:
        """(None, people) with a tuple of which the population table has fewer than the release."""
        return None, self.fewer


def _histogram(sizes: Mapping[int, int] | Iterable[tuple[int, int]], what: str) -> tuple[tuple[int, int], ...]:
    pairs = sizes.items() if isinstance(sizes, Mapping) else sizes
    total: dict[int, int] = {}
    for size, count in pairs:
        if not is_whole(size, 1) or not is_whole(count, 0):
            raise RequestError(
                f"({size}, {count}) is not a {what} size and its count", "sizes are whole numbers from 1, counts from 0"
            )
        total[int(size)] = total.get(int(size), 0) + int(count)
    return tuple((size, count) for size, count in sorted(total.items()) if count)


def is_whole(number: object, least: int) -> bool:
    """Whether ``number`` is a whole number from ``least`` on."""
    try:
        return int(number) == number and number >= least
    except (TypeError, ValueError, OverflowError):
        return False


def _frame(pairs: tuple[tuple[int, int], ...], columns: tuple[str, str]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame(list(pairs), columns=list(columns))
