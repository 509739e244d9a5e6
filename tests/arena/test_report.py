"""Reports of a match: tables, JSON, the page."""

import io
import json
import re
from dataclasses import replace

import pytest

from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.json_document import document
from gtp_engine.arena.reporting.terminal import show
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.values import Fault, TimeUse
from support.matches import game_of, games_between, match_of, random_games


def findings_of(match, games, **known) -> Findings:
    tally = Tally(match.pair_test())
    for number, game in enumerate(games, 1):
        tally.add(game, number)
    return Findings(tally, match, **known)


@pytest.fixture(scope="module")
def small():
    """Twelve games of two engines; the last was lost by a crash."""
    games = [
        *games_between("new", "old", "11 1= 10 00 1="),
        game_of("new", "old", 5, 0, "new", swapped=True, length=12),
        game_of("new", "old", 5, 1, "new", fault=Fault.CRASH, length=7),
    ]
    times = {"new": TimeUse(140, 14.0, 1.25), "old": TimeUse(139, 0.02, 0.0004)}
    match = match_of("new", "old", games=20)
    return findings_of(match, games, identities={"new": "Engine 2"}, times=times, voids=1)


@pytest.fixture(scope="module")
def many():
    match = match_of("A", "B", "C", games=20, boards=["robble 5", "implo 6"])
    return findings_of(match, random_games(match, {"A": 100, "B": 0, "C": -100}))


def text_of(findings, file=None) -> str:
    file = file or io.StringIO()
    show(findings, file)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


REPORT = """\
new against old, robble 5
new and old cannot be told apart so far
new scores 66.7 %: +120.4 Elo (95 %: -217.1 to +537.8); 77.3 % likely to be stronger.
12 of 20 games, 6 complete pairs.
old lost 1 game by its own faults (crash 1).
1 void game was not counted.

Head to head
first   second   games   W-D-L    score                         Elo      LOS    draws
─────────────────────────────────────────────────────────────────────────────────────
new     old         12   7-2-3   66.7 %   +120.4 (-217.1 to +537.8)   77.3 %   16.7 %

Pairs of games by points of the first engine
first   second   0   1/2   1   3/2   2   half   ratio            nElo
─────────────────────────────────────────────────────────────────────
new     old      1     0   1     2   2      0    4.00   +119.2 ±351.4

By initial color; playing Black is worth +124.6 ±215.7 Elo
engine   identity   as Black W-D-L    score   as White W-D-L    score
─────────────────────────────────────────────────────────────────────
new      Engine 2            5-0-1   83.3 %            2-2-2   50.0 %
old      -                   2-2-2   50.0 %            1-0-5   16.7 %
"""


def test_the_report_of_a_small_match(small):
    assert text_of(small)[: len(REPORT)].splitlines() == REPORT.splitlines()


def test_the_other_tables_of_a_small_match(small):
    told = [re.sub(" {2,}", "  ", line).strip() for line in text_of(small).splitlines()]
    for line in (
        "robble 5  12  7-2-3  66.7 %  8.3 %  0-0-1  0.0 %  12 to 30  28.4  4.7 s",
        "new  140  100 ms  1.2 s  14.0 s",
        "old  139  0.1 ms  0.4 ms  20.0 ms",
        "old  crash  1  8.3 %",
    ):
        assert line in told


def test_processor_time_and_lateness_are_told_where_they_were_measured():
    """An older file, or a system that does not tell, leaves them out."""
    times = {"A": TimeUse(10, 5.0, 1.0, 7.5, 0.004), "B": TimeUse(10, 2.0, 0.5)}
    told = text_of(findings_of(match_of("A", "B"), games_between("A", "B", "11"), times=times))
    lines = [re.sub(" {2,}", "  ", line).strip() for line in told.splitlines()]
    assert "engine  turns  mean  longest  total  processor  arena late" in lines
    assert "A  10  500 ms  1.0 s  5.0 s  7.5 s  4.0 ms" in lines
    assert "B  10  200 ms  500 ms  2.0 s  -  -" in lines


def test_a_report_without_games():
    told = text_of(findings_of(match_of("A", "B", games=20), []))
    assert told == (
        "A against B, robble 5\nNo game has been played yet\n0 of 20 games, 0 complete pairs."
    )


def test_a_report_of_many(many):
    told = text_of(many)
    for title in ("Ratings", "Head to head", "By board and engines"):
        assert f"\n{title}\n" in told


class Terminal(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_only_a_terminal_gets_escape_codes(small, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in text_of(small)
    assert "\x1b" in text_of(small, Terminal())


def test_names_are_no_markup():
    games = games_between("[bold]", ":smile:", "11 10")
    told = text_of(findings_of(match_of("[bold]", ":smile:"), games))
    assert "[bold] against :smile:, robble 5" in told
    assert re.search(r"^\[bold\] +:smile: +4 +3-0-1", told, re.MULTILINE)


def test_what_engines_say_of_themselves_does_nothing_to_the_terminal():
    match = match_of("A", "B")
    told = text_of(
        findings_of(
            match,
            games_between("A", "B", "11"),
            identities={"A": "\x1b[2J\x07"},
            uses={"A": "\x1b[3J"},
        )
    )
    assert "A        \\x1b[2J\\x07" in told
    assert "A plays \\x1b[3J." in told


KEYS = {
    *("title", "headline", "sentences", "match", "identities", "uses", "games", "planned"),
    *("complete_pairs", "voids", "started", "ended", "test", "pools", "meetings", "by_board"),
    *("engines", "boards", "openings", "workers", "faults", "faulty_games"),
}


def shown(findings) -> str:
    """The report as text, with one blank between words."""
    file = io.StringIO()
    show(findings, file)
    return re.sub(r" *\n", "\n", re.sub(" +", " ", file.getvalue()))


def test_ratings_on_the_scale_of_an_anchor(many):
    anchored = replace(many, match=many.match.anchored({"C": 2000}))
    told = shown(anchored)
    assert "Ratings are on the scale of C at 2000 Elo." in told
    assert re.search(r"\nA 80 .* 2[12]\d\d\.\d ±\d+\.\d ", told)
    assert re.search(r"\nC 80 .* 2000 \(anchor\) -", told)
    (pool,) = json.loads(document(anchored))["pools"]
    assert [rating["anchor"] for rating in pool["ratings"]] == [False, False, True]
    assert "Ratings are on the scale" not in shown(many)


def test_with_an_anchor_two_engines_have_ratings(small):
    anchored = replace(small, match=small.match.anchored({"old": -50.5}))
    assert re.search(r"\nold 12 .* -50.5 \(anchor\)", shown(anchored))
    assert "\nRatings\n" not in shown(small)


def test_faults_are_told_by_worker():
    games = [
        *games_between("A", "B", "11 10", worker="good"),
        game_of("A", "B", 2, 0, "A", fault=Fault.TIME, worker="bad 3"),
        game_of("A", "B", 2, 1, "A", fault=Fault.CRASH, worker="bad 3"),
        game_of("A", "B", 3, 0, "A"),
    ]
    findings = findings_of(match_of("A", "B"), games)
    told = shown(findings)
    assert re.search(r"\nBy worker\n.*\n.*\nbad 3 2 1 1 100.0 %\ngood 4 0 0 0.0 %\n", told)
    assert json.loads(document(findings))["workers"] == [
        {"worker": "bad 3", "games": 2, "lost_on_time": 1, "other_faults": 1},
        {"worker": "good", "games": 4, "lost_on_time": 0, "other_faults": 0},
    ]
    faultless = findings_of(match_of("A", "B"), games[:4])
    assert "By worker" not in shown(faultless)


@pytest.mark.parametrize("scores", ["", "1", "11 11 11", "11 10 0="])
def test_the_document_is_json_with_the_same_keys_always(scores):
    match = match_of("A", "B", sprt={"elo0": 0, "elo1": 30})
    findings = findings_of(match, games_between("A", "B", scores))
    found = json.loads(document(findings), parse_constant=pytest.fail)
    assert set(found) == KEYS


def test_what_the_document_says(small):
    found = json.loads(document(small))
    (meeting,) = found["meetings"]
    assert (meeting["wins"], meeting["draws"], meeting["losses"]) == (7, 2, 3)
    assert meeting["pairs"] == [1, 0, 1, 2, 2]
    assert meeting["elo"]["value"] == pytest.approx(120.41, abs=0.01)
    assert found["boards"][0]["lengths"] == {"12": 1, "30": 10}
    assert found["faults"] == [{"engine": "old", "fault": "crash", "games": 1}]
    (faulty,) = found["faulty_games"]
    assert (faulty["id"], faulty["black"], faulty["result"]) == (12, "old", "W+F")
    used = {"turns": 140, "total": 14.0, "longest": 1.25, "processor": None, "late": None}
    assert found["engines"][0]["time"] == used
    assert found["test"] is None


def test_what_has_no_bound_is_null():
    found = json.loads(document(findings_of(match_of("A", "B"), games_between("A", "B", "11 11"))))
    strength = found["meetings"][0]["elo"]
    assert (strength["value"], strength["high"]) == (None, None)
    assert strength["low"] == pytest.approx(-290.5, abs=0.1)


def test_secrets_of_the_environment_stay_at_home():
    engines = [
        {"name": "A", "command": "a", "environment": {"TOKEN": "secret"}},
        {"name": "B", "command": "b"},
    ]
    from gtp_engine.arena.setup.tables import make_match

    told = document(findings_of(make_match({"engines": engines}), []))
    assert "TOKEN" in told
    assert "secret" not in told
