"""The pages of learned evaluations and their chart, from the records of a benchmark."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from documents.evaluation_chart import ChartPoint, ChartRow, chart, ticks
from documents.evaluations_page import (
    ALL,
    OURS,
    PICTURE,
    RECORDS,
    net_name,
    of_ours,
    page,
    picture,
    read_records,
)
from gtp_engine.rules import games
from gtp_engine.search.weights import weights_for

SPECS = Path(__file__).parents[2] / "protocol_specs"


COST = "processor_us_per_evaluation"


def record(weights: str, size: int, **changed) -> dict:
    """What the benchmark prints for a net; steps and value get worse with the size."""
    return {
        "what": "evaluations",
        "game": "implo",
        "size": size,
        "weights": weights,
        "isa": "v3",
        COST: 2.0 * size,
        "visits_per_processor_second": 50_000.4,
        "positions": 1000 + size,
        "cross_entropy_of_steps": size / 4,
        "cross_entropy_of_value": size / 20,
        "uniform_steps": 3.5,
        "least_of_steps": 1.25,
        "constant_value": 0.6875,
    } | changed


RECORDS_OF_TWO = [
    *(record("implo-16x2-first.weights", size) for size in (6, 8, 10)),
    *(record("My net, 2.5", size, isa="v4", cross_entropy_of_steps=2.0) for size in (6, 8)),
]


def test_a_page_has_a_line_for_each_net_and_keeps_its_beginning():
    text = page("# Title\n\nProse.\n\n## Results\n\nold\n", RECORDS_OF_TWO)
    assert text == (
        "# Title\n\nProse.\n\n## Results\n\n### Implo\n\n"
        "Sizes 6, 8, 10. Positions: 1,006 / 1,008 / 1,010. "
        "Steps: least 1.250 / 1.250 / 1.250, uniform 3.500 / 3.500 / 3.500. "
        "Value: constant 0.688 / 0.688 / 0.688.\n\n"
        "| net | instruction set | microseconds | visits a second | steps | value |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| 16x2-first | `v3` | 12.0 / 16.0 / 20.0 | 50,000 / 50,000 / 50,000 "
        "| 1.500 / 2.000 / 2.500 | 0.300 / 0.400 / 0.500 |\n"
        "| My net, 2.5 | `v4` | 12.0 / 16.0 / - | 50,000 / 50,000 / - "
        "| 2.000 / 2.000 / - | 0.300 / 0.400 / - |\n"
    )
    assert page(text, RECORDS_OF_TWO) == text


def test_what_was_measured_later_counts():
    later = record("My net, 2.5", 8, isa="v4", cross_entropy_of_steps=1.75)
    assert "| 2.000 / 1.750 / - |" in page("", [*RECORDS_OF_TWO, later])


def test_a_net_lies_at_its_cost_on_the_default_size_and_its_mean_accuracy(monkeypatch):
    seen = []
    slow = record("implo-16x2-first.weights", 8, isa="plain", **{COST: 99.0})
    monkeypatch.setattr("documents.evaluations_page.chart", seen.extend)
    picture([*RECORDS_OF_TWO, slow])
    (row,) = seen
    assert (row.title, row.without_steps, row.without_value) == ("Implo", 3.5, 0.6875)
    # Most processors have v3.
    assert sorted(row.points) == [
        ChartPoint("16x2-first", 16.0, 2.0, pytest.approx(0.4)),
        ChartPoint("My net, 2.5", 16.0, 2.0, pytest.approx(0.35)),
    ]


def places(svg: str) -> list[tuple[float, float]]:
    root = ElementTree.fromstring(svg)
    circles = root.iter("{http://www.w3.org/2000/svg}circle")
    return [(float(each.get("cx")), float(each.get("cy"))) for each in circles]


def test_cheap_nets_are_on_the_left_and_better_ones_below():
    points = [ChartPoint("cheap", 2.0, 3.0, 0.6), ChartPoint("good <", 20.0, 2.0, 0.5)]
    svg = chart([ChartRow("A game", points, 3.5, 0.69)])
    (left, high), (right, low), *value = places(svg)
    assert left < right and high < low
    assert len(value) == 2
    assert "good &lt;" in svg and "A game: cross entropy of steps" in svg
    assert "A game: cross entropy of the value" in svg
    assert "prefers-color-scheme: dark" in svg


def test_names_of_equal_nets_do_not_cover_each_other():
    points = [ChartPoint(name, 5.0, 2.0, 0.5) for name in ("one", "two", "three")]
    svg = chart([ChartRow("A game", points, 3.0, 0.69)])
    for name in ("one", "two", "three"):
        assert svg.count(f">{name}<") == 2
    at = [
        float(y) for y in re.findall(r'y="([0-9.]+)" text-anchor="start">(?:one|two|three)<', svg)
    ]
    assert len(set(at[:3])) == 3
    assert min(abs(a - b) for a, b in zip(sorted(at[:3]), sorted(at[:3])[1:])) >= 12


@pytest.mark.parametrize("low, high", [(0.4, 0.7), (1.9, 4.4), (0.51, 0.52), (0, 100)])
def test_ticks_are_few_and_round(low, high):
    found = ticks(low, high)
    assert 3 <= len(found) <= 7
    assert low <= found[0] and found[-1] <= high


def test_records_without_an_accuracy_are_left_out(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text(
        "".join(json.dumps(each) + "\n" for each in [{"what": "evaluations"}, record("a", 8)])
    )
    assert read_records(path) == [record("a", 8)]


def test_the_pages_and_the_chart_come_from_the_records():
    """If this fails, run: python tests documents.evaluations_page protocol_specs"""
    records = read_records(SPECS / RECORDS)
    for name, shown in ((OURS, of_ours(records)), (ALL, records)):
        text = (SPECS / name).read_text()
        assert text == page(text, shown)
    assert f"](../{PICTURE})" in text
    assert (SPECS / PICTURE).read_text() == picture(records)


def test_the_page_of_the_engine_has_the_nets_that_ship_on_all_sizes():
    records = read_records(SPECS / RECORDS)
    sizes = {game.name: {r["size"] for r in records if r["game"] == game.name} for game in games()}
    nets = [weights for game in games() if (weights := weights_for(game.name, "auto"))]
    assert {(each["game"], each["weights"], each["size"]) for each in of_ours(records)} == {
        (net.game, net.name, size) for net in nets for size in sizes[net.game]
    }


def test_a_net_has_its_name_and_older_records_the_name_of_its_file():
    assert net_name(record("implo-16x2-first.weights", 8)) == "16x2-first"
    assert net_name(record("32x2-ninth, six bits", 8)) == "32x2-ninth, six bits"
    assert net_name(record("off", 8)) == "none"


def test_records_name_files_without_the_folders_of_a_machine():
    assert [row for row in read_records(SPECS / RECORDS) if "/" in row["weights"]] == []
