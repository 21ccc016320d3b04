"""The Python API: the commands as functions, with the options of the command line as keywords."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrisk.assessment.tasks import resolve_source
from sqlrisk.errors import RequestError, nearest, without_context
from sqlrisk.policy import KEYS, Policy
from sqlrisk.policy_document import Document, expand_variables
from sqlrisk.result import Assessment

if TYPE_CHECKING:
    from sqlrisk.assessment.statement import Statement
    from sqlrisk.history.store import History
    from sqlrisk.outcome import Outcome

_OF_A_TABLE = (
    "release.",
    "guards.",
    "population.table",
    "population.model",
    "population.columns",
    "population.where",
    "population.entity_id",
)
_FOR_TERMINALS = {"format", "output", "save", "public", "histogram", "quiet", "progress"}


@without_context
def assess(
    source: Any = None, *, policy: str | Path | None = None, release: str | None = None, **options: Any
) -> Assessment:
    """Measure one table, view, query, file or data frame, and judge it by the limits given.

    ``source`` is a URL, a path, a SQLAlchemy ``Engine``, a DuckDB connection, or a pandas, Arrow or Polars table; left
    out, it is the policy's ``connection``, else ``$SQLRISK_URL``. ``policy`` is a policy file, and ``release`` the name of
    one of its releases, where it has several. The other keywords are
    the options of ``sqlrisk assess`` and override the policy: ``table``, ``query``, ``quasi_identifiers`` (texts such as
    ``"age:band=5"``, or ``sqlrisk.band("age", 5)``), ``where``, ``nulls``, ``suppressed``, ``unparseable``, ``entity_id``,
    ``entity_counting``, ``weight``, ``household``; of the population ``population_size`` or ``sampling_fraction`` with
    ``estimator`` and ``seed`` or with ``population_model`` (a file), or ``population_table``, ``population_columns`` (a
    mapping), ``population_where``, ``population_entity_id``; ``profile``, ``attackers``, ``threshold``, the limits,
    ``accept_weak``, ``context`` and ``agreement`` (mappings), ``justification``, ``timeout``, ``max_bytes``, ``max_rows``.

    Raises :class:`sqlrisk.RequestError` when the request is wrong, :class:`sqlrisk.MeasurementError` when it could not be
    measured. A limit that is exceeded is no error: see ``result.verdict``.
    """
    from sqlrisk.assessment.assess import assess as run

    _refuse_terminal(options)
    built, label = build_policy(policy, options, release=release)
    return run(built, resolve_source(source, built), label)


@without_context
def estimate(
    histogram: Any, *, policy: str | Path | None = None, release: str | None = None, **options: Any
) -> Assessment:
    """Everything that needs only the frequency of frequencies, without a database.

    ``histogram`` is a file (CSV with the header ``class_size,classes``, JSON, or a saved result), a mapping size -> classes,
    pairs, a data frame with these columns, or :class:`sqlrisk.ClassSizes`. The keywords are the options of
    ``sqlrisk estimate``: ``population_size`` or ``sampling_fraction`` (one, or several for a table), ``estimator``,
    ``seed``, ``attackers``, ``threshold``, the limits, ``accept_weak``, ``justification``.

    Raises :class:`sqlrisk.RequestError` when the request is wrong.
    """
    from sqlrisk.assessment.estimate import estimate_histogram

    _refuse_terminal(options)
    if stray := {name for name in options if KEYS.get(name, "").startswith(_OF_A_TABLE)}:
        raise RequestError(f"`{min(stray)}` is about a table, and there is only its histogram", "use sqlrisk.assess")
    built, _ = build_policy(policy, options, release=release)
    return estimate_histogram(built, histogram)


@without_context
def check(
    *policies: str | Path,
    source: Any = None,
    select: Sequence[str] | str = (),
    history: str | Path | None = None,
    jobs: int = 1,
    fail_fast: bool = False,
    first_run: bool = False,
) -> list[Outcome]:
    """Run policy files, or those of folders, unattended: the outcome of each, in their order, whatever fails.

    The keywords are the options of ``sqlrisk check``: ``select`` patterns of names, ``history`` a SQLite file or a
    SQLAlchemy URL on which each run is put on record and compared with those before, ``jobs`` to measure at once,
    ``first_run`` to accept that a limit on change has nothing to be compared with.

    Raises :class:`sqlrisk.RequestError` where there is no policy to run or the history is not one, and
    :class:`sqlrisk.MeasurementError` where the history cannot be opened. What is wrong with one policy is in its outcome.
    """
    from sqlrisk.assessment.check import run_checks
    from sqlrisk.assessment.tasks import read_tasks

    if not policies:
        raise RequestError("no policy is given", "name policy files, or a folder that holds some")
    for what, given in (("a policy", policies), ("select=", [select] if isinstance(select, str) else select)):
        if not isinstance(given, list | tuple) or not all(isinstance(item, str | Path) for item in given):
            raise RequestError(
                f"{what} is not given as a path or a text", "give each as an argument of its own, a text"
            )
    if not isinstance(jobs, int) or jobs < 1:
        raise RequestError(f"jobs={jobs!r} is no number of jobs", "give 1 or more")
    tasks, _ = read_tasks(policies, [select] if isinstance(select, str) else select)
    with keeping(history) as kept:
        return run_checks(tasks, source, jobs=jobs, fail_fast=fail_fast, history=kept, first_run=first_run)


def keeping(history: str | Path | None) -> AbstractContextManager[History | None]:
    """The history of a run, begun where there is none; None is for a run of which nothing is kept."""
    return nullcontext() if history is None else open_history(history, create=True)


@without_context
def open_history(where: str | Path, create: bool = False) -> History:
    """The runs on record in a SQLite file or at a SQLAlchemy URL, with ``${VARIABLE}`` from the environment.

    Where there are none, they are begun if ``create``; else that is a :class:`sqlrisk.RequestError`.
    """
    from sqlrisk.history.store import History

    if not isinstance(where, str | Path):
        raise RequestError("the history is not given as a path or a URL", "give a text")

    return History.open(expand_variables(str(where), "--history"), create=create)


def _refuse_terminal(options: dict[str, Any]) -> None:
    if stray := _FOR_TERMINALS & set(options):
        raise RequestError(
            f"`{min(stray)}` is for the command line", "use to_json(), to_html(path) or class_sizes of the result"
        )


def _run(
    command: str, source: Any, policy: str | Path | None, release: str | None, options: dict[str, Any]
) -> Assessment:
    """One of the commands that measure a table: its procedure is that of ``sqlrisk.assessment`` with its name."""
    _refuse_terminal(options)
    built, label = build_policy(policy, options, release=release, command=command)
    return procedure_of(command)(built, resolve_source(source, built), label)


def procedure_of(command: str) -> Callable[[Policy, Any, str], Assessment]:
    """What a command that measures does with a policy, a source and a label: the function of its name, in its module."""
    import importlib

    return getattr(importlib.import_module(f"sqlrisk.assessment.{command}"), command)


@without_context
def columns(
    source: Any = None, *, policy: str | Path | None = None, release: str | None = None, **options: Any
) -> Assessment:
    """What each column looks like, and which could be direct identifiers or quasi-identifiers: ``result.columns``.

    ``source`` and the keywords of the release are those of :func:`assess`; without ``quasi_identifiers`` it is every
    column. ``safe_harbor=True`` adds the HIPAA column check, ``result.safe_harbor``, with ``zip3`` a file of the people of
    each three-digit ZIP area.
    """
    return _run("columns", source, policy, release, options)


@without_context
def sweep(
    source: Any = None, *, policy: str | Path | None = None, release: str | None = None, **options: Any
) -> Assessment:
    """How risk grows with what the attacker knows: ``result.subsets`` and ``result.sweep``.

    The keywords are those of :func:`assess`, and ``max_known``, the most quasi-identifiers of a subset, and
    ``minimal_uniques=True`` for the minimal sample uniques and their SUDA scores, ``result.minimal_uniques``.
    """
    return _run("sweep", source, policy, release, options)


@without_context
def attack(
    source: Any = None, *, policy: str | Path | None = None, release: str | None = None, **options: Any
) -> Assessment:
    """Simulated matching: ``result.attack``, or ``result.unicity`` with ``points``.

    The keywords are those of :func:`assess`, and ``targets``, ``known``, ``known_columns``, ``worst``, ``tolerance``,
    ``noise``, ``truth_id``; on longitudinal data ``points``, ``max_points`` and ``coarser``.
    """
    return _run("attack", source, policy, release, options)


@without_context
def statement(
    source: Any = None,
    *,
    dialect: str | None = None,
    policy: str | Path | None = None,
    release: str | None = None,
    **options: Any,
) -> str:
    """The SQL that :func:`assess` would send, for any dialect, sending nothing.

    Columns of files are looked up; with a URL or a ``dialect``, each column's type is taken as its generalisation wants it.
    """
    built, _ = build_policy(policy, options, release=release)
    return written(built, source, dialect).sql


def written(policy: Policy, source: Any, dialect: str | None, preview: bool = False) -> Statement:
    """The statement with its notes. A dialect needs no source; without one, the source says which it is."""
    from sqlrisk.assessment.statement import write_statement

    if dialect is None or source is not None:
        source = resolve_source(source, policy)
    return write_statement(policy, source, dialect, preview)


@without_context
def demo(seed: int = 1) -> tuple[Assessment, Assessment]:
    """The made-up claims release, measured as it is (it fails) and generalised (it passes)."""
    from sqlrisk.assessment.demo import run_demo

    run = run_demo(seed)
    return run.failing, run.passing


@without_context
def build_policy(
    file: str | Path | None,
    options: dict[str, Any],
    spell: Callable[[str], str] = lambda name: f"{name}=",
    release: str | None = None,
    command: str | None = None,
) -> tuple[Policy, str]:
    """The policy of a file and of options that override it, and its label. ``spell`` names an option in errors.

    ``release`` chooses among several releases of the file by name; ``command`` says whose options there are beside those
    of ``assess``.
    """
    if file is None and release is not None:
        raise RequestError(f"{spell('release')} chooses a release of a policy file", "give --policy too")
    document = _chosen(Document.read(file), release, spell) if file is not None else Document()
    document.override(options, spell, command)
    policy = document.validate()
    if file is not None:
        document.check_described(policy)
    return policy, document.label


def _chosen(document: Document, release: str | None, spell: Callable[[str], str]) -> Document:
    """The one release of a policy file that is meant."""
    found = document.releases()
    if release is None and len(found) == 1:
        return found[0]
    names = [item.name.removeprefix(f"{document.name}/") for item in found]
    if release is None:
        raise RequestError(
            f"{document.label} holds {len(found)} releases ({', '.join(names)})",
            f"choose one with {spell('release')}, or run them all with `sqlrisk check`",
        )
    for item, name in zip(found, names, strict=True):
        if release in (name, item.name):
            return item
    raise RequestError(f"{spell('release')}: {document.label} has no release `{release}`", nearest(release, names))
