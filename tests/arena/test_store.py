"""The file of a match: its contents, continuing a match, and rejected files."""

import sqlite3
from contextlib import closing

import pytest

from gtp_engine.arena.playing.openings import Opening
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.storage import database
from gtp_engine.arena.storage.database import APPLICATION
from gtp_engine.arena.storage.joined import opened
from gtp_engine.arena.storage.store import CLAIM_LAPSES, Store, StoreFailed
from gtp_engine.arena.values import (
    Adjudication,
    Board,
    Evidence,
    Fault,
    GameRecord,
    Identity,
    TurnRecord,
)
from gtp_engine.base import retrying
from gtp_engine.base.retrying import Outlasted, Patience
from gtp_engine.rules.points.color import BLACK, WHITE
from support.matches import game_of, match_of

TURNS = (
    TurnRecord("A", BLACK, "C3", 0.25, 0.5, 100, "Black wins 50.0%, 100 visits, C3"),
    TurnRecord("B", WHITE, "swap", 1.5, None, None, "", 1.25, 0.2, 0.05, 0.25, 0.1, 15.0),
)
EVIDENCE = (Evidence("A", ("> 1 genmove b", "< =1 C3")), Evidence("B", ("! oops",)))
BOARD = Board("robble", 5, "pieces")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.db"


@pytest.fixture
def store(path):
    store = Store(path)
    yield store
    store.close()


def test_a_game_comes_back_as_it_was(store):
    result = game_of("A", "B", 3, 1, "A", opening=("a1", "b2"), fault=Fault.CRASH, swapped=True)
    assert store.add(GameRecord(result, TURNS, EVIDENCE))
    ((number, found),) = store.games()
    assert found == result
    assert store.turns(number) == TURNS
    assert store.evidence(number) == EVIDENCE
    assert list(store.games(after=number)) == []
    assert store.time_use()["B"] == (1, 1.5, 1.5, 1.25, 0.05)


def test_why_a_game_was_adjudicated_comes_back(store):
    result = game_of("A", "B", 0, 0, "A", worker="here")
    result = result._replace(adjudicated=Adjudication.MAX_TURNS)
    store.add(GameRecord(result, TURNS))
    assert [found for _, found in store.games()] == [result]


def test_a_game_is_kept_once(store, path):
    result = game_of("A", "B", 3, 1, "A")
    assert store.add(GameRecord(result, TURNS))
    other = Store(path)
    assert not other.add(GameRecord(game_of("A", "B", 3, 1, "B"), TURNS))
    assert [found for _, found in other.games()] == [result]
    other.close()


def test_what_one_process_plays_another_leaves(store, path, monkeypatch):
    first, second = (game_of("A", "B", 0, half, "A").key for half in (0, 1))
    monkeypatch.setattr("gtp_engine.arena.storage.database.this_process", lambda: "elsewhere 1 0.0")
    other = Store(path)
    assert store.claim(first)
    assert store.claim(first)
    assert not other.claim(first)
    assert other.claim(second)
    other.close()
    assert store.claim(second)


def test_claims_lapse(store, path, monkeypatch):
    key = game_of("A", "B", 0, 0, "A").key
    monkeypatch.setattr("gtp_engine.arena.storage.database.this_process", lambda: "elsewhere 1 0.0")
    other = Store(path)
    assert other.claim(key)
    now = 1_900_000_000.0
    monkeypatch.setattr("time.time", lambda: now)
    other.renew()
    monkeypatch.setattr("time.time", lambda: now + CLAIM_LAPSES - 1)
    assert not store.claim(key)
    monkeypatch.setattr("time.time", lambda: now + CLAIM_LAPSES + 1)
    assert store.claim(key)
    other.close()


def test_the_claims_of_a_dead_process_are_void(store, path, monkeypatch):
    key = game_of("A", "B", 0, 0, "A").key
    host = store._owner.rsplit(" ", 2)[0]
    monkeypatch.setattr("gtp_engine.arena.storage.database.this_process", lambda: f"{host} 1 12.5")
    other = Store(path)
    assert other.claim(key)
    assert store.claim(key)
    other.close()


def test_played_games_cannot_be_claimed_and_voids_can(store):
    played, void = (game_of("A", "B", 0, half, "A") for half in (0, 1))
    assert store.claim(played.key)
    store.add(GameRecord(played, TURNS))
    assert not store.claim(played.key)
    assert store.claim(void.key)
    store.add_void(void.key, "the power went off")
    assert len(store.voids()) == 1
    assert store.claim(void.key)


def test_a_copy_of_a_file_adds_no_voids(path, tmp_path):
    with closing(Store(path)) as store:
        store.begin(match_of("A", "B"), {})
        for half in (0, 1, 1):
            store.add_void(game_of("A", "B", 0, half, "A").key, "the power went off")
        voids = store.voids()
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    with opened([path, copy]) as joined:
        assert joined.voids() == voids
        assert len(voids) == 3


def test_openings_stay_what_they_were(store):
    assert store.opening(BOARD, 4) is None
    store.add_opening(BOARD, 4, Opening(("a1", "b2"), 0.48))
    store.add_opening(BOARD, 4, Opening(("c3",)))
    assert store.opening(BOARD, 4) == Opening(("a1", "b2"), 0.48)


def test_the_same_match_goes_on(store):
    store.begin(match_of("A", "B", games=10), {"A": Identity("Patchpie 1.0")})
    store.begin(
        match_of("A", "B", games=20), {"A": Identity("Patchpie 1.0"), "B": Identity("Other 2")}
    )
    assert store.match().games == 20
    assert store.engines() == {"A": Identity("Patchpie 1.0"), "B": Identity("Other 2")}


def test_another_match_does_not(store, path):
    store.begin(match_of("A", "B"), {"A": Identity("Patchpie 1.0")})
    with pytest.raises(WrongMatch) as refused:
        store.begin(match_of("A", "B", time="1/1"), {})
    assert str(refused.value).splitlines() == [
        f"{path} contains another match; name another file with --db:",
        "  time: default before, 1/1 now",
    ]
    with pytest.raises(WrongMatch, match="games of A as Patchpie 1.0; it is now Patchpie 1.1"):
        store.begin(match_of("A", "B", games=4), {"A": Identity("Patchpie 1.1")})
    assert store.match() == match_of("A", "B")


def test_a_rebuilt_engine_is_another_one(store, path):
    """Its name and its version are the same; the first program is kept where none was known."""
    match = match_of("A", "B")
    store.begin(match, {"A": Identity("Patchpie 1.0")})
    store.begin(match, {"A": Identity("Patchpie 1.0", "0a0b0c")})
    with pytest.raises(WrongMatch) as refused:
        store.begin(match, {"A": Identity("Patchpie 1.0", "1f1f1f")})
    assert str(refused.value) == (
        f"{path} contains games of A as Patchpie 1.0, program 0a0b0c; it is now Patchpie 1.0,"
        " program 1f1f1f. Use another file, or mix both in this one by"
        " --accept-changed-engines"
    )
    store.begin(match, {"A": Identity("Patchpie 1.0", "1f1f1f")}, accept=True)
    store.begin(match, {"A": Identity("Patchpie 1.0", "1f1f1f")})


def test_what_engines_use_is_kept_and_makes_no_other_engine(store):
    match = match_of("A", "B")
    for uses in ("", "pilo in Python", "implo in the kernel", "", "pilo in Python"):
        store.begin(match, {"A": Identity("Patchpie 1.0", "", uses)})
    store.identify([("A", Identity("Patchpie 1.0", "", "pilo in the kernel"))])
    assert store.engines()["A"].uses.splitlines() == [
        "implo in the kernel",
        "pilo in Python",
        "pilo in the kernel",
    ]
    store.begin(match, {"A": Identity("Patchpie 1.1", "", "pilo in Python")}, accept=True)
    assert store.engines()["A"] == Identity("Patchpie 1.1", "", "pilo in Python")


def test_what_is_no_text_is_damaged(store, path):
    match = match_of("A", "B")
    store.begin(match, {"A": Identity("Patchpie 1.0", "", "pilo in Python")})
    for column in ("uses", "program", "identity"):
        write(path, f"update engines set {column} = x'ff'")
        with pytest.raises(StoreFailed, match="match.db is damaged"):
            store.begin(match, {"A": Identity("Patchpie 1.0")})


def write(path, *statements):
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def test_other_files_are_refused(path, tmp_path):
    write(path, "create table birds (name text)")
    with pytest.raises(StoreFailed, match="is not a file of this program"):
        Store(path)
    write(path, f"pragma application_id = {APPLICATION}", "pragma user_version = 99")
    with pytest.raises(StoreFailed, match="was made by a newer version of this program; use that"):
        Store(path)
    write(path, "pragma user_version = 3")
    with pytest.raises(StoreFailed, match="was made by an older version of this program; use that"):
        Store(path)
    with pytest.raises(StoreFailed, match="was made by an older version of this program; use that"):
        Store(path, to_read=True)
    text = tmp_path / "text.db"
    text.write_text("no database\n" * 100)
    with pytest.raises(StoreFailed, match="is not a file of this program"):
        Store(text)
    with pytest.raises(StoreFailed, match="does not exist"):
        Store(tmp_path / "none.db", to_read=True)
    with pytest.raises(StoreFailed):
        Store(tmp_path / "no-such-folder" / "match.db")


def test_a_file_that_was_removed_or_replaced_gets_no_games(store, path):
    key = game_of("A", "B", 0, 0, "A").key
    assert store.claim(key)
    path.rename(path.with_name("moved.db"))
    with pytest.raises(StoreFailed, match="No such file"):
        store.add(GameRecord(game_of("A", "B", 0, 0, "A"), TURNS))
    path.touch()
    with pytest.raises(StoreFailed, match="was replaced during the match"):
        store.claim(key)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            sqlite3.SQLITE_CANTOPEN,
            "cannot be written; it and its folder must be writable",
        ),
        (
            sqlite3.SQLITE_READONLY,
            "cannot be written; it and its folder must be writable",
        ),
        (sqlite3.SQLITE_BUSY, "is locked by another program"),
        (sqlite3.SQLITE_FULL, "cannot grow: the disk is full; free some space"),
        (
            sqlite3.SQLITE_IOERR,
            "cannot be used: the disk reports an error or is full; check the disk",
        ),
        (sqlite3.SQLITE_CORRUPT, "is damaged"),
    ],
)
def test_each_failure_is_a_sentence_about_the_file(store, path, code, told):
    def fail(*_):
        error = sqlite3.OperationalError("bare words of the library")
        error.sqlite_errorcode = code
        raise error

    with pytest.raises(StoreFailed) as failed, store._failures():
        fail()
    assert str(failed.value).startswith(f"{path} {told}")


def test_a_sequential_test_does_not_begin_anew_beside_its_games(path):
    """Its first games were thrown away, and its error rates with them."""
    test = {"sprt": {"elo0": 0.0, "elo1": 30.0}}
    with closing(Store(path)) as store:
        store.begin(match_of("A", "B", start=5, **test), {})
        store.begin(match_of("A", "B", start=2, **test), {})  # nothing was played yet
        store.add(GameRecord(game_of("A", "B", 2, 0, "A"), TURNS))
        told = (
            f"^{path} has games of a sequential test from pair 2 on, which cannot go on from pair"
            " 5; name another file with --db, and a report of both files joins them$"
        )
        with pytest.raises(WrongMatch, match=told):
            store.begin(match_of("A", "B", start=5, **test), {"A": Identity("A 1")})
        assert (store.match().start, store.engines()) == (2, {})
        store.begin(match_of("A", "B", start=2, games=500, **test), {})
        assert store.match().games == 500


def test_a_match_without_a_test_has_any_pairs(path):
    with closing(Store(path)) as store:
        store.begin(match_of("A", "B"), {})
        store.add(GameRecord(game_of("A", "B", 0, 0, "A"), TURNS))
        store.begin(match_of("A", "B", start=5), {})
        assert store.match().start == 5


def test_a_folder_and_a_file_in_no_folder(tmp_path):
    with pytest.raises(StoreFailed, match=f"^{tmp_path} is a folder; name a file in it$"):
        Store(tmp_path)
    path = tmp_path / "none" / "match.db"
    with pytest.raises(StoreFailed, match=f"^{path}: its folder does not exist; make it first$"):
        Store(path)


def test_reading_changes_nothing(store, path, tmp_path):
    store.begin(match_of("A", "B"), {})
    store.add(GameRecord(game_of("A", "B", 0, 0, "A"), TURNS))
    store.claim(game_of("A", "B", 0, 1, "A").key)
    reader = Store(path, to_read=True)
    assert len(list(reader.games())) == 1
    with pytest.raises(StoreFailed, match="cannot be read; check the permissions"):
        reader.add(GameRecord(game_of("A", "B", 1, 0, "A"), TURNS))
    reader.close()
    assert not Store(path).claim(game_of("A", "B", 0, 0, "A").key)
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(StoreFailed, match="contains no match yet"):
        Store(empty, to_read=True)
    assert empty.stat().st_size == 0


def test_numbers_beyond_sqlite_are_a_failure_of_the_store(store):
    turn = TURNS[0]._replace(visits=10**30)
    with pytest.raises(StoreFailed):
        store.add(GameRecord(game_of("A", "B", 0, 0, "A"), (turn,)))
    assert list(store.games()) == []


def test_a_file_without_a_match(store, path):
    with pytest.raises(StoreFailed, match="contains no match yet"):
        store.match()


# Outages ---------------------------------------------------------------------------------------


@pytest.fixture
def hasty(monkeypatch):
    """SQLite itself does not wait for locks."""
    monkeypatch.setattr(database, "_BUSY_SECONDS_IF_PATIENT", 0.0)


def held(path):
    """A connection of another program, which has locked the file."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin exclusive")
    return closing(other)


def test_a_lock_is_waited_for(path, hasty):
    """It ended the match, with "database is locked"."""
    Store(path).close()
    other, told, naps = held(path), [], []

    def sleep(seconds):
        naps.append(seconds)
        if len(naps) == 3:
            other.__exit__()

    with closing(Store(path, patience=Patience(60, told.append, sleep))) as store:
        store.begin(match_of("A", "B"), {})
        assert store.add(GameRecord(game_of("A", "B", 0, 0, "A"), TURNS))
        assert len(list(store.games())) == 1
    assert naps == [0.5, 1.0, 2.0]
    first, last = told
    assert first == f"{path} is locked by another program; trying again for up to 1 minute"
    assert last.startswith(f"{path} can be used again after ")


def test_a_full_disk_is_waited_for(path):
    """Whatever fails in a transaction, its end included, leaves the file as it was."""
    told = []

    def sleep(seconds):
        assert not store._db.in_transaction
        store._db.execute("pragma max_page_count = 100000")

    with closing(Store(path, patience=Patience(60, told.append, sleep))) as store:
        store._db.execute("pragma max_page_count = 1")
        for number in range(20):
            key = game_of("A", "B", number, 0, "A").key
            assert store.claim(key)
            assert store.add(GameRecord(game_of("A", "B", number, 0, "A"), 50 * TURNS))
        assert len(list(store.games())) == 20
    assert told[0] == f"{path} cannot grow: the disk is full; trying again for up to 1 minute"
    assert len(told) == 2


def test_an_outage_that_lasts_too_long_ends_the_match(path, hasty, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(retrying.time, "monotonic", lambda: now[0])

    def sleep(seconds):
        now[0] += seconds

    told = []
    patience = Patience(5400, told.append, sleep)
    store = Store(path, patience=patience)
    with closing(store), held(path), pytest.raises(Outlasted) as raised:
        store.renew()
    assert str(raised.value) == (
        f"{path} is locked by another program for 1.5 hours; finished games are kept; run the same"
        " command to continue"
    )
    assert now == [5400.0]
    assert len(told) == 1


def test_viewers_are_not_waited_for(path, hasty):
    """Games in progress are shown once the file is free again."""
    patience = Patience(60, pytest.fail, pytest.fail)
    with closing(Store(path, patience=patience)) as store, held(path):
        store.show_live([])


def test_what_nobody_will_cure_is_refused_at_once(tmp_path):
    """A file cannot be made in a folder that is not there, nor in place of one."""
    patience = Patience(60, pytest.fail, pytest.fail)
    for path in (tmp_path / "none" / "match.db", tmp_path):
        with pytest.raises(StoreFailed):
            Store(path, patience=patience)
