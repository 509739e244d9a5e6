"""`gtp-arena report`: its output, and the input that it rejects."""

import json
import random
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

import pytest

from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import (
    Board,
    Evidence,
    Fault,
    GameKey,
    GameRecord,
    GameResult,
    Identity,
    TurnRecord,
)
from gtp_engine.cli.arena import main
from gtp_engine.cli.arena_parsers import MOST_REPLAYS
from gtp_engine.engine.replay_page import MOST_BYTES
from gtp_engine.rules.points.color import BLACK, WHITE
from support.matches import START, match_of
from support.replays import game_on, listed_on, turns_on
from support.statuses import status_of
from support.thorough import only_if_all, thorough

SPECS = Path(__file__).parents[2] / "protocol_specs"
BOARD = Board("robble", 3, "pieces")
ALPHA = Identity("Alpha 1", "", "robble in the kernel, without a net")


def finished(half: int, words: str, **ending) -> GameRecord:
    """A game of A and B; the words of its turns, Black's first. The last one thinks aloud."""
    key = GameKey(BOARD, "A", "B", 0, half)
    turns = [
        TurnRecord(key.engines[number % 2], (BLACK, WHITE)[number % 2], word, 0.5)
        for number, word in enumerate(words.split())
    ]
    turns[-1] = turns[-1]._replace(value=0.25, visits=20, comment="hm <hm>")
    swapped = "swap" in words
    result = GameResult(
        key, (), ending.pop("winner"), ending.pop("result"), ending.pop("reason"),
        ending.pop("fault", None), swapped, START, 4.0, len(turns),
    )  # fmt: skip
    return GameRecord(result, tuple(turns), **ending)


@pytest.fixture
def db(tmp_path):
    """A pair of games: A resigned after a swap, then it crashed."""
    path = tmp_path / "match.db"
    store = Store(path)
    store.begin(match_of("A", "B", boards=["robble 3"], games=2), {"A": ALPHA})
    store.add(
        finished(0, "B2 swap B3 A1", winner="B", result="W+R", reason="A resigned"),
    )
    store.add(
        finished(
            1,
            "B2 A1",
            winner="B",
            result="B+F",
            reason="A: it ended",
            fault=Fault.CRASH,
            evidence=(Evidence("A", ("> genmove w", "! <segfault>")),),
        )  # fmt: skip
    )
    store.close()
    return path


def test_the_tables(db, capsys):
    assert main(["report", str(db)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("A against B, robble 3\nA and B cannot be told apart so far\n")
    assert "A lost 1 game by its own faults (crash 1)." in told
    assert "A plays robble in the kernel, without a net." in told
    assert "\x1b" not in told


def test_the_document(db, capsys):
    assert main(["report", "--json", str(db)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["identities"] == {"A": "Alpha 1"}
    assert told["uses"] == {"A": ["robble in the kernel, without a net"]}
    used = {"turns": 3, "total": 1.5, "longest": 0.5, "processor": None, "late": None}
    assert told["engines"][0]["time"] == used
    assert told["faulty_games"][0]["reason"] == "A: it ended"


@thorough
def test_the_page_with_replays(db, tmp_path, capsys):
    assert main(["report", str(db), "--html", str(tmp_path / "my #1.html")]) == 0
    assert capsys.readouterr().out == ""
    text = (tmp_path / "my #1.html").read_text()
    assert "! &lt;segfault&gt;" in text
    assert "<td>robble in the kernel, without a net</td>" in text
    addresses = re.findall(r'<a href="([^"]*)">robble 3</a>', text)
    assert [unquote(address) for address in addresses] == [
        *("my #1-games.html#game=2", "my #1-games.html#game=1"),
    ]
    games = (tmp_path / "my #1-games.html").read_text()
    assert listed_on(games) == [
        {"game": 2, "text": "2. robble 3: B \N{EN DASH} A", "result": "B+F"},
        {"game": 1, "text": "1. robble 3: A \N{EN DASH} B", "result": "W+R"},
    ]
    assert game_on(games, 1)["views"][-1]["outcome"]["result"] == "W+R"
    assert game_on(games, 2)["views"][-1]["outcome"]["text"] == "A: it ended"
    turns = turns_on(games, 1)
    assert [turn["word"] for turn in turns[:5]] == ["", "B2", "swap", "B3", "A1"]
    assert [turn["by"] for turn in turns[1:5]] == ["A", "B", "A", "B"]
    assert turns[4]["chance"] == 0.25


@thorough
def test_games_that_have_no_room_are_told(db, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("gtp_engine.engine.replay_page.MOST_BYTES", 1)
    page, games = tmp_path / "page.html", tmp_path / "page-games.html"
    assert main(["report", str(db), "--html", str(page)]) == 0
    told = f"gtp-arena report: {games} has room for the last 1 of 2 games\n"
    assert capsys.readouterr().err == told
    assert [each["game"] for each in listed_on(games.read_text())] == [2]
    assert re.findall(r"#game=(\d+)", page.read_text()) == ["2"]


def test_the_page_of_matches_says_how_many_games_and_bytes_there_are():
    text = " ".join((SPECS / "matches" / "arena.md").read_text().split())
    assert f"the last {MOST_REPLAYS} games (`--replays N`" in text
    assert f"at most {MOST_BYTES // 10**6} MB" in text


@thorough
def test_no_replays_on_demand(db, tmp_path):
    page = tmp_path / "page.html"
    assert main(["report", str(db), "--html", str(page), "--replays", "0"]) == 0
    assert "<a href" not in page.read_text()
    assert [path.name for path in tmp_path.glob("*games*")] == []


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_match_that_was_just_begun(tmp_path, capsys, form):
    path = tmp_path / "match.db"
    store = Store(path)
    store.begin(match_of("A", "B"), {})
    store.close()
    assert main(["report", str(path), *form]) == 0
    assert "No game has been played yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "does not exist"),
        (b"", "contains no match yet"),
        (b"x" * 5000, "not a file of this program"),
    ],
)
def test_what_is_no_match(tmp_path, capsys, content, words):
    path = tmp_path / "match.db"
    if content is not None:
        path.write_bytes(content)
    assert main(["report", str(path)]) == 2
    told = capsys.readouterr()
    assert (told.out, words in told.err) == ("", True)
    assert told.err.count("\n") == 1


@thorough
def test_a_page_that_cannot_be_written(db, tmp_path, capsys):
    assert main(["report", str(db), "--html", str(tmp_path / "no" / "page.html")]) == 2
    assert "No such file" in capsys.readouterr().err


ALTERED = (
    "update match set config = 7",
    "update match set config = replace(config, 'robble', 'chess')",
    "update games set game = 'chess'",
    "update games set size = 10000",
    "update games set size = 'five'",
    "update games set winner = 'C'",
    "update games set fault = 'boredom'",
    "update games set adjudicated = 'mercy'",
    "update games set swapped = 2",
    "update games set half = 7 where half = 1",
    "update games set length = -1",
    "update games set seconds = 9e999",
    "update games set seconds = 1e308",
    "update games set started = 1e300",
    "update games set opening = x'ff'",
    "update games set reason = cast(x'ff' as text)",
    "update engines set identity = x'ff'",
    "update turns set seconds = 'long'",
    "update turns set value = 7",
    "update turns set color = 'red'",
    "update turns set visits = 'many'",
    "update evidence set lines = x'ff'",
    "drop table turns",
)


WITH_REPLAYS = ("update turns set word = 'Z99'", *ALTERED)


@pytest.mark.parametrize(
    ("altered", "report"),
    [
        *((each, ["--json"]) for each in ALTERED),
        *(pytest.param(each, ["--html", "page.html"], marks=thorough) for each in WITH_REPLAYS),
    ],
)
def test_a_file_altered_by_hand_is_one_clear_error(db, tmp_path, capsys, altered, report):
    with closing(sqlite3.connect(db, isolation_level=None)) as file:
        file.execute(altered)
    tools = (
        ["report", *report[:1], *(str(tmp_path / name) for name in report[1:])],
        ["export", "--sgf", str(tmp_path / "games")],
        ["export", "--jsonl", str(tmp_path / "games.jsonl")],
    )
    assert 2 in [main([*tool, str(db)]) for tool in tools]
    told = capsys.readouterr().err
    assert told.startswith("gtp-arena ")
    assert "Traceback" not in told


def test_flipped_bits_are_no_traceback(db, tmp_path, capsys):
    """Wherever in the file they are; SQLite itself notices some of them."""
    dice, whole = random.Random(7), db.read_bytes()
    outcomes = Counter()
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(20):
            content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        db.write_bytes(content)
        outcomes[main(["report", "--json", str(db)])] += 1
    assert set(outcomes) == {0, 2}
    capsys.readouterr()


@pytest.mark.parametrize(
    "words",
    [["export", "--csv"], ["export", "--jsonl"], only_if_all(["report", "--html"])],
    ids=" ".join,
)
def test_a_match_is_not_overwritten_by_what_is_written_of_it(db, words, capsys):
    tool, option = words
    before = db.read_bytes()
    assert main([tool, str(db), option, f"{db.parent}/./{db.name}"]) == 2
    assert capsys.readouterr().err.endswith("cannot be written: it is read, too\n")
    assert db.read_bytes() == before


def test_two_exports_are_two_files(db, tmp_path, capsys):
    same = str(tmp_path / "games")
    assert main(["export", str(db), "--csv", same, "--json", same]) == 2
    assert "is the same file as" in capsys.readouterr().err
    assert not Path(same).exists()


@pytest.mark.parametrize("name", ["", ".", "/", "new/", "-"])
@pytest.mark.parametrize("tool", ["report", "merge"])
def test_a_name_that_is_none_of_a_file_is_refused(db, tool, name, capsys):
    option = {"report": "--html", "merge": "--into"}[tool]
    assert status_of(main, [tool, str(db), option, name]) == 2
    assert capsys.readouterr().err == (
        f"gtp-arena {tool}: argument {option}: {name!r} is no name of a file\n"
    )


def test_records_are_not_spread_over_a_folder_that_nobody_named(db, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert status_of(main, ["export", str(db), "--sgf", ""]) == 2
    assert list(tmp_path.glob("*.sgf")) == []
