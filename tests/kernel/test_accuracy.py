"""The accuracy of an evaluation, compared with numbers computed by hand and by numpy."""

import math

import pytest

from documents.held_out import HeldOutEffort, make_game
from gtp_engine.learn.accuracy import (
    accuracy,
    log_loss,
    log_policy,
    losses_by_turns,
    searched_positions,
)
from gtp_engine.learn.game_records import SearchedPosition, SelfplayGame, positions_of
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.search.backends.kernel import kernel_backends, new_search, step_number
from gtp_engine.search.options import SearchOptions
from rules.test_contract import image_of
from support.searching import ended
from support.thorough import thorough

SIZE = 4


def net_for(game):
    """The net that ships; a test that needs one is skipped without."""
    net = kernel_backends(game)[0].net(SearchOptions())
    if net is None:
        pytest.skip("no weights ship for the game")
    return net


def record_of(module, game, result=1.0, sharpening=1.0) -> SelfplayGame:
    """A game of first legal steps; three searches, each with visits 3 to 1 of two steps."""
    position = module.Position(write_position(game.start(SIZE)))
    steps, looks = [], []
    while not position.outcome()[0]:
        legal = position.legal_steps()
        if len(looks) < 3 and len(legal) > 2:
            visits = [(legal[-1], 300), (legal[0], 100)]
            looks.append(SearchedPosition(len(steps), 0.6, None, visits, legal[-1]))
        steps.append(legal[0])
        position.play(legal[0])
    return SelfplayGame(game.name, SIZE, 0, steps, result, sharpening, looks)


def test_without_a_net_steps_and_chances_are_even(module, game):
    record = record_of(module, game)
    found = accuracy(module, None, [record])
    legal = [len(position.legal_steps()) for position, _ in searched_positions(module, record)]
    assert found.positions == len(legal) == 3
    assert found.steps == found.uniform == pytest.approx(sum(map(math.log, legal)) / 3)
    assert found.value == pytest.approx(math.log(2))


def test_the_least_loss_is_the_entropy_of_the_shares(module, game):
    quarter, tenth = (-p * math.log(p) - (1 - p) * math.log(1 - p) for p in (0.25, 0.1))
    assert accuracy(module, None, [record_of(module, game)]).least == pytest.approx(quarter)
    squared = record_of(module, game, sharpening=2.0)  # 9 to 1
    assert accuracy(module, None, [squared]).least == pytest.approx(tenth)


def test_a_constant_value_is_black_s_share_of_the_results(module, game):
    games = [record_of(module, game, result) for result in (1.0, 1.0, 1.0, 0.0)]
    expected = -0.75 * math.log(0.75) - 0.25 * math.log(0.25)
    assert accuracy(module, None, games).constant == pytest.approx(expected)


def test_no_searched_position_has_no_accuracy(module, game):
    assert accuracy(module, None, []) is None
    assert accuracy(module, None, [record_of(module, game)._replace(looks=[])]) is None


def test_one_error_counts_for_seven_nats_at_most():
    assert log_loss(1.0, 1.0) == pytest.approx(0.001, rel=1e-3)
    assert log_loss(0.0, 1.0) == pytest.approx(math.log(1000))
    assert log_loss(0.2, 0.5) == pytest.approx(-(math.log(0.2) + math.log(0.8)) / 2)


@thorough
def test_numpy_finds_the_same_cross_entropies(module, game):
    import numpy as np

    net, record = net_for(game), record_of(module, game, result=0.0)
    losses = []
    for position, look in searched_positions(module, record):
        outputs = np.frombuffer(position.outputs_by(net), np.float32).astype(float)
        outputs = np.append(outputs.reshape(SIZE**2, 2, -1), np.zeros((1, 2, 8)), axis=0)
        steps, kinds, first, second = np.array(position.features().steps).T
        logits = outputs[first, 0, kinds] + outputs[second, 1, kinds]
        policy = np.exp(logits) / np.exp(logits).sum()
        target = np.zeros(len(steps))
        for step, visits in look.visits:
            target[steps == step] = visits / 400
        losses.append((-target @ np.log(policy), -np.log(1 - position.evaluate(net))))
    found = accuracy(module, net, [record])
    assert (found.steps, found.value) == pytest.approx(tuple(np.mean(losses, axis=0)), rel=1e-5)
    assert found.steps > found.least


def policies_in_images(module, text: str, net) -> list[dict[int, float]]:
    """The policy of the net in each image of a position, by the steps of the position itself."""
    here = read_position(text)
    found = []
    for image in here.game.symmetry:
        layers = here.content.layers.items()
        board = {word: image.of_points(points, here.size) for word, points in layers}
        there = here.game.set_up(here.content._replace(layers=board))
        policy = log_policy(module.Position(write_position(there)), here.size, net)
        numbers = {
            step_number(here.game, step): step_number(here.game, image_of(step, image, there))
            for step in here.legal_steps()
        }
        assert policy.keys() == {*numbers.values()}
        found.append({number: math.exp(policy[moved]) for number, moved in numbers.items()})
    return found


def test_a_search_has_the_policy_of_an_image_of_each_position(module, game):
    """Which image that is depends on the position.

    An open turn of Implo is left out: its steps name a patch by one point, in an image by another.
    """
    net, images = net_for(game), set()
    for position, _ in positions_of(module, record_of(module, game)):
        if position.open or len(position.legal_steps()) < 2 or position.outcome()[0]:
            continue
        search = new_search(module, game, position.text(), SearchOptions(), 1, net)
        search.start(500, None)
        ended(search)
        priors = {row.step: row.prior for row in search.rows(1)}
        policies = policies_in_images(module, position.text(), net)
        near = [
            number
            for number, policy in enumerate(policies)
            if all(policy[step] == pytest.approx(priors[step], abs=2e-5) for step in priors)
        ]
        assert near, position.text()
        images.update(near[:1])
    assert len(images) >= 3


def test_searches_see_the_end_and_an_evaluation_that_is_even_does_not(module, game):
    played = make_game(module, (game.name, SIZE), 0, 1, HeldOutEffort(400, 400), None)
    rows = list(losses_by_turns(module, None, [played, played], SearchOptions(), 400))
    assert [row.turns for row in rows][:4] == [1, 2, 3, 4]
    assert all(row.positions == 2 and row.evaluation is None for row in rows)
    assert rows[0].plain == rows[0].search == pytest.approx(0.001, rel=1e-3)
    other = played._replace(result=1 - played.result)
    last = next(losses_by_turns(module, None, [other], SearchOptions(), 400))
    assert last.plain == last.search == pytest.approx(math.log(1000))


def test_a_game_has_no_position_before_its_first_turn(module, game):
    played = make_game(module, (game.name, game.smallest_size), 0, 1, HeldOutEffort(50, 50), None)
    rows = list(losses_by_turns(module, None, [played], SearchOptions(), 50))
    assert rows and rows[-1].turns <= len(played.steps)
