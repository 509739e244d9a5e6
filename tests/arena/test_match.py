"""Running a match: its games, their order, and its failures.

Dice make the games here; tests/arena/test_game.py plays with engines.
"""

import gc
import multiprocessing
import threading
import tracemalloc
from collections import Counter
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing
from itertools import count

import pytest

from gtp_engine.arena.playing.match import (
    MOST_VOIDS,
    MatchFailed,
    PausedTurns,
    Played,
    Runner,
    Voided,
    Workers,
)
from gtp_engine.arena.playing.openings import Book, book
from gtp_engine.arena.playing.running_engine import Void
from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.setup.schedule import GameSet, games_of, seed_of
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import Fault, GameRecord, GameResult, Identity, TurnRecord
from gtp_engine.base.retrying import Patience
from gtp_engine.rules.points.color import BLACK
from support.matches import START, match_of
from support.thorough import thorough
from support.waiting import PATIENCE


def won_by(name):
    """Plays games that one engine always wins."""

    def play(task):
        key = task.key
        winner = name if name in key.engines else key.first
        result = "B+" if winner == key.engines[0] else "W+"
        return GameRecord(
            GameResult(key, (), winner, result, "dice", None, False, START, 1.0, 10), ()
        )

    return play


@pytest.fixture
def run(tmp_path):
    """Runs a match in a file, and returns the events."""

    def run(match, play, stop=None, concurrency=1, file="match.db"):
        store = Store(tmp_path / file)
        try:
            with ThreadPoolExecutor(concurrency) as executor:
                stop = stop or StopRequest(lambda: None)
                workers = Workers(executor, play, lambda: concurrency, lambda: None)
                runner = Runner(match, store, Book(), workers, stop)
                return list(runner.run())
        finally:
            store.close()

    return run


def played(events):
    return [event.result.key for event in events if isinstance(event, Played)]


def voided(events):
    return [event for event in events if isinstance(event, Voided)]


def test_pairs_are_complete_early_and_pairings_go_side_by_side():
    match = match_of("A", "B", "C", games=4)
    names = [(key.engines, key.number) for key in games_of(match)]
    assert names[:6] == [
        (("A", "B"), 0),
        (("B", "A"), 0),
        (("A", "C"), 0),
        (("C", "A"), 0),
        (("B", "C"), 0),
        (("C", "B"), 0),
    ]
    assert [number for _, number in names[6:]] == [1] * 6


def test_seeds_differ_from_game_to_game_and_stay():
    match = match_of("A", "B", games=100)
    seeds = {seed_of(match, key) for key in games_of(match)}
    assert len(seeds) == 100
    assert seeds == {seed_of(match, key) for key in games_of(match)}
    assert max(seeds) < 2**31


def test_every_game_is_played_once(run):
    match = match_of("A", "B", "C", games=10)
    events = run(match, won_by("A"), concurrency=3)
    assert Counter(played(events)) == Counter(games_of(match))


def test_a_match_goes_on_where_it_was_left(run):
    first = run(match_of("A", "B", games=6), won_by("A"))
    second = run(match_of("A", "B", games=10), won_by("A"))
    assert len(played(first)) == 6
    assert [key.number for key in played(second)] == [3, 3, 4, 4]
    assert played(run(match_of("A", "B", games=10), won_by("A"))) == []


def test_batches_share_a_file(run):
    late = run(match_of("A", "B", games=4, start=2), won_by("A"))
    early = run(match_of("A", "B", games=8), won_by("A"))
    assert {key.number for key in played(late)} == {2, 3}
    assert {key.number for key in played(early)} == {0, 1}


def test_a_sequential_test_ends_the_match(run):
    match = match_of("A", "B", sprt={"elo0": 0, "elo1": 50})
    assert 4 < len(played(run(match, won_by("A")))) < 200
    other = run(match_of("A", "B", sprt={"elo0": 0, "elo1": 50}), won_by("B"), file="other.db")
    assert 4 < len(played(other)) < 200


def test_a_decided_test_stays_decided(run):
    """Whatever the games that were in progress brought, nothing is played after it."""
    match = match_of("A", "B", sprt={"elo0": 0, "elo1": 50})
    before = played(run(match, won_by("A"), concurrency=4))
    assert played(run(match, won_by("B"))) == []
    losing = won_by("B")
    winning = won_by("A")
    enough = len(before)

    def play(task):
        return (winning if 2 * task.key.number < enough else losing)(task)

    run(match, play, concurrency=4, file="other.db")
    assert played(run(match, play, file="other.db")) == []


def test_without_openings_the_games_in_progress_are_kept(tmp_path):
    class Short(Book):
        def opening(self, board, number):
            if number == 3:
                raise WrongMatch("openings: no more")
            return super().opening(board, number)

    store = Store(tmp_path / "match.db")
    with ThreadPoolExecutor(4) as executor:
        stop = StopRequest(lambda: None)
        match = match_of("A", "B", games=20)
        workers = Workers(executor, won_by("A"), lambda: 4, lambda: None)
        runner = Runner(match, store, Short(), workers, stop)
        with pytest.raises(WrongMatch, match="no more"):
            list(runner.run())
    kept = [result.key for _, result in store.games()]
    assert sorted((key.number, key.half) for key in kept) == [
        (number, half) for number in range(3) for half in range(2)
    ]
    store.close()


def test_void_games_are_played_again(run):
    failures = Counter()

    def play(task):
        failures[task.key] += 1
        if failures[task.key] <= 2:
            raise Void("the power went off")
        return won_by("A")(task)

    match = match_of("A", "B", games=4)
    events = run(match, play)
    assert Counter(played(events)) == Counter(games_of(match))
    assert {event.reason for event in voided(events)} == {"the power went off"}
    assert len(voided(events)) == 8


def test_a_game_that_never_comes_to_an_end_is_given_up(run):
    match = match_of("A", "B", games=4)
    cursed = next(games_of(match))

    def play(task):
        if task.key == cursed:
            raise RuntimeError("a defect of ours")
        return won_by("A")(task)

    events = run(match, play)
    assert len(played(events)) == 3
    assert [event.given_up for event in voided(events)] == [False] * (MOST_VOIDS - 1) + [True]
    assert voided(events)[0].reason == "internal error: RuntimeError: a defect of ours"


def test_a_worker_with_another_program_plays_no_games(run):
    """What the first game of an engine was played with counts; others play the void ones again."""
    turns = Counter()

    def play(task):
        turns[task.key] += 1
        other = task.key.number == 1 and turns[task.key] == 1
        identity = Identity("Patchpie 1.0", "other" if other else "usual")
        return won_by("A")(task)._replace(identities=(("A", identity),))

    match = match_of("A", "B", games=6)
    events = run(match, play)
    assert Counter(played(events)) == Counter(games_of(match))
    told = "games of A as Patchpie 1.0, program usual; it is now Patchpie 1.0, program other"
    assert [event.key.number for event in voided(events)] == [1, 1]
    assert all(told in event.reason for event in voided(events))


def test_a_match_in_which_nothing_works_fails(run):
    def play(task):
        raise Void("no memory")

    with pytest.raises(MatchFailed, match="20 void games in a row: no memory"):
        run(match_of("A", "B", games=100), play)


def failing(name, fault=Fault.CRASH):
    """Plays games that one engine loses by a fault."""

    def play(task):
        key = task.key
        if name not in key.engines:
            return won_by(key.first)(task)
        record = won_by(key.second if key.first == name else key.first)(task)
        return record._replace(result=record.result._replace(fault=fault, reason="no GPU"))

    return play


@pytest.mark.parametrize(
    ("fault", "most"), [(Fault.START, 3), (Fault.CRASH, 5), (Fault.TIME, 5), (Fault.ILLEGAL, 5)]
)
def test_an_engine_that_fails_in_every_game_ends_the_match(run, tmp_path, fault, most):
    """After a few games, not after a hundred forfeits; those few are kept."""
    told = (
        f"^B lost {most} games in a row by faults, the last one because: no GPU; "
        "--recover continues anyway$"
    )
    with pytest.raises(MatchFailed, match=told):
        run(match_of("A", "B", games=100), failing("B", fault))
    store = Store(tmp_path / "match.db")
    assert len(list(store.games())) == most
    store.close()
    rest = run(match_of("A", "B", games=10, recover=True), failing("B", fault))
    assert len(played(rest)) == 10 - most


def test_an_engine_that_fails_now_and_then_goes_on(run):
    def play(task):
        return (failing("B") if task.key.number % 3 else won_by("A"))(task)

    assert len(played(run(match_of("A", "B", games=30), play))) == 30


def test_a_game_that_the_other_lost_by_a_fault_ends_a_row(run):
    """A fails in four games, then B in one, and so on."""
    numbers = count()

    def play(task):
        return failing("AAAAB"[next(numbers) % 5])(task)

    assert len(played(run(match_of("A", "B", games=20), play))) == 20


def test_games_of_others_are_not_in_its_row(run):
    """Between two of its games others play theirs."""
    with pytest.raises(MatchFailed, match="^C lost 5 games in a row"):
        run(match_of("A", "B", "C", games=100), failing("C"))


def test_one_cause_that_ends_many_games_is_one(run):
    """A machine with 24 games in progress goes; 20 causes in a row would end the match."""
    together, gone = threading.Barrier(24, timeout=PATIENCE), set()

    def play(task):
        if len(gone) < 24 and task.key not in gone:
            gone.add(task.key)
            together.wait()
            raise Void("the machine went away")
        return won_by("A")(task)

    events = run(match_of("A", "B", games=24), play, concurrency=24)
    assert (len(voided(events)), len(played(events))) == (24, 24)


def test_asked_to_finish_no_game_begins(run):
    stop = StopRequest(lambda: None)

    def play(task):
        stop.finish()
        return won_by("A")(task)

    assert len(played(run(match_of("A", "B", games=10), play, stop))) == 1


def test_games_given_up_count_nowhere(run, tmp_path):
    """Nor as attempts, after which a test would leave out their pair."""
    stop = StopRequest(lambda: None)

    def play(task):
        stop.abandon()
        raise Void("the match was stopped")

    match = match_of("A", "B", games=10)
    events = run(match, play, stop)
    assert (played(events), len(voided(events))) == ([], 1)
    with closing(Store(tmp_path / "match.db", to_read=True)) as store:
        assert store.voids() == []
    assert len(played(run(match, won_by("A")))) == 10


def test_two_processes_share_a_match(tmp_path, run, monkeypatch):
    """What another process has claimed is waited for, and counted when it is there."""
    match = match_of("A", "B", games=4)
    monkeypatch.setattr("gtp_engine.arena.storage.database.this_process", lambda: "elsewhere 1 0.0")
    other = Store(tmp_path / "match.db")
    monkeypatch.undo()
    claimed = next(games_of(match))
    other.claim(claimed)

    def play(task):
        if task.key.number == 1 and task.key.half == 1:
            there = Store(tmp_path / "match.db")
            there.add(won_by("B")(task._replace(key=claimed)))
            there.close()
        return won_by("A")(task)

    events = run(match, play)
    other.close()
    assert Counter(played(events)) == Counter(games_of(match))


def test_games_of_lost_workers_are_played_again(tmp_path):
    """The scheduler goes with two games in progress, and comes back after a while."""
    lost, told, held = [], [], []

    def play(task):
        if len(held) < 2:
            held.append(task.key)
            together.wait()
            lost.append("the scheduler is gone")
            raise CancelledError
        return won_by("A")(task)

    together = threading.Barrier(2, timeout=PATIENCE)
    patience = Patience(60, told.append, lambda seconds: lost.clear() if len(lost) == 2 else None)
    match = match_of("A", "B", games=8)
    with closing(Store(tmp_path / "match.db")) as store, ThreadPoolExecutor(2) as executor:
        gone = Workers(
            executor, play, lambda: 2, lambda: None, lambda: (lost or [None])[0], patience
        )
        events = list(Runner(match, store, Book(), gone, StopRequest()).run())
        assert Counter(played(events)) == Counter(games_of(match))
        assert voided(events) == []
    assert told[0] == "the scheduler is gone; trying again for up to 1 minute"
    assert told[1].startswith("connected again after ")


def test_a_match_without_workers_for_a_while_is_not_over(tmp_path):
    there = iter([1, 0, 0, 1, 1, 0])
    match = match_of("A", "B", games=4)
    with closing(Store(tmp_path / "match.db")) as store, ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, won_by("A"), lambda: next(there, 1), lambda: None)
        events = list(Runner(match, store, Book(), workers, StopRequest()).run())
    assert Counter(played(events)) == Counter(games_of(match))


def test_a_pause_is_told_with_its_game(run):
    def play(task):
        turn = TurnRecord("A", BLACK, "C3", 0.1)
        return won_by("A")(task)._replace(turns=(turn, turn._replace(paused=15.0), turn))

    events = run(match_of("A", "B", games=2), play)
    told = [event for event in events if isinstance(event, PausedTurns)]
    assert told == [PausedTurns(key, 15.0) for key in played(events)]


def test_a_set_of_games_knows_and_counts_those_of_the_match():
    match = match_of("A", "B", "C", games=6, start=5)
    keys = list(games_of(match))
    games = GameSet(match)
    for key in keys[::2]:
        games.add(key)
    others = [keys[0]._replace(number=number) for number in (0, 4, 8)]
    others.append(keys[0]._replace(second="D"))
    for key in [*others, *keys[::4]]:
        games.add(key)
    assert len(games) == len(keys[::2])
    assert [key for key in [*keys, *others] if key in games] == keys[::2]


def traced_bytes() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def memory_of_a_match(path, counts, told):
    """Sends the memory in use after these numbers of games, once each."""
    settings = {"openings": {"source": "random", "turns": 3}, "boards": ["robble 8"]}
    match = match_of("A", "B", games=counts[-1], **settings)
    with closing(Store(path)) as store, ThreadPoolExecutor(1) as executor:
        store._db.execute("pragma synchronous = off")  # or the disk would take most of the time
        workers = Workers(executor, won_by("A"), lambda: 2, lambda: None)
        runner = Runner(match, store, book(match.openings, match.seed), workers, StopRequest())
        tracemalloc.start()
        left = list(counts)
        for event in runner.run():
            if isinstance(event, Played) and left and runner.tally.games >= left[0]:
                told.put(traced_bytes())
                del left[0]


@thorough
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_the_memory_of_a_match_hardly_grows_with_its_games(tmp_path):
    """Each pair of games has an opening of its own. In a process of its own: the threads that other
    tests have left in this one need memory, too."""
    counts, context = (100, 700), multiprocessing.get_context("fork")
    told = context.SimpleQueue()
    process = context.Process(target=memory_of_a_match, args=(tmp_path / "db", counts, told))
    process.start()
    process.join()
    assert process.exitcode == 0
    before, after = (told.get() for _ in counts)
    assert 0 < after - before < 500 * 600  # bytes; a game that is kept takes some thousand
