"""Search options: one declaration, former names as aliases, and defaults from a game's tuning."""

import re

import pytest

from gtp_engine.base.option import options
from gtp_engine.cli.flags import add_flags, chosen
from gtp_engine.engine.settings import Settings, setting_of, settings
from gtp_engine.rules import find_game
from gtp_engine.search.options import SearchOptions, tuned
from support.driver import Driver

FORMER = [each for each in options(SearchOptions) if each.former is not None]


def test_every_option_is_a_setting():
    assert {each.name for each in options(SearchOptions)} <= {each.name for each in settings()}


@pytest.mark.parametrize("option", FORMER, ids=lambda each: each.former)
def test_a_former_name_still_works_on_the_wire(option):
    drive = Driver()
    text = str(next(word for word in ("every", "1") if matches(option, word)))
    drive(f"game-set {option.former} {text}")
    assert f"{option.name} {text}" in "\n".join(
        line.replace(".0 ", " ") for line in drive("game-settings").splitlines()
    )
    assert setting_of(option.former) is setting_of(option.name)


def matches(option, text: str) -> bool:
    try:
        option.values.parse(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("option", FORMER, ids=lambda each: each.former)
def test_a_former_name_still_works_on_the_command_line_and_in_the_environment(option, monkeypatch):
    import argparse

    parser = argparse.ArgumentParser()
    add_flags(parser, settings())
    text = next(word for word in ("every", "1") if matches(option, word))
    value = option.values.parse(text)
    given = parser.parse_args([f"--{option.former}", text])
    assert chosen(given, settings()) == {option.name: value}
    monkeypatch.setenv(f"PATCHPIE_{option.former.upper()}", text)
    assert chosen(parser.parse_args([]), settings()) == {option.name: value}
    assert option.former not in re.findall(r"--(\w+)", parser.format_help())


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
