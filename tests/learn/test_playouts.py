"""Playouts that are known are not played again, and change nothing."""

import random

import pytest

np = pytest.importorskip("numpy")

from gtp_engine.learn.game_records import (  # noqa: E402
    SearchedPosition,
    SelfplayGame,
    first_position,
)
from gtp_engine.learn.playouts import KnownPlayouts  # noqa: E402
from gtp_engine.learn.samples import TargetSources, gather  # noqa: E402

COUNT = 5


class Counting:
    """The kernel, whose positions count how often they are played out."""

    def __init__(self, module) -> None:
        self.module, self.asked = module, 0
        self.Position = lambda text: CountingPosition(self, module.Position(text))

    def __getattr__(self, name):
        return getattr(self.module, name)


class CountingPosition:
    def __init__(self, counting: Counting, position) -> None:
        self.counting, self.position = counting, position

    def __getattr__(self, name):
        return getattr(self.position, name)

    def forecast(self, count, seed):
        self.counting.asked += count == COUNT  # the owners at the end of a game need one
        return self.position.forecast(count, seed)


def game(module, number: int, every: int = 1) -> SelfplayGame:
    """A random game, with a full search of every so manieth position."""
    rng, position, steps, looks = random.Random(number), first_position(module, "pilo", 3), [], []
    while not position.outcome()[0]:
        legal = position.legal_steps()
        step = rng.choice(legal)
        if len(steps) % every == 0:
            visits = [(each, 1) for each in legal]
            looks.append(SearchedPosition(len(steps), 0.5, None, visits, step))
        position.play(step)
        steps.append(step)
    return SelfplayGame("pilo", 3, number, steps, 1.0, 1.0, looks)


@pytest.fixture
def fit(module, tmp_path):
    """Makes samples as a fit does; tells how many positions were played out."""
    kernel, path = Counting(module), tmp_path / "playouts"

    def fit(*games):
        playouts = KnownPlayouts(COUNT, path)
        kernel.asked = 0
        (samples,) = gather(kernel, games, 2**20, TargetSources(None, playouts))
        playouts.write()
        return kernel.asked, samples

    fit.path = path
    return fit


def alike(one, other) -> bool:
    """Whether all arrays of samples are the same."""
    return all(np.array_equal(a, b) for a, b in zip(one[2:], other[2:]))


def test_the_second_fit_plays_out_what_is_new(fit, module):
    first, second, third = (game(module, number) for number in range(3))
    alone, _ = fit(third)
    fit.path.unlink()
    asked, samples = fit(first, second)
    assert asked == len(samples.values)
    again, same = fit(first, second)
    assert again == 0 and alike(samples, same)
    new, _ = fit(second, third)
    assert new == alone
    assert fit(third)[0] == 0


def test_positions_that_no_fit_asked_for_are_played_out_later(fit, module):
    few, _ = fit(game(module, 1, every=3))
    more, samples = fit(game(module, 1))
    assert few > 0 and few + more == len(samples.values)
    assert fit(game(module, 1))[0] == 0
    fit.path.unlink()
    assert alike(samples, fit(game(module, 1))[1])


def test_the_file_keeps_only_what_the_last_fit_asked_for(fit, module):
    first, second = game(module, 1), game(module, 2)
    asked, _ = fit(first)
    fit(first, second)
    both = fit.path.stat().st_size
    fit(second)
    assert fit.path.stat().st_size < both
    assert fit(first)[0] == asked


def test_a_file_that_does_not_fit_knows_nothing(fit, module):
    asked, samples = fit(game(module, 1))
    content = fit.path.read_bytes()
    for other in (content[:-3], content[:40], b"", content.replace(b'"games": 1', b'"games": 2')):
        fit.path.write_bytes(other)
        again, same = fit(game(module, 1))
        assert again == asked and alike(samples, same)
        assert fit.path.read_bytes() == content
    name = KnownPlayouts(COUNT, fit.path).of(game(module, 1)).name
    assert KnownPlayouts(COUNT, fit.path).rows(name) is not None
    assert KnownPlayouts(COUNT + 1, fit.path).rows(name) is None
