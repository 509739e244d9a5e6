"""The log loss of an evaluation and of searches, by turns before the end of a game."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.learn.accuracy import log_loss
from gtp_engine.learn.game_records import SelfplayGame, positions_of
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import new_search
from gtp_engine.search.options import SearchOptions, plain
from gtp_engine.search.stopwatch import Stopwatch

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

TURNS = (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24)
"""The measured numbers of turns before the end. 1 is the last turn."""

# A search begins with one in _PARTS of the visits, which measures its speed. It ends when it has
# used the share _ENOUGH of its time.
_PARTS, _ENOUGH = 10, 0.9


class TurnLosses(NamedTuple):
    """Mean log losses, in nats, of positions a given number of turns before the end.

    evaluation    -- of the net alone; None without a net
    search        -- of the search with the given options
    plain         -- of plain UCT with equal processor time
    search_visits -- the mean visits of the search; the plain search has a fixed number
    """

    turns: int
    positions: int
    evaluation: float | None
    search: float
    plain: float
    search_visits: float


def losses_by_turns(
    kernel: ModuleType,
    net: "_kernel.Net | None",
    games: Sequence[SelfplayGame],
    options: SearchOptions,
    visits: int,
) -> Iterator[TurnLosses]:
    """The losses on some games, by turns before the end, from the last turn on.

    visits -- the visits of the plain search; the other search gets equal processor time
    """
    for turns in TURNS:
        rows = []
        for record in games:
            position = _position_before(kernel, record, turns)
            if position is not None:
                rows.append(_losses(kernel, net, record, position, options, visits))
        if rows:
            evaluation, search, unlearned, made = (
                math.fsum(column) / len(rows) for column in zip(*rows)
            )
            known = None if net is None else evaluation
            yield TurnLosses(turns, len(rows), known, search, unlearned, made)


def _position_before(
    kernel: ModuleType, record: SelfplayGame, turns: int
) -> "_kernel.Position | None":
    """The position a number of turns before the end of a game; None if the game was shorter."""
    walk = zip(range(len(record.steps)), positions_of(kernel, record))
    begins = [number for number, (position, _) in walk if not position.open]
    if turns > len(begins):
        return None
    position, _ = next(islice(positions_of(kernel, record), begins[-turns], None))
    return position


def _losses(
    kernel: ModuleType,
    net: "_kernel.Net | None",
    record: SelfplayGame,
    position: "_kernel.Position",
    options: SearchOptions,
    visits: int,
) -> tuple[float, float, float, float]:
    """The losses of evaluation, search and plain search, and the visits of the search."""
    game, text = find_game(record.game), position.text()
    unlearned = new_search(kernel, game, text, plain(options), 1, None)
    search = new_search(kernel, game, text, options, 1, net)
    watch = Stopwatch()
    _search(unlearned, -(-visits // _PARTS))  # `_search_as_long` begins in the same way
    _search(unlearned, visits)
    allowed = watch.read().processor
    _search_as_long(search, allowed, visits)
    evaluation = 0.5 if net is None else position.evaluate(net)
    return (
        log_loss(evaluation, record.result),
        log_loss(_value(search), record.result),
        log_loss(_value(unlearned), record.result),
        search.visits,
    )


def _search(search: "_kernel.Search", visits: int) -> None:
    search.start(visits, None)
    while not search.wait(1.0):
        pass


def _search_as_long(search: "_kernel.Search", allowed: float, visits: int) -> None:
    """Search for the allowed processor time, or until the value is exact.

    The function measures processor time, because wall time is meaningless on a busy machine. Each
    start costs time, so the function starts few searches. The speed of one sets the length of the
    next.

    visits -- the visits of a plain search that took the allowed time
    """
    watch, wanted = Stopwatch(), -(-visits // _PARTS)
    while True:
        before = search.visits
        _search(search, wanted)
        used = watch.read().processor
        if search.visits == before or used >= _ENOUGH * allowed:
            return
        wanted = search.visits + max(1, int(search.visits * (allowed / max(used, 1e-9) - 1)))


def _value(search: "_kernel.Search") -> float:
    return search.value if search.proven is None else search.proven
