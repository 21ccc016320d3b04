"""``sqlrisk report``."""

from __future__ import annotations

import sys
from typing import Any

import click

from sqlrisk.cli import say
from sqlrisk.cli.options import check_writable, write_file


@click.command("report")
@click.argument("result", metavar="RESULT")
@click.option("--format", "format", metavar="text|json|markdown|html|junit|agreement|sdp-json", help="Default: text.")
@click.option("--output", metavar="FILE", help="Write the report to a file.")
@click.option(
    "--public", is_flag=True, help="A report fit to leave the house: no SQL, no values, counts under 11 masked."
)
@click.option(
    "--verify", metavar="RECORD", help="Tell whether an agreement record is of this very result; 1 if it is not."
)
def command(result: str, format: str | None, output: str | None, public: bool, verify: str | None) -> int:
    """Render a saved result in any format, or verify an agreement record.

    RESULT is a file that --save or --format json wrote, or - for standard input. Rendering judges nothing anew: the exit
    code is 0, whatever the verdict was.
    """
    from sqlrisk.errors import RequestError, nearest
    from sqlrisk.report import FORMATS, check_public, load

    if verify is not None:
        if format is not None or output is not None or public:
            raise RequestError("--verify renders nothing", "leave out --format, --output and --public")
        if verify == "-" == result:
            raise RequestError("RESULT and --verify are both standard input", "give one of them as a file")
        return _verify(load.load(result), verify)
    chosen = format or "text"
    if chosen not in FORMATS:
        raise RequestError(f"there is no format `{chosen}`", nearest(chosen, list(FORMATS)))
    check_public(chosen, public)
    file = None if output == "-" else output
    check_writable({"--output": file}, [result] if result != "-" else [])
    loaded = load.load(result)
    with load.rendering("standard input" if result == "-" else result):
        return _render(loaded, chosen, file, public)


def _render(result: Any, format: str, file: str | None, public: bool) -> int:
    from sqlrisk.report import render

    if file is not None:
        write_file(file, render(result, format, public=public, file=file))
        return 0
    text = render(result, format, public=public, color=sys.stdout.isatty())
    say(text, nl=not text.endswith("\n"))
    return 0


def _verify(result: Any, record: str) -> int:
    from sqlrisk.errors import RequestError, one_line
    from sqlrisk.report import agreement, load

    text = load.read_text(record)
    try:
        with load.rendering("the result"):
            different = agreement.verify(text, result)
    except RequestError as problem:
        raise RequestError(f"{record}: {problem.cause}", problem.remedy) from None
    if not different:
        say(f"matches: {one_line(record)} is the record of this result, {agreement.fingerprint_of(result)}")
        return 0
    say(
        "\n".join(
            [f"differs: {one_line(record)} is not the record of this result", *(f"  {item}" for item in different)]
        )
    )
    return 1
