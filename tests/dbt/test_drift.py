"""The SQL of the dbt package is the statement that sqlrisk writes for the same question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from sqlrisk.assessment.prepare import prepare
from sqlrisk.dbt import generate
from sqlrisk.dbt.tasks import KEYS
from sqlrisk.policy import Release
from sqlrisk.policy_document import Document
from sqlrisk.warehouse.base import Guards
from sqlrisk.warehouse.connect import open_source
from tests.dbt.declarations import DECLARATIONS, REGISTER, RELEASE
from tests.dbt.projects import PACKAGE, Project, duckdb_output, postgres_output
from tests.engines import contract

SCHEMA = "measured"


@pytest.mark.parametrize("name", sorted(generate.files()))
def test_generated_files_are_what_the_generator_gives(name: str) -> None:
    """Whoever changes a template runs `python -m sqlrisk.dbt.generate`."""
    assert (PACKAGE / "macros" / "generated" / name).read_text("utf-8") == generate.files()[name]


def test_macros_know_the_keys_of_a_declaration() -> None:
    """The list of the macros is that of the command."""
    text = (PACKAGE / "macros" / "internal" / "declaration" / "declaration_keys.sql").read_text("utf-8")
    listed = text.split("return([")[1].split("])")[0]
    assert {name.strip(" \n'") for name in listed.split(",")} == set(KEYS)


@pytest.fixture(scope="module")
def on_duckdb(tmp_path_factory: pytest.TempPathFactory, dbt_command: list[str]) -> tuple[Project, str, str]:
    folder = tmp_path_factory.mktemp("drift") / "project"
    project = _project(folder, dbt_command, {**duckdb_output(folder), "schema": SCHEMA})
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
        for statement in (RELEASE, REGISTER):
            connection.execute(statement.format(schema=SCHEMA))
    return _compiled(project), f"duckdb:///{folder / 'shop.duckdb'}", "duckdb"


@pytest.fixture(scope="module")
def on_postgres(tmp_path_factory: pytest.TempPathFactory, dbt_command: list[str]) -> tuple[Project, str, str]:
    import psycopg

    server = contract.start("postgres").server
    project = _project(tmp_path_factory.mktemp("drift") / "project", dbt_command, postgres_output(server.url, SCHEMA))
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
        for statement in (RELEASE, REGISTER):
            connection.execute(statement.format(schema=SCHEMA))
    return _compiled(project), server.url, "postgres"


def _project(folder: Path, dbt_command: list[str], output: dict[str, Any]) -> Project:
    project = Project(folder, dbt_command, output)
    for name in ("people", "register"):
        project.write(f"models/{name}.sql", "select 1 as one")  # never built: the table is made by hand
    for name, declaration in DECLARATIONS.items():
        call = f"{{{{ sqlrisk.statement_of('people', fromjson({json.dumps(json.dumps(declaration))})) }}}}"
        project.write(f"analyses/{name}.sql", call)
    return project


def _compiled(project: Project) -> Project:
    project.install()
    done = project.run("compile", "--no-use-colors", "--quiet")
    assert done.code == 0, done.output
    return project


@pytest.mark.slow
@pytest.mark.parametrize("name", DECLARATIONS)
def test_duckdb(name: str, on_duckdb: tuple[Project, str, str]) -> None:
    """On DuckDB."""
    _compare(name, *on_duckdb)


@pytest.mark.slow
@pytest.mark.parametrize("name", DECLARATIONS)
def test_postgres(name: str, on_postgres: tuple[Project, str, str]) -> None:
    """On PostgreSQL."""
    _compare(name, *on_postgres)


def _compare(name: str, project: Project, url: str, dialect: str) -> None:
    written = tree_of(project.compiled(name), dialect)
    own = tree_of(_statement(DECLARATIONS[name], url), dialect)
    assert written.sql(dialect, pretty=True) == own.sql(dialect, pretty=True)
    assert written == own


def _statement(declaration: dict[str, Any], url: str) -> str:
    """What sqlrisk sends for a declaration."""
    source = open_source(url, Guards())
    with source.warehouse:
        prepared = prepare(document_of(declaration).validate(), source)
        return prepared.dialect.write(prepared.plan.select)


def document_of(declaration: dict[str, Any]) -> Document:
    """The policy of a declaration about the table `people`."""
    values = json.loads(json.dumps(declaration))
    release = {key: value for key, value in values.items() if key in Release.model_fields}
    document = Document()
    document.values = {key: value for key, value in values.items() if key not in release}
    document.values["release"] = {**release, "table": f"{SCHEMA}.people"}
    if "population" in values:
        values["population"]["table"] = f"{SCHEMA}.{values['population']['table']}"
    return document


def tree_of(sql: str, dialect: str) -> exp.Expression:
    """The syntax tree with every name quoted, without catalogues, and without needless parentheses."""
    tree = sqlglot.parse_one(sql, read=dialect)
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", True)
    for table in tree.find_all(exp.Table):
        table.set("catalog", None)
    for paren in list(tree.find_all(exp.Paren)):
        if isinstance(paren.parent, exp.And) and not isinstance(paren.this, exp.Connector):
            paren.replace(paren.this)
    return tree
