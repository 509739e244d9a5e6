"""A fit learns, and an interrupted fit continues as if nothing had happened."""

import time

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("optax")

from gtp_engine.learn.fitting import Fit, FitOptions  # noqa: E402
from gtp_engine.learn.network import NetShape  # noqa: E402
from gtp_engine.learn.plan import Plan, Unfit  # noqa: E402
from gtp_engine.learn.samples import gather, make_batch  # noqa: E402
from gtp_engine.learn.selfplay import play_game  # noqa: E402
from gtp_engine.rules import find_game  # noqa: E402


@pytest.fixture(scope="module")
def samples(module):
    effort = Plan("robble", 3, visits=60, fast_visits=20, first_visits=1.0).effort(learned=False)
    start, effort = ("robble", 3), effort._replace(share=1.0)
    games = [play_game(module, start, n, f"{n}", effort, None, lambda: False) for n in range(4)]
    return gather(module, games, 2**20)


@pytest.fixture
def fit(module, samples, tmp_path):
    inputs, whole, outputs = module.shape("robble")
    shape = NetShape(inputs, whole, 16, 1, outputs)
    symmetry = find_game("robble").symmetry

    def make(name: str, seconds=1e9, whole=1e9, least=1, epochs=20.0, rate=2e-3) -> Fit:
        changed = FitOptions(seconds, whole, least, epochs, rate, 16, symmetry, (7, 1))
        return Fit(samples, shape, None, changed, tmp_path / name, time.monotonic())

    return make


def after(steps: int):
    """What stops a fit after so many looks."""
    left = iter(range(steps))
    return lambda: next(left, None) is None


def test_a_fit_learns_and_goes_on_where_it_was_stopped(fit):
    begun = fit("a")
    before = begun._judged()
    whole = begun.run(lambda: False)
    assert sum(whole.judged.losses) < sum(before.losses)
    assert fit("b").run(after(5)) is None
    assert fit("b").run(after(1)) is None
    again = fit("b").run(lambda: False)
    assert (again.numbers == whole.numbers).all()
    assert again.judged == whole.judged


def test_the_largest_net_is_stored_and_goes_on(module, samples, tmp_path):
    """Its fit has 8 MiB; files of more than 4 were refused."""
    inputs, whole, outputs = module.shape("robble")
    shape, symmetry = NetShape(inputs, whole, 64, 8, outputs), find_game("robble").symmetry
    course = FitOptions(1e9, 1e9, 1, 1.0, 2e-3, 16, symmetry, (7, 1))
    fit = Fit(samples, shape, None, course, tmp_path / "fit")
    fit._steps = 5
    fit.save()
    assert Fit(samples, shape, None, course, tmp_path / "fit").steps == 5


@pytest.fixture
def half_searched(samples):
    """Every second sample is of a position without a full search."""
    for each in samples:
        each.searched[1::2] = False
    yield
    for each in samples:
        each.searched[:] = True


def test_the_first_half_of_a_batch_has_full_searches_the_second_half_any_sample(
    fit, half_searched, samples, monkeypatch
):
    drawn = set(), set()
    course = fit("a", epochs=10.0)

    def batch(chosen_from, chosen, image):
        for half, which in zip(drawn, np.split(chosen, 2)):
            half.update(chosen_from.searched[which].tolist())
        return make_batch(chosen_from, chosen, image)

    monkeypatch.setattr("gtp_engine.learn.fitting.make_batch", batch)
    monkeypatch.setattr(course, "_judged", lambda: None)
    fitted = course.run(lambda: False)
    assert drawn == ({True}, {True, False})
    full = sum(int((~each.held_out & each.searched).sum()) for each in samples)
    assert fitted.searched == full < fitted.samples
    assert fitted.steps == -(-10 * full // 8)


def test_what_is_kept_of_another_fit_is_not_gone_on_with(fit, tmp_path):
    (tmp_path / "a").write_bytes(b"no fit")
    assert fit("a").run(after(3)) is None
    content = (tmp_path / "a").read_bytes()
    assert content.startswith(b'{"kind": "fit"')
    (tmp_path / "a").write_bytes(content[:-1])
    assert fit("a")._earlier == 0


@pytest.mark.parametrize(
    "rate",
    [
        1e5,  # weights that half precision cannot hold
        1e30,  # and that multiply to infinity
        float("nan"),
    ],
)
def test_what_grows_without_bounds_is_stopped_with_a_sentence(fit, tmp_path, rate, monkeypatch):
    # Time stands still, so the fit stores nothing between its steps, however slow the machine.
    monkeypatch.setattr("gtp_engine.learn.fitting.time.monotonic", lambda: 0.0)
    assert fit("a").run(after(3)) is None
    good = (tmp_path / "a").read_bytes()
    broken = fit("a", rate=rate)
    with pytest.raises(Unfit, match=r"^step \d+ of the fit gives numbers that are not finite; "):
        broken.run(lambda: False)
    assert (tmp_path / "a").read_bytes() == good
    assert all(np.isfinite(layer).all() for layer in broken._state[0].values())


def test_a_fit_tells_its_progress(fit, monkeypatch):
    monkeypatch.setattr("gtp_engine.learn.fitting._SECONDS_BETWEEN_REPORTS", 0.0)
    told = []
    fitted = fit("a", epochs=2.0).run(lambda: False, told.append)
    assert [progress.steps for progress in told] == list(range(1, fitted.steps + 1))
    assert {progress.most for progress in told} == {fitted.steps}
    assert all(0 < loss < 10 for progress in told for loss in progress.losses)
    assert told[0].losses != told[-1].losses


@pytest.fixture
def unlearned(fit, monkeypatch):
    """A fit whose steps learn nothing, and by its own clock: one second each, the first eleven."""
    clock = [100.0]
    monkeypatch.setattr("gtp_engine.learn.fitting.time.monotonic", lambda: clock[0])

    def step(state, batch, rate):
        clock[0] += 1.0 if clock[0] > 110 else 11.0
        return state, batch.values

    def make(**changes) -> Fit:
        begun = fit("a", **changes)
        monkeypatch.setattr(begun, "_step", step)
        monkeypatch.setattr(begun, "_judged", lambda: None)
        clock[0] += 5.0  # what the samples took
        return begun

    return make


def test_it_tells_steps_draws_and_epochs(unlearned, samples):
    fitted = unlearned(epochs=2.0).run(lambda: False)
    known = sum(int((~each.held_out).sum()) for each in samples)
    assert fitted.samples == fitted.searched == known
    assert fitted.steps == -(-2 * known // 8)
    assert 2 <= fitted.epochs == 8 * fitted.steps / known < 2 + 8 / known


@pytest.mark.parametrize("whole", [-1.0, 0.0, 5.0])
def test_a_course_without_time_for_a_step_makes_nothing(unlearned, whole):
    assert unlearned(whole=whole).run(lambda: False) is None


def test_the_time_of_a_fit_is_that_of_its_steps_without_samples_and_compiling(unlearned):
    fitted = unlearned(seconds=40.0, epochs=1e6).run(lambda: False)
    assert fitted.steps == 1 + 40, "the first one compiles"
    assert fitted.seconds == 5 + 11 + 40


def test_making_the_samples_and_compiling_are_a_part_of_the_whole_time(unlearned):
    fitted = unlearned(whole=40.0, epochs=1e6).run(lambda: False)
    # 40 - 5 for the samples - 11 for the first step - 11 that are kept back for the losses
    assert fitted.steps == 1 + 13
    assert fitted.seconds == 29.0


def test_a_fit_that_ends_by_the_time_of_its_steps_tells_how_many_it_made(unlearned):
    fitted = unlearned(seconds=5.0, least=99, epochs=1e6).run(lambda: False)
    assert fitted.steps == 1 + 5


def test_a_fit_with_too_few_steps_goes_on_where_the_whole_time_ended(unlearned):
    begun = unlearned(whole=40.0, least=15, epochs=1e6)
    assert begun.run(lambda: False) is None
    assert begun.steps == 14
    again = unlearned(whole=80.0, seconds=20.0, least=15, epochs=1e6)
    assert again.steps == 14
    fitted = again.run(lambda: False)
    assert fitted.steps == 14 + 1 + (20 - 13), "13 s of steps were made, and one step compiles"
    assert fitted.seconds == 29 + 5 + 1 + 7
