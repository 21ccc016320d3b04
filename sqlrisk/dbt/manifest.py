"""What dbt knows of a project: ``target/manifest.json``, with the models and what they declare."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from typing import Any

from sqlrisk.dbt.project import Project
from sqlrisk.errors import RequestError

# dbt 1.8 to 1.11 write this one.
_SCHEMA = "https://schemas.getdbt.com/dbt/manifest/v12.json"
_RELATIONS = ("model", "seed", "snapshot")
_REMEDY = "run `dbt parse`"


@dataclass(frozen=True)
class Model:
    """A model of the manifest. ``declaration`` is its ``config.meta.sqlrisk``, None where it has none."""

    unique_id: str
    name: str
    package: str
    fqn: tuple[str, ...]
    tags: tuple[str, ...]
    path: str
    declared_in: str
    relation: str | None
    database: str | None
    schema: str | None
    declaration: Any = None
    is_versioned: bool = False

    @property
    def label(self) -> str:
        """How dbt's own lines call it: with its version, where it has several."""
        return ".".join(self.fqn[-2:]) if self.is_versioned else self.name

    @property
    def fingerprint(self) -> str:
        """Of the declaration: the md5 of its canonical JSON, as ``local_md5(tojson(meta, sort_keys=True))`` gives it."""
        canonical = json.dumps(self.declaration, sort_keys=True)
        return md5(canonical.encode(), usedforsecurity=False).hexdigest()


@dataclass(frozen=True)
class Manifest:
    """The models, and the relation of each name that dbt makes one for (None: it makes none)."""

    models: tuple[Model, ...]
    relations: Mapping[str, str | None] = field(default_factory=dict)
    adapter: str = ""
    written_at: datetime = datetime.min.replace(tzinfo=UTC)

    @classmethod
    def read(cls, project: Project) -> Manifest:
        """The project's manifest; :class:`RequestError` where there is none, or it is older than what it was made from."""
        file = project.target / "manifest.json"
        manifest = cls.of(_read(file), file)
        manifest._refuse_stale(project)
        return manifest

    @classmethod
    def of(cls, document: Mapping[str, Any], file: Path) -> Manifest:
        """The manifest of a JSON document of a known schema version."""
        try:
            metadata = document["metadata"]
            if metadata["dbt_schema_version"] != _SCHEMA:
                version = str(metadata["dbt_schema_version"]).rpartition("/")[2].removesuffix(".json")
                raise RequestError(
                    f"{file} has the schema version {version[:20]}, which this version of sqlrisk does not read",
                    "it reads v12, which dbt 1.8 to 1.11 write",
                )
            nodes = [node for _, node in sorted(document["nodes"].items()) if node["resource_type"] in _RELATIONS]
            written_at = datetime.fromisoformat(metadata["generated_at"])
            return cls(
                models=tuple(_model(node) for node in nodes if node["resource_type"] == "model"),
                relations={node["name"]: node.get("relation_name") for node in nodes},
                adapter=metadata["adapter_type"],
                written_at=written_at if written_at.tzinfo else written_at.replace(tzinfo=UTC),
            )
        except (KeyError, TypeError, AttributeError, ValueError):
            raise RequestError(f"{file} is not a manifest of dbt", _REMEDY) from None

    def _refuse_stale(self, project: Project) -> None:
        newest = max(project.declaring_files(), key=lambda file: file.stat().st_mtime)
        if newest.stat().st_mtime > self.written_at.timestamp():
            raise RequestError(
                f"{project.target.name}/manifest.json is older than {newest.relative_to(project.folder)}", _REMEDY
            )
        for model in self.models:
            if model.package == project.name and not (project.folder / model.path).is_file():
                raise RequestError(
                    f"{project.target.name}/manifest.json is stale: it has the model `{model.name}`, and {model.path} is "
                    "gone",
                    _REMEDY,
                )


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise RequestError(f"there is no manifest {file}", f"{_REMEDY} (or `dbt build`)") from None
    except OSError as problem:
        raise RequestError(f"{file} cannot be read ({problem.strerror})", "check its permissions") from None
    except (ValueError, RecursionError):
        raise RequestError(f"{file} is not valid JSON", _REMEDY) from None


def _model(node: Mapping[str, Any]) -> Model:
    patch = _text(node, "patch_path", optional=True) or ""
    path = _text(node, "original_file_path")
    return Model(
        unique_id=_text(node, "unique_id"),
        name=_text(node, "name"),
        package=_text(node, "package_name"),
        fqn=tuple(str(part) for part in node["fqn"]),
        tags=tuple(str(tag) for tag in node.get("tags") or ()),
        path=path,
        declared_in=patch.rpartition("://")[2] or path,
        relation=_text(node, "relation_name", optional=True) or None,
        database=_text(node, "database", optional=True),
        schema=_text(node, "schema", optional=True),
        declaration=(node["config"].get("meta") or {}).get("sqlrisk"),
        is_versioned=node.get("version") is not None,
    )


def _text(node: Mapping[str, Any], key: str, optional: bool = False) -> Any:
    value = node.get(key)
    if not isinstance(value, str) and not (optional and value is None):
        raise TypeError(key)
    return value
