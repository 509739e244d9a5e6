"""Answers of one click at a time, and the messages for a GUI that sends clicks."""

import json

import pytest

from gtp_engine.engine.status import legal_clicks, taken
from gtp_engine.rules.points.vertex import VERTICES
from support.driver import Driver


def clicking(game: str, size: int, *settings: str) -> Driver:
    drive = Driver(game, size)
    for setting in ("moves clicks", "visits 5", "seed 1", *settings):
        drive(f"game-set {setting}")
    return drive


def test_strict_alternation_gets_through_a_game(game):
    """Two engines, asked in turn whoever is to move, and a referee that hears every word."""
    programs = [clicking(game.name, 4) for _ in range(2)]
    referee = clicking(game.name, 4)
    passes = count = 0
    while passes < 2:
        color = "bw"[count % 2]
        mover, other = programs[count % 2], programs[1 - count % 2]
        word = mover(f"genmove {color}")
        for listener in (other, referee):
            listener(f"play {color} {word}")
        passes = passes + 1 if word == "pass" else 0
        count += 1
        assert count < 1000
    results = {drive("final_score") for drive in (*programs, referee)}
    assert len(results) == 1
    assert len({drive("game-position") for drive in (*programs, referee)}) == 1


def test_the_list_is_what_play_accepts(game, rng):
    drive = Driver(game.name, 4)
    while words := drive("gogui-rules_legal_moves").split():
        color = drive("gogui-rules_side_to_move")
        state = drive.session.state
        for vertex in VERTICES:
            if drive.session.position.board >> vertex & 1:
                accepted = drive.send(f"play {color} {vertex}").success
                assert accepted == (str(vertex) in words), vertex
                drive.session.state = state
        drive(f"play {color} {rng.choice(words)}")
    assert drive("game-over") == "true"


def test_clicks_lead_to_the_turn_that_would_be_played():
    by_turns = Driver("boloa", 4)
    by_clicks = clicking("boloa", 4)
    for setting in ("visits 5", "seed 1"):
        by_turns(f"game-set {setting}")
    turn = by_turns("genmove b")
    words = []
    while by_clicks.session.position.to_move.letter == "b":
        words.append(by_clicks("genmove b"))
    assert by_clicks("game-history") == f"1 black {turn}"
    assert len(words) == 2


def test_a_suggestion_is_the_answer_that_would_be_given():
    """Of each color, before and inside a turn; without a plan that a choice by chance has left."""
    asked, played = clicking("boloa", 4), clicking("boloa", 4)
    for _ in range(6):
        for color in "bw":
            before = asked.session.state
            suggested = asked.send(f"reg_genmove {color}")
            assert asked.session.state is before
            assert suggested == played.send(f"genmove {color}")
            if suggested.success:
                asked(f"play {color} {suggested.text}")


def test_the_rest_of_a_turn_is_chosen_when_the_client_began_it():
    drive = clicking("pilo", 3, "pie off")
    drive("game-position pilo 3 ..W1/.../B1.B1 w")
    drive("play w a2")
    drive("play b a1")
    assert drive("genmove b") == "A2"
    assert drive("game-history").endswith("2 black A1-A2")


def test_the_color_that_waits_passes_once_between_two_clicks():
    drive = clicking("boloa", 3)
    drive("play b b2")
    assert drive("genmove w") == "pass"
    before = drive.session.state
    assert drive.fails("genmove w") == drive.fails("play w pass") == "illegal move"
    assert drive.session.state is before
    drive("undo")
    drive("play w pass")
    drive("play b b2")
    assert drive("game-history") == "1 black sB2"
    assert drive.fails("play b pass") == "illegal move"


def test_nobody_waits_while_answers_are_turns():
    drive = Driver("boloa", 3)
    drive("play b b2")
    assert drive.fails("play w pass") == drive.fails("genmove w") == "illegal move"


def test_clicks_are_for_guis_that_ask_before_the_first_genmove():
    drive = Driver("robble", 3)
    drive("game-set visits 3")
    drive("genmove b")
    drive("gogui-rules_board")
    assert drive.session.settings.moves == "turns"


def test_what_was_set_stays_whatever_a_gui_asks():
    drive = Driver("robble", 3)
    drive("game-set moves turns")
    drive("gogui-rules_board")
    assert drive.session.settings.moves == "turns"


@pytest.mark.parametrize(
    "position, word, expected",
    [
        ("implo 3 .B./BBb/ww. b open=yes", "a3", (3, 0)),
        ("boloa 3 .../bw./... b", "sa2-b2", (0, 1)),
        ("robble 3 B../.../... w", "a2", (1, 0)),
        ("robble 3 .../.B./... w", "c2", (0, 0)),
        ("pilo 3 .../.../B1.W1 b", "a1-c1", (0, 1)),
    ],
)
def test_pieces_taken_off_the_board(position, word, expected):
    drive = Driver()
    drive(f"game-position {position}")
    drive(f"play {drive('game-to_move')} {word}")
    black, white = taken(drive.session)
    assert (black, white) == expected
    assert drive("gogui-rules_captured_count") == f"{white} {black}"


def test_a_resigned_game_has_nothing_to_click():
    drive = Driver("robble", 3)
    drive("play b resign")
    assert legal_clicks(drive.session) == 0


@pytest.mark.parametrize("pie, swap", [("pieces", "swap"), ("sides", "swap-sides")])
def test_a_swap_takes_no_piece(pie, swap):
    drive = Driver("robble", 3)
    for line in (f"game-pie {pie}", "play b a1", f"play w {swap}"):
        drive(line)
    assert drive("gogui-rules_captured_count") == "0 0"


def test_steps_not_visited_are_told_from_the_forced_step_on():
    """An open turn that was set up before a forced step, then one of two groups to remove."""
    drive = Driver("implo", 3)
    drive("game-position implo 3 B../..W/WBB b open=yes")
    told = json.loads(drive("game-analyze minmoves 9"))["turns"]
    assert {turn["turn"] for turn in told} == set(drive("game-legal_turns").split())
    assert all(turn["clicks"][:2] == ["A2", "B1"] for turn in told)
