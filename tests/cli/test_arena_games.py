"""Games of a match as records."""

import random

import pytest

from gtp_engine.arena.values import Board, GameResult, TurnRecord
from gtp_engine.cli.arena_games import sgf_of
from gtp_engine.engine.record_loading import replay
from gtp_engine.engine.session import Session
from gtp_engine.rules import find_game, games
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.records.record import read_record
from gtp_engine.rules.step import Pie
from support.matches import game_of

SAID = "Black wins 50.0%, 100 visits, C3 B2; 1.8 points of chance to win better than D4"


def test_what_an_engine_said_is_taken_apart():
    turns = (
        TurnRecord("A", BLACK, "C3", 0.25, 0.5, 100, SAID),
        TurnRecord("B", WHITE, "B2", 1.5),
    )
    text = sgf_of(game_of("A", "B", 3, 1, "A"), turns)
    assert "LINE[C3 B2]" in text
    assert "WHY[1.8 points of chance to win better than D4]" in text
    assert f"C[{SAID}]" in text


@pytest.mark.parametrize(
    ("said", "line", "why"),
    [
        ("White wins 75.0%, 1 visit, C3 B2; better, 9 visits, so", "C3 B2", "better, 9 visits, so"),
        ("White wins 75.0%, 1 visit, C3", "C3", ""),
        ("White wins 75.0%, 1 visit; proven", "", "proven"),
        ("White wins 75.0%, 20 visits; proven", "", "proven"),
        ("White wins 75.0%, 1 visit", "", ""),
        ("White wins 75.0%, 20 visits", "", ""),
        ("White wins 75.0% after 20 visits (C3)", "", ""),
    ],
)
def test_what_is_missing_or_short_is_taken_apart_too(said, line, why):
    turn = TurnRecord("A", BLACK, "C3", 0.25, 0.25, 1, said)
    text = sgf_of(game_of("A", "B", 3, 1, "A"), (turn,))
    node = read_record(text).root.children[0]
    assert (node.text("LINE"), node.text("WHY")) == (line, why)


def dice_game(
    name: str, seed: int, pie: Pie = Pie.PIECES, given: int = 0
) -> tuple[GameResult, tuple[TurnRecord, ...]]:
    """A game between players with dice, the first turns of it given, swapped where that goes."""
    dice, session = random.Random(seed), Session(find_game(name), 4)
    session.change_setting("pie", pie.value)
    seats, turns = ["A", "B"], []
    while session.outcome is None:
        color, steps = session.position.to_move, session.legal_steps()
        word = str(dice.choice(steps))
        if session.frame.number == 1 and not given:
            word = next(map(str, session.position.swaps()), word)
        session.play(color, word)
        engine, said = seats[color], (0.5, 10, f"Black wins 50.0%, 10 visits, {word}")
        turns.append(TurnRecord(engine, color, session.history()[-1].word, 0.25, *said))
        if word == "swap-sides":
            seats.reverse()
    opening = tuple(turn.word for turn in turns[:given])
    result = game_of("A", "B", 3, 0, "A", Board(name, 4, pie.value), opening)
    return result, tuple(turns[given:])


@pytest.mark.parametrize("pie", Pie)
@pytest.mark.parametrize("name", [game.name for game in games()])
def test_a_record_is_the_same_as_that_of_the_game_played_again(monkeypatch, name, pie):
    """Turns are written as they were kept; those kept in parts are played, to be put together."""
    for seed in range(4):
        game = dice_game(name, seed, pie, given=2 * (seed % 2))
        found = sgf_of(*game)
        with monkeypatch.context() as patch:
            patch.setattr("gtp_engine.cli.arena_games._in_parts", lambda turns: True)
            assert found == sgf_of(*game)
        loaded = Session(games()[0])
        replay(loaded, found.encode())
        assert loaded.outcome is not None


def test_whole_turns_are_not_played_again(monkeypatch):
    monkeypatch.setattr("gtp_engine.cli.arena_games._replayed", pytest.fail)
    result, turns = dice_game("robble", 0)
    text = "".join(sgf_of(result, turns).splitlines())
    assert all(f"{turn.color.sign}[{turn.word}]" in text for turn in turns)
