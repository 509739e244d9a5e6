"""Tuning: legal settings, the next trial, the final result, and the end of a tuning.

Dice make the games of most tests; the last tests run the program with engines.
"""

import itertools
import json
import math
import os
import random
import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from gtp_engine.arena.playing.match import MatchFailed, Runner, Workers
from gtp_engine.arena.playing.openings import Book
from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.setup.setting_values import Space, parse_values, written
from gtp_engine.arena.setup.tables import differences, make_match, restore_match, write_match
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.tuning.tune import Tuner, opponents, propose, shrunk, trial_match
from gtp_engine.arena.values import Fault, GameRecord, GameResult, Identity, Trial
from gtp_engine.base.option import choice, integers, numbers
from gtp_engine.base.own_commands import own_command
from gtp_engine.base.statistics.statistics import Counts, Z, elo_of_score, expected_score
from gtp_engine.cli import arena_tune
from gtp_engine.cli.arena import main
from gtp_engine.cli.arena_options import tuning_tables
from gtp_engine.cli.arena_parsers import make_parser
from measure import tuning_coverage
from support.matches import START, match_of
from support.starting import ROBBLE, complaints, engine_command
from support.waiting import PATIENCE, wait_until

VISITS = {"settings": {"visits": "1..100"}, "trials": 16}


def tuning(*names, tune=VISITS, games=4, **settings):
    return match_of(*names or ("A",), tune=tune, games=games, **settings)


def more_visits_win(task):
    """A game that is won by more visits, mostly; who has none has 30. The seed is the dice."""
    visits = [int(task.engine(color).settings.get("visits", 30)) for color in (0, 1)]
    chance = expected_score(8.0 * (visits[0] - visits[1]))
    wins = random.Random(task.seed).random() < chance
    return record(task, task.key.engines[0 if wins else 1])


def record(task, winner, fault=None):
    result = GameResult(task.key, (), winner, "B+", "dice", fault, False, START, 1.0, 10)
    return GameRecord(result, ())


@pytest.fixture
def tune(tmp_path):
    """Goes on with a tuning in a file, up to a number of games. Returns trials and standings."""

    def tune(match, play=more_visits_win, most=10**6, file="tune.db"):
        store, stop, games = Store(tmp_path / file), StopRequest(lambda: None), itertools.count(1)

        def counted(task):
            if next(games) >= most:
                stop.finish()
            return play(task)

        try:
            store.begin(match, {})
            tuner = Tuner(match, store)
            with ThreadPoolExecutor(1) as executor:
                workers = Workers(executor, counted, lambda: 1, lambda: None)
                for trial in tuner.trials():
                    of_trial = trial_match(match, trial)
                    tried, original = of_trial.engines[0].name, match.engines[0].name
                    runner = Runner(of_trial, store, Book(), workers, stop, tried, original)
                    list(runner.run())
                    if stop.asked:
                        break
            return store.trials(), tuner.standings(), {game.key for _, game in store.games()}
        finally:
            store.close()

    return tune


@pytest.mark.parametrize(
    ("text", "values", "ends"),
    [
        ("1..50", Space(integers(1, 50), False), (1, 50)),
        ("-5..5", Space(integers(-5, 5), False), (-5, 5)),
        ("1..1024:log", Space(integers(1, 1024), True), (1, 1024)),
        ("0.1..4", Space(numbers(0.1, 4.0), False), (0.1, 4.0)),
        ("0..1.5", Space(numbers(0.0, 1.5), False), (0.0, 1.5)),
        (".5..1e2:log", Space(numbers(0.5, 100.0), True), (0.5, 100.0)),
        ("on|off", Space(choice("on", "off")), ("on", "off")),
        ("a | b | 3..4", Space(choice("a", "b", "3..4")), ("a", "b", "3..4")),
    ],
)
def test_what_may_be_chosen(text, values, ends):
    assert parse_values(text) == values
    assert parse_values(text).ends == ends


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not LOW..HIGH"),
        ("5", "not LOW..HIGH"),
        ("1-5", "not LOW..HIGH"),
        ("1..5:exp", "not LOW..HIGH"),
        ("a..b", "not LOW..HIGH"),
        ("nan..1", "not LOW..HIGH"),
        ("5..5", "is empty"),
        ("5..1", "is empty"),
        ("0.5..0.1", "is empty"),
        ("0..5:log", "above 0"),
        ("-0.1..5:log", "above 0"),
        ("1..1e999", "too large"),
        ("0..9007199254740993", "too large"),
        ("a|", "a word is empty"),
        ("a|b|a", "occurs twice"),
    ],
)
def test_what_is_no_choice(text, told):
    with pytest.raises(ValueError, match=told):
        parse_values(text)


def test_numbers_are_written_without_exponents_and_with_few_digits():
    assert [written(value) for value in (1e-05, 0.25, 3.0, 1e16, 7, "on")] == [
        *("0.00001", "0.25", "3.0", "10000000000000000", "7", "on"),
    ]
    assert Space(numbers(0.0, 1.0)).rounded(0.123456) == 0.1235
    assert Space(numbers(0.0, 0.12344)).rounded(0.12344) == 0.1234
    assert Space(numbers(0.12344, 1.0)).rounded(0.12344) == 0.12344


@pytest.mark.parametrize(
    ("names", "settings", "told"),
    [
        (("A",), {"tune": {"settings": {}}}, "no setting is given"),
        (("A",), {"tune": {"settings": {"visits": "9..1"}}}, "visits: the range 9..1 is empty"),
        (("A",), {"tune": {"settings": {"vis its": "1..9"}}}, "not a valid name of a setting"),
        (("A",), {"tune": {"settings": {"": "1..9"}}}, "not a valid name of a setting"),
        (
            ("A",),
            {"tune": VISITS | {"trials": 0}},
            "tune, trials: expected integer 1..100000, got 0",
        ),
        (("A",), {"tune": {"settings": {"visits": 3}}}, "visits: expected text, got 3"),
        (("A",), {"tune": VISITS | {"games": 3}}, 'tune: there is no key "games"'),
        (("A", "A#1"), {"tune": VISITS}, "A#1 is reserved for a trial"),
        (("A", "B"), {"tune": VISITS, "sprt": {"elo0": 0, "elo1": 5}}, "cannot be used with tune"),
        ((), {"tune": VISITS}, "a tuning needs one"),
    ],
)
def test_what_cannot_be_tuned(names, settings, told):
    with pytest.raises(WrongMatch, match=told):
        match_of(*names, **settings)


def test_more_trials_go_on_and_another_range_does_not():
    match = tuning()
    assert restore_match(write_match(match)) == match
    more = tuning(tune=VISITS | {"trials": 50}, games=8)
    assert differences(match, more) == []
    other = tuning(tune=VISITS | {"settings": {"visits": "1..99"}})
    assert differences(match, other) == ["tune.settings.visits: 1..100 before, 1..99 now"]


def test_a_trial_is_a_match_against_the_others_or_against_the_engine_as_it_is():
    trial = Trial(7, {"visits": 20, "noise": 0.00001}, 12, 4)
    alone = trial_match(tuning("A"), trial)
    tried, other = alone.engines
    assert (tried.name, tried.settings) == ("A#7", {"visits": "20", "noise": "0.00001"})
    assert (other.name, other.settings) == ("A", {})
    assert (tried.command, list(alone.pairs)) == (other.command, [12, 13])
    many = trial_match(tuning("A", "B", "C"), trial)
    assert [(one.name, two.name) for one, two in many.pairings()] == [("A#7", "B"), ("A#7", "C")]
    assert [engine.name for engine in opponents(tuning("A", "B"))] == ["B"]


def test_scores_are_drawn_together_as_far_as_chance_explains_them():
    (alone,) = shrunk([Counts((0, 0, 1, 0, 3))])
    assert alone.value == pytest.approx(0.875)
    alike = shrunk([Counts((2, 0, 4, 0, 2)), Counts((1, 0, 4, 0, 3)), Counts((3, 0, 4, 0, 1))])
    assert [each.value for each in alike] == pytest.approx([0.5, 0.56, 0.44], abs=0.03)
    assert all(each.low < 0.5 < each.high for each in alike)
    lucky, sure, poor = shrunk(
        [Counts((0, 0, 0, 0, 2)), Counts((20, 0, 20, 0, 160)), Counts((9,) * 5)]
    )
    assert 0.5 < poor.value < lucky.value < 1
    assert sure.value == pytest.approx(0.85, abs=0.01)
    assert lucky.high - lucky.low > 3 * (sure.high - sure.low)


@pytest.mark.parametrize(("settings", "pairs"), [(2, 5), (5, 5), (10, 5), (25, 10), (100, 5)])
@pytest.mark.parametrize("shape", ["normal", "peak"])
def test_what_is_expected_of_the_best_holds_the_truth(settings, pairs, shape):
    """Intervals that took the spread of the true scores as known did so in 78 to 95 %."""
    rng = np.random.default_rng(3)

    def truths():
        for _ in range(200 if settings < 50 else 100):
            if shape == "normal":
                yield rng.normal(0, 60, settings)
            else:
                yield 60 - 500 * (rng.uniform(-0.5, 0.5, (settings, 2)) ** 2).sum(axis=1)

    best, every = tuning_coverage.held(truths(), pairs)
    assert best >= 0.92 and every >= 0.93


def test_proposals_follow_the_scores_and_the_seed():
    space = {
        "visits": parse_values("1..1000"),
        "noise": parse_values("0.01..1:log"),
        "mode": parse_values("a|b"),
    }
    tried = []
    for number in range(60):
        settings = propose(space, tried, number)
        assert propose(space, tried, number) == settings
        assert isinstance(settings["visits"], int) and 1 <= settings["visits"] <= 1000
        assert 0.01 <= settings["noise"] <= 1 and len(f"{settings['noise']:g}") <= 7
        score = 1 - abs(settings["visits"] - 700) / 1000 - 0.2 * (settings["mode"] == "a")
        tried.append((settings, score))
    assert {settings["mode"] for settings, _ in tried[:10]} == {"a", "b"}
    late = [settings for settings, _ in tried[-20:]]
    assert sum(abs(settings["visits"] - 700) < 150 for settings in late) > 12
    assert sum(settings["mode"] == "b" for settings in late) > 12


def test_it_finds_that_more_visits_win(tune):
    trials, standings, keys = tune(tuning())
    assert [trial.number for trial in trials] == list(range(1, 17))
    assert [trial.start for trial in trials] == list(range(0, 32, 2))
    assert len(keys) == 16 * 4
    assert {(key.first, key.number // 2 + 1) for key in keys} == {
        (f"A#{number}", number) for number in range(1, 17)
    }
    assert standings[0].settings["visits"] > 60
    assert standings[0].score.value > standings[-1].score.value
    assert sum(each.counts.units for each in standings) == 32


def test_every_fourth_trial_behind_the_first_ones_repeats_the_best(tune):
    before, standings, _ = tune(tuning(tune=VISITS | {"trials": 11}))
    after, _, _ = tune(tuning())
    assert after[:11] == before
    assert after[11].settings == standings[0].settings
    (repeated,) = (each for each in tune(tuning())[1] if {12} < set(each.trials))
    assert repeated.counts.units == 2 * len(repeated.trials)


@pytest.mark.parametrize("most", [1, 6, 31, 45])
def test_an_interrupted_tuning_becomes_the_same_as_any_other(tune, most):
    whole = tune(tuning(), file="whole.db")
    trials, _, keys = tune(tuning(), most=most)
    assert most <= len(keys) <= most + 1 and len(trials) < 16
    assert tune(tuning()) == whole


def test_a_longer_tuning_has_no_opening_twice(tune):
    tune(tuning(tune=VISITS | {"trials": 3}), most=9)
    trials, _, keys = tune(tuning(tune=VISITS | {"trials": 5}, games=6, start=1))
    assert [(trial.start, trial.games) for trial in trials] == [
        *((0, 4), (2, 4), (4, 4), (6, 6), (9, 6)),
    ]
    assert len(keys) == 3 * 4 + 2 * 6


def test_many_opponents_count_together(tune):
    _, standings, keys = tune(tuning("A", "B", "C", tune=VISITS | {"trials": 2}))
    assert {(key.first, key.second) for key in keys} == {
        *(("A#1", "B"), ("A#1", "C"), ("A#2", "B"), ("A#2", "C")),
    }
    assert [each.counts.games for each in standings] == [8, 8]


def test_an_engine_that_only_fails_is_not_tried_again(tune):
    def fails(task):
        return record(task, "A", Fault.CRASH)

    for _ in range(2):
        with pytest.raises(MatchFailed, match="all 4 games so far were lost by faults: dice"):
            tune(tuning(), fails)


def test_one_that_fails_with_some_settings_goes_on(tune):
    (first,) = tune(tuning(tune=VISITS | {"trials": 1}))[0]
    least = first.settings["visits"]

    def fails(task):
        visits = next(int(e.settings["visits"]) for e in task.match.engines if "#" in e.name)
        return more_visits_win(task) if visits >= least else record(task, "A", Fault.CRASH)

    trials, standings, _ = tune(tuning(games=8), fails)
    assert len(trials) == 16
    assert standings[0].settings["visits"] >= least > standings[-1].settings["visits"]
    assert standings[-1].score.value == 0


def test_an_opponent_that_fails_in_every_game_ends_the_tuning(tune):
    def fails(task):
        return record(task, task.match.engines[0].name, Fault.CRASH)

    with pytest.raises(MatchFailed, match="^A lost 5 games in a row by faults"):
        tune(tuning(games=20), fails)


def test_all_trials_are_of_one_build(tune, tmp_path):
    """Workers tell the identities of the engines with their games."""

    def rebuilt(task):
        tried = task.key.first
        build = Identity("A 1", "old" if tried == "A#1" else "new")
        return more_visits_win(task)._replace(identities=((tried, build),))

    with pytest.raises(MatchFailed, match="^20 void games in a row: .* contains games of A as A 1"):
        tune(tuning("A", "B"), rebuilt)
    with closing(Store(tmp_path / "tune.db", to_read=True)) as store:
        assert {game.key.first for _, game in store.games()} == {"A#1"}
        assert store.engines() == {"A": Identity("A 1", "old")}
        reasons = {void.reason for void in store.voids()}
    assert all(" contains games of A as A 1, program old; it is now " in each for each in reasons)


def test_a_build_that_replaces_the_tuned_one_plays_no_trial(tmp_path, monkeypatch, capsys):
    """As if it had been replaced when all engines were ready."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(arena_tune, "identities", lambda *_: {"A": Identity("Small Robble 0")})
    words = ["tune", "--game", "robble", "--size", "3", "--tune", "seed=1..40", "--games", "2"]
    engines = ["--engine", f"A={ROBBLE}", "--engine", f"B={ROBBLE}"]
    assert main([*words, *engines, "--trials", "2"]) == 2
    assert "A#1 is now Small Robble 1" in "".join(capsys.readouterr())
    assert kept(tmp_path / "tune.db", "id from games") == []


def test_the_confirmation_is_played_on_openings_of_its_own(tune, tmp_path):
    tune(tuning())
    store = Store(tmp_path / "tune.db")
    match = Tuner(tuning(), store).confirmation({"visits": 90})
    store.close()
    match.check()
    assert [(engine.name, engine.settings) for engine in match.engines] == [
        *(("A tuned", {"visits": "90"}), ("A", {})),
    ]
    assert (match.start, match.sprt.elo0, match.tune) == (32, 0.0, None)


def test_the_page_of_tuning_is_true():
    page = (Path(__file__).parents[2] / "protocol_specs/matches/tuning.md").read_text()
    (toml,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    match = make_match(tomllib.loads(toml))
    assert match.tune and (match.tune.trials, match.games) == (100, 20)
    found = [parse_values(text) for text in match.tune.settings.values()]
    assert [each.values.convert for each in found] == [int, float, str]
    (command,) = re.findall(r"gtp-arena tune (--.*\\\n.*)", page)
    options = make_parser("tune").parse_args(shlex.split(command.replace("\\\n", " ")))
    match = make_match(tuning_tables(options, {}))
    assert match.tune and (match.tune.trials, match.games, match.concurrency) == (100, 20, 2)
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) % \| (\d+) \|", page, re.MULTILINE)
    assert len(rows) == 6
    for games, percent, elo in rows:
        error = Z * 0.5 / math.sqrt(int(games))
        assert (f"{100 * error:.1f}", f"{elo_of_score(0.5 + error):.0f}") == (percent, elo)


ARENA = [sys.executable, "-P", "-m", "gtp_engine.cli.arena"]
ENGINE = f"A={engine_command('--visits', '4')}"
TUNE = ["tune", "--game", "robble", "--size", "3", "--tune", "visits=1..40", "--games", "2"]


@pytest.fixture
def arena(tmp_path):
    """Runs the program in a folder of its own."""

    def arena(*words, **environment):
        return subprocess.run(
            [*ARENA, *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=os.environ | environment,
        )

    return arena


def kept(path, what):
    if not path.exists():
        return []
    db = sqlite3.connect(path, timeout=10)
    try:
        return db.execute(f"select {what} order by 1").fetchall()
    except sqlite3.OperationalError:  # not yet begun
        return []
    finally:
        db.close()


def test_a_tuning_in_one_line_and_what_it_ends_with(arena, tmp_path):
    done = arena(*TUNE, "--engine", ENGINE, "--trials", "3")
    assert (done.returncode, complaints(done)) == (0, [])
    lines = done.stdout.splitlines()
    assert [line.partition(": visits=")[0] for line in lines[:3]] == [
        *("trial 1/3", "trial 2/3", "trial 3/3"),
    ]
    assert lines[4:6] == [
        "Scores against A, with intervals of 95 %; the best 10:",
        "trials         games  score             expected          settings",
    ]
    command = own_command("gtp-arena", ["run", "tune.best.toml", "--db", "tune.best.db"])
    assert lines[-3].endswith(f". Confirm it: {command}")
    assert lines[-1] == "The tuning is complete: 3 trials, 6 games."
    confirmed = arena("run", "tune.best.toml", "--db", "tune.best.db", "--games", "2")
    assert (confirmed.returncode, complaints(confirmed)) == (0, [])
    assert "A tuned" in confirmed.stdout
    again = arena(*TUNE, "--engine", ENGINE, "--trials", "3")
    assert again.stdout.splitlines() == lines[3:]


def test_killed_it_goes_on_with_what_it_has(arena, tmp_path):
    words, path = [*TUNE, "--engine", ENGINE, "--trials", "6", "--json"], tmp_path / "tune.db"
    process = subprocess.Popen([*ARENA, *words], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: len(kept(path, "id from games")) >= 5)
    finally:
        process.kill()
        process.wait()
    games, trials = kept(path, "* from games"), kept(path, "* from trials")
    done = arena(*words)
    assert (done.returncode, complaints(done)) == (0, [])
    assert kept(path, "* from games")[: len(games)] == games
    assert kept(path, "* from trials")[: len(trials)] == trials
    assert kept(path, "first, half from games") == [
        (f"A#{number}", half) for number in range(1, 7) for half in (0, 1)
    ]
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events][-3:] == ["standings", "best", "end"]
    assert sum(len(each["trials"]) for each in events[-3]["standings"]) == 6
    assert events[-1] == {
        "event": "end",
        "why": "complete",
        "error": None,
        "trials": 6,
        "played": 12,
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["--engine", ENGINE, "--tune", "nosuch=1..5"],
            "A: it refused: game-set nosuch 1: unknown",
        ),
        (
            ["--engine", ENGINE, "--tune", "level=98..99"],
            "A: it refused: game-set level 98: invalid",
        ),
        (["--engine", ENGINE, "--tune", "player=mcts|tree"], "it refused: game-set player tree"),
        (["--engine", ENGINE, "--tune", "level"], "--tune takes KEY=VALUES, not level"),
        (["--engine", ENGINE, "--tune", "visits=1..5"], "--tune: visits occurs twice"),
        (["--engine", ENGINE, "--sprt", "0", "5"], "sprt: cannot be used with tune"),
        (["--engine", "A=no-such-program"], "A: program no-such-program not found"),
        (["--engine", "A=false"], "A: the engine exited with status 1 before its first response"),
        (["--engine", ENGINE, "--openings", "other.txt"], "other.txt has no opening for robble 3"),
        ([], "engines: a tuning needs one"),
    ],
    ids=str,
)
def test_what_cannot_be_begun(arena, tmp_path, words, told):
    (tmp_path / "other.txt").write_text("implo 6: B2\n")
    done = arena(*TUNE, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gtp-arena tune: ") and told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "tune.db").exists()


def test_a_match_is_no_tuning_and_a_tuning_no_match(arena, tmp_path):
    (tmp_path / "a.toml").write_text('[tune]\nsettings = { visits = "1..5" }\n')
    done = arena("run", "a.toml", "--engine", ENGINE)
    tune = own_command("gtp-arena", ["tune"])
    assert done.stderr == f"gtp-arena run: tune: run this match with {tune}\n"
    done = arena("tune", "--engine", ENGINE)
    assert done.stderr == "gtp-arena tune: tune: no setting is given: --tune KEY=LOW..HIGH\n"
