"""Which questions, one statement, one scan: the steps of an assessment's SELECT, composed from templates.

The statement is a chain of named steps (CTEs) and tagged arms, joined by UNION ALL, that each return a small histogram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.sql.coding import add_coded, add_codes, add_numbers, is_missing, unless
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.frequencies import add_frequencies, add_model_codes, add_model_rows, bins, frequency_sums
from sqlrisk.sql.quasi_identifier import Generalised, float_text, float_text_of
from sqlrisk.sql.question import Counting, Missing, Question, Rows
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.sensitive import SensitiveSteps, columns_of, source_columns, texts_of
from sqlrisk.sql.steps import Chain
from sqlrisk.sql.survey import add_weighted, survey_arms, survey_arms_of_matches
from sqlrisk.sql.tallies import Measured, Tallies
from sqlrisk.sql.trees import case, integer, named, of_source, sums_of
from sqlrisk.sql.wildcard import add_wild_rows, wildcard_arms


@dataclass(frozen=True)
class Plan:
    """One SELECT that answers every question, and what its result columns are called.

    ``columns`` are the result's columns in order, the first of them ``arm``; an arm that lacks a column has NULL there.
    """

    select: exp.Query
    columns: tuple[str, ...]


def plan(dialect: Dialect, question: Question) -> Plan:
    """The statement that counts the release, and beside it the population."""
    release, population = question.release, question.population
    reserved = _table_names(release) | (_table_names(population) if population else set())
    for table in question.model:
        reserved |= {read.name.lower() for read in table.relation.source.find_all(exp.Table)}
    keys = [f"qi_{number}" for number in range(1, len(release.keys) + 1)]
    policy, coded = (
        Measured([is_missing(key, coded) for key in keys], question.missing, release.suppressed is not None)
        for coded in (False, True)
    )
    job = Job(dialect, question, Chain(reserved), keys, policy, coded, Tallies(release, population, question.missing))
    job.add_rows("release", release, job.tallies.release)
    if release.survey:
        add_weighted(job, release.survey, [flag.alias for flag in job.tallies.release])
    if population:
        if dialect.hoists_ctes and (
            _ctes(release) & _table_names(population) or _ctes(population) & _table_names(release)
        ):
            raise RequestError("a WITH of --query has the name of a table that is read too", "rename it")
        _check_kinds(release.keys, population.keys, "the population")
        job.add_rows("population", population, job.tallies.population)
    for table in question.model:
        _check_kinds([release.keys[at - 1] for at in table.keys], list(table.keys.values()), "the population model")
    return _compose(job, _COUNTINGS[question.counting](job))


_PEOPLE_TALLIES = ["records", "partly_missing", "wholly_missing"]


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
        source = rows.relation.source
        conditions = [rows.where.copy()] if rows.where is not None else []
        if name == "population" and rows.suppressed is not None:
            nothing_left = rows.suppressed
            for column in nothing_left.find_all(exp.Column):
                column.set("table", None)
            conditions.append(exp.EQ(this=case([(nothing_left, 1)], 0), expression=integer(0)))
        if conditions:
            # A subquery, so that no alias of the SELECT list can be taken for a column of the condition.
            source = exp.select("*").from_(rows.relation.aliased(rows.relation.own_name)).where(*conditions).subquery()
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


def _plan_records(job: Job) -> list[exp.Query]:
    if job.question.missing is Missing.WILDCARD:
        return _plan_wildcard(job)
    survey, modelled = job.question.release.survey, bool(job.question.model)
    arms = add_model_rows(job)
    coded: list[str] = []
    if modelled:
        coded = _read_coded(job)
    policy, kept = (job.coded_policy, [named(key) for key in job.keys]) if modelled else (job.policy, [])
    _add_classes(job, policy, kept, more=survey.class_columns() if survey else [])
    if modelled:
        add_frequencies(job, "classes")
    sums = [*sums_of(job.tallies.names), *(frequency_sums() if modelled else [])]
    if job.question.population is None:
        arms.insert(0, job.chain.bind("class_sizes", {"bins": [bins()] if modelled else [], "tally_sums": sums}))
    else:
        arms += [job.chain.bind("joint_sizes", {"tally_sums": sums}), *job.population_arm()]
    if survey:
        arms += survey_arms(job, survey, "release", job.partition)
    if job.question.release.sensitive:
        numbered, number = add_numbers(job, job.keys, coded, coded[0]) if coded else _numbered(job)
        arms += SensitiveSteps(job).arms_of_records(numbered[0], number)
    return arms


def _read_coded(job: Job) -> list[str]:
    """The steps with coded keys, which from here on stand for the release and the population."""
    coded, _ = job.code()
    for name, step in zip(("release", "population"), coded, strict=False):
        job.chain.names[name] = job.chain.names[step]
    return coded


def _plan_wildcard(job: Job) -> list[exp.Query]:
    model_arms = add_model_rows(job)
    _read_coded(job)
    survey, sensitive = job.question.release.survey, job.question.release.sensitive
    more = survey.class_columns() if survey else []
    _add_classes(job, job.coded_policy, kept=[named(key) for key in job.keys], more=more)
    arms = [*wildcard_arms(job, sums_of(job.tallies.names)), *model_arms]
    if job.question.population:
        arms += job.population_arm()
    if sensitive or (survey and survey.household):
        add_wild_rows(job)
    if survey:
        arms += survey_arms_of_matches(job, survey)
    if sensitive:
        arms += SensitiveSteps(job).arms_of_matches("wild_rows")
    return arms


def _add_classes(job: Job, policy: Measured, kept: list[exp.Expression], more: list[exp.Expression]) -> None:
    """The step of the classes, of release and population together if there is one."""
    columns = {**job.key_columns, "missing": [policy.missing], "kept": kept}
    columns["tally_sums"] = [*sums_of(job.tallies.names), *more]
    if job.question.population is None:
        job.chain.add("classes", "classes", columns)
        return
    everyone = {**job.key_columns, **job.tallies.branches()}
    job.chain.add("everyone", "everyone", everyone, reads={"population": job.add_register()})
    job.chain.add("classes", "joint_classes", columns)


def _plan_multiset(job: Job) -> list[exp.Query]:
    survey = job.question.release.survey
    (numbered, *population), number = _numbered(job)
    tuple_ = unless(job.coded_policy.row_left_out, number)
    names = job.tallies.of_release
    row_tallies = [*job.coded_policy.row_tallies(names), *(survey.row_columns if survey else [])]
    values = [named(name) for name in columns_of(job.question.release.sensitive)]
    tuples = {"tuple": [tuple_], "sensitive": values, "row_tallies": row_tallies}
    job.chain.add("tuples", "tuples", tuples, reads={"release": numbered})
    job.add_people("people", "tuples", [*names, *_PEOPLE_TALLIES], survey.person_columns() if survey else [])
    of_people = [*_PEOPLE_TALLIES, *(survey.person_flags if survey else [])]
    sums = {"tally_sums": sums_of([*job.tallies.names, *of_people])}
    classes = {"tally_sums": [*sums["tally_sums"], *(survey.class_columns() if survey else [])]}
    if job.question.population is None:
        job.chain.add("classes", "classes_of_people", classes)
        arms = [job.chain.bind("class_sizes_of_people", sums)]
    else:
        _add_population_people(job, population[0], number)
        job.chain.add("everyone", "everyone_multiset", job.tallies.branches(of_people))
        job.chain.add("classes", "joint_classes_of_people", classes)
        arms = [job.chain.bind("joint_sizes_of_people", sums)]
    if survey:
        arms += survey_arms(job, survey, "people", [named("person")])
    if job.question.release.sensitive:
        arms += SensitiveSteps(job).arms_of_people()
    return arms


def _numbered(job: Job) -> tuple[list[str], exp.Expression]:
    """The steps of release and population in which rows have the number of their tuple, and that number."""
    coded, both = job.code()
    return add_numbers(job, job.keys, coded, both)


def _add_population_people(job: Job, numbered: str, number: exp.Expression) -> None:
    names = [flag.alias for flag in job.tallies.population]
    tuple_ = unless(job.coded_policy.population_left_out, number.copy())
    columns = {"tuple": [tuple_], "sensitive": [], "row_tallies": [named(name) for name in names]}
    job.chain.add("population_tuples", "tuples", columns, reads={"release": numbered})
    job.add_people("population_people", "population_tuples", names)


def _plan_distinct(job: Job) -> list[exp.Query]:
    own = [flag.alias for flag in job.tallies.release]
    counted = exp.alias_(exp.cast(exp.Count(this=exp.Star()), "bigint"), "records", quoted=True)
    pairs = {"measured": [job.policy.pair_measured], "tally_sums": [*sums_of(own), counted]}
    job.chain.add("pairs", "pairs", {**job.key_columns, **pairs})
    sums = {"tally_sums": sums_of([*job.tallies.names, *_PEOPLE_TALLIES])}
    tallies = job.policy.row_tallies(job.tallies.names, named("records"))
    sizes = {"partition": job.partition, "row_tallies": tallies}
    if job.question.population is None:
        job.chain.add("pair_sizes", "pair_sizes", sizes)
        job.chain.add("people", "people_distinct", sums)
        return [job.chain.bind("record_sizes", sums)]
    register = job.add_register()
    everyone = {"population_measured": [job.policy.population_measured], **job.tallies.branches(["records"])}
    job.chain.add("everyone", "everyone_distinct", {**job.key_columns, **everyone}, reads={"population": register})
    job.chain.add("pair_sizes", "joint_pair_sizes", sizes)
    job.chain.add("people", "joint_people_distinct", sums)
    return [job.chain.bind("joint_record_sizes", sums), *job.population_arm()]


_COUNTINGS = {
    Counting.RECORDS: _plan_records,
    Counting.MULTISET: _plan_multiset,
    Counting.DISTINCT: _plan_distinct,
}


def _compose(job: Job, arms: list[exp.Query]) -> Plan:
    columns = _absent(arms)
    if len(arms) > 1:
        arms = [_padded(arm, columns) for arm in arms]
    read = [
        table.name for part in [*arms, *(step for _, step in job.chain.steps)] for table in part.find_all(exp.Table)
    ]
    select: exp.Query = arms[0]
    for arm in arms[1:]:
        select = exp.union(select, arm, distinct=False, copy=False)
    for name, step in job.chain.steps:
        select = select.with_(exp.to_identifier(name, quoted=True), as_=step, copy=False)
    if job.dialect.materialised_ctes:
        # Hold what is read more than once; with one reader, pipelining is faster.
        for cte in select.args["with_"].expressions:
            if read.count(cte.alias) > 1:
                cte.set("materialized", cte.alias not in job.chain.reread)
    return Plan(select, tuple(columns))


def _padded(arm: exp.Query, columns: dict[str, exp.Expression]) -> exp.Query:
    own = dict(zip(arm.named_selects, arm.selects, strict=True))
    return arm.select(
        *(
            own[name].copy() if name in own else exp.alias_(absent.copy(), name, quoted=True)
            for name, absent in columns.items()
        ),
        append=False,
    )


def _absent(arms: Sequence[exp.Query]) -> dict[str, exp.Expression]:
    """The columns of all arms, and NULL of the type of each: that of its cast, whole numbers where it has none."""
    columns: dict[str, exp.Expression] = {}
    for arm in arms:
        for name, column in zip(arm.named_selects, arm.selects, strict=True):
            value = column.unalias()
            to = value.to.copy() if isinstance(value, exp.Cast) else "bigint"
            columns.setdefault(name, exp.cast(exp.null(), to))
    return columns


def _check_kinds(release: Sequence[Generalised], other: Sequence[Generalised], where: str) -> None:
    """Keys must compare."""
    for ours, theirs in zip(release, other, strict=True):
        # A whole number beyond 2**53 that meets a floating-point one would lose its last digits.
        alike = {ours.kind, theirs.kind} == {Kind.INTEGER, Kind.DECIMAL}
        if ours.kind is not theirs.kind and not alike:
            raise RequestError(
                f"`{ours.column}` is {ours.kind.value} in the release, and `{theirs.column}` is {theirs.kind.value} in {where}",
                "generalise them to the same kind, or cast one in a view",
            )


def _table_names(rows: Rows) -> set[str]:
    trees = [rows.relation.source, *([rows.where] if rows.where is not None else [])]
    return {table.name.lower() for tree in trees for table in tree.find_all(exp.Table)} | _ctes(rows)


def _ctes(rows: Rows) -> set[str]:
    """The names of the CTEs of the user's own query."""
    return {cte.alias.lower() for cte in rows.relation.source.find_all(exp.CTE)}
