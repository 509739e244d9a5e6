"""The fields of a request, each declared once: protocol_specs/clients/analysis-engine.md.

What KataGo names keeps its name and meaning. The tables of the page are made from the declarations.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gtp_engine.base.shapes import (
    OBJECT,
    TRUTH,
    ValueShape,
    array,
    choice_in_any_case,
    either,
    integer,
    number,
    pair,
    parsed,
    record,
    string,
)
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.vertex import MAX_SIZE, MIN_SIZE
from gtp_engine.rules.records.sgf import LARGEST_RECORD
from gtp_engine.rules.step import Pie

Id = str | int

MOST_TURNS = 10**6
USUAL_MOVES, USUAL_PV = 20, 15
ALL = "all"

_LONGEST_WORD = 4096

COLOR = parsed("color", Color.parse)

ID = either(string("string", 1000), integer(-(2**53), 2**53))
"""An id: numbers are those that every JSON reader keeps exactly."""

TURN_NUMBERS = array(integer(0, MOST_TURNS), least=1)


class Restriction(NamedTuple):
    """First steps to avoid or to allow, if a color is to move; see the option `avoidMoves`."""

    color: Color
    words: tuple[str, ...]
    until_depth: int


_RESTRICTION = {
    "player": COLOR,
    "moves": array(string("turn", _LONGEST_WORD)),
    "untilDepth": integer(1, 10**6),
}
_RESTRICTIONS = array(record(lambda **given: Restriction(*given.values()), _RESTRICTION))


class Field(NamedTuple):
    """A field of a request: its key, what it takes, its value if it is left out."""

    key: str
    shape: ValueShape
    default: Any
    meaning: str


def _asked(key: str, shape: ValueShape, meaning: str, default: Any = None) -> Any:
    return field(default=default, metadata={"field": Field(key, shape, default, meaning)})


@dataclass(frozen=True)
class AnalysisRequest:
    """A request for the analysis of positions of one game."""

    id: Id = _asked("id", ID, "returned in each line about the request; required", "")
    game: str | None = _asked(
        "game",
        string("string", 100),
        "the game; required without `initialPosition`, `sgf` and `--game`",
    )
    size: int | None = _asked(
        "size",
        integer(MIN_SIZE, MAX_SIZE),
        "points along an edge; default: that of the command line, else the game's",
    )
    width: int | None = _asked(
        "boardXSize", integer(MIN_SIZE, MAX_SIZE), "KataGo's name for `size`"
    )
    height: int | None = _asked("boardYSize", integer(MIN_SIZE, MAX_SIZE), "the same")
    pie: str | None = _asked(
        "pie",
        choice_in_any_case(*(pie.value for pie in Pie)),
        "the form of the pie rule; default: that of the record, or that of the command line, else "
        f"{Pie.PIECES.value}. It must be that of `initialPosition`, or that of the record if it "
        "names one",
    )
    position: str | None = _asked(
        "initialPosition",
        string("position text"),  # of any length: it may hold all earlier positions
        "the start of the game as a position text ([notation](notation.md#position-text)), instead "
        "of `game`, `size` and `pie`",
    )
    sgf: str | None = _asked(
        "sgf",
        string("SGF", LARGEST_RECORD),
        "a record in one of our three forms ([records](records.md)), instead of `game`; its main "
        "line is played before `moves`",
    )
    moves: tuple[tuple[Color, str], ...] = _asked(
        "moves",
        array(pair(COLOR, string("turn", _LONGEST_WORD))),
        "the turns of the game, as `play` takes them: whole turns, parts of turns, `swap`, `pass`, "
        "`resign`. The color must be the one to move",
        (),
    )
    player: Color | None = _asked(
        "initialPlayer",
        COLOR,
        "the color to move in a request without `moves`; an error where the rules forbid it",
    )
    turns: tuple[int, ...] | str | None = _asked(
        "analyzeTurns",
        either(TURN_NUMBERS, choice_in_any_case(ALL)),
        "the positions to analyze, by the number of whole turns before them, where an open last "
        "turn counts as one; default: the last position",
    )
    visits: int | None = _asked(
        "maxVisits",
        integer(1, 10**9),
        "the limit of each search; default: that of the command line, none with `maxTime`",
    )
    seconds: float | None = _asked(
        "maxTime",
        number(0.001, 10**6),
        "the same in seconds; the limit that is reached first ends the search",
    )
    priority: int = _asked(
        "priority",
        integer(-(2**53), 2**53),
        "higher ones are searched first, equal ones in the order of arrival. A search in progress "
        "is not interrupted",
        0,
    )
    priorities: tuple[int, ...] | None = _asked(
        "priorities",
        array(integer(-(2**53), 2**53)),
        "a priority for each number in `analyzeTurns`, which must be an array; instead of "
        "`priority`",
    )
    interval: float | None = _asked(
        "reportDuringSearchEvery",
        number(0.001, 10**6),
        "seconds between lines about a search in progress; default: no such lines",
    )
    first_report: float | None = _asked(
        "firstReportDuringSearchAfter",
        number(0.001, 10**6),
        "seconds until the first of them; default: the same. Alone it gives one such line",
    )
    avoided: tuple[Restriction, ...] = _asked(
        "avoidMoves",
        _RESTRICTIONS,
        "objects with `player`, `moves` (step tokens, or vertices for all steps clicked there) and "
        "`untilDepth` (only 1): first steps to leave out if `player` is to move",
        (),
    )
    allowed: tuple[Restriction, ...] = _asked(
        "allowMoves",
        _RESTRICTIONS,
        "the only first steps to search, in the same form, once for each player at most; not with "
        "`avoidMoves`",
        (),
    )
    pv_length: int = _asked(
        "analysisPVLen", integer(1, 1000), "most turns of `pv` after the first", USUAL_PV
    )
    most_moves: int = _asked(
        "maxMoves", integer(0, 10**6), "most objects in `moveInfos`; 0: no limit", USUAL_MOVES
    )
    ownership: bool = _asked("includeOwnership", TRUTH, "adds `ownership`", False)
    moves_ownership: bool = _asked(
        "includeMovesOwnership", TRUTH, "adds `ownership` to each object in `moveInfos`", False
    )
    policy: bool = _asked("includePolicy", TRUTH, "adds `policy`", False)
    played: bool = _asked(
        "includePlayed",
        TRUTH,
        "adds `played`, which judges the turn before the position; the position before that turn "
        "is searched, too. Not with `avoidMoves` and `allowMoves`",
        False,
    )
    why: bool = _asked("includeWhy", TRUTH, "adds `why`, sentences about the position", False)
    ordered: bool = _asked(
        "ordered",
        TRUTH,
        "writes the final lines in the order of the turns",
        False,
    )
    overrides: Mapping[str, Any] | None = _asked(
        "overrideSettings", OBJECT, "settings for this request: see below"
    )

    @property
    def any_size(self) -> int | None:
        """The size by any of its three names; None if the request does not say."""
        return self.size or self.width or self.height


WITHOUT_EFFECT = (
    "rules",
    "komi",
    "whiteHandicapBonus",
    "initialStones",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "includeOwnershipStdev",
    "includeMovesOwnershipStdev",
    "includePVVisits",
    "includeNoResultValue",
)
"""Fields of KataGo that mean nothing in these games. Clients send them with every request."""
