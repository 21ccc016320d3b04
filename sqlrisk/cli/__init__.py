"""The command line: a group, and one module a command, imported when it is called so that --help is instant."""

from __future__ import annotations

import importlib
import os
import signal
import sys

import click

from sqlrisk import __version__
from sqlrisk.errors import Interrupted, MeasurementError, SqlriskError, one_line

# Each command's module and its line in the group's help.
COMMANDS = {
    "assess": "Measure one table, view or query, and decide whether it may go out.",
    "attack": "Simulated matching attacks, on one table or on longitudinal data.",
    "check": "Run policy files unattended: all of them, with history and one exit code.",
    "columns": "Which columns look like direct identifiers or quasi-identifiers.",
    "dbt": "The same inside a dbt project: init, test, package-path.",
    "demo": "The whole job on a made-up claims release, in the embedded DuckDB.",
    "estimate": "Everything that needs only the class sizes, without a database.",
    "history": "What earlier runs of a policy measured.",
    "report": "Render a saved result in any format, or verify an agreement record.",
    "sql": "Print the SQL that an assessment would send, sending nothing.",
    "sweep": "How risk grows with what the attacker knows: every subset of the quasi-identifiers.",
}


class _Commands(click.Group):
    """Knows its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return importlib.import_module(f"sqlrisk.cli.{name}").command if name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="sqlrisk")
def cli() -> None:
    """Re-identification risk of a table, measured where the data lives.

    Exit codes: 0 within every limit or none given, 1 a limit is exceeded, 2 the request is wrong, 3 it could not be
    measured, 130 interrupted.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with the contract's exit code; every error is one line on stderr."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - for the rest of the process
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal of another encoding gets escapes, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        # Not click's own main: it has other ideas about Ctrl-C and broken pipes.
        with cli.make_context("sqlrisk", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = cli.invoke(context)
    except BrokenPipeError:
        code = 0  # while click printed --help
    except click.exceptions.Exit as ended:
        code = ended.exit_code
    except SqlriskError as problem:
        complain(str(problem))
        code = problem.exit_code
    except click.exceptions.NoArgsIsHelpError as problem:
        say(problem.ctx.get_help())
        code = 2
    except click.ClickException as problem:
        hint = f" (see `{problem.ctx.command_path} --help`)" if getattr(problem, "ctx", None) else ""
        complain(problem.format_message() + hint)
        code = 2
    except (KeyboardInterrupt, click.Abort):
        complain(str(Interrupted("interrupted")))
        code = Interrupted.exit_code
    except OSError as problem:  # while click printed --help
        complain(f"the output cannot be written ({problem.strerror}): check the disk")
        code = MeasurementError.exit_code
    except Exception as problem:
        if os.environ.get("SQLRISK_DEBUG"):
            raise
        complain(f"a mistake in sqlrisk ({type(problem).__name__}): please report it; SQLRISK_DEBUG=1 shows where")
        code = MeasurementError.exit_code
    sys.exit(code if isinstance(code, int) else 0)


def say(text: str, nl: bool = True) -> None:
    """Print to stdout. If its reader has gone away, that is its business, and the exit code stays what it is."""
    try:
        click.echo(text, nl=nl)
        sys.stdout.flush()
    except OSError as problem:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - for the rest of the process
        if not isinstance(problem, BrokenPipeError):
            raise MeasurementError(f"the output cannot be written ({problem.strerror})", "check the disk") from None


def complain(text: str) -> None:
    """One line on stderr."""
    click.echo(f"sqlrisk: {one_line(text)}", err=True)
