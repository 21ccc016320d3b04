"""``sqlrisk demo``."""

from __future__ import annotations

import click

from sqlrisk.cli import say
from sqlrisk.cli.options import check_writable, progress, write_file


@click.command("demo")
@click.option(
    "--seed",
    type=click.IntRange(-(2**63), 2**63 - 1),
    default=1,
    show_default=True,
    help="Makes another release and register.",
)
@click.option("--output", metavar="FILE", default="sqlrisk-demo.html", show_default=True, help="The page to write.")
@click.option("--no-progress", "wanted", flag_value=False, default=True, type=bool, help="No progress on stderr.")
def command(seed: int, output: str, wanted: bool) -> int:
    """The whole job on a made-up claims release and its member register, in the embedded DuckDB.

    First the release as it is, which fails its limits, then the same generalised, which passes. Exit code 0.
    """
    import sys

    from sqlrisk.assessment.demo import run_demo
    from sqlrisk.report import html, text

    check_writable({"--output": output})
    with progress("making a release and its register, and measuring them", wanted):
        run = run_demo(seed)
    color = sys.stdout.isatty()
    for heading, introduction, result in run.chapters:
        say(f"\n{heading}\n{'=' * len(heading)}\n\n{click.wrap_text(introduction, 88)}\n")
        say(text.render(result, color=color))
    write_file(output, html.render_pages(run.chapters))
    say(f"The same as a page: {output}")
    return 0
