"""The result of a measurement: one document for every command, as frozen values.

Ratios are shares in [0, 1]. A measure that could not be computed is None, with its reason beside it (``reason`` in an
attacker, ``reasons`` by name elsewhere); it is never 0. An infinite one is the text ``"infinity"`` in JSON.
"""

from __future__ import annotations

import math
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer

from sqlrisk.class_sizes import ClassSizes, RecordSizes
from sqlrisk.parts.attack import Attack
from sqlrisk.parts.columns import ColumnProfile, SafeHarbor
from sqlrisk.parts.composition import Composition
from sqlrisk.parts.subsets import MinimalUniques, Subset, Sweep
from sqlrisk.parts.unicity import Unicity
from sqlrisk.record import Comparison, Context, EarlierRelease, EarlierRun, Part, PolicyRecord

SCHEMA_VERSION = 1
POPULATION_MODEL = "population model"
"""The estimator, and the basis, of figures from a population model."""
INCREASE = "increase."
"""Before the dotted path of a measure: how far it rose since an earlier run."""

_OPTIONAL = (
    "record_sizes",
    "population",
    "fractions",
    "sensitive",
    "survey",
    "columns",
    "safe_harbor",
    "subsets",
    "sweep",
    "minimal_uniques",
    "attack",
    "unicity",
    "composition",
    "context",
    "comparisons",
    "earlier",
    "policy",
)
# Figures of the classes: null where they could not be computed, absent where a command does not measure them.
_OF_CLASSES = (
    "class_sizes",
    "classes",
    "smallest_class",
    "largest_class",
    "sample_uniques",
    "distinction",
    "separation",
    "attackers",
)
_INFINITE = {math.inf: "infinity", -math.inf: "-infinity"}  # below zero: an increase alone
_Pairs = PlainSerializer(lambda sizes: [list(pair) for pair in sizes.pairs])
AClassSizes = Annotated[
    ClassSizes, BeforeValidator(lambda v: v if isinstance(v, ClassSizes) else ClassSizes(v)), _Pairs
]
ARecordSizes = Annotated[
    RecordSizes, BeforeValidator(lambda v: v if isinstance(v, RecordSizes) else RecordSizes(v)), _Pairs
]
Triples = list[tuple[int, int, int]]


class MeasuredColumn(Part):
    """A quasi-identifier as it was measured; ``expression`` is its SQL on the engine."""

    column: str
    generalisation: str | None
    expression: str


class MeasuredRelease(Part):
    """What was measured. ``records`` are those measured: excluded and wholly suppressed ones are counted beside them.

    ``histogram`` is the file of class sizes, where no table was measured at all.
    """

    table: str | None = None
    query: str | None = None
    where: str | None = None
    quasi_identifiers: list[MeasuredColumn] = Field(default_factory=list)
    entity_id: str | None = None
    entity_counting: str | None = None
    nulls: str | None = None
    suppressed: str | None = None
    histogram: str | None = None
    records: int
    entities: int | None = None
    excluded_records: int = 0
    excluded_share: float = 0.0
    suppressed_records: int = 0
    unparseable: dict[str, int] = Field(default_factory=dict)
    missing_records: int = 0
    previous: list[EarlierRelease] = Field(default_factory=list)


class Uniques(Part):
    """Records that match no other record, and their share of the records measured."""

    records: int
    share: float


class ProsecutorRisk(Part):
    """Risk against an attacker who knows that the target is in the release."""

    threshold: str
    classes_smaller_than: int
    highest_risk: float | None
    lowest_risk: float | None
    average_risk: float | None
    records_at_risk: int | float | None
    share_at_risk: float | None
    classes_at_risk: int | float | None
    reason: str | None = None


Interval = tuple[float, float]


class JournalistRisk(ProsecutorRisk):
    """Risk against an attacker who does not know that; from the population that ``basis`` names.

    ``records_at_risk`` and ``classes_at_risk`` are expected numbers where the population is estimated; ``intervals`` are
    those of the figures that a limit can be set on, by name.
    """

    highest_expected_risk: float | None = None
    basis: str | None = None
    reliability: str | None = None
    intervals: dict[str, Interval] = Field(default_factory=dict)


class MarketerRisk(Part):
    """Risk against an attacker who matches every record; ``expected_matches`` are records matched right."""

    average_risk: float | None
    expected_matches: float | None
    basis: str | None = None
    reliability: str | None = None
    intervals: dict[str, Interval] = Field(default_factory=dict)
    reason: str | None = None


class AttackerRisks(Part):
    """The attackers; the reason stands in the place of figures that the inputs do not allow."""

    prosecutor: ProsecutorRisk
    journalist: JournalistRisk
    marketer: MarketerRisk


class Mismatch(Part):
    """Classes, and records in them, on which release and population table disagree."""

    classes: int | None
    records: int


class PopulationUniques(Part):
    """Population uniques: people of the population, and records of the release; the two are never the same thing.

    ``interval`` is about the people; ``intervals`` are about the release's figures, by name.
    """

    population_people: int | float | None
    population_share: float | None
    release_records: int | float | None
    release_share: float | None
    interval: Interval | None = None
    interval_kind: str | None = None
    intervals: dict[str, Interval] = Field(default_factory=dict)
    estimator: str
    reliability: str | None = None
    reason: str | None = None


class Estimate(Part):
    """What one model says of the population uniques: people of the population, and records of the release."""

    population_people: float | None
    release_records: float | None
    parameters: dict[str, float]
    converged: bool
    reason: str | None = None


class KMapTest(Part):
    """The test rule of El Emam & Dankar (2008): classes smaller than ``sample_threshold`` in the release are taken to be
    smaller than ``k`` in the population. A test at 10 % for each class, not a probability."""

    k: int
    sample_threshold: int
    classes: int
    records: int


class KMap(Part):
    """k-map: how many people of the population match a record. ``histogram`` holds (least, most, records), both inclusive;
    records are expected numbers where the population is estimated. Without a law of F there is the test alone.

    ``smallest_expected`` is the least expected number of people of a class, where a population model gives it.
    """

    smallest: int | None
    smallest_expected: float | None = None
    histogram: list[tuple[int, int, float]]
    test: KMapTest | None = None
    intervals: dict[str, Interval] = Field(default_factory=dict)
    reliability: str | None = None
    reason: str | None = None


class DeltaPresence(Part):
    """delta-presence: a class's size in the release over its size in the population, so how sure membership is.
    ``histogram`` holds (from, below, records), and the last, (1, 1, records), those of whom it is certain.

    ``highest_expected`` is the size in the release over the expected number of people, where a population model gives it.
    """

    lowest: float | None
    highest: float | None
    highest_expected: float | None = None
    histogram: list[tuple[float, float, float]]
    intervals: dict[str, Interval] = Field(default_factory=dict)
    reliability: str | None = None
    reason: str | None = None


class AtFraction(Part):
    """What a release would risk as a sample of this fraction, where several were asked about."""

    sampling_fraction: float
    journalist: JournalistRisk
    marketer: MarketerRisk
    population: MeasuredPopulation
    reasons: dict[str, str] = Field(default_factory=dict)


class Survey(Part):
    """Risk from survey weights (Benedetti & Franconi 1998): ``global_risk`` is the mean record risk, and the expected
    re-identifications its sum; by household, a record's risk is that of anybody in its household."""

    weight: str
    household: str | None = None
    population: float
    weights_below_one: int
    global_risk: float | None
    expected_reidentifications: float | None
    highest_risk: float | None
    household_global_risk: float | None = None
    household_expected_reidentifications: float | None = None
    reason: str | None = None


class MeasuredPopulation(Part):
    """The population that the release was compared with, or that it is taken to be a sample of.

    ``model`` names the tables of a population model: then figures are expectations.
    """

    table: str | None = None
    model: list[str] = Field(default_factory=list)
    where: str | None = None
    columns: dict[str, str] = Field(default_factory=dict)
    entity_id: str | None = None
    size: int | None
    sampling_fraction: float | None
    description: str | None = None
    source: str | None = None
    as_of: date | None = None
    not_in_population: Mismatch | None = None
    inconsistent: Mismatch | None = None
    unparseable: dict[str, int] = Field(default_factory=dict)
    joint_sizes: Triples | None = None
    joint_record_sizes: Triples | None = None
    uniques: PopulationUniques
    estimators: dict[str, Estimate] = Field(default_factory=dict)
    dis: float | None = None
    k_map: KMap | None = None
    delta_presence: DeltaPresence | None = None


class SensitiveColumn(Part):
    """What the classes of a release give away of one sensitive column: the worst value of each measure over the classes.

    ``values`` are the distinct values of the column, a missing one included where ``nulls`` is ``value``; ``missing``
    records have none. ``l_histogram`` holds (distinct values, classes, records); classes are None where records do not
    fall into classes. ``without_value`` records are in classes in which everybody's value is missing and ignored: no
    measure is about them. ``beyond`` gives, for each measure that a limit is set on, the classes and records beyond it.
    """

    compared: str
    nulls: str
    values: int | None
    missing: int | None
    without_value: int | None = None
    l_distinct: int | None
    l_entropy: float | None
    recursive_c: float | None
    recursive_l: int
    alpha: float | None
    t_closeness: float | None
    basic_beta: float | None
    enhanced_beta: float | None
    delta_disclosure: float | None
    delta_disclosure_present_only: float | None
    l_histogram: list[tuple[int, int | None, int]]
    below_l: int
    classes_below_l: int | None
    records_below_l: int | None
    beyond: dict[str, Mismatch] = Field(default_factory=dict)
    reason: str | None = None


class Check(Part):
    """One limit: ``value`` is the measure, ``compared`` what of it was compared with the limit; ``direction`` says whether
    the limit is the least (``min``) or the most (``max``) that passes."""

    measure: str
    value: float | None
    compared: float | None
    direction: Literal["min", "max"]
    limit: float
    passed: bool
    reason: str | None = None


class Verdict(Part):
    """``passed`` is None without limits: nothing was judged, and that is not a pass."""

    passed: bool | None
    checks: list[Check]
    justification: str | None = None
    profile: str | None = None

    @property
    def exit_code(self) -> int:
        """0 within every limit or without any, 1 a limit is exceeded, 3 a limit's measure is null."""
        failed = [check for check in self.checks if not check.passed]
        if any(check.value is not None for check in failed):
            return 1
        return 3 if failed else 0


class Query(Part):
    """A statement that was sent, and what came back; ``look_up``: from the catalogue, not from the data."""

    purpose: str
    sql: str
    rows: int
    bytes_returned: int
    bytes_scanned: int | None
    seconds: float
    look_up: bool = False


class Assessment(Part):
    """Everything that one run measured, and whether it may go out. ``attackers`` and the figures of the classes are absent
    where a command looked at something else."""

    schema_version: int = SCHEMA_VERSION
    sqlrisk_version: str
    started_at: datetime
    seconds: float
    dialect: str | None
    release: MeasuredRelease
    class_sizes: AClassSizes | None = None
    record_sizes: ARecordSizes | None = None
    classes: int | None = None
    smallest_class: int | None = None
    largest_class: int | None = None
    sample_uniques: Uniques | None = None
    distinction: float | None = None
    separation: float | None = None
    reasons: dict[str, str] = Field(default_factory=dict)
    attackers: AttackerRisks | None = None
    population: MeasuredPopulation | None = None
    fractions: list[AtFraction] | None = None
    sensitive: dict[str, SensitiveColumn] | None = None
    survey: Survey | None = None
    columns: list[ColumnProfile] | None = None
    safe_harbor: SafeHarbor | None = None
    subsets: list[Subset] | None = None
    sweep: Sweep | None = None
    minimal_uniques: MinimalUniques | None = None
    attack: Attack | None = None
    unicity: Unicity | None = None
    composition: Composition | None = None
    context: Context | None = None
    comparisons: list[Comparison] | None = None
    earlier: list[EarlierRun] | None = None
    policy: PolicyRecord | None = None
    verdict: Verdict
    queries: list[Query]
    warnings: list[str]

    @property
    def has_classes(self) -> bool:
        """Whether records were compared by all of the quasi-identifiers."""
        return self.attackers is not None

    @property
    def prosecutor(self) -> ProsecutorRisk:
        """Risk against somebody who knows that the target is in the release."""
        return self.attackers.prosecutor

    @property
    def journalist(self) -> JournalistRisk:
        """Risk against somebody who does not know that."""
        return self.attackers.journalist

    @property
    def marketer(self) -> MarketerRisk:
        """Risk against somebody who matches everybody."""
        return self.attackers.marketer

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return self.verdict.exit_code

    @property
    def judged_comparison(self) -> Comparison | None:
        """The earlier run that limits on change are about: the pinned baseline if there is one, else the previous run."""
        made = self.comparisons or []
        return next((item for item in made if item.against == "baseline"), made[0] if made else None)

    def value(self, measure: str) -> tuple[float | None, str | None]:
        """A measure by its dotted path, and the reason where it is None."""
        parent, name = self._parent(measure)
        part = None if parent is None else getattr(parent, name)
        reason = self.reasons.get(measure) or getattr(parent, "reason", None)
        return part, (reason or "it could not be computed") if part is None else None

    def interval(self, measure: str) -> Interval | None:
        """The interval of an estimated measure by its dotted path; None where it is measured."""
        parent, name = self._parent(measure)
        return getattr(parent, "intervals", {}).get(name)

    def reliability(self, measure: str) -> str | None:
        """How far an estimated measure can be relied on; None where it is measured. An increase is as good as what rose."""
        measure = measure.removeprefix(INCREASE)
        found = getattr(self._parent(measure)[0], "reliability", None)
        return None if found == "measured" else found

    def _parent(self, measure: str) -> tuple[Any, str]:
        part: Any = self
        if measure.startswith(INCREASE):
            judged = self.judged_comparison
            return judged and judged.figures.get(measure.removeprefix(INCREASE)), "increase"
        if measure.startswith("sensitive."):  # a column's name may hold dots
            column, _, name = measure.removeprefix("sensitive.").rpartition(".")
            return (self.sensitive or {}).get(column), name
        *parents, name = measure.split(".")
        for parent in parents:
            part = getattr(part, parent, None)
        return part, name

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; parts that were not measured are absent."""
        document = _finite(self.model_dump(mode="json"))
        absent = {*_OPTIONAL, *(name for name in _OF_CLASSES if name not in self.model_fields_set)}
        return {key: value for key, value in document.items() if not (key in absent and value is None)}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Assessment:
        """The result that :meth:`to_dict` gave."""
        return cls.model_validate(_infinite(document))

    def to_json(self) -> str:
        """The result document as JSON text."""
        from sqlrisk.report.json import render

        return render(self)

    def to_text(self) -> str:
        """The report as plain text."""
        from sqlrisk.report.text import render

        return render(self)

    def to_markdown(self) -> str:
        """The report as Markdown."""
        from sqlrisk.report.markdown import render

        return render(self)

    def to_html(self, path: str | Path | None = None) -> str:
        """The report as one HTML page, also written to ``path`` if given."""
        from sqlrisk.report.html import render

        page = render(self)
        if path is not None:
            Path(path).write_text(page, "utf-8")
        return page


def _finite(value: Any) -> Any:
    if isinstance(value, float) and math.isinf(value):
        return _INFINITE[value]
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def _infinite(value: Any) -> Any:
    for number, text in _INFINITE.items():
        if value == text:
            return number
    if isinstance(value, dict):
        return {key: _infinite(item) for key, item in value.items()}
    return [_infinite(item) for item in value] if isinstance(value, list) else value
