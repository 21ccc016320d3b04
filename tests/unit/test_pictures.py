"""The plots of a report: the figures behind them by hand, and SVG that can stand in a page."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib
import pandas
import pytest

import sqlrisk
from sqlrisk.record import Change, Comparison, EarlierRun
from sqlrisk.report import content, html, pictures
from sqlrisk.report.document import Dots, Mark, Plot, Table, Trends
from sqlrisk.report.estimates import MODELS
from sqlrisk.report.plots import draw
from sqlrisk.report.words import Words
from sqlrisk.result import Assessment

# 1×1, 2×2, 1×4, 1×13: 22 records in 5 classes.
SIZES = {1: 1, 2: 2, 4: 1, 13: 1}


def measured(**options) -> Assessment:
    return sqlrisk.estimate(SIZES, **options)


def rows(plot: Plot | None) -> list[tuple[str, ...]]:
    assert plot is not None
    return list(plot.table.rows)


class TestFigures:
    def test_record_risk_has_a_border_at_the_threshold(self):
        result = measured(threshold="1/3")
        plot = pictures.risk_distribution(result, Words(result))
        assert rows(plot) == [
            ("1/19 – 1/10", "10–19", "13", "59.1 %", ""),
            ("1/9 – 1/5", "5–9", "0", "0 %", ""),
            ("1/4 – 1/3", "3–4", "4", "18.2 %", ""),
            ("1/2", "2", "4", "18.2 %", "at risk"),
            ("1/1", "1", "1", "4.5 %", "at risk"),
        ]
        assert sum(plot.drawn.shares) == pytest.approx(1)
        assert plot.drawn.border == Mark(3, "threshold 1/3")
        assert "Above the threshold 1/3: 22.7 %" in plot.alt and "highest risk is 100 %" in plot.alt

    def test_the_largest_classes_are_one_range(self):
        result = sqlrisk.estimate({1: 3, 11: 1, 4000: 20, 1_000_000: 2}, threshold="1/11")
        table = rows(pictures.risk_distribution(result, Words(result)))
        assert table[0] == ("1/1,000 or less", "1,000+", "2,080,000", ">99.9 %", "")
        assert table[-1] == ("1/1", "1", "3", "<0.001 %", "at risk")
        assert sum(int(row[2].replace(",", "")) for row in table) == result.release.records
        assert [row[0] for row in table if row[4]] == ["1/10", "1/9 – 1/5", "1/4 – 1/3", "1/2", "1/1"]

    @pytest.mark.parametrize("threshold", ["1/2", "1/3", "1/5", "1/11", "1/14", "1/100", "0.09", "1"])
    def test_what_is_hatched_is_what_is_at_risk(self, threshold: str):
        result = measured(threshold=threshold)
        drawn = pictures.risk_distribution(result, Words(result)).drawn
        hatched = sum(share for share, flag in zip(drawn.shares, drawn.flags, strict=True) if flag)
        assert hatched == pytest.approx(result.prosecutor.share_at_risk)

    def test_share_against_threshold(self):
        result = measured(threshold="1/11")
        plot = pictures.share_against_threshold(result, Words(result))
        found = dict(rows(plot))
        assert found["1/1"] == "0 %"  # a risk of 1 is not above 1
        assert found["1/2"] == "4.5 %"  # 1 of 22
        assert found["1/3"] == found["1/4" if "1/4" in found else "1/3"] == "22.7 %"  # 5 of 22
        assert found["1/5"] == found["1/11"] == "40.9 %"  # 9 of 22
        assert found["1/20"] == found["1/100"] == "100 %"
        assert plot.drawn.marks == (Mark(1 / 11, "threshold 1/11"),)

    def test_a_journalist_s_curve_is_of_the_population(self, tmp_path):
        release = pandas.DataFrame({"q": ["a"] * 2 + ["b"] * 3})
        (tmp_path / "population.csv").write_text("q\n" + "a\n" * 10 + "b\n" * 30)
        result = sqlrisk.assess(
            release, quasi_identifiers=["q"], population_table=str(tmp_path / "population.csv"), threshold="1/20"
        )
        assert result.journalist.share_at_risk == pytest.approx(0.4)
        plot = pictures.share_against_threshold(result, Words(result))
        found = {row[0]: row[1:] for row in rows(plot)}
        assert plot.drawn.marks == (Mark(1 / 20, "threshold 1/20"),)
        assert found["1/20"] == ("100 %", "40 %") and found["1/50"] == ("100 %", "100 %") and found["1/5"][1] == "0 %"

    def test_two_thresholds_are_told_apart(self, tmp_path):
        (tmp_path / "population.csv").write_text("q\n" + "a\n" * 10 + "b\n" * 30)
        frame = pandas.DataFrame({"q": ["a"] * 2 + ["b"] * 3})
        result = sqlrisk.assess(frame, quasi_identifiers=["q"], population_table=str(tmp_path / "population.csv"))
        other = result.journalist.model_copy(update={"threshold": "1/11", "classes_smaller_than": 11})
        result = result.model_copy(update={"attackers": result.attackers.model_copy(update={"journalist": other})})
        marks = pictures.share_against_threshold(result, Words(result)).drawn.marks
        assert marks == (Mark(1 / 5, "prosecutor 1/5"), Mark(1 / 11, "journalist 1/11"))

    def test_estimators(self):
        result = measured(population_size=500)
        plot = pictures.estimators(result)
        population = result.population
        known = {
            name: item.population_people
            for name, item in population.estimators.items()
            if item.converged and item.population_people is not None
        }
        known[population.uniques.estimator] = population.uniques.population_people
        assert plot.drawn.values == tuple(sorted(known.values()))
        at = plot.drawn.names.index(plot.drawn.chosen)
        assert plot.drawn.chosen == "sqlrisk's own rule (reported)"
        assert plot.drawn.values[at] == population.uniques.population_people
        assert plot.drawn.spans[at] == population.uniques.interval
        assert [span for place, span in enumerate(plot.drawn.spans) if place != at] == [None] * (len(known) - 1)
        shown = [row[0] for row in rows(plot)]
        assert shown[: len(known)] == list(plot.drawn.names)
        absent = {MODELS[name]: item for name, item in population.estimators.items() if name not in known}
        assert {row[0]: row[1:] for row in rows(plot)[len(known) :]} == {
            name: ("–", "–", item.reason or "it did not converge") for name, item in absent.items()
        }
        assert "95 % interval" in plot.alt and f"each of {len(known)} models" in plot.alt
        assert pictures.estimators(measured()) is None

    def test_a_model_that_is_asked_for_is_one_dot(self):
        result = measured(population_size=500, estimator="zayatz")
        plot = pictures.estimators(result)
        assert plot.drawn.names.count("Zayatz (reported)") == 1 and "Zayatz" not in plot.drawn.names
        assert [row[0] for row in rows(plot)].count("Zayatz (reported)") == 1

    def test_l_diversity(self):
        frame = pandas.DataFrame({"q": list("aaabbbbcc"), "s": list("xyzxxyyuu")})
        result = sqlrisk.assess(frame, quasi_identifiers=["q"], sensitive=["s"], min_l=2)
        (section,) = [part for part in content.compose(result).sections if part.title == "Sensitive columns"]
        (plot,) = [block for block in section.blocks if isinstance(block, Plot)]
        assert rows(plot) == [
            ("1", "2", "22.2 %", "1", "below 2"),
            ("2", "4", "44.4 %", "1", ""),
            ("3", "3", "33.3 %", "1", ""),
        ]
        assert plot.drawn.flags == (True, False, False)
        assert plot.drawn.shares == pytest.approx((2 / 9, 4 / 9, 3 / 9))
        assert "Below 2: 2 records. The least is 1." in plot.alt
        assert plot.instead in section.without_plots and plot not in section.without_plots

    def test_history(self):
        result = measured()
        assert pictures.history(result) is None
        when = datetime(2026, 1, 1, tzinfo=UTC)
        path = "attackers.prosecutor.average_risk"
        earlier = [
            EarlierRun(
                run=str(n), started_at=when + timedelta(days=n), same_definition=n > 0, figures={path: 0.1 * n or None}
            )
            for n in range(3)
        ]
        plot = pictures.history(result.model_copy(update={"earlier": earlier}))
        table = rows(plot)
        assert [row[1] for row in table] == ["–", "10 %", "20 %", "22.7 %"]
        assert [row[-1] for row in table] == ["another definition", "", "", ""]
        assert plot.drawn.same == (False, True, True, True)
        assert "Prosecutor: average risk: 10 % at first, 22.7 % now" in plot.alt
        assert "1 of the runs is of another definition: hollow, and not joined" in plot.alt
        assert plot.drawn.note == pictures.HOLLOW


class TestDrawing:
    def test_runs_of_another_definition_are_hollow_and_not_joined(self):
        when = tuple(datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 6))
        drawn = Trends(when, (True, True, False, True, True), (("a", (0.1, 0.2, 0.9, 0.3, 0.4)),), "share", "hollow")
        svg = draw(Plot("t", "a", drawn, Table((), ())), 1)
        joined = [
            path for path in re.findall(r'<path d="([^"]+)" style="[^"]*stroke: var\(--bar\)', svg) if "C" not in path
        ]
        joined = [path for path in joined if "M" in path[1:]]  # not the short one of the legend
        assert [path.count("M") for path in joined] == [2]  # one line in two pieces, neither through the third run
        assert joined[0].count("L") == 2
        assert len(re.findall(r'<use [^>]*style="fill: var\(--bar\)', svg)) == 5  # and one in the legend
        assert len(re.findall(r'<use [^>]*style="fill-opacity: 0; stroke: var\(--bar\)', svg)) == 1

    @pytest.mark.parametrize("seconds", [0, *(round(10 ** (n / 4)) for n in range(0, 40))])
    def test_runs_of_any_time_have_an_axis(self, seconds: int):
        start = datetime(2026, 1, 1, tzinfo=UTC)
        drawn = Trends((start, start + timedelta(seconds=seconds)), (True, True), (("a", (0.1, 0.2)),), "share")
        assert "<svg" in draw(Plot("t", "a", drawn, Table((), ())), 1)

    def test_fewer_than_the_axis_has_are_marked_at_its_edge(self):
        dots = Dots(("a", "b"), (0.0, 7.0), (None, (0.0, 40.0)), "b", "people")
        svg = draw(Plot("t", "a", dots, Table((), ())), 1)
        assert svg == draw(Plot("t", "a", dots, Table((), ())), 1)
        assert "nan" not in svg and "inf" not in svg

    def test_settings_of_others_change_nothing(self, whole: Assessment):
        before = html.render(whole)
        with matplotlib.rc_context({"lines.linewidth": 9, "axes.grid": True, "savefig.facecolor": "red"}):
            assert html.render(whole) == before
            assert matplotlib.rcParams["lines.linewidth"] == 9

    def test_many_at_a_time_leave_no_settings_behind(self, whole: Assessment):
        before = dict(matplotlib.rcParams)
        with ThreadPoolExecutor(4) as pool:
            pages = set(pool.map(lambda _: html.render(whole), range(8)))
        assert len(pages) == 1 and dict(matplotlib.rcParams) == before


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


class _Page(HTMLParser):
    """What is in a page, checked for being well-formed as far as that matters."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.labels: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        if "id" in given:
            self.ids.append(given["id"])
        if given.get("role") == "img":
            self.labels.append(given["aria-label"])
        if tag not in {"meta", "br", "link", "img", "input"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def whole() -> Assessment:
    """A result with every plot."""
    frame = pandas.DataFrame(
        {"sex": list("FM") * 60, "age": [n % 23 for n in range(120)], "<b>$x$</b>": list("abcdef") * 20}
    )
    result = sqlrisk.assess(
        frame,
        quasi_identifiers=["sex", "age"],
        sensitive=["<b>$x$</b>"],
        population_size=2000,
        context={"deliberate": 0.2, "justification": "<i>why</i>"},
        agreement={"recipient": "<script>"},
    )
    path = "attackers.prosecutor.average_risk"
    when = datetime(2026, 1, 1, tzinfo=UTC)
    earlier = [EarlierRun(run="r1", started_at=when, same_definition=True, figures={path: 0.5})]
    comparison = Comparison(
        against="previous run",
        run="r1",
        started_at=when,
        figures={path: Change(before=0.5, after=result.value(path)[0], increase=result.value(path)[0] - 0.5)},
    )
    return result.model_copy(update={"earlier": earlier, "comparisons": [comparison]})


class TestPage:
    def test_every_plot_has_its_text_and_its_table(self, whole: Assessment):
        page = _Page(html.render(whole))
        assert page.tags.count("figure") == page.tags.count("figcaption") == len(page.labels) == 5
        assert all(re.search(r"\d", label) for label in page.labels)
        inside = html.render(whole).split("<figure>")[1:]
        assert all("<table>" in part.split("</figure>")[0] for part in inside)

    def test_headings_are_in_order_and_headers_are_not_empty(self, whole: Assessment):
        for page in (html.render(whole), html.render_pages([("A", "", whole), ("B", "", whole)])):
            levels = [int(level) for level in re.findall(r"<h(\d)", page)]
            assert levels[0] == 1 and levels.count(1) == 1
            assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))
            assert not re.search(r"<th[^>]*></th>", page)
            assert '<html lang="en">' in page

    def test_contrast_is_aa_in_light_and_in_dark(self, whole: Assessment):
        light, dark, paper = (
            dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+)", block))
            for block in re.findall(r":root \{([^}]*)\}", html.render(whole))
        )
        for colours in (light, dark, light | paper):
            for text, ground in [
                *((text, ground) for text in ("ink", "soft") for ground in ("ground", "wash")),
                *((text, f"{tone}-wash") for tone in ("good", "bad", "unknown") for text in ("ink", "soft", tone)),
                *((word, f"{tone}-wash") for tone in ("bad", "unknown") for word in ("good", "bad", "unknown")),
                ("bad", "ground"),
            ]:
                assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
            for shape in ("bar", "bar-risk"):
                assert contrast(colours[shape], colours["ground"]) >= 3

    def test_ids_are_unique_and_everything_is_closed(self, whole: Assessment):
        page = _Page(html.render(whole))
        assert len(page.ids) == len(set(page.ids)) > 20
        two = _Page(html.render_pages([("A", "", whole), ("B", "", whole)]))
        assert len(two.ids) == len(set(two.ids))

    def test_names_of_others_are_only_text(self, whole: Assessment):
        page = html.render(whole)
        assert "<b>" not in page and "<script" not in page and "<i>" not in page
        assert "&lt;b&gt;$x$&lt;/b&gt;" in page and "&lt;script&gt;" in page

    def test_the_same_result_is_the_same_page(self, whole: Assessment):
        assert html.render(whole) == html.render(whole)

    def test_a_plot_is_svg_with_nothing_of_its_own(self, whole: Assessment):
        plot = pictures.risk_distribution(whole, Words(whole))
        svg = draw(plot, 7)
        root = ElementTree.fromstring(svg)
        assert root.tag.endswith("svg") and root.get("aria-hidden") == "true"
        assert "<style" not in svg and "<metadata" not in svg and "matplotlib.org" not in svg
        assert re.findall(r"https?://[^\"' ]+", svg) == ["http://www.w3.org/2000/svg"]
        assert not re.search(r"#0[1-6]0[1-6]0[1-6]", svg)  # each stand-in has become a colour of the page
        assert "1/1" in "".join(root.itertext())

    def test_what_every_report_says(self, whole: Assessment):
        shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html.render(whole)))
        for said in (
            "use it when anyone could know that a person is in this table",
            "only when nobody could know that",
            "The release is assumed to be a random sample of the population",
            "the population&#39;s size N is the number of those selected",
            "the sampling fraction is rows over people",
            "the same number by definition",
            "Earlier releases considered: none.",
            "It says nothing about columns that were not listed",
            "Two histograms that differ by one person give that person&#39;s class away",
            "sqlrisk&#39;s default, not a recommendation",
            "that is, classes smaller than 5",
            "Limits are judged on the risk itself",
        ):
            assert said.lower() in shown.lower(), said

    def test_pictures_are_drawn_for_pages_alone(self, whole: Assessment):
        assert "Share at risk against threshold" not in whole.to_text() + whole.to_markdown()
        assert "Since the earlier run" in whole.to_text() and "Attempts in context" in whole.to_markdown()
