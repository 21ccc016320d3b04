"""Against which attacker."""

from __future__ import annotations

import math

from sqlrisk.report import figures
from sqlrisk.report.document import Block, Bullets, Facts, Line, Table, line, lines
from sqlrisk.report.figures import NONE, between, percent, risk
from sqlrisk.report.words import NOT_A_RECOMMENDATION, Words
from sqlrisk.result import Assessment, AttackerRisks, MarketerRisk, ProsecutorRisk

WHO = (
    "Prosecutor: knows that the person they look for is in this table. Use it when anyone could know that a person is "
    "in this table (a complete register, known participation).",
    "Journalist: knows that the person is in the population, not whether they are in this table. Use it only when "
    "nobody could know that.",
    "Marketer: matches everybody, to get as many right as possible.",
)
SAME_BY_DEFINITION = "Estimated journalist average and marketer average are the same number by definition."
HIGHEST_ESTIMATED = (
    "Journalist: the highest risk is one in k, with the least k such that 0.05 {} are expected in classes of at most k "
    "people of the population."
)
_SAME = "the same"
_NO_MORE_DIGITS = 1e-4
_PLACE = "under “Against which attacker”"


def attackers(result: Assessment, words: Words) -> tuple[Block, ...]:
    """Who attacks, with what success, and above which threshold a record is at risk."""
    known = result.attackers
    blocks: list[Block] = [Bullets(lines(*WHO)), table(known, words), Facts(_thresholds(result, words))]
    notes = [*_absent(result, words), *_compared(known, words)]
    if notes:
        blocks.append(Bullets(tuple(notes)))
    return tuple(blocks)


def table(known: AttackerRisks, words: Words) -> Table:
    """The figures, attacker by attacker."""
    columns: list[tuple[str, ProsecutorRisk | MarketerRisk]] = [("Prosecutor", known.prosecutor)]
    columns += [("Journalist", known.journalist)] if known.journalist.average_risk is not None else []
    columns += [("Marketer", known.marketer)] if known.marketer.average_risk is not None else []
    rows = {
        "Highest risk": [_highest(item) for _, item in columns],
        "Highest risk, 95 % interval": [_interval(item, "highest_risk") for _, item in columns],
        "Average risk": [_average(item) for _, item in columns],
        "Average risk, 95 % interval": [_interval(item, "average_risk") for _, item in columns],
        "Lowest risk": [risk(getattr(item, "lowest_risk", None)) for _, item in columns],
        f"{words.units} at risk, of {words.counted:,}": [_at_risk(item) for _, item in columns],
        "Share at risk, 95 % interval": [_interval(item, "share_at_risk") for _, item in columns],
        "Classes at risk": [_classes_at_risk(item) for _, item in columns],
        f"{words.units} matched right": [_matches(item) for _, item in columns],
        "Known from": [_basis(item) for _, item in columns],
    }
    filled = tuple((name, *cells) for name, cells in rows.items() if set(cells) != {NONE})
    return Table(("", *(name for name, _ in columns)), filled)


def _highest(item: ProsecutorRisk | MarketerRisk) -> str:
    """One in k; for a large k that is estimated, no k is named."""
    value = getattr(item, "highest_risk", None)
    return percent(value) if value and value < _NO_MORE_DIGITS and _estimated(item) else risk(value)


def _average(item: ProsecutorRisk | MarketerRisk) -> str:
    return _SAME if isinstance(item, MarketerRisk) and _estimated(item) else percent(item.average_risk)


def _interval(item: ProsecutorRisk | MarketerRisk, figure: str) -> str:
    """The interval of an estimate; the marketer's average is the journalist's."""
    found = getattr(item, "intervals", {}).get(figure) if _estimated(item) else None
    return _SAME if found and isinstance(item, MarketerRisk) else between(found, percent)


def _at_risk(item: ProsecutorRisk | MarketerRisk) -> str:
    if isinstance(item, MarketerRisk) or item.records_at_risk is None:
        return NONE
    return f"{_number(item, item.records_at_risk)} ({percent(item.share_at_risk)})"


def _classes_at_risk(item: ProsecutorRisk | MarketerRisk) -> str:
    return NONE if isinstance(item, MarketerRisk) else _number(item, item.classes_at_risk)


def _number(item: ProsecutorRisk, value: float | None) -> str:
    return figures.about(value) if _estimated(item) else figures.number(value)


def _matches(item: ProsecutorRisk | MarketerRisk) -> str:
    matches = getattr(item, "expected_matches", None)
    shown = figures.estimate if _estimated(item) else figures.number
    return NONE if matches is None else f"{shown(matches)} expected"


def _basis(item: ProsecutorRisk | MarketerRisk) -> str:
    basis = getattr(item, "basis", None) or "the release"
    if _estimated(item):
        if isinstance(item, MarketerRisk):
            return _SAME
        reliability = getattr(item, "reliability", None)
        return f"{basis} ({reliability})" if reliability else basis
    return "the release" if basis.startswith("estimator") else basis  # a complete census


def _thresholds(result: Assessment, words: Words) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    known, rows = result.attackers, []
    journalist = result.fractions[0].journalist if result.fractions else known.journalist
    for name, place, item in (("Prosecutor", "release", known.prosecutor), ("Journalist", "population", journalist)):
        if item.share_at_risk is None and item.reason:
            continue
        text = f"{item.threshold}, that is, classes smaller than {item.classes_smaller_than:,} "
        text += words.of_kind(
            f"in the {place} are at risk",
            f"(here: tuples that fewer people of the {place} share) are at risk",
            f"(here: {words.unit.many} with fewer matches in the {place}) are at risk",
        )
        if words.is_default(item.threshold):
            text += f"; {NOT_A_RECOMMENDATION}"
        rows.append((f"{name} threshold", (line(text),)))
    return tuple(rows)


def _absent(result: Assessment, words: Words) -> list[Line]:
    """Whose figures are not known, and why; what else is not known of an attacker."""
    known = result.attackers
    named: dict[str, tuple[float | None, str | None]] = {
        "prosecutor": (known.prosecutor.average_risk, known.prosecutor.reason),
        "journalist": (known.journalist.average_risk, known.journalist.reason),
        "marketer": (known.marketer.average_risk, known.marketer.reason),
    }
    if result.population is None and (reason := result.reasons.get("population.uniques.release_share")):
        named["population uniques"] = (None, reason)
    about: dict[str, list[str]] = {}
    for name, (average, reason) in named.items():
        if average is None:
            about.setdefault(reason or "it could not be computed", []).append(name)
    for measure, reason in result.reasons.items():
        if measure.startswith("attackers."):
            _, attacker, figure = measure.split(".")
            about.setdefault(reason, []).append(f"{attacker}'s {figure.replace('_', ' ')}")
    return [line(f"{_together(names)}: {_why(reason, result, words)}.") for reason, names in about.items()]


def _why(reason: str, result: Assessment, words: Words) -> str:
    if result.fractions and reason == result.attackers.journalist.reason:
        return "at each sampling fraction, below"
    return f"not measured, {words.reason(reason, _PLACE)}"


def _together(names: list[str]) -> str:
    *others, last = names
    text = f"{', '.join(others)} and {last}" if others else last
    return text[:1].upper() + text[1:]


def _compared(known: AttackerRisks, words: Words) -> list[Line]:
    average, other = known.prosecutor.average_risk, known.journalist.average_risk
    notes = []
    if average and other:
        if math.isclose(average, other):
            notes.append(line("Prosecutor equals journalist (average risk)."))
        elif figures.times(average / other) == "1":
            notes.append(line("Prosecutor about equals journalist (average risk)."))
        else:
            notes.append(
                line(
                    f"Prosecutor is {figures.times(average / other)} times journalist (average risk): what "
                    "over-protection would cost where nobody could know who is in this table."
                )
            )
    journalist = known.journalist
    if _estimated(journalist) and journalist.highest_risk is not None:
        notes.append(line(HIGHEST_ESTIMATED.format(words.unit.many)))
    expected = journalist.highest_expected_risk
    if expected is not None and expected != journalist.highest_risk:
        notes.append(line(f"Journalist: the highest expected risk is {risk(expected)}; no limit judges it."))
    if _estimated(journalist) and known.marketer.average_risk is not None:
        notes.append(line(SAME_BY_DEFINITION))
    return notes


def _estimated(item: ProsecutorRisk | MarketerRisk) -> bool:
    """Whether the figures are estimates; in a complete census they are not."""
    basis = getattr(item, "basis", None)
    return basis not in (None, "population table") and getattr(item, "reliability", None) != "measured"
