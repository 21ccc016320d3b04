"""The dbt package that ships with sqlrisk, and how it gets into a project."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from sqlrisk.dbt.project import Project, read_mapping
from sqlrisk.errors import MeasurementError, RequestError

_TAIL = "sqlrisk/dbt/package"
_PLAIN = re.compile(r"[A-Za-z]:[\w./\\-]+|/[\w./-]+")


def package_folder() -> Path:
    """The folder of the dbt package, within the installed sqlrisk."""
    folder = Path(__file__).resolve().parent / "package"
    if not (folder / "dbt_project.yml").is_file():
        raise MeasurementError(f"the dbt package is not in {folder}", "install sqlrisk again")
    return folder


def add_package(project: Project, package: Path) -> tuple[Path, bool]:
    """Add ``- local: <package>`` to the project's packages; the file, and whether it was changed.

    What else is in the file stays, comments too. An entry of another installation of sqlrisk is replaced.
    """
    file = _packages_file(project)
    before = read_mapping(file) if file.is_file() else {}
    listed = before.get("packages") or []
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise RequestError(f"{file}: `packages` is not a list", _by_hand(package))
    if any(item.get("local") == str(package) for item in listed):
        return file, False
    old = next((item["local"] for item in listed if _is_ours(item)), None)
    wanted = [*(item for item in listed if not _is_ours(item)), {"local": str(package)}]
    text = file.read_text("utf-8-sig") if file.is_file() else ""
    text = _replaced(text, old, package) if old is not None else _added(text, "packages" in before, listed, package)
    _check(text, before, wanted, file, package)
    try:
        file.write_text(text, "utf-8")
    except OSError as problem:
        raise RequestError(f"{file} cannot be written ({problem.strerror})", _by_hand(package)) from None
    return file, True


def _packages_file(project: Project) -> Path:
    """`packages.yml`, or `dependencies.yml` where a project keeps its packages there."""
    packages, dependencies = project.folder / "packages.yml", project.folder / "dependencies.yml"
    if not packages.is_file() and dependencies.is_file() and "packages" in read_mapping(dependencies):
        return dependencies
    return packages


def _is_ours(item: dict[str, Any]) -> bool:
    return str(item.get("local") or "").replace("\\", "/").rstrip("/").endswith(_TAIL)


def _scalar(package: Path) -> str:
    text = str(package)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _replaced(text: str, old: str, package: Path) -> str:
    pattern = re.compile(rf"^(\s*-\s*local:\s*)(['\"]?){re.escape(old)}\2", re.MULTILINE)
    return pattern.sub(lambda match: f"{match[1]}{_scalar(package)}", text)


def _added(text: str, has_key: bool, listed: list[Any], package: Path) -> str:
    """With an item more, as the first of the list: there its indentation is known."""
    if not has_key:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}packages:\n  - local: {_scalar(package)}\n"
    if not listed:
        new = f"packages:\n  - local: {_scalar(package)}"
        return re.sub(r"^packages:[ \t]*(\[\s*\]|null|~)?", lambda _: new, text, count=1, flags=re.MULTILINE)
    begin = re.search(r"^packages:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*?([ \t]*)- ", text, re.MULTILINE)
    if begin is None:
        return text  # a list in brackets: the check says so
    at = begin.start(1)
    return f"{text[:at]}{begin[1]}- local: {_scalar(package)}\n{text[at:]}"


def _check(text: str, before: dict[str, Any], wanted: list[Any], file: Path, package: Path) -> None:
    """Nothing is written that would not be read as it was meant."""
    try:
        after = yaml.safe_load(text)
    except yaml.YAMLError:
        after = None
    same = isinstance(after, dict) and {**after, "packages": None} == {**before, "packages": None}
    found = after.get("packages") if same else None
    if not isinstance(found, list) or not (len(found) == len(wanted) and all(item in found for item in wanted)):
        raise RequestError(f"{file} is not of the form that can be added to", _by_hand(package))


def _by_hand(package: Path) -> str:
    return f"add `- local: {package}` to its packages by hand"
