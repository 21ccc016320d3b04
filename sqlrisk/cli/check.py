"""``sqlrisk check``."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from sqlrisk.cli import complain, say
from sqlrisk.cli.options import (
    UNATTENDED,
    check_writable,
    inputs_of,
    options,
    refuse_empty,
    refuse_taken,
    write_file,
)
from sqlrisk.errors import RequestError, SqlriskError, one_line


@click.command("check")
@click.argument("policies", nargs=-1, metavar="POLICY...")
@click.option("--source", metavar="SOURCE", help="Where the data is, in the place of the policies' connections.")
@click.option(
    "--select", multiple=True, metavar="PATTERN", help="Only policies of this name: claims, claims*. Repeatable."
)
@options(UNATTENDED)
@click.option("--format", "format", metavar="text|json|junit|markdown", default="text", help="Default: text.")
@click.option("--output", metavar="FILE", help="Write the outcomes to a file, besides the lines on the terminal.")
@click.option("--reports", metavar="FOLDER", help="Write each result there: NAME.json and NAME.html.")
@click.option("--dry-run", is_flag=True, help="Print the statements that would be sent, sending nothing.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of policy files, for editors.")
def command(policies: tuple[str, ...], schema: bool, dry_run: bool, **values: Any) -> int:
    """Run policy files unattended: all of them, whatever fails, with a line for each and the details of what failed.

    POLICY is a policy file, or a folder whose policy files (*.yml, *.yaml with `version:`) are all run. The exit code is
    the worst of all: 2, then 3, then 1, then 0.
    """
    if schema:
        return _print_schema()
    if not policies:
        raise RequestError("no policy is given", "name policy files, or a folder that holds some")
    from sqlrisk.assessment.tasks import read_tasks

    tasks, notes = read_tasks(policies, values["select"])
    if not values["quiet"]:
        for note in notes:
            complain(note)
    if not dry_run:
        return _run(tasks, values)
    for name, default in (("format", "text"), ("output", None), ("reports", None), ("quiet", False)):
        if values[name] != default:
            raise RequestError(f"--dry-run prints statements, and --{name} is about outcomes", "leave one of them out")
    return _dry_run(tasks, values)


def _expanded(path: object) -> object:
    """A source with its variables; what is not set is told when it is opened."""
    return os.path.expandvars(path) if isinstance(path, str) else path


def _print_schema() -> int:
    import json

    from sqlrisk.policy import json_schema

    say(json.dumps(json_schema(), indent=2))
    return 0


def _dry_run(tasks: list[Any], values: dict[str, Any]) -> int:
    """The statement of each policy, as `sqlrisk sql` prints it."""
    from sqlrisk.api import written
    from sqlrisk.outcome import worst

    codes = [0]
    for task in tasks:
        say(f"-- {one_line(task.name)} ({one_line(task.file)})")
        try:
            if task.problem is not None:
                raise task.problem
            # What it may cost is asked of the engine, and nothing is sent here.
            unguarded = task.policy.guards.model_copy(update={"max_bytes": None})
            statement = written(task.policy.model_copy(update={"guards": unguarded}), values["source"], None)
        except SqlriskError as problem:
            codes.append(problem.exit_code)
            say(f"-- {one_line(str(problem))}\n")
            continue
        for note in statement.notes:
            say(f"-- {one_line(note)}")
        say(f"{statement.sql};\n")
    return worst(codes)


def _run(tasks: list[Any], values: dict[str, Any]) -> int:
    from sqlrisk.api import keeping
    from sqlrisk.assessment.check import run_checks
    from sqlrisk.cli.reports import Reports
    from sqlrisk.outcome import worst
    from sqlrisk.report import check_public, checks

    refuse_empty(values, "source", "history", "output", "reports")
    format, output = values["format"], None if values["output"] == "-" else values["output"]
    if format not in checks.FORMATS:
        from sqlrisk.errors import nearest

        raise RequestError(f"--format: there is no format `{format}` of a check", nearest(format, list(checks.FORMATS)))
    check_public(
        format, values["public"] or any(task.policy is not None and task.policy.output.public for task in tasks)
    )
    inputs = [values["source"] or os.environ.get("SQLRISK_URL"), values["history"]]
    for task in tasks:
        inputs += inputs_of(task.policy, task.file) if task.policy is not None else [task.file]
    inputs = [_expanded(path) for path in inputs]
    check_writable({"--output": output}, inputs)
    reports = Reports(tasks, values["reports"], values["public"])
    refuse_taken({**reports.files, "--output": output}, inputs)
    told = not values["quiet"] and (format == "text" or output is not None)

    def done(task: Any, outcome: Any) -> Any:
        outcome = reports.write(task, outcome)
        if told:
            say(checks.line(outcome, color=sys.stdout.isatty()))
        return outcome

    with keeping(values["history"]) as history:
        outcomes = run_checks(
            tasks,
            values["source"],
            jobs=values["jobs"],
            fail_fast=values["fail_fast"],
            history=history,
            first_run=values["first_run"],
            on_done=done,
        )
    if output is not None:
        write_file(output, checks.render(outcomes, format, public=values["public"]))
    elif format != "text" and not values["quiet"]:
        say(checks.render(outcomes, format, public=values["public"]), nl=False)
    if told:
        for text in checks.every_detail(outcomes, color=sys.stdout.isatty(), public=values["public"]):
            say(f"\n{text}")
        say(f"\n{checks.summary(outcomes)}")
    return worst([outcome.exit_code for outcome in outcomes])
