"""Flags of rows that are summed all the way up, and which rows are measured."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlrisk.sql.question import Missing, Rows
from sqlrisk.sql.sensitive import flags_of
from sqlrisk.sql.trees import case, integer, is_null, named, of_source


class Tallies:
    """0/1 flags of rows that are summed all the way up: which they are for each side, and how they are written."""

    def __init__(self, release: Rows, population: Rows | None, missing: Missing) -> None:
        self.release = [*_flags(release, ""), *flags_of(release.sensitive, _left_out(release, missing))]
        self.population = _flags(population, "population_") if population else []
        self.has_weights = release.survey is not None
        self.of_release = [
            *(flag.alias for flag in self.release),
            *(release.survey.row_flags if release.survey else []),
        ]

    @property
    def names(self) -> list[str]:
        """Every tally's column."""
        return [*self.of_release, *(flag.alias for flag in self.population)]

    def branches(self, more: Sequence[str] = ()) -> dict[str, list[exp.Expression]]:
        """The two halves of a UNION ALL of release and population: own tallies, zeros for the other side's."""
        own, other = [*self.of_release, *more], [flag.alias for flag in self.population]
        weight = [named("weight")] if self.has_weights else []
        no_weight = [exp.alias_(exp.cast(exp.null(), "double"), "weight", quoted=True)] if self.has_weights else []
        return {
            "release_tallies": [*map(named, own), *map(_zero, other), *weight],
            "population_tallies": [*map(_zero, own), *map(named, other), *no_weight],
        }


class Measured:
    """Which rows are measured, as expressions over the key columns (of which ``absent`` are missing) and tallies."""

    def __init__(self, absent: Sequence[exp.Expression], missing: Missing, has_suppressed: bool) -> None:
        whole, some = exp.and_(*absent), exp.or_(*absent)
        # One key is missing as a whole or not at all.
        partly = [(some, 1)] if len(absent) > 1 else []
        self.missing = case([(whole, 2), *partly], 0)
        self._partly, self._wholly = case([(whole, 0), *partly], 0), case([(whole, 1)], 0)
        self._excluded = some if missing is Missing.EXCLUDE else None
        self._has_suppressed = has_suppressed

    @property
    def row_left_out(self) -> exp.Expression | None:
        """Whether a row of the release is left out; None if none is."""
        suppressed = exp.EQ(this=named("suppressed"), expression=integer(1))
        conditions = [self._excluded, suppressed if self._has_suppressed else None]
        given = [condition.copy() for condition in conditions if condition is not None]
        return exp.or_(*given) if given else None

    @property
    def pair_measured(self) -> exp.Expression:
        """1, or 0 for a person's tuple that is left out: excluded, or suppressed in each of its rows."""
        suppressed = exp.EQ(this=exp.Sum(this=named("suppressed")), expression=exp.Count(this=exp.Star()))
        conditions = [self._excluded, suppressed if self._has_suppressed else None]
        return case([(condition, 0) for condition in conditions if condition is not None], 1)

    @property
    def population_left_out(self) -> exp.Expression | None:
        """Whether a row of the population is left out; None if none is. The suppressed are not even read."""
        return self._excluded.copy() if self._excluded is not None else None

    @property
    def population_measured(self) -> exp.Expression:
        """1, or 0 for a row or tuple of the population that is left out."""
        return case([(self._excluded, 0)] if self._excluded is not None else [], 1)

    def row_tallies(self, names: Sequence[str], records: exp.Expression | None = None) -> list[exp.Expression]:
        """Tallies of a row or tuple that stands for ``records`` records: those so far, and three more."""
        flags = {"records": None, "partly_missing": self._partly, "wholly_missing": self._wholly}
        counts = [exp.alias_(_times(flag, records), name, quoted=True) for name, flag in flags.items()]
        return [*map(named, names), *counts]


def _left_out(rows: Rows, missing: Missing) -> list[exp.Expression]:
    """Why a row of the release is left out, as conditions over the columns of its source."""
    excluded = [is_null(item.key.copy()) for item in rows.keys] if missing is Missing.EXCLUDE else []
    return [*excluded, *([rows.suppressed] if rows.suppressed is not None else [])]


def _flags(rows: Rows, prefix: str) -> list[exp.Alias]:
    flags = []
    if rows.suppressed is not None and not prefix:
        flags.append(exp.alias_(case([(rows.suppressed, 1)], 0), "suppressed", quoted=True))
    for number, item in enumerate(rows.keys, start=1):
        if item.may_fail:
            flags.append(exp.alias_(case([(item.lost, 1)], 0), f"{prefix}unconverted_{number}", quoted=True))
    if rows.entity:
        absent = is_null(of_source(rows.entity))
        flags.append(exp.alias_(case([(absent, 1)], 0), f"{prefix}unidentified", quoted=True))
    return flags


def _zero(name: str) -> exp.Expression:
    return exp.alias_(integer(0), name, quoted=True)


def _times(flag: exp.Expression | None, count: exp.Expression | None) -> exp.Expression:
    """``flag * count``, where None is 1."""
    factors = [factor.copy() for factor in (flag, count) if factor is not None]
    if len(factors) == 2:
        return exp.Mul(this=factors[0], expression=factors[1])
    return factors[0] if factors else integer(1)
