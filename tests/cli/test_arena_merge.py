"""Matches in several files: reading them as one, and merging them."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from gtp_engine.arena.playing.openings import Opening
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import Board, Evidence, Fault, GameRecord, Identity, TurnRecord
from gtp_engine.cli.arena import main
from gtp_engine.rules.points.color import BLACK
from support.matches import game_of, match_of
from support.starting import running

BOARD = Board("robble", 5, "pieces")


@pytest.fixture
def file_of(tmp_path):
    """Makes a file with the games of some pairs; A wins all of them as BLACK."""

    def file_of(name, pairs, names=("A", "B"), identity="Alpha 1", started=0.0, **settings):
        path = tmp_path / name
        start, games = pairs[0], 2 * len(pairs)
        with closing(Store(path)) as store:
            store.begin(
                match_of(*names, start=start, games=games, **settings), {"A": Identity(identity)}
            )
            for number in pairs:
                store.add_opening(BOARD, number, Opening((f"A{number + 1}",), 0.5))
                for half in (0, 1):
                    turn = TurnRecord("A", BLACK, "C3", 0.5, processor=0.25, late=0.01)
                    fault = Fault.CRASH if (number, half) == (1, 1) else None
                    evidence = (Evidence("B", ("! oops",)),) if fault else ()
                    key = game_of("A", names[-1], number, half, "A", fault=fault)
                    key = key._replace(started=key.started + started + number)
                    store.add(GameRecord(key, (turn,), evidence))
        return str(path)

    return file_of


def report(capsys, *paths):
    assert main(["report", "--json", *paths]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys, *words):
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


@pytest.mark.parametrize("pairs", [range(2), range(0, 1)])
def test_an_export_is_a_line_for_each_game_or_one_document(file_of, tmp_path, pairs):
    whole, lines = tmp_path / "games.json", tmp_path / "games.jsonl"
    path = file_of("1.db", pairs)
    assert main(["export", path, "--json", str(whole), "--jsonl", str(lines)]) == 0
    found = json.loads(whole.read_text())
    assert len(found) == 2 * len(pairs)
    assert found == [json.loads(line) for line in lines.open()]


def test_an_export_of_a_match_without_games_is_an_empty_list(tmp_path, capsys):
    path = tmp_path / "empty.db"
    with closing(Store(path)) as store:
        store.begin(match_of("A", "B"), {})
    assert main(["export", str(path), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_report_of_several_files(file_of, capsys):
    found = report(capsys, file_of("1.db", range(2)), file_of("2.db", range(2, 5)))
    assert (found["games"], found["complete_pairs"], found["planned"]) == (10, 5, 10)
    time = found["engines"][0]["time"]
    assert time == {"turns": 10, "total": 5.0, "longest": 0.5, "processor": 2.5, "late": 0.01}


def test_a_merged_file_says_what_its_parts_say_together(file_of, tmp_path, capsys):
    parts = [file_of("1.db", range(3), started=100.0), file_of("2.db", range(3, 5))]
    together = report(capsys, *parts)
    whole = str(tmp_path / "whole.db")
    assert main(["merge", *parts, "--into", whole]) == 0
    assert capsys.readouterr().out == f"{whole}: 10 games from 2 files\n"
    assert report(capsys, whole) == together
    with closing(Store(tmp_path / "whole.db")) as store:
        assert store.opening(BOARD, 4) == Opening(("A5",), 0.5)
        (faulty,) = [number for number, result in store.games() if result.fault]
        assert store.evidence(faulty)[0].lines == ("! oops",)
        numbers = [result.key.number for _, result in store.games()]
        assert numbers == [3, 3, 4, 4, 0, 0, 1, 1, 2, 2]
        store.begin(
            match_of("A", "B", games=20), {"A": Identity("Alpha 1")}
        )  # it can be gone on with
    assert not list(tmp_path.glob(".*.draft"))


def test_games_that_are_there_twice_count_once(file_of, tmp_path, capsys):
    parts = [file_of("1.db", range(3)), file_of("2.db", range(2, 5), started=50.0)]
    found = report(capsys, *parts)
    assert (found["games"], found["engines"][0]["time"]["turns"]) == (10, 10)
    assert main(["merge", *parts, "--into", str(tmp_path / "whole.db")]) == 0
    assert capsys.readouterr().out.endswith("10 games from 2 files; 2 games occurred twice\n")


def test_files_with_engines_that_were_added_go_together(file_of, capsys):
    parts = [file_of("1.db", range(2)), file_of("2.db", range(2), names=("A", "B", "C"))]
    for paths in (parts, parts[::-1]):
        found = report(capsys, *paths)
        names = [(meeting["first"], meeting["second"]) for meeting in found["meetings"]]
        assert sorted(names) == [("A", "B"), ("A", "C")]
        assert [engine["name"] for engine in found["match"]["engines"]] == ["A", "B", "C"]


def test_what_engines_used_is_that_of_all_files(file_of, capsys):
    paths = [file_of(name, range(n, n + 2)) for n, name in ((0, "1.db"), (2, "2.db"), (4, "3.db"))]
    for path, uses in zip(paths, ("robble in Python", "robble in the kernel")):
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("update engines set uses = ?", (uses,))
    assert report(capsys, *paths)["uses"]["A"] == ["robble in Python", "robble in the kernel"]


def test_what_does_not_go_together_is_one_sentence(file_of, tmp_path, capsys):
    first = file_of("1.db", range(2))
    told = refused(capsys, "report", first, file_of("2.db", range(2, 4), identity="Alpha 2"))
    assert "the files contradict each other: A is Alpha 1 in " in told
    assert "Alpha 2 in " in told
    other = file_of("3.db", range(2, 4), time="1/1")
    told = refused(capsys, "merge", first, other, "--into", str(tmp_path / "no.db"))
    assert (
        f"{first} and {other} contain different matches:\n"
        f"  engines: A, B in {first}, A, B in {other}\n"
    ) in told
    assert f" in {first}, 1/1 in {other}\n" in told
    assert not (tmp_path / "no.db").exists()


@pytest.mark.parametrize(
    ("altered", "words"),
    [
        ("update openings set words = 'E5' where number = 0", "opening 0 of robble 5 is A1 in"),
        ("update engines set program = '2'", "the program of A is 1 in"),
    ],
)
def test_other_openings_and_programs_are_refused(file_of, capsys, altered, words):
    paths = [file_of(name, range(2)) for name in ("1.db", "2.db")]
    for path, statement in zip(paths, ("update engines set program = '1'", altered)):
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("update engines set program = '1'")
            db.execute(statement)
    assert words in refused(capsys, "report", *paths)


def test_a_merge_that_was_killed_is_in_nobodys_way(file_of, tmp_path, capsys):
    """Its draft was, for ever; that of a merge in progress stays."""
    part, whole = file_of("1.db", range(2)), tmp_path / "whole.db"
    killed = """
import sys
from gtp_engine.arena.storage.store import Store
from gtp_engine.cli import arena
filled = Store.fill
def fill(store, *known):
    filled(store, *known)
    print("filled", flush=True)
    sys.stdin.read()
Store.fill = fill
arena.main(sys.argv[1:])
"""
    words = [sys.executable, "-c", killed, "merge", part, "--into", str(whole)]
    with running(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"filled\n"
        (draft,) = tmp_path.glob(".whole.db.*.draft")
        assert main(["merge", part, "--into", str(whole)]) == 0
        assert (draft / "whole.db").exists()
    whole.unlink()
    assert draft.exists()
    assert main(["merge", part, "--into", str(whole)]) == 0
    capsys.readouterr()
    assert report(capsys, str(whole))["games"] == 4
    assert not list(tmp_path.glob(".*.draft"))


def test_nothing_is_overwritten(file_of, capsys):
    path = file_of("1.db", range(2))
    assert "exists already" in refused(capsys, "merge", path, "--into", path)
    assert report(capsys, path)["games"] == 4
