"""Engines that wait for their next game, so that each game need not start them."""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from gtp_engine.arena.playing.cores import Cores
from gtp_engine.arena.playing.running_engine import Forfeit, RunningEngine, Void
from gtp_engine.arena.setup.config import DEFAULT_TERMS, Engine, Terms
from gtp_engine.arena.setup.tables import tables_of
from gtp_engine.arena.values import Identity


class EnginePool:
    """The running engines of this process; safe to use from several threads.

    As many may be idle as played at once, or one of each: a match of many engines, or with cores
    for each game, would otherwise keep one of each for each game at a time.

    identities -- the required identities by name; missing ones are added when an engine starts
    visiting   -- whether this machine plays for a match of another one, and may lack its programs
    """

    def __init__(
        self, identities: Mapping[str, Identity] | None = None, visiting: bool = False
    ) -> None:
        self._identities = dict(identities or {})
        self._visiting = visiting
        self._lock = threading.RLock()  # a signal may abandon the games while this thread has it
        self._idle: dict[RunningEngine, str] = {}  # with their keys, the longest idle first
        self._busy: set[RunningEngine] = set()
        self._most_busy = 0
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
                self._begin(player)
                return player
        player = RunningEngine(engine, terms, self._visiting)
        with self._lock:
            self._begin(player)
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
        """Return an engine. One that is not sound, or wants a restart, is ended; so are those that
        have been idle for longest, if there are too many."""
        name = player.engine.name
        ended = []
        with self._lock:
            if name in self._identities:
                self._identities[name] = self._identities[name].using(player.identity.uses)
            self._busy.discard(player)
            if sound and not player.engine.restart and not self._closed:
                self._idle[player] = _key(player.engine, player.terms)
                surplus = len(self._idle) - max(self._most_busy, len(self._identities))
                ended = list(self._idle)[: max(0, surplus)]
                for each in ended:
                    del self._idle[each]
            else:
                ended = [player]
        for each in ended:  # it takes a while, and others need not wait for it
            each.close()

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
            idle = list(self._idle)
            self._idle.clear()
        for player in idle:
            player.close()

    def _begin(self, player: RunningEngine) -> None:
        self._busy.add(player)
        self._most_busy = max(self._most_busy, len(self._busy))

    def _idle_one(self, engine: Engine, terms: Terms) -> RunningEngine | None:
        """An idle engine that is still running, the last one that played."""
        wanted = _key(engine, terms)
        for player in [each for each, key in reversed(self._idle.items()) if key == wanted]:
            del self._idle[player]
            if player.alive:
                return player
            player.close()
        return None

    def _check_open(self) -> None:
        if self._closed:
            raise Void("the match was stopped")


def _key(engine: Engine, terms: Terms) -> str:
    return json.dumps([tables_of(engine), terms], sort_keys=True)
