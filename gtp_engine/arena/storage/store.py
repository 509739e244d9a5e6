"""The file of a match: an SQLite database, written game by game.

Each game is one transaction, durable before the next begins. Several processes may play one match
into one file: a process claims a game before it starts it, and a claim lapses unless renewed.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from gtp_engine.arena.setup.config import Match, WrongMatch
from gtp_engine.arena.setup.tables import differences, restore_match, write_match
from gtp_engine.arena.storage.database import (
    Database,
    StoreFailed,
    StoreOutage,
    is_alive,
    patient,
)
from gtp_engine.arena.storage.rows import (
    KEY_COLUMNS,
    LIVE_COLUMNS,
    RESULT_COLUMNS,
    TURN_COLUMNS,
    convert,
    insertion,
    read_live,
    read_opening,
    read_result,
    read_trial,
    read_turn,
)
from gtp_engine.arena.values import (
    Board,
    Evidence,
    GameKey,
    GameRecord,
    GameResult,
    Identity,
    LiveGame,
    Opening,
    TimeUse,
    Trial,
    TurnRecord,
    VoidGame,
)

__all__ = ["CLAIM_LAPSES", "OpeningPlace", "Store", "StoreFailed"]

CLAIM_LAPSES = 120.0
"""Seconds without renewal after which a claim lapses, because its owner is gone."""

# The columns of the tables in the order of the written rows.
_ENGINE = "name, identity, program, uses"
_IDENTITY = "identity, coalesce(program, ''), coalesce(uses, '')"
_OPENING = "game, size, number, words, value"
_GAME = "game, size, first, second, number, half"
_VOID = f"{_GAME}, reason, time"

_KEY = "game = ? and size = ? and first = ? and second = ? and number = ? and half = ?"


class OpeningPlace(NamedTuple):
    """Identifies an opening: a game, a size, and the number of a pair of games."""

    game: str
    size: int
    number: int

    def __str__(self) -> str:
        return f"opening {self.number} of {self.game} {self.size}"


class Store(Database):
    """The match in a file. Use it in one thread."""

    def close(self) -> None:
        """Give up all claims, and close the file. In an outage the claims lapse by themselves."""
        try:
            if not self._to_read:
                with suppress(StoreOutage), self._failures():
                    self._db.execute("delete from claims where owner = ?", (self._owner,))
                    self._db.execute("delete from playing where owner = ?", (self._owner,))
        finally:
            self._db.close()

    def match(self) -> Match:
        """The match in the file. Raises StoreFailed if there is none yet."""
        with self._failures():
            match = self._stored_match()
        if match is None:
            raise StoreFailed(f"{self.path} contains no match yet")
        return match

    def _stored_match(self) -> Match | None:
        row = self._db.execute("select config from match").fetchone()
        try:
            return None if row is None else restore_match(row[0])
        except WrongMatch as error:
            raise StoreFailed(f"{self.path} contains an unreadable match: {error}") from None

    @patient
    def begin(self, match: Match, identities: Mapping[str, Identity], accept: bool = False) -> None:
        """Begin or continue a match.

        identities -- the identities of the engines
        accept     -- accept engines that have changed

        Raises WrongMatch if the file contains another match, games of other engines, or games of a
        sequential test that began with another pair.
        """
        with self._failures(), self._transaction():
            before = self._stored_match()
            if before is not None and (told := differences(before, match)):
                named = f"{self.path} contains another match; name another file with --db"
                raise WrongMatch("\n  ".join([f"{named}:", *told]))
            if before is not None:
                self._check_test(before, match)
            self._db.execute("delete from match")
            self._db.execute(insertion("match", "config"), (write_match(match),))
            if accept:
                names = [(engine.name,) for engine in match.engines]
                self._db.executemany("delete from engines where name = ?", names)
            for name, identity in identities.items():
                self._identify(name, identity)

    def _check_test(self, before: Match, now: Match) -> None:
        """Raises WrongMatch if a sequential test would begin anew beside games that it has seen: it
        counts pairs from the first one on, so its error rates would not hold."""
        if now.sprt is None or now.start == before.start:
            return
        if self._db.execute("select 1 from games").fetchone():
            raise WrongMatch(
                f"{self.path} has games of a sequential test from pair {before.start} on, which"
                f" cannot go on from pair {now.start}; name another file with --db, and a report of"
                " both files joins them"
            )

    @patient
    def identify(self, identities: Iterable[tuple[str, Identity]]) -> None:
        """Store identities of engines. Raises WrongMatch if a stored one differs."""
        with self._failures(), self._transaction():
            for name, identity in identities:
                self._identify(name, identity)

    def _identify(self, name: str, now: Identity) -> None:
        row = self._db.execute(
            f"select {_IDENTITY} from engines where name = ?", (name,)
        ).fetchone()
        before = convert(list(row), Identity) if row else now
        # A machine without the program takes no fingerprint of it.
        if before.told != now.told or (before.program or now.program) != now.program:
            raise WrongMatch(
                f"{self.path} contains games of {name} as {before}; it is now {now}. Use another"
                " file, or mix both in this one by --accept-changed-engines"
            )
        self._db.execute(insertion("engines", _ENGINE, "replace"), (name, *now.using(before.uses)))

    def engines(self) -> dict[str, Identity]:
        """The identities of the engines."""
        with self._failures():
            rows = self._db.execute(f"select name, {_IDENTITY} from engines")
            return convert({name: told for name, *told in rows}, dict[str, Identity])

    # Openings ------------------------------------------------------------------------------

    @patient
    def opening(self, board: Board, number: int) -> Opening | None:
        """The opening of a number, if it is stored."""
        with self._failures():
            row = self._db.execute(
                "select words, value from openings where game = ? and size = ? and number = ?",
                (board.game, board.size, number),
            ).fetchone()
            return read_opening(*row) if row else None

    @patient
    def add_opening(self, board: Board, number: int, opening: Opening) -> None:
        """Store an opening, unless another process has stored one of this number."""
        with self._failures():
            self._db.execute(
                insertion("openings", _OPENING, "ignore"),
                (board.game, board.size, number, " ".join(opening.words), opening.value),
            )

    def openings(self) -> dict[OpeningPlace, Opening]:
        """All stored openings."""
        with self._failures():
            rows = self._db.execute("select game, size, number, words, value from openings")
            return {OpeningPlace(*row[:3]): read_opening(*row[3:]) for row in rows}

    def fill(
        self,
        match: Match,
        engines: Mapping[str, Identity],
        openings: Mapping[OpeningPlace, Opening],
        records: Iterable[GameRecord],
        voids: Iterable[VoidGame],
    ) -> None:
        """Fill a new file with a match that was played elsewhere, all or nothing."""
        with self._failures(), self._transaction():
            self._db.execute(insertion("match", "config"), (write_match(match),))
            self._db.executemany(
                insertion("engines", _ENGINE),
                ((name, *identity) for name, identity in engines.items()),
            )
            self._db.executemany(
                insertion("openings", _OPENING),
                ((*place, " ".join(each.words), each.value) for place, each in openings.items()),
            )
            self._db.executemany(insertion("voids", _VOID), voids)
            for record in records:
                self._insert(record)

    # Games ---------------------------------------------------------------------------------

    @patient
    def claim(self, key: GameKey) -> bool:
        """Claim a game for this process; False if it is stored or another process plays it."""
        now = time.time()
        with self._failures(), self._transaction():
            self._check_file()
            if self._db.execute(f"select 1 from games where {_KEY}", _values(key)).fetchone():
                return False
            row = self._db.execute(
                f"select owner, renewed from claims where {_KEY}", _values(key)
            ).fetchone()
            if row and row[0] != self._owner and is_alive(row[0], row[1], now - CLAIM_LAPSES):
                return False
            self._db.execute(
                insertion("claims", f"{_GAME}, owner, renewed", "replace"),
                (*_values(key), self._owner, now),
            )
            return True

    @patient
    def renew(self) -> None:
        """Renew the claims of this process; call it well before CLAIM_LAPSES."""
        with self._failures():
            self._db.execute(
                "update claims set renewed = ? where owner = ?", (time.time(), self._owner)
            )

    @patient
    def add(self, record: GameRecord) -> bool:
        """Store a game; False if another process has stored the same game before."""
        with self._failures(), self._transaction():
            self._check_file()
            self._db.execute(f"delete from claims where {_KEY}", _values(record.result.key))
            return self._insert(record)

    def _insert(self, record: GameRecord) -> bool:
        result = record.result
        key = result.key
        columns = f"{KEY_COLUMNS}, black, white, {RESULT_COLUMNS}"
        row = (
            *(*key.board, key.first, key.second, key.number, key.half, *key.engines),
            *(" ".join(result.opening), result.winner, result.result, result.reason),
            *(result.fault and result.fault.value, result.swapped, result.started),
            *(result.seconds, result.length),
            *(result.adjudicated and result.adjudicated.value, result.worker),
        )
        added = self._db.execute(insertion("games", columns, "ignore"), row)
        if added.rowcount != 1:
            return False
        game = added.lastrowid
        self._db.executemany(
            insertion("turns", f"game_id, number, {TURN_COLUMNS}"),
            (
                (game, number, turn.engine, turn.color.letter, *turn[2:])
                for number, turn in enumerate(record.turns)
            ),
        )
        self._db.executemany(
            insertion("evidence", "game_id, engine, lines"),
            ((game, each.engine, "\n".join(each.lines)) for each in record.evidence),
        )
        return True

    @patient
    def add_void(self, key: GameKey, reason: str) -> None:
        """Record a void game; it may be claimed again."""
        with self._failures(), self._transaction():
            self._db.execute(f"delete from claims where {_KEY}", _values(key))
            self._db.execute(
                insertion("voids", _VOID),
                (*_values(key), reason, time.time()),
            )

    def voids(self) -> list[VoidGame]:
        """The void games."""
        with self._failures():
            rows = self._db.execute(f"select {_VOID} from voids order by time").fetchall()
        return [VoidGame(*row) for row in rows]

    def games(self, after: int = 0) -> Iterator[tuple[int, GameResult]]:
        """The games in the order in which they were stored, with their numbers.

        after -- skip games up to this number
        """
        with self._failures():
            rows = self._db.execute(
                f"select id, {KEY_COLUMNS}, {RESULT_COLUMNS} from games where id > ? order by id",
                (after,),
            )
            for number, *row in rows:
                with self._in_game(number):
                    result = read_result(row)
                yield number, result

    def numbers(self) -> list[int]:
        """The numbers of the games, in order: each is its id in the table."""
        with self._failures():
            return [row[0] for row in self._db.execute("select id from games order by id")]

    def turns(self, game: int) -> tuple[TurnRecord, ...]:
        """The turns of a game, by its number."""
        with self._failures():
            rows = self._db.execute(
                f"select {TURN_COLUMNS} from turns where game_id = ? order by number", (game,)
            ).fetchall()
        with self._in_game(game):
            return tuple(map(read_turn, rows))

    def time_use(self, left_out: Sequence[int] = ()) -> dict[str, TimeUse]:
        """The time that each engine used, without the games of the given numbers."""
        with self._failures():
            rows = self._db.execute(
                "select engine, count(*), sum(seconds), max(seconds), sum(processor), max(late)"
                " from turns where game_id not in (select value from json_each(?)) group by engine",
                (json.dumps(left_out),),
            ).fetchall()
            return {row[0]: convert(row[1:], TimeUse) for row in rows}

    def evidence(self, game: int) -> tuple[Evidence, ...]:
        """Both conversations of a game that ended with a fault."""
        with self._failures():
            rows = self._db.execute(
                "select engine, lines from evidence where game_id = ?", (game,)
            ).fetchall()
        with self._in_game(game):
            said = convert(rows, list[tuple[str, str]])
        return tuple(Evidence(engine, tuple(lines.split("\n"))) for engine, lines in said)

    # Games in progress ---------------------------------------------------------------------

    def show_live(self, games: Iterable[LiveGame]) -> None:
        """Show viewers the games that this process plays now, instead of its earlier ones.

        They need not be durable, so the write does not wait for the disk, nor for an outage.
        """
        rows = []
        for game in games:
            turns = [
                (turn.engine, turn.color.letter, turn.word, turn.seconds, turn.value)
                for turn in game.turns
            ]
            told = " ".join(game.opening), json.dumps(turns)
            rows.append((*game.key.board, *game.key[1:], *told, self._owner))
        with suppress(StoreOutage), self._failures():
            self._db.execute("pragma synchronous = off")
            try:
                with self._transaction():
                    self._db.execute("delete from playing where owner = ?", (self._owner,))
                    self._db.executemany(
                        insertion("playing", f"{LIVE_COLUMNS}, owner", "replace"), rows
                    )
            finally:
                self._db.execute("pragma synchronous = full")

    def live(self) -> list[LiveGame]:
        """The games in progress in all processes, as last stored.

        Those of a crashed process count as long as its claims do. Raises StoreFailed.
        """
        with self._failures():
            rows = self._db.execute(
                f"select {LIVE_COLUMNS} from playing join claims using ({_GAME}, owner)"
                " where claims.renewed > ?",
                (time.time() - CLAIM_LAPSES,),
            ).fetchall()
            return [read_live(row) for row in rows]

    # Trials --------------------------------------------------------------------------------

    @patient
    def trials(self) -> list[Trial]:
        """The trials of a tuning, in order."""
        with self._failures():
            rows = self._db.execute(
                "select number, settings, start, games from trials order by number"
            ).fetchall()
            return [read_trial(*row) for row in rows]

    @patient
    def add_trial(self, trial: Trial) -> None:
        """Store a trial, unless another process has stored one of this number."""
        row = (trial.number, json.dumps(trial.settings), trial.start, trial.games)
        with self._failures():
            self._db.execute(insertion("trials", "number, settings, start, games", "ignore"), row)


def _values(key: GameKey) -> tuple[Any, ...]:
    return (key.board.game, key.board.size, key.first, key.second, key.number, key.half)
