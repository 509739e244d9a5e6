"""Levels of play, from a beginner's to full strength.

Each level should win 60 to 75 % of its games against the one below;
protocol_specs/play/levels.md has the measurements.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gtp_engine.base.option import integers
from gtp_engine.rules.game import Game
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.points import Points
from gtp_engine.search.budget import SMALL_SIZE
from gtp_engine.search.options import tuning_of
from gtp_engine.search.step_features import Habits
from gtp_engine.search.tree import Row, value_for

# The positions that a solver may search before a turn of a level that is not meant to err, on
# boards that are not small: mostly a tenth of a second in the kernel. In Python on all boards: half
# a second.
_SOLVED_IN_KERNEL, _SOLVED_IN_PYTHON = 100_000, 4_000

# A step with a smaller share of the best step's visits is too uncertain to replace it.
_KNOWN = 0.5


class Level(NamedTuple):
    """A level of strength.

    name      -- its name
    considers -- how many steps it compares on average, those that catch its eye; None for all
    visits    -- visits per turn, None if only time limits the search
    leeway    -- largest loss of a step compared to the best one, as a chance to win, 0 to 1: the
                 player picks any such step at random
    rating    -- its Elo on the scale of protocol_specs/play/levels.md, where random steps have 0
    text      -- one sentence for people who choose
    """

    name: str
    considers: float | None
    visits: int | None
    leeway: float
    rating: int
    text: str

    @property
    def word(self) -> str:
        """The name as one word, for a command line."""
        return self.name.lower().replace(" ", "-")

    @property
    def errs(self) -> bool:
        """Whether it overlooks steps, or plays others than the best one that it finds."""
        return self.considers is not None or self.leeway > 0

    def habits(self, recent: Points) -> Habits:
        """The habits of its player after a turn on some points."""
        # Habits that stay the same keep a player, and with it the tree.
        return Habits(self.leeway, self.considers, 0 if self.considers is None else recent)


LADDER = (
    Level(
        "First game", 1, 100, 0.3, 167, "It plays what catches its eye: for your very first game."
    ),
    Level("First hour", 1.5, 100, 0.3, 270, "It takes what it sees first, or compares two turns."),
    Level("First evening", 2, 100, 0.3, 536, "It compares the two turns that catch its eye."),
    Level("First day", 2.5, 100, 0.3, 627, "It compares two turns or three."),
    Level("First week", 3, 100, 0.3, 717, "It compares three turns."),
    Level("First month", 4.5, 100, 0.3, 821, "It compares four turns or five."),
    Level("First season", 7.5, 100, 0.3, 952, "It compares seven turns or eight."),
    Level("First year", 20, 100, 0.3, 1039, "It compares 20 turns and misses little."),
    Level("Beginner", None, 100, 0.3, 1184, "It looks at every turn, and errs often."),
    Level("Novice", None, 180, 0.15, 1320, "It searches little and sometimes errs."),
    Level("Learner", None, 320, 0.05, 1502, "It searches a little more and rarely errs."),
    Level("Casual", None, 520, 0.0, 1706, "From here on it plays the best turn that it finds."),
    Level("Intermediate", None, 1_000, 0.0, 1859, "It searches about twice as much as Casual."),
    Level("Advanced", None, 2_000, 0.0, 2006, "The usual strength, with answers within a second."),
    Level("Strong", None, 3_600, 0.0, 2158, "It searches about twice as much as Advanced."),
    Level("Expert", None, 8_000, 0.0, 2278, "It searches about twice as much as Strong."),
    Level("Master", None, 18_000, 0.0, 2403, "It searches about twice as much as Expert."),
    Level(
        "Full strength", None, None, 0.0, 2768, "It uses its clock, or five to ten seconds a turn."
    ),
)
"""The levels, the weakest first; only time limits the last one."""

LOWEST, HIGHEST = 1, len(LADDER)

NEWCOMER_LEVEL = LOWEST
"""The level for somebody who has played nothing."""

DEFAULT_LEVEL = HIGHEST - 4
"""The level of an engine unless another is chosen; seats at a table adapt."""

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


def positions_of(level: Level, game: Game, size: int, in_kernel: bool) -> int | None:
    """The positions that a solver may search before a turn of a level; see Budget.

    None for a level that errs, which solves with its visits, and for one that only time limits.
    """
    if level.errs or level.visits is None:
        return None
    if not in_kernel:
        return max(level.visits, _SOLVED_IN_PYTHON)
    return tuning_of(game).solved if size <= SMALL_SIZE else _SOLVED_IN_KERNEL


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
