"""The value target that playouts give: it trusts what predicts the results."""

import pytest

np = pytest.importorskip("numpy")

from gtp_engine.learn.samples import value_targets  # noqa: E402

COUNT = 20_000


def games(seed=3):
    """Positions with a known chance to win, the results of their games, and a useless number."""
    rng = np.random.default_rng(seed)
    chances = rng.uniform(0.05, 0.95, COUNT)
    results = (rng.uniform(size=COUNT) < chances).astype(np.float32)
    noise = rng.uniform(0.05, 0.95, COUNT)
    return chances.astype(np.float32), results, noise.astype(np.float32)


def distance(targets, results, chances):
    """The largest difference between the prediction in the targets and the known chance."""
    return np.abs((targets - 0.3 * results) / 0.7 - chances).max()


@pytest.mark.parametrize("search_knows", [True, False])
def test_the_target_follows_what_predicts_the_results(search_knows):
    chances, results, noise = games()
    known = (chances, noise) if search_knows else (noise, chances)
    targets = value_targets(results, *known, np.full(COUNT, 0.5, np.float32))
    assert distance(targets, results, chances) < 0.05


def test_who_predicts_better_may_depend_on_how_full_the_board_is():
    chances, results, noise = games()
    early = np.arange(COUNT) % 2 == 0
    empty = np.where(early, 0.9, 0.1).astype(np.float32)
    search, played = np.where(early, chances, noise), np.where(early, noise, chances)
    targets = value_targets(results, search, played, empty)
    assert distance(targets, results, chances) < 0.05


def test_an_underconfident_search_is_sharpened():
    chances, results, noise = games()
    shy = 1 / (1 + (1 / chances - 1) ** 0.5)  # half of the logit
    targets = value_targets(results, shy, noise, np.full(COUNT, 0.5, np.float32))
    assert distance(targets, results, chances) < 0.05


def test_exact_values_stay():
    results = np.array([1, 0, 1, 0], np.float32)
    chances = np.array([1, 0, 0, 1], np.float32)
    half = np.full(4, 0.5, np.float32)
    assert value_targets(results, chances, half, half).tolist() == chances.tolist()


def test_few_samples_weigh_both_alike():
    one = value_targets(*(np.array([x], np.float32) for x in (1, 0.6, 0.8, 0.5)))
    assert 0.3 + 0.7 * 0.6 < one[0] < 0.3 + 0.7 * 0.8


def test_no_samples_have_no_targets():
    assert value_targets(*[np.empty(0, np.float32)] * 4).shape == (0,)
