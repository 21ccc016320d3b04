"""Which questions, one statement, one scan: the steps of an assessment's SELECT, composed from templates.

The statement is a chain of named steps (CTEs) and tagged arms, joined by UNION ALL, that each return a small histogram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from sqlglot import exp

from sqlrisk.errors import RequestError
from sqlrisk.sql import template
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.quasi_identifier import Generalised, key_text
from sqlrisk.sql.relation import Relation


class Counting(Enum):
    """What is counted: records, or people by the multiset of their rows or by their distinct tuples."""

    RECORDS = "records"
    MULTISET = "multiset"
    DISTINCT = "distinct"


class Missing(Enum):
    """How a missing quasi-identifier matches."""

    VALUE = "value"
    EXCLUDE = "exclude"


@dataclass(frozen=True)
class Rows:
    """A relation whose rows are to be counted: which columns, which rows, and whose they are."""

    relation: Relation
    keys: Sequence[Generalised]
    where: exp.Expression | None = None
    entity: str | None = None


@dataclass(frozen=True)
class Plan:
    """One SELECT that answers every question, and what its result columns are called.

    ``columns`` are the result's columns in order, the first of them ``arm``; an arm that lacks a column has NULL there.
    """

    select: exp.Query
    columns: tuple[str, ...]


@dataclass
class _Chain:
    """Steps so far; each is a name and the template that makes it."""

    reserved: set[str]
    steps: list[tuple[str, exp.Query]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, template_name: str, columns: dict, tables: dict | None = None, reads: dict | None = None) -> None:
        """Add the step ``name``; ``reads`` says which steps stand for the ones that the template names."""
        self.steps.append((self._own(name), self.bind(template_name, columns, tables, reads)))

    def bind(self, template_name: str, columns: dict, tables: dict | None = None, reads: dict | None = None) -> exp.Query:
        """A template that reads the steps so far."""
        known = {name: exp.to_table(own) for name, own in self.names.items()}
        renamed = {name: exp.to_table(self.names[step]) for name, step in (reads or {}).items()}
        return template.bind(template_name, columns, {**known, **renamed, **(tables or {})})

    def _own(self, name: str) -> str:
        # A step must not hide a table of the same name that a later step reads.
        own = name
        while own.lower() in self.reserved:
            own += "_"
        self.names[name] = own
        return own


def plan(
    dialect: Dialect,
    release: Rows,
    counting: Counting,
    missing: Missing,
    drop_wholly_missing: bool = False,
    population: Rows | None = None,
) -> Plan:
    """The statement that counts ``release``, and beside it ``population``.

    ``drop_wholly_missing`` leaves out records without any quasi-identifier (the wholly suppressed). Their number, like
    that of excluded records, comes back in the same answer.
    """
    keys = _keys(len(release.keys))
    chain = _Chain(_table_names(release) | (_table_names(population) if population else set()))
    tallies = _Tallies(release, population)
    policy = _Policy(keys, missing, drop_wholly_missing)
    _add_rows(chain, "release", release, tallies.release)
    if population:
        _check_kinds(release, population)
        _add_rows(chain, "population", population, tallies.population)
    arms = _COUNTINGS[counting](chain, dialect, release, population, keys, policy, tallies)
    return _compose(chain, arms, dialect)


class _Tallies:
    """0/1 flags of rows that are summed all the way up: which they are for each side, and how they are written."""

    def __init__(self, release: Rows, population: Rows | None) -> None:
        self.release = _flags(release, "")
        self.population = _flags(population, "population_") if population else []

    @property
    def names(self) -> list[str]:
        """Every tally's column."""
        return [flag.alias for flag in [*self.release, *self.population]]

    def branches(self, more: Sequence[str] = ()) -> dict[str, list[exp.Expression]]:
        """The two halves of a UNION ALL of release and population: own tallies, zeros for the other side's."""
        own, other = [*(flag.alias for flag in self.release), *more], [flag.alias for flag in self.population]
        return {
            "release_tallies": [*map(_column, own), *map(_zero, other)],
            "population_tallies": [*map(_zero, own), *map(_column, other)],
        }


class _Policy:
    """Which rows are measured, as expressions over the key columns."""

    def __init__(self, keys: Sequence[str], missing: Missing, drop_wholly_missing: bool) -> None:
        absent = [exp.Is(this=_column(key), expression=exp.null()) for key in keys]
        whole, some = exp.and_(*absent), exp.or_(*absent)
        self.missing = _case([(whole, 2), (some, 1)], 0)
        left_out = some if missing is Missing.EXCLUDE else whole if drop_wholly_missing else None
        self.left_out = left_out
        self.measured = _case([(left_out, 0)], 1) if left_out is not None else exp.Literal.number(1)

    def row_tallies(self, names: Sequence[str], records: exp.Expression | None = None) -> list[exp.Expression]:
        """Tallies of a row or tuple that stands for ``records`` records: those so far, and three more."""
        one = records if records is not None else exp.Literal.number(1)
        counts = [
            exp.alias_(one.copy(), "records", quoted=True),
            exp.alias_(_when(exp.EQ(this=self.missing.copy(), expression=exp.Literal.number(1)), one), "partly_missing"),
            exp.alias_(_when(exp.EQ(this=self.missing.copy(), expression=exp.Literal.number(2)), one), "wholly_missing"),
        ]
        return [*map(_column, names), *counts]


_PEOPLE_TALLIES = ["records", "partly_missing", "wholly_missing"]


def _plan_records(chain, dialect, release, population, keys, policy, tallies) -> list[exp.Query]:
    sums = {"tally_sums": _sums(tallies.names)}
    key_columns = _columns(keys)
    if population is None:
        chain.add("classes", "classes", {"quasi_identifiers": key_columns, "missing": [policy.missing], **sums})
        return [chain.bind("class_sizes", sums)]
    register = _add_population_people(chain, population, key_columns, policy, tallies)
    everyone = {"quasi_identifiers": key_columns, **tallies.branches()}
    chain.add("everyone", "everyone", everyone, reads={"population": register})
    chain.add("classes", "joint_classes", {"quasi_identifiers": key_columns, "missing": [policy.missing], **sums})
    return [chain.bind("joint_sizes", sums), *_population_arm(chain, population)]


def _plan_multiset(chain, dialect, release, population, keys, policy, tallies) -> list[exp.Query]:
    text = _tuple_text(release, keys, policy, dialect)
    names = [flag.alias for flag in tallies.release]
    chain.add("tuples", "tuples", {"tuple": [text], "row_tallies": policy.row_tallies(names)})
    _add_people_multiset(chain, "people", "tuples", [*names, *_PEOPLE_TALLIES], dialect)
    every = [*tallies.names, *_PEOPLE_TALLIES]
    sums = {"tally_sums": _sums(every)}
    if population is None:
        chain.add("classes", "classes_of_people", sums)
        return [chain.bind("class_sizes_of_people", sums)]
    _check_kinds(release, population, exactly=True)
    names = [flag.alias for flag in tallies.population]
    columns = {"tuple": [text], "row_tallies": list(map(_column, names))}
    chain.add("population_tuples", "tuples", columns, reads={"release": "population"})
    _add_people_multiset(chain, "population_people", "population_tuples", names, dialect)
    chain.add("everyone", "everyone_multiset", tallies.branches(_PEOPLE_TALLIES))
    # Names of the release's tallies, then of the people's, then of the population's: as the branches have them.
    chain.add("classes", "joint_classes_of_people", sums)
    return [chain.bind("joint_sizes_of_people", sums)]


def _plan_distinct(chain, dialect, release, population, keys, policy, tallies) -> list[exp.Query]:
    key_columns = _columns(keys)
    own = [flag.alias for flag in tallies.release]
    counted = exp.alias_(exp.cast(exp.Count(this=exp.Star()), "bigint"), "records", quoted=True)
    chain.add("pairs", "pairs", {"quasi_identifiers": key_columns, "tally_sums": [*_sums(own), counted]})
    every = [*tallies.names, *_PEOPLE_TALLIES]
    measured = {"quasi_identifiers": key_columns, "measured": [policy.measured]}
    if population is None:
        rows = policy.row_tallies(own, _column("records"))
        chain.add("pair_sizes", "pair_sizes", {**measured, "row_tallies": rows})
        chain.add("people", "people_distinct", {"tally_sums": _sums(every)})
        return [chain.bind("record_sizes", {"tally_sums": _sums(every)})]
    register = _add_population_people(chain, population, key_columns, policy, tallies)
    everyone = {"quasi_identifiers": key_columns, **tallies.branches(["records"])}
    chain.add("everyone", "everyone_distinct", everyone, reads={"population": register})
    counted_population = exp.Mul(this=_column("in_population"), expression=exp.paren(policy.measured.copy()))
    rows = [
        *policy.row_tallies(tallies.names, _column("records")),
        exp.alias_(counted_population, "population_records", quoted=True),
    ]
    chain.add("pair_sizes", "joint_pair_sizes", {**measured, "row_tallies": rows})
    sums = {"tally_sums": _sums([*every, "population_records"])}
    chain.add("people", "joint_people_distinct", sums)
    return [chain.bind("joint_record_sizes", sums), *_population_arm(chain, population)]


_COUNTINGS = {
    Counting.RECORDS: _plan_records,
    Counting.MULTISET: _plan_multiset,
    Counting.DISTINCT: _plan_distinct,
}


def _add_rows(chain: _Chain, name: str, rows: Rows, flags: list[exp.Alias]) -> None:
    keys = [exp.alias_(item.key.copy(), key, quoted=True) for item, key in zip(rows.keys, _keys(len(rows.keys)), strict=True)]
    entity = [exp.alias_(_source_column(rows.entity), "entity", quoted=True)] if rows.entity else []
    source = rows.relation.source
    if rows.where is not None:
        # A subquery, so that no alias of the SELECT list can be taken for a column of the condition.
        source = exp.select("*").from_(rows.relation.aliased("source")).where(rows.where.copy()).subquery()
    columns = {"quasi_identifiers": keys, "entity": entity, "tallies": flags}
    chain.add(name, "release", columns, {"__source__": source})


def _add_people_multiset(chain: _Chain, name: str, tuples: str, tallies: list[str], dialect: Dialect) -> None:
    chain.add(name, "people_multiset", {"tally_sums": _sums(tallies)}, reads={"tuples": tuples})
    for ordered in chain.steps[-1][1].find_all(exp.Ordered):
        ordered.set("this", dialect.bytewise(ordered.this.copy()))


def _add_population_people(chain, population, key_columns, policy, tallies) -> str:
    """The step that holds the population: each person once a tuple where it has an entity id, else its rows."""
    if not population.entity:
        return "population"
    sums = _sums([flag.alias for flag in tallies.population])
    columns = {"quasi_identifiers": key_columns, "measured": [policy.measured], "tally_sums": sums}
    chain.add("population_people", "population_people", columns)
    return "population_people"


def _population_arm(chain: _Chain, population: Rows) -> list[exp.Query]:
    return [chain.bind("population_size", {})] if population.entity else []


def _tuple_text(release: Rows, keys: Sequence[str], policy: _Policy, dialect: Dialect) -> exp.Expression:
    text: exp.Expression | None = None
    for key, item in zip(keys, release.keys, strict=True):
        part = key_text(key, item.kind, item.type_name, dialect)
        joined = exp.DPipe(this=text, expression=exp.Literal.string(","), safe=False) if text is not None else None
        text = exp.DPipe(this=joined, expression=part, safe=False) if joined is not None else part
    if policy.left_out is None:
        return text
    return exp.Case(ifs=[exp.If(this=exp.Not(this=exp.paren(policy.left_out.copy())), true=text)])


def _compose(chain: _Chain, arms: list[exp.Query], dialect: Dialect) -> Plan:
    columns = list(dict.fromkeys(name for arm in arms for name in arm.named_selects))
    if len(arms) > 1:
        arms = [_padded(arm, columns) for arm in arms]
    select: exp.Query = arms[0]
    for arm in arms[1:]:
        select = exp.union(select, arm, distinct=False, copy=False)
    for name, step in chain.steps:
        select = select.with_(exp.to_identifier(name, quoted=True), as_=step, copy=False)
    if dialect.materialised_ctes:
        _materialise(select, chain, arms)
    return Plan(select, tuple(columns))


def _materialise(select: exp.Query, chain: _Chain, arms: list[exp.Query]) -> None:
    """Hold the classes where several arms read them; with one reader, pipelining is faster."""
    read = [table.name for arm in arms for table in arm.find_all(exp.Table)]
    for cte in select.args["with_"].expressions:
        if read.count(cte.alias) > 1:
            cte.set("materialized", True)


def _padded(arm: exp.Query, columns: Sequence[str]) -> exp.Query:
    own = dict(zip(arm.named_selects, arm.selects, strict=True))
    absent = exp.cast(exp.null(), "bigint")
    return arm.select(
        *(own[name].copy() if name in own else exp.alias_(absent.copy(), name, quoted=True) for name in columns),
        append=False,
    )


def _check_kinds(release: Rows, population: Rows, exactly: bool = False) -> None:
    """Keys must compare; as texts (``exactly``), 1 and 1.0 do not."""
    for ours, theirs in zip(release.keys, population.keys, strict=True):
        alike = not exactly and ours.kind.is_number and theirs.kind.is_number
        if ours.kind is not theirs.kind and not alike:
            raise RequestError(
                f"`{ours.column}` is {ours.kind.value} in the release, `{theirs.column}` is {theirs.kind.value} in the population",
                "generalise them to the same kind, or cast one in a view",
            )


def _flags(rows: Rows, prefix: str) -> list[exp.Alias]:
    flags = []
    for number, item in enumerate(rows.keys, start=1):
        if item.may_fail:
            given = exp.Not(this=exp.Is(this=item.given.copy(), expression=exp.null()))
            lost = exp.and_(given, exp.Is(this=item.key.copy(), expression=exp.null()))
            flags.append(exp.alias_(_case([(lost, 1)], 0), f"{prefix}unconverted_{number}", quoted=True))
    if rows.entity:
        absent = exp.Is(this=_source_column(rows.entity), expression=exp.null())
        flags.append(exp.alias_(_case([(absent, 1)], 0), f"{prefix}unidentified", quoted=True))
    return flags


def _table_names(rows: Rows) -> set[str]:
    return {table.name.lower() for table in rows.relation.source.find_all(exp.Table)} | (
        {table.name.lower() for table in rows.where.find_all(exp.Table)} if rows.where is not None else set()
    )


def _keys(count: int) -> list[str]:
    return [f"qi_{number}" for number in range(1, count + 1)]


def _columns(names: Sequence[str]) -> list[exp.Expression]:
    return [_column(name) for name in names]


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


def _zero(name: str) -> exp.Expression:
    return exp.alias_(exp.Literal.number(0), name, quoted=True)


def _source_column(name: str) -> exp.Column:
    return exp.column(name, table="source", quoted=True)


def _sums(names: Sequence[str]) -> list[exp.Expression]:
    return [exp.alias_(exp.cast(exp.Sum(this=_column(name)), "bigint"), name, quoted=True) for name in names]


def _case(branches: Sequence[tuple[exp.Expression, int]], otherwise: int) -> exp.Case:
    ifs = [exp.If(this=condition.copy(), true=exp.Literal.number(value)) for condition, value in branches]
    return exp.Case(ifs=ifs, default=exp.Literal.number(otherwise))


def _when(condition: exp.Expression, value: exp.Expression) -> exp.Case:
    return exp.Case(ifs=[exp.If(this=condition, true=value.copy())], default=exp.Literal.number(0))
