"""The policies of files and folders, each with what is wrong with it, so that one bad file stops no other."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from sqlrisk.errors import RequestError, SqlriskError, nearest
from sqlrisk.policy import Policy
from sqlrisk.policy_document import Document, expand_variables

DEFAULT_SOURCE = "SQLRISK_URL"
_ENDINGS = (".yml", ".yaml")
_VERSION = re.compile(r"""["']?version["']?\s*:""")


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
    chosen = [task for task in tasks if any(fnmatchcase(task.name, pattern) for pattern in select)]
    if not chosen:
        names = list(dict.fromkeys(task.name for task in tasks))
        raise RequestError(f"--select: no policy is called `{select[0]}`", nearest(select[0], names))
    return chosen, notes


def resolve_source(source: Any, policy: Policy) -> Any:
    """``source``, else the policy's connection, else ``$SQLRISK_URL``, with ``${VARIABLE}`` from the environment."""
    absent = source is None or (isinstance(source, str) and not source)
    chosen = policy.connection or os.environ.get(DEFAULT_SOURCE) if absent else source
    if absent and not chosen:
        raise RequestError(
            "nothing says where the data is", f"give a URL or a path, or set {DEFAULT_SOURCE} in the environment"
        )
    return expand_variables(chosen, "SOURCE") if isinstance(chosen, str) else chosen


def _files(paths: Sequence[str | Path], notes: list[str]) -> Iterator[tuple[Path, str]]:
    """Each policy file once, with the path that names it."""
    seen: set[str] = set()
    for given in map(Path, paths):
        found = sorted(path for path in given.rglob("*") if path.suffix in _ENDINGS) if given.is_dir() else [given]
        policies = 0
        for path in found:
            real = os.path.realpath(path) if "\0" not in str(path) else str(path)
            if given.is_dir() and not _is_policy(path):
                notes.append(f"{path} is passed over: it has no `version:` at its top, so it is no policy")
                continue
            policies += 1
            if real not in seen:
                seen.add(real)
                yield path, str(path)
        if not policies:
            notes.append(f"the folder {given} holds no policy")


def _is_policy(path: Path) -> bool:
    """Whether a YAML file of a folder means to be a policy. What cannot be read is one: it must not be passed over."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            return any(_VERSION.match(line) for line in lines)
    except OSError:
        return path.is_file()


def _read(file: Path, label: str) -> list[Task]:
    try:
        documents = Document.read(file).releases()
    except SqlriskError as problem:
        return [Task(file.stem, label, problem=_with_file(problem, file))]
    return [_task(document, label) for document in documents]


def _task(document: Document, label: str) -> Task:
    try:
        policy = document.validate()
        document.check_described(policy)
        if not policy.has_limits and not policy.measure_only:
            raise RequestError(
                f"{document.label}: there is no limit to judge by", "give limits, or say `measure_only: true`"
            )
    except SqlriskError as problem:
        return Task(document.name, label, problem=problem)
    return Task(policy.name or document.name, label, policy)


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
