"""The kernel refuses the positions that the rules in Python refuse, for the same reason.

The code of a game relies on positions that can occur: others could lead it beyond its arrays.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import bit, vertices
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.kernel import kernel_for
from support.mirror import unless_refused
from support.playing import every_position
from support.thorough import first_of

SIZES = (2, 3, 3, 4, 4, 5, 7, 8, 10, 11, 12)
CHARACTERS = ["", *"BWbwx#123456789"]


def words_of(game: Game) -> list[str]:
    """All words of the diagrams of a game, the simplest ones first."""
    words = {"".join(pair) for pair in product(CHARACTERS, repeat=2)}
    return sorted(word for word in words if re.fullmatch(game.cell, word))


def some_fields(content: Content, game: Game, rng: Random) -> dict[str, str]:
    """The fields of a position, perhaps with each value several times, or none."""
    fields = {}
    for name, value in content.fields.items():
        several = ",".join([value] * rng.randrange(1, 4))
        fields[name] = several if re.fullmatch(game.fields[name], several) else value
    return fields if rng.random() < 0.8 else {}


def contents(game: Game, rng: Random, count: int) -> Iterator[Content]:
    """Positions of games with a few changes, and random boards."""
    words = words_of(game)
    met = [at.content for at in every_position(game, SIZES, count, rng)]
    for content in met:
        size = content.size
        board = list(vertices(game.start(size).board))
        changed = dict(content.layers)
        fields = some_fields(content, game, rng)
        if rng.random() < 0.3:
            used, changed = rng.sample(words, rng.randrange(1, min(4, len(words)) + 1)), {}
            for vertex in rng.sample(board, rng.randrange(len(board))):
                word = rng.choice(used)
                changed[word] = changed.get(word, 0) | bit(vertex)
        for vertex in rng.sample(board, rng.choice((0, 1, 1, 2))):
            changed = {word: points & ~bit(vertex) for word, points in changed.items()}
            if rng.random() < 0.7:
                word = rng.choice(words)
                changed[word] = changed.get(word, 0) | bit(vertex)
        layers = {word: points for word, points in changed.items() if points}
        to_move = rng.choice((content.to_move, *Color))
        yield Content(size, layers, to_move, Pie.OFF, fields)


@pytest.mark.parametrize("part", first_of(range(8)))
def test_set_ups_are_refused_for_the_same_reason(game, part):
    told, possible = Counter[str](), 0
    for content in contents(game, Random(f"flaws {game.name} {part}"), 6):
        position = game.position_type.assemble(content)
        there, flaw = unless_refused(position), position.flaw()
        assert (there is None) == (flaw is not None), write_position(position)
        if there is None:
            told[flaw.rpartition(" (")[2]] += 1
        else:
            assert there.text() == write_position(position)
            possible += 1
    assert possible > 10
    assert told or game.position_type.flaw is Position.flaw


APART = "are diagonal, with no stone adjacent to both (B15)"
IN_TURN = "cannot have been placed in turn"
THIRD = "the game ended with the third appearance of a position (R16)"
HEIGHTS = "stacks of such heights need 2 filled squares, not 1 (P11, P14)"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("boloa", "3 .../BW./.B. w", f"A2 and B1 {APART}"),
        ("boloa", "3 .../.B./B.. w", f"A1 and B2 {APART}"),
        ("boloa", "3 .W./WbW/.W. b", "the party B2 is smothered (B7)"),
        ("boloa", "3 .../.b./... b", "White has made the only turn (B8)"),
        ("robble", "3 .../.B./... b", "White has placed the last stone and has none (R8)"),
        ("robble", "2 B./.. w seen=b0,b0,b0", THIRD),
        ("implo", "3 .../.../... b open=yes", "an open turn has begun with a stone (I16)"),
        ("implo", "3 .../.B./... b open=yes", "an open turn needs a patch to resolve (I18)"),
        ("implo", "3 .B./BWW/WBW b", "the patch A3 is unresolved outside of a turn (I18)"),
        ("implo", "4 ..../..../.WBW/.... w", f"1 and 2 stones {IN_TURN}"),
        ("implo", "3 .../.b./... b", "White has placed the last stone and has no piece (I11)"),
        ("pilo", "2 B2./.. w", HEIGHTS),
        ("pilo", "2 B1./.. w passes=1", "a player with a board play cannot have passed (P17)"),
        ("pilo", "2 B1./.. b", "Orange made the last board play and has no stack (P14)"),
        ("pilo", "3 W1W1B1/.../... w", f"1 and 2 disks {IN_TURN}"),
    ],
)
def test_each_reason(name, text, why):
    position = read_without_check(f"{name} {text}")
    assert position.flaw() == why
    assert unless_refused(position) is None


def test_no_search_and_no_solver_begins_with_such_a_position():
    text = "boloa 3 .../BW./.B. w"
    kernel = kernel_for("boloa")
    options = kernel.SearchOptions()
    search = kernel.Search("boloa 3 .../.../... b", options, [])
    solver = kernel.Solver("boloa 3 .../.../... b", 1, "best")
    for use in (
        lambda: kernel.Position(text),
        lambda: kernel.Search(text, options, []),
        lambda: kernel.Solver(text, 1, "best"),
        lambda: search.follow(text),
        lambda: solver.turn_to(text),
    ):
        with pytest.raises(ValueError, match=r"A2 and B1 are diagonal.* \(B15\)"):
            use()


def read_without_check(text: str) -> Position:
    """The position of a text, whether or not a game can lead to it."""
    name, size, rows, color, *fields = text.split()
    game = find_game(name)
    layers: dict[str, int] = {}
    for row, words in zip(range(int(size) - 1, -1, -1), rows.split("/"), strict=True):
        for column, word in enumerate(re.findall(r"[^0-9][0-9]*", words)):
            if word != ".":
                layers[word] = layers.get(word, 0) | bit(Vertex.at(column, row))
    state = dict(field.split("=") for field in fields)
    content = Content(int(size), layers, Color.parse(color), Pie.OFF, state)
    return game.position_type.assemble(content)
