"""The policies of files and folders, each with what is wrong with it, so that one bad file stops no other."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from sqlrisk.errors import RequestError, SqlriskError, nearest
from sqlrisk.policy import Policy
from sqlrisk.policy_document import LARGEST_FILE, Document, expand_variables

DEFAULT_SOURCE = "SQLRISK_URL"
_ENDINGS = (".yml", ".yaml")


@dataclass(frozen=True)
class Task:
    """One release to measure under one policy; ``problem`` is why that cannot be."""

    name: str
    file: str
    policy: Policy | None = None
    problem: SqlriskError | None = None


def read_tasks(paths: Sequence[str | Path], select: Sequence[str] = ()) -> tuple[list[Task], list[str]]:
    """The releases of policy files, and of those in folders and their subfolders, in the order given; and notes on what
    was passed over.

    ``select`` are patterns of names (``claims*``); :class:`RequestError` where nothing is left.
    """
    notes: list[str] = []
    tasks = [task for file, label in _files(paths, notes) for task in _read(file, label)]
    tasks = _refuse_twins(tasks)
    if not tasks:
        raise RequestError("there is no policy to run", "name policy files, or a folder that holds some")
    if not select:
        return tasks, notes
    names = list(dict.fromkeys(task.name for task in tasks))
    for pattern in select:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise RequestError(f"--select: no policy is called `{pattern}`", nearest(pattern, names))
    return [task for task in tasks if any(fnmatchcase(task.name, pattern) for pattern in select)], notes


def resolve_source(source: Any, policy: Policy) -> Any:
    """``source``, else the policy's connection, else ``$SQLRISK_URL``, with ``${VARIABLE}`` from the environment."""
    absent = source is None or (isinstance(source, str) and not source)
    chosen = policy.connection or os.environ.get(DEFAULT_SOURCE) if absent else source
    if absent and not chosen:
        raise RequestError(
            "nothing says where the data is", f"give a URL or a path, or set {DEFAULT_SOURCE} in the environment"
        )
    where = "`connection` of the policy" if absent and policy.connection else "SOURCE"
    return expand_variables(chosen, where) if isinstance(chosen, str) else chosen


def _files(paths: Sequence[str | Path], notes: list[str]) -> Iterator[tuple[Path, str]]:
    """Each policy file once, with the path that names it."""
    seen: set[str] = set()
    for given in paths:
        if not str(given).strip():
            raise RequestError("a POLICY is empty", "name policy files, or a folder that holds some")
        found = _of_folder(Path(given)) if _is_folder(given) else None
        policies = 0
        for path in [Path(given)] if found is None else found:
            if found is not None and not _is_policy(path):
                notes.append(f"{path} is passed over: it has no `version` at its top, so it is no policy")
                continue
            policies += 1
            real = os.path.realpath(path) if "\0" not in str(path) else str(path)
            if real not in seen:
                seen.add(real)
                yield path, str(path)
        if not policies:
            notes.append(f"the folder {given} holds no policy")


def _is_folder(path: str | Path) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # too long, or no path at all: reading it says so
        return False


def _of_folder(folder: Path) -> list[Path]:
    """The YAML files of a folder and those below it; links that lead nowhere are among them, pipes and the like are not."""
    named = (path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS)
    return sorted(path for path in named if path.is_file() or (path.is_symlink() and not path.exists()))


def _is_policy(path: Path) -> bool:
    """Whether a YAML file of a folder means to be a policy. What cannot be read may be one: it must not be passed over."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return True
    try:
        first = next(iter(yaml.compose_all(text, yaml.SafeLoader)), None)
    except (yaml.YAMLError, RecursionError, ValueError):
        return "version" in text
    return isinstance(first, yaml.MappingNode) and any(key.value == "version" for key, _ in first.value)


def _read(file: Path, label: str) -> list[Task]:
    try:
        documents = Document.read(file).releases()
    except SqlriskError as problem:
        return [Task(_printable(file.stem), _printable(label), problem=_with_file(problem, file))]
    return [task_of(document, _printable(label)) for document in documents]


def task_of(document: Document, label: str) -> Task:
    """A policy as a task: one that is wrong, or has nothing to judge by, carries the reason."""
    try:
        policy = document.validate()
        document.check_described(policy)
        if not policy.has_limits and not policy.measure_only:
            raise RequestError(
                f"{document.label}: there is no limit to judge by", "give limits, or say `measure_only: true`"
            )
    except SqlriskError as problem:
        return Task(_printable(document.name), label, problem=problem)
    name = policy.name or document.name
    if name != _printable(name):
        problem = RequestError(f"{document.label}: its name has a character that cannot be kept", "give it a `name`")
        return Task(_printable(name), label, problem=problem)
    return Task(name, label, policy)


def _printable(text: str) -> str:
    """A text that can be written anywhere: names of files can hold bytes that are no characters."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")


def _with_file(problem: SqlriskError, file: Path) -> SqlriskError:
    """The error with the file's name, where it has none."""
    if file.name in problem.cause:
        return problem
    return type(problem)(f"{file.name}: {problem.cause}", problem.remedy)


def _refuse_twins(tasks: list[Task]) -> list[Task]:
    """Of policies of one name none is run: their runs could not be told apart on record."""
    names = Counter(task.name for task in tasks)

    def judged(task: Task) -> Task:
        if names[task.name] == 1 or task.problem is not None:
            return task
        files = list(dict.fromkeys(other.file for other in tasks if other.name == task.name))
        cause = f"{names[task.name]} policies are called `{task.name}` ({', '.join(files)})"
        return replace(task, policy=None, problem=RequestError(cause, "give each a `name` of its own"))

    return [judged(task) for task in tasks]
