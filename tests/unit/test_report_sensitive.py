"""Reports of sensitive columns, of k-map and delta-presence, of missing values that match everything, and Google's shape."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlrisk.class_sizes import ClassSizes, RecordSizes
from sqlrisk.limits import Limit
from sqlrisk.report import content, html, markdown, sdp, text
from sqlrisk.report.document import Bars, Code
from sqlrisk.result import (
    Assessment,
    DeltaPresence,
    KMap,
    MarketerRisk,
    MeasuredColumn,
    MeasuredPopulation,
    Mismatch,
    PopulationUniques,
    SensitiveColumn,
)
from tests.unit.test_report import HOSTILE, PROSE, changed, estimated, judged, made, one_line, prose, tables, unsaid

SIZES = ClassSizes({1: 5, 2: 10, 25: 3})
LONG = "diagnosis_at_discharge_as_coded_by_the_hospital"
ODD = "<b>|*.`x`\\_["
UNATTAINABLE = "unattainable: a value's gain is above -ln p"
OTHER_ROWS = "the population table lacks the rows of 3 people of the release"
NO_CLASSES = "records do not fall into classes where a missing value matches every value"
FIGURES = (
    "l_distinct", "l_entropy", "recursive_c", "alpha", "t_closeness", "basic_beta", "enhanced_beta", "delta_disclosure",
    "delta_disclosure_present_only",
)  # fmt: skip


def column(**changes) -> SensitiveColumn:
    """The second class of the check values of l-diversity, among 100 records."""
    values = {
        "compared": "categorical", "nulls": "value", "values": 3, "missing": 0, "without_value": 0, "l_distinct": 2,
        "l_entropy": 1.7548, "recursive_c": 3.0, "recursive_l": 2, "alpha": 0.75, "t_closeness": 0.3, "basic_beta": 1.5,
        "enhanced_beta": 1.5, "delta_disclosure": 1.2039728, "delta_disclosure_present_only": 0.9162907,
        "l_histogram": [(2, 6, 24), (3, 12, 76)], "below_l": 2, "classes_below_l": 0, "records_below_l": 0,
    }  # fmt: skip
    return SensitiveColumn(**{**values, **changes})


def worst(**changes) -> SensitiveColumn:
    """A column of which a class gives everything away."""
    values = {
        "l_distinct": 1, "l_entropy": 1.0, "recursive_c": math.inf, "alpha": 1.0, "t_closeness": 0.7,
        "basic_beta": 2.3333333333, "enhanced_beta": None, "delta_disclosure": math.inf, "classes_below_l": 3,
        "records_below_l": 20, "l_histogram": [(1, 3, 20), (2, 5, 30), (7, 10, 50)], "missing": 4,
        "beyond": {"t_closeness": Mismatch(classes=2, records=7), "l_distinct": Mismatch(classes=3, records=20)},
    }  # fmt: skip
    return column(**{**values, **changes})


def unknown(reason: str, **changes) -> SensitiveColumn:
    """A column of which nothing is known."""
    nothing = dict.fromkeys(("values", "missing", "without_value", *FIGURES, "classes_below_l", "records_below_l"))
    return column(**{**nothing, "l_histogram": [], "reason": reason, **changes})


def with_columns(columns: dict[str, SensitiveColumn], result: Assessment | None = None) -> Assessment:
    """A release of 100 records with sensitive columns."""
    result = made(SIZES, 5) if result is None else result
    absent = [name for name, part in columns.items() if part.enhanced_beta is None and part.reason is None]
    reasons = {**result.reasons, **{f"sensitive.{name}.enhanced_beta": UNATTAINABLE for name in absent}}
    keys = [MeasuredColumn(column=name, generalisation=None, expression="SELECT 1") for name in ("sex", "zip")]
    result = changed(result, "release", quasi_identifiers=keys)
    return result.model_copy(update={"sensitive": columns, "reasons": reasons})


def matched(people: bool = False, **columns: SensitiveColumn) -> Assessment:
    """The same release, when missing values match everything."""
    sizes = RecordSizes({1: 5, 2: 20, 25: 75})
    absent = ("class_sizes", "classes", "largest_class", "distinction", "separation")
    nothing = dict.fromkeys(absent)
    result = made(SIZES, 5).model_copy(update={**nothing, "record_sizes": sizes, "sensitive": columns or None})
    prosecutor = result.prosecutor.model_copy(update={"classes_at_risk": None})
    reasons = dict.fromkeys((*absent, "attackers.prosecutor.classes_at_risk"), NO_CLASSES)
    result = changed(result.model_copy(update={"reasons": reasons}), "attackers", prosecutor=prosecutor)
    counted = {"entities": 100, "entity_id": "id", "entity_counting": "multiset"} if people else {}
    return changed(result, "release", nulls="wildcard", missing_records=12, **counted)


def shared(reason: str) -> Assessment:
    """People counted by their distinct tuples, of whose sensitive values nothing is known."""
    result = matched(people=True, diagnosis=unknown(reason))
    return changed(result, "release", nulls="value", missing_records=0, entity_counting="distinct")


def by_table(**changes) -> Assessment:
    """Compared with a population table: A 5 of 10, B 20 that the release lacks, C 1 that the table lacks, D 25 of 400."""
    joint = [(5, 10, 1), (0, 20, 1), (1, 0, 1), (25, 400, 2)]
    uniques = PopulationUniques(
        population_people=0, population_share=0, release_records=1, release_share=0.01, estimator="population table",
        reliability="measured",
    )  # fmt: skip
    values = {
        "table": "register", "size": 830, "sampling_fraction": 56 / 830, "joint_sizes": joint, "uniques": uniques,
        "k_map": KMap(smallest=1, histogram=[(1, 1, 1), (2, 3, 0), (8, 15, 5), (256, 511, 50)]),
        "delta_presence": DeltaPresence(
            lowest=0.0, highest=1.0, histogram=[(0.0, 0.1, 50), (0.5, 0.6, 5), (1.0, 1.0, 1)]
        ),
        **changes,
    }  # fmt: skip
    population = MeasuredPopulation(**values)
    result = made(ClassSizes({1: 1, 5: 1, 25: 2}), 5).model_copy(update={"population": population})
    return with_columns({"diagnosis": column()}, result)


def by_model(**changes) -> Assessment:
    """Compared with tables of relative frequencies."""
    result = estimated(estimator="population model", interval=None, interval_kind=None, reliability="model-driven")
    basis = {"basis": "population model", "reliability": "model-driven", "intervals": {}}
    journalist = result.journalist.model_copy(update=basis)
    marketer = MarketerRisk(**{**result.marketer.model_dump(), **basis})
    result = changed(result, "attackers", journalist=journalist, marketer=marketer)
    why = {"reliability": "model-driven", "reason": "a model is no count"}
    k_map = KMap(smallest=2, smallest_expected=6.2, histogram=[(2, 3, 30.4), (4, 7, 1384.6)], **why)
    delta = DeltaPresence(lowest=None, highest=0.41, highest_expected=0.32, histogram=[(0.3, 0.4, 1415.0)], **why)
    parts = {"k_map": k_map, "delta_presence": delta, "dis": None, "estimators": {}}
    parts["not_in_population"] = Mismatch(classes=2, records=3)
    return changed(result, "population", **parts, **changes)


def hostile() -> Assessment:
    """Names of strangers wherever the parts of this file have names."""
    named = {HOSTILE: worst(compared=f"map={HOSTILE}"), "x": unknown(HOSTILE, compared=HOSTILE, nulls=HOSTILE)}
    beyond = {HOSTILE: worst(beyond={HOSTILE: Mismatch(classes=1, records=2)}).model_copy(update={"reason": HOSTILE})}
    result = with_columns({**named, f"{HOSTILE}.": beyond[HOSTILE]}, by_table(table=HOSTILE))
    k_map = KMap(smallest=None, histogram=[], reason=HOSTILE)
    limits = [
        Limit(f"sensitive.{HOSTILE}.{measure}", "max", Fraction(1, 2)) for measure in ("alpha", HOSTILE, "recursive_c")
    ]
    result = changed(result, "population", k_map=k_map)
    checks = judged(result, limits[0], limits[2]).verdict
    return result.model_copy(update={"verdict": checks, "reasons": {f"sensitive.{HOSTILE}.enhanced_beta": HOSTILE}})


SAMPLES = [
    with_columns({"diagnosis": column()}),
    with_columns({"diagnosis": worst(), "paid.amount": column(compared="numeric", nulls="ignore", without_value=12)}),
    with_columns({LONG: worst(), ODD: worst(), "paid": column(), "stage": unknown("every value is missing")}),
    with_columns({"diagnosis": worst()}, changed(made(SIZES, 5), "release", entities=100, entity_id="id")),
    matched(),
    matched(diagnosis=worst(classes_below_l=None, l_histogram=[(1, None, 20), (2, None, 80)], beyond={})),
    matched(people=True, diagnosis=column(classes_below_l=None, l_histogram=[(2, None, 100)])),
    shared(NO_CLASSES),
    by_table(),
    by_table(
        k_map=KMap(smallest=None, histogram=[], reason=OTHER_ROWS),
        delta_presence=DeltaPresence(lowest=None, highest=None, histogram=[], reason=OTHER_ROWS),
    ),
    by_model(),
]


@pytest.mark.parametrize("result", SAMPLES)
def test_every_format_says_the_same(result):
    assert unsaid(result) == []
    assert Assessment.from_dict(result.to_dict()) == result


@pytest.mark.parametrize("result", [*SAMPLES, hostile()])
@pytest.mark.parametrize("width", [60, 80])
def test_text_keeps_to_its_width(result, width):
    rows = text.render(result, width=width).splitlines()
    assert max(len(row) for row in rows) <= width
    assert not any(row.lstrip().startswith("%") for row in rows)


@pytest.mark.parametrize("result", SAMPLES)
def test_no_word_of_python_and_no_figure_in_full_precision(result):
    for shown in prose(result):
        assert not re.search(r"\b(None|nan|inf|True|False)\b|[{}]", shown)
    assert not re.search(r"\d\.\d{4}", text.render(result))


# Sensitive columns


def section(result: Assessment, title: str = "Sensitive columns") -> str:
    """A section as the terminal shows it, on one line."""
    shown = text.render(result, width=200)
    titles = [part.title for part in content.compose(result).sections]
    after = titles[titles.index(title) + 1]
    return one_line(shown[shown.index(f"\n{title}\n") : shown.index(f"\n{after}\n")])


def test_the_section_comes_after_presence_and_only_where_it_was_asked_for():
    titles = [part.title for part in content.compose(by_table()).sections]
    assert titles.index("Sensitive columns") == titles.index("k-map and δ-presence") + 1
    assert "Sensitive columns" not in text.render(made(SIZES, 5))
    for shown in prose(SAMPLES[0]):
        assert "nor about what a whole class shares beyond the sensitive columns." in shown


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "compared by value (`categorical`), 3 different values. A missing value is a value (0 records)."),
        ({"missing": 4}, "3 different values, the missing one included. A missing value is a value (4 records)."),
        ({"nulls": "ignore", "missing": 1}, "3 different values. Missing values are ignored (1 record)."),
        ({"compared": "numeric"}, "compared by the order of its values, as numbers (`numeric`)"),
        ({"compared": "ordered=I,II,III"}, "compared by the order of its values (`ordered=I,II,III`)"),
        ({"compared": "map=chapters.csv"}, "compared by a map of its values to groups (`map=chapters.csv`)"),
        ({"without_value": 1}, "Of 1 record, nobody in the class has a value: no measure is about them."),
    ],
)
def test_how_a_column_was_compared_and_how_missing_values_were_treated(changes, told):
    assert told in section(with_columns({"diagnosis": column(**changes)}))


def test_measures_stand_side_by_side_three_columns_to_a_table():
    names = [f"column_{number}" for number in range(7)]
    found = [
        table for table in tables(with_columns({name: column() for name in names})) if "column" in str(table.header)
    ]
    assert [len(table.header) for table in found] == [4, 4, 2]
    assert [name for table in found for name in table.header[1:]] == names
    assert all(isinstance(name, Code) for table in found for name in table.header[1:])


def test_a_table_of_measures():
    (table,) = tables(with_columns({"diagnosis": worst(), "paid": column()}))[1:]
    assert table.rows == (
        ("Distinct l", "1", "2"),
        ("Entropy l", "1", "1.75"),
        ("Recursive c (l=2)", "infinite", "3"),
        ("α", "100 %", "75 %"),
        ("t-closeness", "0.7", "0.3"),
        ("Basic β", "2.33", "1.5"),
        ("Enhanced β", "–", "1.5"),
        ("δ-disclosure", "infinite", "1.2"),
        ("δ, present only", "0.916", "0.916"),
    )


def test_at_80_columns_three_long_names_fold_and_no_figure_and_no_measure_does():
    result = with_columns({LONG: worst(), LONG.upper(): worst(), ODD * 5: column()})
    rows = [row.split() for row in text.render(result, width=80).splitlines()]
    assert ["Recursive", "c", "(l=2)", "infinite", "infinite", "3"] in rows
    assert ["δ,", "present", "only", "0.916", "0.916", "0.916"] in rows


def test_why_a_measure_is_none_stands_below_once():
    result = with_columns({"a": worst(), "b": worst(), "c": column()})
    for shown in prose(result):
        assert shown.count(UNATTAINABLE) == 1
    assert f"Enhanced β of `a`; Enhanced β of `b`: none, because {UNATTAINABLE}." in section(result)


def test_a_column_of_which_nothing_is_known_says_why():
    shown = section(with_columns({"stage": unknown("every value is missing")}))
    assert "`stage`: compared by value (`categorical`). A missing value is a value." in shown
    assert "Not measured, because every value is missing." in shown
    assert "Distinct l" not in shown
    assert "different values" not in shown
    assert section(shared(NO_CLASSES)).count(NO_CLASSES) == 0  # told with the attackers


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"l_distinct": 1},
            "Distinct l = 1: in at least one class everybody has the same value: who is found there is",
        ),
        ({}, "Distinct l = 2: every class holds at least 2 different values."),
        ({}, "no better than 1.75 equally frequent ones would."),
        ({"l_entropy": 1.0}, "Entropy l = 1: in at least one class everybody has the same value"),
        ({"l_entropy": 1.0001}, "in some class nearly everybody has the same value."),
        ({}, "in some class the most frequent value is 3 times as frequent as all other values together."),
        ({"recursive_l": 3}, "3 times as frequent as all but the 2 most frequent ones together."),
        ({"recursive_c": math.inf, "recursive_l": 3}, "at least one class has fewer than 3 different values."),
        ({}, "α = 75 %: in some class 75 % have the same value: a guess there is right that often."),
        ({"alpha": 1.0}, "a guess there is always right."),
        ({}, "the values of the most peculiar class are 0.3 away from those of the whole release."),
        ({"t_closeness": 0.0}, "t-closeness = 0: every class has the same mix of values as the whole release."),
        ({}, "Basic β = 1.5: in some class a value is 2.5 times as frequent as in the whole release."),
        ({"basic_beta": 0.0}, "Basic β = 0: every class has the same mix of values"),
        ({}, "1.5 is the least bound that every class keeps."),
        ({}, "in some class a value is 3.33 times as frequent, or as rare, as in the whole release."),
        ({"delta_disclosure": math.inf}, "who is found there is known not to have it."),
        ({"delta_disclosure": 1e9}, "a value is 1"),
        ({}, "of the values that a class has: one is 2.5 times as frequent, or as rare, as in the whole release."),
        ({"delta_disclosure_present_only": 0.0}, "the values that a class has are as frequent in it as in the whole"),
    ],
)
def test_what_a_measure_means_is_said_in_plain_words(changes, told):
    assert told in section(with_columns({"diagnosis": column(**changes)}))


def test_what_it_means_is_said_of_the_worst_column():
    shown = section(with_columns({"a": worst(), "b": column(), "c": worst(l_entropy=1.2)}))
    assert "Distinct l = 1 (`a`, `c`): in at least one class" in shown
    assert "Entropy l = 1 (`a`): " in shown
    assert "Enhanced β = 1.5 (`b`): " in shown
    assert "δ, present only = 0.916: " in shown  # the same in all


def test_how_many_are_below_l_and_beyond_each_limit():
    shown = section(with_columns({"a": worst(), "b": column()}))
    assert (
        "`a`: 20 records (20 %) in 3 classes with fewer than 2 different values; beyond the limit on t-closeness: "
        in shown
    )
    assert "t-closeness: 7 records (7 %) in 2 classes." in shown
    assert "limit on Distinct l" not in shown  # the same as those below l
    assert "`b`: no class has fewer than 2 different values." in shown


def test_limits_that_nobody_is_beyond_are_told_together():
    nobody = {name: Mismatch(classes=0, records=0) for name in ("recursive_c", "alpha")}
    shown = section(with_columns({"a": column(beyond={**nobody, "basic_beta": Mismatch(classes=1, records=4)})}))
    assert (
        "beyond the limit on Basic β: 4 records (4 %) in 1 class; nobody beyond the limit on Recursive c or α." in shown
    )


def test_people_are_counted_where_people_are():
    shown = section(SAMPLES[3])
    assert "A missing value is a value (4 people)." in shown
    assert "20 people (20 %) in 3 classes with fewer than 2 different values" in shown
    assert "Values People Share Classes" in shown


def histograms(result: Assessment) -> list[Bars]:
    blocks = next(part.without_plots for part in content.compose(result).sections if part.title == "Sensitive columns")
    return [block for block in blocks if isinstance(block, Bars)]


def test_the_histogram_of_l():
    (bars,) = histograms(with_columns({"diagnosis": worst()}))
    assert bars.header == ("Values", "Records", "Share", "Classes")
    assert [(bar.label, bar.figures, bar.flag) for bar in bars.bars] == [
        ("1", ("20", "20 %", "3"), "below 2"),
        ("2", ("30", "30 %", "5"), ""),
        ("3", ("0", "0 %", "0"), ""),
        ("4", ("0", "0 %", "0"), ""),
        ("5–9", ("50", "50 %", "10"), ""),
    ]


@settings(deadline=None)
@given(st.dictionaries(st.integers(0, 3000), st.integers(1, 50), min_size=1, max_size=20), st.integers(1, 400))
def test_the_histogram_of_l_counts_everybody_once_and_ends_a_bin_at_l(counts, least):
    found = [(values, classes, 2 * classes) for values, classes in counts.items()]
    (bars,) = histograms(with_columns({"diagnosis": column(l_histogram=found, below_l=least)}))
    records = [(int(bar.figures[0].replace(",", "")), bar.flag) for bar in bars.bars]
    assert sum(count for count, _ in records) == 2 * sum(counts.values())
    assert sum(count for count, flag in records if flag) == 2 * sum(
        count for values, count in counts.items() if values < least
    )


# Missing values that match everything


@pytest.mark.parametrize(("people", "unit"), [(False, "records"), (True, "people")])
def test_missing_values_match_both_ways_and_sizes_are_matches(people, unit):
    for shown in prose(matched(people)):
        assert "A missing value matches every value, both ways" in shown
        assert f"is all that match it, and {unit} do not fall into classes." in shown
        assert "12 records with a missing quasi-identifier." in shown
        assert f"How many match each {'person' if people else 'record'}" in shown
        assert f"{unit.capitalize()} by the number of {unit} {'who' if people else 'that'} match them" in shown
        assert (
            f"1/5, that is, classes smaller than 5 (here: {unit} with fewer matches in the release) are at risk"
            in shown
        )
        assert "tuple" not in shown.replace("all of their rows", "")
        assert shown.count(NO_CLASSES) == 1
        assert "Classes at risk" not in shown


def test_that_no_record_was_touched_is_said_too():
    for shown in prose(changed(matched(), "release", missing_records=0)):
        assert "0 records with a missing quasi-identifier." in shown


def test_the_histogram_of_matches_has_records_and_no_classes():
    bars = next(
        block for part in content.compose(matched()).sections for block in part.blocks if isinstance(block, Bars)
    )
    assert bars.header == ("Matches", "Records", "Share")
    assert [(bar.label, bar.figures[0]) for bar in bars.bars if bar.share] == [("1", "5"), ("2", "20"), ("20–49", "75")]


def test_classes_are_not_mentioned_where_there_are_none():
    shown = section(SAMPLES[5])
    assert "class" not in shown
    assert "Each figure is of the worst group." in shown
    assert "in at least one group everybody has the same value" in shown
    assert "`diagnosis`: 20 records (20 %) in groups with fewer than 2 different values." in shown
    assert histograms(SAMPLES[5])[0].header == ("Values", "Records", "Share")


@pytest.mark.parametrize(
    ("result", "name"),
    [
        (made(SIZES, 5), "Records in the smallest class (k)"),
        (matched(), "Fewest records that match one record (k)"),
        (matched(people=True), "Fewest people who match one person (k)"),
        (shared(NO_CLASSES), "Fewest people who share a tuple (k)"),
    ],
)
def test_the_name_of_k(result, name):
    for shown in prose(judged(result, Limit("smallest_class", "min", 3))):
        assert name in shown


def test_presence_without_classes_speaks_of_matches():
    population = by_table(joint_sizes=None, joint_record_sizes=[(1, 1, 1), (5, 10, 5)]).population
    shown = section(matched().model_copy(update={"population": population}), "k-map and δ-presence")
    assert "Fewest matches (k-map) 1 person" in shown
    assert "of at least one group, the population has nobody beside those in the release" in shown
    assert "class" not in shown


# k-map and delta-presence


def test_presence_by_a_population_table_is_measured():
    for shown in prose(by_table()):
        assert "k-map and δ-presence (estimated)" not in shown
        assert "100 %: how sure an attacker can be that somebody of a class is in the release" in shown
        assert (
            "of at least one class, the population has nobody beside those in the release: membership is certain"
            in shown
        )
        assert "0 %: of at least one class of the population, nobody is in the release" in shown
        assert "expected" not in shown
    bars = [block for part in content.compose(by_table()).sections for block in part.blocks if isinstance(block, Bars)]
    assert [(bar.label, bar.figures) for bar in bars[0].bars][0] == ("1", ("1", "1.8 %"))
    assert [(bar.label, bar.figures[0]) for bar in bars[1].bars] == [
        ("0 % to below 10 %", "50"), ("50 % to below 60 %", "5"), ("100 %", "1")
    ]  # fmt: skip


def test_membership_is_not_certain_below_1():
    delta = DeltaPresence(lowest=0.1, highest=0.5, histogram=[(0.1, 0.2, 100)])
    for shown in prose(by_table(delta_presence=delta)):
        assert "certain" not in shown
        assert "nobody is in the release" not in shown


def test_presence_that_could_not_be_measured_says_why_once():
    for shown in prose(SAMPLES[9]):
        assert f"k-map and δ-presence: not measured, because {OTHER_ROWS}." in shown
        assert shown.count(OTHER_ROWS) == 1


def test_a_reason_for_the_whole_is_not_told_again_for_its_parts():
    names = ("k_map", "k_map.smallest", "delta_presence", "delta_presence.highest")
    result = by_table(k_map=None, delta_presence=None)
    result = result.model_copy(update={"reasons": {f"population.{name}": OTHER_ROWS for name in names}})
    for shown in prose(result):
        assert f"k-map and δ-presence: not measured, because {OTHER_ROWS}." in shown


def test_presence_by_a_model_is_expected():
    for shown in prose(by_model()):
        assert "k-map and δ-presence (estimated)" in shown
        assert "about 6.2 people expected in the class with the fewest" in shown
        assert "32 % by the expected number of people of each class" in shown
        assert "model-driven, because a model is no count" in shown
        assert (
            "are expectations, not counts. They are right as far as the columns of its tables are independent" in shown
        )
        assert (
            "population model, its frequencies (of several tables, multiplied as if independent) times the size"
            in shown.replace("`", "")
        )
        assert "3 records in 2 classes that the population model does not have" in shown
        assert "population table" not in shown
        assert "Quote" not in shown  # there is no interval to quote
        assert "population model (model-driven)" in shown


def test_intervals_of_presence_are_told():
    k_map = by_model().population.k_map.model_copy(update={"intervals": {"smallest": (1.0, 4.0)}})
    delta = by_model().population.delta_presence.model_copy(update={"intervals": {"highest": (0.2, 0.9)}})
    for shown in prose(changed(by_model(), "population", k_map=k_map, delta_presence=delta)):
        assert "95 % interval 1 to 4" in shown
        assert "95 % interval 20 % to 90 %" in shown


# The verdict


def of(measure: str, name: str = "diagnosis") -> str:
    return f"sensitive.{name}.{measure}"


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (Limit(of("l_distinct"), "min", 2), "FAILED Distinct l of `diagnosis` 1 at least 2"),
        (Limit(of("l_entropy"), "min", Fraction(1)), "passed Entropy l of `diagnosis` 1 at least 1"),
        (Limit(of("recursive_c"), "max", 3, strict=True), "FAILED Recursive c of `diagnosis` infinite below 3"),
        (Limit(of("alpha"), "max", Fraction(1, 2)), "FAILED α of `diagnosis` 100 % at most 50 %"),
        (Limit(of("t_closeness"), "max", Fraction(7, 10)), "passed t-closeness of `diagnosis` 0.7 at most 0.7"),
        (Limit(of("t_closeness"), "max", Fraction("0.69999")), "FAILED t-closeness of `diagnosis` 0.7 at most 0.69999"),
        (Limit(of("basic_beta"), "max", 2), "FAILED Basic β of `diagnosis` 2.33 at most 2"),
        (Limit(of("delta_disclosure"), "max", 9), "FAILED δ-disclosure of `diagnosis` infinite at most 9"),
        (Limit(of("enhanced_beta"), "max", 2), "NOT MEASURED Enhanced β of `diagnosis` – at most 2"),
    ],
)
def test_limits_on_a_sensitive_column(limit, told):
    shown = one_line(text.render(judged(with_columns({"diagnosis": worst()}), limit), width=120))
    assert told in shown


def test_a_strict_limit_is_not_kept_by_itself():
    result = judged(with_columns({"a.b": column()}), Limit(of("recursive_c", "a.b"), "max", 3, strict=True))
    for shown in prose(result):
        assert "FAILED: 1 of 1 limit is not kept." in shown
    assert "FAILED Recursive c of `a.b` 3 below 3" in one_line(text.render(result))
    assert "| FAILED | Recursive c of `a.b` | 3 | below 3 |" in markdown.render(result)
    assert "Recursive c of <code>a.b</code>" in html.render(result)


def test_why_a_limit_could_not_be_judged_names_the_column():
    result = judged(with_columns({ODD: worst()}), Limit(of("enhanced_beta", ODD), "max", 2))
    assert f"Enhanced β of `{ODD}`: not measured, because {UNATTAINABLE}." in text.render(result, width=200)
    for shown in prose(result):
        assert shown.count(UNATTAINABLE) == 1


def test_limits_on_presence():
    limits = [Limit("population.k_map.smallest", "min", 5), Limit("population.delta_presence.highest", "max", 1)]
    shown = one_line(text.render(judged(by_table(), *limits), width=120))
    assert "FAILED Fewest people of the population who match (k-map) 1 at least 5" in shown
    assert "passed Highest δ-presence 100 % at most 100 %" in shown
    for shown in prose(judged(by_model(), *limits)):
        assert "2 (model-driven)" in shown
        assert "Model-driven, because a model is no count." in shown


# Names of strangers


@pytest.mark.parametrize("render", [*PROSE, sdp.render])
def test_no_control_character_leaves(render):
    assert all(character.isprintable() or character in "\n\u00a0" for character in render(hostile()))


def test_html_has_no_foreign_markup_and_its_tags_are_closed():
    page = html.render(hostile())
    assert "<script" not in page
    assert not set(re.findall(r"<([a-z0-9]+)", page)) & {"script", "img", "link", "iframe", "a", "object", "b"}
    body = re.sub(r"<style>.*?</style>|<meta[^>]*>|<!DOCTYPE html>", "", page, flags=re.DOTALL)
    open_tags: list[str] = []
    for closes, tag, itself in re.findall(r"<(/?)([a-z0-9]+)[^>]*?(/?)>", body):
        if closes:
            assert open_tags.pop() == tag
        elif not itself:
            open_tags.append(tag)
    assert open_tags == []


@pytest.mark.parametrize("result", [hostile(), *SAMPLES])
def test_markdown_tables_hold(result):
    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark").enable("table").render(markdown.render(result))
    assert not re.search("<script|<a |<em>b|<h1>", page)
    assert page.count("<table>") == sum(line.startswith("| ---") for line in markdown.render(result).splitlines())
    for table in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        assert len({len(re.findall(r"<t[hd]", row)) for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)}) == 1


# Google's shape


def jobs(result: Assessment) -> list[dict]:
    document = json.loads(sdp.render(result))
    assert set(document) == {"jobs"}
    return document["jobs"]


def details(result: Assessment, of: str) -> list[dict]:
    return [job["riskDetails"] for job in jobs(result) if of in job["riskDetails"]]


RESULTS = {"kAnonymityResult", "lDiversityResult", "kMapEstimationResult", "deltaPresenceEstimationResult"}


def test_a_job_has_one_metric():
    found = jobs(by_table())
    assert [set(job["riskDetails"]) & RESULTS for job in found] == [
        {"kAnonymityResult"},
        {"lDiversityResult"},
        {"kMapEstimationResult"},
        {"deltaPresenceEstimationResult"},
    ]
    for job in found:
        assert (job["type"], job["state"]) == ("RISK_ANALYSIS_JOB", "DONE")
        assert job["startTime"] == "2025-01-01T00:00:00.000Z"
        assert len(job["riskDetails"]["requestedPrivacyMetric"]) == 1
        assert job["riskDetails"]["requestedSourceTable"] == {"tableId": "t"}


def test_equivalence_classes():
    (found,) = details(SAMPLES[0], "kAnonymityResult")
    assert found["requestedPrivacyMetric"] == {"kAnonymityConfig": {"quasiIds": [{"name": "sex"}, {"name": "zip"}]}}
    names = ("equivalenceClassSizeLowerBound", "equivalenceClassSizeUpperBound", "bucketSize", "bucketValueCount")
    assert found["kAnonymityResult"]["equivalenceClassHistogramBuckets"] == [
        dict(zip(names, bucket, strict=True))
        for bucket in (("1", "1", "5", "5"), ("2", "2", "10", "10"), ("21", "50", "3", "3"))
    ]


def test_the_entity_is_named():
    (found,) = details(SAMPLES[3], "kAnonymityResult")
    assert found["requestedPrivacyMetric"]["kAnonymityConfig"]["entityId"] == {"field": {"name": "id"}}


def test_sensitive_values_of_each_column():
    found = details(with_columns({"a.b": worst(), "c": column()}), "lDiversityResult")
    columns = [part["requestedPrivacyMetric"]["lDiversityConfig"]["sensitiveAttribute"] for part in found]
    assert columns == [{"name": "a.b"}, {"name": "c"}]
    names = ("sensitiveValueFrequencyLowerBound", "sensitiveValueFrequencyUpperBound", "bucketSize", "bucketValueCount")
    assert found[0]["lDiversityResult"]["sensitiveValueFrequencyHistogramBuckets"] == [
        dict(zip(names, bucket, strict=True))
        for bucket in (("1", "1", "3", "3"), ("2", "2", "5", "5"), ("7", "7", "10", "10"))
    ]


def test_k_map_counts_records_and_the_classes_where_they_are_known():
    (found,) = details(by_table(), "kMapEstimationResult")
    tagged = [{"field": {"name": name}, "customTag": name} for name in ("sex", "zip")]
    assert found["requestedPrivacyMetric"] == {"kMapEstimationConfig": {"quasiIds": tagged}}
    names = ("minAnonymity", "maxAnonymity", "bucketSize", "bucketValueCount")
    assert found["kMapEstimationResult"]["kMapEstimationHistogram"] == [
        dict(zip(names, bucket, strict=True))
        for bucket in (("1", "1", "1", "1"), ("8", "15", "5", "1"), ("256", "511", "50", "2"))
    ]


def test_delta_presence_is_half_open_and_1_stands_alone():
    (found,) = details(by_table(), "deltaPresenceEstimationResult")
    names = ("minProbability", "maxProbability", "bucketSize", "bucketValueCount")
    assert found["deltaPresenceEstimationResult"]["deltaPresenceEstimationHistogram"] == [
        dict(zip(names, bucket, strict=True))
        for bucket in ((0.0, 0.1, "50", "2"), (0.5, 0.6, "5", "1"), (1.0, 1.0, "1", "1"))
    ]


def test_expected_numbers_are_rounded_and_inferred_ones_say_so():
    (found,) = details(estimated(), "kMapEstimationResult")
    assert [bucket["bucketSize"] for bucket in found["kMapEstimationResult"]["kMapEstimationHistogram"]] == [
        "68", "108", "1240"
    ]  # fmt: skip
    assert all("bucketValueCount" not in bucket for bucket in found["kMapEstimationResult"]["kMapEstimationHistogram"])
    keys = [MeasuredColumn(column="sex", generalisation=None, expression="x")]
    for result, tag in ((estimated(), {"inferred": {}}), (by_model(), {"customTag": "sex"})):
        (found,) = details(changed(result, "release", quasi_identifiers=keys), "deltaPresenceEstimationResult")
        asked = found["requestedPrivacyMetric"]["deltaPresenceEstimationConfig"]["quasiIds"]
        assert asked == [{"field": {"name": "sex"}, **tag}]


def test_parts_that_were_not_measured_are_absent():
    assert jobs(matched(diagnosis=column(l_histogram=[(2, None, 100)]))) == []
    assert [set(job["riskDetails"]) & RESULTS for job in jobs(made(SIZES, 5))] == [{"kAnonymityResult"}]
    assert len(jobs(SAMPLES[9])) == 2  # no population figures
    assert len(details(with_columns({"stage": unknown("every value is missing")}), "lDiversityResult")) == 0


def test_project_data_set_and_table_on_bigquery():
    def table(name: str | None, dialect: str = "bigquery") -> dict | None:
        result = changed(made(SIZES, 5), "release", table=name).model_copy(update={"dialect": dialect})
        return jobs(result)[0]["riskDetails"].get("requestedSourceTable")

    assert table("my-project.claims.release") == {
        "projectId": "my-project", "datasetId": "claims", "tableId": "release"
    }  # fmt: skip
    assert table("claims.release") == {"datasetId": "claims", "tableId": "release"}
    assert table("release.csv", "duckdb") == {"tableId": "release.csv"}
    assert table(None) is None


def test_nothing_else_leaves():
    secret = "SELECT 'secret'"
    result = changed(by_table(), "release", where=secret, table=None, query=secret, suppressed=secret)
    keys = [MeasuredColumn(column="sex", generalisation=f"map={secret}", expression=secret)]
    result = changed(result, "release", quasi_identifiers=keys)
    result = result.model_copy(update={"warnings": [secret], "sensitive": {"x": column(compared=f"ordered={secret}")}})
    shown = sdp.render(changed(result, "population", where=secret, description=secret))
    assert "secret" not in shown
    assert "bucketValues" not in shown


def whole_numbers(value: object) -> list[str]:
    if isinstance(value, dict):
        return [item for part in value.values() for item in whole_numbers(part)]
    if isinstance(value, list):
        return [item for part in value for item in whole_numbers(part)]
    return [repr(value)] if isinstance(value, int) else []


@pytest.mark.parametrize("result", SAMPLES)
def test_whole_numbers_are_texts(result):
    assert whole_numbers(jobs(result)) == []


@settings(deadline=None)
@given(st.dictionaries(st.integers(1, 10**9), st.integers(1, 50), min_size=1, max_size=20))
def test_buckets_hold_every_class_once_and_do_not_overlap(sizes):
    (found,) = details(made(ClassSizes(sizes), 5), "kAnonymityResult")
    buckets = [
        (
            int(bucket["equivalenceClassSizeLowerBound"]),
            int(bucket["equivalenceClassSizeUpperBound"]),
            int(bucket["bucketSize"]),
        )
        for bucket in found["kAnonymityResult"]["equivalenceClassHistogramBuckets"]
    ]
    for low, high, classes in buckets:
        assert classes == sum(count for size, count in sizes.items() if low <= size <= high)
        assert low == high if high <= 20 else 20 < low <= high <= 2.5 * low
    assert sum(classes for _, _, classes in buckets) == sum(sizes.values())
    assert all(before[1] < after[0] for before, after in zip(buckets, buckets[1:], strict=False))
