"""Levels of play, from a beginner's to full strength.

Each level should win 60 to 75 % of its games against the one below;
protocol_specs/levels.md has the measurements.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gtp_engine.board.color import BLACK, Color
from gtp_engine.option import integers
from gtp_engine.search.tree import Row, value_for

# A step with a smaller share of the best step's visits is too uncertain to replace it.
_KNOWN = 0.5


class Level(NamedTuple):
    """A level of strength.

    name   -- its name
    visits -- visits per turn, None if only time limits the search
    leeway -- largest loss of a step compared to the best one, as a chance to win, 0 to 1: the
              player picks any such step at random
    text   -- one sentence for people who choose
    """

    name: str
    visits: int | None
    leeway: float
    text: str

    @property
    def word(self) -> str:
        """The name as one word, for a command line."""
        return self.name.lower().replace(" ", "-")


LADDER = (
    Level("Beginner", 100, 0.3, "It searches little and errs often: for your first games."),
    Level("Novice", 180, 0.15, "It searches little and sometimes errs."),
    Level("Learner", 320, 0.05, "It searches a little more and rarely errs."),
    Level("Casual", 520, 0.0, "From this level on it always plays the best turn it finds."),
    Level("Intermediate", 1_000, 0.0, "It searches about twice as much as Casual."),
    Level("Advanced", 2_000, 0.0, "The usual strength, with answers within a second."),
    Level("Strong", 3_600, 0.0, "It searches about twice as much as Advanced."),
    Level("Expert", 8_000, 0.0, "It searches about twice as much as Strong."),
    Level("Master", 18_000, 0.0, "It searches about twice as much as Expert."),
    Level("Full strength", None, 0.0, "It uses its clock, or five to ten seconds per turn."),
)
"""The levels, the weakest first; only time limits the last one."""

LOWEST, HIGHEST = 1, len(LADDER)

DEFAULT_LEVEL = 6
"""The level unless another is chosen, for engine, board and terminal."""

# On a board of size x size Python multiplies the level's visits by this divided by size^4: a
# playout has about size x size steps, and the time of each step is proportional to the number of
# points.
_SHARE_IN_PYTHON = 800


def visits_of(level: Level, size: int, in_kernel: bool) -> int | None:
    """The visits of a level per turn on a board of size x size, None for no limit.

    Python makes fewer visits, so that a turn at the default level stays below two seconds.
    """
    if level.visits is None or in_kernel:
        return level.visits
    return max(1, round(level.visits * min(1.0, _SHARE_IN_PYTHON / size**4)))


def level_of(number: int) -> Level:
    """A level by its number, from LOWEST to HIGHEST."""
    return LADDER[number - LOWEST]


def _number_of(text: str) -> int:
    """The number of a level, from its number as text or from its name as one word."""
    words = [level.word for level in LADDER]
    return words.index(text) + LOWEST if text in words else int(text)


_NUMBERS = integers(LOWEST, HIGHEST)

LEVELS = _NUMBERS._replace(
    pattern="|".join((_NUMBERS.pattern, *(level.word for level in LADDER))), convert=_number_of
)
"""The values of a setting for a level: its number, or its name as one word."""


def nearly_as_good(rows: Sequence[Row], first: Row, to_move: Color, leeway: float) -> list[Row]:
    """The rows that a level may play: the first one, and those nearly as good.

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
