"""A population model: its tables as the statement takes them, what they hold, and the risks that follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Protocol

import numpy as np

from sqlrisk.assessment.counts import Counts, ModelCounts
from sqlrisk.assessment.estimated import described, number_of, record_figures
from sqlrisk.class_sizes import RecordSizes
from sqlrisk.errors import MeasurementError, RequestError, nearest
from sqlrisk.generalisations import QuasiIdentifier
from sqlrisk.policy import Policy
from sqlrisk.population.estimation import ADEQUATE, MODEL_DRIVEN, population_of
from sqlrisk.population.expected import BASIS, Expected
from sqlrisk.population_model import MOST_TOGETHER, FrequencyTable, frequency_column
from sqlrisk.result import (
    DeltaPresence,
    JournalistRisk,
    KMap,
    MarketerRisk,
    MeasuredPopulation,
    Mismatch,
    PopulationUniques,
)
from sqlrisk.sql.dialect import Dialect
from sqlrisk.sql.frequencies import FREQUENCY, Frequencies, listed
from sqlrisk.sql.quasi_identifier import Generalised, generalise
from sqlrisk.sql.question import Question
from sqlrisk.sql.relation import Column, Kind, Relation, find_column

SEVERAL_ROWS = (
    "a population model says how frequent the values of a row are, not those of a person with several rows; give a population "
    "table, or leave out the entity id"
)
_INDEPENDENT = "its tables are taken as independent of each other"
_NOT_ASKED = "a population model is not asked about those whom the release does not have"
_LEAST_COVERED = 0.99


class Names(Protocol):
    """What looks tables and columns up, or takes them as they are named; then there is no list of columns."""

    def model(self, text: str, dialect: Dialect) -> tuple[Relation, list[Column] | None]:
        """A table and its columns."""
        ...

    def column(self, qi: QuasiIdentifier, name: str, columns: Any, relation: Relation) -> Column:
        """The column of a quasi-identifier."""
        ...

    def role(self, name: str, what: str, columns: Any, relation: Relation) -> Column:
        """Another column."""
        ...


def frequencies_of(policy: Policy, names: Names, dialect: Dialect, keys: Sequence[Generalised]) -> list[Frequencies]:
    """The model's tables over the quasi-identifiers; :class:`RequestError` where they do not have each of them once."""
    model = policy.population.model
    if model is None or policy.release.entity_id is not None:
        return []
    asked = list(zip(policy.release.quasi_identifiers, keys, strict=True))
    found: list[Frequencies] = []
    for table in model.tables:
        of_table = _of_file if table.rows is not None else _of_table
        found.append(of_table(table, asked, policy.release.suppressed, names, dialect))
        if not found[-1].keys:
            found.pop()
    where: dict[int, str] = {}
    for table in found:
        for number in table.keys:
            if number in where:
                raise RequestError(
                    f"the quasi-identifier `{keys[number - 1].column}` is in {where[number]} and in {table.relation.label}",
                    "tables are taken as independent: name the columns of each with `columns:`",
                )
            where[number] = table.relation.label
    for number, (_, key) in enumerate(asked, start=1):
        if number not in where:
            known = [name for table in model.tables for name in table.columns]
            raise RequestError(
                f"the population model has no frequency of `{key.column}`",
                nearest(key.column, known)
                or "add it to a table of the model, or leave it out of the quasi-identifiers",
            )
    return found


Asked = Sequence[tuple[QuasiIdentifier, Generalised]]


def _of_file(
    table: FrequencyTable, asked: Asked, suppressed: str | None, names: Names, dialect: Dialect
) -> Frequencies:
    columns = list(table.columns)
    used: dict[int, int] = {}  # the place of each quasi-identifier's column
    for number, (qi, key) in enumerate(asked, start=1):
        if (name := _alike((key.column, qi.column), columns)) is not None:
            used[number] = columns.index(name)
    kinds = {f"column_{number}": asked[number - 1][1].given_kind for number in used}
    rows = [
        [_converted(row[at], asked[number - 1][1], suppressed, table, line) for number, at in used.items()]
        for line, row in enumerate(table.rows or (), start=1)
    ]
    keys = {
        number: generalise(asked[number - 1][0], Column(name, kind, kind.value), dialect, suppressed)
        for number, (name, kind) in zip(used, kinds.items(), strict=True)
    }
    return Frequencies(listed(table.name, kinds, rows, table.frequencies or ()), keys, FREQUENCY)


def _of_table(
    table: FrequencyTable, asked: Asked, suppressed: str | None, names: Names, dialect: Dialect
) -> Frequencies:
    relation, columns = names.model(table.name, dialect)
    if columns is None and not (table.columns and table.frequency):
        raise RequestError(
            f"{table.origin}: the columns of {relation.label} are not looked up here",
            "name them with `columns:` and `frequency:`",
        )
    known = [column.name for column in columns or ()]
    called = table.frequency or frequency_column(known)
    if called is None:
        raise RequestError(
            f"{table.origin}: nothing says which column of {relation.label} holds the frequencies",
            "name it with `frequency:`",
        )
    frequency = names.role(called, "frequency", columns, relation)
    if not frequency.kind.is_number:
        raise RequestError(
            f"{table.origin}: the frequency `{frequency.name}` has the type {frequency.type_name}", "give numbers"
        )
    ours = dict(table.columns) or {name: name for name in known if name != frequency.name}
    keys = {}
    for number, (qi, key) in enumerate(asked, start=1):
        if (name := _alike((key.column, qi.column), list(ours))) is not None:
            keys[number] = generalise(qi, names.column(qi, ours.pop(name), columns, relation), dialect, suppressed)
    if columns is not None:
        for theirs in ours.values():
            find_column(theirs, columns, "column", relation)
    return Frequencies(relation, keys, frequency.name)


def _alike(wanted: Sequence[str], names: Sequence[str]) -> str | None:
    """The first of ``names`` that is one of ``wanted``, else one that differs in case alone."""
    folded = {name.casefold() for name in wanted}
    return next((name for name in names if name in wanted), None) or next(
        (name for name in names if name.casefold() in folded), None
    )


def _whole(text: str) -> str:
    if not re.fullmatch("[+-]?[0-9]{1,18}", text):
        raise ValueError
    return str(int(text))


def _decimal(text: str) -> str:
    if not re.fullmatch("[+-]?([0-9]{1,29}([.][0-9]{0,9})?|[.][0-9]{1,9})", text):
        raise ValueError
    return format(Decimal(text), "f")


def _float(text: str) -> str:
    if not re.fullmatch("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?", text):
        raise ValueError
    return repr(float(text))


def _boolean(text: str) -> str:
    return {"true": "true", "false": "false", "t": "true", "f": "false", "1": "true", "0": "false"}[text.lower()]


def _timestamp(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None:
        raise ValueError
    return moment.isoformat(sep=" ")


def _moment(text: str) -> str:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat(sep=" ")


_CONVERT: dict[Kind, tuple[str, Callable[[str], str]]] = {
    Kind.INTEGER: ("a whole number", _whole),
    Kind.DECIMAL: ("a number", _decimal),
    Kind.FLOAT: ("a number", _float),
    Kind.BOOLEAN: ("true or false", _boolean),
    Kind.DATE: ("a date such as 2024-01-31", lambda text: date.fromisoformat(text).isoformat()),
    Kind.TIMESTAMP: ("a time stamp without a zone, such as 2024-01-31 08:30", _timestamp),
    Kind.TIMESTAMP_TZ: ("a time stamp such as 2024-01-31 08:30+00:00", _moment),
    Kind.TIME: ("a time such as 08:30", lambda text: time.fromisoformat(text).isoformat()),
}


def _converted(
    text: str | None, key: Generalised, suppressed: str | None, table: FrequencyTable, row: int
) -> str | None:
    """A field of a file as the type of the release's column reads it."""
    if text is None or key.given_kind is Kind.TEXT:
        return text
    if text == suppressed:
        return None
    if key.given_kind not in _CONVERT:
        raise RequestError(
            f"{table.name}: `{key.column}` has the type {key.type_name} in the release, which no text is compared with",
            "load the model into a table and name that",
        )
    what, convert = _CONVERT[key.given_kind]
    try:
        return convert(text.strip())
    except (ValueError, KeyError):
        raise RequestError(
            f"{table.name}, row {row}: `{key.column}` is not {what}, and in the release it has the type {key.type_name}",
            "correct it, or generalise both in a view",
        ) from None


def refuse_unsized(policy: Policy) -> None:
    """:class:`RequestError` for a model without the size that its frequencies are multiplied by."""
    given = policy.population
    if given.model is not None and given.size is None and len(given.sampling_fraction or ()) != 1:
        raise RequestError(
            "the frequencies of a population model are multiplied by the size of the population",
            "give --population-size, or one sampling fraction",
        )


def check_model(policy: Policy, question: Question, counts: Sequence[ModelCounts]) -> None:
    """End with exit code 3 where the tables are not what a model is."""
    for table, found in zip(question.model, counts, strict=True):
        name = table.relation.label
        if not found.rows:
            raise MeasurementError(f"{name}, of the population model, holds no row", "check that it was loaded")
        for number, count in found.unconverted.items():
            item = question.release.keys[number - 1]
            if count and (item.must_map or policy.release.unparseable == "error"):
                how = "not in its map" if item.must_map else f"not convertible for {item.spec}"
                values = number_of(count, "value", "values")
                remedy = "correct them" if not item.must_map else "add them to it, or give :else=Other"
                raise MeasurementError(f"{values} of `{item.column}` in the population model {how}", remedy)
        if found.without_frequency or found.unlike_frequencies:
            wrong = number_of(found.without_frequency + found.unlike_frequencies, "frequency", "frequencies")
            raise MeasurementError(
                f"{wrong} of {name} missing or outside [0, 1]", "give each as a share of the whole population"
            )
        if found.total > MOST_TOGETHER:
            raise MeasurementError(
                f"the frequencies of {name} add up to {found.total:.7g}, and the whole population is 1",
                "give each as a share of the whole population, and each combination once",
            )
        if found.with_missing and policy.release.nulls == "wildcard":
            raise MeasurementError(
                f"{name} has {number_of(found.with_missing, 'row', 'rows')} with a missing value, which would match "
                "anything under --nulls wildcard",
                "share their frequency out over the values, or use value or exclude",
            )


def modelled(policy: Policy, question: Question, counts: Counts) -> dict[str, Any]:
    """Journalist, marketer and population, where the model says how many people each class is expected to have.

    :class:`RequestError` for a population smaller than the release.
    """
    threshold = policy.threshold_of("journalist")
    fraction = (policy.population.sampling_fraction or (None,))[0]
    size = population_of(counts.sizes, policy.population.size, fraction)
    sampled = counts.sizes.records / size
    cells = counts.modelled
    sizes = np.array([cell.size for cell in cells], float)
    means = (1 - sampled) * size * np.array([cell.frequency for cell in cells], float)
    several = len(question.model) > 1
    grade = MODEL_DRIVEN if several else ADEQUATE
    expected = Expected(sizes, np.maximum(means, 0.0), np.array([cell.classes for cell in cells]), size, grade)
    journalist = record_figures(expected.journalist(threshold))
    partition = not isinstance(counts.sizes, RecordSizes)
    if not partition:
        journalist["classes_at_risk"] = None
    lacking = [cell for cell in cells if cell.least == 0]
    people = [max(cell.size, size * cell.least) for cell in cells]
    said = {"reliability": grade, "reason": _INDEPENDENT if several else None}
    uniques = expected.uniques()
    population = MeasuredPopulation(
        **described(policy),
        model=[table.relation.label for table in question.model],
        size=size,
        sampling_fraction=sampled,
        not_in_population=Mismatch(
            classes=round(sum(cell.classes for cell in lacking)) if partition else None,
            records=round(sum(cell.size * cell.classes for cell in lacking)),
        ),
        uniques=PopulationUniques(
            population_people=None,
            population_share=None,
            release_records=uniques,
            release_share=uniques / counts.sizes.records,
            estimator=BASIS,
            **said,
        ),
        k_map=KMap(
            smallest=expected.smallest(), smallest_expected=min(people), histogram=expected.k_map_histogram(), **said
        ),
        delta_presence=DeltaPresence(
            lowest=None,
            highest=expected.delta_presence(),
            highest_expected=max(cell.size / most for cell, most in zip(cells, people, strict=True)),
            histogram=expected.delta_histogram(),
            **said,
        ),
    )
    return {
        "journalist": JournalistRisk(**journalist),
        "marketer": MarketerRisk(**asdict(expected.marketer())),
        "population": population,
        "fractions": None,
    }


def reasons_of_model(population: MeasuredPopulation | None) -> dict[str, str]:
    """Why figures are None that a population model does not give."""
    if population is None or population.uniques.estimator != BASIS:
        return {}
    unknown = ("uniques.population_people", "uniques.population_share", "delta_presence.lowest")
    return {f"population.{measure}": _NOT_ASKED for measure in unknown}


def about_model(policy: Policy, question: Question, counts: Counts) -> list[str]:
    """What is to be said of the model's tables, and of records that it lacks."""
    if not question.model:
        return []
    used = {table.relation.label for table in question.model}
    said = [
        f"{table.name} has no effect: it has no quasi-identifier"
        for table in policy.population.model.tables
        if table.name not in used
    ]
    said += [
        f"the frequencies of {table.relation.label} add up to {found.total:.7g}: the rest of the population is not in the model"
        for table, found in zip(question.model, counts.model, strict=True)
        if found.total < _LEAST_COVERED
    ]
    for found in counts.model:
        for number, count in found.unconverted.items():
            if count:
                item = question.release.keys[number - 1]
                said.append(
                    f"{number_of(count, 'value', 'values')} of `{item.column}` in the population model not convertible for "
                    f"{item.spec}: counted as missing"
                )
    absent = round(sum(cell.size * cell.classes for cell in counts.modelled if cell.least == 0))
    if absent:
        said.append(
            f"{number_of(absent, 'record', 'records')} of the release not in the population model; counted with the size of "
            "their class in the release"
        )
    return said
