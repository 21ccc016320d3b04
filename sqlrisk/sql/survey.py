"""Survey weights and households: what the steps of a statement carry for them, and the arms that they add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.quasi_identifier import double_of
from sqlrisk.sql.relation import Column, Kind
from sqlrisk.sql.sensitive import source_columns
from sqlrisk.sql.trees import case, integer, is_lost, is_null, named, of_source, string

if TYPE_CHECKING:
    from sqlrisk.sql.job import Job

# What is wrong with a row, in tallies of rows.
_OF_ROWS = ("weight_missing", "weight_unconverted", "weight_not_positive", "weight_not_finite")
# A person has one weight and one household.
_WEIGHTS_DIFFER, _HOUSEHOLDS_DIFFER = "weights_differ", "households_differ"


@dataclass(frozen=True)
class Survey:
    """The weight of a row of the release, and its household's id, as SQL over the columns of ``source``."""

    weight: Column
    household: Column | None

    def __post_init__(self) -> None:
        if not (self.weight.kind.is_number or self.weight.kind is Kind.TEXT):
            raise RequestError(
                f"weight `{self.weight.name}` has the type {self.weight.type_name}, which is no number",
                "name the column of the survey weights",
            )
        if self.household is not None and self.household.kind is Kind.UNGROUPABLE:
            raise RequestError(
                f"household `{self.household.name}` has the type {self.household.type_name}, which cannot be grouped",
                "name the column of the household's id",
            )

    @property
    def row_flags(self) -> list[str]:
        """The tallies of rows that the step `weighted` makes."""
        return [*(["household_missing"] if self.household else []), *_OF_ROWS]

    @property
    def person_flags(self) -> list[str]:
        """The tallies of people, of whom every row must say the same."""
        return [_WEIGHTS_DIFFER, *([_HOUSEHOLDS_DIFFER] if self.household else [])]

    @property
    def row_columns(self) -> list[exp.Expression]:
        """What a row has besides its tallies."""
        return [named("weight"), *([named("household")] if self.household else [])]

    def columns(self, dialect: Dialect, as_text: bool) -> list[exp.Expression]:
        """What the release's step selects; ``as_text``: the household's id as a text, which every engine can order."""
        number = double_of(self.weight, dialect)
        lost = is_lost(of_source(self.weight.name), number)
        unconverted = case([(lost, 1)], 0) if self.weight.kind is Kind.TEXT else integer(0)
        columns = [("weight", number), ("unconverted", unconverted)]
        if self.household is not None:
            columns.append(("household", _id(self.household, dialect, as_text)))
        return [exp.alias_(value, name, quoted=True) for name, value in columns]

    def checked(self) -> dict[str, list[exp.Expression]]:
        """The household's slots of the step `weighted`."""
        if self.household is None:
            return {"household": [], "household_checked": []}
        measured = exp.EQ(this=named("measured"), expression=integer(1))
        kept = case([(measured, named("household"))])
        absent = case([(exp.and_(measured.copy(), is_null(named("household"))), 1)], 0)
        pairs = (("household", kept), ("household_missing", absent))
        return {
            "household": [named("household")],
            "household_checked": [exp.alias_(value, name, quoted=True) for name, value in pairs],
        }

    def person_columns(self) -> list[exp.Expression]:
        """The weight and household of a person from their rows, and whether those say different things."""
        columns = [*_one_of("weight", _WEIGHTS_DIFFER)]
        if self.household is not None:
            columns += _one_of("household", _HOUSEHOLDS_DIFFER)
        return columns

    def class_columns(self) -> list[exp.Expression]:
        """What a class has besides its tallies: how many of its records have a weight, its sum, how many are below 1."""
        weight = named("weight")
        below = case([(exp.LT(this=weight, expression=integer(1)), 1)])
        columns = (
            ("weighted", exp.Count(this=weight.copy()), "bigint"),
            ("weight", exp.Sum(this=weight.copy()), "double"),
            ("weights_below_one", exp.Count(this=below), "bigint"),
        )
        return [exp.alias_(exp.cast(value, to), name, quoted=True) for name, value, to in columns]


def add_weighted(job: Job, survey: Survey, tallies: Sequence[str]) -> None:
    """The step of the checked weights, which the later ones read as the release."""
    left_out = job.policy.row_left_out
    columns = {
        **job.key_columns,
        **survey.checked(),
        "entity": [named("entity")] if job.question.release.entity else [],
        "sensitive": [named(alias.alias) for alias in source_columns(job.question.release.sensitive)],
        "tallies": [named(name) for name in tallies],
        "measured": [case([(left_out, 0)] if left_out is not None else [], 1)],
    }
    job.chain.add("weighted", "weighted", columns)
    job.chain.names["release"] = job.chain.names["weighted"]


def survey_arms(job: Job, survey: Survey, units: str, partition: Sequence[exp.Expression]) -> list[exp.Query]:
    """The arms of the weights and of the households: over the step `classes`, and over the ``units`` (the step of the
    records or of the people), which ``partition`` puts into the same classes."""
    if survey.household is not None:
        job.chain.add("household_members", "household_members", {"partition": partition}, reads={"release": units})
    return _arms(job, survey, "classes", ("weighted", "weight"))


def survey_arms_of_matches(job: Job, survey: Survey) -> list[exp.Query]:
    """The same where a missing value matches anything: over the step `matches`, and the step `wild_rows`."""
    if survey.household is not None:
        job.chain.add("household_members", "matched_members", {})
    return _arms(job, survey, "matches", ("own_weighted", "own_weight"))


def _arms(job: Job, survey: Survey, classes: str, own: tuple[str, str]) -> list[exp.Query]:
    chain = job.chain
    records, weight = ([named(name)] for name in own)
    kept = [named(name) for name in dict.fromkeys((*own, "weights_below_one"))]
    chain.add("record_risks", "record_risks", {"kept": kept}, reads={"classes": classes})
    arms = [chain.bind("survey", {"records": records, "weight": weight})]
    if survey.household is None:
        return arms
    household = {"kept": [named("household")]}
    chain.add("member_risks", "record_risks", household, reads={"classes": "household_members"})
    chain.add("household_risks", "household_risks", {}, reads={"record_risks": "member_risks"})
    return [*arms, chain.bind("households", {})]


def _one_of(name: str, differ: str) -> list[exp.Expression]:
    """A person's one value of the column, and whether their rows have several. Missing values are counted by row."""
    least, most = exp.Min(this=named(name)), exp.Max(this=named(name))
    several = exp.LT(this=least.copy(), expression=most)
    value = case([(exp.EQ(this=least.copy(), expression=most.copy()), least)])
    pairs = ((name, value), (differ, case([(several, 1)], 0)))
    return [exp.alias_(tree, alias, quoted=True) for alias, tree in pairs]


def _id(column: Column, dialect: Dialect, as_text: bool) -> exp.Expression:
    value = of_source(column.name)
    if not as_text or column.kind is Kind.TEXT:
        return value
    if column.kind is Kind.DECIMAL:
        return dialect.decimal_text(value)
    text = exp.cast(value, "text")
    if column.kind is Kind.FLOAT:  # 0.0 and -0.0 are one household
        return case([(exp.EQ(this=value.copy(), expression=integer(0)), string("0"))], text)
    return text
