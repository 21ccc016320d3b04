"""What the parts of one statement share: the question, the steps so far, the key columns, and the rows to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlrisk.sql.coding import add_coded, add_codes, is_missing
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.frequencies import add_model_codes
from sqlrisk.sql.quasi_identifier import Generalised, float_text, float_text_of
from sqlrisk.sql.question import Counting, Missing, Question, Rows
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.sensitive import columns_of, source_columns, texts_of
from sqlrisk.sql.steps import Chain
from sqlrisk.sql.tallies import Measured, Tallies
from sqlrisk.sql.trees import case, integer, named, of_source, sums_of


@dataclass(frozen=True)
class Job:
    """What the parts of one statement share, and the steps that several of them add."""

    dialect: Dialect
    question: Question
    chain: Chain
    keys: list[str]
    policy: Measured
    coded_policy: Measured
    tallies: Tallies

    @property
    def key_columns(self) -> dict[str, list[exp.Expression]]:
        """The slot of the key columns, filled."""
        return {"quasi_identifiers": [named(key) for key in self.keys]}

    @property
    def partition(self) -> list[exp.Expression]:
        """The key columns for PARTITION BY."""
        whole = self.dialect.partitions_by_float or self.has_codes
        return [
            named(key) if whole or item.kind is not Kind.FLOAT else float_text(key)
            for key, item in zip(self.keys, self.question.release.keys, strict=True)
        ]

    @property
    def has_codes(self) -> bool:
        """Whether values are joined with their numbers somewhere."""
        question = self.question
        wildcard = question.missing is Missing.WILDCARD
        return bool(wildcard or question.model or question.release.sensitive) or question.counting is Counting.MULTISET

    def key_of(self, item: Generalised) -> exp.Expression:
        """A key as a step has it: where floating-point numbers are joined, and NaN is not itself, as a text."""
        as_text = item.kind is Kind.FLOAT and self.has_codes and not self.dialect.partitions_by_float
        return float_text_of(item.key) if as_text else item.key.copy()

    def add_rows(self, name: str, rows: Rows, flags: list[exp.Alias]) -> None:
        """The step of the release, or of the population."""
        keys = [exp.alias_(self.key_of(item), key, quoted=True) for item, key in zip(rows.keys, self.keys, strict=True)]
        entity = [exp.alias_(of_source(rows.entity), "entity", quoted=True)] if rows.entity else []
        conditions = [rows.where.copy()] if rows.where is not None else []
        if name == "population" and rows.suppressed is not None:
            nothing_left = rows.suppressed
            for column in nothing_left.find_all(exp.Column):
                column.set("table", None)
            conditions.append(exp.EQ(this=case([(nothing_left, 1)], 0), expression=integer(0)))
        source = rows.relation.filtered(conditions)
        of_people = self.question.counting is not Counting.RECORDS
        survey = rows.survey.columns(self.dialect, as_text=of_people) if rows.survey else []
        sensitive = source_columns(rows.sensitive)
        columns = {
            "quasi_identifiers": keys,
            "entity": entity,
            "sensitive": sensitive,
            "survey": survey,
            "tallies": flags,
        }
        self.chain.add(name, "release", columns, {"__source__": source})
        if rows.reread:
            self.chain.reread.add(self.chain.names[name])

    def add_people(self, name: str, tuples: str, tallies: list[str], more: Sequence[exp.Expression] = ()) -> None:
        """The step of people by the multiset of their rows, with ``more`` columns of each."""
        person = self.dialect.sorted_numbers(named("tuple"))
        columns = {"person": [person], "tally_sums": [*sums_of(tallies), *more]}
        self.chain.add(name, "people_multiset", columns, reads={"tuples": tuples})

    def add_register(self) -> str:
        """The step that holds the population: each person once a tuple where it has an entity id, else its rows."""
        if not self.question.population.entity:
            return "population"
        sums = sums_of([flag.alias for flag in self.tallies.population])
        columns = {**self.key_columns, "measured": [self.policy.population_measured], "tally_sums": sums}
        self.chain.add("population_people", "population_people", columns)
        return "population_people"

    def code(self) -> tuple[list[str], str]:
        """Steps in which release and population have numbers in the place of values; the last of each, and a step with the
        keys of both."""
        sensitive = self.question.release.sensitive
        rows = ["release", *(["population"] if self.question.population else [])]
        if self.question.model:
            add_model_codes(self)
        else:
            add_codes(self, self.keys, rows=self._both("both", rows))
        add_codes(self, columns_of(sensitive), texts_of(sensitive))
        coded = [add_coded(self, "release", [*self.keys, *columns_of(sensitive)])]
        if self.question.population:
            coded.append(add_coded(self, "population", self.keys))
        return coded, self._both("both_coded", coded)

    def _both(self, name: str, rows: Sequence[str]) -> str:
        if len(rows) == 1:
            return rows[0]
        reads = dict(zip(("release", "population"), rows, strict=True))
        self.chain.add(name, "both", self.key_columns, reads=reads)
        return name

    def population_arm(self) -> list[exp.Query]:
        """N, where people are not the sum of the classes: a person can have several tuples."""
        return [self.chain.bind("population_size", {})] if self.question.population.entity else []


def begin(dialect: Dialect, question: Question, more: Sequence[exp.Alias] = ()) -> Job:
    """A statement about ``question`` with its first step, the rows of the release, and ``more`` columns of them."""
    release, population = question.release, question.population
    reserved = table_names(release) | (table_names(population) if population else set())
    for table in question.model:
        reserved |= {read.name.lower() for read in table.relation.source.find_all(exp.Table)}
    keys = [f"qi_{number}" for number in range(1, len(release.keys) + 1)]
    policy, coded = (
        Measured([is_missing(key, coded) for key in keys], question.missing, release.suppressed is not None)
        for coded in (False, True)
    )
    job = Job(dialect, question, Chain(reserved), keys, policy, coded, Tallies(release, population, question.missing))
    job.add_rows("release", release, [*job.tallies.release, *more])
    return job


def table_names(rows: Rows) -> set[str]:
    """The names of the tables that ``rows`` are read from, and of the CTEs of the user's own query."""
    trees = [rows.relation.source, *([rows.where] if rows.where is not None else [])]
    return {table.name.lower() for tree in trees for table in tree.find_all(exp.Table)} | ctes_of(rows)


def ctes_of(rows: Rows) -> set[str]:
    """The names of the CTEs of the user's own query."""
    return {cte.alias.lower() for cte in rows.relation.source.find_all(exp.CTE)}
