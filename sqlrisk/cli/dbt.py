"""``sqlrisk dbt``: init, test and package-path."""

from __future__ import annotations

import sys
from typing import Any

import click

from sqlrisk.cli import complain, say
from sqlrisk.cli.options import UNATTENDED, options, refuse_empty
from sqlrisk.errors import RequestError, one_line

_WIDTH = 80
_ORDER = ("PASS", "NO-PASS", "FAIL", "ERROR", "SKIP")
_NEXT = """Next:
  1. dbt deps
  2. Declare in the YAML of a model what is measured, as the model gives it out, and what is allowed; and add the gate:

       models:
         - name: claims_release
           config:
             post_hook: ["{{ sqlrisk.gate() }}", "{{ sqlrisk.record_histogram() }}"]
             meta:
               sqlrisk:
                 quasi_identifiers: [sex, age_band, zip3]
                 attackers: {prosecutor: {threshold: 1/5, max_share_at_risk: 0}}
                 justification: why this threshold and this attacker

  3. dbt build
  4. sqlrisk dbt test"""


class _Several(click.Option):
    """An option that takes every word up to the next option, as dbt's selectors do."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        option = next(parser._long_opt[name] for name in self.opts if name in parser._long_opt)
        option.process = _taking_all(option.process)


def _taking_all(process: Any) -> Any:
    def several(value: Any, state: Any) -> None:
        process(value, state)
        while state.rargs and not state.rargs[0].startswith("-"):
            process(state.rargs.pop(0), state)

    return several


_project_dir = click.option(
    "--project-dir",
    metavar="DIR",
    envvar="DBT_PROJECT_DIR",
    help="The dbt project. Default: this folder, or the nearest above it that is one.",
)


@click.group("dbt")
def command() -> None:
    """The same inside a dbt project: tests and a gate in its own build, and what SQL alone cannot do after it."""


@command.command("package-path")
def package_path() -> int:
    """Print the folder of the dbt package, for `- local:` in packages.yml."""
    from sqlrisk.dbt.install import package_folder

    say(str(package_folder()))
    return 0


@command.command("init")
@_project_dir
def init(project_dir: str | None) -> int:
    """Add the dbt package to a project's packages.yml, and say what to do next."""
    from sqlrisk.dbt.install import add_package, package_folder
    from sqlrisk.dbt.project import Project

    file, changed = add_package(Project.find(project_dir), package_folder())
    say(f"{file}: the package sqlrisk was {'added' if changed else 'there already'}.\n\n{_NEXT}")
    return 0


@command.command("test")
@_project_dir
@click.option(
    "--profiles-dir",
    metavar="DIR",
    help="Where profiles.yml is. Default: DBT_PROFILES_DIR, the project, ~/.dbt.",
)
@click.option("--profile", metavar="NAME", envvar="DBT_PROFILE", help="In the place of the project's profile.")
@click.option("--target", metavar="NAME", envvar="DBT_TARGET", help="In the place of the profile's target.")
@click.option(
    "--select",
    "-s",
    cls=_Several,
    multiple=True,
    metavar="SELECTOR...",
    help="Which models, in dbt's syntax: names, tag:, path:, file:, package:. Default: all that declare a policy.",
)
@click.option("--exclude", cls=_Several, multiple=True, metavar="SELECTOR...", help="Which models not.")
@click.option(
    "--from-audit",
    is_flag=True,
    help="Judge the class sizes that `sqlrisk.record_histogram()` put on record, without reading the models.",
)
@options(UNATTENDED)
def test(project_dir: str | None, **values: Any) -> int:
    """Measure and judge the models of a dbt project that declare a policy under `config.meta.sqlrisk`.

    Run it after `dbt build`. Each result is written to target/sqlrisk. The exit code is the worst of all: 2, then 3, then 1,
    then 0.
    """
    from sqlrisk.dbt.manifest import Manifest
    from sqlrisk.dbt.profile import read_target
    from sqlrisk.dbt.project import Project
    from sqlrisk.dbt.selection import select
    from sqlrisk.dbt.tasks import declared

    refuse_empty(values, "history")
    if values["from_audit"] and values["first_run"]:
        raise RequestError("--first-run is about a history, and --from-audit keeps none", "leave out one of them")
    project = Project.find(project_dir)
    manifest = Manifest.read(project)
    selected = select(manifest.models, project, values["select"], values["exclude"])
    target = read_target(project, values["profiles_dir"], values["profile"], values["target"])
    found, notes = declared(manifest, target, project, selected)
    if values["from_audit"] and values["history"]:
        notes.append("--history: what is judged from the audit table is put on no history")
    if not values["quiet"]:
        for note in notes:
            complain(note)
    return _run(found, project, target, values)


def _run(found: list[Any], project: Any, target: Any, values: dict[str, Any]) -> int:
    from sqlrisk.cli.reports import Reports
    from sqlrisk.dbt.tasks import explained
    from sqlrisk.outcome import worst
    from sqlrisk.report import checks

    tasks = [item.task for item in found]
    models = {item.task.name: item.model for item in found}
    reports = Reports(tasks, str(project.target / "sqlrisk"), values["public"])
    lines = _Lines([task.name for task in tasks], 1 if values["from_audit"] else values["jobs"], values)

    def done(task: Any, outcome: Any) -> Any:
        outcome = reports.write(task, explained(outcome, models[task.name]))
        lines.done(outcome)
        return outcome

    lines.begin()
    if values["from_audit"]:
        from sqlrisk.dbt.audit import judge_recorded

        outcomes = judge_recorded(found, target, project, fail_fast=values["fail_fast"], on_done=done)
    else:
        outcomes = _measured(tasks, values, done)
    if not values["quiet"]:
        for text in checks.every_detail(outcomes, color=sys.stdout.isatty(), public=values["public"]):
            say(f"\n{text}")
        say(f"\nDone. {_counts(outcomes)}")
    return worst([outcome.exit_code for outcome in outcomes])


def _measured(tasks: list[Any], values: dict[str, Any], done: Any) -> list[Any]:
    from sqlrisk.api import keeping
    from sqlrisk.assessment.check import run_checks

    with keeping(values["history"]) as history:
        return run_checks(
            tasks,
            jobs=values["jobs"],
            fail_fast=values["fail_fast"],
            history=history,
            first_run=values["first_run"],
            on_done=done,
        )


class _Lines:
    """dbt's lines: one as a model is begun, one as it is done. Models are begun in their order, ``jobs`` at once."""

    def __init__(self, names: list[str], jobs: int, values: dict[str, Any]) -> None:
        self._names, self._jobs = names, jobs
        self._told, self._fail_fast = not values["quiet"], values["fail_fast"]
        self._begun, self._failed = 0, False

    def begin(self) -> None:
        """The lines of those that are begun at once."""
        for _ in self._names[: self._jobs]:
            self._start()

    def done(self, outcome: Any) -> None:
        """The line of one that is done, and of the one that is begun in its place."""
        word = _status(outcome)
        self._failed = self._failed or outcome.exit_code != 0
        said = outcome.word if word == "NO-PASS" else word
        took = "" if word == "SKIP" else f" in {outcome.seconds:0.2f}s"
        self._say(self._names.index(outcome.name), word, outcome.name, f"{said}{took}")
        if word != "SKIP" and self._begun < len(self._names) and not (self._fail_fast and self._failed):
            self._start()

    def _start(self) -> None:
        self._begun += 1
        self._say(self._begun - 1, "START", self._names[self._begun - 1], "RUN")

    def _say(self, index: int, word: str, name: str, status: str) -> None:
        if self._told:
            text = f"{index + 1} of {len(self._names)} {word} {one_line(name)} "
            say(f"{text.ljust(_WIDTH, '.')} [{status}]")


def _status(outcome: Any) -> str:
    """dbt's word for an outcome, and one of our own for what is within its limits and no pass."""
    if outcome.skipped is not None:
        return "SKIP"
    if outcome.exit_code:
        return "FAIL" if outcome.exit_code == 1 else "ERROR"
    return "PASS" if outcome.word == "passed" else "NO-PASS"


def _counts(outcomes: list[Any]) -> str:
    words = [_status(outcome) for outcome in outcomes]
    told = [f"{word}={words.count(word)}" for word in _ORDER if word != "NO-PASS" or word in words]
    return f"{' '.join(told)} TOTAL={len(words)}"
