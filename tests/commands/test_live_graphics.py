"""Live graphics for GoGui, on stderr while a search runs."""

import re

import pytest
from thorough import first_of
from wire import Engine

from gtp_engine.rules import games


@pytest.mark.parametrize("game", first_of(games()), ids=lambda game: game.name)
def test_a_long_search_is_drawn_and_wiped_away(game):
    long = ["--seconds", "1.3", "--timing", "fixed"]
    options = ["--size", "7", "--moves", "clicks", "--swap_maps", "off", *long]
    first = next(step for step in game.start(7).legal_steps() if "C3" in str(step))
    with Engine("--game", game.name, *options) as engine:
        assert engine.ask(b"play b %s" % str(first).encode()) == b"=\n\n"
        assert engine.ask(b"genmove w").startswith(b"= ")
        assert engine.ask(b"quit") == b"=\n\n"
        engine.process.wait(5)
        told = engine.process.stderr.read().decode()
    packets = re.sub("^INFO: .*\n", "", told, flags=re.MULTILINE).split("gogui-gfx:")
    assert packets[0] == ""
    assert packets[-1] == " CLEAR\n"
    for packet in packets[1:-1]:
        assert re.fullmatch(
            r"\n([A-Z]+ .*\n)*INFLUENCE( [A-G][1-7] \d\.\d\d)+\n"
            r"TEXT \d+ visits, \S+ wins \d+\.\d%\n\n",
            packet,
        ), packet
    assert len(packets) > 2


def test_a_short_search_draws_nothing():
    with Engine("--size", "5", "--moves", "clicks", "--visits", "50") as engine:
        assert engine.ask(b"genmove b").startswith(b"= ")
        assert engine.ask(b"quit") == b"=\n\n"
        engine.ends_well()
