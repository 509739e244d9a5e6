"""The whole interface of the kernel over recorded games: `python tests kernel.replay [GAME...]`.

For a kernel that was compiled with sanitizers, which end this program at the first fault. It plays
the conformance cases, the records of the pages and the held-out games, and asks the kernel
everything at their positions: rules, nets, searches, solvers, certificates, several threads, and
wrong arguments. The rules in Python take no part, so it is quick; what is compared is cheap, such
as the numbers of legal steps, which the cases have.

It fails if a part of the interface (`_kernel.pyi`) stays unused: a new one needs a use here.
"""

import argparse
import json
import os
import random
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.learn.held_out_games import read_games
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.records.record import read_record
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.kernel import kernel_for, kernel_games, numbered_step, step_number
from kernel.interface import Declared, WatchedKernel, watched
from kernel.test_net import packed, weights

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "protocol_specs"
HELD_OUT = ROOT / "gtp_engine" / "learn" / "held_out"

WINNERS = {"B": 1, "W": 2, "0": 3}

# The options of one search after the other. Two threads take part in some of them.
SEARCHES: list[dict[str, Any]] = [
    {"leaf_playouts": 4, "decisive": True, "exploration": 2.0},
    {"net": True, "priors_only": 0.3, "noise": 0.25},
    {"turn_orders": "every", "rave": 300.0, "expand_after": 3},
    {"turn_orders": "one", "net": True, "proof_weight": 0.0},
    {"threads": 3, "hash_mb": 1, "playout_weight": 0.5, "proof_weight": 0.7},
    {"threads": 2, "net": True, "playout_weight": 1.0},
]
METHODS = ("best", "proof-numbers", "depth-first", "retrograde")


class Played(NamedTuple):
    """A recorded game.

    start -- the position text
    turns -- the names of the steps of each turn, or their numbers; empty for the start
    told  -- what a case tells of the position after each turn
    """

    start: str
    turns: list[list[str] | list[int]]
    told: list[dict[str, Any]]
    refused: bool = False


def start_of(game: str, size: int, pie: str = "off") -> str:
    return write_position(find_game(game).start(size, Pie(pie)))


def cases(game: str) -> Iterator[Played]:
    """The conformance cases; some starts may be refused."""
    for line in (SPECS / "clients" / "conformance" / f"{game}.jsonl").read_text().splitlines():
        case = json.loads(line)
        start = case.get("start") or start_of(game, case["size"], case["pie"])
        turns = [turn["play"].split("/") if "play" in turn else [] for turn in case["turns"]]
        yield Played(start, turns, case["turns"], "impossible" in case)


def records(game: str) -> Iterator[Played]:
    """The games of the pages."""
    for folder in (SPECS / "games", SPECS / "games" / "strategy"):
        found = read_record((folder / f"{game}.sgf").read_text())
        position = find_game(game).start(found.start.size, Pie(found.start.pie))
        start, turns = write_position(position), []
        node = found.root.following
        while node is not None:
            steps = read_turn(position, (), node.word).steps
            for step in steps:
                position = position.play(step)
            turns.append([step_number(position.game, step) for step in steps])
            node = node.following
        yield Played(start, turns, [{} for _ in turns])


def held_out(game: str) -> Iterator[Played]:
    """The held-out games, which have larger boards."""
    for each in read_games(HELD_OUT / f"{game}.games"):
        turns = [[step] for step in each.steps]
        yield Played(start_of(game, each.size), turns, [{} for _ in turns])


class Replay:
    """Plays games of one kind, and asks the kernel at their positions.

    every -- the positions from one search to the next
    """

    def __init__(self, kernel: WatchedKernel, game: str, every: int) -> None:
        self.kernel, self.game, self.every = kernel, game, every
        self.rng = random.Random(game)
        self.positions = self.searches = self.refusals = 0
        values = packed(weights(kernel, game, 16, 1))
        self.nets = [kernel.Net(game, 16, 1, values, isa) for isa in kernel.isas()]

    def play(self, played: Played) -> None:
        """Play a game, and ask at each of its positions.

        Of an impossible start the kernel may make a position: the rules in Python refuse what a
        rule excludes, and the kernel what it cannot hold. A random game from there may never end.
        """
        if played.refused:
            with suppress(ValueError):
                self.kernel.Position(played.start).legal_steps()
            return
        position = self.kernel.Position(played.start)
        followed = self.new_search(position, {}) if self.rng.random() < 0.2 else None
        for words, told in zip(played.turns, played.told, strict=True):
            for word in words:
                self.play_step(position, followed, self.number(position, word))
            self.ask(position, told)
        if not played.told:
            self.ask(position, {})

    def number(self, position: WatchedKernel, word: str | int) -> int:
        """The number of a legal step."""
        if isinstance(word, int):
            return word
        game = find_game(self.game)
        (number,) = (n for n in position.legal_steps() if str(numbered_step(game, n)) == word)
        return int(number)

    def play_step(self, position: WatchedKernel, followed: WatchedKernel | None, step: int) -> None:
        """Play a step; a search follows, by the step or by the text."""
        assert position.outcome()[0] == 0
        position.play(step)
        if followed is None or position.open:
            return
        followed.set_threads(self.rng.choice((1, 1, 2)))
        if not followed.follow(position.text()) and followed.proven is None:
            steps = self.kernel.Position(followed.text()).legal_steps()
            if step in steps:
                followed.advance(step)
        self.run(followed, followed.visits + 40)

    def ask(self, position: WatchedKernel, told: dict[str, Any]) -> None:
        """Ask all that is quick; now and then search and solve."""
        self.positions += 1
        steps, text = position.legal_steps(), position.text()
        winner, margin = position.outcome()
        assert bool(steps) == (winner == 0), text
        if "count" in told:
            assert len(steps) == told["count"], text
        if "result" in told:
            assert winner == WINNERS[told["result"][0]], text
            assert margin == int(told["result"][2:] or -1), text
        again = self.kernel.Position(text)
        assert (again.key, again.canonical_key) == (position.key, position.canonical_key), text
        self.refuse(position, steps)
        net = self.rng.choice(self.nets)
        if steps:
            assert len(position.features().steps) <= len(steps), text
            assert 0 <= position.evaluate(net, self.rng.choice((1, 2))) <= 1
            assert position.outputs_by(net)
            assert position.perft(1) <= len(steps)
        played, winner = position.playout(self.rng.getrandbits(64), self.rng.random() < 0.5)
        assert winner and bool(played) == bool(steps), text
        if self.positions % self.every == 0 and not position.open:
            self.ask_slowly(position)

    def refuse(self, position: WatchedKernel, steps: list[int]) -> None:
        """An illegal step changes nothing."""
        text, step = position.text(), self.rng.getrandbits(self.rng.choice((18, 20, 22, 32)))
        if step not in steps:
            self.refused(position.play, step)
            assert position.text() == text

    def refused(self, function: Callable[..., Any], *given: Any) -> None:
        """A call that raises ValueError or TypeError."""
        self.refusals += 1
        try:
            function(*given)
        except (ValueError, TypeError):
            return
        raise AssertionError(f"{given} was not refused")

    def ask_slowly(self, position: WatchedKernel) -> None:
        """Searches, random games and solvers."""
        self.searches += 1
        options = SEARCHES[self.searches % len(SEARCHES)]
        search = self.new_search(position, options)
        self.run(search, 3000 if options.get("hash_mb") == 1 else 150)
        steps = position.legal_steps()
        rows = search.rows(10)
        assert {row.step for row in rows} <= set(steps)
        assert 0 <= search.value <= 1 and (search.nodes > 0 or not steps)
        assert position.forecast(20, self.rng.getrandbits(64)).draws <= 20
        assert position.play_games(0.0, 1, self.rng.random() < 0.5).games >= 0
        if len(steps) > 1:
            among = self.new_search(position, options, steps[:2])
            self.run(among, 30)
            assert {row.step for row in among.rows(1)} <= set(steps[:2])
        self.solve(position, METHODS[self.searches % len(METHODS)])

    def new_search(
        self, position: WatchedKernel, chosen: dict[str, Any], among: Iterable[int] = ()
    ) -> WatchedKernel:
        """A search with some options."""
        options = self.kernel.SearchOptions()
        options.seed, options.hash_mb = self.rng.getrandbits(64), 16
        for name, value in chosen.items():
            if name != "net":
                setattr(options, name, value)
        net = self.rng.choice(self.nets) if chosen.get("net") else None
        return self.kernel.Search(position.text(), options, list(among), net)

    def run(self, search: WatchedKernel, visits: int) -> None:
        """Search, and look at the tree meanwhile."""
        search.start(visits, None)
        while not search.wait(0.001):
            search.rows(3)
            assert search.visits >= 0 and search.used_bytes > 0
        if self.rng.random() < 0.1:  # one that is ended
            search.start(None, None)
            search.rows(1)
            search.stop()
            search.wait(60.0)

    def solve(self, position: WatchedKernel, method: str) -> None:
        """Solve for some positions; keep what was found, and let others go on from it."""
        text = position.text()
        try:
            solver = self.kernel.Solver(text, 64, method)
        except ValueError:
            assert method != "best", text
            return
        solver.start(self.rng.choice((100, 3000)), None, False, self.rng.choice((1, 3)))
        while not solver.wait(0.001):
            solver.solved()
        found = solver.solved()
        assert found.value in (None, 0.0, 0.5, 1.0), text
        self.certify(solver, text)
        other, part = self.kernel.Solver(text, 64, method), 0
        while True:
            saved, part = solver.saved_part(part)
            if saved:
                other.restore_part(saved)
            if not part:
                break
        other.turn_to(text)
        other.start(None, 0.0)
        other.stop()
        assert other.wait(60.0)

    def certify(self, solver: WatchedKernel, text: str) -> None:
        """Collect a certificate and check it, and then an altered one."""
        try:
            solver.start(20_000, None, True)
        except ValueError:  # there are none for this game, size or pie rule
            return
        assert solver.wait(600.0)
        words, found = solver.certificate(), solver.solved().value
        if words is None or found is None:
            return
        for black in (True, False):
            solver.check(words, black)
            assert solver.wait(600.0)
            assert solver.checked()[0] == (found == float(black)), text
        cut = self.rng.randrange(0, len(words) + 8, 8)
        altered = words[:cut] + self.rng.randbytes(8) + words[cut + 8 :]
        solver.check(altered, found == 1.0)
        assert solver.wait(600.0)
        solver.checked()

    def census(self) -> None:
        """A table of all positions, in games that have one."""
        for size in (2, 3):
            try:
                solver = self.kernel.Solver(start_of(self.game, size), 64, "retrograde")
            except ValueError:
                continue
            solver.start(None, None)
            assert solver.wait(600.0)
            assert solver.solved().census is not None


HOSTILE: dict[str, list[Any]] = {
    "int": [-1, 2**31, 2**62, 2**64, -(2**63), 1.5, None],
    "float": [-1.0, float("nan"), float("inf"), -1e300, "1"],
    "str": ["", "x" * 10_000, "\0", "pilo", "pilo 2", "pilo 99 ../.. b", "robble 2 ../.. b seen=q"],
    "bytes": [b"", b"abc", b"\0" * 8, b"\xff" * 4096, None],
    "list[int]": [[-1], [2**32], [12345] * 1000, None],
    "object": [object(), None],
}
HOSTILE["str"] += ["pilo 2 B./.. b", "pilo 2 ../.. b passes=3", "implo 2 \x00./.. b", "\udcff"]


def arguments_of(kernel: WatchedKernel, game: str) -> dict[str, tuple[Any, ...]]:
    """Right arguments of each function; of methods, the object first."""
    text = start_of(game, 4)
    values = packed(weights(kernel, game, 16, 1))
    net, options = kernel.Net(game, 16, 1, values), kernel.SearchOptions()
    options.hash_mb = 1
    position, search = kernel.Position(text), kernel.Search(text, options, [])
    solver = kernel.Solver(text, 1, "best")
    part, _ = solver.saved_part(0)
    step = position.legal_steps()[0]
    of_objects: dict[Any, dict[str, tuple[Any, ...]]] = {
        position: {
            "legal_steps": (),
            "play": (step,),
            "text": (),
            "outcome": (),
            "features": (),
            "evaluate": (net, 1),
            "outputs_by": (net,),
            "perft": (1,),
            "playout": (1, False),
            "play_games": (0.0, 1, False),
            "forecast": (1, 1),
        },
        search: {
            "set_threads": (1,),
            "start": (10, 10.0),
            "wait": (10.0,),
            "stop": (),
            "advance": (step,),
            "follow": (text,),
            "rows": (1,),
            "text": (),
        },
        solver: {
            "turn_to": (text,),
            "start": (10, 10.0, False, 1),
            "certificate": (),
            "check": (b"\0" * 8, True),
            "checked": (),
            "saved_part": (0,),
            "restore_part": (part,),
            "wait": (10.0,),
            "stop": (),
            "solved": (),
        },
    }
    right: dict[str, tuple[Any, ...]] = {
        "games": (),
        "add_game": (),
        "declared": (game,),
        "memory_mb": (),
        "option_ranges": (),
        "compiled_for": (),
        "exponential": (1.0,),
        "logarithm": (1.0,),
        "isas": (),
        "end_if_deaf": (nobody_tells(), signal.SIGTERM, 0.0, 0),
        "shape": (game,),
        "Position": (text,),
        "Net": (game, 16, 1, values, kernel.isas()[-1]),
        "SearchOptions": (),
        "Search": (text, options, [], net),
        "Solver": (text, 1, "best"),
    }
    for thing, methods in of_objects.items():
        name = type(thing.__dict__["_thing"]).__name__
        right |= {f"{name}.{method}": (thing, *given) for method, given in methods.items()}
    return right


@cache
def nobody_tells() -> int:
    """A descriptor from which no number of a signal ever comes."""
    return os.open(os.devnull, os.O_RDONLY)


def attack(kernel: WatchedKernel, declared: Declared, game: str) -> int:
    """Call each function with wrong arguments, one at a time; returns how many were refused."""
    refused = 0
    for name, names in declared.arguments.items():
        for at, argument in enumerate(names):
            kind = declared.types[f"{name}({argument})"].removesuffix(" | None")
            for value in HOSTILE.get(kind, [None, 3]):
                given = arguments_of(kernel, game)[name]  # a call may have changed the objects
                *_, member = name.split(".")
                thing, given = (given[0], given[1:]) if "." in name else (kernel, given)
                wrong = (*given[:at], value, *given[at + 1 :])
                try:
                    getattr(thing, member)(*wrong)
                except (ValueError, TypeError, ImportError):
                    refused += 1
                if member in ("start", "check"):
                    thing.stop()
                    assert thing.wait(60.0)
    return refused


def replay(game: str, games: Iterable[Played], every: int) -> tuple[Replay, set[str]]:
    """Play games, and attack the kernel; returns what was played, and what stayed unused."""
    kernel, declared, used = watched(kernel_for(game))
    module = __import__(f"gtp_engine.kernel._{game}", fromlist=["entry"])
    kernel.add_game(module.entry)
    assert game in kernel.games()
    assert kernel.declared(game).kinds > 0
    assert kernel.memory_mb() > 0
    assert kernel.exponential(0.0) == 1 and kernel.logarithm(1.0) == 0
    assert kernel.compiled_for() in ("plain", "v3", "native")
    assert all(lowest < highest for _, lowest, highest in kernel.option_ranges())
    kernel.end_if_deaf(nobody_tells(), signal.SIGTERM, 0.0, 0)
    done = Replay(kernel, game, every)
    for each in games:
        done.play(each)
    done.census()
    done.refusals += attack(kernel, declared, game)
    return done, declared.parts - used


def main() -> int:
    """Replay all games of each kind. Returns 1 if a part of the interface stayed unused."""
    parser = argparse.ArgumentParser(prog="kernel.replay", description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=kernel_games())
    parser.add_argument("--every", type=int, default=50, help="positions between two searches")
    parser.add_argument("--held-out", type=int, default=10, help="held-out games of each kind")
    given = parser.parse_args()
    unused: set[str] | None = None
    for game in given.games:
        played = [*cases(game), *records(game), *islice(held_out(game), given.held_out)]
        done, left = replay(game, played, given.every)
        unused = left if unused is None else unused & left
        print(
            f"{game}: {len(played):,} games, {done.positions:,} positions, {done.searches:,} "
            f"searches and solvers, {done.refusals:,} refusals",
            flush=True,
        )
    print("unused:", ", ".join(sorted(unused or ())) or "nothing")
    return 1 if unused else 0


if __name__ == "__main__":
    raise SystemExit(main())
