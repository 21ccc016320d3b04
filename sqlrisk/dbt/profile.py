"""Where a dbt project's data is: the target of a profile, as a SOURCE. What is secret in it is never shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
import sqlalchemy
from jinja2.sandbox import SandboxedEnvironment

from sqlrisk.dbt.project import Project, read_mapping
from sqlrisk.errors import RequestError, nearest

PROFILES_FILE = "profiles.yml"
# What libpq reads of a Postgres target beside user, password, host, port and database.
_OF_LIBPQ = ("sslmode", "sslcert", "sslkey", "sslrootcert", "connect_timeout", "keepalives_idle")
_NOT_READ = ("snowflake", "databricks", "spark", "redshift", "trino", "athena", "synapse", "fabric", "sqlserver")
# Ways to a BigQuery job that would read as somebody else, or with credentials that stand in the profile itself.
_NOT_OF_BIGQUERY = ("impersonate_service_account", "keyfile_json", "refresh_token", "token", "api_endpoint")


@dataclass(frozen=True)
class Target:
    """A target of a profile: ``url`` opens its engine, ``database`` and ``schema`` are where dbt builds."""

    profile: str
    name: str
    adapter: str
    url: str = field(repr=False)
    database: str | None
    schema: str | None
    max_bytes: int | None = None

    @property
    def label(self) -> str:
        """How messages call it."""
        return f"target `{self.name}` of the profile `{self.profile}`"


def read_target(
    project: Project,
    profiles_dir: str | Path | None = None,
    profile: str | None = None,
    target: str | None = None,
) -> Target:
    """The target called ``target`` (none: the profile's own choice) of ``profile`` (none: the project's).

    Alone the chosen target is rendered, as in dbt, with ``env_var`` and nothing else.
    """
    file = _find(project, profiles_dir)
    profiles = {
        str(name): value
        for name, value in read_mapping(file).items()
        if name != "config" and isinstance(value, Mapping)
    }
    chosen = profile or _rendered(project.values.get("profile"), f"{project.folder.name}/dbt_project.yml")
    if not chosen:
        raise RequestError("dbt_project.yml names no profile", "add `profile: …`, or give --profile")
    found = profiles.get(str(chosen))
    if found is None:
        raise RequestError(f"{file} has no profile `{chosen}`", nearest(str(chosen), list(profiles)))
    given = found.get("outputs")
    outputs = {str(key): value for key, value in given.items()} if isinstance(given, Mapping) else {}
    name = str(target or _rendered(found.get("target"), f"{file.name}, `target`") or "default")
    if not isinstance(outputs.get(name), Mapping):
        raise RequestError(
            f"the profile `{chosen}` of {file} has no target `{name}`",
            nearest(name, list(outputs)),
        )
    settings = {str(key): _rendered(value, f"{file.name}, `{key}`") for key, value in outputs[name].items()}
    adapter = str(settings.get("type") or "")
    return _made(str(chosen), name, adapter, settings, project)


def _find(project: Project, profiles_dir: str | Path | None) -> Path:
    """The profiles file, looked for as dbt does."""
    named = profiles_dir or os.environ.get("DBT_PROFILES_DIR")
    folders = [Path(named)] if named else [project.folder, Path.home() / ".dbt"]
    for folder in folders:
        if (folder / PROFILES_FILE).is_file():
            return folder / PROFILES_FILE
    places = " or ".join(str(folder) for folder in folders)
    raise RequestError(f"there is no {PROFILES_FILE} in {places}", "name its folder with --profiles-dir")


def _rendered(value: Any, where: str) -> Any:
    """A setting with its Jinja rendered, and what is within it."""
    if isinstance(value, Mapping):
        return {key: _rendered(item, where) for key, item in value.items()}
    if isinstance(value, list):
        return [_rendered(item, where) for item in value]
    if not isinstance(value, str) or not any(mark in value for mark in ("{{", "{%", "{#")):
        return value
    try:
        return _environment(where).from_string(value).render()
    except jinja2.TemplateError:
        raise RequestError(
            f"{where}: its Jinja is not read here", "of dbt's Jinja, `{{ env_var('NAME') }}` alone is"
        ) from None
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        raise RequestError(f"{where}: its Jinja does not give a value", "check its `{{ env_var(…) }}`") from None


def _environment(where: str) -> SandboxedEnvironment:
    def env_var(name: str, default: str | None = None) -> str:
        if name in os.environ:
            return os.environ[name]
        if default is None:
            raise RequestError(f"{where}: the environment has no variable {name}", f"set {name}")
        return str(default)

    environment = SandboxedEnvironment(undefined=jinja2.StrictUndefined)
    environment.globals = {"env_var": env_var}
    # dbt's own names for what a rendered text is to be; it is read as what is wanted anyway.
    environment.filters = {"as_number": str, "as_bool": str, "as_native": str, "as_text": str, "int": int}
    environment.tests = {}
    return environment


def _made(profile: str, name: str, adapter: str, settings: Mapping[str, Any], project: Project) -> Target:
    makers: dict[str, Callable[[Mapping[str, Any], Project, str], dict[str, Any]]] = {
        "duckdb": _duckdb,
        "postgres": _postgres,
        "bigquery": _bigquery,
    }
    where = f"target `{name}` of the profile `{profile}`"
    if adapter in _NOT_READ:
        raise RequestError(
            f"{where}: {adapter} is not read by this version",
            "the package's own tests and gate run inside dbt; `sqlrisk dbt test` reads duckdb, postgres and bigquery",
        )
    if adapter not in makers:
        known = nearest(adapter, [*makers]) if adapter else "it has no `type`"
        raise RequestError(f"{where}: `{adapter}` is not a known adapter", known)
    return Target(profile=profile, name=name, adapter=adapter, **makers[adapter](settings, project, where))


def _duckdb(settings: Mapping[str, Any], project: Project, where: str) -> dict[str, Any]:
    path = str(settings.get("path") or ":memory:")
    if path == ":memory:":
        raise RequestError(f"{where}: a database in memory is gone when dbt ends", "give a file under `path`")
    if path.startswith(("md:", "motherduck:")) or "://" in path:
        raise RequestError(f"{where}: its `path` is no file", "only DuckDB files are read here")
    file = project.folder / path
    try:
        is_there = file.is_file()
    except (OSError, ValueError):
        is_there = False
    if not is_there:
        raise RequestError(f"{where}: there is no DuckDB file {str(file)[:300]}", "run `dbt build`")
    url = sqlalchemy.URL.create("duckdb", database=str(file))
    return {
        "url": _text(url, where),
        "database": str(settings.get("database") or file.stem),
        "schema": str(settings.get("schema") or "main"),
    }


def _postgres(settings: Mapping[str, Any], project: Project, where: str) -> dict[str, Any]:
    database = settings.get("dbname") or settings.get("database")
    for key, value in (("host", settings.get("host")), ("user", settings.get("user")), ("dbname", database)):
        if not value:
            raise RequestError(f"{where}: it has no `{key}`", f"add `{key}` to the target")
    query = {key: str(settings[key]) for key in _OF_LIBPQ if settings.get(key) not in (None, "")}
    # As dbt-postgres does: the session is to see what dbt's own does.
    session = {"search_path": settings.get("search_path"), "role": settings.get("role")}
    if options := [f"-c {key}={_escaped(str(value))}" for key, value in session.items() if value]:
        query["options"] = " ".join(options)
    try:
        port = int(settings.get("port") or 5432)
    except (TypeError, ValueError):
        raise RequestError(f"{where}: its `port` is no number", "write `port: 5432`") from None
    password = settings.get("password", settings.get("pass"))
    url = sqlalchemy.URL.create(
        "postgresql",
        username=str(settings["user"]),
        password=None if password is None else str(password),
        host=str(settings["host"]),
        port=port,
        database=str(database),
        query=query,
    )
    return {"url": _text(url, where), "database": str(database), "schema": str(settings.get("schema") or "public")}


def _bigquery(settings: Mapping[str, Any], project: Project, where: str) -> dict[str, Any]:
    method = settings.get("method")
    for key in _NOT_OF_BIGQUERY:
        if settings.get(key):
            raise RequestError(f"{where}: `{key}` is not read by this version", "use `oauth` or a `keyfile`")
    if method not in ("oauth", "service-account"):
        raise RequestError(f"{where}: this `method` is not read by this version", "use `oauth` or `service-account`")
    database = settings.get("project") or settings.get("database")
    schema = settings.get("dataset") or settings.get("schema")
    if not database or not schema:
        raise RequestError(f"{where}: it has no project or no dataset", "add `project` and `dataset` to the target")
    query = {"location": settings.get("location"), "credentials_path": settings.get("keyfile")}
    url = sqlalchemy.URL.create(
        "bigquery",
        host=str(settings.get("execution_project") or database),
        database=str(schema),
        query={key: str(value) for key, value in query.items() if value},
    )
    most = settings.get("maximum_bytes_billed")
    if most is not None and not str(most).isdecimal():
        raise RequestError(f"{where}: its `maximum_bytes_billed` is no whole number", "write it in bytes")
    return {
        "url": _text(url, where),
        "database": str(database),
        "schema": str(schema),
        "max_bytes": int(most) if most is not None else None,
    }


def _escaped(value: str) -> str:
    """A value within libpq's `options`, in which spaces separate."""
    return value.replace("\\", "\\\\").replace(" ", "\\ ")


def _text(url: sqlalchemy.URL, where: str) -> str:
    """The URL as a SOURCE, if it is read again as what it was made of."""
    text = url.render_as_string(hide_password=False)
    try:
        same = sqlalchemy.make_url(text) == url
    except (sqlalchemy.exc.ArgumentError, ValueError):
        same = False
    if not same or "${" in text:
        raise RequestError(
            f"{where}: its host, database or path has characters that do not fit into a URL", "use another name for it"
        )
    return text
