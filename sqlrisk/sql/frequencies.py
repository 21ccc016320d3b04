"""A population model in SQL: its tables beside the release, and how frequent each class is by them.

Keys are coded (see ``coding``), so that a missing value, 0, meets a missing value. Where a missing value of the release
matches anything, the frequencies of each pattern of missing values are added up first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from sqlrisk.sql.coding import add_coded, add_codes
from sqlrisk.sql.quasi_identifier import Generalised
from sqlrisk.sql.relation import Kind, Relation
from sqlrisk.sql.trees import case, integer, is_null, masked, named, of_source, string, sum_of

if TYPE_CHECKING:
    from sqlrisk.sql.job import Job

FREQUENCY = "frequency"
_BINS_OF_A_LOG_UNIT = 100
"""Classes of one size whose frequencies lie in the same hundredth of a log unit come back together, with their sum: risks
are so smooth in the frequency that taking each as the mean moves an average by less than 1e-5 of itself."""
_TYPES = {
    Kind.INTEGER: "bigint",
    Kind.FLOAT: "double",
    Kind.BOOLEAN: "boolean",
    Kind.DATE: "date",
    Kind.TIMESTAMP: "timestamp",
    Kind.TIMESTAMP_TZ: "timestamptz",
    Kind.TIME: "time",
    Kind.DECIMAL: "decimal(38, 9)",
}


@dataclass(frozen=True)
class Frequencies:
    """One table of a population model: the relative frequency of each combination of some of the quasi-identifiers.

    ``keys`` are these by their number in the release, from 1; ``frequency`` is the column of the frequencies.
    """

    relation: Relation
    keys: Mapping[int, Generalised]
    frequency: str


def listed(
    label: str, columns: Mapping[str, Kind], rows: Sequence[Sequence[str | None]], frequencies: Sequence[float]
) -> Relation:
    """Rows of texts as a relation with ``columns`` of these kinds, and the column of the frequencies; texts convert."""
    texts = [f"text_{number}" for number in range(1, len(columns) + 1)]
    tuples = [
        exp.Tuple(expressions=[*map(_text, row), string(repr(float(frequency)))])
        for row, frequency in zip(rows, frequencies, strict=True)
    ]
    names = [exp.to_identifier(name, quoted=True) for name in (*texts, FREQUENCY)]
    alias = exp.TableAlias(this=exp.to_identifier("listed", quoted=True), columns=names)
    values = exp.Values(expressions=tuples, alias=alias)
    typed = [
        exp.alias_(_typed(named(text), kind), name, quoted=True)
        for text, (name, kind) in zip(texts, columns.items(), strict=True)
    ]
    frequency = exp.alias_(exp.cast(named(FREQUENCY), "double"), FREQUENCY, quoted=True)
    return Relation(exp.select(*typed, frequency).from_(values).subquery(), label)


def _text(value: str | None) -> exp.Expression:
    return exp.cast(exp.null(), "text") if value is None else string(value)


def _typed(text: exp.Expression, kind: Kind) -> exp.Expression:
    return exp.cast(text, _TYPES[kind]) if kind in _TYPES else text


def add_model_rows(job: Job) -> list[exp.Query]:
    """The steps of the model's tables, with their keys as the release has them; and the arms that say what is in them."""
    arms = []
    for number, table in enumerate(job.question.model, start=1):
        keys = [exp.alias_(job.key_of(item), _key(at), quoted=True) for at, item in table.keys.items()]
        value = exp.cast(of_source(table.frequency), "double")
        missing = exp.or_(*(is_null(item.key.copy()) for item in table.keys.values()))
        flags = {
            "unlike_frequencies": exp.Not(this=exp.Between(this=value.copy(), low=integer(0), high=integer(1))),
            "without_frequency": is_null(value.copy()),
            "with_missing": missing,
            **{f"model_unconverted_{at}": item.lost for at, item in table.keys.items() if item.may_fail},
        }
        tallies = [exp.alias_(case([(flag, 1)], 0), name, quoted=True) for name, flag in flags.items()]
        columns = {"quasi_identifiers": keys, "frequency": [value], "tallies": tallies}
        job.chain.add(_model(number), "model", columns, {"__source__": table.relation.source})
        sums = {"number": [integer(number)], "tally_sums": [sum_of(name) for name in flags]}
        arms.append(job.chain.bind("model_rows", sums, reads={"model": _model(number)}))
    return arms


def add_model_codes(job: Job) -> None:
    """The steps that number the values of the quasi-identifiers, in the release and in the model's tables."""
    for number, table in enumerate(job.question.model, start=1):
        keys = [_key(at) for at in table.keys]
        reads = {"release": "release", "population": _model(number)}
        name = f"{_model(number)}_both"
        job.chain.add(name, "both", {"quasi_identifiers": [named(key) for key in keys]}, reads=reads)
        add_codes(job, keys, rows=name)


def add_frequencies(job: Job, classes: str, wildcard: bool = False) -> None:
    """Steps after which ``classes``, which has the coded keys, has a column more: how frequent each class is."""
    current = classes
    for number, table in enumerate(job.question.model, start=1):
        keys = [_key(at) for at in table.keys]
        coded = add_coded(job, _model(number), keys)
        sums = f"{_model(number)}_sums"
        if wildcard:
            flags = [exp.column(f"present_{at}", quoted=True) for at in table.keys]
            columns = {"present": flags, "masked": masked(dict(zip(table.keys, keys, strict=True)), "looking")}
            job.chain.add(sums, "model_matches", columns, reads={"model": coded})
        else:
            slots = {"quasi_identifiers": [named(key) for key in keys]}
            job.chain.add(sums, "model_sums", slots, reads={"model": coded})
        before = [name for name in job.chain.columns(current) if name != FREQUENCY]
        expected = exp.Coalesce(this=named("own"), expressions=[exp.cast(integer(0), "double")])
        if number > 1:
            expected = exp.Mul(this=named(FREQUENCY), expression=expected)
        slots = {
            "columns": [named(name) for name in before],
            "frequency": [expected],
            "quasi_identifiers": [named(key) for key in keys],
        }
        reads = {"classes": current, "model_sums": sums}
        current = f"{classes}_by_{_model(number)}"
        job.chain.add(current, "modelled", slots, reads=reads)
    job.chain.names[classes] = job.chain.names[current]


def bins() -> exp.Alias:
    """Which classes come back together: by the order of their frequency; those that the model lacks stand apart."""
    logarithm = exp.Mul(this=exp.Ln(this=named(FREQUENCY)), expression=integer(_BINS_OF_A_LOG_UNIT))
    number = exp.cast(exp.Floor(this=logarithm), "bigint")
    # What is no frequency (it is refused later) has no logarithm either; rounding can add up to a little above 1.
    given = exp.and_(
        exp.GT(this=named(FREQUENCY), expression=integer(0)), exp.LTE(this=named(FREQUENCY), expression=integer(2))
    )
    return exp.alias_(case([(given, number)]), "bin", quoted=True)


def frequency_sums(weight: str | None = None) -> list[exp.Alias]:
    """The sum of the frequencies of classes (each ``weight`` times), and the least of them."""
    each = named(FREQUENCY) if weight is None else exp.Mul(this=named(FREQUENCY), expression=named(weight))
    return [
        exp.alias_(exp.cast(exp.Sum(this=each), "double"), FREQUENCY, quoted=True),
        exp.alias_(exp.cast(exp.Min(this=named(FREQUENCY)), "double"), "least_frequency", quoted=True),
    ]


def _key(number: int) -> str:
    return f"qi_{number}"


def _model(number: int) -> str:
    return f"model_{number}"
