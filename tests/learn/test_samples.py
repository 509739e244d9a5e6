"""The samples of a game: equal in every image of the board, and seen from the color to move."""

import random
from dataclasses import replace

import pytest

np = pytest.importorskip("numpy")

from gtp_engine.learn.game_records import (  # noqa: E402
    SelfplayGame,
    positions_of,
    read_record,
    records,
)
from gtp_engine.learn.network import NetShape, new, pack  # noqa: E402
from gtp_engine.learn.plan import RESULT_PART, Plan, Unfit  # noqa: E402
from gtp_engine.learn.playouts import KnownPlayouts  # noqa: E402
from gtp_engine.learn.samples import (  # noqa: E402
    INPUT_UNIT,
    OWNER_UNIT,
    TargetSources,
    gather,
    images_of_places,
    make_batch,
    moved,
    samples_of,
)
from gtp_engine.learn.selfplay import play_game  # noqa: E402
from gtp_engine.rules import find_game  # noqa: E402
from gtp_engine.rules.notation.position_text import write_position  # noqa: E402
from gtp_engine.rules.points.points import board_points, vertices  # noqa: E402
from gtp_engine.rules.points.symmetry import SQUARE  # noqa: E402
from gtp_engine.search.backends.kernel import (  # noqa: E402
    kernel_for,  # noqa: E402
    numbered_step,
    step_number,
)
from gtp_engine.search.openings.swap_maps import images  # noqa: E402

SIZE = 4


@pytest.fixture
def module(request, module):
    """The core with the game of the test: in a wheel, the example games have another one."""
    if "game" in request.fixturenames:
        return kernel_for(request.getfixturevalue("game").name)
    return module


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
        (there,) = gather(module, [image_of(record, which)], 2**20)
        batch = make_batch(there, everything, turns[0])
        for sample in everything:
            known = [content(each, sample, *said) for each in batches]
            assert content(batch, sample, *said) in known


@pytest.mark.parametrize("image", SQUARE)
def test_a_board_moves_as_its_points_do(image):
    board = np.arange(9).reshape(3, 3)
    found = moved(board, image)
    for at in vertices(board_points(3)):
        to = image.of_vertex(at, 3)
        assert found[to.column, to.row] == board[at.column, at.row]


def sides_of(module, record):
    """Whether Black moves, for each position of a game; and Black's points at the end."""
    game, size = record.game, record.size
    position = module.Position(write_position(find_game(game).start(size)))
    sides = []
    for step in record.steps:
        sides.append(position.text().split()[3] == "b")
        position.play(step)
    return sides, sum(position.forecast(1, 1)[2])


def test_a_sample_is_what_the_color_to_move_should_know(module, record, game):
    samples = samples_of(module, record)
    sides, held = sides_of(module, record)
    assert len(samples.values) == len(record.looks)
    assert samples.searched.all()
    for sample, look in enumerate(record.looks):
        black = sides[look.after]
        searched = look.value if look.proven is None else look.proven
        value = RESULT_PART * record.result + (1 - RESULT_PART) * searched
        assert samples.values[sample] == pytest.approx(value if black else 1 - value)
        assert samples.owners[sample].sum() * OWNER_UNIT == (held if black else -held)
        shares = samples.shares[slice(*samples.first[sample : sample + 2])]
        assert shares.sum(dtype=float) == pytest.approx(1, abs=1e-3)
        if look.proven == float(black):
            assert shares.max() == 1


@pytest.fixture
def teacher(module, game):
    """A net with random weights."""
    inputs, whole, outputs = module.shape(game.name)
    shape, rng = NetShape(inputs, whole, 16, 1, outputs), np.random.default_rng(5)
    numbers = pack(new(shape, rng), shape)
    return module.Net(game.name, 16, 1, numbers.astype(np.float32).tobytes())


def test_the_teacher_gives_the_chance_where_no_full_search_was_made(module, record, game, teacher):
    record = record._replace(looks=record.looks[::2])
    searched, samples = (samples_of(module, record, TargetSources(net)) for net in (None, teacher))
    looks, which = {look.after for look in record.looks}, iter(range(len(samples.values)))
    sides, _ = sides_of(module, record)
    for number, (position, _) in enumerate(positions_of(module, record)):
        if position.outcome()[0] or len(position.legal_steps()) < 2:
            continue
        sample = next(which)
        assert samples.searched[sample] == (number in looks)
        if number in looks:
            continue
        assert not samples.step_counts[sample]
        value = RESULT_PART * record.result + (1 - RESULT_PART) * position.evaluate(teacher)
        assert samples.values[sample] == pytest.approx(value if sides[number] else 1 - value)
    assert next(which, None) is None
    assert (samples.values[samples.searched] == searched.values).all()
    assert (samples.points[samples.searched] == searched.points).all()


def test_inputs_are_those_of_the_kernel(module, record):
    samples = samples_of(module, record)
    batch = make_batch(samples, np.arange(len(samples.values)), np.arange(SIZE**2))
    looks = (position for position, look in positions_of(module, record) if look is not None)
    for points, position in zip(batch.points, looks, strict=True):
        exact = np.frombuffer(position.features().points, np.float32)
        assert np.abs(points.ravel() - exact).max() <= INPUT_UNIT / 2


def test_visits_are_sharpened_where_the_record_says_so(module):
    visits = [(0, 30), (512, 10)]
    looks = [(0, 0.5, None, visits, 0)]
    steps = module.Position("robble 2 ../.. b pie=off").playout(1)[0]
    record = SelfplayGame("robble", 2, 0, steps, 1.0, 2.0, looks)
    samples = samples_of(module, read_record(record.line().encode()))
    assert sorted(samples.shares.tolist()) == pytest.approx([0, 0, 0.1, 0.9], rel=1e-3)
    even = record._replace(sharpening=1.0)
    samples = samples_of(module, read_record(even.line().encode()))
    assert sorted(samples.shares.tolist()) == pytest.approx([0, 0, 0.25, 0.75])


@pytest.mark.parametrize("changes", [{"steps": [0, 0]}, {"game": "go"}, {"size": 99}])
def test_a_record_that_cannot_be_replayed_is_told(module, changes):
    record = SelfplayGame("robble", 3, 7, [0], 1.0, 1.0, [])._replace(**changes)
    with pytest.raises(Unfit, match="^game 7 cannot be replayed: "):
        gather(module, [record], 2**20)


def test_samples_are_not_made_to_the_end_if_stopped(module, record):
    stops = iter([False, True])
    assert gather(module, [record] * 5, 2**20, stopped=lambda: next(stops)) == []


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


def test_playouts_are_part_of_the_targets(module, record, teacher):
    bare = samples_of(module, record, TargetSources(teacher))
    samples = samples_of(module, record, TargetSources(teacher, KnownPlayouts(16)))
    assert np.isnan(bare.played).all()
    sides, _ = sides_of(module, record)
    at = 0
    for number, (position, _) in enumerate(positions_of(module, record)):
        if position.outcome()[0] or len(position.legal_steps()) < 2:
            continue
        playouts = position.forecast(16, record.number << 12 | number)
        black = (playouts.black_wins + playouts.draws / 2) / 16
        assert samples.played[at] == pytest.approx(black if sides[number] else 1 - black)
        held = sum(playouts.held) / 16 * (1 if sides[number] else -1)
        owned = samples.owners[at].sum() * OWNER_UNIT
        expected = (bare.owners[at].sum() * OWNER_UNIT + held) / 2
        assert owned == pytest.approx(expected, abs=SIZE**2 * OWNER_UNIT / 2)
        at += 1
    assert gather(module, [], 2**20, TargetSources(teacher, KnownPlayouts(16))) == []
    (gathered,) = gather(module, [record], 2**20, TargetSources(teacher, KnownPlayouts(16)))
    found = gathered.searched & np.isin(gathered.chances, (0, 1))
    assert found.any() and (gathered.values[found] == gathered.chances[found]).all()
    assert (gathered.played == samples.played).all()
