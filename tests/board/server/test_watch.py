"""Watching a match: games in progress reach the file, and then the page."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from gtp_engine.arena.playing.referee import LiveGames
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.storage.store import Store, StoreFailed
from gtp_engine.arena.values import GameRecord, LiveGame, TurnRecord
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.watching import WatchedGame, WatchTable
from gtp_engine.cli.arena import main
from gtp_engine.cli.arena_followed import FollowedMatches
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.records.record import Ending, GameStart
from support.matches import START, game_of, games_between, match_of, new_match
from support.pages import Visitor
from support.starting import engine_command, running
from support.thorough import thorough
from support.waiting import until, waiting_for

pytestmark = pytest.mark.usefixtures("engine_inside")

RESULT = game_of("A", "B", 0, 0, "A", length=2, opening=("A1",))
KEY = RESULT.key
TURNS = (
    TurnRecord("B", Color.WHITE, "B2", 0.25, 0.5),
    TurnRecord("A", Color.BLACK, "C3", 0.5),
)


@pytest.fixture
def path(tmp_path):
    return new_match(tmp_path / "match.db")


def test_threads_tell_how_their_games_go():
    games = LiveGames()
    assert games.news() == []
    assert games.news() is None
    games.begin(KEY, ("A1",))
    assert games.news() == [LiveGame(KEY, ("A1",), ())]
    games.add(KEY, TURNS[0])
    games.add(KEY, TURNS[1])
    assert games.news() == [LiveGame(KEY, ("A1",), TURNS)]
    games.end(KEY)
    assert games.news() == []
    games.end(KEY)
    assert games.news() is None


def test_a_game_in_progress_is_seen_from_outside_until_it_ends(path):
    with closing(Store(path)) as store, closing(Store(path, to_read=True)) as outside:
        assert store.claim(KEY)
        for turns in ((), TURNS[:1], TURNS):
            store.show_live([LiveGame(KEY, ("A1",), turns)])
            assert outside.live() == [LiveGame(KEY, ("A1",), turns)]
        store.add(GameRecord(RESULT, TURNS))
        assert outside.live() == []
        assert [result for _, result in outside.games()] == [RESULT]


def test_what_a_process_that_is_gone_left_is_not_in_progress(path, monkeypatch):
    with closing(Store(path, to_read=True)) as outside:
        with closing(Store(path)) as store:
            store.claim(KEY)
            store.show_live([LiveGame(KEY, (), TURNS)])
            assert len(outside.live()) == 1
            with monkeypatch.context() as later:
                later.setattr("gtp_engine.arena.storage.store.CLAIM_LAPSES", -1.0)
                assert outside.live() == []
            assert len(outside.live()) == 1
        assert outside.live() == []


@pytest.mark.parametrize(
    "column, value",
    [("turns", "[[]]"), ("turns", "[1]"), ("turns", "{}"), ("turns", "["), ("game", "chess")],
)
def test_an_altered_file_is_damaged(path, column, value):
    with closing(Store(path)) as store:
        store.claim(KEY)
        store.show_live([LiveGame(KEY, (), TURNS)])
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(f"update playing set {column} = ?", (value,))
            db.execute("update claims set game = (select game from playing)")
        with pytest.raises(StoreFailed, match="is damaged"):
            store.live()


def test_a_game_keeps_its_number_when_it_ends(path):
    with closing(Store(path)) as store, closing(FollowedMatches([path])) as match:
        assert match.look()
        games, (told,) = match.standing()
        assert (games, told["name"], told["standings"]) == ([], "match.db", [])
        assert told["result"].startswith("No game has been played yet.")
        assert not match.look()
        store.claim(KEY)
        store.show_live([LiveGame(KEY, ("A1",), TURNS[:1])])
        assert match.look()
        (game,) = match.standing().games
        assert game["text"] == "A \u2013 B, Robble 5" and game["result"] is None
        number = game["game"]
        assert match.live == [number]
        given = (("black", "A1", None), ("white", "B2", 0.5))
        start = GameStart("robble", 5, "pieces")
        assert match.game(number) == WatchedGame(str(number), start, ("A", "B"), given)
        store.add(GameRecord(RESULT, TURNS))
        assert match.look()
        games, (told,) = match.standing()
        assert [(each["game"], each["result"]) for each in games] == [(number, "B+")]
        assert (match.live, match.newest) == ([], number)
        assert [row["engine"] for row in told["standings"]] == ["A", "B"]
        assert told["standings"][0]["score"] == "100.0\N{NO-BREAK SPACE}%"
        ended = match.game(number)
        assert ended.turns == (*given, ("black", "C3", None))
        assert ended.ending == ("B+", "the board is full")
        assert match.game(number + 1) is None


def test_several_matches_are_followed_together(path, tmp_path):
    """The newest game comes first, whatever its match; numbers are never those of two games."""
    other = tmp_path / "other.db"
    with closing(Store(other)) as store:
        store.begin(match_of("B", "C", "D"), {})
        store.add(GameRecord(game_of("B", "C", 0, 0, "C", started=START + 100), ()))
        store.add(GameRecord(game_of("B", "C", 0, 1, "C", started=START + 300), ()))
    with closing(Store(path)) as store:
        store.add(GameRecord(game_of("A", "B", 0, 0, "A", started=START + 200), ()))
    with closing(FollowedMatches([path, other], {"B": 1000})) as matches:
        assert matches.look()
        games, (first, second) = matches.standing()
        assert [game["text"].rpartition(", ")[2] for game in games] == [
            "other.db",
            "match.db",
            "other.db",
        ]
        assert matches.newest == games[0]["game"]
        assert sorted(game["game"] for game in games) == [1, 2, 3]
        shown = [matches.game(game["game"]) for game in games]
        assert [game.players for game in shown] == [("C", "B"), ("A", "B"), ("B", "C")]
        assert [row["engine"] for row in first["standings"]] == ["A", "B"]
        assert [row["engine"] for row in second["standings"]] == ["C", "B"]
        assert {row["Elo"] for row in (first["standings"][1], second["standings"][1])} == {
            "1000 (anchor)"
        }
        with closing(Store(path)) as store:
            store.claim(KEY._replace(half=1))
            store.show_live([LiveGame(KEY._replace(half=1), (), ())])
            assert matches.look()
            assert matches.standing().games[0]["result"] is None
            assert matches.live == [matches.standing().games[0]["game"]] == [4]
        assert matches.look() and not matches.look()


def test_who_watches_long_keeps_only_what_can_be_chosen(path, monkeypatch):
    monkeypatch.setattr("gtp_engine.cli.arena_followed.MOST_SHOWN", 10)
    with closing(Store(path)) as store, closing(FollowedMatches([path])) as matches:
        for number in range(20):
            store.add(GameRecord(game_of("A", "B", number, 0, "A"), ()))
            matches.look()
        assert len(matches.standing().games) == 10
        assert len(matches._matches[0]._numbers) == 10


def test_an_anchor_must_be_an_engine_of_a_match(path):
    with pytest.raises(WrongMatch, match="--anchor: no engine is named C"):
        FollowedMatches([path], {"C": 1})


WATCHED = WatchedGame(
    "1",
    GameStart("robble", 5, "sides"),
    ("A", "B"),
    (("black", "A1", None), ("white", "swap-sides", 0.6), ("white", "C3", 0.7)),
)


def shown(*games, before=()):
    """The states after each of some games was shown; `before` are nodes to go to before."""

    async def states():
        table = WatchTable({})
        try:
            await table.start()
            found = []
            for game, node in zip(games, [*before, *[None] * len(games)]):
                if node is not None:
                    await table.goto(node)
                await table.show(game)
                found.append((table.state(), table.nodes()["set"]))
            return found
        finally:
            await table.close()

    return asyncio.run(states())


def test_a_game_is_followed_turn_by_turn():
    parts = [WATCHED._replace(turns=WATCHED.turns[:count]) for count in range(4)]
    states = shown(*parts)
    assert [state["node"] for state, _ in states] == [0, 1, 2, 3]
    assert [len(nodes) for _, nodes in states] == [1, 2, 3, 4]
    assert [node["chance"] for node in states[-1][1]] == [None, None, 0.6, 0.7]
    # After the swap the players have exchanged colors.
    assert [state["seats"]["black"]["engine"] for state, _ in states] == ["A", "A", "B", "B"]


def test_who_looks_at_an_earlier_turn_is_left_there():
    parts = [WATCHED._replace(turns=WATCHED.turns[:count]) for count in (2, 3, 3)]
    states = shown(*parts, before=(None, 1, 3))
    assert [state["node"] for state, _ in states] == [2, 1, 3]
    assert [len(nodes) for _, nodes in states] == [3, 4, 4]


def test_an_end_that_the_rules_do_not_know_is_told():
    ended = WATCHED._replace(ending=Ending("W+T", "A: out of time"))
    ((state, _), (earlier, _)) = shown(ended, ended, before=(None, 1))
    assert state["view"]["outcome"] == {
        "winner": "white",
        "result": "W+T",
        "margin": None,
        "title": "White wins",
        "text": "A: out of time",
        "rule": None,
        "points": [],
    }
    assert earlier["view"]["outcome"] is None


def test_another_game_takes_the_place_and_one_that_breaks_a_rule_does_not():
    other = WatchedGame("2", GameStart("pilo", 4, "off"), ("B", "C"), (("black", "D4", None),))
    first, second = shown(WATCHED, other)
    assert [state["view"]["game"]["name"] for state, _ in (first, second)] == ["robble", "pilo"]
    assert [node["id"] for node in second[1]] == [0, second[0]["node"]]

    async def refused():
        table = WatchTable({})
        try:
            await table.start()
            await table.show(WATCHED)
            wrong = other._replace(turns=(("black", "D4", None), ("white", "D4", None)))
            with pytest.raises(CannotDo, match="breaks a rule"):
                await table.show(wrong)
            return table.state()["view"]["game"]["name"], table.watched
        finally:
            await table.close()

    assert asyncio.run(refused()) == ("robble", WATCHED)


def arena(*words):
    return [sys.executable, "-m", "gtp_engine.cli.arena", *words]


# The texts of the panel that reach beyond it.
CUT = """() => {
  const end = (node) => node.getBoundingClientRect().right;
  const panel = document.querySelector("#watch");
  const parts = panel.querySelectorAll(".standings :is(h3, p, td, th), .game span");
  return [...parts].filter((part) => end(part) > end(panel) + 1).map((part) => part.innerText);
}"""


@thorough
def test_the_results_of_matches_find_room_beside_the_board(chromium, tmp_path):
    """Long names, many games and uneven intervals: nothing is cut off."""
    paths = []
    for number, scores in enumerate(("11 1= 11 10", "10 01 " * 300)):
        names = f"an-engine-with-a-very-long-name-{number}", "another"
        paths.append(tmp_path / f"{number}.db")
        with closing(Store(paths[-1])) as store:
            records = (GameRecord(game, ()) for game in games_between(*names, scores))
            store.fill(match_of(*names, games=1000), {}, {}, records, [])
    command = arena("watch", *map(str, paths), "--no-open")
    with running(command, stdout=subprocess.PIPE, text=True) as watching:
        address = watching.stdout.readline().strip()
        for width in (1300, 1100, 900):
            shown = chromium.new_page(viewport={"width": width, "height": 900})
            shown.goto(address)
            shown.locator("#watch table").nth(1).wait_for()
            assert shown.locator("#watch h3").all_inner_texts() == ["0.db", "1.db"]
            assert shown.evaluate(CUT) == []
            shown.close()


@thorough
def test_a_match_is_watched_while_it_is_played_and_browsed_after_it(tmp_path):
    """Games come and go on the page, which may step through them and change nothing."""
    path = tmp_path / "match.db"
    engine = engine_command("--seconds", "0.15", "--timing", "fixed")
    run = arena("run", "--db", str(path), "--engine", f"A={engine}", "--engine", f"B={engine}")
    run += ["--game", "pilo", "--size", "4", "--games", "2"]

    async def watched(address, playing):
        page = await Visitor.enter(address)
        hello = await page.hear("hello")
        playing.send_signal(signal.SIGCONT)
        live, nodes = set(), set()
        async with waiting_for("the results of both games"):
            while True:
                heard = await page.hear()
                if heard["kind"] == "games":
                    live |= {each["game"] for each in heard["list"] if each["result"] is None}
                    if len(heard["list"]) == 2 and all(each["result"] for each in heard["list"]):
                        break
                if heard["kind"] == "state":
                    nodes.add(heard["node"])
        first = heard["list"][-1]["game"]
        page.heard.clear()
        await page.send("watch", game=first)
        await page.send("undo")
        while (state := await page.hear("state"))["view"]["outcome"] is not None:
            pass
        await page.send("step", rev=state["rev"], word="A1")
        refused = await page.hear("told")
        await page.send("watch", game=99)
        unknown = await page.hear("told")
        page.leave()
        result = heard["matches"][0]["result"]
        return hello, live, nodes, refused["text"], unknown["text"], result

    async def match():
        playing = await asyncio.create_subprocess_exec(
            *run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        await until(lambda: path.exists() and begun(path))
        playing.send_signal(signal.SIGSTOP)  # until the page is there
        watching = await asyncio.create_subprocess_exec(
            *arena("watch", str(path), "--no-open"), stdout=-1
        )
        try:
            address = (await watching.stdout.readline()).decode().strip()
            found = await watched(address, playing)
            watching.terminate()
            assert await watching.wait() == 0
            assert await playing.wait() == 0
        finally:
            for process in (playing, watching):
                if process.returncode is None:
                    process.kill()
        return found

    hello, live, nodes, refused, unknown, result = asyncio.run(match())
    assert (hello["readonly"], hello["title"]) == (True, "match.db")
    assert live, "no game was seen in progress"
    assert len(nodes) > 1
    assert "only shows a match" in refused
    assert "no such game" in unknown
    assert "2 of 2 games" in result


def begun(path) -> bool:
    """Whether a match has begun in a file."""
    try:
        with closing(Store(path, to_read=True)) as store:
            return bool(store.match())
    except StoreFailed:
        return False


def test_what_cannot_be_watched_is_told(tmp_path, capsys):
    assert main(["watch", str(tmp_path / "none.db")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"gtp-arena watch: {tmp_path / 'none.db'} does not exist\n"
    assert os.listdir(tmp_path) == []
