"""A simulated attack beside the analytic risk."""

from __future__ import annotations

from sqlrisk.parts.attack import Attack, Simulated
from sqlrisk.report.document import Bar, Bars, Block, Bullets, Code, Facts, Line, Section, Table, line, lines
from sqlrisk.report.figures import NONE, PEOPLE, Unit, between, percent
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "A simulated attack"
_SHOWN = (0, 1, 2, 3, 4, 10)  # matches, from which each group of the histogram begins


def sections(result: Assessment, words: Words) -> tuple[Section, ...]:
    """The section on it; none where nothing was simulated."""
    found = result.attack
    if found is None:
        return ()
    blocks: list[Block] = [
        Facts(tuple(_facts(found))),
        _figures(found),
        _histogram(found),
        Bullets(tuple(_notes(found))),
    ]
    return (Section(TITLE, tuple(blocks)),)


def _facts(found: Attack) -> list[tuple[str, tuple[Line, ...]]]:
    everybody = found.targets == found.pool
    drawn = "all" if everybody else f"drawn by the seed {found.seed}"
    rows: list[tuple[str, tuple[Line, ...]]] = [
        ("Targets", lines(f"{found.targets:,} of {found.pool:,} of the {found.drawn_from}, {drawn}")),
        ("Known of each", (_known(found),)),
    ]
    if found.tolerance:
        rows.append(
            ("Known inexactly", tuple(line(Code(name), f": off by {how}") for name, how in found.tolerance.items()))
        )
    if found.noise:
        told = tuple(
            line(Code(name), f": somebody else's in {percent(share)} of the cases")
            for name, share in found.noise.items()
        )
        rows.append(("Believed wrongly", told))
    if found.truth_id:
        rows.append(("Who somebody is", (line(Code(found.truth_id)),)))
    return rows


def _known(found: Attack) -> Line:
    pieces: list[str] = []
    for column in found.known_columns:
        pieces += [", ", Code(column)]
    if found.random_columns:
        other = "other " if pieces else ""
        more = f"{Unit(f'{other}quasi-identifier', f'{other}quasi-identifiers').count(found.random_columns)}, drawn for each"
        return line(*pieces[1:], " and ", more) if pieces else line(more)
    worst = " (the worst choice of so many)" if found.chosen == "worst" else ""
    return line(*pieces[1:], worst)


def _figures(found: Attack) -> Table:
    expected = found.expected

    def row(name: str, own: Simulated | None, analytic: float | None) -> tuple[str, ...]:
        if own is None:
            return name, NONE, NONE, percent(analytic)
        return name, percent(own.share), between(own.interval, percent), percent(analytic)

    success = found.success
    rows = [
        row("Fits one record alone", found.unique_matches, expected.unique_share),
        row("Of these right", found.right_unique, None),
        row("Of these wrong", found.wrong_unique, None),
        row("Fits no record", found.unmatched, None),
        (
            "Right, if one that fits is picked",
            percent(success.mean) if success else NONE,
            between(success.interval, percent) if success and success.interval else NONE,
            percent(expected.success),
        ),
    ]
    return Table(("Share of the targets", "Simulated", "95 % interval", "Expected"), tuple(rows))


def _histogram(found: Attack) -> Bars:
    edges = [*_SHOWN, None]
    bars = []
    for low, high in zip(edges, edges[1:], strict=False):
        number = sum(count for matches, count in found.matches if matches >= low and (high is None or matches < high))
        label = f"{low}+" if high is None else f"{low}" if high == low + 1 else f"{low}–{high - 1}"
        bars.append(Bar(label, number / found.targets, (PEOPLE.count(number),), "found" if low == 1 else ""))
    return Bars(("Records that fit", "Targets"), tuple(bars), "found: one record alone fits")


def _notes(found: Attack) -> list[Line]:
    notes = [
        line(
            "Expected is the analytic risk, for an attacker who is never wrong about what they know: the share of records that "
            "are alone, and the average risk. Simulated is what came of the targets that were drawn."
        )
    ]
    if found.expected.reason:
        notes.append(line(f"Expected: not computed, because {found.expected.reason}."))
    if found.reason:
        notes.append(line(f"Right and wrong: not known, because {found.reason}."))
    return notes
