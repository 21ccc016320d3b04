"""The HTML report in a real browser: it is drawn, asks for nothing, says nothing to the console, and fits a phone."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib.image
import numpy
import pytest

import sqlrisk
from sqlrisk.report import html
from sqlrisk.result import Assessment
from tests.engines.starters import EngineMissing, chromium, is_required


@pytest.fixture(scope="module")
def browser() -> chromium.Chromium:
    try:
        return chromium.start()
    except EngineMissing as missing:
        if is_required("chromium"):
            pytest.fail(missing.reason)
        pytest.skip(f"the page was not looked at: {missing.reason}")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assessment]:
    """A result with everything, one of a public page, and one with as little as can be."""
    folder = tmp_path_factory.mktemp("release")
    rows = [f"{'FM'[n % 3 == 0]},{20 + n * 7 % 60},d{n % 5},{n % 7}" for n in range(600)]
    (folder / "release.csv").write_text("sex,age,diagnosis,zip\n" + "\n".join(rows) + "\n")
    (folder / "policy.yml").write_text(
        f"""
version: 1
connection: {folder / "release.csv"}
release:
  quasi_identifiers: [sex, age, zip]
  sensitive: [diagnosis]
population: {{size: 20000, description: all members, source: the register, as_of: 2026-01-01}}
attackers:
  prosecutor: {{threshold: 1/11, max_share_at_risk: 0.2}}
  journalist: {{threshold: 1/11, max_share_at_risk: 0.9}}
limits: {{min_l: 2}}
context: {{deliberate: 0.3, prevalence: 0.01, justification: a survey of breaches}}
agreement: {{recipient: the university, valid_until: 2099-12-31}}
justification: researchers under contract
"""
    )
    for _ in range(2):
        (outcome,) = sqlrisk.check(folder / "policy.yml", history=folder / "runs.sqlite")
    assert outcome.result is not None
    hostile = {"<script>alert('x')</script>": [1, 1, 2], "$x^2$ \x1b[31m": ["a", "a", "b"]}
    import pandas

    return {
        "whole": outcome.result,
        "small": sqlrisk.estimate({2: 1}),
        "hostile": sqlrisk.assess(
            pandas.DataFrame(hostile),
            quasi_identifiers=[list(hostile)[0]],
            sensitive=[list(hostile)[1]],
        ),
    }


def page_of(result: Assessment, folder: Path, public: bool = False) -> Path:
    text = html.render(result, public=public)
    file = folder / f"page-{public}.html"
    file.write_text(text, "utf-8")
    return file


def colours(picture: Path) -> int:
    """How many colours a picture has."""
    pixels = (matplotlib.image.imread(picture)[..., :3] * 255).astype(numpy.uint8)
    return len(numpy.unique(pixels.reshape(-1, 3), axis=0))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["whole", "small", "hostile"])
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_drawn_and_asks_for_nothing(browser, results, tmp_path, name: str, dark: bool):
    visit = browser.visit(page_of(results[name], tmp_path), 500 if dark else 1200, 3000, tmp_path, dark)
    assert colours(visit.picture) > 300
    assert visit.console == []
    assert visit.requests == []
    assert "<script" not in visit.dom


@pytest.mark.slow
def test_what_a_page_asks_for_would_be_seen(browser, tmp_path):
    page = tmp_path / "asks.html"
    page.write_text(
        "<!DOCTYPE html><title>x</title><img src='http://example.invalid/x.png'><script>console.log('y')</script>"
    )
    visit = browser.visit(page, 400, 400, tmp_path)
    assert visit.requests == ["http://example.invalid/x.png"] and len(visit.console) >= 1
    (tmp_path / "blank.html").write_text("<!DOCTYPE html><title>x</title>")
    assert colours(browser.visit(tmp_path / "blank.html", 400, 400, tmp_path).picture) == 1


@pytest.mark.slow
def test_a_public_page_too(browser, results, tmp_path):
    visit = browser.visit(page_of(results["whole"], tmp_path, public=True), 1200, 2000, tmp_path)
    assert colours(visit.picture) > 300 and visit.console == [] and visit.requests == []
    assert "INTERNAL" not in visit.dom and "PUBLIC" in visit.dom


@pytest.mark.slow
@pytest.mark.parametrize("name", ["whole", "small", "hostile"])
def test_it_fits_a_phone(browser, results, tmp_path, name: str):
    """Wide tables and plots scroll in their own box; the page does not. Measured in a frame as wide as a phone."""
    page = html.render(results[name]).replace(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">", ""
    )
    measure = (
        "<script>addEventListener('load', () => parent.postMessage("
        "document.documentElement.scrollWidth + ' of ' + innerWidth + ', cut: ' + [...document.querySelectorAll"
        "('.verdict .wide')].filter(box => box.scrollWidth > box.clientWidth).length, '*'))</script></body>"
    )
    (tmp_path / "inner.html").write_text(page.replace("</body>", measure), "utf-8")
    (tmp_path / "phone.html").write_text(
        "<!DOCTYPE html><title>x</title><p id=told></p><script>addEventListener('message', event => "
        "{ told.textContent = event.data })</script><iframe src=inner.html style='width:375px;height:900px;border:0'>",
        "utf-8",
    )
    dom = browser.visit(tmp_path / "phone.html", 900, 1000, tmp_path).dom
    told = re.search(r"<p id=\"told\">(\d+) of (\d+), cut: (\d+)</p>", dom)
    assert told is not None, dom[:300]
    assert int(told[1]) <= int(told[2]) == 375
    assert told[3] == "0"  # the verdict is read without scrolling


@pytest.mark.slow
def test_it_prints(browser, results, tmp_path):
    browser.pdf(page_of(results["whole"], tmp_path), tmp_path / "page.pdf")
    content = (tmp_path / "page.pdf").read_bytes()
    assert content.startswith(b"%PDF") and 3 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 25
