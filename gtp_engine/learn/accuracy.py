"""The accuracy of a learned evaluation on the held-out games (held_out_games.py).

The kernel evaluates, so this measures the arithmetic of play and not that of training. All numbers
are means in nats. The module needs neither numpy nor JAX.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.learn.game_records import SearchedPosition, SelfplayGame, positions_of

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
