"""What is to be counted, and of which rows: the question that a statement answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from sqlglot import exp

from sqlrisk.sql.frequencies import Frequencies
from sqlrisk.sql.quasi_identifier import Counted, Generalised, counted_by
from sqlrisk.sql.relation import Column, Kind, Relation
from sqlrisk.sql.sensitive import SensitiveKey, SensitiveQuestion
from sqlrisk.sql.survey import Survey


class Counting(Enum):
    """What is counted: records, or people by the multiset of their rows or by their distinct tuples."""

    RECORDS = "records"
    MULTISET = "multiset"
    DISTINCT = "distinct"


class Missing(Enum):
    """How a missing quasi-identifier matches."""

    VALUE = "value"
    EXCLUDE = "exclude"
    WILDCARD = "wildcard"


@dataclass(frozen=True)
class Rows:
    """A relation whose rows are to be counted: which columns, which rows, whose they are, and what they stand for.

    ``reread`` says that steps which need a column or two of it read it anew, and do not hold its rows.
    """

    relation: Relation
    keys: Sequence[Generalised]
    where: exp.Expression | None = None
    entity: str | None = None
    survey: Survey | None = None
    sensitive: Sequence[SensitiveKey] = ()
    reread: bool = False
    entity_kind: Kind = Kind.OTHER

    def counted(self, column: Column, suppressed: str | None) -> Counted:
        """What ``min_count`` counts: the values of ``column`` in these rows."""
        conditions = [self.where.copy()] if self.where is not None else []
        source = exp.alias_(self.relation.filtered(conditions).copy(), "source", table=True, quoted=True)
        return counted_by(column, source, suppressed)

    @property
    def suppressed(self) -> exp.Expression | None:
        """Whether nothing is left of a row: every text is the token, everything else missing. None without a token."""
        if not any(key.can_be_token for key in self.keys):
            return None
        return exp.and_(*(key.suppressed.copy() for key in self.keys))


@dataclass(frozen=True)
class Question:
    """What is to be counted. Wholly suppressed records are left out; their number, like that of excluded records, comes
    back in the same answer. ``model`` are the tables of a population model, which together have every quasi-identifier of
    the release once; it takes the place of a population."""

    release: Rows
    counting: Counting = Counting.RECORDS
    missing: Missing = Missing.VALUE
    population: Rows | None = None
    model: Sequence[Frequencies] = ()
    sensitive: SensitiveQuestion = SensitiveQuestion()
