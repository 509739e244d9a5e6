"""The gate of a training: pairs of games, and the decision by their numbers."""

import random

import pytest

from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.gate_match import GateMatch, GateSide, play_gate_game, told
from gtp_engine.learn.plan import Plan
from gtp_engine.learn.selfplay import JobPlayer, Rival, SelfplayJob


def game(number: int, points: float) -> SelfplayGame:
    """A game in which the new net gets so many points."""
    result = points if number % 2 == 0 else 1 - points
    return SelfplayGame("robble", 3, number, [], result, 1.0, [])


def pairs(*points: float) -> list[SelfplayGame]:
    """Games of pairs in which the new net gets so many points of 2."""
    return [game(number, points[number // 2] / 2) for number in range(2 * len(points))]


def test_wins_pass_and_losses_do_not():
    won, lost = GateMatch(50, pairs(*[2, 1.0] * 25)), GateMatch(50, pairs(*[0, 1.0] * 25))
    assert (won.passed, won.decided) == (True, True)
    assert (lost.passed, lost.decided) == (False, True)
    assert won.counts.units < 50 > lost.counts.units


@pytest.mark.parametrize("last, passed", [(1.0, True), (0.0, False), (2.0, True)])
def test_after_the_most_pairs_half_of_the_points_are_enough(last, passed):
    gate = GateMatch(4, pairs(2, 0, 1.0))
    assert gate.passed is None
    for each in (game(6, last / 2), game(7, last / 2)):
        gate.add(each)
    assert (gate.passed, gate.decided) == (passed, False)


def test_the_order_in_which_games_end_does_not_matter():
    games = pairs(*random.Random(1).choices([0, 1.0, 2], [1, 2, 4], k=50))
    in_order = GateMatch(50, games).facts()
    for seed in range(5):
        mixed = random.Random(seed).sample(games, len(games))
        assert GateMatch(50, mixed).facts() == in_order


def test_a_pair_counts_when_all_before_it_are_complete():
    first, second, third, fourth = pairs(2, 2)
    gate = GateMatch(50, [third, fourth, first])
    assert gate.counts.units == 0
    gate.add(second)
    assert gate.counts.numbers == (0, 0, 0, 0, 2)


def test_the_result_has_intervals_and_words():
    facts = GateMatch(2, pairs(2, 1.0)).facts()
    assert facts["pairs"] == [0, 0, 1, 0, 1]
    value, low, high = facts["score"]
    assert low < value == 0.75 < high
    assert told(facts).startswith("75 % [") and told(facts).endswith(
        "of 2 pairs, passed, undecided"
    )
    all_won = GateMatch(1, pairs(2)).facts()
    assert all_won["elo"][0] is None, "no game bounds it"
    assert told(GateMatch(1).facts()) == "no pair"


def test_both_games_of_a_pair_begin_alike_and_exchange_colors(module):
    """The strong side wins as BLACK and as WHITE."""
    effort = Plan("robble", 3).effort(learned=False)
    strong, weak = GateSide(600, effort.options, None), GateSide(2, effort.options, None)
    play = [
        play_gate_game(module, ("robble", 4), n, "7", (strong, weak), lambda: False)
        for n in range(2)
    ]
    assert play[0].steps[:2] == play[1].steps[:2]
    assert play[0].steps != play[1].steps
    points = [
        (found.result, 1 - found.result)[found.number % 2]
        for seed in range(4)
        for found in (
            play_gate_game(module, ("robble", 4), n, f"{seed}", (strong, weak), lambda: False)
            for n in range(2)
        )
    ]
    assert sum(points) > 6


def test_a_job_with_a_rival_plays_pairs(module):
    plan = Plan("robble", 3, (2, 3), visits=60, fast_visits=20, first_visits=1.0)
    effort = plan.effort(learned=False)
    job = SelfplayJob("robble", plan.boards, "1 gate 1", effort, None, Rival(effort, None))
    player = JobPlayer(job)
    found = [player.play(number, lambda: False) for number in range(8)]
    assert [each.number for each in found] == list(range(8))
    assert all(found[n].size == found[n + 1].size for n in range(0, 8, 2))
    assert not any(each.looks for each in found)
    assert player.play(3, lambda: True) is None
