"""Re-identification risk of a table, measured where the data lives.

>>> import sqlrisk
>>> result = sqlrisk.assess("claims.csv", quasi_identifiers=["sex", sqlrisk.band("age", 5)])  # doctest: +SKIP
>>> result.prosecutor.share_at_risk  # doctest: +SKIP
"""

from __future__ import annotations

__version__ = "0.1.0"

# Names are imported when they are used: `sqlrisk --help` must not wait for pydantic and SQLAlchemy.
_HOMES = {
    **dict.fromkeys(("assess", "attack", "check", "columns", "sweep"), "sqlrisk.api"),
    "statement": "sqlrisk.api",
    "open_history": "sqlrisk.api",
    "demo": "sqlrisk.api",
    "estimate": "sqlrisk.api",
    "Assessment": "sqlrisk.result",
    "Outcome": "sqlrisk.outcome",
    "ClassSizes": "sqlrisk.class_sizes",
    "RecordSizes": "sqlrisk.class_sizes",
    "Policy": "sqlrisk.policy",
    "QuasiIdentifier": "sqlrisk.generalisations",
    "Threshold": "sqlrisk.threshold",
    "SqlriskError": "sqlrisk.errors",
    "RequestError": "sqlrisk.errors",
    "MeasurementError": "sqlrisk.errors",
    "Interrupted": "sqlrisk.errors",
    **dict.fromkeys(
        ("band", "cut", "mapped", "min_count", "normalised", "prefix", "rounded", "time_of_day", "truncate", "weekday"),
        "sqlrisk.generalisations",
    ),
}
__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - they are strings


def __getattr__(name: str):
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'sqlrisk' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
