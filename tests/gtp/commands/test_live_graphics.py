"""Live graphics for GoGui, on stderr while a search runs."""

import re

import pytest

from gtp_engine.gtp.commands import live_graphics
from gtp_engine.rules import games
from gtp_engine.search.openings.swap_maps import first_turns
from support.thorough import first_of
from support.waiting import PATIENCE
from support.wire import Engine

FOR_EVER = ("--seconds", "1000", "--timing", "fixed")


@pytest.mark.parametrize("game", first_of(games()), ids=lambda game: game.name)
def test_a_long_search_is_drawn_and_wiped_away(game):
    options = ["--size", "7", "--moves", "clicks", "--swap_maps", "off"]
    first = next(turn.word for turn in first_turns(game, 7) if "C3" in turn.word)
    with Engine("--game", game.name, *options, *FOR_EVER) as engine:
        assert engine.ask(b"gogui-interrupt") == b"=\n\n"
        assert engine.ask(f"play b {first}".encode()) == b"=\n\n"
        engine.write(b"genmove w\n")
        told = engine.read_log(b"%\n\n") + engine.read_log(b"%\n\n")
        engine.write(b"# interrupt\n")
        assert engine.read().startswith(b"= ")
        assert engine.ask(b"quit") == b"=\n\n"
        engine.process.wait(PATIENCE)
        told += engine.rest_of_log()
    packets = re.sub("^INFO: .*\n", "", told.decode(), flags=re.MULTILINE).split("gogui-gfx:")
    assert packets[0] == ""
    assert packets[-1] == " CLEAR\n"
    for packet in packets[1:-1]:
        assert re.fullmatch(
            r"\n([A-Z]+ .*\n)*INFLUENCE( [A-G][1-7] \d\.\d\d)+\n"
            r"TEXT \d+ visits, \S+ wins \d+\.\d%\n\n",
            packet,
        ), packet
    assert len(packets) > 3


@pytest.mark.parametrize("seconds_between", [0.0, 1000.0])
@pytest.mark.parametrize("is_gogui", [True, False])
@pytest.mark.parametrize("line", ["kata-search b", "genmove b"])
def test_only_long_searches_for_gogui_are_drawn(
    line, is_gogui, seconds_between, drive, monkeypatch
):
    written = []
    monkeypatch.setattr(live_graphics, "_SECONDS_BETWEEN", seconds_between)
    monkeypatch.setattr(live_graphics.stderr, "write", written.append)
    for setup in ("game-pie off", "game-set backend python", "game-set moves clicks"):
        drive(setup)
    if is_gogui:
        drive("gogui-title")
    drive("game-set visits 20")
    drive(line)
    assert bool(written) == (is_gogui and seconds_between == 0)
