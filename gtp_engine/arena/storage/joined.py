"""Several files of one match, played in parts or on several machines, read as one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import NamedTuple, TypeVar

from gtp_engine.arena.setup.config import Match, WrongMatch
from gtp_engine.arena.setup.tables import differences
from gtp_engine.arena.storage.store import OpeningPlace, Store
from gtp_engine.arena.values import (
    Evidence,
    GameKey,
    GameRecord,
    GameResult,
    Identity,
    Opening,
    TimeUse,
    TurnRecord,
    VoidGame,
)

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class _Place(NamedTuple):
    """The place of a game: its start time, the number of the file, and its number there."""

    started: float
    file: int
    game: int


class Joined:
    """The games of several files, without duplicates, ordered by start time.

    twice -- number of games found in two files; the one in the file named first counts
    """

    def __init__(self, stores: Sequence[Store]) -> None:
        """Raises WrongMatch if the files contain different matches or engines."""
        self._stores = stores
        self._match = reduce(_joined, ((store.match(), str(store.path)) for store in stores))[0]
        if len(stores) > 1 and self._match.tune is not None:
            raise WrongMatch("tune: the files of tunings cannot be joined")
        # Find contradictions before doing any work.
        told = self._agreed(_told, str)
        programs = self._agreed(_programs, "the program of {}".format)
        self._engines = {name: Identity(told[name], programs.get(name, "")) for name in told}
        for store in stores:
            for name, known in store.engines().items():
                self._engines[name] = self._engines[name].using(known.uses)
        self._openings = self._agreed(Store.openings, str, lambda opening: " ".join(opening.words))
        self._places: list[_Place] = []
        self._left_out: list[list[int]] = [[] for _ in stores]
        self._find_games()
        self.twice = sum(map(len, self._left_out))

    def _find_games(self) -> None:
        known: set[GameKey] = set()
        for file, store in enumerate(self._stores):
            for number, result in store.games():
                if result.key in known:
                    self._left_out[file].append(number)
                    continue
                known.add(result.key)
                self._places.append(_Place(result.started, file, number))
        self._places.sort()

    def _agreed(
        self,
        read: Callable[[Store], dict[_Key, _Value]],
        name: Callable[[_Key], str],
        say: Callable[[_Value], str] = str,
    ) -> dict[_Key, _Value]:
        """The union of a table of all files. Raises WrongMatch if two of them contradict."""
        found: dict[_Key, tuple[_Value, Store]] = {}
        for store in self._stores:
            for key, value in read(store).items():
                known, source = found.setdefault(key, (value, store))
                if say(known) != say(value):
                    told = f"{say(known)} in {source.path}, {say(value)} in {store.path}"
                    raise WrongMatch(f"the files contradict each other: {name(key)} is {told}")
        return {key: value for key, (value, _) in found.items()}

    def match(self) -> Match:
        """The match with the engines of all files and all their pairs of games."""
        return self._match

    def engines(self) -> dict[str, Identity]:
        """The identities of the engines."""
        return self._engines

    def openings(self) -> dict[OpeningPlace, Opening]:
        """All openings."""
        return self._openings

    def games(self) -> Iterator[tuple[int, GameResult]]:
        """The games with numbers from 1, the same as in a merged file."""
        readers = [store.games() for store in self._stores]
        ahead: list[dict[int, GameResult]] = [{} for _ in self._stores]
        for number, place in enumerate(self._places, 1):
            while place.game not in ahead[place.file]:
                found, result = next(readers[place.file])
                ahead[place.file][found] = result
            yield number, ahead[place.file].pop(place.game)

    def records(self) -> Iterator[GameRecord]:
        """The games with their turns and their evidence."""
        for number, result in self.games():
            yield GameRecord(result, self.turns(number), self.evidence(number))

    def turns(self, game: int) -> tuple[TurnRecord, ...]:
        """The turns of a game, by its number."""
        place = self._places[game - 1]
        return self._stores[place.file].turns(place.game)

    def evidence(self, game: int) -> tuple[Evidence, ...]:
        """The evidence of a game that ended with a fault."""
        place = self._places[game - 1]
        return self._stores[place.file].evidence(place.game)

    def time_use(self) -> dict[str, TimeUse]:
        """The time that each engine used."""
        total: dict[str, TimeUse] = {}
        for store, left_out in zip(self._stores, self._left_out):
            for engine, use in store.time_use(left_out).items():
                total[engine] = _sum(total[engine], use) if engine in total else use
        return total

    def voids(self) -> list[VoidGame]:
        """The void games, without duplicates."""
        return list(dict.fromkeys(void for store in self._stores for void in store.voids()))


@contextmanager
def opened(paths: Sequence[Path]) -> Iterator[Joined]:
    """Several files of a match, open for reading. Raises StoreFailed, and WrongMatch if they are
    not parts of one match."""
    with ExitStack() as stack:
        yield Joined([stack.enter_context(closing(Store(path, to_read=True))) for path in paths])


def _told(store: Store) -> dict[str, str]:
    """The names and versions that the engines report."""
    return {name: known.told for name, known in store.engines().items()}


def _programs(store: Store) -> dict[str, str]:
    """The fingerprints of the programs, where known."""
    return {name: known.program for name, known in store.engines().items() if known.program}


def _sum(one: TimeUse, other: TimeUse) -> TimeUse:
    processor = [use.processor for use in (one, other) if use.processor is not None]
    late = [use.late for use in (one, other) if use.late is not None]
    longest = max(one.longest, other.longest)
    both = one.turns + other.turns, one.total + other.total, longest
    return TimeUse(*both, sum(processor) if processor else None, max(late, default=None))


def _joined(before: tuple[Match, str], following: tuple[Match, str]) -> tuple[Match, str]:
    """One match from two that differ only in engines and in the amount of play."""
    (one, path), (other, name) = before, following
    told = differences(one, other, (f"in {path}", f"in {name}"))
    if told and differences(other, one):
        engines = (", ".join(engine.name for engine in match.engines) for match in (one, other))
        lines = [f"engines: {{}} in {path}, {{}} in {name}".format(*engines), *told]
        raise WrongMatch(f"{path} and {name} contain different matches:\n  " + "\n  ".join(lines))
    largest = one if told else other
    start = min(one.start, other.start)
    end = max(match.start + match.games // 2 for match in (one, other))
    return replace(largest, start=start, games=2 * (end - start)), path
