"""What several releases give away together."""

from __future__ import annotations

from sqlrisk.parts.composition import Composed, Composition
from sqlrisk.report.document import Block, Bullets, Code, Facts, Line, Paragraph, Section, Table, line, lines
from sqlrisk.report.figures import NONE, PEOPLE, percent, risk
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "Together with earlier releases"
_MEANING = (
    "Who can link knows which records of the releases are of one person: by a token that stays, or an order that stays. Alike "
    "are people who are in the same class of every release; not being in one counts too.",
    "Who cannot link finds a person's class in each release that the person is in. Their candidates are the people of this "
    "release who are in all of these classes.",
    "Values left: those that a person's classes have in common. One left is disclosed, whoever can link or not. None left "
    "means that a value changed between the releases.",
    "m-invariance asks that each class has m records with m different values, and that a person's classes have the same values "
    "in every release.",
)


def sections(result: Assessment, words: Words) -> tuple[Section, ...]:
    """The section on it; none without earlier releases."""
    found = result.composition
    if found is None:
        return ()
    blocks: list[Block] = [Facts(tuple(_releases(found)))]
    if found.reason is not None or found.linkable is None or found.unlinkable is None:
        return (Section(TITLE, (*blocks, Paragraph(line(f"Not measured together, because {found.reason}.")))),)
    blocks.append(_identity(found, result))
    if found.sensitive:
        blocks += [_sensitive(found), Bullets(tuple(_invariance(name, own) for name, own in found.sensitive.items()))]
    return (Section(TITLE, (*blocks, Bullets(lines(*_MEANING)))),)


def _releases(found: Composition) -> list[tuple[str, tuple[Line, ...]]]:
    rows: list[tuple[str, tuple[Line, ...]]] = []
    for item in found.releases:
        pieces: list[str] = []
        for column in item.absent:
            pieces += [", ", Code(column)]
        lacks = ("; it lacks ", *pieces[1:]) if pieces else ()
        rows.append(
            (
                "Release",
                (line(Code(item.table), f", {item.records:,} records, linked by ", Code(item.link_id), *lacks),),
            )
        )
    return rows


def _identity(found: Composition, result: Assessment) -> Table:
    linkable, unlinkable, alone = found.linkable, found.unlinkable, result.prosecutor
    assert linkable is not None and unlinkable is not None
    rows = (
        ("Smallest class", f"{result.smallest_class:,}", f"{linkable.smallest_class:,}", f"{unlinkable.smallest:,}"),
        ("Alone", f"{result.sample_uniques.records:,}", f"{linkable.sample_uniques:,}", f"{unlinkable.alone:,}"),
        ("Highest risk", risk(alone.highest_risk), risk(linkable.highest_risk), risk(1 / unlinkable.smallest)),
        ("Average risk", percent(alone.average_risk), percent(linkable.average_risk), NONE),
        ("At risk", percent(alone.share_at_risk), percent(linkable.share_at_risk), percent(unlinkable.share_at_risk)),
    )
    return Table(("Prosecutor", "This release alone", "All, linked", "All, not linked"), rows)


def _sensitive(found: Composition) -> Table:
    rows = []
    for name, own in found.sensitive.items():
        fewest = next((values for values, _ in own.left if values), None)
        rows.append(
            (
                Code(name),
                NONE if fewest is None else f"{fewest}",
                f"{own.disclosed:,}",
                f"{own.inconsistent:,}",
                NONE if own.m is None else f"{own.m}",
            )
        )
    return Table(("Sensitive column", "Fewest values left", "One left", "None left", "m-invariant, m"), tuple(rows))


def _invariance(name: str, own: Composed) -> Line:
    told = f"{PEOPLE.count(own.changed_signature)} in classes with other values in another release"
    if own.reason is None:
        return line(Code(name), f": {told}.")
    return line(Code(name), f": {told}; not m-invariant, because {own.reason}.")
