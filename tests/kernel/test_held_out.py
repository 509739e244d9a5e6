"""The held-out games: legal, complete, repeatable, and unknown to any training."""

import random
import re
from dataclasses import replace

import pytest

from documents import held_out
from documents.held_out import HeldOutEffort, held_out_sizes, make_game, write_games
from gtp_engine.learn import held_out_games, selfplay
from gtp_engine.learn.held_out_games import held_out_path, read_games
from gtp_engine.learn.plan import Plan
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.search.data_file import UnusableFile
from project.test_architecture import imports
from support.thorough import thorough

OWN = "gtp_engine.learn.held_out_games"
QUICK = HeldOutEffort(60, 20)

in_a_checkout = pytest.mark.skipif(
    not held_out_path("any").parent.exists(), reason="a wheel leaves out the games"
)


def made(module, game, number=0, seed=1):
    return make_game(module, (game.name, 4), number, seed, QUICK, None)


@in_a_checkout
def test_the_games_that_ship_are_legal_and_end_as_they_say(module, game):
    if not held_out_path(game.name).exists():
        pytest.skip("no games ship")
    games = held_out_games.held_out_games(game.name)
    assert {each.size for each in games} == set(held_out_sizes(game))
    assert sum(len(each.looks) for each in games) >= 800
    assert held_out_path(game.name).stat().st_size <= 300_000
    for each in games:
        position = module.Position(write_position(game.start(each.size)))
        looks = {look.after: look for look in each.looks}
        for number, step in enumerate(each.steps):
            legal = set(position.legal_steps())
            assert step in legal
            if number in looks:
                assert {step for step, _ in looks[number].visits} <= legal
            position.play(step)
        assert {1: 1.0, 2: 0.0, 3: 0.5}[position.outcome()[0]] == each.result


def test_a_seed_and_a_number_make_a_game(module, game):
    first = made(module, game)
    assert made(module, game) == first
    others = [made(module, game, number=1), made(module, game, seed=2)]
    assert all(each.steps != first.steps for each in others)


def test_games_come_back_from_their_file(module, game, tmp_path):
    games = [made(module, game, number) for number in range(3)]
    path = tmp_path / "games"
    write_games(path, games, {"game": game.name})
    assert [each.line() for each in read_games(path)] == [each.line() for each in games]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UnusableFile, match="cut off"):
        read_games(path)


def test_a_game_without_a_file_has_none():
    assert held_out_games.held_out_games("no such game") == ()


def test_no_seed_of_a_training_is_that_of_a_held_out_game(module, game, monkeypatch):
    """A training joins its seed, the generation and the number of the game: three numbers."""
    seeds = []

    class Spy(random.Random):
        def __init__(self, seed):
            seeds.append(seed)
            super().__init__(seed)

    monkeypatch.setattr(held_out.random, "Random", Spy)
    made(module, game)
    plan = replace(Plan(game.name, 4), visits=20, fast_visits=10, first_visits=1.0)
    selfplay.play_game(module, (game.name, 4), 0, "1 2 3", plan.effort(False), None, lambda: False)
    measured, training = seeds
    assert re.fullmatch("[0-9]+ [0-9]+ [0-9]+", training)
    assert not re.fullmatch("[0-9]+ [0-9]+ [0-9]+", measured)


@in_a_checkout
@thorough
def test_nothing_but_the_measurement_reads_them():
    """No part of a training, that is."""
    folder = held_out_path("any").parents[1]
    readers = {path.stem for path in folder.glob("*.py") if OWN in imports(f"learn/{path.name}")}
    assert readers == set()
    readers = {path.stem for path in folder.parent.rglob("*.py") if OWN in imports(path)}
    assert readers == {"bench_evaluations"}
