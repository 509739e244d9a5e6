"""The game that a replay page encloses shows what the engine shows."""

import random

import pytest

from gtp_engine.engine.record_loading import replay
from gtp_engine.engine.replay_page import replay_page
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import DEFAULTS
from gtp_engine.engine.view.view import view
from gtp_engine.rules import games
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.points import vertices
from support.replays import game_on
from support.thorough import first_of


def played(game, clicks: bool, seed: int) -> Session:
    """A random game, by whole steps or by clicks."""
    choice, session = random.Random(seed), Session(game, 4, DEFAULTS.change("pie", "sides"))
    for _ in range(40):
        if session.outcome is not None:
            break
        step = choice.choice(session.legal_steps())
        left = session.position.clicks(step)[len(session.frame.clicks) :] if clicks else ()
        word = next(map(str, vertices(left[0])), None) if left else str(step)
        session.play(session.position.to_move, word)
    return session


def page_of(text: str) -> dict:
    session = Session(games()[0])
    replay(session, text.encode())
    return game_on(replay_page(session))


def test_variations_are_there_after_the_game():
    found = page_of(
        "(;GAME[robble]SZ[3]PIE[off]PB[Ann](;B[A1];W[B2](;B[C3])(;B[C1]C[why not]))"
        "(;B[B1]SBKV[70](;W[A1])(;W[B1];B[C2])(;W[pass])))"
    )
    words = [(node["parent"], node["number"], node["word"]) for node in found["nodes"]]
    assert words == [
        (None, 0, ""),
        *[(0, 1, "A1"), (1, 2, "B2"), (2, 3, "C3")],
        *[(2, 3, "C1"), (0, 1, "B1"), (5, 2, "A1")],
    ]
    assert found["ends"] == [0, 1, 2, 3]
    assert found["left_out"] == 2
    assert found["nodes"][4]["comment"] == "why not" and found["nodes"][5]["chance"] == 0.7
    assert found["players"] == {"black": "Ann", "white": ""}
    assert "PB[Ann]" in found["records"]["plain"]["text"]


def test_a_variation_may_spell_out_what_is_forced():
    """Filling A4 is the only step after B3."""
    found = page_of(
        "(;GAME[implo]SZ[5]PIE[off]POS[implo 5 ..W../..W../B..../B..../..... b]"
        ";B[E1];W[E3](;B[D1])(;B[B3/A4];W[D1]))"
    )
    assert found["left_out"] == 0
    assert [node["word"] for node in found["nodes"]][3:] == ["D1", "B3", "D1"]


def test_marks_are_there_with_the_comments_of_people():
    page = page_of("(;GAME[robble]SZ[3]CR[aa];B[B2]C[look]AR[aa:cc]LB[zz:1];W[A1])")
    said = [(node.get("comment", ""), node.get("marks", [])) for node in page["nodes"]]
    arrow = {"kind": "arrow", "at": "A3", "to": "C1"}
    assert said == [("", [{"kind": "circle", "at": "A3"}]), ("look", [arrow]), ("", [])]


def test_a_turn_with_variations_inside_is_one_turn():
    start = "(;GAME[implo]SZ[3]PIE[off]POS[implo 3 .B./BBb/ww. b open=yes pie=off]"
    found = page_of(f"{start};B[A3](;B[C1])(;B[C1]C[the same]))")
    assert [node["number"] for node in found["nodes"]] == [0, 1, 1, 1]


@pytest.mark.parametrize("clicks", [False, True])
@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
@pytest.mark.parametrize("seeds", first_of([range(2), range(2, 5)]))
def test_every_turn_ends_as_it_was_played(game, clicks, seeds):
    for seed in seeds:
        session = played(game, clicks, seed)
        found = game_on(replay_page(session))
        ends = [write_position(turn.position) for turn in session.turns()]
        assert [found["views"][end]["position"] for end in found["ends"][1:]] == ends
        shown, last = view(session), found["views"][found["ends"][-1]]
        for key in ("turn", "areas", "score", "outcome"):
            assert last[key] == shown[key]
        pieces = [found["pieces"][number] for number in last["pieces"]]
        assert pieces == shown["pieces"]
        words = [
            "/".join(node["word"] for node in found["nodes"] if node["number"] == number)
            for number in range(1, len(ends) + 1)
        ]
        assert words == [turn.word for turn in session.turns()]
