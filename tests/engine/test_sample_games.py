"""The short games that front ends show in motion."""

from pathlib import Path

import pytest

from gtp_engine.engine.sample_games import samples
from gtp_engine.rules import games

PAGES = Path(__file__).parents[2] / "protocol_specs" / "games"
TOLD = [game for game in games() if game.goal or (PAGES / f"{game.name}.md").exists()]
DEEDS = {"place", "move", "remove", "color", "shape", "kind", "height"}


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
def test_each_game_that_is_documented_has_a_goal_and_a_sample(game):
    assert 0 < len(game.goal) <= 90 and game.goal.endswith(".")
    (sample,) = [each for each in samples() if each["game"]["name"] == game.name]
    assert sample["game"]["size"] == game.sample[0]
    assert len(sample["turns"]) == len(game.sample[1].split())
    for events in sample["turns"]:
        assert events and {event["do"] for event in events} <= DEEDS


def test_a_sample_shows_all_kinds_of_effects():
    shown = {
        sample["game"]["name"]: {event["do"] for turn in sample["turns"] for event in turn}
        for sample in samples()
    }
    assert shown["robble"] >= {"place", "move", "remove", "color"}
    assert shown["boloa"] >= {"place", "move"}
    assert shown["implo"] >= {"place", "remove"}
    assert shown["pilo"] >= {"place", "move", "height"}
