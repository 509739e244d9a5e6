"""The program for sanitizers (kernel/replay.py) uses the whole interface, and finds faults."""

from itertools import islice

import pytest

from kernel import replay
from kernel.interface import watched
from support.mirror import games_in_kernel
from support.thorough import thorough

GAMES = games_in_kernel()


@thorough
def test_it_uses_the_whole_interface():
    left = []
    for game in GAMES:
        played = [*islice(replay.cases(game), 0, None, 40), *replay.records(game)]
        done, unused = replay.replay(game, played, every=25)
        left.append(unused)
        assert done.positions > 100 and done.searches > 2 and done.refusals > 300
    assert set.intersection(*left) == set()


def test_what_a_case_tells_is_compared(module):
    case = next(each for each in replay.cases("robble") if len(each.told) > 10)
    played = replay.Replay(watched(module)[0], "robble", every=1000)
    played.play(case)
    wrong = [{**told, "count": told["count"] + 1} for told in case.told[:1]]
    with pytest.raises(AssertionError):
        played.play(case._replace(told=[*wrong, *case.told[1:]]))
    with pytest.raises(ValueError, match="expected GAME SIZE"):
        played.play(case._replace(start="robble 2 nonsense"))


def test_what_is_not_used_is_told(module):
    kernel, declared, used = watched(module)
    position = kernel.Position("robble 3 .../.../... b")
    position.playout(1)
    assert {"Position", "Position(text)", "Position.playout(seed)"} <= used
    assert "Position.playout(decisive)" in declared.parts - used
    assert {"Forecast", "SearchOptions.rave", "Position.key", "Search.start(visits)"} <= (
        declared.parts - used
    )
