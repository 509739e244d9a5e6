"""What catches the eye, and the players that see nothing else."""

import random
from collections import Counter

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import bit
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import SWAP_PIECES, SWAP_SIDES, Pie
from gtp_engine.search.backends.choose import PYTHON
from gtp_engine.search.budget import Budget
from gtp_engine.search.named_players import make_player
from gtp_engine.search.step_features import WON, Habits, after, noticed, standing
from support.boards import position

# Black wins by a stone on A2, and by no other turn.
WINNING = position("boloa", "B . W\n. . W\nB . .")


def chosen(name: str, before, seed: int) -> list[str]:
    player = make_player(before.game, name, str(seed), PYTHON)
    return list(map(str, player.choose(before, before.legal_steps(), Budget(visits=20)).steps))


def test_the_standing_counts_points_and_the_biggest_group():
    assert standing(find_game("implo").start(5), BLACK) == 0
    # Three stones against two, and groups of two and one.
    assert standing(position("robble", "B B . W\n. . . .\nB . W .\n. . . ."), BLACK) == 1 + 1
    # In Pilo the points are squares of patches: Blue's disk owns the whole board.
    assert standing(position("pilo", "B1 .\n. ."), WHITE) == -4 - 1


def test_the_winner_stands_better_than_any_points():
    won = position("boloa", "B . W\nB . W\nB . .")
    assert (standing(won, BLACK), standing(won, WHITE)) == (WON, -WON)


@pytest.mark.parametrize(("pie", "swap"), [(Pie.PIECES, SWAP_PIECES), (Pie.SIDES, SWAP_SIDES)])
def test_a_swap_gives_the_first_piece_to_who_swaps(pie, swap):
    start = find_game("robble").start(5, pie)
    first = start.play_unchecked(start.legal_steps()[0])
    assert standing(*after(first, swap)) > 0 > standing(first, WHITE)


def test_as_many_steps_are_noticed_as_the_habits_say(rng):
    before = find_game("robble").start(5)
    steps = before.legal_steps()
    assert noticed(before, steps, Habits(), rng) == steps
    assert noticed(before, steps, Habits(considers=99), rng) == steps
    numbers = Counter(
        len(set(noticed(before, steps, Habits(considers=2.25), rng))) for _ in range(200)
    )
    assert set(numbers) == {2, 3} and numbers[2] > 2 * numbers[3]


def test_a_win_is_mostly_noticed_and_sometimes_missed(rng):
    steps = WINNING.legal_steps()
    seen = sum(
        str(noticed(WINNING, steps, Habits(considers=1), rng)[0]) == "sA2" for _ in range(400)
    )
    assert 240 < seen < 360


def test_what_gains_at_once_and_what_is_near_draws_the_eye(rng):
    # White's stone on the edge leaves the board if Black plays B1.
    before = position("robble", ". . . . .\n. . . . .\n. . . . .\n. . . . .\nW . . . B")
    last = bit(Vertex.parse("C4"))
    seen = Counter(
        str(noticed(before, before.legal_steps(), Habits(considers=1, recent=last), rng)[0])
        for _ in range(600)
    )
    assert seen["B1"] > 3 * seen["E5"]
    assert seen["C5"] > 2 * seen["A5"]


@pytest.mark.parametrize("considers", [1, 1.4, 3])
def test_every_game_is_played_by_the_eye_to_its_end(any_game, considers):
    rng = random.Random(1)
    now = any_game.start(4)
    while now.outcome() is None:
        player = make_player(
            any_game, "mcts", str(rng.random()), PYTHON, habits=Habits(0.3, considers)
        )
        for step in player.choose(now, now.legal_steps(), Budget(visits=4)).steps:
            now = now.play(step)


@pytest.mark.parametrize("name", ["greedy", "greedy2"])
def test_a_greedy_player_takes_a_win(name):
    assert all(chosen(name, WINNING, seed) == ["sA2"] for seed in range(5))


def test_only_who_sees_two_turns_ahead_mostly_prevents_a_winning_answer():
    before = position("boloa", "W . W\n. . .\n. . .")
    lost = Counter({"greedy": 0, "greedy2": 0})
    for name in lost:
        for seed in range(20):
            now = before
            for word in chosen(name, before, seed):
                now = now.play(next(step for step in now.legal_steps() if str(step) == word))
            ends = [now.play(step).outcome() for step in now.legal_steps()]
            lost[name] += any(end is not None and end.winner is WHITE for end in ends)
    assert lost["greedy"] > 2 * lost["greedy2"]
