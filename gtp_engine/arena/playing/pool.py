"""Engines that wait for their next game, so that each game need not start them."""

import json
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from gtp_engine.arena.playing.cores import Cores
from gtp_engine.arena.playing.running_engine import Forfeit, RunningEngine, Void
from gtp_engine.arena.setup.config import DEFAULT_TERMS, Engine, Terms
from gtp_engine.arena.setup.tables import tables_of
from gtp_engine.arena.values import Identity


class EnginePool:
    """The running engines of this process; safe to use from several threads.

    identities -- the required identities by name; missing ones are added when an engine starts
    """

    def __init__(self, identities: Mapping[str, Identity] | None = None) -> None:
        self._identities = dict(identities or {})
        self._lock = threading.RLock()  # a signal may abandon the games while this thread has it
        self._idle: dict[str, list[RunningEngine]] = defaultdict(list)
        self._busy: set[RunningEngine] = set()
        self._closed = False
        self._cores = Cores()

    def take(self, engine: Engine, terms: Terms = DEFAULT_TERMS) -> RunningEngine:
        """A running engine, started if none is idle; return it with `give`.

        Raises Forfeit, or Void if the match is over or the engine has changed.
        """
        with self._lock:
            self._check_open()
            player = self._idle_one(engine, terms)
            if player is not None:
                self._busy.add(player)
                return player
        player = RunningEngine(engine, terms)
        with self._lock:
            self._busy.add(player)
            if self._closed:
                player.kill()
        try:
            player.greet()
            self._recognise(player)
        except (Forfeit, Void) as error:
            self.give(player, sound=False)
            if isinstance(error, Forfeit):
                error.evidence = player.evidence  # including its last words
            raise
        return player

    @contextmanager
    def lent(self, engine: Engine, terms: Terms = DEFAULT_TERMS) -> Iterator[RunningEngine]:
        """An engine for the time of a block. Raises as `take`; a block that raises ends it."""
        player, sound = self.take(engine, terms), False
        try:
            yield player
            sound = True
        finally:
            self.give(player, sound)

    def cores(self, number: int) -> AbstractContextManager[tuple[int, ...]]:
        """Reserve cores that no other game has; yields the numbers of their processors.

        Waits for the cores. Raises Void if the match ends meanwhile, and WrongMatch if this
        machine has fewer cores.
        """
        return self._cores.held(number, self._check_open)

    def _recognise(self, player: RunningEngine) -> None:
        """Raises Void for an engine that was replaced during the match, because a match must not
        mix games of two versions."""
        name, identity = player.engine.name, player.identity
        with self._lock:
            before = self._identities.setdefault(name, identity)
        if not identity.same(before):
            raise Void(f"{name} is now {identity}; it was {before}")

    def give(self, player: RunningEngine, sound: bool) -> None:
        """Return an engine. One that is not sound, or wants a restart, is ended."""
        name = player.engine.name
        with self._lock:
            if name in self._identities:
                self._identities[name] = self._identities[name].using(player.identity.uses)
            self._busy.discard(player)
            stays = sound and not player.engine.restart and not self._closed
            if stays:
                self._idle[_key(player.engine, player.terms)].append(player)
        if not stays:
            player.close()

    def identities(self, names: Iterable[str]) -> tuple[tuple[str, Identity], ...]:
        """The identities of the engines that have been started."""
        with self._lock:
            return tuple(
                (name, self._identities[name]) for name in names if name in self._identities
            )

    @property
    def closed(self) -> bool:
        """Whether the engines were ended, so that further failures are not their fault."""
        return self._closed

    def abandon(self) -> None:
        """End the games in progress: kill their engines, and start no more."""
        with self._lock:
            self._closed = True
            for player in self._busy:
                player.kill()

    def close(self) -> None:
        """End all idle engines."""
        with self._lock:
            self._closed = True
            idle = [player for players in self._idle.values() for player in players]
            self._idle.clear()
        for player in idle:
            player.close()

    def _idle_one(self, engine: Engine, terms: Terms) -> RunningEngine | None:
        """An idle engine that is still running."""
        idle = self._idle[_key(engine, terms)]
        while idle:
            player = idle.pop()
            if player.alive:
                return player
            player.close()
        return None

    def _check_open(self) -> None:
        if self._closed:
            raise Void("the match was stopped")


def _key(engine: Engine, terms: Terms) -> str:
    return json.dumps([tables_of(engine), terms], sort_keys=True)
