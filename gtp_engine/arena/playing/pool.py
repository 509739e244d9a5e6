"""Engines that wait for their next game, so that they need not be started for each."""

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager

import msgspec

from gtp_engine.arena.playing.cores import Cores
from gtp_engine.arena.playing.player import Forfeit, RunningEngine, Void
from gtp_engine.arena.records import Identity
from gtp_engine.arena.setup.config import Engine
from gtp_engine.arena.setup.terms import DEFAULT, Terms


class EnginePool:
    """The running engines of this process, safe to use from several threads.

    identities -- what they have to say that they are, by name; what is not there is learned
    """

    def __init__(self, identities: Mapping[str, Identity] | None = None) -> None:
        self._identities = dict(identities or {})
        self._lock = threading.Lock()
        self._idle: dict[bytes, list[RunningEngine]] = defaultdict(list)
        self._busy: set[RunningEngine] = set()
        self._closed = False
        self._cores = Cores()

    def take(self, engine: Engine, terms: Terms = DEFAULT) -> RunningEngine:
        """A running engine, started if none is idle; to be given back by `give`.

        Raises Forfeit, or Void where the match is over or the engine has changed.
        """
        with self._lock:
            self._check_open()
            player = self._waiting(engine, terms)
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
                error.evidence = player.evidence  # with all that it said while it was ended
            raise
        return player

    def cores(self, number: int) -> AbstractContextManager[tuple[int, ...]]:
        """So many cores that no other game has, as the numbers of their processors; none for 0.

        They are waited for. Raises Void where the match is over meanwhile, and WrongMatch where
        this machine has not so many.
        """
        return self._cores.held(number, self._check_open)

    def _recognise(self, player: RunningEngine) -> None:
        """Raises Void for an engine that was replaced during the match: games of two versions are
        not to be mixed."""
        name, identity = player.engine.name, player.identity
        with self._lock:
            before = self._identities.setdefault(name, identity)
        if identity != before:
            raise Void(f"{name} is {identity} now, and was {before}")

    def give(self, player: RunningEngine, sound: bool) -> None:
        """Give an engine back; one that is not sound, or does not want to stay, is ended."""
        with self._lock:
            self._busy.discard(player)
            stays = sound and not player.engine.restart and not self._closed
            if stays:
                self._idle[_key(player.engine, player.terms)].append(player)
        if not stays:
            player.close()

    def identities(self, names: Iterable[str]) -> tuple[tuple[str, Identity], ...]:
        """What engines are, of those that have been started."""
        with self._lock:
            return tuple(
                (name, self._identities[name]) for name in names if name in self._identities
            )

    @property
    def closed(self) -> bool:
        """Whether the engines were ended, so that what they do now is not their fault."""
        return self._closed

    def abandon(self) -> None:
        """End the games in progress: their engines are killed, and no more are started."""
        with self._lock:
            self._closed = True
            for player in self._busy:
                player.kill()

    def close(self) -> None:
        """End all engines that are idle."""
        with self._lock:
            self._closed = True
            idle = [player for players in self._idle.values() for player in players]
            self._idle.clear()
        for player in idle:
            player.close()

    def _waiting(self, engine: Engine, terms: Terms) -> RunningEngine | None:
        """An idle engine that is still there."""
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


def _key(engine: Engine, terms: Terms) -> bytes:
    return msgspec.json.encode((engine, terms), order="sorted")
