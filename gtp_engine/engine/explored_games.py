"""The games that an engine was shown: which turns followed a position, how often, and who won.

A position is known however it was reached, and in any of the images that its game counts as equal.
"""

from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from typing import NamedTuple

from gtp_engine.engine.history import PlayedTurn
from gtp_engine.engine.record_loading import replay
from gtp_engine.engine.session import Session
from gtp_engine.rules import default_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import SEPARATOR, Unreadable, parse_word, read_turn
from gtp_engine.rules.points.symmetry import Image
from gtp_engine.rules.records.record import Record, utc
from gtp_engine.rules.step import IllegalStep, Step
from gtp_engine.rules.turns import chosen_steps

DEEPEST = 40
"""The turns of a game that are counted; later positions hardly ever occur twice."""

MOST_TURNS = 100_000
"""Most different turns, about 50 MB; when they are reached, only these are counted on."""

MOST_LISTED = 24

_KEY_BYTES = 12
_DAY = len("2026-11-26")


class _Key(NamedTuple):
    """What all images of a position have in common.

    image -- the image in which the position was written
    """

    text: bytes
    image: Image
    size: int

    def mapped(self, step: Step) -> Step:
        """The same step in that image."""
        return Step(step.kind, tuple(self.image.of_vertex(at, self.size) for at in step.vertices))


@dataclass(slots=True)
class _Tally:
    """The games with one turn.

    word   -- the turn, in the image of its position that gave the key
    counts -- won by BLACK, won by WHITE, drawn, without a result
    last   -- the day of the newest game, `2026-11-26`; "" if unknown
    """

    word: str
    counts: list[int]
    last: str = ""


class ExploredTurn(NamedTuple):
    """A turn that was played from a position.

    turn  -- in one word, for the position as it was asked
    games -- the games with it; of these BLACK won `black`, WHITE `white`, and `draws` were drawn
    last  -- the day of the newest game, "" if unknown
    """

    turn: str
    games: int
    black: int
    white: int
    draws: int
    last: str


class ExploredGames:
    """The turns of all games that were added, by position.

    games -- the number of games
    """

    def __init__(self) -> None:
        self.games = 0
        self._turns = 0
        # For each position, its turns by the position that each leads to.
        self._positions: dict[bytes, dict[bytes, _Tally]] = {}

    def add(self, content: bytes) -> None:
        """Count the main line of a record. Raises CannotLoad."""
        session = Session(default_game())
        replay(session, content, DEEPEST + 1)
        record = session.state.record
        assert record is not None
        result, day = _result(record), _day(record)
        self.games += 1
        here = _key(session.state.start)
        for turn in session.turns():
            end = turn.frames[-1]
            if end.open or end.lost_by:
                break
            tally = self._tally(turn, here, here := _key(end.position))
            if tally is not None:
                tally.counts[result] += 1
                tally.last = max(tally.last, day)

    def played(self, position: Position) -> list[ExploredTurn]:
        """The turns that were played from a position, the most frequent first.

        A turn that is not legal here is left out: a swap, where it is no longer possible.
        """
        if position.open:
            return []
        key = _key(position)
        found = []
        for tally in self._positions.get(key.text, {}).values():
            word = _word_in(position, tally.word, key.image.inverse)
            if word is not None:
                games, (black, white, draws, _) = sum(tally.counts), tally.counts
                found.append(ExploredTurn(word, games, black, white, draws, tally.last))
        return sorted(found, key=lambda each: (-each.games, each.turn))

    def _tally(self, turn: PlayedTurn, before: _Key, after: _Key) -> _Tally | None:
        """The games with a turn; None for a new turn that finds no room."""
        turns = self._positions.get(before.text, {})
        known = turns.get(after.text)
        if known is not None or self._turns >= MOST_TURNS:
            return known
        self._turns += 1
        steps = chosen_steps(turn.start, turn.steps)
        word = SEPARATOR.join(str(before.mapped(step)) for step in steps)
        known = turns[after.text] = _Tally(word, [0, 0, 0, 0])
        self._positions[before.text] = turns
        return known


def _result(record: Record) -> int:
    """The place of a record's result in the counts of a tally."""
    text = record.root.text("RE").lower()
    return {"b": 0, "w": 1, "0": 2, "d": 2}.get(text[:1], 3)


def _day(record: Record) -> str:
    """The day of a game: of its last timed turn, else of its date; "" if that is no day."""
    times = [node.time for node in record]
    newest = max((time for time in times if time is not None), default=None)
    if newest is not None:
        return utc(newest).date().isoformat()
    try:
        return date.fromisoformat(record.root.text("DT").strip()[:_DAY]).isoformat()
    except ValueError:
        return ""


def _key(position: Position) -> _Key:
    """The key of a position.

    What it remembers beside its cells does not count, neither earlier positions nor a swap still
    ahead: they change what is legal, but hardly what is good.
    """
    layers, size = position.layers(), position.size
    cells, image = min(
        (sorted((word, image.of_points(at, size)) for word, at in layers.items()), image)
        for image in position.game.symmetry
    )
    text = f"{position.game.name} {size} {position.to_move.letter} {cells}"
    return _Key(blake2b(text.encode(), digest_size=_KEY_BYTES).digest(), image, size)


def _word_in(position: Position, word: str, image: Image) -> str | None:
    """A turn, from a word whose points are mapped by an image; None if it is illegal."""
    items = parse_word(position.game, word)
    mapped = (
        item._replace(vertices=tuple(image.of_vertex(at, position.size) for at in item.vertices))
        for item in items
    )
    try:
        return read_turn(position, (), SEPARATOR.join(map(str, mapped))).word
    except (IllegalStep, Unreadable):
        return None
