"""The command line: a group, and one module a command, imported when it is called so that --help is instant."""

from __future__ import annotations

import importlib
import signal
import sys

import click

from sqlrisk import __version__
from sqlrisk.errors import Interrupted, SqlriskError, one_line

# Each command's module and its line in the group's help.
COMMANDS = {
    "assess": "Measure one table, view or query, and decide whether it may go out.",
    "demo": "The whole job on a made-up claims release, in the embedded DuckDB.",
    "sql": "Print the SQL that an assessment would send, sending nothing.",
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
    try:
        code = cli.main(args=arguments, prog_name="sqlrisk", standalone_mode=False)
    except SqlriskError as problem:
        complain(str(problem))
        code = problem.exit_code
    except click.exceptions.NoArgsIsHelpError as problem:
        click.echo(problem.ctx.get_help())
        code = 2
    except click.ClickException as problem:
        hint = f" (see `{problem.ctx.command_path} --help`)" if getattr(problem, "ctx", None) else ""
        complain(problem.format_message() + hint)
        code = 2
    except (KeyboardInterrupt, click.Abort):
        complain(str(Interrupted("interrupted")))
        code = Interrupted.exit_code
    except BrokenPipeError:
        # The reader of our output went away; that is its business.
        sys.stderr.close()
        code = 0
    sys.exit(code if isinstance(code, int) else 0)


def complain(text: str) -> None:
    """One line on stderr."""
    click.echo(f"sqlrisk: {one_line(text)}", err=True)
