"""The kernel as WebAssembly computes what the native one does, to the last bit."""

import random

import pytest

from gtp_engine.browser import core
from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.kernel import kernel_for
from gtp_engine.search.weights import OWN, weights_for
from kernel.figures import all_figures, differences, recorded
from support.thorough import thorough

pytestmark = thorough

NAMES = [game.name for game in games()]
POSITIONS = 10  # of each game


@pytest.fixture(params=[(), ("impatient",)], ids=["patient", "impatient"])
def wasm(request, kernel_under_node):
    """The bridge, on a kernel whose host calls solvers back, or does not."""
    with kernel_under_node(*request.param) as calls:
        core.connect(calls, memory_mb=64)
        yield core


@pytest.fixture
def native():
    modules = {name: kernel_for(name) for name in NAMES}
    if None in modules.values():
        pytest.skip("there is no kernel here")
    return modules


def texts(name: str, size: int = 6, steps: int = 12) -> list[str]:
    """Positions of random games, as texts: from the first on."""
    rng, game = random.Random(name), find_game(name)
    position, found = game.start(size, Pie.PIECES), []
    while len(found) < POSITIONS:
        if position.outcome() is not None:
            position = game.start(size, Pie.OFF)
        found.append(write_position(position))
        for _ in range(rng.randrange(steps)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_steps()))
    return found


def seen(kernel, text: str, net) -> list[object]:
    """What a kernel says of a position, without what takes time."""
    position = kernel.Position(text)
    found: list[object] = [position.legal_steps(), position.text(), position.open, position.key]
    found += [position.canonical_key, position.outcome(), tuple(position.features())]
    found += [position.perft(2), position.playout(7), position.playout(2**63 + 1, True)]
    found.append(tuple(position.forecast(20, 2**64 - 1)))
    if net is not None:
        found += [position.evaluate(net), bytes(position.outputs_by(net))]
    return found


def net_of(kernel, name: str):
    weights = weights_for(name, OWN)
    if weights is None:
        return None
    return kernel.Net(name, weights.channels, weights.blocks, weights.numbers, None)


def test_the_exact_figures(kernel_under_node):
    """A solver that is called back takes other numbers of positions, so the host is patient."""
    with kernel_under_node() as calls:
        core.connect(calls, memory_mb=64)
        assert differences(all_figures(lambda name: core, "plain"), recorded()) == []


@pytest.mark.parametrize("name", NAMES)
def test_positions_and_nets(wasm, native, name):
    theirs = native[name]
    assert wasm.declared(name) == tuple(theirs.declared(name))
    assert wasm.shape(name) == theirs.shape(name)
    nets = net_of(wasm, name), net_of(theirs, name)
    for text in texts(name):
        assert seen(wasm, text, nets[0]) == seen(theirs, text, nets[1]), text


@pytest.mark.parametrize("name", NAMES)
def test_a_search_with_a_seed_grows_the_same_tree(wasm, native, name):
    rows = []
    for kernel in (wasm, native[name]):
        options = kernel.SearchOptions()
        options.seed, options.hash_mb, options.exploration, options.rave = 2**40 + 5, 16, 0.4, 300.0
        search = kernel.Search(texts(name)[2], options, [])
        search.start(500, None)
        while not search.wait(0.01):
            pass
        rows.append([tuple(row) for row in search.rows(10)])
        assert search.visits >= 500 or search.proven is not None
    assert rows[0] == rows[1]


SOLVED = {"boloa": (3, "best"), "implo": (3, "best"), "pilo": (3, "best"), "robble": (3, "best")}


@pytest.mark.parametrize("name", NAMES)
def test_small_boards_are_solved_with_the_same_values(wasm, native, name):
    size, method = SOLVED[name]
    values = []
    for kernel in (wasm, native[name]):
        found = []
        solver = kernel.Solver(texts(name, size, 3)[0], 16, method)
        for text in texts(name, size, 3):
            solver.turn_to(text)
            solver.start(10**7, None)
            while not solver.wait(0.01):
                pass
            result = solver.solved()
            found.append((result.value, len(result.line) > 0, result.contradicted))
        values.append(found)
    assert values[0] == values[1]
    assert any(value is not None for value, *_ in values[0])


def test_what_the_kernel_refuses_is_told_with_its_sentence(wasm, native):
    for call in ("Position", "Solver"):
        with pytest.raises(ValueError) as ours:
            getattr(wasm, call)(*(["nonsense"] + ([16, "best"] if call == "Solver" else [])))
        with pytest.raises(ValueError) as theirs:
            getattr(native["implo"], call)(
                *(["nonsense"] + ([16, "best"] if call == "Solver" else []))
            )
        assert str(ours.value) == str(theirs.value)
    with pytest.raises(ValueError):
        wasm.Position(texts("implo")[0]).forecast(10**7, 1)
