"""Robble: a placed stone pushes, flips or drives off its neighbors.

Numbers R1 to R17 refer to the rules in protocol_specs/games/robble.md. "Adjacent" always means
orthogonally adjacent (R4).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.events import BoardEvent, becoming, moving, placing, removing
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Look
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import components, deciding, leader, sizes, won_by
from gtp_engine.rules.points.points import DIRECTIONS, Points, bit, lowest, shift, union, vertices
from gtp_engine.rules.points.symmetry import SQUARE
from gtp_engine.rules.points.vertex import MAX_SIZE, STRIDE
from gtp_engine.rules.step import (
    Citations,
    Marks,
    Outcome,
    Saying,
    Step,
    StepKind,
    StepTable,
    UnplayablePosition,
)
from gtp_engine.rules.tuning import EarlyTurns, GameLength, Tuning

PLACE = StepKind("place", "{}", "a stone on {}", wish="place a stone")
PLACE_AT = StepTable(PLACE)

APPEARANCES_THAT_DRAW = 3

# More earlier positions than in any sensible game; reading the text of a position with more would
# take too long, and on size 19 it would be longer than a line of GTP.
MOST_EARLIER = 20_000
_BOARD_BITS = MAX_SIZE * STRIDE
_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_APPEARANCE = "[bw](0|[1-9a-v][0-9a-v]*)"


@dataclass(frozen=True, slots=True)
class RobblePosition(Position):
    """A position of Robble.

    stones -- a set of squares for each color
    seen   -- every appearance so far of a board with a color to move, one number each
              (`appearance`); the present one is last
    """

    stones: tuple[Points, Points]
    seen: tuple[int, ...]

    @classmethod
    def assemble(cls, content: Content) -> Self:
        """A position of stones, with all earlier appearances."""
        size, layers, to_move, pie, fields = content
        stones = layers.get("B", 0), layers.get("W", 0)
        words = fields["seen"].split(",") if "seen" in fields else ()
        if len(words) > MOST_EARLIER:
            raise UnplayablePosition(f"seen lists {len(words)} positions, more than {MOST_EARLIER}")
        earlier = tuple(parse_appearance(word, size) for word in words)
        return cls(size, to_move, pie, stones, (*earlier, appearance(stones, to_move)))

    def layers(self) -> dict[str, Points]:
        """The stones of each color."""
        return {word: points for word, points in zip("BW", self.stones) if points}

    def fields(self) -> dict[str, str]:
        """All earlier appearances, if there are any."""
        earlier = ",".join(appearance_text(number, self.size) for number in self.seen[:-1])
        return {"seen": earlier} if earlier else {}

    @property
    def empty(self) -> Points:
        """The squares without a stone."""
        black, white = self.stones
        return self.board & ~(black | white)

    def candidates(self) -> list[Step]:
        """R8: a stone on any empty square."""
        # R8: any empty square.
        return [PLACE_AT[vertex] for vertex in vertices(self.empty)]

    def board_objection(self, step: Step) -> Saying | None:
        """R8: the square is not empty."""
        vertex = step.vertices[0]
        if not self.empty >> vertex & 1:
            return Saying(f"{vertex} is not empty", "R8", bit(vertex))
        return None

    def after(self, step: Step) -> Self:
        """R8 to R11. Each direction affects its own two squares, so the order does not matter."""
        placed = bit(step.vertices[0])
        stones = list(self.stones)
        stones[self.to_move] |= placed
        for rule, stone, beyond in self._effects(placed):
            color = self._color_of(stone)
            stones[color] &= ~stone
            if rule == "R9":
                stones[color] |= beyond
            elif rule == "R11":
                stones[color.opponent] |= stone
        pair = stones[0], stones[1]
        to_move = self.to_move.opponent
        # The empty board never recurs: a turn leaves its own stone.
        earlier = self.seen if any(self.stones) else ()
        seen = (*earlier, appearance(pair, to_move))
        return type(self)(self.size, to_move, self.pie_ahead, pair, seen)

    def _effects(self, placed: Points) -> Iterator[tuple[str, Points, Points]]:
        """The effect of a new stone on each adjacent stone.

        Yields the rule, the stone's square, and the square behind it, 0 off the board: empty (R9),
        none (R10) or with a stone (R11).
        """
        board, occupied = self.board, self.stones[BLACK] | self.stones[WHITE]
        for direction in DIRECTIONS:
            stone = shift(placed, direction) & occupied
            if stone:
                beyond = shift(stone, direction) & board
                yield "R10" if not beyond else "R11" if beyond & occupied else "R9", stone, beyond

    def _color_of(self, stone: Points) -> Color:
        """The color of the stone on a square."""
        return BLACK if self.stones[BLACK] & stone else WHITE

    def marks(self, step: Step) -> Marks:
        """R10: the adjacent stones with the edge behind them."""
        effects = self._effects(bit(step.vertices[0]))
        return Marks(removes=union(stone for rule, stone, _ in effects if rule == "R10"))

    def board_taken(self, step: Step) -> tuple[int, int]:
        """R10: the stones that leave the board."""
        removed = self.marks(step).removes
        black, white = ((stones & removed).bit_count() for stones in self.stones)
        return black, white

    def board_events(self, step: Step) -> list[BoardEvent]:
        """The new stone, then all its effects at once."""
        vertex, name = step.vertices[0], self.game.color_names[self.to_move]
        stone = placing(vertex, self.to_move.sign)
        events = [
            BoardEvent(1, Saying(f"{name} puts a stone on {vertex}", "R8", bit(vertex)), (stone,))
        ]
        for effect in self._effects(bit(vertex)):
            events.append(self._event_of(*effect))
        return events

    def _event_of(self, rule: str, stone: Points, beyond: Points) -> BoardEvent:
        """One of the effects of a new stone, as an event."""
        vertex = lowest(stone)
        if rule == "R10":
            text = f"the stone on {vertex} leaves the board: the edge is behind it"
            return BoardEvent(2, Saying(text, rule, stone), (removing(vertex),))
        behind = lowest(beyond)
        if rule == "R9":
            text = f"the stone on {vertex} moves to {behind}, the empty square behind it"
            return BoardEvent(2, Saying(text, rule, stone | beyond), (moving(vertex, behind),))
        color = self._color_of(stone).opponent
        name = self.game.color_names[color].lower()
        text = f"the stone on {vertex} becomes {name}: there is a stone behind it, on {behind}"
        return BoardEvent(2, Saying(text, rule, stone | beyond), (becoming(vertex, color.sign),))

    def mirrored(self) -> Self:
        """A swap is not an appearance (R16); earlier ones are mirrored and still count."""
        black, white = self.stones
        to_move = self.to_move.opponent
        seen = tuple(mirrored_appearance(number) for number in self.seen)
        return type(self)(self.size, to_move, self.pie, (white, black), seen)

    def outcome(self) -> Outcome | None:
        """R12: a full board; R16: the third appearance of a position."""
        if not self.empty:
            black, white = (sizes(components(stones)) for stones in self.stones)
            groups = black, white
            winner = leader(*groups)  # R13: equal groups cancel
            if winner is None:
                reason = "all groups cancel; the last mover loses"
                return Outcome(self.to_move, "R12", reason, winner_rule="R15")
            return Outcome(winner, "R12", won_by("stones", groups), winner_rule="R14")
        if self.seen.count(self.seen[-1]) >= APPEARANCES_THAT_DRAW:
            return Outcome(None, "R16", "the position appeared for the third time")
        return None

    def decisive(self) -> Points:
        """The deciding groups of a full board; a draw comes earlier (R16)."""
        if self.empty:
            return 0
        return deciding([list(components(stones)) for stones in self.stones])

    def flaw(self) -> str | None:
        """An earlier third appearance, or a last mover without a stone."""
        if max(Counter(self.seen[:-1]).values(), default=0) >= APPEARANCES_THAT_DRAW:
            return "the game ended with the third appearance of a position (R16)"
        last = self.to_move.opponent
        if self.empty != self.board and not self.stones[last]:
            return f"{self.game.color_names[last]} has placed the last stone and has none (R8)"
        return None


def appearance(stones: tuple[Points, Points], to_move: Color) -> int:
    """A board with the color to move, as one number."""
    return (stones[1] << _BOARD_BITS | stones[0]) << 1 | to_move


def mirrored_appearance(number: int) -> int:
    """The appearance with all stones in the other color, and the other color to move."""
    stones, to_move = number >> 1, Color(number & 1)
    black, white = stones & ((1 << _BOARD_BITS) - 1), stones >> _BOARD_BITS
    return appearance((white, black), to_move.opponent)


@lru_cache(maxsize=MOST_EARLIER)
def appearance_text(number: int, size: int) -> str:
    """An appearance as a short word: the letter of the color to move, then the board.

    The board is a number with one base-3 digit per square (0 empty, 1 Black, 2 White; A1 is the
    highest), written in base 32.
    """
    stones, to_move = number >> 1, Color(number & 1)
    white = stones >> _BOARD_BITS
    black = stones ^ white << _BOARD_BITS
    ternary = int(_digits(black, size), 3) + 2 * int(_digits(white, size), 3)
    text = ""
    while ternary or not text:
        ternary, digit = ternary >> 5, ternary & 31
        text = _DIGITS[digit] + text
    return to_move.letter + text


def parse_appearance(word: str, size: int) -> int:
    """The appearance in a text by `appearance_text`. Raises UnplayablePosition for other texts."""
    squares = size * size
    ternary, digits = int(word[1:], 32), ""
    if ternary >= 3**squares:
        raise UnplayablePosition(
            f"seen contains {word[:20]}, which is not a position of this board"
        )
    while ternary:
        ternary, piece = divmod(ternary, len(_pieces()))
        digits = _pieces()[piece] + digits
    digits = digits[-squares:].rjust(squares, "0")
    black, white = digits.replace("2", "0"), digits.replace("1", "0").replace("2", "1")
    return appearance((_points(black, size), _points(white, size)), Color.parse(word[0]))


def _digits(points: Points, size: int) -> str:
    """A set as one digit a square, A1 first: 1 in the set, 0 outside."""
    bits = f"{points:0{_BOARD_BITS}b}"[::-1]
    return "".join(bits[column : column + size] for column in range(0, size * STRIDE, STRIDE))


def _points(digits: str, size: int) -> Points:
    """The set of such digits."""
    columns = (digits[first : first + size] for first in range(0, size * size, size))
    return int("".join(column.ljust(STRIDE, "0") for column in columns)[::-1], 2)


@cache
def _pieces() -> tuple[str, ...]:
    """The numbers below 3**6 as six ternary digits."""
    pieces = [""]
    for _ in range(6):
        pieces = [piece + digit for piece in pieces for digit in "012"]
    return tuple(pieces)


GAME = Game(
    name="robble",
    title="Robble",
    goal="Push, drive off and flip stones, to have the biggest group when the board is full.",
    sample=(
        5,
        "B4 A4 A5 B3 A1 D2 E3 E1 C2 A2 B5 A5 C1 A3 D2 E4 D4 E3 B1 C1",
    ),
    default_size=7,
    recommended=(5, 9),
    kinds=(PLACE,),
    cell="[BW]",
    legend={"B": "Black stone", "W": "White stone"},
    symmetry=SQUARE,
    citations=Citations(board="R2", turns="R7", pie="R17"),
    position_type=RobblePosition,
    look=Look(in_cells=True),
    tuning=Tuning(
        leaf_playouts=8, length=GameLength(4, 0.8), early=EarlyTurns(until=0.8, share=0.1)
    ),
    fields={"seen": f"{_APPEARANCE}(,{_APPEARANCE})*+"},
)

declare(GAME)
