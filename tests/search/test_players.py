"""The players, on both backends: right in known positions, repeatable, and within their budget."""

import random
from dataclasses import replace
from itertools import product

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.step import SWAP_PIECES, Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search import player as players
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.choice import Choice
from gtp_engine.search.named_players import PLAYERS, make_player
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.step_features import Habits
from gtp_engine.search.tree import Row, Tree, best, lower_bound, most_even, value_for
from support.boards import position
from support.playing import every_position, random_game, trees
from support.searching import OnceBegun
from support.thorough import thorough

QUICK = Budget(visits=100)
SEARCHING = [PYTHON, KERNEL] if kernel_built() else [PYTHON]


@pytest.fixture(params=SEARCHING)
def backend(request) -> str:
    return request.param


def choose(
    position: Position,
    budget: Budget = QUICK,
    seed: str = "1",
    player: str = "mcts",
    backend: str = PYTHON,
) -> Choice:
    chosen = make_player(position.game, player, seed, backend)
    return chosen.choose(position, position.legal_steps(), budget)


def plant(position: Position, backend: str, seed: int = 1) -> Tree:
    """A tree of a position without a swap ahead."""
    grow = trees(backend, SearchOptions(hash_mb=16), random.Random(seed), keep=False)
    return grow(position, position.legal_steps())


def best_value(position: Position, cache: dict) -> float:
    """The value for BLACK under perfect play."""
    if position not in cache:
        outcome = position.outcome()
        if outcome is not None:
            value = 0.5 if outcome.winner is None else float(outcome.winner is BLACK)
        else:
            better = max if position.to_move is BLACK else min
            value = better(
                best_value(position.play(step), cache) for step in position.legal_steps()
            )
        cache[position] = value
    return cache[position]


@pytest.mark.parametrize("player", PLAYERS)
def test_a_choice_is_a_whole_legal_turn(game, rng, player, backend):
    for start in every_position(game, range(2, 5), 2, rng):
        if start.outcome() is not None:
            continue
        at = start
        for step in choose(start, Budget(visits=5), player=player, backend=backend).steps:
            assert at.outcome() is None
            at = at.play(step)
        assert not at.open


def test_the_expected_line_goes_on_from_the_choice(game, rng, backend):
    """Its steps are legal one after the other, and forced ones are not among them.

    The report begins with the step that is played, and counts the same visits.
    """
    for start in every_position(game, range(2, 5), 2, rng):
        if start.outcome() is not None:
            continue
        choice = choose(start, Budget(visits=20), backend=backend)
        assert (choice.report is not None) == bool(choice.visits)
        if choice.report is not None:
            first, report = choice.report.rows[0], choice.report
            assert first.step == choice.line[0]
            assert (report.visits, report.proven) == (choice.visits, choice.proven)
        assert bool(choice.line) == bool(choice.visits)
        at, played = start, []
        for step in choice.line:
            forced, at = settle(at)
            at = at.play(step)
            played += (*forced, step)
        played += settle(at)[0]
        if choice.line:
            assert tuple(played[: len(choice.steps)]) == choice.steps


@pytest.mark.parametrize("player", PLAYERS)
def test_a_seed_repeats_a_choice(game, player, backend):
    start = game.start(7, Pie.PIECES)
    first, again = (choose(start, seed="7", player=player, backend=backend) for _ in range(2))
    assert first.steps == again.steps
    others = (choose(start, seed=str(n), player=player, backend=backend) for n in range(20))
    assert any(other.steps != first.steps for other in others)


WINS = {
    "Boloa: the chain's last point": (
        "boloa", "B . W\n. . W\nB . .", "b", {"sA2"},
    ),
    "Boloa: the last point of the other chain is taken": (
        "boloa", "W W .\nB . .\nB . .", "b", None,
    ),
    "Pilo: the capture that keeps all squares": (
        "pilo", "B2 W2\n# #", "b", {"A2-B2"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WINS)
def test_a_win_in_one_turn_is_found_and_proven(name, backend):
    game, picture, to_move, answers = WINS[name]
    before = position(game, picture, to_move)
    choice = choose(before, backend=backend)
    if answers is not None:
        assert {str(step) for step in choice.steps} & answers
        assert choice.value_for(before.to_move) == 1


@thorough
def test_what_is_proven_is_true(rng, backend):
    """Small endings searched to the end agree with an exhaustive search."""
    proven = 0
    for name in ("implo", "boloa", "pilo"):
        cache: dict = {}
        for _ in range(12):
            *_, late = [at for at, _ in random_game(find_game(name).start(3), rng)][:-3]
            tree = plant(late, backend)
            tree.search(Budget(visits=3000).begin())
            if tree.proven is not None:
                proven += 1
                assert tree.proven == best_value(late, cache)
                at = late
                for step in choose(late, Budget(visits=3000), backend=backend).steps:
                    at = at.play(step)
                assert best_value(at, cache) == tree.proven
            for row in tree.rows():
                if row.proven is not None:
                    assert row.proven == best_value(late.play(row.step), cache)
    assert proven > 20


def test_values_turn_around_only_with_the_color(backend):
    """Inside Black's open turn the values of both steps are Black's."""
    open_turn = position("implo", ". B .\nB B b\nw w .", "b", open="yes")
    tree = plant(open_turn, backend)
    tree.search(Budget(visits=200).begin())
    rows = tree.rows()
    assert best(rows, BLACK).value == max(row.value for row in rows)


def test_it_swaps_a_winning_opening_and_no_losing_one(backend):
    """On 2x2 every opening of Boloa is decided; perfect play says which to swap."""
    cache: dict = {}
    for step in find_game("boloa").start(2).legal_steps():
        plain = find_game("boloa").start(2).play(step)
        offered = find_game("boloa").start(2, Pie.PIECES).play(step)
        choice = choose(offered, Budget(visits=400), backend=backend)
        assert (choice.steps == (SWAP_PIECES,)) == (best_value(plain, cache) == 1)
        assert choice.value_for(WHITE) > 0.5


def test_who_overlooks_replies_decides_a_swap_like_others(backend):
    """But overlooks the replies where nothing is swapped."""
    cache: dict = {}
    options, missed = SearchOptions(hash_mb=16, swap_maps=False), 0
    for step, seed in product(find_game("boloa").start(2).legal_steps(), "1234"):
        offered = find_game("boloa").start(2, Pie.PIECES).play(step)
        player = make_player(offered.game, "mcts", seed, backend, options, Habits(considers=1))
        first, *_ = player.choose(offered, offered.legal_steps(), Budget(visits=400)).steps
        lost = best_value(replace(offered, pie=Pie.OFF), cache) == 0
        assert (first == SWAP_PIECES) != lost
        missed += lost and best_value(offered.play(first), cache) != 0
    assert missed


def test_who_overlooks_replies_searches_those_that_are_noticed(backend):
    options, considers = SearchOptions(hash_mb=16, swap_maps=False), Habits(considers=1)
    offered = find_game("robble").start(7, Pie.PIECES)
    offered = offered.play(offered.legal_steps()[0])
    for seed in "1234":
        player = make_player(offered.game, "mcts", seed, backend, options, considers)
        choice = player.choose(offered, offered.legal_steps(), Budget(visits=60))
        first, *_ = choice.steps
        assert first in [row.step for row in choice.report.rows if row.visits > 1]


def test_it_stops_at_a_proven_result(backend):
    before = position("boloa", "B . W\n. . W\nB . .")
    choice = choose(before, Budget(visits=100_000), backend=backend)
    assert choice.value == choice.proven == 1
    assert choice.visits < 100_000


@pytest.mark.parametrize("size", [6, 19])
def test_time_ends_a_search_in_all_sizes(game, size, backend):
    """Nothing else would end it."""
    assert choose(game.start(size), Budget(seconds=0.01), backend=backend).steps


def test_no_time_at_all_still_gives_a_legal_turn(game, backend):
    start = game.start(19)
    choice = choose(start, Budget(seconds=0), backend=backend)
    assert choice.steps[0] in start.legal_steps()


@pytest.mark.skipif(not kernel_built(), reason="needs the kernel")
def test_no_time_at_all_still_gives_the_kernel_a_look(game):
    """Also where visits are limited, unless to none."""
    for visits in (None, 100):
        assert choose(game.start(8), Budget(visits, 0.0), backend=KERNEL).visits > 0
    assert choose(game.start(8), Budget(0, 0.0), backend=KERNEL).visits == 0


@pytest.mark.skipif(not kernel_built(), reason="needs the kernel")
def test_without_time_the_steps_of_a_root_that_was_kept_get_a_look(game):
    start = game.start(8, Pie.OFF)
    make = trees(KERNEL, SearchOptions(hash_mb=16, rave=0), random.Random(1), keep=True)
    tree = make(start, start.legal_steps())
    tree.search(Budget(visits=100).begin())
    while rows := tree.rows():
        tree.descend(rows[-1].step)
    tree.search(Budget(None, 0.0).begin())
    assert tree.rows()


def test_an_interrupt_from_another_thread_ends_a_search(game, backend):
    assert choose(game.start(6), Budget(interrupt=OnceBegun()), backend=backend).steps


@thorough
def test_more_visits_beat_chance(rng, backend):
    """Sixty visits against random steps on the smallest lively boards."""
    for name, size in (("boloa", 4), ("robble", 5), ("pilo", 4), ("implo", 5)):
        won = 0
        for number in range(6):
            strong = Color(number % 2)
            at = find_game(name).start(size)
            while at.outcome() is None:
                player = "mcts" if at.to_move is strong else "random"
                for step in choose(at, Budget(visits=60), str(number), player, backend).steps:
                    at = at.play(step)
            won += at.outcome().winner is strong
        assert won >= 5, name


def row(
    step: Step, visits: int, value: float, proven: float | None = None, to_move: Color = BLACK
) -> Row:
    seen = value_for(to_move, value)
    lcb = lower_bound(seen, visits) if proven is None else seen
    return Row(step, visits, value, 0.0, lcb, proven, (step,))


def test_black_opens_near_even_when_white_may_swap():
    """Not the best row, nor one of few visits that happens to stand at a half."""
    steps = find_game("implo").start(4).legal_steps()
    found = ((100, 0.9), (90, 0.55), (80, 0.3), (1, 0.5))
    rows = [row(step, *numbers) for step, numbers in zip(steps, found)]
    assert most_even(rows) is rows[1]
    assert best(rows, BLACK) is rows[0]


def test_only_black_opens_so(monkeypatch):
    """With the pie rule on, White's first turn is the best, not the most even."""
    asked = []
    monkeypatch.setattr(players, "most_even", lambda rows: asked.append(rows) or rows[0])
    start = find_game("boloa").start(3, Pie.PIECES)
    choose(start)
    assert len(asked) == 1
    first = start.play(start.legal_steps()[0])
    without_swap = tuple(step for step in first.legal_steps() if step != SWAP_PIECES)
    make_player(first.game, "mcts", "1", PYTHON).choose(first, without_swap, QUICK)
    choose(find_game("boloa").start(3))
    assert len(asked) == 1


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_the_best_row_is_the_best_for_the_color_to_move(to_move):
    """A proven win comes first, a proven loss last."""
    steps = find_game("robble").start(3).legal_steps()

    def seen(number: int, visits: int, value: float, proven: float | None = None) -> Row:
        known = None if proven is None else value_for(to_move, proven)
        return row(steps[number], visits, value_for(to_move, value), known, to_move)

    low, high = seen(0, 10, 0.2), seen(1, 10, 0.8)
    won, lost = seen(2, 1, 1.0, proven=1.0), seen(3, 99, 0.0, proven=0.0)
    assert best([low, high], to_move) is high
    assert best([low, high, won, lost], to_move) is won
    assert best([low, lost], to_move) is low
    longer, shorter = seen(4, 60, 0.0, proven=0.0), seen(5, 40, 0.0, proven=0.0)
    assert best([shorter, longer], to_move) is longer


@pytest.mark.parametrize(
    ("visits", "value", "chosen"),
    [
        (500, 0.60, True),  # half as many visits, and clearly better
        (500, 0.51, False),  # better, but its lower bound is not
        (190, 0.90, False),  # too few visits to be trusted
    ],
)
def test_a_better_row_of_fewer_visits_is_played_if_its_lower_bound_is_higher(visits, value, chosen):
    first, second, *_ = find_game("robble").start(3).legal_steps()
    most, other = row(first, 1000, 0.5), row(second, visits, value)
    assert best([most, other], BLACK, trusted=0.2) is (other if chosen else most)
    assert best([most, other], BLACK) is most


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_a_player_plays_the_trusted_step_with_the_highest_lower_bound(game, share, backend):
    start, options = game.start(4), SearchOptions(hash_mb=16, trusted_visits=share)
    player = make_player(game, "mcts", "1", backend, options)
    choice = player.choose(start, start.legal_steps(), Budget(visits=120))
    assert choice.report is not None
    played, *others = choice.report.rows
    most = max(row.visits for row in choice.report.rows)
    assert played.visits >= share * most
    assert all(row.lcb <= played.lcb for row in others if row.visits >= share * most)
