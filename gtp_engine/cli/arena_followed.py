"""The matches in some files, followed while they are played, for those who watch."""

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.wording import percent, rated, with_bar
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.stats.ratings import NO_ANCHORS
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.storage.store import Store, StoreFailed
from gtp_engine.arena.values import Board, GameKey, GameResult, LiveGame, TurnRecord
from gtp_engine.base.option import meant
from gtp_engine.base.statistics.statistics import elo
from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.seat import BLACK, WHITE
from gtp_engine.board.table.watching import WatchedGame
from gtp_engine.cli.arena_games import UnplayableGame
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import DEFAULTS
from gtp_engine.rules import find_game
from gtp_engine.rules.records.record import Ending, GameStart
from gtp_engine.rules.step import IllegalStep

MOST_SHOWN = 500
"""The newest finished games that can be chosen."""


class MatchStanding(NamedTuple):
    """The standing of matches: see WatchDesk.tell_games."""

    games: list[Message]
    matches: list[Message]


class ShownGame(NamedTuple):
    """A game that can be chosen, and when it ended, in seconds since 1970; later if it goes on."""

    ended: float
    number: int
    told: Message


class FollowedMatches:
    """The matches in some files. Each game gets a number, which it keeps after its end.

    Use it in one thread.
    """

    def __init__(self, paths: Sequence[Path], anchors: Mapping[str, float] = NO_ANCHORS) -> None:
        """Open the files. Raises StoreFailed, and WrongMatch for an anchor that no match has."""
        self._matches: list[FollowedMatch] = []
        numbers = count(1)
        try:
            for path in paths:
                self._matches.append(FollowedMatch(path, numbers, len(paths) > 1, anchors))
            known = {name for match in self._matches for name in match.engines}
            for name in anchors:
                if name not in known:
                    raise WrongMatch(f"--anchor: no engine is named {name}{meant(name, known)}")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the files."""
        for match in self._matches:
            match.close()

    def look(self) -> bool:
        """Whether a game has begun or ended since the last call. Raises StoreFailed, after a look
        at all files."""
        news, failures = False, []
        for match in self._matches:
            try:
                news |= match.look()
            except StoreFailed as failure:
                failures.append(failure)
        if failures:
            raise failures[0]
        return news

    def standing(self) -> MatchStanding:
        """The newest games, and the results of each match."""
        games = sorted((game for match in self._matches for game in match.games()), reverse=True)
        told = [game.told for game in games[:MOST_SHOWN]]
        return MatchStanding(told, [match.results() for match in self._matches])

    @property
    def live(self) -> list[int]:
        """The numbers of the games in progress."""
        return sorted(number for match in self._matches for number in match.live)

    @property
    def newest(self) -> int | None:
        """The number of the game that ended last, None before the first."""
        ended = [game for match in self._matches for game in match.games()]
        return max(ended).number if ended else None

    def game(self, number: int) -> WatchedGame | None:
        """A game by its number; None if there is none. Raises StoreFailed or UnplayableGame."""
        found = (match.game(number) for match in self._matches)
        return next((game for game in found if game is not None), None)


class FollowedMatch:
    """The match in a file.

    live -- the numbers of the games in progress at the last reading
    """

    def __init__(
        self,
        path: Path,
        numbers: Iterator[int],
        named: bool,
        anchors: Mapping[str, float],
    ) -> None:
        """Open the file. Raises StoreFailed.

        numbers -- new ones for its games
        named   -- whether games tell the name of the file, too
        anchors -- given ratings; those of other engines are ignored
        """
        self._store = Store(path, to_read=True)
        self._name, self._named = path.name, named
        match = self._store.match()
        self.engines = [engine.name for engine in match.engines]
        own = {name: elo for name, elo in anchors.items() if name in self.engines}
        self._match = match.anchored(own)
        self._tally = Tally(match.pair_test(), brief=True)
        self._over: deque[tuple[int, GameResult]] = deque(maxlen=MOST_SHOWN)
        self._live: dict[int, LiveGame] = {}
        self._new = numbers
        self._numbers: dict[GameKey, int] = {}
        self._last = -1
        self.live: list[int] = []

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def look(self) -> bool:
        """Whether a game has begun or ended since the last call. Raises StoreFailed."""
        before = self._last, self.live
        live = self._store.live()
        if self._tally.test is not None:
            self._tally.test.see_voids(self._store.voids())
        for place, result in self._store.games(max(self._last, 0)):
            self._tally.add(result, place)
            self._over.append((place, result))
            self._last = place
        self._last = max(self._last, 0)
        over = [result.key for _, result in self._over]
        playing = {game.key: game for game in live if game.key not in over}
        self._numbers = {key: self._number(key) for key in (*over, *playing)}
        self._live = {self._numbers[key]: game for key, game in playing.items()}
        self.live = sorted(self._live)
        return before != (self._last, self.live)

    def game(self, number: int) -> WatchedGame | None:
        """A game by its number; None if there is none. Raises StoreFailed or UnplayableGame."""
        if (playing := self._live.get(number)) is not None:
            return _watched(number, playing.key, playing.opening, playing.turns)
        for place, result in self._over:
            if self._numbers[result.key] == number:
                turns = self._store.turns(place)
                ending = Ending(result.result, result.reason)
                return _watched(number, result.key, result.opening, turns, ending)
        return None

    def games(self) -> Iterator[ShownGame]:
        """The games that can be chosen."""
        for number, game in self._live.items():
            # Those in progress come first, in the order of their beginnings.
            yield ShownGame(math.inf, -number, self._shown(game.key, None))
        for _, result in self._over:
            told = self._shown(result.key, result.result)
            yield ShownGame(result.started + result.seconds, self._numbers[result.key], told)

    def results(self) -> Message:
        """The results so far: see WatchDesk.tell_games."""
        found = Findings(self._tally, self._match)
        told = " ".join(map(_stopped, (found.headline, *found.sentences)))
        return {"name": self._name, "result": told, "standings": _standings(found)}

    def _number(self, key: GameKey) -> int:
        return self._numbers.get(key) or next(self._new)

    def _shown(self, key: GameKey, result: str | None) -> Message:
        black, white = key.engines
        board = f"{find_game(key.board.game).title} {key.board.size}"
        words = [f"{black} \u2013 {white}", board, *([self._name] if self._named else [])]
        return {
            "game": self._numbers[key],
            "black": black,
            "white": white,
            "text": ", ".join(words),
            "result": result,
        }


def _standings(found: Findings) -> list[Message]:
    """The strength of each engine, in the columns for which there is room beside the board."""
    rows = [
        (rating.engine, percent(rating.score), rated(rating, pool.anchored))
        for pool in found.rated_pools
        for rating in pool.ratings
    ]
    if found.only_meeting and not rows:
        first, second, meeting = found.only_meeting
        sides = [(first, meeting.counts), (second, meeting.counts.reversed())]
        sides.sort(key=lambda side: -side[1].mean)
        rows = [(name, percent(each.mean), with_bar(elo(each))) for name, each in sides]
    return [dict(zip(("engine", "score", "Elo"), map(_unbroken, row))) for row in rows]


def _unbroken(cell: str) -> str:
    """A cell whose numbers stay with their signs when it is wrapped."""
    return cell.replace(" ±", "\N{NO-BREAK SPACE}±").replace(" %", "\N{NO-BREAK SPACE}%")


def _stopped(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _watched(
    number: int,
    key: GameKey,
    opening: tuple[str, ...],
    turns: tuple[TurnRecord, ...],
    ending: Ending | None = None,
) -> WatchedGame:
    """A game as a table shows it. Raises UnplayableGame."""
    board = key.board
    given = [(color, word, None) for color, word in _opening(board, opening)]
    played = [(_color(turn), turn.word, turn.value) for turn in turns]
    start = GameStart(board.game, board.size, board.pie)
    return WatchedGame(str(number), start, key.engines, (*given, *played), ending)


def _color(turn: TurnRecord) -> str:
    return WHITE if turn.color else BLACK


@lru_cache(4096)
def _opening(board: Board, words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The turns of the opening with their colors. Raises UnplayableGame."""
    session = Session(find_game(board.game), board.size, DEFAULTS.change("pie", board.pie))
    given = []
    try:
        for word in words:
            given.append((str(session.position.to_move), word))
            session.play(session.position.to_move, word)
    except (IllegalStep, ValueError) as error:
        raise UnplayableGame(f"the opening {' '.join(words)} cannot be played: {error}") from None
    return tuple(given)
