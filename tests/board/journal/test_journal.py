"""The file of the journal: what it keeps, and what it says when it cannot."""

import os
import random
import sqlite3
import stat
import string
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gtp_engine.base.platforms import data_folder
from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import MOST_PROGRESS, Journal, JournalGames
from gtp_engine.board.journal.rows import game_row, node_row
from gtp_engine.board.table.saving import record_of
from gtp_engine.board.table.seat import Seat
from gtp_engine.board.table.stored_game import Kept
from gtp_engine.board.table.variations import GameNode, GameTree
from gtp_engine.rules.records.record import GameStart, RecordNode, plain_text, read_record
from support.starting import running

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")

ANN, ENGINE = Seat(name="Ann"), Seat("Patchpie", 3)


@contextmanager
def journal(path=None, **given):
    with closing(Journal(path, **given)) as opened:
        yield opened


def kept(words="", result="", **facts) -> Kept:
    """A game of single letters: `ab(cd)e` has the variation `cd` after b."""
    tree = GameTree()
    tree.players = {"black": ANN, "white": ENGINE}
    node, before = tree.root, []
    for letter in words:
        if letter == "(":
            before.append(node)
        elif letter == ")":
            node = before.pop()
        else:
            node = tree.add(node, "white" if node.number % 2 else "black", letter)
            node.to_move = "black" if node.number % 2 == 0 else "white"
    tree.end.over, tree.end.result = bool(result), result
    start = GameStart("robble", 5, "pieces", facts.pop("position", ""))
    return Kept(start, tree, node, {"black": ANN, "white": ENGINE}, False)


def write(into: Journal, game: Kept, number=None) -> int:
    rows = map(node_row, game.tree)
    return into.write(number, game_row(game), "", rows, None, table="1")


def text_of(game: Kept) -> str:
    return plain_text(record_of(game.start, game.tree))


def shape(node: GameNode) -> tuple:
    """All of a node that lasts, and its children."""
    facts = (node.color, node.word, node.number, node.open, node.over, node.to_move)
    said = (node.comment, node.chance, node.loss, node.best, node.why, node.read.properties)
    return facts, said, [shape(child) for child in node.children]


def test_all_of_a_game_comes_back(tmp_path):
    game = kept("ab(cd)(e)f", "B+R")
    c = game.tree.node(3)
    game.tree.comment(c, "why not?\n\U0001f600 \u2028")
    c.chance, c.loss, c.best, c.why = 0.25, 0.125, "x", ("so", "and so")
    c.read.properties = {"C": ["why"], "XX": ["1", "2\\]"]}
    c.open = True
    only_kept = read_record("(;GAME[robble]SZ[5];B[A1](;W[Q9]C[illegal];B[B2])(;W[Z1]))")
    c.unplayed = only_kept.root.children[0].children
    game.tree.promote(game.tree.node(5))  # e before c
    with journal(tmp_path / "j.db") as first:
        number = write(first, game)
    with journal(tmp_path / "j.db") as second:
        again = second.load(number)
    assert shape(again.tree.root) == shape(game.tree.root)
    assert text_of(again) == text_of(game)
    assert "illegal" in text_of(again)
    assert (again.start, again.seats, again.paused) == (game.start, game.seats, game.paused)
    assert again.node.word == game.node.word == "f"
    assert (again.tree.players, again.tree.began) == (game.tree.players, game.tree.began)


def test_the_head_of_a_record_says_who_when_and_how_it_ended():
    game = kept("abc", "B+R")
    game.tree.began = time.mktime((2026, 11, 26, 23, 30, 0, 0, 0, -1))
    root = record_of(game.start, game.tree).root
    wanted = {"PB": "Ann", "PW": "Patchpie", "WR": "level 3", "DT": "2026-11-26", "RE": "B+R"}
    assert {name: root.text(name) for name in root.properties} == wanted


def test_an_opened_record_keeps_to_what_it_says():
    game = kept("abc", "W+R")
    game.tree.root.read = RecordNode(properties={"PB": ["Bob"], "RE": ["W+Resign"]})
    game.tree.opened, game.tree.read_end = True, game.tree.end
    root = record_of(game.start, game.tree).root
    assert {name: root.text(name) for name in root.properties} == {"PB": "Bob", "RE": "W+Resign"}


def test_an_opened_record_stays_one_when_its_end_is_removed():
    """It counts for nobody's rating, and keeps its players and its date, also after a restart."""
    game = kept("abc", "W+R")
    told = {"PB": ["Ann"], "PW": ["Ben"], "DT": ["2020-01-01"]}
    game.tree.root.read = RecordNode(properties=told | {"RE": ["W+Resign"]})
    game.tree.opened, game.tree.read_end = True, game.tree.end
    game.tree.drop(game.tree.end)
    with journal() as opened:
        number = write(opened, game)
        opened.release(number)
        again = opened.load(number)
        assert (again.tree.opened, again.tree.read_end) == (True, None)
        root = record_of(again.start, again.tree).root
        assert root.properties == told
        assert opened.finished() == []
        (listed,) = opened.listed(0, 1)[1]
        assert (listed.black, listed.white, listed.human) == ("Ann", "Ben", "")


def test_a_list_names_a_guest_and_a_record_only_who_gave_a_name():
    game = kept("abc")
    game.tree.players = {"black": Seat(), "white": Seat(guest="white")}
    with journal() as opened:
        number = write(opened, game)
        (listed,) = opened.listed(0, 1)[1]
        assert (listed.black, listed.white, listed.human) == ("", "Guest", "")
        game.tree.players = {"black": ANN, "white": Seat(guest="white", name="Ben")}
        write(opened, game, number)
        (listed,) = opened.listed(0, 1)[1]
        assert (listed.black, listed.white) == ("Ann", "Ben")
    game.tree.players["white"] = Seat(guest="white")
    root = record_of(game.start, game.tree).root
    assert (root.text("PB"), root.text("PW")) == ("Ann", "")


@pytest.mark.parametrize("seed", range(20))
def test_variations_keep_their_order(seed):
    """After random actions, each written as its keeper does, the journal has the same tree."""
    rng = random.Random(seed)
    for _ in range(10):
        game, letters = kept(""), iter(string.ascii_letters)
        tree, node = game.tree, game.tree.root
        with journal() as opened:
            number = write(opened, game)
            for _ in range(24):
                nodes = [each for each in tree if each is not tree.root]
                action = rng.choice(["branch", "branch", "branch", "play on", "drop", "promote"])
                changed, gone = [], []
                if action in ("branch", "play on") or not nodes:
                    if action == "branch":
                        node = rng.choice(
                            [each for each in (tree.root, *nodes[:3]) if each in tree]
                        )
                    node = tree.add(node, "black", next(letters))
                    changed = [node]
                elif action == "drop":
                    gone, node = tree.drop(rng.choice(nodes)), tree.root
                else:
                    changed = tree.promote(rng.choice(nodes))
                rows = map(node_row, changed)
                opened.write(number, game_row(game), "", rows, gone, table="1")
            assert text_of(opened.load(number)) == text_of(game)


def test_the_list_has_the_newest_first_in_parts_and_by_game(tmp_path):
    with journal(tmp_path / "j.db") as opened:
        for number in range(5):
            game = kept("ab")
            game.tree.changed = 1000.0 + number
            if number == 2:
                game = game._replace(start=GameStart("pilo", 5, "off"))
            write(opened, game)
        opened.rename(4, "The best")
        total, games = opened.listed(1, 2)
        assert (total, [(game.id, game.name) for game in games]) == (5, [(4, "The best"), (3, "")])
        assert [game.id for game in opened.listed(0, 9, "pilo")[1]] == [3]
        assert opened.games() == ["pilo", "robble"]
        opened.delete(4)
        assert [game.id for game in opened.listed(0, 9)[1]] == [5, 3, 2, 1]
        opened.delete(4, False)
        assert opened.listed(0, 1, "")[0] == 5


def test_what_was_deleted_stays_a_month_and_then_goes(tmp_path):
    path = tmp_path / "j.db"
    with journal(path) as opened:
        old, new = write(opened, kept("ab")), write(opened, kept("ab"))
        opened.delete(old)
        opened.delete(new)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("update games set deleted = deleted - 31 * 86400 where id = ?", (old,))
    with journal(path) as opened:
        with pytest.raises(JournalFailed, match="That game was deleted"):
            opened.load(new)
        opened.delete(new, False)
        opened.load(new)
        with pytest.raises(JournalFailed, match="not in the journal any more"):
            opened.load(old)
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("select distinct game from nodes").fetchall() == [(new,)]


def test_all_games_as_a_collection_in_parts():
    with journal() as opened:
        for _ in range(7):
            write(opened, kept("ab(c)d"))
        opened.delete(3)
        parts, further = [], 0
        while further is not None:
            text, further = opened.exported(further, 100)
            parts.append(text)
    assert len(parts) > 2
    assert "".join(parts) == text_of(kept("ab(c)d")) * 6


def test_a_damaged_game_is_left_out_and_the_others_come():
    with journal() as opened:
        for _ in range(3):
            write(opened, kept("ab", "B+R"))
        with opened._file.writing() as db:
            db.execute("update nodes set facts = '{' where game = 2")
        text = text_of(kept("ab", "B+R"))
        assert opened.exported(0, 2**20) == (text * 2, None)
        assert [game for _, game in opened.over((0.0, 0), 9)] == [1, 2, 3]
        assert [opened.record(game) for game in (1, 2, 3)] == [text, "", text]


def test_finished_games_against_engines_count_for_the_person():
    with journal() as opened:
        for game in (
            kept("ab", "B+R"),
            kept("ab", "W+3"),
            kept("ab", "0"),
            kept("ab"),
            kept("ab", "B+R", position="robble 5 set-up"),
        ):
            write(opened, game)
        people = kept("ab", "B+R")
        people.tree.players = {"black": ANN, "white": Seat()}
        write(opened, people)
        found = [(game.level, game.score) for game in opened.finished()]
    assert found == [("3", 1.0), ("3", 0.0), ("3", 0.5)]


def test_finished_games_come_in_the_order_of_their_playing():
    with journal() as opened:
        for began, result in ((1000.0, "B+R"), (2000.0, "W+3")):
            game = kept("ab", result)
            game.tree.began, game.tree.changed = began, 5000.0 - began
            write(opened, game)
        found = [(game.when, game.score) for game in opened.finished()]
    assert found == [(1000.0, 1.0), (2000.0, 0.0)]


def test_the_last_finished_game_of_each_kind_and_whether_one_was_reviewed():
    with journal() as opened:
        assert opened.played() == []
        games = [kept("ab", "B+R"), kept("ab", "W+3"), kept("abc"), kept("ab", "B+R")]
        for began, game in enumerate(games):
            game.tree.began = float(began)
        games[3] = games[3]._replace(start=games[3].start._replace(game="pilo"))
        games[0].tree.root.children[0].comment = 'not a "loss": a comment'
        numbers = [write(opened, game) for game in games]
        pilo, robble = opened.played()
        assert (pilo.id, pilo.game, pilo.score) == (numbers[3], "pilo", 1.0)
        assert (robble.id, robble.size, robble.level, robble.score) == (numbers[1], 5, "3", 0.0)
        assert not (pilo.reviewed or robble.reviewed)
        games[0].tree.root.children[0].loss = 0.1
        write(opened, games[0], numbers[0])
        pilo, robble = opened.played()
        assert (robble.id, robble.reviewed, pilo.reviewed) == (numbers[1], True, False)


def test_a_game_with_exchanged_colors_counts_for_whom_it_is():
    game = kept("a", "B+R")
    swap = game.tree.add(game.tree.root, "white", "swap-sides")
    game.tree.promote(swap)
    swap.over, swap.result = True, "B+R"
    with journal() as opened:
        write(opened, game)
        assert [each.score for each in opened.finished()] == [0.0]
        assert opened.listed(0, 1)[1][0].black == "Patchpie"


def test_success_in_exercises_lasts_and_the_best_counts(tmp_path):
    path = tmp_path / "j.db"
    with journal(path) as opened:
        for stars in (1, 3, 2):
            opened.succeed("lessons", "x-1", stars)
    with journal(path) as opened:
        assert opened.progress() == {"lessons": {"x-1": 3}}
        with opened._file.writing() as db:
            more = (("x", str(n), 1) for n in range(MOST_PROGRESS - 1))
            db.executemany("insert into progress values (?, ?, ?)", more)
        with pytest.raises(JournalFailed, match="no more exercises"):
            opened.succeed("lessons", "x-2", 1)
        opened.succeed("x", "7", 3)
        assert opened.progress()["x"]["7"] == 3


def test_folder_and_files_are_for_this_user_alone(tmp_path):
    path = tmp_path / "new" / "folder" / "j.db"
    with journal(path) as opened:
        write(opened, kept("ab"))
        modes = {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
        assert len(list(path.parent.iterdir())) > 2
    assert modes == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes")
def test_a_file_that_others_can_read_is_closed_to_them(tmp_path):
    path = tmp_path / "j.db"
    path.touch(0o644)
    with journal(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_folder_follows_the_rules_of_the_system(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "patchpie"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    if sys.platform == "linux":
        assert data_folder() == tmp_path / ".local" / "share" / "patchpie"


def damaged(path):
    write_some(path)
    content = bytearray(path.read_bytes())
    content[100:4000] = b"\xff" * 3900
    path.write_bytes(content)


def newer(path):
    write_some(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("pragma user_version = 99")


def older(path):
    write_some(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("pragma user_version = 1")


def foreign(path):
    with closing(sqlite3.connect(path)) as file:
        file.execute("create table x (y)")


def in_use(path):
    """Another program writes it: its last content is beside the file. Returns the open file."""
    file = sqlite3.connect(path)
    file.execute("pragma journal_mode = wal")
    file.execute("create table x (y)")
    return file


def still_empty(path):
    with closing(sqlite3.connect(path)) as file:
        file.execute("pragma application_id = 7")


def write_some(path):
    with journal(path) as opened:
        write(opened, kept("ab"))


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (damaged, "j.db is damaged"),
        (newer, "j.db was made by a newer version of this program; use that one"),
        (older, "j.db was made by an older version of this program; use that one, or move"),
        (foreign, "j.db is not a journal of this program"),
        (in_use, "j.db is not a journal of this program"),
        (still_empty, "j.db is not a journal of this program"),
        (lambda path: path.write_text("not a database at all" * 99), "is not a file of this"),
        (lambda path: path.write_text("x"), "is not a file of this"),
        (lambda path: path.mkdir(), "j.db is a folder; name a file in it"),
        pytest.param(lambda path: os.mkfifo(path), "j.db is not a plain file", marks=POSIX),
        pytest.param(
            lambda path: path.symlink_to(os.devnull), "j.db is not a plain file", marks=POSIX
        ),
    ],
    ids=[
        *("damaged", "newer", "older", "foreign", "in_use", "still_empty", "text", "letter"),
        *("folder", "pipe", "device"),
    ],
)
def test_another_file_is_named_in_a_sentence_and_stays(tmp_path, spoil, sentence):
    """Its content, its mode, and what is beside it."""
    path = tmp_path / "j.db"
    kept_open = spoil(path)
    if path.is_file():
        path.chmod(0o644)
    before = seen(tmp_path)
    with pytest.raises(JournalFailed, match=sentence):
        Journal(path)
    assert seen(tmp_path) == before
    if isinstance(kept_open, sqlite3.Connection):
        kept_open.close()


def seen(folder: Path) -> dict[str, tuple[int, bytes]]:
    """The modes and contents of all that is in a folder, with what links lead to.

    But not the memory that SQLite's readers share.
    """
    return {
        each.name: (each.stat().st_mode, each.read_bytes() if each.is_file() else b"")
        for each in folder.iterdir()
        if not each.name.endswith("-shm")
    }


def test_a_journal_that_a_killed_board_left_is_recognised(tmp_path):
    """What it wrote is only in the file beside it."""
    path, copied = tmp_path / "j.db", tmp_path / "copied"
    copied.mkdir()
    with journal(path) as opened:
        number = write(opened, kept("ab"))
        for name in ("j.db", "j.db-wal"):
            (copied / name).write_bytes((tmp_path / name).read_bytes())
    with journal(copied / "j.db") as again:
        assert [each.id for each in again.listed(0, 9)[1]] == [number]


def test_a_game_that_is_damaged_is_named_in_a_sentence():
    with journal() as opened:
        number = write(opened, kept("ab"))
        for facts in ("{", "[]", '{"number": 1, "unplayed": "x"}', "7"):
            with opened._file.writing() as db:
                db.execute("update nodes set facts = ? where word = 'b'", (facts,))
            with pytest.raises(JournalFailed, match="That game is damaged"):
                opened.load(number)


def test_a_full_journal_keeps_what_it_has(tmp_path):
    with journal(tmp_path / "j.db", largest=2**17) as opened:
        game = kept("ab")
        game.tree.comment(game.tree.end, "x" * 20_000)
        with pytest.raises(JournalFailed, match="cannot grow: delete some games, or free"):
            list(repeat_write(opened, game))
        total = opened.listed(0, 1)[0]
        assert total > 3
        assert opened.load(1).tree.end.comment == "x" * 20_000


def repeat_write(opened, game):
    while True:
        yield write(opened, game)


TAKE = """
import sys
from pathlib import Path
from gtp_engine.board.journal.journal import Journal
journal = Journal(Path(sys.argv[1]))
print([journal.claim(game) for game in (1, 2)], flush=True)
sys.stdin.read()
"""


def test_a_game_is_at_one_table_of_one_board(tmp_path):
    path = tmp_path / "j.db"
    with journal(path) as opened:
        one, two = write(opened, kept("ab")), write(opened, kept("ab"))
        assert not opened.claim(one)
        opened.release(two)
        journal_games = JournalGames(path)
        journal_games.more(1)
        journal_games.close()
        words = [sys.executable, "-c", TAKE, path]
        with running(words, stdin=-1, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout.readline() == "[False, True]\n"
            assert not opened.claim(two)
            assert opened.tables() == []
        assert opened.claim(two)
        opened.release(two)
        assert opened.tables() == ["1"]


def test_games_that_boards_left_at_a_table_are_told_newest_first():
    with journal() as opened:
        for changed, table in ((300, "1"), (100, "1"), (200, "10"), (400, "2"), (200, "1")):
            game = kept("ab")
            game.tree.changed = changed
            rows = map(node_row, game.tree)
            opened.release(opened.write(None, game_row(game), "", rows, None, table=table))
        assert opened.shown_at("1") == [1, 5, 2]
        assert opened.tables() == ["1", "10", "2"]
        opened.hide(1)
        opened.delete(4)
        assert opened.shown_at("1") == [5, 2]
        assert opened.claim(5) and opened.tables() == ["1", "10"]
        assert opened.claim(2) and opened.tables() == ["10"]


def test_two_boards_write_at_the_same_time(tmp_path):
    path = tmp_path / "j.db"
    with journal(path) as one, journal(path) as two:
        numbers = [write(opened, kept("abc")) for _ in range(30) for opened in (one, two)]
        assert sorted(numbers) == sorted(set(numbers))
        assert one.listed(0, 99)[0] == two.listed(0, 1)[0] == 60


def test_whoever_keeps_a_copy_is_called_before_each_change_and_may_prevent_it(tmp_path):
    called = []

    def follow() -> None:
        called.append(1)
        if len(called) == 3:
            raise JournalFailed("no room")

    with journal(tmp_path / "j.db", before_write=follow) as opened:
        opened.keep_note("a", "1")
        with pytest.raises(JournalFailed, match="no room"):
            opened.keep_note("a", "2")
        assert opened.note("a") == "1" and len(called) == 3
        opened.keep_note("a", "3")
        opened.gather()
        assert (tmp_path / "j.db-wal").stat().st_size == 0
