"""Reports for others: no literal of the request in them, and no small count, neither shown nor to be worked out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sqlrisk
from sqlrisk.class_sizes import ClassSizes
from sqlrisk.errors import RequestError
from sqlrisk.outcome import Outcome
from sqlrisk.record import Change, Comparison
from sqlrisk.report import FORMATS, agreement, checks, figures, html, junit, markdown, masking, public, render, text
from sqlrisk.report.masking import Cell
from sqlrisk.result import Assessment

FOR_PEOPLE = ("text", "markdown", "html", "junit", "agreement")
ROWS = "sex,age,zip,diagnosis,status\n" + "F,31,02139,flu,kept\n" * 60 + "F,32,02139,gout,kept\n" * 60
RELEASE = ROWS + "M,77,90210,asthma,kept\n" * 7 + "F,31,02139,flu,Smith\n" * 2 + "F,31,REDACTED,flu,kept\n" * 12


def shown(result: Assessment, format: str) -> str:
    return render(result, format, public=True)


@pytest.fixture
def planted(tmp_path) -> Assessment:
    """A small cell of 7 records, and a literal wherever a request can have one."""
    (tmp_path / "release.csv").write_text(RELEASE)
    (tmp_path / "register.csv").write_text(RELEASE + RELEASE.partition("\n")[2] * 4)
    (tmp_path / "pavilions.csv").write_text("value,group\n02139,Elsewhere\n90210,Hollywood\nREDACTED,Elsewhere\n")
    return sqlrisk.assess(
        str(tmp_path / "release.csv"),
        quasi_identifiers=["sex", "age:cut=32.75,77", f"zip:map={tmp_path / 'pavilions.csv'}:else=Nowhere"],
        sensitive=["diagnosis"],
        where="status <> 'Smith'",
        suppressed="REDACTED",
        population_table=str(tmp_path / "register.csv"),
        population_where="status <> 'Jones'",
        min_k=8,
        min_l=2,
        max_delta_presence=0.5,
        justification="a university under contract",
    )


PLANTED = ("Smith", "Jones", "status", "pavilions", "Hollywood", "Elsewhere", "Nowhere", "REDACTED", "32.75", "77",
           "SELECT", "release.csv", "register.csv", "asthma", "flu")  # fmt: skip


@pytest.mark.parametrize("format", FOR_PEOPLE)
def test_no_literal_leaves(planted, format):
    told = shown(planted, format)
    assert [literal for literal in PLANTED if re.search(rf"(?<![\w.]){re.escape(literal)}(?![\w.])", told)] == []
    internal = "".join(render(planted, name) for name in ("text", "json"))
    assert [
        literal for literal in PLANTED if literal not in internal and literal not in ("asthma", "flu", "Hollywood")
    ] == []


@pytest.mark.parametrize("format", FOR_PEOPLE)
def test_a_small_cell_is_masked(planted, format):
    told = re.sub(r"sha256:\w+|\d{4}-\d\d-\d\d\S*", "", shown(planted, format))
    assert planted.class_sizes.pairs[0] == (7, 1)
    assert not re.search(r"(?<![\d/.])7(?![\d/.])", re.sub(r"<style>.*?</style>", "", told, flags=re.DOTALL))
    assert "5 %" not in told  # 7 of 139
    assert "1/7" not in told


def test_the_banner_says_what_was_done_and_the_internal_one_is_gone(planted):
    for format in ("text", "markdown", "html", "agreement"):
        told = shown(planted, format)
        assert "PUBLIC" in told
        assert "INTERNAL" not in told
        assert "INTERNAL" in render(planted, format)


def test_what_may_be_told_is_told(planted):
    told = " ".join(text.render(planted, public=True, width=200).split())
    for part in ("`sex` as it is", "`age` cut into intervals", "`zip` by a map", "restricted by a condition", "over 1/11",
                 "One text counts as missing", "FAILED", "at least 8", "a university under contract", "`diagnosis`",
                 "a table of it, restricted by a condition", "<11"):  # fmt: skip
        assert part in told, part


@pytest.mark.parametrize("format", ["json", "sdp-json"])
def test_formats_that_hold_every_figure_are_refused(planted, format):
    with pytest.raises(RequestError, match="use --format text, markdown, html"):
        shown(planted, format)


def test_every_other_format_takes_public():
    assert {*FOR_PEOPLE, "json", "sdp-json"} == set(FORMATS)


@pytest.mark.parametrize(
    ("generalisation", "told"),
    [
        ("band=5", "band=5"),
        ("prefix=3", "prefix=3"),
        ("truncate=month@Europe/Berlin", "truncate=month"),
        ("min_count=100", "min_count=100"),
        ("round=-2", "round=-2"),
        ("cut=20000,50000", "cut into intervals"),
        ("map=Smith.csv:else=Jones", "by a map"),
        ("weekday@Europe/Berlin", "by the day of the week"),
        ("band=Smith", "generalised"),
        ("brand_new=Smith", "generalised"),
        (None, None),
    ],
)
def test_generalisations_by_kind_and_number_alone(planted, generalisation, told):
    column = planted.release.quasi_identifiers[0].model_copy(update={"generalisation": generalisation})
    assert public.generalisation_of(column) == told


def test_comparisons_warnings_and_reasons_are_left_out(planted):
    comparison = Comparison(against="previous run", figures={"smallest_class": Change(before=2, after=3, increase=1)})
    reasons = {"attackers.prosecutor.lowest_risk": "because of Smith"}
    said = planted.model_copy(
        update={"comparisons": [comparison], "warnings": ["Smith is alone"], "reasons": reasons, "dialect": "smithsql"}
    )
    for format in FOR_PEOPLE:
        one, other = (re.sub(r"sha256:\w+", "", shown(result, format)) for result in (planted, said))
        assert one == other


def test_errors_of_a_check_are_withheld(planted):
    broken = Outcome("claims", "smith.yaml", error="`Smith` of `age` does not convert", exit_code=3)
    outcomes = [broken, Outcome("other", "smith.yaml", result=planted, exit_code=1)]
    for told in (
        checks.text(outcomes, public=True),
        checks.markdown(outcomes, public=True),
        junit.suite(outcomes, public=True),
    ):
        assert "mith" not in told
        assert "internal report" in told
        assert "<11" not in told and "1/3" not in told


# Masking


@pytest.mark.parametrize(
    ("records", "told"),
    [
        ((3, 40, 500), ("<11", "masked", "500")),
        ((3, 12, 500), ("<11", "masked", "masked")),  # 15 together: at least 4 of them would be in the first
        ((10, 23, 500), ("<11", "masked", "500")),
        ((9, 12, 500), ("<11", "masked", "masked")),
        ((3, 0, 40, 500), ("<11", "0", "masked", "500")),
        ((0, 40, 500), ("0", "40", "500")),
        ((11, 40), ("11", "40")),
        ((3, 12), None),
        ((3,), None),
    ],
)
def test_rows(records, told):
    starts = (1, 11, 20, 50)[: len(records)] if len(records) != 3 else (1, 11, 50)
    cells = [Cell(start, None if number == len(records) - 1 else end - 1, count)
             for number, (start, end, count) in enumerate(zip(starts, (*starts[1:], 0), records, strict=True))]  # fmt: skip
    row = masking.masked(cells, whole_classes=True)
    assert (row and tuple(row.shown(place) for place in range(len(records)))) == told


@pytest.mark.parametrize(
    ("share", "total", "told"),
    [
        (0.003, 1000, "under 5 %"),
        (0.0, 1000, "under 5 %"),
        (0.05, 1000, "5 % to 10 %"),
        (1.0, 1000, "95 % or more"),
        (0.003, 100_000, "0.3 % to 0.4 %"),
        (0.5, 43, "not shown"),
        (None, 43, "not measured"),
    ],
)
def test_shares_lie_in_a_grid(share, total, told):
    assert masking.share(share, total) == told


@given(st.integers(1, 10**7), st.fractions(0, 1))
def test_each_interval_of_the_grid_holds_many_counts(total, fraction):
    count = int(total * fraction)
    alike = sum(masking.share(other / total, total) == masking.share(count / total, total)
                for other in range(max(0, count - 30), min(total, count + 30) + 1))  # fmt: skip
    assert alike >= min(masking.WINDOW, total) or total < 2 * masking.WINDOW


# Nothing can be worked out: for every other small count there is a release with the same report


def result_of(sizes: dict[int, int], threshold: str) -> Assessment:
    result = sqlrisk.estimate(ClassSizes(sizes), threshold=threshold)
    return result.model_copy(update={"started_at": datetime(2026, 1, 1, tzinfo=UTC)})


def split(cell: Cell, records: int) -> dict[int, int] | None:
    """Some class sizes of a cell that hold so many records."""
    if not cell.may_be(records):
        return None
    classes = -(-records // (cell.most or records)) if records else 0
    if not classes:
        return {}
    size, rest = divmod(records, classes)
    return {size: classes - rest, **({size + 1: rest} if rest else {})} if rest else {size: classes}


class Sizes(Cell):
    def may_be(self, records: int) -> bool:
        if not records:
            return True
        return records >= self.least and (self.most is None or -(-records // self.most) * self.least <= records)


def cells_of(result: Assessment) -> list[Sizes]:
    starts = [cell.least for cell in public.row_of(result_of({1000: 99}, result.prosecutor.threshold)).cells]
    ends = [start - 1 for start in starts[1:]] + [None]
    pairs = result.class_sizes.pairs
    return [Sizes(start, end, sum(s * c for s, c in pairs if s >= start and (end is None or s <= end)))
            for start, end in zip(starts, ends, strict=True)]  # fmt: skip


def worlds(result: Assessment, small: int) -> Iterator[dict[int, int]]:
    """Class sizes with the same counts wherever the report shows them, and ``small`` records in small classes."""
    told = public.row_of(result)
    cells = cells_of(result)
    hidden = [place for place in sorted(told.hidden) if place] if told is not None else range(1, len(cells))
    rest = sum(cells[place].records for place in hidden) + cells[0].records - small
    spans = [range(11, 130) for _ in list(hidden)[:-1]]
    for counts in product(*spans):
        amounts = dict(zip(hidden, (*counts, rest - sum(counts)), strict=True))
        if any(amount < 11 for amount in amounts.values()):
            continue
        made = [split(cell, amounts.get(place, cell.records)) for place, cell in enumerate(cells) if place]
        if all(part is not None for part in made):
            yield {1: small, **{size: number for part in made for size, number in part.items()}}


histograms = st.tuples(
    st.dictionaries(st.integers(1, 10), st.integers(1, 3), min_size=1, max_size=2),
    st.dictionaries(st.one_of(st.integers(11, 130), st.integers(11, 2000)), st.integers(1, 4), min_size=1, max_size=5),
)


@settings(max_examples=30, deadline=None)
@given(histograms, st.sampled_from(["1/2", "1/5", "1/10", "1/11", "1/20", "1/33"]))
def test_a_masked_count_could_be_any_small_one(drawn, threshold):
    small, large = drawn
    assume(sum(size * classes for size, classes in small.items()) < 11)
    result = result_of(small | large, threshold)
    told = text.render(result, public=True)
    row = public.row_of(result)
    assume(row is None or row.hidden)
    if row is None:
        assert "Too few records" in told
        assert not re.search(r"[^/\d]\d[\d.]* %", told.partition("Against which")[2].partition("threshold")[0])
        return
    for count in range(1, 11):
        assert any(text.render(result_of(other, threshold), public=True) == told for other in worlds(result, count)), (
            count
        )


@given(st.integers(11, 60), st.integers(2, 10), st.integers(1, 10), st.booleans(), st.integers(0, 5000))
def test_a_small_part_of_a_shown_count_is_not_to_be_told(whole, smaller_than, part, below, others):
    """Records at risk where the threshold lies below 11, beside the count of all in classes under 11."""
    rest = Sizes(smaller_than, 10, 0)
    at_risk = part if below else whole - part
    assume(rest.may_be(whole - at_risk))
    total = whole + others
    interval = masking.share(at_risk / total, total)
    possible = [
        count
        for count in range(whole + 1)
        if masking.share(count / total, total) == interval and rest.may_be(whole - count)
    ]
    assert len(possible) >= 2


@settings(max_examples=40, deadline=None)
@given(histograms, st.sampled_from(["1/5", "1/11", "1/20"]))
def test_no_small_count_and_no_share_of_one_is_shown(drawn, threshold):
    """Read as a stranger does: every cell of every table."""
    small, large = drawn
    result = result_of(small | large, threshold)
    total = result.release.records
    records = sum(size * classes for size, classes in small.items())
    counts = (
        records,
        sum(small.values()),
        result.classes,
        result.smallest_class,
        result.sample_uniques.records,
        result.prosecutor.records_at_risk,
        result.prosecutor.classes_at_risk,
    )
    secret = {count for count in counts if 0 < count < 11}
    cells = {
        cell.strip()
        for row in markdown.render(result, public=True).splitlines()
        if row.startswith("| ")
        for cell in row.split("|")[2:]
    }
    for count in secret:
        told = {str(count), figures.percent(count / total), figures.percent(count / total, 1), f"1/{count}"}
        assert not {cell for cell in cells if cell in told or cell.partition(" (")[0] in told}


def test_html_and_agreement_hold_no_more_than_the_text(planted):
    assert html.render(planted, public=True).count("<11") + html.render(planted, public=True).count("&lt;11") > 0
    data = agreement.record(planted, public=True)
    assert data["policy"]["fingerprint"] is None
    assert data["attackers"]["prosecutor"]["highest_risk"] == "over 1/11"
