"""dbt's selector syntax, as far as names, tags, paths, files and packages go."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from sqlrisk.dbt.manifest import Model
from sqlrisk.dbt.project import Project
from sqlrisk.errors import RequestError, nearest

_CRITERION = re.compile(
    r"(?P<before>@|\d*\+)?((?P<method>[\w.]+):)?(?P<value>.*?)(?P<after>\+\d*)?", re.DOTALL | re.ASCII
)
_WILD = re.compile(r"[*?\[\]]")
_FILES = (".sql", ".py")
METHODS = ("fqn", "tag", "path", "file", "package")


@dataclass(frozen=True)
class Selected:
    """The models that were meant, and the ids of those among them that were named one by one.

    ``by_default`` says that there was no selector: all models, those without a declaration too.
    """

    models: list[Model]
    named: frozenset[str]
    by_default: bool = False


def select(
    models: Sequence[Model], project: Project, selectors: Sequence[str] = (), exclude: Sequence[str] = ()
) -> Selected:
    """The models that ``selectors`` mean (none: all) and ``exclude`` does not, in the order of ``models``.

    Each text is a union of what stands between spaces, and that an intersection of what stands between commas.
    :class:`RequestError` for what is not read here, and where a selector means no model.
    """
    chosen = (
        _union(models, project, selectors, "--select")
        if selectors
        else Selected(list(models), frozenset(), by_default=True)
    )
    left_out = {model.unique_id for model in _union(models, project, exclude, "--exclude").models}
    kept = [model for model in chosen.models if model.unique_id not in left_out]
    return Selected(kept, chosen.named - left_out, chosen.by_default)


def _union(models: Sequence[Model], project: Project, selectors: Sequence[str], option: str) -> Selected:
    found: set[str] = set()
    named: set[str] = set()
    for text in [part for selector in selectors for part in selector.split()]:
        criteria = [_criterion(part, project, option) for part in text.split(",")]
        meant = [model for model in models if all(matches(model) for _, matches in criteria)]
        if not meant and option == "--select":
            names = sorted({model.name for model in models})
            raise RequestError(f"{option}: `{text}` selects no model", nearest(text.rpartition(":")[2], names))
        found |= {model.unique_id for model in meant}
        if len(criteria) == 1:
            (name, _), *_ = criteria
            named |= {model.unique_id for model in meant if name and name.split(".")[-1] in (model.name, model.fqn[-1])}
    return Selected([model for model in models if model.unique_id in found], frozenset(named))


def _criterion(text: str, project: Project, option: str) -> tuple[str | None, Callable[[Model], bool]]:
    """The name that a criterion is, where it is one, and what it means."""
    match = _CRITERION.fullmatch(text)
    assert match is not None
    if match["before"] or match["after"]:
        raise RequestError(
            f"{option}: `{text}` asks for what is before or after a model (`+`, `@`), which is not read here",
            "name the models, or list them with `dbt ls --resource-type model --select …`",
        )
    method, value = match["method"] or _method_of(match["value"]), match["value"]
    if method not in METHODS:
        known = nearest(method, list(METHODS))
        raise RequestError(f"{option}: the selector method `{method}:` is not read here", known)
    if not value:
        raise RequestError(f"{option}: `{text}` names nothing", "name a model, or tag:…, path:…, file:…, package:…")
    if method == "fqn":
        return None if _WILD.search(value) else value, lambda model: _is_called(model, value)
    if method == "tag":
        return None, lambda model: any(fnmatchcase(tag, value) for tag in model.tags)
    if method == "package":
        package = project.name if value == "this" else value
        return None, lambda model: fnmatchcase(model.package, package)
    if method == "file":
        return (
            False,
            lambda model: (
                fnmatchcase(PurePosixPath(model.path).name, value) or fnmatchcase(PurePosixPath(model.path).stem, value)
            ),
        )
    paths = _paths(value, project.folder, option)
    return (
        False,
        lambda model: (
            model.package == project.name and not paths.isdisjoint({Path(model.path), *Path(model.path).parents})
        ),
    )


def _method_of(value: str) -> str:
    if "/" in value or os.sep in value:
        return "path"
    return "file" if value.lower().endswith(_FILES) else "fqn"


def _paths(value: str, folder: Path, option: str) -> set[Path]:
    try:
        return {path.relative_to(folder) for path in folder.glob(value)}
    except (ValueError, NotImplementedError, OSError):
        raise RequestError(f"{option}: `{value}` is no path within the project", "write path:models/…") from None


def _is_called(model: Model, value: str) -> bool:
    """Whether a name, or a path of names with wildcards, is the model's, with or without its package."""
    return _matches(model.fqn, value, model.is_versioned) or _matches(model.fqn[1:], value, model.is_versioned)


def _matches(fqn: Sequence[str], value: str, is_versioned: bool) -> bool:
    parts = value.split(".")
    if is_versioned and len(fqn) > 1 and (fqn[-2] == value or "_".join(fqn[-2:]) == "_".join(parts[-2:])):
        return True
    if fqn and fqn[-1] == value:
        return True
    names = [item for segment in fqn for item in segment.split(".")]
    if len(names) < len(parts):
        return False
    for index, part in enumerate(parts):
        if _WILD.search(part):
            return fnmatchcase(".".join(names[index:]), ".".join(parts[index:]))
        if names[index] != part:
            return False
    return True
