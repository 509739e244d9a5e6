"""The engines that wait for their next game: how many they are, whose, and when they end."""

import threading
from contextlib import closing

import pytest

from gtp_engine.arena.playing import cluster_games
from gtp_engine.arena.playing.cluster_games import UNUSED_SECONDS, MatchPools, play_on_worker
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask
from gtp_engine.arena.playing.running_engine import Forfeit, Void
from gtp_engine.arena.setup.config import Engine, Terms
from gtp_engine.arena.setup.schedule import games_of
from gtp_engine.arena.setup.tables import make_match
from support.starting import ROBBLE, python_command
from support.waiting import TurnedClock, wait_until

A = Engine("A", ROBBLE)

# An engine that was started for one of these is not lent for another.
TERMS = [Terms(answering=seconds) for seconds in (30.0, 31.0, 32.0)]


class Looks:
    """The pauses of a worker between its looks for unused engines."""

    def __init__(self):
        self.begun = 0
        self._over = threading.Semaphore(0)

    def __call__(self, seconds):
        self.begun += 1
        self._over.acquire()

    def next(self):
        """Let the worker look, to the end."""
        before = wait_until(lambda: self.begun, "the first pause")
        self._over.release()
        wait_until(lambda: self.begun > before, "the next pause")

    def last(self):
        """Let it look without a pause behind that."""
        wait_until(lambda: self.begun, "the first pause")
        self._over.release()


def test_no_more_engines_wait_than_have_played_at_once():
    """Those that have waited for longest end."""
    with closing(EnginePool()) as pool:
        first, second = (pool.take(A, terms) for terms in TERMS[:2])
        for player in (first, second):
            pool.give(player, sound=True)
        assert pool.take(A, TERMS[0]) is first
        pool.give(first, sound=True)
        third = pool.take(A, TERMS[2])
        pool.give(third, sound=True)
        assert [each.alive for each in (first, second, third)] == [True, False, True]
        assert pool.take(A, TERMS[0]) is first
        pool.give(first, sound=True)


def test_one_of_each_engine_may_wait():
    """Where few games are played at a time, an engine need not start for each of its games."""
    engines = [Engine(name, ROBBLE) for name in "ABC"]
    with closing(EnginePool()) as pool:
        for _ in range(2):
            players = []
            for engine in engines:
                with pool.lent(engine) as player:
                    players.append(player)
            assert all(player.alive for player in players)


@pytest.fixture
def lacking(tmp_path):
    """A program that may not be executed."""
    path = tmp_path / "engine"
    path.touch(mode=0o600)
    return str(path)


def test_a_worker_that_lacks_a_program_blames_nobody(lacking, tmp_path):
    for command in (str(tmp_path / "none"), lacking):
        engine = Engine("A", command)
        with closing(EnginePool(visiting=True)) as pool, pytest.raises(Void, match="^A on .*start"):
            pool.take(engine)
        with closing(EnginePool()) as pool, pytest.raises(Forfeit):
            pool.take(engine)
    with closing(EnginePool(visiting=True)) as pool, pytest.raises(Forfeit):
        pool.take(Engine("A", python_command("-c", "")))


def test_a_game_on_such_a_worker_is_void(lacking, monkeypatch):
    monkeypatch.setattr(cluster_games, "worker_name", lambda: "one")
    engines = [{"name": "A", "command": lacking}, {"name": "B", "command": ROBBLE}]
    match = make_match({"engines": engines, "boards": ["robble 3"]})
    task = GameTask(next(games_of(match)), match, (), 1)
    with pytest.raises(Void, match="^A on "):
        play_on_worker("a match", task)
    cluster_games.end_engines("a match")


def test_matches_share_no_engines_and_end_their_own_alone():
    """The next match may have a newer build, and the first one may go on."""
    pools = MatchPools(pause=Looks())
    with pools.lent("one") as pool, pool.lent(A) as one:
        pass
    with pools.lent("two") as pool, pool.lent(A) as two:
        pass
    assert one is not two
    with pools.lent("two") as pool:
        pools.end("one")
        wait_until(lambda: not one.alive, "the end of the engine of the first match")
        assert not pool.closed
        assert pool.take(A) is two
        pool.give(two, sound=True)
    pools.end("two")
    wait_until(lambda: not two.alive, "the end of the engine of the second match")


def test_engines_of_a_match_that_is_gone_end_after_some_minutes():
    """Nobody says so where its process was killed. A game may take longer."""
    clock, looks = TurnedClock(), Looks()
    pools = MatchPools(clock, looks)
    with pools.lent("gone") as pool:
        with pool.lent(A) as player:
            pass
        clock.turn(2 * UNUSED_SECONDS)
        looks.next()
        assert player.alive
    clock.turn(UNUSED_SECONDS - 1)
    looks.next()
    assert player.alive
    clock.turn(1)
    looks.last()
    wait_until(lambda: not player.alive, "the end of the engine")
    with pools.lent("gone") as pool, pool.lent(A) as other:
        assert other is not player
    pools.end("gone")
