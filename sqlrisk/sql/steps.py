"""The steps of a statement: named templates, each of which reads earlier ones."""

from __future__ import annotations

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
