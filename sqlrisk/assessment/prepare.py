"""From a policy to the statement: names looked up, quasi-identifiers compiled, one SELECT written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp

from sqlrisk.assessment.model_tables import frequencies_of
from sqlrisk.errors import MissingTableError, RequestError, nearest
from sqlrisk.generalisations import Band, Cut, MinCount, QuasiIdentifier, Round, TimeOfDay, Truncate, Weekday
from sqlrisk.policy import SENSITIVE_LIMITS, Policy
from sqlrisk.sensitive import Sensitive
from sqlrisk.sql.dialect import Dialect, find_dialect
from sqlrisk.sql.plan import plan
from sqlrisk.sql.quasi_identifier import Generalised, generalise
from sqlrisk.sql.question import Counting, Missing, Question, Rows
from sqlrisk.sql.relation import CSV_ENDINGS, Column, Kind, Relation, TableName, find_column
from sqlrisk.sql.releases import Earlier
from sqlrisk.sql.sensitive import SensitiveKey, SensitiveQuestion, sensitive_key
from sqlrisk.sql.steps import Plan
from sqlrisk.sql.survey import Survey
from sqlrisk.sql.user_sql import functions, is_guessed_file, parse_condition, parse_query
from sqlrisk.warehouse.base import Guards
from sqlrisk.warehouse.connect import Source, open_file


@dataclass(frozen=True)
class Asked:
    """What a policy asks, its names looked up: every command's statements begin with it."""

    dialect: Dialect
    question: Question
    warnings: tuple[str, ...]

    def expression(self, item: Generalised) -> str:
        """The SQL of a quasi-identifier, on one line."""
        return self.dialect.write(item.key, pretty=False)

    def statement(self, plan: Plan, max_rows: int) -> str:
        """``plan`` as SQL. The guard travels with it: no more rows leave than ``max_rows`` (and one, to know that there were
        more)."""
        return self.dialect.write(plan.select.limit(max_rows + 1))


@dataclass(frozen=True)
class Prepared(Asked):
    """Everything that is known before the statement of an assessment is sent."""

    plan: Plan
    sql: str


def guards_of(policy: Policy) -> Guards:
    """The policy's guards as a warehouse takes them."""
    return Guards(policy.guards.timeout, policy.guards.max_bytes, policy.guards.max_rows)


def prepare(policy: Policy, source: Source) -> Prepared:
    """Look the columns up on ``source`` and write the statement; :class:`RequestError` for what does not fit them."""
    return prepare_asked(policy, ask(policy, source))


def ask(policy: Policy, source: Source) -> Asked:
    """Look the columns up on ``source``; :class:`RequestError` for what does not fit them."""
    return _ask(policy, find_dialect(source.warehouse.dialect), _LookUp(source))


def earlier_releases(policy: Policy, source: Source, asked: Asked) -> list[Earlier]:
    """The earlier releases of a policy, with the columns of this one that they have; :class:`RequestError` where one has none
    of the quasi-identifiers, or its ids are of another kind."""
    names, dialect, release = _LookUp(source), asked.dialect, asked.question.release
    _, columns = names.release(policy, dialect)
    found = []
    for item in policy.release.previous:
        relation, own = names.table_or_file(item.table, dialect)
        link, here = (find_column(item.link_id, of, "link id", relation) for of in (own, columns))
        if link.kind is not here.kind:
            raise RequestError(
                f"the link id `{here.name}` is {here.kind.value} here, and {link.kind.value} in {relation.label}",
                "cast one in a view",
            )
        known = {column.name.casefold(): column for column in own}
        keys = [at for at, key in enumerate(release.keys, start=1) if key.column.casefold() in known]
        if not keys:
            raise RequestError(f"{relation.label} has none of the quasi-identifiers", "leave it out of --previous")
        sensitive = [at for at, key in enumerate(release.sensitive, start=1) if key.column.casefold() in known]
        token = policy.release.suppressed
        compiled = [
            generalise(
                policy.release.quasi_identifiers[at - 1],
                known[release.keys[at - 1].column.casefold()],
                dialect,
                token,
                release.keys[at - 1].counted,
            )
            for at in keys
        ]
        values = [
            sensitive_key(
                policy.release.sensitive[at - 1], known[release.sensitive[at - 1].column.casefold()], dialect, token
            )
            for at in sensitive
        ]
        rows = Rows(relation, compiled, sensitive=values)
        found.append(Earlier(rows, keys, sensitive, link.name, here.name, link.kind))
    return found


def columns_of_release(policy: Policy, source: Source) -> list[Column]:
    """Every column of the release, looked up."""
    return _LookUp(source).release(policy, find_dialect(source.warehouse.dialect))[1]


def prepare_asked(policy: Policy, asked: Asked) -> Prepared:
    """The statement of an assessment of what was asked."""
    written = plan(asked.dialect, asked.question)
    sql = asked.statement(written, policy.guards.max_rows)
    return Prepared(asked.dialect, asked.question, asked.warnings, written, sql)


def prepare_unconnected(policy: Policy, dialect_name: str) -> Prepared:
    """Write the statement for a dialect without looking anything up: each column's type is taken as its generalisation
    wants it, and the warnings say so."""
    return prepare_asked(policy, _ask(policy, find_dialect(dialect_name), _Assume()))


class _LookUp:
    """Relations and columns from a connection."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.warnings = list(source.warnings)

    def release(self, policy: Policy, dialect: Dialect) -> tuple[Relation, list[Column]]:
        release = policy.release
        if release.query is not None:
            relation = parse_query(release.query, dialect)
            self.check_functions(relation.source, "--query")
            columns = self._columns(relation)
            self._warn_of_hidden_rows(relation)
            return relation, columns
        if release.table is not None:
            return self._table(release.table, dialect)
        if self.source.relation is not None:
            return self.source.relation, self._columns(self.source.relation)
        raise RequestError(
            f"nothing says which table of {self.source.label} to measure",
            f"name it with --table; {nearest('', self.source.warehouse.tables()) or 'it has no tables'}",
        )

    def population(self, policy: Policy, dialect: Dialect) -> tuple[Relation, list[Column]]:
        return self.table_or_file(policy.population.table, dialect)

    def earlier(self, policy: Policy, columns: list[Column], relation: Relation, dialect: Dialect) -> None:
        """See that the earlier releases are there, and what links them with this one."""
        for item in policy.release.previous:
            find_column(item.link_id, columns, "link id", relation)
            before, its_columns = self.table_or_file(item.table, dialect)
            find_column(item.link_id, its_columns, "link id", before)

    def table_or_file(self, name: str, dialect: Dialect) -> tuple[Relation, list[Column]]:
        if self.source.relation is not None and _is_file(name):
            relation, warnings = open_file(self.source.warehouse, Path(name))
            self.warnings += warnings
            return relation, self._columns(relation)
        return self._table(name, dialect)

    def model(self, text: str, dialect: Dialect) -> tuple[Relation, list[Column]]:
        if is_guessed_file(text):
            raise RequestError(f"`{text}` is a file, not a table", "write `file:` in the place of `table:`")
        return self._table(text, dialect)

    def taken(self, keys: Sequence[Generalised]) -> None:
        """Types were looked up."""

    def _table(self, text: str, dialect: Dialect) -> tuple[Relation, list[Column]]:
        name = TableName.parse(text, dialect.name)
        if dialect.name == "duckdb" and is_guessed_file(str(name)):
            raise RequestError(f"`{name}` is a file, not a table of {self.source.label}", "give the file as SOURCE")
        for candidate in name.candidates(dialect.name):
            relation = candidate.relation()
            try:
                columns = self._columns(relation)
            except MissingTableError:
                continue
            self._warn_of_hidden_rows(relation)
            return relation, columns
        raise MissingTableError(
            f"there is no table or view `{name}`", nearest(str(name), self.source.warehouse.tables())
        )

    def _warn_of_hidden_rows(self, relation: Relation) -> None:
        if warning := self.source.warehouse.hidden_rows(relation):
            self.warnings.append(warning)

    def _columns(self, relation: Relation) -> list[Column]:
        return self.source.warehouse.columns(relation)

    def check_functions(self, tree: exp.Expression, what: str) -> None:
        """Refuse functions that the engine knows to be volatile."""
        names = functions(tree)
        if volatile := self.source.warehouse.volatile(names) if names else []:
            raise RequestError(
                f"{what} calls a volatile function ({volatile[0]})", "give a SELECT that does the same each time"
            )

    def check_condition(self, condition: exp.Expression, relation: Relation, option: str) -> None:
        """Let the engine read the condition, over no rows: what it refuses is an error of ``option``."""
        self.check_functions(condition, option)
        one = exp.alias_(exp.Literal.number(1), "one")
        query = exp.select(one).from_(relation.aliased(relation.own_name)).where(condition.copy())
        self._columns(Relation(query.subquery(), option))

    def column(self, qi: QuasiIdentifier, name: str, columns: list[Column], relation: Relation) -> Column:
        return find_column(name, columns, "quasi-identifier", relation)

    def rereads(self, relation: Relation) -> bool:
        return self.source.warehouse.rereads(relation)

    def sensitive(self, item: Sensitive, columns: list[Column], relation: Relation) -> Column:
        return find_column(item.column, columns, "sensitive column", relation)

    def entity(self, name: str, columns: list[Column], relation: Relation) -> Column:
        column = find_column(name, columns, "entity id", relation)
        if column.kind is Kind.UNGROUPABLE:
            raise RequestError(f"entity id `{column.name}` has the type {column.type_name}, which cannot be grouped")
        return column

    def role(self, name: str, what: str, columns: list[Column], relation: Relation) -> Column:
        return find_column(name, columns, what, relation)


class _Assume:
    """Relations and columns as the policy names them, for SQL that is only printed."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def release(self, policy: Policy, dialect: Dialect) -> tuple[Relation, None]:
        release = policy.release
        if release.query is not None:
            return parse_query(release.query, dialect), None
        if release.table is not None:
            return self._table(release.table, dialect), None
        raise RequestError("nothing says what to measure", "name it with --table or --query")

    def population(self, policy: Policy, dialect: Dialect) -> tuple[Relation, None]:
        return self._table(policy.population.table, dialect), None

    def earlier(self, policy: Policy, columns: None, relation: Relation, dialect: Dialect) -> None:
        """Nothing is looked up."""

    def model(self, text: str, dialect: Dialect) -> tuple[Relation, None]:
        return self._table(text, dialect), None

    def taken(self, keys: Sequence[Generalised]) -> None:
        """Say of which columns the type matters, where a model's values are compared with them."""
        self.warnings += [
            f"types were not looked up: `{item.column}` is taken to be text, and the model's values too"
            for item in keys
            if item.given_kind is Kind.TEXT
        ]

    def _table(self, text: str, dialect: Dialect) -> Relation:
        return TableName.parse(text, dialect.name).candidates(dialect.name)[-1].relation()

    def column(self, qi: QuasiIdentifier, name: str, columns: None, relation: Relation) -> Column:
        kind = Kind.TEXT
        if isinstance(qi.generalisation, Cut) or (
            isinstance(qi.generalisation, Band) and qi.generalisation.width == int(qi.generalisation.width)
        ):
            kind = Kind.INTEGER
        elif isinstance(qi.generalisation, Round | Band):
            kind = Kind.DECIMAL
        elif isinstance(qi.generalisation, Truncate | TimeOfDay | Weekday):
            hours = isinstance(qi.generalisation, TimeOfDay) or getattr(qi.generalisation, "unit", "") == "hour"
            kind = Kind.TIMESTAMP_TZ if qi.generalisation.zone else Kind.TIMESTAMP if hours else Kind.DATE
        if qi.generalisation is not None and kind is not Kind.TEXT:
            self.warnings.append(f"types were not looked up: `{name}` is taken to be {kind.value}")
        return Column(name, kind, kind.value)

    def check_condition(self, condition: exp.Expression, relation: Relation, option: str) -> None:
        """Nothing can be asked of an engine here."""

    def rereads(self, relation: Relation) -> bool:
        return False

    def sensitive(self, item: Sensitive, columns: None, relation: Relation) -> Column:
        kind = Kind.FLOAT if item.kind == "numeric" else Kind.TEXT
        self.warnings.append(f"types were not looked up: `{item.column}` is taken to be {kind.value}")
        return Column(item.column, kind, kind.value)

    def entity(self, name: str, columns: None, relation: Relation) -> Column:
        return Column(name, Kind.OTHER, Kind.OTHER.value)

    def role(self, name: str, what: str, columns: None, relation: Relation) -> Column:
        kind = Kind.FLOAT if what in {"weight", "frequency"} else Kind.INTEGER
        if kind is Kind.FLOAT:  # a household's id is only compared, which is the same for every type
            self.warnings.append(f"types were not looked up: `{name}` is taken to be {kind.value}")
        return Column(name, kind, kind.value)


def _ask(policy: Policy, dialect: Dialect, names: _LookUp | _Assume) -> Asked:
    release = policy.release
    if not release.quasi_identifiers:
        raise RequestError(
            "no quasi-identifiers are given: what could an attacker know?",
            "name the columns with -q, for example -q sex -q age:band=5",
        )
    counting = Counting(release.entity_counting) if release.entity_id else Counting.RECORDS
    if release.weight is not None and counting is Counting.DISTINCT:
        raise RequestError(
            "--weight: people counted by their distinct tuples do not fall into classes, whose weights could be summed",
            "leave it out, or count multisets",
        )
    rows = _rows(names, dialect, policy)
    _refuse_duplicates(rows.keys, "quasi-identifier")
    population = _rows(names, dialect, policy, rows) if policy.population.table is not None else None
    if counting is Counting.MULTISET and population and not population.entity:
        raise RequestError(
            "people are counted by all of their rows, but whose the rows of the population table are is not known",
            "give --population-entity-id, or --entity-counting distinct",
        )
    limits = {
        measure: bound
        for option, (measure, _) in SENSITIVE_LIMITS.items()
        if (bound := getattr(policy.limits, option)) is not None
    }
    asked = SensitiveQuestion(release.sensitive_nulls == "ignore", policy.limits.recursive_l or 2, limits)
    model = frequencies_of(policy, names, dialect, rows.keys)
    if model:
        names.taken(rows.keys)
    question = Question(rows, counting, Missing(release.nulls), population, model, asked)
    warnings = [*names.warnings, *(text for item in rows.keys for text in item.warnings)]
    if release.suppressed is not None and rows.suppressed is None:
        warnings.append("--suppressed has no effect: no quasi-identifier is text")
    return Asked(dialect, question, tuple(dict.fromkeys(warnings)))


def _rows(names: _LookUp | _Assume, dialect: Dialect, policy: Policy, compared: Rows | None = None) -> Rows:
    """The rows to count: the release's, or those of the population that it is ``compared`` with, with the same
    generalisations on its own columns."""
    release, population, of_population = policy.release, policy.population, compared is not None
    relation, columns = (names.population if of_population else names.release)(policy, dialect)
    renamed = population.columns if of_population else {}
    if stray := set(renamed) - {qi.column for qi in release.quasi_identifiers}:
        raise RequestError(
            f"--population-columns: `{min(stray)}` is not a quasi-identifier",
            nearest(min(stray), [qi.column for qi in release.quasi_identifiers]),
        )
    found = [names.column(qi, renamed.get(qi.column, qi.column), columns, relation) for qi in release.quasi_identifiers]
    if not of_population:
        names.earlier(policy, columns, relation, dialect)
    entity = population.entity_id if of_population else release.entity_id
    where = population.where if of_population else release.where
    option = "--population-where" if of_population else "--where"
    condition = _condition(where, dialect, columns, relation, option) if where is not None else None
    if condition is not None:
        names.check_condition(condition, relation, option)
    if of_population:
        counted = [key.counted for key in compared.keys]
    else:
        own = Rows(relation, (), condition)
        counted = [
            own.counted(column, release.suppressed) if isinstance(qi.generalisation, MinCount) else None
            for qi, column in zip(release.quasi_identifiers, found, strict=True)
        ]
    keys = [
        generalise(qi, column, dialect, release.suppressed, counts)
        for qi, column, counts in zip(release.quasi_identifiers, found, counted, strict=True)
    ]
    person = names.entity(entity, columns, relation) if entity else None
    return Rows(
        relation,
        keys,
        condition,
        person and person.name,
        None if of_population else _survey(names, policy, columns, relation),
        () if of_population else _sensitive(names, policy, dialect, columns, relation),
        _reads_often(policy) and names.rereads(relation),
        person.kind if person else Kind.OTHER,
    )


def _reads_often(policy: Policy) -> bool:
    """Whether the statement needs single columns again after the classes, for the numbers of their values."""
    release = policy.release
    others = (release.sensitive, release.entity_id, policy.population.model, release.nulls == "wildcard")
    return any(others)


def _sensitive(
    names: _LookUp | _Assume, policy: Policy, dialect: Dialect, columns: list[Column] | None, relation: Relation
) -> list[SensitiveKey]:
    found = [
        sensitive_key(item, names.sensitive(item, columns, relation), dialect, policy.release.suppressed)
        for item in policy.release.sensitive
    ]
    _refuse_duplicates(found, "sensitive column")
    if policy.release.entity_id and policy.release.entity_counting == "distinct":
        return []  # there are no classes whose values could be counted; the names were looked up
    return found


def _survey(
    names: _LookUp | _Assume, policy: Policy, columns: list[Column] | None, relation: Relation
) -> Survey | None:
    weight, household = policy.release.weight, policy.release.household
    if weight is None:
        return None
    return Survey(
        names.role(weight, "weight", columns, relation),
        names.role(household, "household", columns, relation) if household is not None else None,
    )


def _condition(
    sql: str, dialect: Dialect, columns: list[Column] | None, relation: Relation, option: str
) -> exp.Expression:
    if not sql.strip():
        raise RequestError(f"{option} is empty", "leave it out, or give a condition")
    return parse_condition(sql, dialect, columns, relation, option)


def _refuse_duplicates(keys: Sequence[Generalised | SensitiveKey], what: str) -> None:
    seen: set[str] = set()
    for item in keys:
        if item.column in seen:
            raise RequestError(f"the {what} `{item.column}` is given twice", "give each column once")
        seen.add(item.column)


def _is_file(name: str) -> bool:
    ending = os.path.splitext(name)[1].lower()
    return "/" in name or os.path.isfile(name) or ending in {*CSV_ENDINGS, ".parquet", ".gz"}
