"""``sqlrisk assess``."""

from __future__ import annotations

from typing import Any

import click

from sqlrisk.cli.options import (
    GUARDS,
    JUDGEMENT,
    OF_SENSITIVE,
    OUTPUT,
    POPULATION,
    RELEASE,
    check_output,
    deliver,
    given,
    inputs_of,
    options,
    progress,
    source,
    spell,
    write_file,
)


@click.command("assess")
@source
@options(RELEASE, POPULATION, JUDGEMENT, OF_SENSITIVE, GUARDS, OUTPUT)
def command(source: str | None, policy: str | None, release: str | None, **values: Any) -> int:
    """Measure one table, view or query, and decide whether it may go out.

    SOURCE is a URL (postgresql://, bigquery://project/dataset, duckdb:///file) or a path to a CSV, Parquet or DuckDB
    file. Left out, it is $SQLRISK_URL; ${VARIABLE} in it is taken from the environment.
    """
    from sqlrisk.api import build_policy, resolve_source
    from sqlrisk.errors import RequestError

    built, label = build_policy(policy, given(values), spell, release)
    chosen = resolve_source(source, built)
    output = built.output
    if output.histogram == "-":
        raise RequestError("--histogram: `-` is no file", "name a file, or use --format json")
    check_output(built, inputs_of(built, chosen, policy), output.histogram)
    wildcard = built.release.nulls == "wildcard"
    if output.histogram and (wildcard or (built.release.entity_id and built.release.entity_counting == "distinct")):
        from sqlrisk.assessment.estimated import no_classes

        other = "give another --nulls than wildcard" if wildcard else "count multisets"
        raise RequestError(f"--histogram: {no_classes(built)}", f"leave it out, or {other}")
    from sqlrisk.assessment.assess import assess

    with progress("measuring the release", output.progress and not output.quiet):
        result = assess(built, chosen, label)
    if output.histogram:
        lines = [f"{size},{classes}\n" for size, classes in result.class_sizes.pairs]
        write_file(output.histogram, "class_size,classes\n" + "".join(lines))
    return deliver(result, built)
