"""Games of the past are found again in any image and by any order of turns, and are bounded."""

import pytest

from gtp_engine.engine import explored_games
from gtp_engine.engine.explored_games import DEEPEST, ExploredGames
from gtp_engine.engine.record_writing import written
from gtp_engine.engine.session import Session
from gtp_engine.rules import find_game
from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.symmetry import Image
from gtp_engine.rules.points.vertex import Vertex

SIZE = 4


def record(*words: str, result: str = "", day: str = "") -> bytes:
    """A game of Robble without a swap, as a record."""
    nodes = "".join(f";{'BW'[n % 2]}[{word}]" for n, word in enumerate(words))
    return f"(;GAME[robble]SZ[{SIZE}]PIE[off]RE[{result}]DT[{day}]{nodes})".encode()


def after(*words: str) -> Position:
    session = Session(find_game("robble"), SIZE)
    session.set_position(find_game("robble").start(SIZE))
    for word in words:
        session.play(session.position.to_move, word)
    return session.position


def told(explored: ExploredGames, *words: str) -> dict[str, int]:
    """The turns after some turns, each with its games."""
    return {each.turn: each.games for each in explored.played(after(*words))}


def images(position: Position) -> list[dict[str, int]]:
    """The cells of a position in all its images."""
    cells = position.layers().items()
    symmetry = position.game.symmetry
    return [{word: image.of_points(at, SIZE) for word, at in cells} for image in symmetry]


def test_a_turn_is_found_from_every_image_of_its_position(any_game, rng):
    """And leads to an image of what it led to in the game."""
    session = Session(any_game, SIZE)
    while steps := session.legal_steps():
        session.play(session.position.to_move, str(rng.choice(steps)))
    explored = ExploredGames()
    explored.add(written(session).text.encode())
    for turn in session.turns()[:DEEPEST]:
        reached = images(turn.position)
        for layers in images(turn.start):
            content = Content(SIZE, layers, turn.color, turn.start.pie)
            mapped = any_game.position_type.assemble(content)
            led = []
            for found in explored.played(mapped):
                other = Session(any_game, SIZE)
                other.set_position(mapped)
                other.play(mapped.to_move, found.turn)
                led.append(other.position.layers() in reached)
            assert any(led)


def test_turns_that_lead_to_one_position_are_one():
    """The corners of an empty board; and the same stones in another order."""
    explored = ExploredGames()
    for corner in ("A1", "A4", "D1", "D4"):
        explored.add(record(corner))
    assert list(told(explored).values()) == [4]
    explored.add(record("A1", "C3", "D1", "B4"))
    explored.add(record("D1", "C3", "A1", "C4"))
    assert told(explored, "A1", "C3", "D1") == {"B4": 1, "C4": 1}


def test_results_days_and_what_is_no_longer_legal():
    explored = ExploredGames()
    explored.add(record("A1", "swap", result="B+").replace(b"PIE[off]", b"PIE[pieces]"))
    explored.add(record("A1", "B2", result="W+", day="2026-11-25"))
    explored.add(record("A1", "B2", result="0", day="2026-11-20"))
    explored.add(record("A1", "B2"))
    (first,) = explored.played(after())
    assert (first.games, first.black, first.white, first.draws) == (4, 1, 1, 1)
    assert first.last == "2026-11-25"
    assert told(explored, "A1") == {"B2": 3}, "without the swap"


DAYS = {
    "2026-11-30": "2026-11-30",
    "2026-11-29,30": "2026-11-29",
    "unknown": "",
    "November": "",
    "2026-13-01": "",
}


@pytest.mark.parametrize("told", DAYS)
def test_a_date_in_words_hides_no_day(told):
    explored = ExploredGames()
    explored.add(record("A1", day=told))
    (first,) = explored.played(after())
    assert first.last == DAYS[told]
    explored.add(record("A1", day="2026-11-20"))
    (first,) = explored.played(after())
    assert first.last == max(DAYS[told], "2026-11-20")


def test_a_time_that_no_calendar_has_means_nothing():
    timed = record("A1", day="2026-11-20").replace(
        b"B[A1]", b"B[A1]TIME[9999-12-31T23:59:59-12:00]"
    )
    explored = ExploredGames()
    explored.add(timed)
    (first,) = explored.played(after())
    assert first.last == "2026-11-20"


def test_the_memory_has_a_bound(monkeypatch):
    """A full memory counts the turns that it knows, and only these; deep turns never count."""
    monkeypatch.setattr(explored_games, "MOST_TURNS", 2)
    monkeypatch.setattr(explored_games, "DEEPEST", 1)
    explored = ExploredGames()
    for first in ("A1", "A2", "B2", "A1"):
        explored.add(record(first, "C3"))
    assert sorted(told(explored).values()) == [1, 2]
    assert told(explored, "A1") == {}
    assert explored.games == 4


@pytest.mark.parametrize("number", range(8))
def test_an_image_has_an_inverse(number):
    image = Image(*(bool(number & bit) for bit in (4, 2, 1)))
    corner = [Vertex.at(column, row) for column in range(3) for row in range(3)]
    assert [image.inverse.of_vertex(image.of_vertex(at, 3), 3) for at in corner] == corner
