"""The progress reports of a match."""

import io
import json
import os
import re
from types import SimpleNamespace

import pytest
from rich.console import Console

from gtp_engine.arena.playing.match import PausedTurns, Played
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.cli.arena_progress import Bar, JsonLines, Lines, TrialLines
from support.full_disk import FULL, needs_full
from support.matches import games_between, match_of, random_games

THREE = {"A": 100, "B": 0, "C": -100}


def watched(kind, match, games, total=1000, **known):
    """What a way to show a match tells of these games, one by one."""
    runner = SimpleNamespace(tally=Tally(match.pair_test()), total=total, played=0)
    shown = kind(match, runner, **known)
    for game in games:
        runner.tally.add(game)
        runner.played += 1
        shown.show(Played(game))
    return shown


def events(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_test_is_told_after_each_pair_and_its_decision_once(capsys):
    match = match_of("A", "B", sprt={"elo0": 0, "elo1": 100})
    watched(JsonLines, match, games_between("A", "B", "11 10 " * 40)).end("decided")
    told = events(capsys)
    tests = [event for event in told if event["event"] == "test"]
    (decision,) = [event for event in told if event["event"] == "decision"]
    assert [event["pairs"] for event in tests] == list(range(1, decision["pairs"] + 1))
    assert decision["pairs"] < 80
    assert tests[1]["llr"] < tests[10]["llr"] < tests[-1]["llr"] == decision["llr"]
    assert decision["accepted"] == "H1"
    assert decision["llr"] >= decision["upper"]
    assert [event["event"] for event in told[:4]] == ["game", "game", "test", "game"]
    assert told[-1] == {
        "event": "end",
        "why": "decided",
        "error": None,
        "played": 160,
        "total": 1000,
    }


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Lines, "paused: robble 5, pair 0: A against B: 15.2 seconds, which no clock was charged"),
        (
            JsonLines,
            '{"event": "pause", "game": "robble 5, pair 0: A against B", "seconds": 15.204}',
        ),
    ],
)
def test_a_pause_is_told(capsys, kind, told):
    shown = watched(kind, match_of("A", "B"), [])
    (game,) = games_between("A", "B", "1")
    shown.show(PausedTurns(game.key, 15.2043))
    assert capsys.readouterr().out == f"{told}\n"


@needs_full
def test_a_full_disk_loses_lines_and_no_match(monkeypatch):
    match = match_of("A", "B")
    with open(FULL, "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        try:
            watched(Lines, match, games_between("A", "B", "11 10 " * 50))
        finally:
            os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())


def test_a_decision_of_an_earlier_run_is_told_at_the_end(capsys):
    match = match_of("A", "B", sprt={"elo0": 0, "elo1": 100})
    shown = watched(JsonLines, match, [])
    for game in games_between("A", "B", "11 10 " * 40):
        shown.runner.tally.add(game)
    shown.end("decided")
    assert [event["event"] for event in events(capsys)] == ["decision", "end"]


def test_ratings_are_told_after_each_round(capsys):
    match = match_of(*THREE, games=20)
    watched(JsonLines, match, random_games(match, THREE))
    told = [event for event in events(capsys) if event["event"] == "ratings"]
    assert [event["played"] for event in told] == list(range(6, 61, 6))
    (pool,) = told[-1]["pools"]
    assert [rating["engine"] for rating in pool["ratings"]] == ["A", "B", "C"]
    assert pool["ratings"][0]["elo"]["low"] < pool["ratings"][0]["elo"]["value"]


def test_on_the_scale_of_an_anchor_two_engines_have_ratings_too(capsys):
    match = match_of("A", "B", anchors={"B": 2000})
    watched(Lines, match, games_between("A", "B", "11 10 =1 10"))
    last = capsys.readouterr().out.splitlines()[-1]
    assert re.search(r", A 2\d\d\d\.\d ±\d+\.\d$", last)
    watched(JsonLines, match, games_between("A", "B", "11 10"))
    told = [event for event in events(capsys) if event["event"] == "ratings"]
    assert [event["played"] for event in told] == [2, 4]
    best, other = told[-1]["pools"][0]["ratings"]
    assert (best["engine"], best["anchor"], other["anchor"]) == ("A", False, True)
    assert other["elo"] == {"value": 2000, "low": 2000, "high": 2000}


def test_lines_tell_how_many_engines_stand(capsys):
    match = match_of(*THREE, games=20)
    watched(Lines, match, random_games(match, THREE))
    lines = [line for line in capsys.readouterr().out.splitlines() if "standings" in line]
    assert len(lines) == 10
    assert lines[-1].startswith("standings: A +")


def test_lines_tell_that_strength_is_that_of_complete_pairs(capsys):
    watched(Lines, match_of("A", "B"), games_between("A", "B", "11 10 =1 1"))
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.endswith("; A 1 - 0 B, 0 draws")
    assert "; A 5 - 1 B, 1 draw, Elo of 3 complete pairs +" in last


@pytest.mark.parametrize(
    ("names", "words"), [("ABC", "above the next"), ("AB", "A 21 - 13 B, 6 draws")]
)
def test_the_bar_shows_how_the_engines_stand(names, words):
    match = match_of(*names, games=40)
    bar = watched(Bar, match, random_games(match, THREE))
    try:
        file = io.StringIO()
        Console(file=file, width=120).print(bar._picture())
        assert words in file.getvalue()
    finally:
        bar.close()


def test_a_trial_tells_now_and_then_how_far_it_is(capsys, monkeypatch):
    """Not after its last game: then the trial has a line of its own."""
    match, title = match_of("A#3", "A"), "trial 3/9: visits=5"
    watched(TrialLines, match, games_between("A#3", "A", "11 10"), title=title)
    assert capsys.readouterr().out == ""
    monkeypatch.setattr("gtp_engine.cli.arena_progress._BETWEEN_LINES", -1.0)
    watched(TrialLines, match, games_between("A#3", "A", "11 =0"), title=title, total=4)
    assert capsys.readouterr().out.splitlines() == [
        f"{title}: 1 of 4 games, score 1/1",
        f"{title}: 2 of 4 games, score 2/2",
        f"{title}: 3 of 4 games, score 2.5/3",
    ]


def test_the_bar_of_a_trial_has_its_title():
    match, file = match_of("A#3", "A"), io.StringIO()
    bar = watched(Bar, match, games_between("A#3", "A", "11"), title="trial 3/9: visits=5")
    try:
        Console(file=file, width=120).print(bar._picture())
    finally:
        bar.close()
    first, *_, last = file.getvalue().splitlines()
    assert first == "trial 3/9: visits=5" and last.startswith("A#3 2 - 0 A")
