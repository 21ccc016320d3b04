"""Options that commands share. Each is called as in ``sqlrisk.policy.KEYS``, which says where it stands in a policy."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from sqlrisk.cli import complain, say
from sqlrisk.errors import MeasurementError, RequestError

# Names on the command line that differ from the policy's.
_SPELLINGS = {"quasi_identifiers": "--quasi-identifier", "attackers": "--attacker", "progress": "--no-progress"}

source = click.argument("source", required=False, metavar="[SOURCE]")

POLICY = [
    click.option("--policy", metavar="FILE", help="Take everything from a policy file; options override it."),
    click.option("--release", metavar="NAME", help="Which release of a policy file that holds several."),
]
TABLE = [
    click.option("--table", metavar="NAME", help="Schema-qualified table or view. A file source needs none."),
    click.option("--query", metavar="SQL", help="One SELECT instead of a table; it may only read."),
    *POLICY,
    click.option(
        "-q",
        "--quasi-identifier",
        "quasi_identifiers",
        multiple=True,
        metavar="COLUMN[:GENERALISATION]",
        help="A column an attacker could know: age, age:band=5, zip:prefix=3, admitted:truncate=month. Repeatable.",
    ),
    click.option("--where", metavar="SQL", help="Restrict the release: one boolean expression."),
    click.option("--suppressed", metavar="TOKEN", help="A text, for example *, to treat as missing."),
]
UNPARSEABLE = click.option(
    "--unparseable",
    metavar="error|null",
    help="What to do with values that do not convert. Default: error, exit code 3.",
)
MATCHING = [
    click.option(
        "--nulls",
        metavar="value|wildcard|exclude",
        help="How a missing quasi-identifier matches. Default: value, a value of its own.",
    ),
    UNPARSEABLE,
    click.option(
        "--entity-id", metavar="COLUMN", help="One person, several rows: the column that says whose a row is."
    ),
    click.option(
        "--entity-counting",
        metavar="multiset|distinct",
        help="Compare people by all of their rows, or by each distinct one. Default: multiset.",
    ),
]
SENSITIVE = [
    click.option(
        "-s",
        "--sensitive",
        "sensitive",
        multiple=True,
        metavar="COLUMN[:categorical|numeric|ordered|map=FILE]",
        help="A column whose values are nobody's business, and how they are compared. Repeatable.",
    ),
    click.option(
        "--sensitive-nulls",
        metavar="value|ignore",
        help="Whether a missing sensitive value is a value of its own. Default: value.",
    ),
]
SURVEY = [
    click.option(
        "--weight", metavar="COLUMN", help="Survey weight: how many people of the population a record is for."
    ),
    click.option("--household", metavar="COLUMN", help="Household id, for household risk; with --weight."),
]
MODEL = [
    click.option(
        "--population-model",
        metavar="FILE",
        help="Relative frequencies instead of a register: a CSV, or a YAML file that lists several; with its size.",
    ),
]
REGISTER = [
    click.option("--population-table", metavar="NAME", help="A register on the same connection (or a file)."),
    click.option(
        "--population-columns", metavar="release=population,...", help="Columns called otherwise in the register."
    ),
    click.option("--population-where", metavar="SQL", help="Restrict the register."),
    click.option("--population-entity-id", metavar="COLUMN", help="Count people, not rows, of the register."),
]
EARLIER = [
    click.option(
        "--previous",
        multiple=True,
        metavar="TABLE",
        help="An earlier release, to be measured together with this one. Repeatable.",
    ),
    click.option(
        "--link-id",
        multiple=True,
        metavar="COLUMN",
        help="The column that links its records with those of this one: one for all, or one for each.",
    ),
]
RELEASE = [*TABLE, *SENSITIVE, *MATCHING, *SURVEY, *EARLIER, *MODEL, *REGISTER]
POPULATION = [
    click.option("--population-size", metavar="N", help="How many people the release is a sample of."),
    click.option(
        "--sampling-fraction", metavar="F[,F...]", help="The release's share of the population; several make a table."
    ),
    click.option(
        "--estimator",
        metavar="NAME",
        help="How an unknown population is estimated: auto, dankar, pitman_yor, zayatz, snb, ... Default: auto.",
    ),
    click.option("--seed", metavar="N", help="Seed of the intervals' resampling. Default: 0."),
]
THRESHOLD = click.option(
    "--threshold", metavar="T", help="Record risk above which a record is at risk: 0.2, 1/11 or k=11. Default: 1/5."
)
JUDGEMENT = [
    click.option(
        "--profile",
        metavar="NAME",
        help="A published precedent that sets threshold and limits: k3, k5, ema-0070, us-public, strict-average, ...",
    ),
    click.option(
        "--attacker",
        "attackers",
        multiple=True,
        metavar="prosecutor|journalist|marketer",
        help="Whose risk the limits are about. Repeatable.",
    ),
    THRESHOLD,
    click.option("--max-highest-risk", metavar="R", help="Limit on the highest record risk of the attackers named."),
    click.option("--max-average-risk", metavar="R", help="Limit on the average record risk of the attackers named."),
    click.option(
        "--max-share-at-risk", metavar="S", help="Limit on the share of records at risk of the attackers named."
    ),
    click.option("--min-k", metavar="K", help="Limit on the size of the smallest class."),
    click.option(
        "--min-k-map", metavar="K", help="Limit on the size of the release's smallest class in the population."
    ),
    click.option("--max-delta-presence", metavar="D", help="Limit on how sure membership in the release can be."),
    click.option("--max-sample-uniques", metavar="S", help="Limit on the share of records alone in their class."),
    click.option(
        "--max-population-uniques", metavar="S", help="Limit on the share of records that are alone in the population."
    ),
    click.option("--max-excluded", metavar="S", help="Share of records that may be left out for missing values."),
    click.option("--accept-weak", metavar="REASON", help="Let a weak or model-driven estimate pass a limit."),
    click.option("--justification", metavar="TEXT", help="Why this threshold and this attacker, for this recipient."),
    click.option(
        "--context",
        multiple=True,
        metavar="KEY=VALUE",
        help="How probable an attempt is, beside the risks: deliberate, prevalence, breach, public; justification. "
        "Repeatable.",
    ),
    click.option(
        "--agreement",
        multiple=True,
        metavar="KEY=VALUE",
        help="For the record: recipient, purpose, reference, valid_from, valid_until. Repeatable.",
    ),
]
OF_SENSITIVE = [
    click.option("--min-l", metavar="L", help="Limit on the number of distinct sensitive values of a class."),
    click.option("--min-entropy-l", metavar="L", help="Limit on entropy l-diversity, exp of the entropy."),
    click.option("--max-recursive-c", metavar="C", help="Strict limit on c of recursive (c,l)-diversity."),
    click.option("--recursive-l", metavar="L", help="The l of recursive (c,l)-diversity. Default: 2."),
    click.option("--max-t", metavar="T", help="Limit on t-closeness."),
    click.option(
        "--max-alpha", metavar="S", help="Limit on the share of the most frequent sensitive value of a class."
    ),
    click.option("--max-beta", metavar="B", help="Limit on basic β-likeness."),
    click.option("--max-delta-disclosure", metavar="D", help="Limit on δ-disclosure."),
]
GUARDS = [
    click.option("--timeout", metavar="SECONDS", help="Stop the statement on the engine after this time."),
    click.option("--max-bytes", metavar="N", help="Send nothing that would scan (or bill) more."),
    click.option("--max-rows", metavar="N", help="Rows that may leave the warehouse. Default: 100,000."),
]
NO_PROGRESS = click.option(
    "--no-progress", "progress", flag_value=False, default=None, type=bool, help="No progress on stderr."
)
QUIET = click.option(
    "--quiet", is_flag=True, default=None, help="Print no report to the terminal; the exit code tells."
)
REPORT = [
    click.option(
        "--format", "format", metavar="text|json|markdown|html|junit|agreement|sdp-json", help="Default: text."
    ),
    click.option("--output", metavar="FILE", help="Write the report to a file."),
    click.option("--save", metavar="FILE", help="Write the result as JSON too, for `sqlrisk report` and the record."),
    click.option(
        "--public",
        is_flag=True,
        default=None,
        help="A report fit to leave the house: no SQL, no values, counts under 11 masked.",
    ),
    QUIET,
]
# Of runs that nobody watches, of policy files and of dbt's models.
UNATTENDED = [
    click.option("--fail-fast", is_flag=True, help="Start nothing after one that failed."),
    click.option(
        "--jobs", default=1, metavar="N", type=click.IntRange(1, 64), help="How many to measure at once. Default: 1."
    ),
    click.option(
        "--history",
        metavar="FILE_OR_URL",
        envvar="SQLRISK_HISTORY",
        help="Put every run on record there: a SQLite file, or a database.",
    ),
    click.option(
        "--first-run", is_flag=True, help="Accept that a limit on change has no earlier run to be compared with."
    ),
    click.option(
        "--public", is_flag=True, help="Reports fit to leave the house: no SQL, no values, counts under 11 masked."
    ),
    click.option("--quiet", is_flag=True, help="Print nothing; the exit code tells."),
]
# Of commands whose result is not an assessment, and stays in the house.
INTERNAL = [
    click.option("--format", "format", metavar="text|json|markdown|html", help="Default: text."),
    *REPORT[1:3],
    QUIET,
    NO_PROGRESS,
]
OUTPUT = [
    *REPORT,
    click.option("--histogram", metavar="FILE", help="Write the class sizes to a CSV: class_size,classes."),
    NO_PROGRESS,
]


def options(*groups: list[Callable]) -> Callable:
    """A decorator with the options of ``groups`` in their order."""

    def decorate(function: Callable) -> Callable:
        for option in reversed([option for group in groups for option in group]):
            function = option(function)
        return function

    return decorate


def spell(name: str) -> str:
    """An option as the user writes it."""
    return _SPELLINGS.get(name, "--" + name.replace("_", "-"))


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as the policy takes them."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value not in (None, ())
    }


def check_writable(outputs: dict[str, str | None], inputs: Sequence[object] = ()) -> None:
    """Refuse, before anything is measured, files that could not be written afterwards, or that would replace an input.

    ``outputs`` maps options to paths.
    """
    refuse_taken(outputs, inputs)
    for option, path in outputs.items():
        if path is None:
            continue
        try:
            folder = Path(path).parent
            if not path or "\0" in path or Path(path).is_dir() or not os.access(folder, os.W_OK):
                raise RequestError(f"{option}: `{path}` cannot be written", "name a file in a folder that is there")
        except OSError as problem:
            cause = f"{option}: `{path[:80]}` cannot be written ({problem.strerror})"
            raise RequestError(cause, "choose another file") from None


def refuse_taken(outputs: dict[str, str | None], inputs: Sequence[object] = ()) -> None:
    """Refuse outputs that would replace an input, or each other. ``outputs`` maps options to paths."""
    taken = {real: "it is read" for path in inputs if (real := _local(path)) is not None}
    for option, path in outputs.items():
        if path is None:
            continue
        if _real(path) in taken and not (Path(path).exists() and not Path(path).is_file()):
            raise RequestError(
                f"{option}: {path} would be overwritten, and {taken[_real(path)]}", "choose another file"
            )
        taken[_real(path)] = f"{option} writes it too"


def refuse_empty(values: dict[str, Any], *names: str) -> None:
    """An empty text is a variable that was not set: nothing must be taken for granted then."""
    for name in names:
        if values[name] == "":
            raise RequestError(f"--{name} is empty", "leave it out, or give what it needs")


def inputs_of(policy: Any, *others: object) -> list[object]:
    """The files that a run under ``policy`` reads, and ``others`` that are given."""
    release, population = policy.release, policy.population
    maps = [getattr(qi.generalisation, "file", None) for qi in release.quasi_identifiers]
    maps += [getattr(item.mapping, "file", None) for item in release.sensitive]
    model = population.model
    listed = [model.path, *(table.file for table in model.tables)] if model is not None else []
    return [policy.connection, population.table, *(item.table for item in release.previous), *maps, *listed, *others]


def _local(path: object) -> str | None:
    """The file that is meant by a path, or by the URL of a database file; None for anything else."""
    if not isinstance(path, str | Path) or not str(path):
        return None
    scheme, slashes, rest = str(path).partition("://")
    if not slashes:
        return _real(path)
    is_file = scheme.partition("+")[0] in ("duckdb", "sqlite") and rest.startswith("/")
    return _real(rest.removeprefix("/").partition("?")[0]) if is_file else None


def _real(path: str | Path) -> str:
    return os.path.realpath(path) if "\0" not in str(path) else str(path)


def check_output(policy: Any, inputs: Sequence[object] = (), histogram: str | None = None) -> None:
    """Refuse, before anything is measured, reports that could not be made or written afterwards."""
    from sqlrisk.report import check_public

    output = policy.output
    check_public(output.format, output.public)
    if output.save == "-":
        raise RequestError("--save: `-` is no file", "name a file, or use --format json")
    if output.format == "agreement" and output.save is None:
        raise RequestError(
            "--format agreement: the record carries the fingerprint of a result, and none is kept",
            "give --save FILE too",
        )
    check_writable({"--output": _file(policy), "--save": output.save, "--histogram": histogram}, inputs)


def deliver(result: Any, policy: Any) -> int:
    """Save and render the result as the policy says, to a file or to the terminal; the exit code."""
    from sqlrisk.report import render

    output, file = policy.output, _file(policy)
    if output.save:
        write_file(output.save, result.to_json())
    if file:
        write_file(file, render(result, output.format, public=output.public, file=file))
    elif not output.quiet:
        text = render(result, output.format, public=output.public, color=sys.stdout.isatty())
        say(text, nl=not text.endswith("\n"))
    elif result.exit_code == MeasurementError.exit_code:
        complain(
            "; ".join(f"{check.measure}: {check.reason}" for check in result.verdict.checks if check.value is None)
        )
    return result.exit_code


def run(
    name: str,
    source: str | None,
    policy: str | None,
    release: str | None,
    values: dict[str, Any],
    *,
    doing: str,
) -> int:
    """One of the commands whose result stays in the house: build its policy, measure, deliver; the exit code.

    What a policy file says of the report is about the assessment: these take theirs from the options alone.
    """
    from sqlrisk.api import build_policy, procedure_of, resolve_source
    from sqlrisk.errors import RequestError

    options = given(values)
    reporting = {key: options.pop(key) for key in ("format", "output", "save", "quiet", "progress") if key in options}
    built, label = build_policy(policy, options, spell, release, name)
    built = built.model_copy(update={"output": build_policy(None, reporting, spell)[0].output})
    if built.output.format not in ("text", "json", "markdown", "html"):
        raise RequestError(
            f"--format: there is no `{built.output.format}` of this command", "use text, json, markdown or html"
        )
    chosen = resolve_source(source, built)
    check_output(built, inputs_of(built, chosen, policy))
    with progress(doing, built.output.progress and not built.output.quiet):
        result = procedure_of(name)(built, chosen, label)
    return deliver(result, built)


def _file(policy: Any) -> str | None:
    return None if policy.output.file == "-" else policy.output.file


def write_file(path: str, content: str | bytes) -> None:
    """Write the whole file or none of it: a run that is killed leaves the old one.

    A link stays a link, and what is no file (``/dev/stdout``, a pipe) is written to, never replaced.
    """
    target, data = Path(path), content.encode() if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():
            with contextlib.suppress(BrokenPipeError):  # its reader has gone away, and that is its business
                target.write_bytes(data)
            return
        _replace(target.resolve(), data)
    except OSError as problem:
        raise RequestError(f"{path} cannot be written ({problem.strerror})", "choose another file") from None


def _replace(target: Path, data: bytes) -> None:
    with tempfile.NamedTemporaryFile("wb", dir=target.parent, delete=False) as file:
        try:
            file.write(data)
            file.close()
            os.chmod(file.name, 0o666 & ~_umask())
            os.replace(file.name, target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def progress(text: str, wanted: bool) -> Iterator[None]:
    """A spinner with ``text`` on stderr while the block runs, on a terminal only."""
    if not (wanted and sys.stderr.isatty()):
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield
