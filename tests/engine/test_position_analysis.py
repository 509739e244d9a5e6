"""One analysis of a position, shared by all clients."""

import pytest

from gtp_engine.engine.position_analysis import current_analysis, tried_by_click
from gtp_engine.search.assessment import search
from support.driver import Driver

ASKING = ("game-gfx_winrates", "game-gfx_visits", "game-search_figures", "game-svg visits")


@pytest.fixture
def searched(monkeypatch) -> list[object]:
    """The positions that are searched."""
    positions: list[object] = []

    def spy(position, among, setup):
        positions.append(position)
        return search(position, among, setup)

    monkeypatch.setattr("gtp_engine.search.assessment.search", spy)
    return positions


@pytest.fixture
def quick(drive) -> Driver:
    drive("game-set visits 20")
    return drive


def test_a_position_is_searched_once(quick, searched):
    for line in ASKING:
        quick(line)
    assert searched == [quick.session.position]


def test_another_position_another_setting_and_a_new_start_are_searched_anew(quick, searched):
    for line in ("play b c4", "game-set visits 30", "clear_cache"):
        quick(ASKING[0])
        quick(line)
        quick(ASKING[0])
    assert len(searched) == 4


def test_after_giving_up_nothing_is_left_to_search(quick):
    """The position is the same as before."""
    quick(ASKING[0])
    quick("play b resign")
    assert quick.fails(ASKING[0]) == "nothing to search"


def test_each_visit_counts_at_one_click():
    drive = Driver("boloa", 4)
    # Without a net 50 visits try every step, so also a stone and a pawn of one click.
    for line in ("game-pie off", "game-set weights off", "game-set visits 50"):
        drive(line)
    found = current_analysis(drive.session)
    assert found is not None
    clicks = tried_by_click(drive.session, found)
    assert sum(each.visits for each in clicks.values()) == sum(row.visits for row in found.rows)
    assert len(clicks) < len(found.rows)


def test_without_a_seed_an_analysis_is_repeatable():
    one, other = Driver("robble", 4), Driver("robble", 4)
    for drive in (one, other):
        drive("game-set visits 50")
    assert one("game-gfx_visits") == other("game-gfx_visits")
