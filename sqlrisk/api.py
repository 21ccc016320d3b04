"""The Python API: the commands as functions, with the options of the command line as keywords."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrisk.errors import RequestError, without_context
from sqlrisk.policy import KEYS, Policy
from sqlrisk.policy_document import Document, expand_variables
from sqlrisk.result import Assessment

if TYPE_CHECKING:
    from sqlrisk.assessment.statement import Statement

DEFAULT_SOURCE = "SQLRISK_URL"
_OF_A_TABLE = (
    "release.",
    "guards.",
    "population.table",
    "population.model",
    "population.columns",
    "population.where",
    "population.entity_id",
)
_FOR_TERMINALS = {"format", "output", "histogram", "quiet", "progress"}


@without_context
def assess(source: Any = None, *, policy: str | Path | None = None, **options: Any) -> Assessment:
    """Measure one table, view, query, file or data frame, and judge it by the limits given.

    ``source`` is a URL, a path, a SQLAlchemy ``Engine``, a DuckDB connection, or a pandas, Arrow or Polars table; left
    out, it is the policy's ``connection``, else ``$SQLRISK_URL``. ``policy`` is a policy file. The other keywords are
    the options of ``sqlrisk assess`` and override the policy: ``table``, ``query``, ``quasi_identifiers`` (texts such as
    ``"age:band=5"``, or ``sqlrisk.band("age", 5)``), ``where``, ``nulls``, ``suppressed``, ``unparseable``, ``entity_id``,
    ``entity_counting``, ``weight``, ``household``; of the population ``population_size`` or ``sampling_fraction`` with
    ``estimator`` and ``seed`` or with ``population_model`` (a file), or ``population_table``, ``population_columns`` (a
    mapping), ``population_where``, ``population_entity_id``; ``attackers``, ``threshold``, the limits, ``accept_weak``,
    ``justification``, ``timeout``, ``max_bytes``, ``max_rows``.

    Raises :class:`sqlrisk.RequestError` when the request is wrong, :class:`sqlrisk.MeasurementError` when it could not be
    measured. A limit that is exceeded is no error: see ``result.verdict``.
    """
    from sqlrisk.assessment.assess import measure

    _refuse_terminal(options)
    built, label = build_policy(policy, options)
    return measure(built, resolve_source(source, built), label)


@without_context
def estimate(histogram: Any, *, policy: str | Path | None = None, **options: Any) -> Assessment:
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
    built, _ = build_policy(policy, options)
    return estimate_histogram(built, histogram)


def _refuse_terminal(options: dict[str, Any]) -> None:
    if stray := _FOR_TERMINALS & set(options):
        raise RequestError(
            f"`{min(stray)}` is for the command line", "use to_json(), to_html(path) or class_sizes of the result"
        )


@without_context
def statement(
    source: Any = None, *, dialect: str | None = None, policy: str | Path | None = None, **options: Any
) -> str:
    """The SQL that :func:`assess` would send, for any dialect, sending nothing.

    Columns of files are looked up; with a URL or a ``dialect``, each column's type is taken as its generalisation wants it.
    """
    built, _ = build_policy(policy, options)
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
def build_policy(file: str | Path | None, options: dict[str, Any], spell=lambda name: f"{name}=") -> tuple[Policy, str]:
    """The policy of a file and of options that override it, and its name. ``spell`` names an option in errors."""
    document = Document.read(file) if file is not None else Document()
    document.override(options, spell)
    policy = document.validate()
    if file is not None:
        document.check_described(policy)
    return policy, document.label


def resolve_source(source: Any, policy: Policy) -> Any:
    """``source``, else the policy's connection, else ``$SQLRISK_URL``, with ``${VARIABLE}`` from the environment."""
    absent = source is None or (isinstance(source, str) and not source)
    chosen = policy.connection or os.environ.get(DEFAULT_SOURCE) if absent else source
    if absent and not chosen:
        raise RequestError(
            "nothing says where the data is", f"give a URL or a path, or set {DEFAULT_SOURCE} in the environment"
        )
    return expand_variables(chosen, "SOURCE") if isinstance(chosen, str) else chosen
