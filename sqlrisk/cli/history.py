"""``sqlrisk history``."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from typing import Any

import click

from sqlrisk.cli import complain, say
from sqlrisk.cli.options import check_writable, write_file
from sqlrisk.errors import MeasurementError, RequestError, escape_control, nearest


@click.command("history")
@click.argument("policy", required=False, metavar="[POLICY]")
@click.option(
    "--history",
    metavar="FILE_OR_URL",
    envvar="SQLRISK_HISTORY",
    help="Where `sqlrisk check` keeps its runs: a SQLite file, or a database. Default: $SQLRISK_HISTORY.",
)
@click.option("--measure", "measures", multiple=True, metavar="PATH", help="Only this measure. Repeatable.")
@click.option(
    "--limit", default=20, metavar="N", type=click.IntRange(1, 100_000), help="How many of the last runs. Default: 20."
)
@click.option("--format", "format", metavar="text|json|csv|markdown", default="text", help="Default: text.")
@click.option("--output", metavar="FILE", help="Write it to a file.")
@click.option("--plot", metavar="FILE", help="Draw the trend to a .svg or .png file too.")
@click.option(
    "--pin",
    metavar="RUN",
    help="Make a run the baseline that later runs of its policy are compared with; `last` is the latest of POLICY.",
)
@click.option("--unpin", is_flag=True, help="Take the baseline off POLICY.")
def command(policy: str | None, history: str | None, pin: str | None, unpin: bool, **values: Any) -> int:
    """What earlier runs of a policy measured.

    POLICY is a policy's name, or a pattern of names: then the trend of each measure is shown. Without one, there is a line
    for each policy on record.
    """
    if not history:  # an empty text is a variable that was not set
        raise RequestError("nothing says where the history is", "give --history FILE_OR_URL, or set SQLRISK_HISTORY")
    from sqlrisk.api import open_history

    pins = pin is not None or unpin
    if pins:
        _refuse_others(pin, unpin, values)
    else:
        _check_request(policy, values)
    with open_history(history, create=False) as opened:
        if pins:
            return _unpin(opened, policy) if pin is None else _pin(opened, pin, policy)
        check_writable({"--output": _file(values), "--plot": values["plot"]}, [opened.label])
        return _show(opened, policy, values)


def _refuse_others(pin: str | None, unpin: bool, values: dict[str, Any]) -> None:
    if pin is not None and unpin:
        raise RequestError("--pin and --unpin do not go together", "give one of them")
    if values["measures"] or values["output"] or values["plot"] or values["format"] != "text":
        raise RequestError("--pin and --unpin show no trend", "leave the other options out, and ask for it after")


def _pin(history: Any, run_id: str, policy: str | None) -> int:
    from sqlrisk.report.trend import when

    if run_id == "last":
        run_id = _last(history, policy)
    if policy is not None and run_id not in [run.id for run in history.runs(policy)]:
        raise RequestError(f"`{policy}` has no run `{run_id}`", "leave the policy out, or see `sqlrisk history POLICY`")
    run = history.pin(run_id)
    say(escape_control(f"{run.policy}: the baseline is {run.id} of {when(run)}"))
    return 0


def _last(history: Any, policy: str | None) -> str:
    """The name of the latest run of a policy that was measured."""
    if policy is None:
        raise RequestError("--pin last is about one policy", "name it")
    latest = history.latest(policy)
    if latest is None:
        raise RequestError(f"no run of `{policy}` that was measured is on record", _known(policy, history))
    return latest.id


def _unpin(history: Any, policy: str | None) -> int:
    if policy is None:
        raise RequestError("--unpin is about one policy", "name it")
    pinned = history.baseline(policy)
    if pinned is None:
        _matching(policy, history)
        raise RequestError(f"no run of `{policy}` is pinned", "there is nothing to take off")
    history.unpin(policy)
    say(escape_control(f"{policy}: {pinned.id} is no longer the baseline"))
    return 0


def _check_request(policy: str | None, values: dict[str, Any]) -> None:
    from sqlrisk.report.trend import FORMATS
    from sqlrisk.report.trend_plot import check_plot

    if values["format"] not in FORMATS:
        cause = f"--format: there is no format `{values['format']}` of a history"
        raise RequestError(cause, nearest(values["format"], list(FORMATS)))
    if policy is None and (values["measures"] or values["plot"]):
        raise RequestError("--measure and --plot are about the trend of a policy", "name the policy")
    if values["plot"]:
        check_plot(values["plot"])


def _file(values: dict[str, Any]) -> str | None:
    return None if values["output"] == "-" else values["output"]


def _show(history: Any, policy: str | None, values: dict[str, Any]) -> int:
    from sqlrisk.history.trend import chosen, trend_of
    from sqlrisk.report.trend import render, render_overview

    output = _file(values)
    color = output is None and sys.stdout.isatty()
    names = history.policies() if policy is None else _matching(policy, history)
    trends, damaged = [], 0
    for name in names:
        try:
            trends.append(trend_of(history, name, values["limit"]))
        except MeasurementError as problem:  # a damaged run of one policy hides no other
            complain(str(problem))
            damaged = problem.exit_code
    if damaged and not trends:
        return damaged
    if policy is None:
        text = render_overview(trends, values["format"], color)
    else:
        measures = chosen(trends, values["measures"])
        if values["plot"]:
            _plot(trends, values["measures"] or None, values["plot"])
        text = render(trends, measures, values["format"], color)
    if output is not None:
        write_file(output, text)
    else:
        say(text, nl=False)
    return damaged


def _matching(policy: str, history: Any) -> list[str]:
    names = history.policies()
    found = [policy] if policy in names else [name for name in names if fnmatchcase(name, policy)]
    if not found:
        raise RequestError(f"no run of a policy `{policy}` is on record", _known(policy, history))
    return found


def _known(policy: str, history: Any) -> str:
    return nearest(policy, [name for name in history.policies() if name != policy])


def _plot(trends: list[Any], measures: tuple[str, ...] | None, path: str) -> None:
    from sqlrisk.report.trend_plot import check_plot, drawn_by_default, plot

    if len(trends) > 1:
        raise RequestError(f"--plot draws one policy, and {len(trends)} are meant", "name one")
    (trend,) = trends
    kind = check_plot(path)
    picture = plot(trend, measures or drawn_by_default(trend), kind)
    write_file(path, picture)
