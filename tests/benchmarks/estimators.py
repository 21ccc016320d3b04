"""How far the estimates of population uniques are from the truth, on populations of which the truth is known.

``python -m tests.benchmarks.estimators [--quick] [--set simulated|real|all] [--draws N] [--json FILE]``

Each population is sampled at each fraction, simply and without replacement; every model, the published rule ``dankar`` and
``auto`` estimate S_1 from the class sizes of the sample. The error is ``|ln(estimate/S_1)|``: 0.1 is 10 %, 0.69 is a factor of
two. No estimate counts as a factor of ten, an estimate below half a person as half a person. Prints Markdown.

Populations are in two halves, by parity of their place in the list: what is tried for a rule is looked at on the first
half, and holds only if the second half and the real tables agree.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

from sqlrisk.class_sizes import ClassSizes
from sqlrisk.population.estimation import Estimation
from sqlrisk.population.selection import MODELS
from tests.benchmarks import populations

FRACTIONS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
ESTIMATORS = ("auto", "dankar", *MODELS)
FAILED = math.log(10)
LEAST_RECORDS = 20
"""Samples with fewer records are left out."""


@dataclass(frozen=True)
class Plan:
    """Which samples: ``draws`` at each fraction, the first ``intervals`` of them with an interval (intervals are slow)."""

    fractions: tuple[float, ...]
    draws: int
    intervals: int


QUICK = Plan((0.01, 0.05, 0.1, 0.2, 0.5), 1, 1)
QUICK_NAMES = (
    "independent steep zipf",
    "markov long",
    "copula strong",
    "zipf ranks 0.8",
    "gamma 0.5",
    "gamma 2",
    "lognormal 0, 1.5",
    "pitman-yor 0.5",
    "census household",
    "census occupation",
)


@dataclass(frozen=True)
class Cell:
    """One sample: what was estimated, and the truth. ``interval`` is None where none was asked for, or none is given.

    ``spread`` are the least and the largest answer of the models.
    """

    population: str
    family: str
    half: int
    people: int
    truth: int
    fraction: float
    draw: int
    n: int
    sample_uniques: int
    repeats: int
    estimates: dict[str, float | None]
    reliability: str
    interval: tuple[float, float] | None
    kind: str | None
    spread: tuple[float, float] | None


def main() -> None:
    """Run the study and print its tables."""
    arguments = _arguments()
    started = time.perf_counter()
    plan = QUICK if arguments.quick else Plan(FRACTIONS, arguments.draws, arguments.intervals)
    cells = run(
        _names("simulated" if arguments.quick else arguments.set, arguments.only, arguments.quick), plan, arguments.jobs
    )
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(cell) for cell in cells]) + "\n", "utf-8")
    report(cells)
    print(f"\n{len(cells):,} samples, {time.perf_counter() - started:.0f} s.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.estimators", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few small populations, under a minute")
    parser.add_argument("--set", choices=("simulated", "real", "all"), default="all")
    parser.add_argument("--only", help="populations whose name contains this")
    parser.add_argument("--draws", type=int, default=2, help="samples a population and fraction")
    parser.add_argument("--intervals", type=int, default=1, help="how many of them get an interval (they are slow)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--json", type=Path, help="write every sample's results here")
    return parser.parse_args()


def _names(chosen: str, only: str | None, quick: bool) -> list[tuple[str, int]]:
    """The populations asked for, each with its half."""
    found: list[tuple[str, int]] = []
    for real in (False, True):
        if chosen == ("simulated" if real else "real"):
            continue
        known = populations.names(real)
        if real and not known:
            print("The real tables are not here: simulated populations only.\n")
        found += [(name, place % 2) for place, name in enumerate(known) if only is None or only in name]
    return [item for item in found if item[0] in QUICK_NAMES] if quick else found


def run(names: Sequence[tuple[str, int]], plan: Plan, jobs: int) -> list[Cell]:
    """All cells, in the order of the populations."""
    work = partial(_cells, plan)
    if jobs == 1:
        return [cell for item in names for cell in work(item)]
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return [cell for part in pool.imap(work, names) for cell in part]


def _cells(plan: Plan, item: tuple[str, int]) -> list[Cell]:
    population = populations.load(item[0])
    return [
        _cell(population, item[1], fraction, draw, draw < plan.intervals)
        for fraction in plan.fractions
        for draw in range(plan.draws)
        if round(fraction * population.people) >= LEAST_RECORDS
    ]


def _cell(population: populations.Population, half: int, fraction: float, draw: int, with_interval: bool) -> Cell:
    seed = zlib.crc32(f"{population.name} {fraction} {draw}".encode())
    sizes = ClassSizes(population.draw(fraction, np.random.default_rng(seed)))
    estimation = Estimation(sizes, population.people, "auto", seed=0)
    between = estimation.uniques if with_interval else None
    return Cell(
        population=population.name,
        family=population.family,
        half=half,
        people=population.people,
        truth=population.truth,
        fraction=fraction,
        draw=draw,
        n=sizes.records,
        sample_uniques=sizes.sample_uniques,
        repeats=sizes.classes - sizes.sample_uniques,
        estimates={
            "auto": estimation.answer.people,
            **{name: one.people for name, (one, _) in estimation.models.items()},
        },
        reliability=estimation.reliability[0],
        interval=between.interval if between else None,
        kind=between.interval_kind if between else None,
        spread=estimation.spread,
    )


def error(cell: Cell, name: str) -> float:
    """|ln(estimate/truth)|."""
    value = cell.estimates[name]
    return FAILED if value is None else abs(math.log(max(value, 0.5) / cell.truth))


def report(cells: Sequence[Cell]) -> None:
    """Every table, for the simulated populations and for the real tables apart."""
    for title, chosen in (
        ("Simulated populations", [cell for cell in cells if cell.family != "real"]),
        ("Real tables", [cell for cell in cells if cell.family == "real"]),
    ):
        if chosen:
            _report_set(title, chosen)


def _report_set(title: str, cells: Sequence[Cell]) -> None:
    known = [cell for cell in cells if cell.truth > 0]
    count = len({cell.population for cell in known})
    print(f"## {title}: {count} populations\n\nMean |ln(estimate/truth)|:\n")
    _by_fraction(known, ESTIMATORS, lambda part, name: f"{np.mean([error(cell, name) for cell in part]):.3f}")
    print("\nMedian relative bias, in per cent, of the estimates that there are:\n")
    _by_fraction(known, ESTIMATORS, _bias)
    print("\nSamples without an estimate, in per cent:\n")
    _by_fraction(known, ESTIMATORS, _failures)
    print("\nThe demands on `auto`: its error over that of `dankar`:\n")
    _demands(known)
    print(
        "\nIntervals of `auto`, nominal 95 % (width: the upper end over the lower, of which 0 counts as half a person):\n"
    )
    _intervals(known)
    print("\nBy the reliability flag, all fractions:\n")
    _by_flag(known)
    _without_uniques([cell for cell in cells if cell.truth == 0])
    print()


def _fractions(cells: Iterable[Cell]) -> list[float]:
    return sorted({cell.fraction for cell in cells})


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def _by_fraction(cells: Sequence[Cell], names: Sequence[str], show: Callable[[list[Cell], str], str]) -> None:
    fractions = _fractions(cells)
    parts = [[cell for cell in cells if cell.fraction == fraction] for fraction in fractions]
    _table(
        ["", *(f"{fraction:g}" for fraction in fractions)],
        ([f"`{name}`", *(show(part, name) for part in parts)] for name in names),
    )


def _bias(part: list[Cell], name: str) -> str:
    ratios = [cell.estimates[name] / cell.truth - 1 for cell in part if cell.estimates[name] is not None]
    return f"{100 * np.median(ratios):+.0f}" if ratios else "–"


def _failures(part: list[Cell], name: str) -> str:
    return f"{100 * np.mean([cell.estimates[name] is None for cell in part]):.0f}"


def _demands(cells: Sequence[Cell]) -> None:
    sets = {
        "all": cells,
        "samples with repeats": [cell for cell in cells if cell.repeats],
        "of these, the first half": [cell for cell in cells if cell.repeats and cell.half == 0],
        "of these, the second half": [cell for cell in cells if cell.repeats and cell.half == 1],
        "of these, populations with 20 uniques or more": [cell for cell in cells if cell.repeats and cell.truth >= 20],
        "of these, 300 records or more": [cell for cell in cells if cell.repeats and cell.n >= 300],
    }
    fractions = _fractions(cells)
    rows = []
    for label, chosen in sets.items():
        parts = [[cell for cell in chosen if cell.fraction == fraction] for fraction in fractions]
        middle = [cell for cell in chosen if 0.05 <= cell.fraction <= 0.2]
        rows.append([label, *(_ratio(part) for part in [*parts, middle])])
    _table(["", *(f"{fraction:g}" for fraction in fractions), ".05 to .2"], rows)


def _ratio(part: Sequence[Cell]) -> str:
    if not part:
        return "–"
    ours, theirs = (np.mean([error(cell, name) for cell in part]) for name in ("auto", "dankar"))
    return f"{ours / theirs:.2f}" if theirs else "–"


def _intervals(cells: Sequence[Cell]) -> None:
    asked = [cell for cell in cells if cell.interval]
    fractions = _fractions(asked)
    parts = [asked, *([cell for cell in asked if cell.fraction == fraction] for fraction in fractions)]
    _table(
        ["", "all", *(f"{fraction:g}" for fraction in fractions)],
        [
            ["intervals", *(f"{len(part)}" for part in parts)],
            ["coverage, per cent", *(_coverage(part) for part in parts)],
            ["truth below, per cent", *(_share(part, lambda cell: cell.truth < cell.interval[0]) for part in parts)],
            ["truth above, per cent", *(_share(part, lambda cell: cell.truth > cell.interval[1]) for part in parts)],
            ["median width", *(_width(part) for part in parts)],
            ["lower end 0, per cent", *(_share(part, lambda cell: cell.interval[0] < 0.5) for part in parts)],
            ["median upper end over estimate", *(_above(part) for part in parts)],
            ["the spread over the models has the truth, per cent", *(_share(part, _in_spread) for part in parts)],
            ["median width of that spread", *(_width(part, "spread") for part in parts)],
        ],
    )


def _by_flag(cells: Sequence[Cell]) -> None:
    rows = []
    for flag in ("weak", "model-driven", "adequate"):
        part = [cell for cell in cells if cell.reliability == flag]
        if not part:
            continue
        errors = [error(cell, "auto") for cell in part]
        within = [value <= math.log(2) for value in errors]
        asked = [cell for cell in part if cell.interval]
        rows.append(
            [
                flag,
                f"{len(part)}",
                f"{np.mean(errors):.3f}",
                f"{np.mean([error(cell, 'dankar') for cell in part]):.3f}",
                f"{100 * np.mean(within):.0f}",
                _coverage(asked),
                _width(asked),
            ]
        )
    _table(["", "samples", "error", "`dankar`'s", "within a factor of 2, %", "coverage, %", "median width"], rows)


def _without_uniques(cells: Sequence[Cell]) -> None:
    if not cells:
        return
    print("\nPopulations without uniques: the mean estimate, per 10,000 people:\n")
    _by_fraction(
        cells,
        ESTIMATORS,
        lambda part, name: f"{np.mean([1e4 * (cell.estimates[name] or 0.0) / cell.people for cell in part]):.1f}",
    )


def _coverage(part: Sequence[Cell]) -> str:
    return _share(part, lambda cell: cell.interval[0] <= cell.truth <= cell.interval[1])


def _share(part: Sequence[Cell], holds: Callable[[Cell], bool]) -> str:
    return f"{100 * np.mean([holds(cell) for cell in part]):.0f}" if part else "–"


def _width(part: Sequence[Cell], which: str = "interval") -> str:
    if not part:
        return "–"
    pairs = [getattr(cell, which) for cell in part]
    middle = float(np.median([max(high, 0.5) / max(low, 0.5) for low, high in pairs]))
    return f"{middle:.2f}" if middle < 100 else f"{middle:,.0f}"


def _in_spread(cell: Cell) -> bool:
    return cell.spread[0] <= cell.truth <= cell.spread[1]


def _above(part: Sequence[Cell]) -> str:
    ratios = [cell.interval[1] / max(cell.estimates["auto"], 0.5) for cell in part]
    return f"{np.median(ratios):.2f}" if ratios else "–"


if __name__ == "__main__":
    main()
