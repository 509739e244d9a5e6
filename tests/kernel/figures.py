"""What the kernel computes exactly alike everywhere: `python tests kernel.figures [--write]`.

`figures.json` has some hundred figures: random games, numbers of positions, nets, searches and
solved boards. Each processor, instruction set, compiler and system must give the same ones, to the
last bit. The program compares them with those of this machine and tells the differences; with
--write it keeps those of this machine.

Change them only together with what changes them on purpose: rules, a net, the search.
"""

import argparse
import hashlib
import json
import random
import struct
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.kernel import isa_in_use, kernel_for, new_net
from gtp_engine.search.backends.python import PythonTree
from gtp_engine.search.budget import Budget
from gtp_engine.search.weights import OWN, weights_for
from support.searching import ended, kernel_search

FILE = Path(__file__).with_suffix(".json")

SIZES = {
    "boloa": (4, 7, 9, 13),
    "implo": (4, 6, 8, 10),
    "pilo": (4, 6, 8, 10),
    "robble": (4, 5, 7, 9),
}

# The options of one search after the other. "net" is a net, and its channels or the one that ships.
SEARCHES: dict[str, dict[str, Any]] = {
    "search": {"expand_after": 2, "decisive": True},
    "search with AMAF": {"rave": 300.0, "leaf_playouts": 1},
    "search with net": {"net": OWN, "exploration": 1.2, "expand_after": 2},
    "search with noise": {"net": 16, "exploration": 1.5, "noise": 0.25, "playout_weight": 0.3},
    "search with proof numbers": {"net": 32, "exploration": 1.0, "proof_weight": 0.5},
}
VISITS = 400

Figures = dict[str, str]
KernelOf = Callable[[str], Any]


def digest(*parts: Any) -> str:
    """Twelve characters that depend on everything."""
    return hashlib.sha256("\n".join(map(repr, parts)).encode()).hexdigest()[:12]


def middle(kernel: Any, text: str, seed: int = 1) -> Any:
    """The position in the middle of a random game."""
    steps, _ = kernel.Position(text).playout(seed)
    position = kernel.Position(text)
    for step in steps[: len(steps) // 2]:
        position.play(step)
    return position


@cache
def random_weights(count: int) -> bytes:
    """So many weights of a net, from -1/8 to 1/8."""
    rng = random.Random(1)
    return struct.pack(f"<{count}f", *(rng.uniform(-0.125, 0.125) for _ in range(count)))


def net_of(kernel: Any, game: str, which: str | int, isa: str) -> Any:
    """The net that ships, or a random one with so many channels and one block."""
    if which == OWN:
        weights = weights_for(game, OWN)
        return new_net(kernel, isa, weights) if weights else None
    channels = int(which)
    inputs, of_position, outputs = kernel.shape(game)
    columns = 9 * inputs + 1 + of_position + 2 * (9 * channels + 1) + 2 * channels
    columns += channels + 1 + 2 * channels + 2 * channels + 1
    count = columns * channels + (channels + 1) * outputs + channels + 1
    return kernel.Net(game, channels, 1, random_weights(count), isa)


def of_rules(kernel: Any, text: str) -> Iterator[tuple[str, str]]:
    """Of a board: random games, numbers of positions, keys, features."""
    position, inside = kernel.Position(text), middle(kernel, text)
    for seed, decisive in ((1, False), (2**63 + 5, True)):
        steps, winner = position.playout(seed, decisive)
        name = f"random game {seed}{' with decisive steps' * decisive}"
        yield name, f"{len(steps)} steps, winner {winner}, {digest(steps)}"
    found = position.forecast(500, 3)
    told = f"{found.black_wins} black wins, {found.draws} draws, {digest(list(found.held))}"
    yield "500 random games", told
    yield "positions after two steps", str(position.perft(2))
    yield "positions after two more steps", f"{inside.perft(2)}, {digest(inside.legal_steps())}"
    features = inside.features()
    yield "keys", f"{inside.key:x} {digest(tuple(inside.canonical_key), inside.text())}"
    yield "features", digest(bytes(features.points), bytes(features.globals))


def of_nets(kernel: Any, text: str, game: str, isa: str) -> Iterator[tuple[str, str]]:
    """Of a board: what nets say, and trees with and without them."""
    inside = middle(kernel, text)
    for which in (OWN, 16, 32, 64):
        net = net_of(kernel, game, which, isa)
        if net is not None:
            told = f"{inside.evaluate(net).hex()} {digest(bytes(inside.outputs_by(net)))}"
            yield "net that ships" if which == OWN else f"net of {which} channels", told
    for name, options in SEARCHES.items():
        wanted = dict(options)
        net = net_of(kernel, game, wanted.pop("net"), isa) if "net" in wanted else None
        if net is None and "net" in options:
            continue
        tree = kernel_search(kernel, inside.text(), net=net, seed=2**40 + 5, **wanted)
        tree.start(VISITS, None)
        yield name, of_tree(ended(tree).rows(10), tree.value)


def of_tree(rows: list[Any], value: float) -> str:
    """The most visited step of a tree, its value, and all rows."""
    most = max(rows, key=lambda row: row.visits)
    told = digest(*map(tuple, rows))
    return f"step {most.step}, {most.visits} visits, {value.hex()} {told}"


def of_solver(kernel: Any, text: str) -> str:
    """What a solver finds, and how many positions it takes."""
    solver = kernel.Solver(text, 16, "best")
    solver.start(10**7, None)
    found = ended(solver).solved()
    return f"value {found.value}, {found.positions} positions, {digest(list(found.line))}"


def of_python(game: Game) -> str:
    """A tree of the search in Python."""
    position = game.start(4, Pie.OFF)
    tree = PythonTree(position, position.legal_steps(), random.Random(1))
    tree.search(Budget(visits=60).begin())
    rows = [(str(row.step), row.visits, row.value, row.lcb) for row in tree.rows(1)]
    return f"{tree.value.hex()} {digest(*rows)}"


def of_functions(kernel: Any) -> Iterator[tuple[str, str]]:
    rng = random.Random(1)
    numbers = [rng.uniform(-90, 90) for _ in range(1000)]
    yield "exponentials", digest(*map(kernel.exponential, numbers))
    yield "logarithms", digest(*(kernel.logarithm(abs(x)) for x in numbers))


def start(game: str, size: int) -> str:
    return write_position(find_game(game).start(size, Pie.OFF))


def all_figures(kernel_of: KernelOf, isa: str) -> Figures:
    """All figures, by names such as `implo 8, net that ships`."""
    found = {f"functions, {name}": told for name, told in of_functions(kernel_of("implo"))}
    for game, sizes in SIZES.items():
        kernel = kernel_of(game)
        for size in sizes:
            figures = of_rules(kernel, start(game, size))
            found |= {f"{game} {size}, {name}": told for name, told in figures}
        found[f"{game} 3, solved"] = of_solver(kernel, start(game, 3))
        found[f"{game} 4, search in Python"] = of_python(find_game(game))
    return found | figures_of_nets(kernel_of, isa)


def figures_of_nets(kernel_of: KernelOf, isa: str) -> Figures:
    """Those figures that the instruction set of nets could change."""
    return {
        f"{game} {size}, {name}": told
        for game, sizes in SIZES.items()
        for size in sizes
        for name, told in of_nets(kernel_of(game), start(game, size), game, isa)
    }


def recorded() -> Figures:
    """The figures that hold everywhere."""
    return dict(json.loads(FILE.read_text()))


def differences(found: Figures, expected: Figures) -> list[str]:
    """A line for each figure that is not as it should be."""
    return [
        f"{name}: {found.get(name)} instead of {expected.get(name)}"
        for name in sorted(found.keys() | expected.keys())
        if found.get(name) != expected.get(name)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="keep the figures of this machine")
    given = parser.parse_args()
    cores = {kernel_for(game) for game in SIZES}
    if None in cores:
        sys.exit("no kernel was built")
    core = cores.pop()
    isa = isa_in_use(core)
    found = all_figures(kernel_for, isa)
    if given.write:
        FILE.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n")
    wrong = differences(found, recorded())
    print(*wrong, sep="\n", end="\n" * bool(wrong))
    print(f"{core.compiled_for()}, nets {isa}: {len(found)} figures, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
