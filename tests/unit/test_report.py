"""Reports: the same sentences in every format, sensible figures, and nothing that a name could do to the reader."""

from __future__ import annotations

import importlib
import json
import math
import re
from datetime import date
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.class_sizes import ClassSizes
from sqlrisk.limits import Limit, judge
from sqlrisk.report import FORMATS, content, figures, html, markdown, text
from sqlrisk.report import json as json_report
from sqlrisk.report.document import Bars, Code, Facts, Paragraph, Table, line
from sqlrisk.result import (
    Assessment,
    AtFraction,
    Check,
    Estimate,
    JournalistRisk,
    MarketerRisk,
    MeasuredColumn,
    MeasuredPopulation,
    Mismatch,
    PopulationUniques,
    Query,
    Survey,
    Verdict,
)

RELEASE = "sex,age,zip\n" + "F,31,02139\n" * 6 + "M,42,02139\n" * 3 + "F,77,90210\n"
REGISTER = RELEASE + "F,31,02139\n" * 6 + "M,42,02139\n" * 3 + "F,78,10001\n"
PEOPLE = "id,sex,age\n1,F,31\n1,F,32\n2,F,31\n2,F,32\n3,M,50\n4,F,31\n"
PROSE = (text.render, markdown.render, html.render)


@pytest.fixture
def assess(tmp_path):
    """Assess a small CSV: ``assess()``, ``assess(register=True)``, with the options of ``sqlrisk.assess``."""

    def run(release: str = RELEASE, register: bool = False, **options) -> Assessment:
        (tmp_path / "release.csv").write_text(release)
        if register:
            (tmp_path / "register.csv").write_text(REGISTER)
            options["population_table"] = str(tmp_path / "register.csv")
        options.setdefault("quasi_identifiers", ["sex", "age", "zip"])
        return sqlrisk.assess(str(tmp_path / "release.csv"), **options)

    return run


def changed(result: Assessment, part: str, **values) -> Assessment:
    """``result`` with other values in one part."""
    replaced = getattr(result, part).model_copy(update=values)
    return result.model_copy(update={part: replaced})


def one_line(shown: str) -> str:
    return " ".join(shown.replace("\u00a0", " ").split())


def visible(page: str) -> str:
    """The text of an HTML page, as a reader has it."""
    pieces = []
    parser = HTMLParser()
    parser.handle_data = pieces.append
    parser.feed(re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL))
    return one_line("".join(pieces))


def unescaped(shown: str) -> str:
    plain = re.sub(r"\\([\\`*_\[\]~$#])", r"\1", re.sub("</?code>", "", shown))
    return one_line(unescape(plain))


def prose(result: Assessment, **options) -> list[str]:
    """The report as plain sentences, from each format for people."""
    return [
        one_line(text.render(result, width=200, **options)),
        unescaped(markdown.render(result, **options)),
        visible(html.render(result, **options)),
    ]


# Verdict


def test_verdict_stands_before_everything_measured(assess):
    for shown in prose(assess(min_k=5)):
        assert shown.startswith(("INTERNAL.", "## ", "sqlrisk: "))
        assert shown.index("INTERNAL.") < shown.index("FAILED: 1 of 1 limit is not kept.")
        assert shown.index("FAILED") < shown.index("What was measured")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "NO VERDICT: measured, nothing was judged. Not a pass."),
        ({"min_k": 1}, "PASSED: 1 of 1 limit is kept."),
        ({"min_k": 1, "max_sample_uniques": 0.1}, "PASSED: 2 of 2 limits are kept."),
        ({"min_k": 5, "max_sample_uniques": 0.1}, "FAILED: 1 of 2 limits is not kept."),
        ({"attackers": ["journalist"], "max_average_risk": 0.1}, "NOT MEASURED: 1 limit could not be judged"),
        (
            {"attackers": ["prosecutor", "journalist"], "max_average_risk": 0.1},
            "FAILED: 1 of 2 limits is not kept, and 1 could not be judged.",
        ),
    ],
)
def test_verdict_words(assess, options, sentence):
    for shown in prose(assess(**options)):
        assert sentence in shown


def test_no_limits_is_exit_code_0_and_no_pass(assess):
    result = assess()
    assert result.exit_code == 0
    for shown in prose(result):
        assert "PASSED" not in shown


def test_each_limit_has_name_value_limit_and_outcome(assess):
    limits = {"attackers": ["prosecutor"], "max_share_at_risk": 0.3, "max_highest_risk": "1/3", "min_k": 1}
    shown = one_line(text.render(assess(**limits), width=120))
    assert "FAILED Prosecutor: highest risk 1/1 (100 %) at most 1/3 (33 %)" in shown
    assert "FAILED Prosecutor: share of records at risk 40 % at most 30 %" in shown
    assert "passed Records in the smallest class (k) 1 at least 1" in shown


def test_unknown_measure_is_still_named(assess):
    check = Check(measure="subsets.worst_case", value=2, compared=2, direction="min", limit=3, passed=False)
    shown = text.render(assess().model_copy(update={"verdict": Verdict(passed=False, checks=[check])}))
    assert "Subsets: worst case  2  at least 3" in shown


@pytest.mark.parametrize(
    ("compared", "direction", "shown"),
    [(0.06, "max", "4 %, upper end 6 % at most 5 %"), (0.02, "min", "4 %, lower end 2 % at least 5 %")],
)
def test_a_value_judged_by_its_interval_shows_both(assess, compared, direction, shown):
    measured = {"measure": "sample_uniques.share", "value": 0.04, "compared": compared, "direction": direction}
    verdict = Verdict(passed=False, checks=[Check(**measured, limit=0.05, passed=False)])
    assert shown in one_line(text.render(assess().model_copy(update={"verdict": verdict})))


def test_excluded_records_block_a_pass_with_the_reason(assess):
    for shown in prose(assess(RELEASE + "F,,1\n", nulls="exclude", min_k=1)):
        assert "excluded records block a pass" in shown
        assert "1 record (9.1 %) for missing values" in shown


def test_justification_is_printed_with_the_verdict(assess):
    for shown in prose(assess(min_k=1, justification="one\nrecipient under contract")):
        assert "Justification: one recipient under contract" in shown


# Attackers and thresholds


@pytest.mark.parametrize("register", [False, True])
def test_threshold_always_with_the_classes_that_it_means(assess, register):
    for shown in prose(assess(register=register, threshold="1/11")):
        assert "1/11, that is, classes smaller than 11 in the release" in shown
        assert ("that is, classes smaller than 11 in the population" in shown) is register
        assert "recommendation" not in shown


def test_default_threshold_is_no_recommendation(assess):
    for shown in prose(assess()):
        assert "sqlrisk's default, not a recommendation" in shown
    for shown in prose(assess(threshold="k=7")):
        assert "recommendation" not in shown


@pytest.mark.parametrize("options", [{}, {"attackers": ["journalist", "marketer"], "max_average_risk": 0.1}])
def test_reason_of_a_null_journalist_is_printed_once(assess, options):
    result = assess(**options)
    assert result.journalist.reason == result.marketer.reason is not None
    for shown in prose(result):
        assert shown.count(result.journalist.reason) == 1
        assert "Journalist, marketer and population uniques: not measured" in shown


def test_attackers_say_when_to_use_them(assess):
    for shown in prose(assess(register=True)):
        assert "anyone could know that a person is in this table (a complete register, known participation)" in shown
        assert "Use it only when nobody could know that" in shown
        assert "Prosecutor is 1.5 times journalist" in shown
        assert "over-protection would cost" in shown


def test_records_and_classes_are_both_named(assess):
    shown = one_line(text.render(assess(register=True), width=120))
    assert "Records at risk, of 10 4 (40 %) 1 (10 %)" in shown
    assert "Classes at risk 2 1" in shown


def test_estimates_are_the_same_by_definition_but_not_population_tables(assess):
    result = assess(register=True)
    journalist = result.journalist.model_copy(update={"basis": "estimator dankar", "reliability": "weak"})
    estimated = changed(result, "attackers", journalist=journalist)
    for before, after in zip(prose(result), prose(estimated), strict=True):
        assert "same number by definition" not in before
        assert "Estimated journalist average and marketer average are the same number by definition" in after
        assert "estimator dankar (weak)" in after


# Population


def test_population_is_said_to_be_a_sample_of_something(assess):
    for shown in prose(assess(register=True)):
        assert "The release is assumed to be a random sample of the population." in shown
        assert "N is the number of those selected" in shown
        assert "not stated: whom it holds, of when, and from where" in shown
        assert "50 % (records of the release over people of the population: 10 of 20)" in shown
        assert "the sampling fraction is rows over people" in shown


def test_population_described(assess):
    described = {"description": "all members", "source": "member register", "as_of": date(2025, 12, 31)}
    for shown in prose(changed(assess(register=True), "population", **described)):
        assert "all members" in shown
        assert "member register" in shown
        assert "2025-12-31" in shown


def test_population_uniques_are_people_there_and_records_here(assess):
    for shown in prose(assess(register=True)):
        assert "in the population: 2 people (10 %) whom nobody else there matches" in shown
        assert "in the release: 1 record (10 %) of such people" in shown


def test_mismatches_only_if_any(assess):
    result = assess(register=True)
    odd = changed(result, "population", not_in_population=Mismatch(classes=2, records=1200))
    for before, after in zip(prose(result), prose(odd), strict=True):
        assert "does not have" not in before
        assert "1,200 records in 2 classes that the population table does not have" in after


def test_a_census_says_that_both_attackers_are_one(assess):
    for shown in prose(changed(assess(register=True), "population", sampling_fraction=1.0)):
        assert "A complete census: journalist equals prosecutor." in shown


# What was measured


def test_every_report_says_what_it_does_not(assess):
    for shown in prose(assess()):
        assert "Earlier releases considered: none." in shown
        assert "It says nothing about columns that were not listed, nor about what a whole class shares." in shown
        assert "Two histograms that differ by one person give that person's class away." in shown


def test_generalisations_missing_values_and_what_was_left_out(assess):
    result = assess(RELEASE + "*,*,*\nF,x,1\nF,,1\n", quasi_identifiers=["age:band=10", "zip:prefix=3"], suppressed="*",
                    unparseable="null", where="sex <> 'X'")  # fmt: skip
    for shown in prose(result):
        plain = shown.replace("`", "")
        assert "age by band=10: intervals of 10" in plain
        assert "zip by prefix=3: first 3 characters" in plain
        assert "A missing value is a value: it matches other missing values, and nothing else." in plain
        assert "* counts as missing" in plain or "&#42; counts as missing" in plain or "<code>" in plain
        assert "1 value of age, taken as missing" in plain
        assert "sex <> 'X'" in plain or "sex &#60;&#62; &#39;X&#39;" in plain


def test_excluded_is_told_even_when_nothing_was(assess):
    for shown in prose(assess(nulls="exclude")):
        assert "0 records (0 %) for missing values" in shown
    for shown in prose(assess()):
        assert "for missing values" not in shown


def test_people_are_called_people(assess):
    options = {"quasi_identifiers": ["sex", "age"], "entity_id": "id"}
    for shown in prose(assess(PEOPLE, **options)):
        assert "4, told apart by" in shown
        assert "people match when all their rows do" in shown
        assert "2 people (50 %): no other person matches" in shown
        assert "People at risk, of 4" in shown
    for shown in prose(assess(PEOPLE, entity_counting="distinct", **options)):
        assert "People by the smallest number of people who share a tuple with them." in shown
        assert "that is, classes smaller than 5" in shown
        assert shown.count("people counted by their distinct tuples do not fall into classes") == 1


def test_query_is_shown_with_its_lines(assess):
    result = changed(assess(), "release", table=None, query="SELECT *\nFROM t -- all\n")
    assert "\n  SELECT *\n  FROM t -- all\n" in text.render(result)
    assert "```sql\nSELECT *\nFROM t -- all\n```" in markdown.render(result)
    assert "<title>sqlrisk: re-identification risk of a query</title>" in html.render(result)


def test_closing_line_tells_what_it_took(assess):
    query = Query(purpose="p", sql="SELECT 1", rows=1234, bytes_returned=1, bytes_scanned=2_500_000, seconds=1.0)
    result = assess().model_copy(update={"queries": [query, query], "seconds": 75.2})
    for shown in prose(result):
        assert "1 minute 15 seconds; 2 statements sent, after 0 look-ups in the catalogue; 2,468 rows left" in shown
        assert "the warehouse; 5 MB scanned." in shown
    unknown = result.model_copy(update={"queries": [query.model_copy(update={"bytes_scanned": None})]})
    assert "scanned" not in text.render(unknown)


def test_warnings_are_told(assess):
    for shown in prose(assess(threshold="0.09")):
        assert "threshold 0.09 is not 1/11" in shown


# Histogram


def histogram(result: Assessment) -> Bars:
    blocks = [block for section in content.compose(result).sections for block in section.blocks]
    return next(block for block in blocks if isinstance(block, Bars))


def test_histogram_names_records_and_classes(assess):
    bars = histogram(assess())
    assert bars.header == ("Class size", "Records", "Share", "Classes")
    assert [(bar.label, bar.figures, bar.flag) for bar in bars.bars] == [
        ("1", ("1", "10 %", "1"), "at risk"),
        ("2", ("0", "0 %", "0"), "at risk"),
        ("3", ("3", "30 %", "1"), "at risk"),
        ("4", ("0", "0 %", "0"), "at risk"),
        ("5–9", ("6", "60 %", "1"), ""),
    ]


@settings(deadline=None)
@given(st.dictionaries(st.integers(1, 3000), st.integers(1, 50), min_size=1, max_size=20), st.integers(1, 400))
def test_histogram_counts_every_record_once_and_ends_a_bin_at_the_threshold(sizes, smaller_than):
    found = ClassSizes(sizes)
    result = made(found, smaller_than)
    bars = histogram(result).bars
    assert sum(int(bar.figures[0].replace(",", "")) for bar in bars) == found.records
    assert sum(int(bar.figures[2].replace(",", "")) for bar in bars) == found.classes
    risky = sum(int(bar.figures[0].replace(",", "")) for bar in bars if bar.flag)
    assert risky == found.prosecutor(f"1/{smaller_than}").records_at_risk


def made(sizes: ClassSizes, smaller_than: int) -> Assessment:
    """An assessment of class sizes alone."""
    risk = sizes.prosecutor(f"1/{smaller_than}")
    names = ("highest_risk", "lowest_risk", "average_risk", "records_at_risk", "share_at_risk", "classes_at_risk")
    prosecutor = {name: getattr(risk, name) for name in names}
    threshold = {"threshold": f"1/{smaller_than}", "classes_smaller_than": smaller_than}
    return Assessment.from_dict(
        {
            "sqlrisk_version": "0", "started_at": "2025-01-01T00:00:00Z", "seconds": 0, "dialect": "duckdb",
            "release": {
                "table": "t", "where": None, "quasi_identifiers": [], "entity_id": None, "entity_counting": None,
                "nulls": "value", "records": sizes.records, "entities": None, "excluded_records": 0,
                "excluded_share": 0, "suppressed_records": 0, "unparseable": {}, "missing_records": 0,
            },
            "class_sizes": sizes.pairs, "classes": sizes.classes, "smallest_class": sizes.smallest,
            "largest_class": sizes.largest, "sample_uniques": {"records": 0, "share": 0},
            "distinction": sizes.distinction, "separation": sizes.separation,
            "attackers": {
                "prosecutor": {**threshold, **prosecutor},
                "journalist": {**threshold, **dict.fromkeys(names), "reason": "no population"},
                "marketer": {"average_risk": None, "expected_matches": None, "reason": "no population"},
            },
            "verdict": {"passed": None, "checks": []}, "queries": [], "warnings": [],
        }
    )  # fmt: skip


# Estimates

NO_LOWEST = "the classes that the release does not have are not known"
FEW = "only 295 classes hold two records or more: the histogram alone cannot tell within a factor of two"
FLAT = "the likelihood is nearly flat"
KIND = "identifiability (every population that the histogram allows)"


def estimated(**changes) -> Assessment:
    """What ``sqlrisk estimate`` gives for a histogram of 1,415 records and a population of 20,000."""
    result = made(ClassSizes({1: 500, 2: 150, 3: 70, 4: 40, 5: 25, 10: 8, 20: 2}), 11)
    basis = {"basis": "estimator auto", "reliability": changes.get("reliability", "weak")}
    average = {"average_risk": (0.06379, 0.33914)}
    journalist = JournalistRisk(
        threshold="1/11", classes_smaller_than=11, highest_risk=1.0, lowest_risk=None, average_risk=0.137859,
        records_at_risk=457.733, share_at_risk=0.323486, classes_at_risk=400.583, highest_expected_risk=0.298084,
        intervals={"highest_risk": (1 / 9, 1.0), "share_at_risk": (0.0, 0.5908736), **average}, **basis,
    )  # fmt: skip
    marketer = MarketerRisk(average_risk=0.137859, expected_matches=195.0713, intervals=average, **basis)
    attackers = result.attackers.model_copy(update={"journalist": journalist, "marketer": marketer})
    reasons = {
        "attackers.journalist.lowest_risk": NO_LOWEST,
        "population.delta_presence.lowest": NO_LOWEST,
    }
    values = {"attackers": attackers, "population": a_population(**changes), "reasons": reasons, "dialect": None}
    return changed(result.model_copy(update=values), "release", table=None, nulls=None, histogram="sizes.csv")


def a_population(**uniques) -> MeasuredPopulation:
    given = {
        "population_people": 961.243, "population_share": 0.0480622, "release_records": 67.754,
        "release_share": 0.0478827, "interval": (0.0, 6367.4978), "interval_kind": KIND, "estimator": "auto",
        "intervals": {"release_records": (0.0, 490.602), "release_share": (0.0, 0.346715)},
        "reliability": "weak", "reason": FEW, **uniques,
    }  # fmt: skip
    models = {
        "dankar": (961.5, 67.754, True, None),
        "pitman_yor": (961.243, 67.754, True, None),
        "zayatz": (2865.744, 202.751, True, "biased upwards"),
        "snb": (None, None, False, "the model's two equations have no solution"),
        "poisson_lognormal": (284.221, 20.348, True, FLAT),
        "npmle": (704.1, 49.785, True, FLAT),
        "ewens": (None, None, False, None),
    }
    estimators = {
        name: Estimate(population_people=people, release_records=records, parameters={}, converged=good, reason=why)
        for name, (people, records, good, why) in models.items()
    }
    return MeasuredPopulation.model_validate(
        {
            "size": 20000, "sampling_fraction": 0.07075, "uniques": given, "estimators": estimators, "dis": 0.1126054,
            "k_map": {
                "smallest": 1, "histogram": [(1, 1, 67.754), (2, 3, 107.6722), (4, 7, 1239.5738), (8, 15, 4e-6)],
                "test": {"k": 11, "sample_threshold": 3, "classes": 650, "records": 800},
            },
            "delta_presence": {
                "lowest": None, "highest": 0.298084,
                "histogram": [(0.0, 0.1, 517.0985), (0.1, 0.2, 825.869), (0.2, 1.0, 1e-7), (1.0, 1.0, 72.03255)],
            },
        }
    )  # fmt: skip


def judged(result: Assessment, *limits: Limit, accept_weak: str | None = None) -> Assessment:
    return result.model_copy(update={"verdict": judge(result, limits, accept_weak=accept_weak)})


def at_fractions() -> Assessment:
    """Three sampling fractions: doubtful, without an estimate, and a complete census."""
    why = "several sampling fractions were asked about: see the table of them"
    result = estimated()
    nothing = dict.fromkeys(("population_people", "population_share", "release_records", "release_share"))
    none_at = PopulationUniques(**nothing, estimator="auto", reliability="weak", reason="no two records share a class")
    absent = result.journalist.model_copy(
        update={"average_risk": None, "share_at_risk": None, "intervals": {}, "reason": "no two records share a class"}
    )
    all_of_it = a_population(
        population_people=500.0, release_records=500.0, release_share=0.353357, interval=(500.0, 500.0),
        intervals={"release_share": (0.353357, 0.353357)}, reliability="measured", reason="it is whole",
        interval_kind="the release is the whole population",
    ).model_copy(update={"size": 1415, "sampling_fraction": 1.0})  # fmt: skip
    marketer = result.marketer
    rows = [
        AtFraction(sampling_fraction=0.07075, journalist=result.journalist, marketer=marketer,
                   population=result.population),
        AtFraction(sampling_fraction=0.125, journalist=absent, marketer=marketer,
                   population=MeasuredPopulation(size=11320, sampling_fraction=0.125, uniques=none_at)),
        AtFraction(sampling_fraction=1.0, journalist=result.journalist, marketer=marketer, population=all_of_it),
    ]  # fmt: skip
    unknown = dict.fromkeys(("average_risk", "share_at_risk", "highest_risk", "records_at_risk", "classes_at_risk"))
    journalist = JournalistRisk(threshold="1/11", classes_smaller_than=11, lowest_risk=None, **unknown, reason=why)
    nobody = MarketerRisk(average_risk=None, expected_matches=None, reason=why)
    attackers = result.attackers.model_copy(update={"journalist": journalist, "marketer": nobody})
    told = {"population.uniques.release_share": why}
    return result.model_copy(update={"fractions": rows, "population": None, "attackers": attackers, "reasons": told})


def surveyed(**changes) -> Assessment:
    values = {
        "weight": "w", "household": "hh", "population": 20003.4, "weights_below_one": 3, "global_risk": 0.0937,
        "expected_reidentifications": 132.6712, "highest_risk": 0.2558428, "household_global_risk": 0.151,
        "household_expected_reidentifications": 213.9, **changes,
    }  # fmt: skip
    return made(ClassSizes({1: 500, 2: 150}), 5).model_copy(update={"survey": Survey(**values)})


ESTIMATES = [
    estimated(),
    estimated(reliability="model-driven", reason="one model was chosen by name"),
    estimated(reliability="adequate", reason=None),
    estimated(estimator="zayatz"),
    at_fractions(),
    surveyed(),
    surveyed(global_risk=None, expected_reidentifications=None, highest_risk=None, reason="no weight is known"),
]


@pytest.mark.parametrize("result", ESTIMATES)
def test_every_format_says_the_same_of_estimates(result):
    assert unsaid(result) == []


def unsaid(result: Assessment) -> list[str]:
    """What the report says, and a format for people lacks."""
    missing = []
    pages = [page.replace("`", "") for page in prose(result)]
    for section in content.compose(result).sections:
        for block in section.without_plots:
            told = []
            match block:
                case Facts(rows):
                    told = ["".join(item) for _, items in rows for item in items]
                case Table(header, rows):
                    told = [*header, *(cell for row in rows for cell in row)]
                case Bars(header, bars):
                    told = [*header, *(cell for bar in bars for cell in (bar.label, *bar.figures))]
                case Paragraph(sentence):
                    told = ["".join(sentence)]
                case _:
                    told = ["".join(item) for item in block.items]
            missing += [piece for piece in told for page in pages if one_line(piece).replace("`", "") not in page]
    return missing


@pytest.mark.parametrize("result", ESTIMATES)
def test_no_estimate_looks_exact_and_none_is_a_word_of_python(result):
    for shown in prose(judged(result, Limit("attackers.journalist.share_at_risk", "max", Fraction(1, 2)))):
        assert not re.search(r"\b(None|nan|inf|True|False)\b", shown)
        assert not re.search(r"\d\.\d{4}", shown.replace("0.0000", ""))
    for rows in (text.render(result, width=width).splitlines() for width in (60, 88)):
        assert not any(row.lstrip().startswith("%") for row in rows)
    assert Assessment.from_dict(result.to_dict()) == result


def test_population_uniques_tell_people_from_records():
    for shown in prose(estimated()):
        people, records = "about 961 people (4.8 %) whom nobody else there matches", "about 67.8 records (4.8 %)"
        assert f"in the population: {people}; 95 % interval 0 to 6,367" in shown
        assert f"in the release: {records} of such people; 95 % interval 0 to 491 (0 % to 34.7 %)" in shown
        assert "People of the population and records of the release are different things" in shown
        assert f"of two kinds the wider, here {KIND}" in shown


@pytest.mark.parametrize(
    ("grade", "reason", "told", "advice"),
    [
        ("weak", FEW, f"weak, because {FEW}", "Quote none of the weak estimates"),
        (
            "model-driven",
            "it is",
            "model-driven, because it is",
            "Quote a model-driven estimate only with its interval",
        ),
        ("adequate", None, "adequate: enough classes hold two records or more", ""),
        ("adequate", "alpha is at 0", "the sampling fraction is not small; but alpha is at 0", ""),
    ],
)
def test_reliability_comes_with_its_reason_and_advice(grade, reason, told, advice):
    for shown in prose(estimated(reliability=grade, reason=reason)):
        assert told in shown
        assert f"estimator auto ({grade})" in shown
        assert advice in shown
        assert ("Quote" in shown) is bool(advice)


def test_models_are_listed_from_the_least_with_the_spread_and_what_is_doubtful():
    for shown, times in zip(prose(estimated()), (1, 1, 3), strict=True):  # the page has a plot, and the table behind it
        assert "The models span 284 to 2,866 people on this histogram, a factor of 10" in shown
        assert shown.count("(reported)") == times
        assert f"Poisson–lognormal; Non-parametric likelihood: {FLAT}." in shown
        assert "Slide negative binomial: no estimate, because the model's two equations have no solution." in shown
        assert "Ewens: no estimate, because it did not converge." in shown
    rows = next(table.rows for table in tables(estimated()) if table.header[0] == "Model")
    assert [row[1] for row in rows] == [
        "poisson_lognormal", "npmle", "pitman_yor", "auto", "dankar", "zayatz", "snb", "ewens"
    ]  # fmt: skip
    assert rows[0] == ("Poisson–lognormal", "poisson_lognormal", "284", "20.3")
    assert rows[3] == ("sqlrisk's own rule (reported)", "auto", "961", "67.8")
    assert rows[-1][2:] == ("–", "–")


def tables(result: Assessment) -> list[Table]:
    return [block for part in content.compose(result).sections for block in part.blocks if isinstance(block, Table)]


def test_attackers_of_an_estimate_have_intervals_and_expected_numbers():
    rows = dict((row[0], row[1:]) for row in tables(estimated())[0].rows)
    assert rows["Highest risk"] == ("1/1 (100 %)", "1/1 (100 %)", "–")
    assert rows["Highest risk, 95 % interval"] == ("–", "11.1 % to 100 %", "–")
    assert rows["Average risk"] == ("56.2 %", "13.8 %", "the same")
    assert rows["Average risk, 95 % interval"] == ("–", "6.4 % to 33.9 %", "the same")
    assert rows["Lowest risk"] == ("1/20 (5 %)", "–", "–")
    assert rows["Records at risk, of 1,415"] == ("1,375 (97.2 %)", "about 458 (32.3 %)", "–")
    assert rows["Share at risk, 95 % interval"] == ("–", "0 % to 59.1 %", "–")
    assert rows["Classes at risk"] == ("793", "about 401", "–")
    assert rows["Records matched right"] == ("–", "–", "195 expected")
    for shown in prose(estimated()):
        assert "Prosecutor is 4.1 times journalist" in shown
        assert "with the least k such that 0.05 records are expected" in shown
        assert "the highest expected risk is 29.8 %; no limit judges it" in shown
        assert shown.count(NO_LOWEST) == 1


def test_a_large_class_that_is_estimated_is_not_counted_to_the_last_person():
    result = estimated()
    journalist = result.journalist.model_copy(update={"highest_risk": 1 / 54751578, "records_at_risk": 1234567.8})
    result = changed(result, "attackers", journalist=journalist)
    k_map = result.population.k_map.model_copy(update={"smallest": 54751578})
    result = judged(changed(result, "population", k_map=k_map), Limit("attackers.journalist.highest_risk", "max", 1))
    for shown in prose(result):
        assert "54,751,578" not in shown
        assert "54,750,000 people" in shown
        assert "about 1,235,000" in shown


def test_k_map_and_presence_are_explained():
    for shown in prose(estimated()):
        assert "k-map and δ-presence (estimated)" in shown
        assert "11.3 %: the chance that a match to a record that is unique in the release is right" in shown
        assert "not the share of population uniques" in shown
        assert "1 person: the least k with 0.05 records expected in classes of at most k people" in shown
        assert (
            "650 classes (800 records) are smaller than 3 in the release, and so taken to be smaller than 11" in shown
        )
        assert "A test at 10 % for each class, not a probability." in shown
        assert "29.8 % expected in the class with the most" in shown
        assert "Lowest δ-presence: not estimated, for the reason given" in shown
    sizes, presence, _ = [
        block for part in content.compose(estimated()).sections for block in part.blocks if isinstance(block, Bars)
    ]
    assert [(bar.label, bar.figures) for bar in sizes.bars] == [
        ("1", ("67.8", "4.8 %")), ("2–3", ("108", "7.6 %")), ("4–7", ("1,240", "87.6 %"))
    ]  # fmt: skip
    assert [bar.label for bar in presence.bars] == [
        "0 % to below 10 %", "10 % to below 20 %", "20 % to below 100 %", "100 %"
    ]  # fmt: skip
    assert presence.bars[2].figures == ("<0.001", "<0.001 %")


def test_an_estimator_without_a_law_says_what_it_cannot():
    why = "zayatz says how many are unique, and nothing of the larger classes"
    unknown = {"k_map": None, "delta_presence": None, "dis": None}
    result = changed(estimated(estimator="zayatz"), "population", **unknown)
    reasons = {"population.k_map": why, "population.delta_presence": why, "population.dis": "no record is unique"}
    for shown in prose(result.model_copy(update={"reasons": reasons})):
        assert f"k-map and δ-presence: not estimated, because {why}." in shown
        assert "The chance that a match to a unique is right: not estimated, because no record is unique." in shown
        assert "zayatz, Zayatz" in shown.replace("`", "")


def test_no_estimate_has_its_reason_once():
    nothing = dict.fromkeys(("population_people", "population_share", "release_records", "release_share"))
    why = "no two records of the release share a class"
    result = estimated(**nothing, interval=None, interval_kind=None, intervals={}, reason=why)
    for shown in prose(result):
        assert shown.count(f"not estimated, because {why}") == 1
        assert "Quote" not in shown
        assert "about 0 people" not in shown


def test_a_census_is_no_estimate():
    census = {"reliability": "measured", "reason": "it is whole", "population_people": 12345.0, "interval_kind": None}
    result = changed(estimated(**census), "population", sampling_fraction=1.0)
    for shown in prose(result):
        assert "A complete census: journalist equals prosecutor." in shown
        assert "in the population: 12,345 people" in shown
        assert "measured: nothing had to be estimated" in shown
        assert "k-map and δ-presence (estimated)" not in shown
        assert "interval" not in shown
        assert "models" not in shown
        assert "A test at 10 %" not in shown
        assert "same number by definition" not in shown


def test_people_who_do_not_fall_into_classes_have_no_estimate(assess):
    options = {"quasi_identifiers": ["sex", "age"], "entity_id": "id", "entity_counting": "distinct"}
    for shown in prose(assess(PEOPLE, population_size=100, **options)):
        assert "4 % (people of the release over people of the population: 4 of 100)" in shown
        assert "Population uniques" in shown
        assert "not estimated, for the reason given" in shown


def test_the_population_is_described_where_it_is_estimated():
    described = {"description": "all members", "source": "member register", "as_of": date(2025, 12, 31)}
    for shown in prose(changed(estimated(), "population", **described)):
        assert all(said in shown for said in ("all members", "member register", "2025-12-31", "20,000 people"))
        assert "The release is assumed to be a random sample of the population." in shown
        assert "N is the number of those selected" in shown


def test_fractions_are_tables_and_there_is_no_single_population():
    result = at_fractions()
    titles = [section.title for section in content.compose(result).sections]
    assert "The population, at several sampling fractions" in titles
    assert "The population" not in titles
    uniques, risk = tables(result)[1:]
    assert uniques.rows == (
        ("7.075 %", "20,000", "961", "0 to 6,367", "4.8 %", "0 % to 34.7 %"),
        ("12.5 %", "11,320", "–", "–", "–", "–"),
        ("100 %", "1,415", "500", "500", "35.3 %", "35.3 %"),
    )
    assert risk.rows[0] == ("7.075 %", "32.3 %", "0 % to 59.1 %", "13.8 %", "6.4 % to 33.9 %", "weak")
    assert risk.rows[1][1:] == ("–", "–", "–", "–", "weak")
    assert risk.rows[2][-1] == "measured"
    for shown in prose(result):
        assert f"At 7.075 %: {FEW}." in shown
        assert "At 12.5 %: no estimate, because no two records share a class." in shown
        assert "At 100 %: a complete census: journalist equals prosecutor." in shown
        assert "it is whole" not in shown
        assert "Journalist, marketer and population uniques: at each sampling fraction, below." in shown
        assert "1/11, that is, classes smaller than 11 in the population" in shown
        assert "Quote none of the weak estimates" in shown


def test_tables_of_fractions_fit_a_terminal_without_folding_a_figure():
    for row in ("7.075 %", "100 %"):
        assert sum(shown.strip().startswith(f"{row} ") for shown in text.render(at_fractions()).splitlines()) == 2


UNIQUES = "population.uniques.release_share"
AT_RISK = "attackers.journalist.share_at_risk"


def test_a_limit_on_a_weak_estimate_names_the_interval_the_weakness_and_the_remedy():
    result = judged(estimated(), Limit(UNIQUES, "max", Fraction(1, 2)))
    for shown in prose(result):
        assert "FAILED: 1 of 1 limit is kept only by a doubtful estimate." in shown
        assert "Share of records that are population uniques" in shown
        assert "4.8 %, upper end 34.7 % (weak)" in shown
        assert "the estimate is weak, and does not pass unless --accept-weak says why it may." in shown
        assert f"Weak, because {FEW}." in shown
    accepted = judged(estimated(), Limit(UNIQUES, "max", Fraction(1, 2)), accept_weak="a\npilot")
    for shown in prose(accepted):
        assert "PASSED: 1 of 1 limit is kept." in shown
        assert "the estimate is weak; accepted: a pilot." in shown


def test_limits_not_kept_kept_by_doubt_and_not_judged_are_told_apart():
    limits = [Limit(AT_RISK, "max", Fraction(1, 2)), Limit(UNIQUES, "max", Fraction(1, 2))]
    result = judged(estimated(), *limits, Limit("attackers.journalist.lowest_risk", "max", 1))
    for shown in prose(result):
        assert (
            "FAILED: 1 of 3 limits is not kept, 1 kept only by a doubtful estimate, and 1 could not be judged." in shown
        )
        assert "32.3 %, upper end 59.1 % (weak)" in shown


def test_no_weakness_is_told_of_what_was_measured():
    for shown in prose(judged(estimated(), Limit("smallest_class", "min", 1))):
        assert "Weak, because" not in shown
        assert "PASSED: 1 of 1 limit is kept." in shown


def test_survey_risk_stands_under_its_own_name():
    for shown in prose(surveyed()):
        assert "Survey weights (Benedetti–Franconi)" in shown
        assert "20,003 people, whom the weights stand for" in shown
        assert "9.4 %, the mean over records" in shown
        assert "about 133 records" in shown
        assert "25.6 %" in shown
        assert "global risk 15.1 %, about 214 records expected" in shown
        assert "systematically low at small sampling fractions" in shown
        assert "neither the journalist's risk nor the marketer's" in shown
    household = dict.fromkeys(("household", "household_global_risk", "household_expected_reidentifications"))
    for shown in prose(surveyed(**household, weights_below_one=0)):
        assert "ousehold" not in shown
        assert "below one" not in shown


def test_a_survey_without_figures_says_why():
    unknown = dict.fromkeys(("global_risk", "expected_reidentifications", "highest_risk"))
    for shown in prose(surveyed(**unknown, reason="no weight is known")):
        assert "not estimated, because no weight is known" in shown
        assert "Global risk" not in shown


def test_a_histogram_alone_has_no_table_no_columns_and_no_statement():
    for shown in prose(estimated()):
        assert "re-identification risk of sizes.csv" in shown
        assert "of which table and which columns, it does not say" in shown
        assert "no statement was sent." in shown
        assert "If the histogram counts rows" in shown
        assert "columns that the histogram did not count" in shown
        for absent in ("Quasi-identifiers", "Missing values", "columns listed", "SQL that was sent", "warehouse"):
            assert absent not in shown


def test_reasons_are_told_where_they_belong():
    result = estimated()
    blocks = {section.title: section.blocks for section in content.compose(result).sections}
    told = [label for block in blocks["Class sizes"] if isinstance(block, Facts) for label, _ in block.rows]
    assert "Not measured" not in told


@settings(deadline=None)
@given(st.floats(0, 1))
def test_a_bar_of_something_is_never_empty(share):
    bar = text.block_bar(share, 24)
    assert bool(bar) == (share > 0)
    assert len(bar) <= 24


# Figures


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0 %"), (0.0, "0 %"), (1, "100 %"), (0.0012, "0.12 %"), (0.00003, "0.003 %"), (0.000009, "<0.001 %"),
        (0.00001, "0.001 %"), (0.9994, "99.9 %"), (0.99951, ">99.9 %"), (1 - 1e-12, ">99.9 %"), (0.117, "11.7 %"),
        (0.05, "5 %"), (1 / 3, "33.3 %"), (0.009999, "1 %"), (None, "–"), (math.inf, "infinite"), (5e-324, "<0.001 %"),
        (0.2, "20 %"), (2.5, "250 %"),
    ],
)  # fmt: skip
def test_percent(share, shown):
    assert figures.percent(share) == shown


@settings(deadline=None)
@given(st.floats(0, 1, exclude_min=True, exclude_max=True), st.integers(0, 16), st.booleans())
def test_something_is_never_nothing_and_not_all_is_never_all(share, extra, whole):
    shown = figures.percent(share, extra, whole)
    assert shown not in {"0 %", "100 %"}
    assert float(shown.strip("<> %")) not in {0, 100}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1, "1/1 (100 %)"),
        (1 / 3, "1/3 (33 %)"),
        (1 / 1234, "1/1,234 (0.081 %)"),
        (0.3, "30 %"),
        (0, "0 %"),
        (5e-324, "<0.001 %"),
        (None, "–"),
    ],
)
def test_risk(value, shown):
    assert figures.risk(value) == shown


@settings(deadline=None)
@given(st.integers(1, 10**7))
def test_risk_of_one_in_k_names_k(k):
    assert figures.risk(1 / k).startswith(f"1/{k:,} (")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (1234567, "1,234,567"), (23.2167, "23.2"), (99.96, "100"), (12345.6, "12,346"), (1e-5, "<0.001")],
)
def test_number(value, shown):
    assert figures.number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "about 0"), (67.754, "about 67.8"), (2865.744, "about 2,866"), (1234567.8, "about 1,235,000"),
        (9999.7, "about 10,000"), (1e-5, "under 0.001"), (None, "–"), (123456, "about 123,500"),
    ],
)  # fmt: skip
def test_about(value, shown):
    assert figures.about(value) == shown
    assert figures.PEOPLE.about(value) == (shown if value is None else f"{shown} people")


def test_about_one_is_a_person():
    assert figures.PEOPLE.about(1.0) == "about 1 person"
    assert figures.PEOPLE.exactly(1.0) == "1 person"
    assert figures.RECORDS.estimated(54751578) == "54,750,000 records"
    assert figures.RECORDS.exactly(None) == "–"


@pytest.mark.parametrize(("interval", "shown"), [((0.0, 0.346), "0 % to 34.6 %"), ((1.0, 1.0), "100 %"), (None, "–")])
def test_between(interval, shown):
    assert figures.between(interval, figures.percent) == shown


@settings(deadline=None)
@given(st.floats(10_000, 1e15))
def test_an_estimate_has_four_significant_digits(value):
    shown = figures.estimate(value)
    assert float(shown.replace(",", "")) == pytest.approx(value, rel=6e-4)
    assert len(shown.replace(",", "").rstrip("0")) <= 4


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(["share", "risk"]))
def test_a_value_beyond_its_limit_never_reads_as_the_limit(value, limit, kind):
    shown = figures.compared(value, limit, kind)
    if abs(value - limit) > 1e-15:
        assert shown[0] != shown[1]


@pytest.mark.parametrize(
    ("value", "limit", "kind", "shown"),
    [
        (0.0504, 0.05, "share", ("5.04 %", "5 %")),
        (0.2000001, 0.2, "risk", ("20.00001 %", "1/5 (20 %)")),
        (1.0, 5.0, "number", ("1", "5")),
        (4.9999, 5.0, "number", ("4.9999", "5")),
        (1.0, 0.9999, "share", ("100 %", "99.99 %")),
        (0.5, 0.0000012, "share", ("50 %", "0.00012 %")),
    ],
)
def test_compared(value, limit, kind, shown):
    assert figures.compared(value, limit, kind) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0012, "under 0.01 seconds"),
        (0.217, "0.22 seconds"),
        (1.01, "1 second"),
        (12.4, "12 seconds"),
        (61, "1 minute 1 second"),
    ],
)
def test_duration(seconds, shown):
    assert figures.duration(seconds) == shown


@pytest.mark.parametrize(
    ("size", "shown"), [(1, "1 byte"), (65_432, "65 kB"), (1_234_567, "1.2 MB"), (5 * 10**15, "5,000 TB")]
)
def test_size_of(size, shown):
    assert figures.size_of(size) == shown


# Names of strangers

HOSTILE = (
    "\x1b[31mred\x1b]0;t\x07\u202egnp\u2066\x9b1m\ue000 | `x` *b* <script>alert(1)</script> [l](http://e) \\| "
    "\r\n# h ]]>"
)


@pytest.fixture
def hostile(assess):
    result = assess(register=True, min_k=5)
    columns = [MeasuredColumn(column=HOSTILE, generalisation=f"map={HOSTILE}", expression="x")]
    named = dict.fromkeys(("table", "where", "entity_id"), HOSTILE)
    counts = {"unparseable": {HOSTILE: 1}}
    result = changed(result, "release", quasi_identifiers=columns, suppressed=HOSTILE, entities=10, **named, **counts)
    described = {"description": HOSTILE, "source": HOSTILE, "columns": {HOSTILE: HOSTILE}}
    result = changed(result, "population", **described, **named, **counts)
    result = changed(result, "verdict", justification=HOSTILE)
    queries = [query.model_copy(update={"sql": HOSTILE, "purpose": HOSTILE}) for query in result.queries]
    return result.model_copy(update={"warnings": [f"`{HOSTILE}`", HOSTILE], "queries": queries})


def hostile_estimate() -> Assessment:
    """A saved result of a stranger's: names where an estimate and a survey have them."""
    result = estimated(estimator=HOSTILE, interval_kind=HOSTILE, reliability=HOSTILE, reason=HOSTILE)
    doubtful = Estimate(population_people=1.5, release_records=None, parameters={}, converged=True, reason=HOSTILE)
    described = {"description": HOSTILE, "source": HOSTILE, "estimators": {HOSTILE: doubtful, "x": doubtful}}
    result = changed(result, "population", **described)
    result = changed(result, "release", histogram=HOSTILE)
    survey = surveyed(weight=HOSTILE, household=HOSTILE, reason=HOSTILE).survey
    check = Check(
        measure=f"population.{HOSTILE}",
        value=0.5,
        compared=0.6,
        direction="max",
        limit=1.0,
        passed=True,
        reason=HOSTILE,
    )
    verdict = Verdict(passed=True, checks=[check])
    named = {"survey": survey, "verdict": verdict, "reasons": {f"population.{HOSTILE}": HOSTILE, "x": HOSTILE}}
    return result.model_copy(update=named)


@pytest.mark.parametrize("render", PROSE)
def test_a_hostile_estimate_is_as_harmless(render):
    shown = render(hostile_estimate())
    assert all(character.isprintable() or character in "\n\u00a0" for character in shown)
    if render is html.render:
        assert not set(re.findall(r"<([a-z0-9]+)", shown)) & {"script", "img", "link", "iframe", "a", "object"}
    if render is markdown.render:
        from markdown_it import MarkdownIt

        page = MarkdownIt("commonmark").enable("table").render(shown)
        assert not re.search("<script|<a |<em>b|<h1>", page)
        for table in re.findall(r"<table>.*?</table>", page, re.DOTALL):
            assert len({len(re.findall(r"<t[hd]", row)) for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)}) == 1


@pytest.mark.parametrize("name", FORMATS)
def test_no_control_character_leaves(hostile, name):
    render = importlib.import_module(FORMATS[name]).render
    for character in render(hostile):
        assert character.isprintable() or character in "\n\u00a0", hex(ord(character))


def test_colour_is_the_only_escape(hostile):
    shown = text.render(hostile, color=True)
    assert "\x1b[" in shown
    rows = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()
    assert [row.rstrip() for row in rows] == text.render(hostile).splitlines()


def test_html_has_no_foreign_markup(hostile):
    page = html.render(hostile)
    assert "<script" not in page
    tags = set(re.findall(r"<([a-z0-9]+)", page))
    assert not tags & {"script", "img", "link", "iframe", "a", "object"}
    assert "http://e" not in re.findall(r'(?:src|href)="([^"]*)"', page)


def test_markdown_tables_and_spans_hold(hostile):
    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark").enable("table").render(markdown.render(hostile))
    assert "<script" not in page
    assert "<a " not in page
    assert "<em>b</em>" not in page
    assert "<h1>" not in page
    assert "red" in page
    for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL):
        assert len(re.findall(r"<t[hd]", row)) in {4, 5, 6}


def test_long_names_are_folded_not_cut(assess):
    result = changed(assess(), "release", table="Z" * 300)
    shown = text.render(result, width=60)
    assert max(len(row) for row in shown.splitlines()) <= 60
    assert shown.count("Z") == 600  # in the title, and as the table


# Formats


def test_every_format_has_its_module():
    for module in FORMATS.values():
        assert callable(importlib.import_module(module).render)


def test_json_is_the_document_in_full_precision(assess):
    result = assess(register=True, min_k=5)
    shown = json_report.render(result)
    assert shown.endswith("}\n")
    assert json.loads(shown) == result.to_dict()
    assert Assessment.from_dict(json.loads(shown)) == result
    assert json.loads(shown)["attackers"]["journalist"]["average_risk"] == result.journalist.average_risk


def test_json_of_hostile_names_reads_back(hostile):
    assert json.loads(json_report.render(hostile))["release"]["table"] == HOSTILE


def test_html_is_one_page_that_needs_nothing_else(assess):
    page = html.render(assess(register=True), title="Mine & yours")
    assert "<title>Mine &amp; yours</title>" in page
    own = re.sub(r'href="#p\d+-|url\(#p\d+-', "", page)  # parts of a plot name each other
    assert not re.search(r"(src|href)=|@import|url\(|<script", own)
    assert "<details>" in page
    assert "GROUP BY" in page
    assert "<title>sqlrisk: re-identification risk of release.csv</title>" in html.render(assess())


def test_html_of_two_assessments(assess):
    chapters = [("As it is", "It fails <so far>.", assess(min_k=5)), ("Generalised", "", assess(min_k=1))]
    page = html.render_pages(chapters)
    shown = visible(page)
    assert page.count("INTERNAL.") == 1
    assert "It fails &lt;so far&gt;." in page
    assert shown.index("As it is") < shown.index("FAILED") < shown.index("Generalised") < shown.index("PASSED: ")


def test_the_facts_are_the_same_in_every_format(assess):
    report = content.compose(assess(register=True, min_k=5, nulls="exclude"))
    shown = prose(assess(register=True, min_k=5, nulls="exclude"))
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Facts):
                told = [one_line("".join(item)) for _, items in block.rows for item in items]
                assert all(piece in page.replace("`", "") for piece in told for page in shown)


def test_text_keeps_to_its_width_and_figures_to_their_percent_sign(assess):
    for width in (60, 88, 100):
        rows = text.render(assess(register=True, min_k=5), width=width).splitlines()
        assert max(len(row) for row in rows) <= width
        assert not any(row.lstrip().startswith("%") for row in rows)
        assert not any(row != row.rstrip() for row in rows)


def test_the_methods_of_an_assessment_render(assess, tmp_path):
    result = assess()
    assert result.to_text() == text.render(result)
    assert result.to_markdown() == markdown.render(result)
    assert result.to_json() == json_report.render(result)
    assert result.to_html(tmp_path / "risk.html") == (tmp_path / "risk.html").read_text("utf-8")


def test_backticks_in_prose_set_names_apart():
    assert line("a `b` c") == ("a ", Code("b"), " c")
    assert [type(piece) for piece in line("a `b` c")] == [str, Code, str]
    assert line("a ` c") == ("a ` c",)
