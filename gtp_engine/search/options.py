"""The options of a search, their tuning by games, and the threads and processors that it uses."""

import os
from dataclasses import dataclass, fields, replace
from functools import cache
from types import ModuleType

from gtp_engine.base.affinity import processor_count
from gtp_engine.base.log import logger
from gtp_engine.base.option import any_text, choice, integers, numbers, option, or_auto, switch
from gtp_engine.rules.game import Game
from gtp_engine.rules.tuning import UNTUNED, Tuning
from gtp_engine.search import weights as learned
from gtp_engine.search.budget import Deadline


@cache
def tuning_of(game: Game) -> Tuning:
    """The numbers of a game. An untuned game gets those that fit most games; the log says so."""
    if game.tuning is not None:
        return game.tuning
    logger().info("{} is untuned: its search uses the numbers that fit most games", game.title)
    return UNTUNED


ONE_ORDER, EVERY_ORDER = "one", "every"


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search. None stands for the game's own number, or the search's own."""

    threads: int | None = option(
        None,
        or_auto(integers(1, 256)),
        "search threads of the kernel",
        "They share one tree and use virtual losses (Chaslot et al., CG 2008), or one table of "
        "proof-number search. `auto` means one per processor, at most 8, but one in a search "
        "limited by visits, as by levels 1 to 17, which can then be repeated.",
    )
    hash_mb: int = option(
        256,
        integers(1, 65536),
        "memory for the kernel's search tree in MiB, limited by the machine's memory",
        "When it is nearly full, the search frees what is below the least visited nodes.",
    )
    exploration: float | None = option(
        None,
        or_auto(numbers(0, 100)),
        "weight of the exploration term",
        "The search picks the child with the largest v + c sqrt(ln N / n) (UCB1: Kocsis and "
        "Szepesvari, ECML 2006), with a learned evaluation v + c p sqrt(N) / (1 + n) (PUCT: "
        "Silver et al., Nature 2017). v is the child's value, n its visits, p its prior, N the "
        "parent's visits, c this weight.",
    )
    rave: float | None = option(
        None,
        or_auto(numbers(0, 10**6)),
        "visits at which a step's own value and its AMAF value weigh equally; 0: no AMAF",
        "GRAVE (Cazenave, IJCAI 2015). Not used with a learned evaluation.",
    )
    leaf_playouts: int | None = option(
        None,
        or_auto(integers(1, 1000)),
        "playouts per leaf; each counts as one visit",
        "Leaf parallelization (Cazenave and Jouandeau, 2007). `auto` means 1 with AMAF, and 1 in a "
        "search limited by visits. With a learned evaluation it is 1 where the kernel does not "
        "play games side by side.",
    )
    weights: str = option(
        learned.OWN,
        any_text(f"file or {learned.OWN} or {learned.NONE}", shortest=1),
        "learned evaluation: the game's own (auto), none (off), or a file",
    )
    playout_weight: float | None = option(
        None,
        or_auto(numbers(0, 1)),
        "weight of the playout's result in the value of a leaf, beside the learned value",
        "The value of a leaf is (1 - w) times the learned value plus w times the playout's result.",
    )
    expand_after: int | None = option(
        None,
        or_auto(integers(1, 10**6)),
        "the net evaluates a leaf on visit N, and that counts N times",
        "Playouts evaluate the leaf on the visits before. N is rounded up to whole leaves "
        "(`leaf_playouts`).",
    )
    priors_only: float | None = option(
        None,
        or_auto(numbers(0, 1)),
        "where a smaller share of the points is empty, the net gives only priors",
        "Playouts give the values there. They know the end of a game better than a net does.",
    )
    proof_weight: float | None = option(
        None,
        or_auto(numbers(0, 1)),
        "with a learned evaluation: weight of a step's nearness to a proven win",
        "The search adds w d / e to the value of a child: e is its proof number for the color to "
        "move, d the least one of all children (PN-MCTS: Kowalski et al., IEEE Transactions on "
        "Games, 2024). With 0 it keeps no proof numbers, and a node takes less memory.",
    )
    trusted_visits: float | None = option(
        None,
        or_auto(numbers(0, 1)),
        "a step may win by its lower bound only with this share of the top visits",
        "Of the steps with so many visits the engine plays the one with the highest lower end of "
        "the 95 % interval of its value (as in KataGo). With 1 it plays the most visited step.",
    )
    turn_orders: str = option(
        ONE_ORDER,
        choice(ONE_ORDER, EVERY_ORDER),
        "orders of the steps within a turn: one order for each resulting position, or every order",
    )
    decisive: bool = switch(
        True,
        "playouts play an immediately winning step, in games that detect one quickly",
        "Decisive moves (Teytaud and Teytaud, IEEE CIG 2010).",
    )
    swap_maps: bool = switch(
        True,
        "stored values of first turns decide openings and swaps",
        "Stored certificates decide won positions on small boards.",
    )


DEFAULT_OPTIONS = SearchOptions()


def plain(options: SearchOptions) -> SearchOptions:
    """The options of a search without AMAF and without a learned evaluation."""
    return replace(options, rave=0.0)


def tuned(options: SearchOptions, game: Game, learned_evaluation: bool) -> SearchOptions:
    """The options with the game's own numbers instead of None, where it has some."""
    own = tuning_of(game)._asdict()
    if learned_evaluation:
        options = replace(options, rave=0.0)
        own["exploration"] = own["exploration_with_net"]
    else:
        options = replace(options, expand_after=1)
        own["trusted_visits"] = 1.0
        if own["rave"] if options.rave is None else options.rave:
            own["exploration"] = own["exploration_with_rave"]
    names = own.keys() & {each.name for each in fields(SearchOptions)}
    return replace(options, **{name: own[name] for name in names if getattr(options, name) is None})


# How many threads search a tree, or solve a position ----------------------------------------------

# More threads were not measured.
_MOST = 8


def threads_for(deadline: Deadline, chosen: int | None) -> int:
    """The threads of a search, by its limits and the option `threads`.

    Without a chosen number there is one per processor. Only a search limited by visits has one
    thread, because it can then be repeated.
    """
    if chosen is not None:
        return chosen
    return 1 if deadline.visits is not None else all_threads()


def all_threads() -> int:
    """One thread per processor that this process may use, 1 to 8."""
    return min(processor_count(), _MOST)


# Which instruction set the kernel uses: the fastest one, or what PATCHPIE_ISA asks for ------------

VARIABLE = "PATCHPIE_ISA"


def isa_in_use(kernel: ModuleType) -> str:
    """The name of an instruction set that this build and this processor have.

    Raises ValueError if another one is wanted.
    """
    wanted, available = wanted_isa(), kernel.isas()
    if wanted and wanted not in available:
        raise ValueError(f"no {VARIABLE}={wanted!r} here, only {', '.join(available)}")
    return wanted or str(available[0])


def wanted_isa() -> str:
    """What the variable asks for, "" for the fastest one."""
    return os.environ.get(VARIABLE, "")
