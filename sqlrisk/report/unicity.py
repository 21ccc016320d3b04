"""How few points single people out: curves over the points known, and over coarser points."""

from __future__ import annotations

from sqlrisk.parts.unicity import Curve, Unicity
from sqlrisk.report.document import Bar, Bars, Block, Bullets, Code, Curves, Facts, Line, Plot, Section, Table, line
from sqlrisk.report.figures import PEOPLE, Unit, between, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "How few points single people out"
_AS_IT_IS = "as it is"
_POINTS = Unit("point", "points")


def sections(result: Assessment, words: Words) -> tuple[Section, ...]:
    """The section on it; none where it was not measured."""
    found = result.unicity
    if found is None:
        return ()
    blocks: list[Block] = [Facts(tuple(_facts(found))), _random(found), _plot(found), _worst(found), _notes(found)]
    return (Section(TITLE, tuple(blocks)),)


def _facts(found: Unicity) -> list[tuple[str, tuple[Line, ...]]]:
    drawn = "everybody" if found.targets == found.people else f"drawn by the seed {found.seed}"
    rows: list[tuple[str, tuple[Line, ...]]] = [
        ("People", (line(f"{found.people:,}, told apart by ", Code(found.entity_id)),)),
        ("Targets", (line(f"{PEOPLE.count(found.targets)}, {drawn}"),)),
    ]
    for number, curve in enumerate(found.curves):
        told = (
            line("a point is ", *_listed(curve.points)),
            line(f"{_POINTS.count(curve.distinct_points)}; a person has {_each(curve, found)} of them on average"),
        )
        rows.append(("Points" if number == 0 else "Coarser points", told))
    return rows


def _each(curve: Curve, found: Unicity) -> str:
    return f"{curve.points_of_people / found.people:.1f}"


def _listed(points: list[str]) -> list[str]:
    pieces: list[str] = []
    for point in points:
        pieces += [", ", Code(point)]
    return pieces[1:]


def _name(curve: Curve) -> str:
    return curve.coarser or _AS_IT_IS


def _random(found: Unicity) -> Table:
    """The share singled out, by the number of points known, with its interval."""
    header = (
        "Points known, at random",
        *(Code(_name(curve)) if curve.coarser else _AS_IT_IS for curve in found.curves),
    )
    rows = []
    for at, first in enumerate(found.curves[0].unicity):
        cells = [
            f"{percent(own.share)} ({between(own.interval, percent)})"
            if found.targets < found.people and own.share is not None
            else percent(own.share)
            for own in (curve.unicity[at] for curve in found.curves)
        ]
        rows.append((f"{first.known}", *cells))
    return Table(header, tuple(rows))


def _worst(found: Unicity) -> Table:
    header = ("Points known, the best", *(Code(_name(curve)) if curve.coarser else _AS_IT_IS for curve in found.curves))
    rows = [
        (f"{first.known}", *(percent(curve.worst_case[at].share) for curve in found.curves))
        for at, first in enumerate(found.curves[0].worst_case)
    ]
    return Table(header, tuple(rows))


def _plot(found: Unicity) -> Plot:
    groups = tuple(f"{at.known}" for at in found.curves[0].unicity)
    lines = tuple((_name(curve), tuple(at.share for at in curve.unicity)) for curve in found.curves)
    last = [at for at in found.curves[0].unicity if at.share is not None][-1]
    table = Table(
        ("Points known", *(name for name, _ in lines)),
        tuple((group, *(percent(shares[at]) for _, shares in lines)) for at, group in enumerate(groups)),
    )
    bars = tuple(Bar(f"{at.known}", at.share or 0, (percent(at.share),)) for at in found.curves[0].unicity)
    return Plot(
        title="People singled out, by the points known of them",
        alt=f"With {last.known} points known of a person, {percent(last.share)} of the targets are the only ones who fit.",
        drawn=Curves(groups, lines, "points known of a person", "share of the targets"),
        table=table,
        instead=Bars(("Points known", "Singled out"), bars, ""),
    )


def _notes(found: Unicity) -> Bullets:
    notes = [
        line(
            "Singled out: nobody else in the table has all of the points known. The attacker knows that the person is in the "
            "table; where only a part of the people is in it, others outside may have the points too."
        )
    ]
    most = found.curves[0].unicity[-1]
    if most.fewer_points:
        notes.append(
            line(
                f"{PEOPLE.count(most.fewer_points)} of the targets have fewer than {most.known} points: all of theirs are "
                "known."
            )
        )
    notes += [note for curve in found.curves for note in _reasons(curve)]
    return Bullets(tuple(notes))


def _reasons(curve: Curve) -> list[Line]:
    """What was not measured of a curve, and why; each reason once."""
    known: dict[tuple[str, str], list[int]] = {}
    for what, figures in (("at random", curve.unicity), ("the best", curve.worst_case)):
        for at in figures:
            if at.reason:
                known.setdefault((what, at.reason), []).append(at.known)
    return [
        line(
            Code(curve.coarser) if curve.coarser else "Points as they are",
            f": {_POINTS.count(numbers[0])}{' and more' if len(numbers) > 1 else ''} ({what}) not measured, because {reason}.",
        )
        for (what, reason), numbers in known.items()
    ]
