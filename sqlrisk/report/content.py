"""What every report says, once: an assessment as a :class:`~sqlrisk.report.document.Report`.

The verdict comes first, then what was measured, against which attacker, in which population, and the class sizes.
"""

from __future__ import annotations

from sqlrisk.report import (
    assumed,
    attack,
    columns,
    composition,
    context,
    earlier,
    figures,
    fractions,
    measured,
    onrecord,
    pictures,
    population,
    presence,
    reading,
    risks,
    sensitive,
    sizes,
    subsets,
    survey,
    unicity,
    verdict,
)
from sqlrisk.report.document import Block, Bullets, Plot, Report, Section, line
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

# What commands beside `assess` measured comes before what `assess` says of the same release.
_OF_COMMANDS = (columns, subsets, attack, unicity, composition)
BANNER = (
    "INTERNAL. Do not publish this report: it can itself disclose. Two histograms that differ by one person give that "
    "person's class away."
)
SILENT_ABOUT = "It says nothing about columns that were not listed, nor about what a whole class shares."
SILENT_BUT_SENSITIVE = (
    "It says nothing about columns that were not listed, nor about what a whole {} shares beyond the sensitive columns."
)
SILENT_ABOUT_COLUMNS = (
    "It says nothing about columns that the histogram did not count, nor about what a whole class shares."
)


def compose(result: Assessment, public: bool = False) -> Report:
    """The report on ``result``; fit to leave the house if ``public``."""
    if public:
        from sqlrisk.report import public as outside  # it takes sentences from here

        return outside.compose(result)
    words = Words(result)
    judgement = verdict.judgement(result, words)
    sections = [Section("What was measured", measured.release(result, words))]
    for command in _OF_COMMANDS:
        sections += command.sections(result, words)
    if result.has_classes:
        success = (pictures.risk_distribution(result, words), pictures.share_against_threshold(result, words))
        sections.append(Section("Against which attacker", (*risks.attackers(result, words), *_drawn(*success))))
    if result.context is not None:
        sections.append(Section(context.TITLE, context.context(result)))
    if result.fractions:
        sections.append(Section(fractions.TITLE, fractions.fractions(result, words)))
    if result.population is not None:
        models = pictures.estimators(result)
        sections.append(Section("The population", (*population.population(result, words), *_drawn(models))))
    if presence.is_told(result):
        sections.append(Section(presence.title(result), presence.presence(result, words)))
    if result.sensitive:
        sections.append(Section(sensitive.TITLE, sensitive.sensitive(result, words)))
    if result.survey is not None:
        sections.append(Section(survey.TITLE, survey.survey(result.survey, words)))
    if result.has_classes:
        sections.append(Section(words.sizes_title, sizes.class_sizes(result, words)))
    if result.comparisons:
        runs = pictures.history(result)
        sections.append(Section(earlier.TITLE, (*earlier.comparisons(result, words), *_drawn(runs))))
    if onrecord.is_told(result):
        sections.append(Section(onrecord.TITLE, onrecord.on_record(result)))
    sections.append(Section("What this report does not say", _limits_of_report(result, words)))
    if result.warnings:
        sections.append(Section("Warnings", (Bullets(tuple(line(text) for text in result.warnings)),)))
    return Report(
        title=title(result),
        banner=BANNER,
        judgement=judgement,
        assumed=Section(assumed.TITLE, assumed.assumed(result, words)) if result.has_classes else None,
        sections=tuple(sections),
        reading=Section(reading.TITLE, reading.reading(result, words)) if result.has_classes else None,
        closing=_closing(result),
        statements=tuple((query.purpose, query.sql) for query in result.queries),
    )


def title(result: Assessment) -> str:
    """What the report is about."""
    return f"sqlrisk: re-identification risk of {result.release.table or result.release.histogram or 'a query'}"


def _limits_of_report(result: Assessment, words: Words) -> tuple[Block, ...]:
    silent = SILENT_ABOUT if result.release.histogram is None else SILENT_ABOUT_COLUMNS
    if result.sensitive:
        silent = SILENT_BUT_SENSITIVE.format(words.group)
    return (Bullets((earlier.earlier_releases(result), line(silent))),)


def _drawn(*plots: Plot | None) -> tuple[Plot, ...]:
    return tuple(plot for plot in plots if plot is not None)


def _closing(result: Assessment) -> str:
    queries = result.queries
    asked = [query for query in queries if not query.look_up]
    rows = sum(query.rows for query in asked)
    scanned = [query.bytes_scanned for query in queries if query.bytes_scanned is not None]
    where = f" on {result.dialect}" if result.dialect is not None else ""
    parts = [
        f"sqlrisk {result.sqlrisk_version}{where}, {result.started_at:%Y-%m-%d %H:%M} UTC",
        figures.duration(result.seconds),
    ]
    if result.dialect is None and not queries:
        return "; ".join([*parts, "no statement was sent"]) + "."
    parts += [
        f"{figures.Unit('statement', 'statements').count(len(asked))} sent, after "
        f"{figures.Unit('look-up', 'look-ups').count(len(queries) - len(asked))} in the catalogue",
        f"{figures.Unit('row', 'rows').count(rows)} left the warehouse",
    ]
    if scanned:
        parts.append(f"{figures.size_of(sum(scanned))} scanned")
    return "; ".join(parts) + "."
