"""The accuracy of a learned evaluation on the held-out games (held_out_games.py).

The kernel evaluates, so this measures the arithmetic of play and not that of training. All numbers
are means in nats. The module needs neither numpy nor JAX.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.learn.game_records import SearchedPosition, SelfplayGame, positions_of
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import new_search
from gtp_engine.search.options import SearchOptions, plain
from gtp_engine.search.stopwatch import Stopwatch

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

# Values are clipped to the range 1 - SUREST to SUREST, so that one error does not outweigh
# everything.
SUREST = 0.999


class Accuracy(NamedTuple):
    """Cross entropies of a net, and those of trivial predictions. Lower is better.

    positions -- the number of judged positions
    steps     -- cross entropy of the policy, against the shares of visits of a long search
    value     -- cross entropy of the chance to win, against the result of the game
    uniform   -- `steps` of a policy that gives every legal step the same probability
    least     -- `steps` of a policy that equals the shares: no net has less
    constant  -- `value` of a net that always answers Black's mean result
    """

    positions: int
    steps: float
    value: float
    uniform: float
    least: float
    constant: float


def log_loss(value: float, result: float) -> float:
    """The cross entropy of a chance to win, given the result of the game."""
    value = min(max(value, 1 - SUREST), SUREST)
    return -result * math.log(value) - (1 - result) * math.log(1 - value)


def log_policy(position: "_kernel.Position", size: int, net: "_kernel.Net") -> dict[int, float]:
    """The logarithm of the net's probability of each legal step, by the step's number.

    size -- the size of the board
    """
    outputs = memoryview(position.outputs_by(net)).cast("f")
    of_point = len(outputs) // size**2
    logits = {}
    for step, kind, first, second in position.features().steps:
        logits[step] = outputs[first * of_point + kind]
        if second >= 0:
            logits[step] += outputs[second * of_point + of_point // 2 + kind]
    highest = max(logits.values())
    log_sum = highest + math.log(math.fsum(math.exp(each - highest) for each in logits.values()))
    return {step: logit - log_sum for step, logit in logits.items()}


def shares_of(look: SearchedPosition, sharpening: float) -> dict[int, float]:
    """The policy target of a search: the share of each visited step."""
    weights = {step: visits**sharpening for step, visits in look.visits}
    total = math.fsum(weights.values())
    return {step: weight / total for step, weight in weights.items()}


def searched_positions(
    kernel: ModuleType, record: SelfplayGame
) -> Iterator[tuple["_kernel.Position", SearchedPosition]]:
    """The fully searched positions of a game. Each is valid until the next one is yielded."""
    for position, look in positions_of(kernel, record):
        if look is not None:
            yield position, look


def accuracy(
    kernel: ModuleType, net: "_kernel.Net | None", games: Iterable[SelfplayGame]
) -> Accuracy | None:
    """The accuracy of a net on some games; None if they have no searched position.

    net -- None for no net: even chances and a uniform policy
    """
    rows: list[tuple[float, ...]] = []
    results: list[float] = []
    for record in games:
        for position, look in searched_positions(kernel, record):
            shares = shares_of(look, record.sharpening)
            legal = len(position.legal_steps())
            if net is None:
                steps, value = math.log(legal), 0.5
            else:
                logs = log_policy(position, record.size, net)
                steps = -math.fsum(share * logs[step] for step, share in shares.items())
                value = position.evaluate(net)
            least = -math.fsum(share * math.log(share) for share in shares.values())
            rows.append((steps, log_loss(value, record.result), math.log(legal), least))
            results.append(record.result)
    if not rows:
        return None
    steps, value, uniform, least = _means(rows)
    share = math.fsum(results) / len(results)
    constant = math.fsum(log_loss(share, result) for result in results) / len(results)
    return Accuracy(len(rows), steps, value, uniform, least, constant)


def _means(rows: Sequence[tuple[float, ...]]) -> list[float]:
    return [math.fsum(column) / len(rows) for column in zip(*rows)]


# By turns before the end ----------------------------------------------------------------------

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
