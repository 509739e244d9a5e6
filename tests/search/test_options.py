"""Search options: one declaration, and defaults from a game's tuning."""

from gtp_engine.base.option import options
from gtp_engine.engine.settings import Settings, settings
from gtp_engine.rules import find_game
from gtp_engine.search.options import SearchOptions, tuned


def test_every_option_is_a_setting():
    assert {each.name for each in options(SearchOptions)} <= {each.name for each in settings()}


def test_a_game_gives_the_numbers_that_nobody_asked_for():
    robble, boloa = find_game("robble"), find_game("boloa")
    assert tuned(SearchOptions(), robble, learned_evaluation=False).leaf_playouts == 8
    assert tuned(SearchOptions(), boloa, learned_evaluation=False).rave == 300
    assert tuned(SearchOptions(rave=0.0), boloa, learned_evaluation=False).exploration == 0.4
    assert tuned(SearchOptions(), boloa, learned_evaluation=True).rave == 0
    assert tuned(SearchOptions(expand_after=9), boloa, learned_evaluation=True).expand_after == 9
    assert tuned(SearchOptions(), find_game("pilo"), learned_evaluation=True).priors_only == 0.4
    assert tuned(SearchOptions(), find_game("implo"), learned_evaluation=True).proof_weight == 0.2
    assert tuned(SearchOptions(), boloa, learned_evaluation=True).trusted_visits == 0.2
    assert tuned(SearchOptions(), boloa, learned_evaluation=False).trusted_visits == 1


def test_auto_and_switches_are_words_on_the_wire():
    chosen = Settings().change("rave", "5").change("decisive", "off").change("rave", "auto")
    assert (chosen.rave, chosen.shown("rave")) == (None, "auto")
    assert (chosen.decisive, chosen.shown("decisive")) == (False, "off")
