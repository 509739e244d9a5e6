"""The page of a match, as text and in a headless browser."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from gtp_engine.arena.reporting.charts import charts
from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.page import page
from gtp_engine.arena.stats.tally import LISTED_FAULTS, Moment, Tally
from gtp_engine.arena.values import Evidence, Fault, TimeUse
from support import screens
from support.matches import game_of, games_between, match_of, random_games
from support.thorough import first_of, thorough


def width(number: str) -> float:
    """The width of a number in points: letters of 10.5 points in DejaVu Sans."""
    return 10.5 * sum(0.318 if sign in ",." else 0.838 if sign > "9" else 0.636 for sign in number)


def findings_of(match, games, **known) -> Findings:
    tally = Tally(match.pair_test())
    for number, game in enumerate(games, 1):
        tally.add(game, number)
    return Findings(tally, match, **known)


@pytest.fixture(scope="module")
def two():
    """A sequential test of two engines, with names that HTML must not see."""
    names = "<b>new & shiny</b>", 'old"'
    match = match_of(*names, games=200, openings={"source": "random"}, sprt={"elo0": 0, "elo1": 30})
    times = {names[0]: TimeUse(3000, 300.5, 1.25), names[1]: TimeUse(2990, 3.0, 0.01)}
    return findings_of(match, random_games(match, dict(zip(names, (40, 0)))), times=times)


@pytest.fixture(scope="module")
def three():
    match = match_of("A", "B", "C", games=20, boards=["robble 5", "implo 6"])
    times = {name: TimeUse(900, 9.0, 0.05) for name in "ABC"}
    return findings_of(match, random_games(match, {"A": 200, "B": 0, "C": -200}), times=times)


@pytest.fixture(scope="module")
def page_of_two(two):
    return page(two)


EMPTY = findings_of(match_of("A", "B", sprt={"elo0": 0, "elo1": 30}), [])


def titles(findings):
    return [chart.title for chart in charts(findings)]


def test_which_pictures_there_are(two, three):
    assert titles(two) == [
        "Strength",
        "Elo as the match went on",
        "Time",
        "The sequential test",
        "Length of the games",
        "Score by opening",
    ]
    assert titles(three) == ["Ratings", "Time", "Length of the games"]
    assert titles(EMPTY) == []


@pytest.mark.parametrize("scores", first_of(["1", "10", "11 11 11", "== ==", "00 00 0"]))
def test_pictures_of_few_games(scores):
    found = titles(findings_of(match_of("A", "B"), games_between("A", "B", scores)))
    assert found[0] == "Strength"


@pytest.mark.parametrize("seconds", first_of([1e-9, 0.00012, 0.002, 1.0, 640.0]))
def test_times_are_marked_in_plain_numbers(seconds):
    """However short or alike: two marks at least, without formulas."""
    times = {"A": TimeUse(10, 10 * seconds, seconds), "B": TimeUse(10, 9 * seconds, seconds)}
    findings = findings_of(match_of("A", "B"), games_between("A", "B", "11"), times=times)
    (svg,) = next(chart.svg for chart in charts(findings) if chart.title == "Time")
    assert "math" not in svg
    assert len(re.findall(r">(?:\d+|0\.0*1|1e-\d+)</text>", svg)) >= 2


def test_names_in_any_letters(recwarn):
    """A dollar sign begins no formula, and letters without a font are no reason to complain."""
    names = "引擎 $x$", "Ошибка"
    text = page(findings_of(match_of(*names), games_between(*names, "11 10 0=")))
    assert f"Elo of {names[0]}</text>" in text
    assert not recwarn.list


def test_pictures_are_elements_with_text_as_text(two):
    """Well-formed, scalable, with ids that no other picture on the page has."""
    ids = []
    drawn = [(chart, svg) for chart in charts(two) for svg in chart.svg]
    assert len(drawn) == 7  # the openings stand in two halves
    for chart, svg in drawn:
        root = ElementTree.fromstring(svg)
        assert root.get("width") is None and root.get("viewBox")
        assert root.get("role") == "img" and chart.title in root.get("aria-label")
        assert [text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.text]
        ids += [element.get("id") for element in root.iter() if element.get("id")]
        used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', svg))
        assert {a or b for a, b in used} <= set(ids)
    assert len(ids) == len(set(ids))


@thorough
def test_the_same_findings_make_the_same_page(two, page_of_two):
    assert page(two) == page_of_two


def test_the_page_loads_nothing(page_of_two, three):
    for text in (page_of_two, page(three), page(EMPTY)):
        assert not re.search(r"<script|<link|<img|@import|\bsrc=|url\((?!#)", text)
        addresses = set(re.findall(r"https?://[^\"'\s<]+", text))
        assert all(address.startswith("http://www.w3.org/") for address in addresses)


def test_names_are_text_and_not_html(page_of_two):
    assert "<b>new & shiny" not in page_of_two
    assert "&lt;b&gt;new &amp; shiny&lt;/b&gt; against old&quot;, robble 5" in page_of_two


def test_faults_come_with_evidence():
    games = [
        game_of("A", "B", 0, 0, "A", fault=Fault.CRASH),
        game_of("A", "B", 0, 1, "A"),
        game_of("A", "B", 1, 0, "B", fault=Fault.STALL),
    ]
    said = {1: [Evidence("B", ("> genmove w", "! <segfault> \x1b[2J\udcff"))]}
    text = page(findings_of(match_of("A", "B"), games), evidence=lambda n: said.get(n, []))
    assert "robble 5, pair 0: A against B: B: crash</summary>" in text
    assert "<pre>&gt; genmove w\n! &lt;segfault&gt; \\x1b[2J\\udcff</pre>" in text
    assert "<p>robble 5, pair 1: A against B: A: stall</p>" in text


def test_of_too_many_faults_the_first_are_shown():
    games = [
        game_of("A", "B", number, 0, "A", fault=Fault.CRASH) for number in range(LISTED_FAULTS + 5)
    ]
    text = page(findings_of(match_of("A", "B"), games))
    assert text.count("B: crash</p>") == LISTED_FAULTS
    assert "5 more are not" in text


def test_games_lead_to_their_replays():
    games = list(games_between("A", "B", "10"))
    text = page(findings_of(match_of("A", "B"), games), {games[0].key: 'games/"1".html'})
    assert text.count("<a href=") == 1
    assert '<a href="games/&quot;1&quot;.html">robble 5</a>' in text


def test_the_cross_table(three):
    cells = re.findall(r"<td[^>]*>([^<]*)<small>([^<]*)</small>", page(three))
    first, second = three.tally.games_between("A", "B"), three.tally.games_between("B", "A")
    assert len(cells) == 6
    for counts, (score, numbers) in ((first, cells[0]), (second, cells[2])):
        assert score == f"{100 * counts.mean:.1f} %"
        assert numbers == "-".join(map(str, reversed(counts.numbers)))


@pytest.fixture(scope="module")
def browser():
    with screens.driver().sync_playwright() as player, screens.chromium(player) as browser:
        yield browser


@pytest.fixture
def report(browser, tmp_path, page_of_two):
    """The page of two engines in a browser."""
    path = tmp_path / "report.html"
    path.write_text(page_of_two, encoding="utf-8")
    shown = browser.new_page()
    shown.goto(path.as_uri())
    yield shown
    shown.close()


@thorough
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_in_a_browser(report, two, width):
    """Nothing wider than the window, all pictures visible, letters large enough to read."""
    report.set_viewport_size({"width": width, "height": 900})
    found = report.evaluate(
        """() => {
        const pictures = [...document.querySelectorAll("section svg")];
        const letters = pictures.flatMap((picture) => [...picture.querySelectorAll("text")]);
        return {
          verdict: document.querySelector(".verdict").innerText,
          spilt: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          pictures: pictures.length,
          small: pictures.filter((picture) => picture.getBoundingClientRect().height < 40).length,
          letters: Math.min(...letters.map((text) => text.getBoundingClientRect().height)),
        };
        }"""
    )
    assert found["verdict"] == two.headline
    assert found["spilt"] <= 0
    assert (found["pictures"], found["small"]) == (7, 0)
    assert round(found["letters"], 2) >= 10  # the browser computes in floats


@thorough
def test_details_open(report):
    table = report.locator("main details table").first
    assert not table.is_visible()
    report.locator("main section:nth-last-of-type(2) summary").click()
    assert table.is_visible()


@pytest.mark.parametrize("games", [10, 1_000, 20_000, 10_000_000])
def test_the_numbers_of_an_axis_do_not_touch(games):
    """However long the match: each label ends before the next one begins."""
    match = match_of("A", "B", sprt={"elo0": 0, "elo1": 5})
    findings = findings_of(match, games_between("A", "B", "11 10 00 1="))
    findings.tally.courses["A", "B"].add(Moment(games, (1, 2, 3, 4, 5)))
    drawn = {chart.title: chart.svg[0] for chart in charts(findings)}
    for title in ("Strength", "Elo as the match went on", "The sequential test"):
        labels = re.findall(
            r'text-anchor: middle;[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>(\N{MINUS SIGN}?[\d,.]+)<',
            drawn[title],
        )
        last = max((y for _, y, _ in labels), key=float)
        places = sorted((float(x), width(text)) for x, y, text in labels if y == last)
        assert len(places) > 1
        for (x, own), (following, its) in pairwise(places):
            assert x + (own + its) / 2 < following


def test_a_long_table_stands_in_two_halves():
    games = [game_of("A", "B", number, 0, "A", opening=(f"A{number}",)) for number in range(1, 12)]
    text = page(findings_of(match_of("A", "B"), games))
    opened = text[text.index("<h2>By opening</h2>") :]
    first, second = re.findall(r"<tbody>(.*?)</tbody>", opened[: opened.index("</section>")], re.S)
    assert (first.count("<tr>"), second.count("<tr>")) == (6, 5)
