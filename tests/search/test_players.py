"""The players: right where the answer is known, repeatable, within their budget."""

import random
import threading
import time

import pytest
from boards import position
from playing import every_position, random_game

from gtp_engine.board.color import BLACK, WHITE, Color
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAP_PIECES, Pie
from gtp_engine.search.backend import PLAYERS, make_player
from gtp_engine.search.budget import Budget
from gtp_engine.search.mcts import MctsPlayer, Node

QUICK = Budget(visits=100)


def choose(position: Position, budget: Budget = QUICK, seed: str = "1", player: str = "mcts"):
    return make_player(player, seed).choose(position, position.legal_steps(), budget)


def best_value(position: Position, cache: dict) -> float:
    """The value for BLACK under perfect play."""
    if position not in cache:
        outcome = position.outcome()
        if outcome is not None:
            value = 0.5 if outcome.winner is None else float(outcome.winner is BLACK)
        else:
            best = max if position.to_move is BLACK else min
            value = best(best_value(position.play(step), cache) for step in position.legal_steps())
        cache[position] = value
    return cache[position]


@pytest.mark.parametrize("player", PLAYERS)
def test_a_choice_is_a_whole_legal_turn(game, rng, player):
    for start in every_position(game, range(2, 5), 2, rng):
        if start.outcome() is not None:
            continue
        at = start
        for step in choose(start, Budget(visits=5), player=player).steps:
            assert at.outcome() is None
            at = at.play(step)
        assert not at.open


@pytest.mark.parametrize("player", PLAYERS)
def test_a_seed_repeats_a_choice(game, player):
    start = game.start(4, Pie.PIECES)
    choices = {choose(start, seed="7", player=player).steps for _ in range(3)}
    assert len(choices) == 1
    assert len({choose(start, seed=str(n), player=player).steps for n in range(20)}) > 1


WINS = {
    "Boloa: the chain's last point": (
        "boloa", "B . W\n. . W\nB . .", "b", {"sA2"},
    ),
    "Boloa: the last point of the other chain is taken": (
        "boloa", "W W .\nB . .\nB . .", "b", None,
    ),
    "Pilo: the capture that keeps all squares": (
        "pilo", "B1 W1\n# #", "b", {"A2-B2"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WINS)
def test_a_win_in_one_turn_is_found_and_proven(name):
    game, picture, to_move, answers = WINS[name]
    before = position(game, picture, to_move)
    choice = choose(before)
    if answers is not None:
        assert {str(step) for step in choice.steps} & answers
        assert choice.value_for(before.to_move) == 1


def test_what_is_proven_is_true(rng):
    """Small endings searched to the end agree with an exhaustive search."""
    for name in ("implo", "boloa", "pilo"):
        cache: dict = {}
        for _ in range(12):
            *_, late = [at for at, _ in random_game(find_game(name).start(3), rng)][:-3]
            root = Node(late)
            player = MctsPlayer(random.Random(1))
            player._search(root, Budget(visits=3000).begin())
            if root.proven is not None:
                assert root.proven == best_value(root.position, cache)
                chosen = choose(late, Budget(visits=3000)).steps
                at = late
                for step in chosen:
                    at = at.play(step)
                assert best_value(at, cache) == root.proven


def test_values_turn_around_only_with_the_color():
    """Inside Black's open turn the values of both steps are Black's."""
    open_turn = position("implo", ". B .\nB B b\nw w .", "b", open="yes")
    root = Node(open_turn)
    MctsPlayer(random.Random(1))._search(root, Budget(visits=200).begin())
    best = root.best()
    assert best.value == max(child.value for child in root.children)


def test_it_swaps_a_winning_opening_and_no_losing_one():
    """On 2x2 every opening of Boloa is decided; perfect play says which to swap."""
    cache: dict = {}
    for step in find_game("boloa").start(2).legal_steps():
        plain = find_game("boloa").start(2).play(step)
        offered = find_game("boloa").start(2, Pie.PIECES).play(step)
        choice = choose(offered, Budget(visits=400))
        assert (choice.steps == (SWAP_PIECES,)) == (best_value(plain, cache) == 1)
        assert choice.value_for(WHITE) > 0.5


def test_it_stops_at_a_proven_result():
    before = position("boloa", "B . W\n. . W\nB . .")
    began = time.monotonic()
    assert choose(before, Budget(seconds=30)).value == 1
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("size", [6, 19])
def test_time_ends_a_search_in_all_sizes(game, size):
    began = time.monotonic()
    assert choose(game.start(size), Budget(seconds=0.05)).steps
    assert time.monotonic() - began < 1.5


def test_no_time_at_all_still_gives_a_legal_turn(game):
    start = game.start(19)
    assert choose(start, Budget(seconds=0)).steps[0] in start.legal_steps()


def test_an_interrupt_from_another_thread_ends_a_search(game):
    interrupt = threading.Event()
    threading.Timer(0.1, interrupt.set).start()
    began = time.monotonic()
    assert choose(game.start(6), Budget(interrupt=interrupt)).steps
    assert time.monotonic() - began < 5


def test_more_visits_beat_chance(rng):
    """Thirty visits against random steps on the smallest lively boards."""
    for name, size in (("boloa", 4), ("robble", 5), ("pilo", 4), ("implo", 5)):
        won = 0
        for number in range(10):
            strong = Color(number % 2)
            at = find_game(name).start(size)
            while at.outcome() is None:
                player = "mcts" if at.to_move is strong else "random"
                for step in choose(at, Budget(visits=30), str(number), player).steps:
                    at = at.play(step)
            won += at.outcome().winner is strong
        assert won >= 8, name


def test_black_opens_near_even_when_white_may_swap():
    """Not the best child, nor one of few visits that happens to stand at a half."""
    root = Node(find_game("implo").start(4))
    for visits, value in ((100, 0.9), (90, 0.55), (80, 0.3), (1, 0.5)):
        child = Node(root.position.play(root.position.legal_steps()[len(root.children)]))
        child.visits, child.total = visits, visits * value
        root.children.append(child)
    assert root.most_even() is root.children[1]
    assert root.best() is root.children[0]


def test_only_black_opens_so(monkeypatch):
    """With the pie rule on, White's first turn is the best, not the most even."""
    asked = []
    monkeypatch.setattr(Node, "most_even", lambda node: asked.append(node) or node.children[0])
    start = find_game("boloa").start(3, Pie.PIECES)
    choose(start)
    assert len(asked) == 1
    first = start.play(start.legal_steps()[0])
    without_swap = tuple(step for step in first.legal_steps() if step != SWAP_PIECES)
    make_player("mcts", "1").choose(first, without_swap, QUICK)
    choose(find_game("boloa").start(3))
    assert len(asked) == 1


def test_the_best_child_is_the_best_for_the_color_to_move():
    """At equal visits Black takes the higher value, White the lower."""
    for to_move, best in ((BLACK, 1), (WHITE, 0)):
        before = position("robble", ". . .\n. B .\n. . .", str(to_move))
        root = Node(before)
        for value in (0.2, 0.8):
            child = Node(before.play(before.legal_steps()[len(root.children)]))
            child.visits, child.total = 10, 10 * value
            root.children.append(child)
        assert root.best() is root.children[best]
