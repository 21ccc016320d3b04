"""Minimal sample uniques: how many, on which columns, and how special the records are."""

from __future__ import annotations

from sqlrisk.parts.subsets import MinimalUniques
from sqlrisk.report.document import Block, Bullets, Code, Facts, Line, Section, Table, line, lines
from sqlrisk.report.figures import RECORDS, number, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "Minimal sample uniques"
_SHOWN = 10
_MEANING = (
    "A minimal sample unique is a set of columns on which a record is alone, and on no part of which it is. The fewer columns, "
    "the more special the record, and the more likely it is alone in the population too.",
    "The scores say which records to look at first. They are no probabilities, and depend on the number of columns.",
    "A column's part counts each minimal unique with it, so that the parts sum to more than 100 %.",
)


def minimal_uniques(result: Assessment, words: Words) -> tuple[Section, ...]:
    """The section on them; none where they were not looked for."""
    found = result.minimal_uniques
    if found is None:
        return ()
    blocks: list[Block] = [Facts(tuple(_facts(found, result.release.records)))]
    if found.records:
        blocks += [_by_size(found), _contributions(found)]
    return (Section(TITLE, (*blocks, Bullets(lines(*_MEANING)))),)


def _facts(found: MinimalUniques, records: int) -> list[tuple[str, tuple[Line, ...]]]:
    rows = [
        ("Looked for", lines(f"on at most {found.max_size} columns")),
        ("Records that have one", lines(f"{RECORDS.count(found.records)} ({percent(found.records / records)})")),
        (
            "Highest score",
            lines(f"{number(found.suda.highest)} by SUDA2, {number(found.ihsn.highest)} by the IHSN's guide"),
        ),
    ]
    if found.dis_suda is None:
        reason = found.reasons.get("minimal_uniques.dis_suda", "it could not be computed")
        rows.append(("DIS-SUDA", lines(f"not computed, because {reason}")))
    else:
        dis = found.dis_suda
        told = f"highest {percent(dis.highest)}, mean over all records {percent(dis.mean)}"
        rows.append(("DIS-SUDA", lines(f"{told}, at a sampling fraction of {percent(dis.sampling_fraction)}")))
    return [*rows, *([("Most often on", _subsets(found))] if found.subsets else [])]


def _subsets(found: MinimalUniques) -> tuple[Line, ...]:
    told = []
    for item in found.subsets[:_SHOWN]:
        pieces: list[str] = []
        for column in item.columns:
            pieces += [", ", Code(column)]
        told.append(line(*pieces[1:], f": {item.minimal_uniques:,}"))
    return tuple(told)


def _by_size(found: MinimalUniques) -> Table:
    rows = tuple((f"{item.size}", f"{item.minimal_uniques:,}", f"{item.records:,}") for item in found.by_size)
    return Table(("Columns", "Minimal uniques", "Records with one"), rows)


def _contributions(found: MinimalUniques) -> Table:
    ranked = sorted(found.contributions, key=lambda item: -item.suda)
    rows = tuple((Code(item.column), percent(item.suda), percent(item.ihsn)) for item in ranked)
    return Table(("Column", "Part in the scores, SUDA2", "IHSN"), rows)
