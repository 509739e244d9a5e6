"""Openings: files, random turns and judges; no opening occurs twice."""

import re
import shlex

import pytest

from gtp_engine.arena.playing.openings import FileBook, RandomBook, book
from gtp_engine.arena.setup.config import Openings, WrongMatch
from gtp_engine.arena.values import Board
from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.step import Pie
from support.starting import engine_command, python_command

IMPLO = Board("implo", 4, "off")
JUDGE = engine_command("--visits", "30", "--seed", "1", "--backend", "python")


def position_after(board, words):
    position = find_game(board.game).start(board.size, Pie(board.pie))
    for word in words:
        position = read_turn(position, (), word).position
    return position


@pytest.fixture
def lines(tmp_path):
    def write(text):
        path = tmp_path / "openings.txt"
        path.write_text(text, errors="surrogateescape")
        return FileBook(path)

    return write


def test_a_file(lines):
    found = lines("# two for all, one for Pilo\na1 b2   # corner\n\npilo 4: c3 a1-b1 d4\nD4 A1\n")
    assert found.opening(IMPLO, 0).words == ("a1", "b2")
    assert found.opening(IMPLO, 1).words == ("D4", "A1")


def test_a_small_book_comes_again_in_order(lines, tmp_path):
    """Both games of a pair have its number, so that they stay on one opening."""
    small = lines("a1 b2\nD4\npilo 4: c3\nA4 A3\n")
    found = [" ".join(small.opening(IMPLO, number).words) for number in range(7)]
    assert found == ["a1 b2", "D4", "A4 A3"] * 2 + ["a1 b2"]
    after = "openings: after 3 pairs of games on implo 4"
    again = f"{after} the openings of {tmp_path / 'openings.txt'} repeat in order"
    assert small.check(IMPLO, range(5)) == again
    assert small.check(IMPLO, range(100, 103)) == ""
    assert "after 1 pair of games on implo 4 the" in lines("a1\n").check(IMPLO, range(2))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("robbel 3: B2 A1\na1\n", r"^PATH, line 1: there is no game robbel: "),
        ("a1\nimplo 1: A1\n", r"^PATH, line 2: Implo is played on sizes 2 to 19$"),
        ("a1\nimplo 20: A1\n", r"^PATH, line 2: Implo is played on sizes 2 to 19$"),
        ("implo " + "9" * 5000 + ": C4\n", r"^PATH, line 1: Implo is played on sizes 2 to 19$"),
        ("pilo 4: a1\n", r"openings: PATH has no opening for implo 4"),
        ("a1\na1 a1\n", r"line 2: I\d+: A1 is not empty"),
        ("a1\nb9\n", r"line 2: B9 is not on the board"),
        ("a1\nzzz\n", r"line 2: zzz"),
        ("a1 b2\nb1\n a1   B2\n", r"line 3: the same as line 1"),
        ("a1\nswap\n", r"line 2: "),
        ("a1\n# \udcff\n", r"^PATH, line 2: this is not UTF-8; save the file as UTF-8$"),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_broken_files(lines, tmp_path, text, told):
    path = re.escape(str(tmp_path / "openings.txt"))
    with pytest.raises(WrongMatch, match=told.replace("PATH", path)):
        lines(text).opening(IMPLO, 1)


def test_an_opening_is_made_of_whole_turns_and_leaves_a_game(lines):
    pilo, tiny = Board("pilo", 2, "off"), Board("implo", 2, "off")
    with pytest.raises(WrongMatch, match=r"line 1: "):
        lines("a1 b2 a1\n").opening(pilo, 0)
    with pytest.raises(WrongMatch, match=r"line 1: \w+ ends the game"):
        lines("a1 a2 b1 b2\n").opening(tiny, 0)


def test_a_swap_in_an_opening_is_said_and_not_clicked(lines):
    """Engines without clicks refuse a click on the piece, and would lose each game."""
    board = Board("robble", 4, "pieces")
    with pytest.raises(WrongMatch, match=r"line 1: a1 would swap by a click; say swap"):
        lines("a1 a1\n").opening(board, 0)
    assert lines("a1 swap\n").opening(board, 0).words == ("a1", "swap")


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_random_openings_never_come_twice(game):
    board = Board(game.name, 5, "off")
    random = book(Openings("random", turns=3), seed=7)
    texts = set()
    for number in range(60):
        words = random.opening(board, number).words
        assert len(words) == 3
        texts.add(write_position(position_after(board, words)))
    assert len(texts) == 60


def test_batches_of_one_seed_are_disjoint_and_repeatable():
    def batch(start):
        random = RandomBook(Openings("random", turns=2), seed=3)
        return [random.opening(IMPLO, start + number).words for number in range(10)]

    first, second = batch(0), batch(10)
    assert first == batch(0)
    assert second == batch(10)
    assert not set(first) & set(second)


def test_a_board_has_only_so_many_openings():
    random = RandomBook(Openings("random", turns=1), seed=1)
    tiny = Board("robble", 2, "off")
    found = {random.opening(tiny, number).words for number in range(4)}
    assert found == {("A1",), ("A2",), ("B1",), ("B2",)}
    with pytest.raises(WrongMatch, match="robble 2 has openings of 1 turn for only 4 pairs"):
        random.opening(tiny, 4)
    assert random.check(tiny, range(4)) == ""
    with pytest.raises(WrongMatch, match="robble 2 has openings of 1 turn for only 4 pairs"):
        random.check(tiny, range(50))


def test_a_judge_picks_balanced_openings():
    random = RandomBook(Openings("random", turns=2, balance=0.15, judge=JUDGE), seed=1)
    try:
        opening = random.opening(Board("robble", 4, "off"), 0)
        assert opening.value is not None
        assert abs(opening.value - 0.5) <= 0.15
    finally:
        random.close()


def test_a_judge_may_crash_now_and_then(tmp_path):
    done = shlex.quote(str(tmp_path / "done"))
    script = f"test -e {done} || {{ touch {done}; exit 9; }}; exec {JUDGE}"
    judge = f"sh -c {shlex.quote(script)}"
    random = RandomBook(Openings("random", judge=judge, balance=0.5), seed=1)
    try:
        assert random.opening(Board("robble", 4, "off"), 0).value is not None
    finally:
        random.close()


def test_a_judge_must_be_able_to_judge():
    judge = python_command("-c", "pass")
    random = RandomBook(Openings("random", judge=judge), seed=1)
    with pytest.raises(WrongMatch, match="openings: the judge failed: "):
        random.opening(IMPLO, 0)
    with pytest.raises(WrongMatch, match="openings: the judge failed: "):
        random.check(IMPLO, range(2))
