"""Levels of play: from a friendly beginner to all that the engine can.

Each level should win 60 to 75 % of its games against the one below;
protocol_specs/levels.md has the measurements.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gtp_engine.board.color import BLACK, Color
from gtp_engine.search.tree import Row, value_for
from gtp_engine.search.value_types import whole

# A step with a smaller share of the best step's visits is not known well enough to replace it.
_KNOWN = 0.5


class Level(NamedTuple):
    """A level of strength.

    name   -- what people call it
    visits -- of a turn, None for no limit but time
    leeway -- the most that a step may be worse than the best, as a chance to win, 0 to 1: the
              player picks any of these steps at random
    text   -- one sentence, for who chooses
    """

    name: str
    visits: int | None
    leeway: float
    text: str

    @property
    def word(self) -> str:
        """The name as one word, where a level is named on a command line."""
        return self.name.lower().replace(" ", "-")


LADDER = (
    Level("Beginner", 100, 0.3, "It thinks little and errs often: for your first games."),
    Level("Novice", 180, 0.15, "It thinks little and errs now and then."),
    Level("Learner", 320, 0.05, "It thinks a little further and errs seldom."),
    Level("Casual", 520, 0.0, "From here on it always plays the best that it sees."),
    Level("Intermediate", 1_200, 0.0, "It thinks about twice as long as Casual."),
    Level("Advanced", 2_000, 0.0, "The usual strength, with answers in about a second."),
    Level("Strong", 3_600, 0.0, "It thinks about twice as long as Advanced."),
    Level("Expert", 8_000, 0.0, "It thinks about twice as long as Strong."),
    Level("Master", 18_000, 0.0, "It thinks about twice as long as Expert."),
    Level("Full strength", None, 0.0, "It uses its clock, or five to ten seconds a turn."),
)
"""The levels, the first one first; the last has no bound but time."""

LOWEST, HIGHEST = 1, len(LADDER)


# On a board of size x size Python makes the level's visits times this, divided by size^4: a playout
# has about size x size steps, and each step takes time in proportion to the points.
_SHARE_IN_PYTHON = 800


def visits_of(level: Level, size: int, in_kernel: bool) -> int | None:
    """The visits of a level for a turn on a board of size x size, None for no bound.

    Python makes fewer of them, so that a turn at the default level stays below two seconds.
    """
    if level.visits is None or in_kernel:
        return level.visits
    return max(1, round(level.visits * min(1.0, _SHARE_IN_PYTHON / size**4)))


def level_of(number: int) -> Level:
    """A level by its number, from LOWEST to HIGHEST."""
    return LADDER[number - LOWEST]


def _number_of(text: str) -> int:
    """The number of a level, of its number as text or of its name as one word."""
    words = [level.word for level in LADDER]
    return words.index(text) + LOWEST if text in words else int(text)


_NUMBERS = whole(LOWEST, HIGHEST)

LEVELS = _NUMBERS._replace(
    pattern="|".join((_NUMBERS.pattern, *(level.word for level in LADDER))), convert=_number_of
)
"""The values of a setting for a level: its number, or its name as one word."""


def nearly_as_good(rows: Sequence[Row], first: Row, to_move: Color, leeway: float) -> list[Row]:
    """The rows that a level may play: the first, and those nearly as good.

    A proven win is always played. A proven loss never replaces another step.
    """
    win = float(to_move is BLACK)
    if first.proven == win:
        return [first]
    least = value_for(to_move, first.value) - leeway
    return [
        row
        for row in rows
        if row is first
        or row.proven != 1 - win
        and row.visits >= _KNOWN * first.visits
        and value_for(to_move, row.value) >= least
    ]
