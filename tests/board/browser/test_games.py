"""Whole games, played on the page by clicks, taps and keys."""

import random

import pytest

from gtp_engine.rules import games
from support import screens
from support.screens import ENDED
from support.thorough import first_of, thorough

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}


@pytest.mark.parametrize("game", first_of([game.name for game in games()]))
def test_two_people_play_by_clicks(screen, game):
    screen.begin(game, 4)
    assert screens.play_out(screen, random.Random(5), screen.click) > 3
    screen.until(ENDED)


@thorough
def test_a_forced_patch_goes_by_itself_and_is_taken_back_with_its_turn(screen):
    before = "implo 5 ...bW/...WB/W.W.W/bBW../BB..W b pie=off"  # after D3 Black can patch C1 alone
    screen.set_up(before)
    screen.open("Turns")
    screen.click("D3")
    screen.page.locator("#turn-list .turn").nth(1).wait_for()  # the engine has answered
    assert screen.page.locator("#turn-list .turn").first.inner_text().split()[-1] == "D3"
    screen.page.locator("#turn-list .turn").first.click()
    screen.page.locator("#note summary").click()
    assert "Black owns patch C1" in screen.page.locator("#note").inner_text()
    screen.page.keyboard.press("End")
    screen.button("Take back").click()
    screen.until("text => document.querySelector('#files textarea').value === text", before)


@thorough
def test_a_game_by_keys_alone(serve, visit):
    screen = visit(serve("--size", "4", "--level", "1"))
    screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Enter")  # to the board
    screen.until("document.activeElement.dataset.vertex")
    assert screens.play_out(screen, random.Random(3), screen.press) > 2
    screen.until(ENDED)


@thorough
def test_a_game_by_taps_on_a_phone(serve, visit):
    screen = visit(serve("--level", "1"), **PHONE)
    screen.begin("boloa", 5, side="black")
    wide = "document.documentElement.scrollWidth"
    assert screen.page.evaluate(wide) == PHONE["viewport"]["width"]
    assert screens.play_out(screen, random.Random(4), screen.tap) > 2
    screen.until(ENDED)


@thorough
def test_a_small_point_is_aimed_at_before_it_is_played(serve, visit):
    screen = visit(serve("--level", "1"), **PHONE)
    screen.begin("robble", 13)
    before = screen.position
    screen.point("C4").tap()
    offer = screen.button("Play C4")
    offer.wait_for()
    assert screen.position == before
    offer.tap()
    screen.until_moved(before)
    stands = """document.querySelector('#board [data-vertex="C4"]').ariaLabel.includes("stone")"""
    screen.until(stands)  # names follow when the pieces have come to rest
