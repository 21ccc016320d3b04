"""The steps of a statement: named templates, each of which reads earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from sqlrisk.sql import template
from sqlrisk.sql.dialect import Dialect


@dataclass
class Chain:
    """Steps so far; each is a name and the template that makes it. Those in ``reread`` are read anew by each reader."""

    reserved: set[str]
    steps: list[tuple[str, exp.Query]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    reread: set[str] = field(default_factory=set)

    def add(
        self, name: str, template_name: str, columns: dict, tables: dict | None = None, reads: dict | None = None
    ) -> None:
        """Add the step ``name``; ``reads`` says which steps stand for the ones that the template names."""
        self.steps.append((self._own(name), self.bind(template_name, columns, tables, reads)))

    def add_tree(self, name: str, tree: exp.Query) -> None:
        """Add the step ``name``, made of bound templates."""
        self.steps.append((self._own(name), tree))

    def bind(
        self, template_name: str, columns: dict, tables: dict | None = None, reads: dict | None = None
    ) -> exp.Query:
        """A template that reads the steps so far."""
        known = {name: exp.to_table(own) for name, own in self.names.items()}
        renamed = {name: exp.to_table(self.names[step]) for name, step in (reads or {}).items()}
        return template.bind(template_name, columns, {**known, **renamed, **(tables or {})})

    def columns(self, name: str) -> list[str]:
        """The columns of the step ``name``."""
        return next(step.named_selects for own, step in self.steps if own == self.names[name])

    def order_bytewise(self, dialect: Dialect) -> None:
        """Put what the last step orders in the order of its bytes, whatever the database's collation."""
        for ordered in self.steps[-1][1].find_all(exp.Ordered):
            ordered.set("this", dialect.bytewise(ordered.this.copy()))

    def _own(self, name: str) -> str:
        # A step must not hide a table of the same name that a later step reads.
        own = name
        while own.lower() in self.reserved:
            own += "_"
        self.names[name] = own
        return own


@dataclass(frozen=True)
class Plan:
    """One SELECT that answers every question, and what its result columns are called.

    ``columns`` are the result's columns in order, the first of them ``arm``; an arm that lacks a column has NULL there.
    """

    select: exp.Query
    columns: tuple[str, ...]


def compose(dialect: Dialect, chain: Chain, arms: list[exp.Query]) -> Plan:
    """The SELECT of ``arms`` over the steps of ``chain``; an arm names itself in its first column, ``arm``."""
    columns = _absent(arms)
    if len(arms) > 1:
        arms = [_padded(arm, columns) for arm in arms]
    read = [table.name for part in [*arms, *(step for _, step in chain.steps)] for table in part.find_all(exp.Table)]
    select: exp.Query = arms[0]
    for arm in arms[1:]:
        select = exp.union(select, arm, distinct=False, copy=False)
    for name, step in chain.steps:
        select = select.with_(exp.to_identifier(name, quoted=True), as_=step, copy=False)
    if dialect.materialised_ctes:
        # Hold what is read more than once; with one reader, pipelining is faster.
        for cte in select.args["with_"].expressions:
            if read.count(cte.alias) > 1:
                cte.set("materialized", cte.alias not in chain.reread)
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
