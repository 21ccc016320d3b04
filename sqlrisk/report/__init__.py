"""Shows an assessment: ``content`` says it once, and one module a format sets it; nothing here computes a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlrisk.errors import RequestError

if TYPE_CHECKING:
    from sqlrisk.result import Assessment

FORMATS = {
    "text": "sqlrisk.report.text",
    "json": "sqlrisk.report.json",
    "markdown": "sqlrisk.report.markdown",
    "html": "sqlrisk.report.html",
    "junit": "sqlrisk.report.junit",
    "agreement": "sqlrisk.report.agreement",
    "sdp-json": "sqlrisk.report.sdp",
}
_FOR_MACHINES = ("json", "sdp-json")
_OF_ASSESSMENTS = ("junit", "agreement", "sdp-json")
# What other commands measure can give people away by its very detail.
_BEYOND = ("columns", "subsets", "attack", "unicity")


def check_public(format: str, public: bool) -> None:
    """:class:`RequestError` for a public report in a format that holds every figure."""
    if public and format in _FOR_MACHINES:
        raise RequestError(
            f"--public is for reports that people read, and {format} holds every figure",
            "use --format text, markdown, html, junit or agreement",
        )


def _check_measured(result: Assessment, format: str, public: bool) -> None:
    """:class:`RequestError` for what is made of an assessment, where the result is of another command."""
    if (public or format in _OF_ASSESSMENTS) and (
        beyond := [name for name in _BEYOND if getattr(result, name) is not None]
    ):
        what = "--public" if public else f"--format {format}"
        raise RequestError(
            f"{what} is for assessments alone, and this result holds `{beyond[0]}`",
            "use --format text, markdown, html or json, and keep it in the house",
        )


def render(result: Assessment, format: str, public: bool = False, color: bool = False, file: str | None = None) -> str:
    """The report in one of :data:`FORMATS`, fit to leave the house if ``public``.

    ``file`` is where it goes: an agreement record that goes to a ``.json`` file is the record as data alone.
    """
    import importlib

    check_public(format, public)
    _check_measured(result, format, public)
    module = importlib.import_module(FORMATS[format])
    if format == "agreement" and file is not None and file.lower().endswith(".json"):
        return module.render_json(result, public=public)
    extra: dict[str, Any] = {} if format in _FOR_MACHINES else {"public": public}
    return module.render(result, **extra, **({"color": color} if format == "text" else {}))
