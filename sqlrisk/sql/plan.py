"""Which questions, one statement, one scan: the steps of an assessment's SELECT, composed from templates.

The statement is a chain of named steps (CTEs) and tagged arms, joined by UNION ALL, that each return a small histogram.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.sql.coding import add_numbers, unless
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.frequencies import add_frequencies, add_model_rows, bins, frequency_sums
from sqlrisk.sql.job import Job, begin, ctes_of, table_names
from sqlrisk.sql.quasi_identifier import Generalised
from sqlrisk.sql.question import Counting, Missing, Question
from sqlrisk.sql.relation import Kind
from sqlrisk.sql.sensitive import SensitiveSteps, columns_of
from sqlrisk.sql.steps import Plan, compose
from sqlrisk.sql.survey import add_weighted, survey_arms, survey_arms_of_matches
from sqlrisk.sql.tallies import Measured
from sqlrisk.sql.trees import named, sums_of
from sqlrisk.sql.wildcard import add_wild_rows, wildcard_arms


def plan(dialect: Dialect, question: Question) -> Plan:
    """The statement that counts the release, and beside it the population."""
    release, population = question.release, question.population
    job = begin(dialect, question)
    if release.survey:
        add_weighted(job, release.survey, [flag.alias for flag in job.tallies.release])
    if population:
        if dialect.hoists_ctes and (
            ctes_of(release) & table_names(population) or ctes_of(population) & table_names(release)
        ):
            raise RequestError("a WITH of --query has the name of a table that is read too", "rename it")
        check_kinds(release.keys, population.keys, "the population")
        job.add_rows("population", population, job.tallies.population)
    for table in question.model:
        check_kinds([release.keys[at - 1] for at in table.keys], list(table.keys.values()), "the population model")
    return compose(dialect, job.chain, _COUNTINGS[question.counting](job))


_PEOPLE_TALLIES = ["records", "partly_missing", "wholly_missing"]


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


def check_kinds(release: Sequence[Generalised], other: Sequence[Generalised], where: str) -> None:
    """Keys must compare."""
    for ours, theirs in zip(release, other, strict=True):
        # A whole number beyond 2**53 that meets a floating-point one would lose its last digits.
        alike = {ours.kind, theirs.kind} == {Kind.INTEGER, Kind.DECIMAL}
        if ours.kind is not theirs.kind and not alike:
            raise RequestError(
                f"`{ours.column}` is {ours.kind.value} in the release, and `{theirs.column}` is {theirs.kind.value} in {where}",
                "generalise them to the same kind, or cast one in a view",
            )
