"""The pages of first strategy show what they say: positions, turns and a game, by the rules."""

import re

import pytest

from documents import strategy
from documents.strategy import PAGES, nodes, play, positions, record, turns
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import IllegalStep
from support.driver import Driver

pytestmark = pytest.mark.parametrize("game", sorted(PAGES))

ROW = re.compile(r"^\| (\d+) \| (\w+) `([^`]+)` \| (\d+) \| (.+) \|$", re.MULTILINE)


def rows(game: str) -> list[tuple[int, str, str, int, str]]:
    """The table of the game: number, color, turn, chance and comment."""
    found = ROW.findall(PAGES[game].read_text())
    return [(int(n), color, word, int(chance), text) for n, color, word, chance, text in found]


def test_the_game_replays_to_its_result(game):
    played = turns(game)
    outcome = played[-1].after.outcome()
    assert str(outcome) == record(game).root.text("RE")
    assert 6 <= len(rows(game)) <= 12
    drive = Driver(game)
    drive(f"loadsgf {strategy.FOLDER / f'{game}.sgf'}")
    assert drive.session.position == played[-1].after


def test_the_table_is_that_of_the_record(game):
    played, told = turns(game), list(nodes(game))
    for number, color, word, chance, comment in rows(game):
        node, turn = told[number - 1], played[number - 1]
        assert color == turn.before.game.color_names[turn.before.to_move]
        assert word == turn.word == node.word
        assert node.text("C") == comment.replace("`", "")
        assert abs(float(node.text("SBKV")) - chance) <= 0.5
    assert {node.word for node in told if node.text("C")} <= {row[2] for row in rows(game)}


def sections(game: str) -> list[tuple[str, str]]:
    """The parts of the page that show a position: the name of the picture, and the text."""
    parts = re.split(r"^##+ ", PAGES[game].read_text(), flags=re.MULTILINE)
    found = re.compile(rf'src="\.\./pictures/strategy-{game}-([\w-]+)\.svg"')
    return [(found.findall(part)[0], part) for part in parts if found.search(part)]


def test_the_turns_at_a_picture_are_legal_there(game):
    """Those in backticks: before the turn of the picture or after it."""
    seen = 0
    for name, text in sections(game):
        if name == "openings":
            starts = [turns(game)[0].before]
        elif name in positions(game):
            text_of_it, word = positions(game)[name]
            start = read_position(text_of_it)
            starts = [start, play(start, word).after]
        elif name.startswith("turn-"):
            turn = turns(game)[int(name.removeprefix("turn-")) - 1]
            starts = [turn.before, turn.after]
        else:
            continue  # the table of the game
        for word in re.findall(r"`([^` ]+)`", text):
            assert any(legal(start, word) for start in starts), (name, word)
            seen += 1
    assert seen >= 6


def legal(position, word: str) -> bool:
    """Whether a word is a whole legal turn."""
    try:
        play(position, word)
    except (IllegalStep, ValueError):
        return False
    return True


def test_the_pictures_are_those_of_the_positions(game):
    """If this fails, run: python tests documents.strategy"""
    names = strategy.shown(game)
    assert names[0] == "openings"
    for path, text in strategy.pictures(game):
        assert path.read_text() == text, path.name


def test_every_stored_position_is_shown(game):
    assert set(positions(game)) <= set(strategy.shown(game))


def test_the_values_of_the_openings_are_those_of_the_map(game):
    """A turn and its value in parentheses; `0.50` stands for what is rounded to it."""
    text = dict(sections(game))["openings"]
    size = record(game).start.size
    lines = (strategy.MAPS / f"{game}-{size}.map").read_text().splitlines()[1:]
    values = {word: float(value) for word, value, *_ in map(str.split, lines)}
    told = re.findall(r"`([^`]+)` \((0\.\d+)\)", text)
    assert told
    for word, value in told:
        assert f"{values[word]:.{len(value) - 2}f}" == value


def test_colors_are_called_as_in_the_game(game):
    names = turns(game)[0].before.game.color_names
    text = PAGES[game].read_text()
    for color in Color:
        assert names[color] in text
