"""What was assumed, at a glance: all that a figure hangs on, and nobody measured."""

from __future__ import annotations

from sqlrisk.errors import one_line
from sqlrisk.report.document import Block, Code, Facts, Line, line, lines
from sqlrisk.report.figures import listed
from sqlrisk.report.measured import COUNTING, FROM_HISTOGRAM, MISSING
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

TITLE = "What was assumed"


def assumed(result: Assessment, words: Words) -> tuple[Block, ...]:
    """Attackers, quasi-identifiers, missing values, population, estimator, threshold and its justification."""
    rows: list[tuple[str, tuple[Line, ...]]] = [("Attackers", lines(_attackers(result)))]
    if result.release.histogram is not None:
        rows.append(("An attacker knows", lines(FROM_HISTOGRAM)))
    else:
        known: list[str] = []
        for item in result.release.quasi_identifiers:
            known += [", ", Code(item.column)]
        rows.append(("An attacker knows", (line(*known[1:], ", and nothing else of a person"),)))
        rows.append(("One person", (_person(result),)))
    if result.release.nulls is not None:
        rows.append(("Missing values", lines(MISSING.get(result.release.nulls, result.release.nulls))))
    rows.append(("Population", lines(*_population(result))))
    rows.append(("Thresholds", tuple(_thresholds(result, words))))
    rows.append(("Why so", lines(one_line(result.verdict.justification or "no justification is given"))))
    return (Facts(tuple(rows)),)


def _attackers(result: Assessment) -> str:
    judged = [name for name in ("prosecutor", "journalist", "marketer") if _is_judged(result, name)]
    return f"limits are set against {listed(judged)}" if judged else "all that the inputs allow; no limit is set on one"


def _is_judged(result: Assessment, name: str) -> bool:
    return any(check.measure.startswith(f"attackers.{name}.") for check in result.verdict.checks)


def _person(result: Assessment) -> Line:
    release = result.release
    if release.entity_id is None:
        return line("each record is taken to be a person of its own")
    how = COUNTING.get(release.entity_counting or "", release.entity_counting or "")
    return line("told apart by ", Code(release.entity_id), f"; {how}")


def _population(result: Assessment) -> list[str]:
    population = result.population
    if population is None:
        return ["none is given: only a prosecutor, who knows that the person is in the table, can be measured"]
    told = [one_line(text) for text in (population.description, population.source) if text]
    if population.as_of is not None:
        told.append(f"as of {population.as_of}")
    known = f"counted in {one_line(population.table)}" if population.table else None
    if population.model:
        known = f"known by relative frequencies in {', '.join(map(one_line, population.model))}"
    estimated = f"estimated from the class sizes by the estimator {population.uniques.estimator}"
    return ["; ".join(told) or "not described", known or estimated]


def _thresholds(result: Assessment, words: Words) -> list[Line]:
    said = []
    for name in ("prosecutor", "journalist"):
        risk = getattr(result.attackers, name)
        if risk.share_at_risk is None and not result.fractions:
            continue
        said.append(line(f"{name}: {words.threshold(risk)}"))
    return said
