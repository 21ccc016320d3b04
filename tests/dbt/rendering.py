"""The package's macros rendered without dbt, for adapters that do not run here: what they use of dbt is replaced."""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import re
from types import SimpleNamespace
from typing import Any

import jinja2

from tests.dbt.projects import PACKAGE

BACKTICKS = {"bigquery", "databricks"}


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class Refused(Exception):
    """What `exceptions.raise_compiler_error` said."""


class _Relation:
    def __init__(self, adapter: str, database: str, schema: str, identifier: str) -> None:
        self.database, self.schema, self.identifier = database, schema, identifier
        self.is_table = True
        self._adapter = adapter

    def render(self) -> str:
        return ".".join(quote(self._adapter, part) for part in (self.database, self.schema, self.identifier))

    __str__ = render


class _Macros:
    """`sqlrisk.NAME`, with dbt's `return`."""

    def __init__(self) -> None:
        self.module: Any = None

    def __getattr__(self, name: str) -> Any:
        macro = getattr(self.module, name, None)
        if macro is None:
            raise AttributeError(name)

        def call(*arguments: Any, **named: Any) -> Any:
            try:
                return str(macro(*arguments, **named))
            except _Return as done:
                return done.value

        return call


def quote(adapter: str, name: str) -> str:
    """A name as the adapter quotes it."""
    return f"`{name}`" if adapter in BACKTICKS else f'"{name}"'


def render(adapter: str, call: str, columns: dict[str, dict[str, str]], config: dict[str, Any] | None = None) -> str:
    """What ``call`` gives on ``adapter``; ``columns`` are the types of the columns of each model."""

    def give(value: Any = None) -> None:
        raise _Return(value)

    def refuse(message: str) -> None:
        raise Refused(message)

    macros = _Macros()

    def dispatch(name: str, _package: str) -> Any:
        try:
            return getattr(macros, f"{adapter}__{name}")
        except AttributeError:
            return getattr(macros, f"default__{name}")

    def relation(database: str, schema: str, identifier: str) -> _Relation:
        return _Relation(adapter, database, schema, identifier)

    nodes = {
        f"model.shop.{name}": {
            "name": name,
            "resource_type": "model",
            "database": "db",
            "schema": "measured",
            "alias": name,
            "config": config or {},
        }
        for name in columns
    }
    given = {
        "sqlrisk": macros,
        "return": give,
        "execute": True,
        "exceptions": SimpleNamespace(raise_compiler_error=refuse),
        "modules": SimpleNamespace(re=re, datetime=datetime),
        "graph": SimpleNamespace(nodes=nodes, sources={}),
        "api": SimpleNamespace(Relation=SimpleNamespace(create=relation)),
        "config": {},
        "model": {"name": "people", "attached_node": "model.shop.people"},
        "target": SimpleNamespace(schema="measured", database="db"),
        "fromjson": json.loads,
        "tojson": json.dumps,
        "local_md5": lambda text: hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
        "var": lambda _name, default: default,
        "adapter": SimpleNamespace(
            type=lambda: adapter,
            quote=lambda name: quote(adapter, name),
            dispatch=dispatch,
            get_relation=relation,
            get_columns_in_relation=lambda found: [
                SimpleNamespace(name=name, data_type=kind) for name, kind in columns[found.identifier].items()
            ],
        ),
    }
    macros.module = _library().make_module(given)
    return _ENVIRONMENT.from_string("{{ " + call + " }}").render(given).strip() + "\n"


_ENVIRONMENT = jinja2.Environment(extensions=["jinja2.ext.do"], autoescape=False)


@functools.cache
def _library() -> jinja2.Template:
    """Every macro of the package; those of tests are called test_NAME, as in dbt."""
    text = "\n".join(file.read_text("utf-8") for file in sorted((PACKAGE / "macros").rglob("*.sql")))
    text = re.sub(r"\{% test (\w+)\(", r"{% macro test_\1(", text).replace("{% endtest %}", "{% endmacro %}")
    return _ENVIRONMENT.from_string(text)
