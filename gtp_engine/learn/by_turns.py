"""How early an evaluation and searches see how a game ends: log loss by turns before the end."""

import math
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.learn.accuracy import log_loss, start_of
from gtp_engine.learn.selfplay import SelfplayGame
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import new_search
from gtp_engine.search.options import SearchOptions, plain
from gtp_engine.search.stopwatch import Stopwatch

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

TURNS = (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24)
"""The turns before the end that are looked at; 1 is the last turn."""

# The first part of a search, which measures its speed; and the part of its time that is enough.
_PARTS, _ENOUGH = 10, 0.9


class TurnLosses(NamedTuple):
    """Mean log losses, in nats, of the values of positions so many turns before the end.

    evaluation    -- of the net alone, None without one
    search        -- of the search with the options that were asked for
    plain         -- of plain UCT, in as much processor time
    search_visits -- the mean number of its visits; the plain search has a fixed number
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
    """The losses on some games, turn by turn from the last one.

    visits -- of the plain search; the other one of the same position takes as much processor time
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
    """The position so many turns before the end of a game; None where it was shorter."""
    position, begins = start_of(kernel, record), []
    for number, step in enumerate(record.steps):
        if not position.open:
            begins.append(number)
        position.play(step)
    if turns > len(begins):
        return None
    found = start_of(kernel, record)
    for step in record.steps[: begins[-turns]]:
        found.play(step)
    return found


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
    _search(unlearned, -(-visits // _PARTS))  # as the other one begins
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
    """Search for so much processor time, or until the value is exact.

    The clock says nothing on a busy machine. Each start takes time, so there are few: the speed of
    a short search tells how long the next one may be.

    visits -- of a plain search that took as long
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
