"""The question for what dbt's runs put on record."""

from __future__ import annotations

from sqlglot import exp

from sqlrisk.sql import template
from sqlrisk.sql.relation import Relation


def newest_histogram(audit: Relation, model: str) -> exp.Query:
    """The rows of the newest record of ``model``, a unique id of dbt: see ``sql_templates/audit.sql``."""
    return template.bind("audit", {"model": [exp.Literal.string(model)]}, {"__audit__": audit.source})
