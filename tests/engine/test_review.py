"""Reviews of turns whose worth is known."""

import json
import random
import threading
from functools import cache
from typing import NamedTuple

import pytest

from gtp_engine.engine.game_review import (
    TurnReview,
    judged,
    judged_positions,
    review,
    reviewed_turns,
)
from gtp_engine.engine.position_analysis import search_setup
from gtp_engine.engine.review_index import FileReview, index_page, line_of, read_line
from gtp_engine.engine.session import Session
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.turns import write_turn
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.step import Pie
from gtp_engine.rules.turns import Turn, legal_turns
from gtp_engine.search.assessment import assess
from gtp_engine.search.backends.choose import AUTO
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import DEFAULT_OPTIONS
from gtp_engine.search.solver import solve
from gtp_engine.search.tree import value_for
from support.driver import Driver
from support.replays import turns_on

ENOUGH = Budget(2_000)
SIZE, SOLVED_SIZE = 4, 3

# On small boards of the other game nobody can win by force.
DECISIVE = [find_game(name) for name in ("boloa", "implo", "pilo")]


def winning_turns(position: Position) -> list[Turn]:
    """The turns with which the color to move wins at once."""
    turns = legal_turns(position, 10_000) if position.outcome() is None else []
    over = [turn for turn in turns if turn.position.outcome() is not None]
    return [turn for turn in over if turn.position.outcome().winner is position.to_move]


class Blunder(NamedTuple):
    """A game whose last turns are best play, but for one, and the number of that."""

    session: Session
    number: int


@cache
def with_a_blunder(game: Game) -> Blunder:
    """A game in which nothing is lost but by one turn, which throws a win away."""
    rng = random.Random(1)
    found = (_at_the_end(position) for _ in range(20) for position in _random_game(game, rng))
    return next(filter(None, found), None) or _in_best_play(game, rng)


def _at_the_end(position: Position) -> Blunder | None:
    """Who could win at once plays so that the opponent can, and does."""
    for turn in legal_turns(position, 10_000) if winning_turns(position) else []:
        for reply in winning_turns(turn.position):
            return Blunder(_played(position, [turn, reply]), 1)
    return None


def _in_best_play(game: Game, rng: random.Random) -> Blunder:
    """The same with a solver's knowledge, from the middle of a small board on."""
    while True:
        position = game.start(SOLVED_SIZE, Pie.OFF)
        for _ in range(3):
            position = rng.choice(legal_turns(position, 10_000)).position
        start, turns, blunder = position, list[Turn](), 0
        while position.outcome() is None:
            had = value_for(position.to_move, exact(position))
            lost = turns_of_worth(position, 0.0) if had == 1 and turns and not blunder else []
            turns.append(rng.choice(lost or turns_of_worth(position, had)))
            blunder = len(turns) if lost else blunder
            position = turns[-1].position
        if blunder:
            return Blunder(_played(start, turns), blunder)


def exact(position: Position) -> float:
    """BLACK's result with best play."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.value
    found = solve(position, Budget(), AUTO, DEFAULT_OPTIONS)
    assert found.value is not None
    return found.value


def turns_of_worth(position: Position, worth: float) -> list[Turn]:
    """The turns after which the color to move has this result."""
    turns = legal_turns(position, 10_000)
    return [turn for turn in turns if value_for(position.to_move, exact(turn.position)) == worth]


def _random_game(game: Game, rng: random.Random) -> list[Position]:
    """The last positions of a game by chance, without the end."""
    seen, position = [], game.start(SIZE, Pie.OFF)
    while position.outcome() is None:
        seen.append(position)
        position = rng.choice(legal_turns(position, 10_000)).position
    return seen[-3:]


def _played(start: Position, turns: list[Turn]) -> Session:
    session = Session(start.game)
    session.set_position(start)
    for turn in turns:
        position = session.position
        session.play(position.to_move, write_turn(position, turn.steps))
    return session


def reviewed(session: Session, budget: Budget = ENOUGH) -> list[TurnReview]:
    return list(review(session, budget))


@pytest.mark.parametrize("game", DECISIVE, ids=lambda game: game.name)
def test_a_planted_blunder_is_the_only_turn_that_costs(game):
    session, blunder = with_a_blunder(game)
    found = reviewed(session)
    assert [each.number for each in found] == list(range(1, len(session.turns()) + 1))
    assert [each.loss for each in found] == [float(each.number == blunder) for each in found]
    told = found[blunder - 1]
    assert value_for(told.color, told.proven) == 1
    assert value_for(told.color, told.after_proven) == 0
    assert f"{told.best} wins, but {told.word} loses" in told.why
    assert any("wins by force, here in " in sentence for sentence in told.why)


@pytest.mark.parametrize("game", DECISIVE, ids=lambda game: game.name)
def test_the_better_turn_is_better(game):
    """What a review names instead of the planted turn wins indeed, as does its line."""
    session, blunder = with_a_blunder(game)
    told = reviewed(session)[blunder - 1]
    replay = Session(game)
    replay.set_position(session.turns()[blunder - 1].start)
    assert told.best_line[0] == told.best
    for word in told.best_line:
        replay.play(replay.position.to_move, word)
    assert replay.outcome.winner is told.color


def test_chances_join_up(game):
    """What is known after a turn is what is known before the next."""
    rng = random.Random(2)
    session = Session(game, SIZE)
    for _ in range(6):
        position = session.position
        word = write_turn(position, rng.choice(legal_turns(position, 10_000)).steps)
        session.play(position.to_move, word)
    found = reviewed(session, Budget(100))
    assert len(found) == 6
    for one, other in zip(found, found[1:]):
        assert (one.after, one.after_proven) == (other.chance, other.proven)


def test_it_says_the_same_again():
    drive = Driver("boloa", 5)
    for line in ("play b pc3", "play w swap", "play b sb2", "play w sd4"):
        drive(line)
    assert reviewed(drive.session, Budget(100)) == reviewed(drive.session, Budget(100))


def test_where_the_game_begins_and_the_order_change_nothing(game):
    """A game that is set up two turns later has the same reviews of all other turns."""
    rng, whole, later = random.Random(3), Session(game, 5), Session(game, 5)
    for number in range(8):
        position = whole.position
        if number == 2:
            later.set_position(position)
        word = write_turn(position, rng.choice(legal_turns(position, 10_000)).steps)
        whole.play(position.to_move, word)
        if number >= 2:
            later.play(position.to_move, word)
    turns, setup = reviewed_turns(whole), search_setup(whole, Budget(60))
    backwards = {each: assess(each, setup) for each in reversed(judged_positions(turns))}
    found = reviewed(whole, Budget(60))
    assert found == list(judged(turns, backwards.__getitem__))
    assert found[5:] == list(judged(turns, backwards.__getitem__, 5))
    again = reviewed(later, Budget(60))
    assert [each._replace(number=each.number + 2) for each in again] == found[2:]


def test_a_swap_is_judged_by_what_it_takes_over():
    """The middle of a 3x3 board is worth having."""
    drive = Driver("robble", 3)
    drive("play b b2")
    drive("play w swap")
    first, swap = reviewed(drive.session)
    assert first.chance <= 0.5
    assert swap.word == "swap"
    assert swap.loss == 0
    assert value_for(Color.WHITE, swap.chance) >= 0.5


def test_a_swap_of_sides_turns_the_chances_over():
    drive = Driver("robble", 3)
    drive("game-pie sides")
    drive("play b b2")
    drive("play w swap-sides")
    _, swap = reviewed(drive.session)
    assert swap.loss == 0
    assert swap.after == 1 - swap.chance or swap.after_proven is None


def test_a_swap_of_sides_that_takes_the_lost_side_costs_it_all():
    """On 3x3 Black loses who begins in the middle: whoever takes Black over loses."""
    drive = Driver("implo", 3)
    for line in ("game-pie sides", "play b b2", "play w swap-sides"):
        drive(line)
    _, swap = reviewed(drive.session)
    assert swap.loss == 1


@pytest.mark.parametrize("word, told_of", [("resign", "resigned"), ("timeout", "lost on time")])
@pytest.mark.parametrize("game", DECISIVE, ids=lambda game: game.name)
def test_giving_up_a_won_game_costs_it_all(game, word, told_of):
    session, blunder = with_a_blunder(game)
    before = session.turns()[blunder - 1]
    replay = Session(game)
    replay.set_position(before.start)
    replay.play(before.color, word)
    (told,) = reviewed(replay)
    assert (told.word, told.loss) == (word, 1.0)
    assert told.after == (0.0 if before.color is BLACK else 1.0)
    assert f"{told_of} with a chance to win of" in told.why[0]


def test_an_open_turn_is_left_out():
    drive = Driver("implo", 3)
    for line in ("b b2", "w swap", "b a1", "w b1", "b a2", "w c2"):
        drive(f"play {line}")
    assert drive.session.turn_open
    assert [each.word for each in reviewed(drive.session, Budget(50))][-2:] == ["B1", "A2"]


def test_a_half_made_selection_leaves_out_no_turn_before_it():
    drive = Driver("boloa", 5)
    for line in ("play b pc3", "play w b2"):
        drive(line)
    assert drive.session.turn_open
    assert [each.word for each in reviewed(drive.session, Budget(50))] == ["pC3"]


@pytest.mark.parametrize("line", ["genmove b", "play b resign"])
def test_the_forced_rest_of_a_turn_that_was_set_up_is_left_out(line):
    drive = Driver("implo")
    drive("game-position implo 3 bbb/bBb/WB. b open=yes")
    drive(line)
    assert reviewed(drive.session, Budget(50)) == []


SET_UP_OPEN = "game-position implo 5 ..W../..W../BB.../B..../..... b open=yes"
HALF_CLICKED = "game-position boloa 5 ..W../..W../..b../.BB../..... b"


@pytest.mark.parametrize(
    ("lines", "reviewed"),
    [
        ((SET_UP_OPEN, "play b A4", "play w E1", "play b E3", "play w D1"), {2, 3, 4}),
        ((HALF_CLICKED, "play b A1", "play b resign"), {2}),
    ],
    ids=["forced steps only", "a half-made selection"],
)
def test_what_a_review_leaves_out_shifts_no_other_turn(lines, reviewed):
    drive = Driver("implo")
    for line in lines:
        drive(line)
    told = [json.loads(line) for line in drive("game-review 30").splitlines() if line]
    words = {number: turn.word for number, turn in enumerate(drive.session.turns(), 1)}
    assert {each["number"]: each["word"] for each in told} == {
        number: words[number] for number in reviewed
    }
    shown = turns_on(drive("game-review_page"))
    assert [node["word"] for node in shown[1:]] == list(words.values())
    assert {node["number"] for node in shown if "best" in node} == reviewed
    assert [shown[each["number"]]["best"] for each in told] == [each["best"] for each in told]
    assert all(node["chance"] is not None for node in shown)


def test_the_table_of_games_links_to_the_turn_of_the_page():
    drive = Driver()
    for line in (SET_UP_OPEN, "play b A4", "play w resign"):
        drive(line)
    about = FileReview.of(drive.session, "a.sgf", "", "a.html")
    setup = search_setup(drive.session, Budget(30))
    about.found += judged(reviewed_turns(drive.session), lambda each: assess(each, setup))
    assert about.complete and about.found[0].loss > 0
    (turn,) = about.found
    assert json.loads(line_of(about, turn))["number"] == 2
    assert read_line(line_of(about, turn)) == ("a.sgf", "", turn)
    assert '"a.html#2">2: resign' in index_page([about], setup.budget)


def test_there_is_nothing_to_say_about_no_turns(game):
    assert reviewed(Session(game, SIZE)) == []


@pytest.mark.parametrize("after", [0, 2])
def test_an_interrupt_ends_it_with_what_is_found(after):
    drive = Driver("pilo", 4)
    for line in ("play b a1", "play w b2", "play b c3", "play w d4"):
        drive(line)
    interrupt = threading.Event()
    found = []
    turns = review(drive.session, Budget(50, interrupt=interrupt))
    for _ in range(after):
        found.append(next(turns))
    interrupt.set()
    assert list(turns) == []
    assert len(found) == after
