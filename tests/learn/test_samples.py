"""The samples of a game: equal in every image of the board, and seen from the color to move."""

import random
from dataclasses import replace

import pytest

np = pytest.importorskip("numpy")

from gtp_engine.learn.batches import images_of_places, make_batch  # noqa: E402
from gtp_engine.learn.game_records import SelfplayGame, read_record  # noqa: E402
from gtp_engine.learn.plan import Plan  # noqa: E402
from gtp_engine.learn.samples import RESULT_PART, gather, records, samples_of  # noqa: E402
from gtp_engine.learn.selfplay import play_game  # noqa: E402
from gtp_engine.rules import find_game  # noqa: E402
from gtp_engine.search.backends.kernel import numbered_step, step_number  # noqa: E402
from gtp_engine.search.first_turns import images  # noqa: E402

SIZE = 4


@pytest.fixture
def record(module, game):
    plan = replace(Plan(game.name, SIZE), visits=60, fast_visits=20, first_visits=1.0)
    effort = plan.effort(learned=False)._replace(share=1.0)
    found = play_game(module, (game.name, SIZE), 0, "seed 3", effort, None, lambda: False)
    assert found is not None and len(found.looks) > 2
    return found


def image_of(record: SelfplayGame, which: int) -> SelfplayGame:
    """The game in an image of the board."""
    game = find_game(record.game)
    position = game.start(record.size)
    looks, steps = {look.after: look for look in record.looks}, []

    def moved(number: int) -> int:
        (image,) = list(images((numbered_step(game, number),), game, record.size))[which]
        return step_number(game, position.canonical(image))

    for number, step in enumerate(record.steps):
        if number in looks:
            look = looks[number]
            visits = [(moved(each), count) for each, count in look.visits]
            looks[number] = look._replace(visits=visits, best=moved(look.best))
        steps.append(moved(step))
        position = position.play_unchecked(numbered_step(game, steps[-1]))
    return record._replace(steps=steps, looks=list(looks.values()))


def content(batch, sample: int, outputs: int, by_point: bool):
    """All that a sample of a batch says, whatever the order of its steps.

    by_point -- whether any step is named by just a point: a patch is so by its lowest one, which
                is another one in an image
    """
    legal = batch.legal[sample]
    steps, shares = batch.steps[sample][legal], batch.shares[sample][legal]
    if by_point and (steps[:, 0] % outputs).any():
        steps = np.zeros_like(steps)
    named = sorted((*step, round(share, 5)) for step, share in zip(steps.tolist(), shares.tolist()))
    points, owners = batch.points[sample].tolist(), batch.owners[sample].tolist()
    return named, points, owners, float(batch.values[sample])


def test_the_samples_of_an_image_are_images_of_the_samples(module, record, game):
    turns = images_of_places(SIZE, game.symmetry)
    (samples,) = gather(module, [record], 2**20)
    everything = np.arange(len(samples.values))
    batches = [make_batch(samples, everything, turn) for turn in turns]
    said = samples.outputs, game.name == "implo"
    for which in range(len(turns)):
        (moved,) = gather(module, [image_of(record, which)], 2**20)
        batch = make_batch(moved, everything, turns[0])
        for sample in everything:
            known = [content(each, sample, *said) for each in batches]
            assert content(batch, sample, *said) in known


def test_a_sample_is_what_the_color_to_move_should_know(module, record, game):
    samples = list(samples_of(module, record))
    position = module.Position(f"{game.name} {SIZE} {'/'.join(['.' * SIZE] * SIZE)} b pie=off")
    sides = []
    for step in record.steps:
        sides.append(position.text().split()[3] == "b")
        position.play(step)
    held = position.forecast(1, 1)[2]
    for sample, look in zip(samples, record.looks, strict=True):
        black = sides[look.after]
        searched = look.value if look.proven is None else look.proven
        value = RESULT_PART * record.result + (1 - RESULT_PART) * searched
        assert sample.value == pytest.approx(value if black else 1 - value)
        assert sample.owners.sum() == (sum(held) if black else -sum(held))
        assert sample.shares.sum() == pytest.approx(1, abs=1e-5)
        if look.proven == float(black):
            assert sample.shares.max() == 1


def test_visits_are_sharpened_where_the_record_says_so(module):
    visits = [(0, 30), (512, 10)]
    looks = [(0, 0.5, None, visits, 0)]
    steps = module.Position("robble 2 ../.. b pie=off").playout(1)[0]
    record = SelfplayGame("robble", 2, 0, steps, 1.0, 2.0, looks)
    (sample,) = samples_of(module, read_record(record.line().encode()))
    assert sorted(sample.shares.tolist()) == pytest.approx([0, 0, 0.1, 0.9])
    (sample,) = samples_of(module, read_record(record._replace(sharpening=1.0).line().encode()))
    assert sorted(sample.shares.tolist()) == pytest.approx([0, 0, 0.25, 0.75])


def test_records_come_back_by_number_without_what_is_cut_off(tmp_path):
    games = [SelfplayGame("pilo", 4, number, [1, 2], 0.5, 1.0, []) for number in range(4)]
    path = tmp_path / "games.jsonl"
    lines = [games[number].line() for number in (1, 0, 3, 2)]
    path.write_text("\n".join([lines[0], "no record", *lines[1:]])[:-5])
    assert list(records(path)) == [games[3], games[1], games[0]]


def test_no_more_samples_than_there_is_memory_for(module, record):
    whole = sum(len(each.values) for each in gather(module, [record] * 5, 2**20))
    some = sum(len(each.values) for each in gather(module, [record] * 5, 1))
    assert (whole, some) == (5 * len(record.looks), len(record.looks))


def test_the_same_seed_makes_the_same_game(module):
    effort = Plan("boloa", 3, visits=20, fast_visits=5, first_visits=1.0).effort(learned=False)
    found = [
        play_game(module, ("boloa", 3), 0, seed, effort, None, lambda: False) for seed in "aab"
    ]
    assert found[0] == found[1] != found[2]


def test_a_game_that_is_stopped_is_none(module):
    effort = Plan("boloa", 5, visits=10**6).effort(learned=False)._replace(share=1.0)
    rng = random.Random(1)
    assert play_game(module, ("boloa", 5), 0, "x", effort, None, lambda: rng.random() < 0.5) is None
