"""The estimates at each of several sampling fractions, in tables."""

from __future__ import annotations

from sqlrisk.report import estimates
from sqlrisk.report.document import Block, Bullets, Facts, Line, Paragraph, Table, line, lines
from sqlrisk.report.figures import NONE, between, percent
from sqlrisk.report.population import CENSUS, NOT_THE_SAME, Rows, assumed, whose
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment, AtFraction

TITLE = "The population, at several sampling fractions"
UNIQUES = "Population uniques: people of the population, and their share of the {} released."
RISK = "Journalist: share of {} at risk, and average risk, which is the marketer's too."
ONE_FRACTION = "For the models, k-map and δ-presence, ask about one sampling fraction, or read the JSON report."


def fractions(result: Assessment, words: Words) -> tuple[Block, ...]:
    """The population at each fraction that was asked about, and the risk."""
    asked, many = result.fractions or [], words.unit.many
    found = asked[0].population
    facts: Rows = [*whose(found), ("Estimator", (estimates.estimator(found.uniques.estimator),))]
    facts += [("Intervals", lines(f"for a nominal 95 %, by {kinds}"))] if (kinds := _kinds(asked)) else []
    said = assumed(result, found, words)
    if any(item.population.sampling_fraction == 1 for item in asked):
        said.append(f"At 100 %: {CENSUS[0].lower()}{CENSUS[1:]}")
    said += [NOT_THE_SAME.format(many), *estimates.advice(*(item.population for item in asked)), ONE_FRACTION]
    return (
        Facts(tuple(facts)),
        Paragraph(line(UNIQUES.format(many))),
        _uniques(asked, words),
        Paragraph(line(RISK.format(many))),
        _risk(asked),
        Bullets((*_doubts(asked), *lines(*said))),
    )


def _uniques(asked: list[AtFraction], words: Words) -> Table:
    header = ("Fraction", "N", "People", "95 % interval", f"Share of {words.unit.many}", "95 % interval")
    return Table(header, tuple(_uniques_at(item) for item in asked))


def _uniques_at(item: AtFraction) -> tuple[str, ...]:
    found, shown = item.population.uniques, estimates.shown(item.population)
    return (
        _fraction(item),
        NONE if item.population.size is None else f"{item.population.size:,}",
        shown(found.population_people),
        between(found.interval, shown),
        percent(found.release_share),
        between(found.intervals.get("release_share"), percent),
    )


def _risk(asked: list[AtFraction]) -> Table:
    header = ("Fraction", "At risk", "95 % interval", "Average risk", "95 % interval", "Reliability")
    return Table(header, tuple(_risk_at(item) for item in asked))


def _risk_at(item: AtFraction) -> tuple[str, ...]:
    risk = item.journalist
    return (
        _fraction(item),
        percent(risk.share_at_risk),
        between(risk.intervals.get("share_at_risk"), percent),
        percent(risk.average_risk),
        between(risk.intervals.get("average_risk"), percent),
        item.population.uniques.reliability or NONE,
    )


def _fraction(item: AtFraction) -> str:
    return percent(item.sampling_fraction, 2)


def _kinds(asked: list[AtFraction]) -> str:
    known = [item.population for item in asked if not estimates.is_certain(item.population)]
    return " or ".join(dict.fromkeys(item.uniques.interval_kind for item in known if item.uniques.interval_kind))


def _doubts(asked: list[AtFraction]) -> tuple[Line, ...]:
    """Why an estimate is doubtful or absent, each reason once with its fractions."""
    about: dict[str, list[str]] = {}
    for item in asked:
        uniques = item.population.uniques
        reasons = [uniques.reason and f"no estimate, because {uniques.reason}", None]
        if uniques.population_people is not None:
            reasons = [None if estimates.is_certain(item.population) else uniques.reason, item.journalist.reason]
        for reason in reasons:
            if reason:
                about.setdefault(reason, []).append(_fraction(item))
    return tuple(line(f"At {', '.join(at)}: {reason}.") for reason, at in about.items())
