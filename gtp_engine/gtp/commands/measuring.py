"""Counts and measurements: positions, processor time, the speed of the search."""

import time

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import INTEGER, choice
from gtp_engine.gtp.commands.playing import counting_stop
from gtp_engine.gtp.wire.registry import Failure, optional
from gtp_engine.rules.turns import TooMany, perft, perft_turns
from gtp_engine.search.budget import Budget

DEEPEST_PERFT = 50
MOST_VISITS = 10**9


@command("game-perft", INTEGER, optional(choice("steps", "turns")))
def game_perft(session: Session, depth: int, unit: str = "steps") -> str:
    """Count the sequences of legal steps, or of legal turns, from the current position.

    Arguments: the depth, 0 to 50; `turns` for whole turns, one per first step and distinct
        resulting position
    Effect: none; stops after five seconds, or on `# interrupt`
    Reply: the number
    Fails: `perft too large` if it stopped early; `the depth is an integer from 0 to 50`;
        `syntax: ...`
    Example:
        > game-select robble 3
        =
        > game-perft 2
        = 81
        > game-perft 2 games
        ? syntax: game-perft N [steps|turns]
    """
    if not 0 <= depth <= DEEPEST_PERFT:
        raise Failure(f"the depth is an integer from 0 to {DEEPEST_PERFT}")
    count = perft_turns if unit == "turns" else perft
    try:
        return str(count(session.position, depth, counting_stop(session)))
    except TooMany:
        raise Failure("perft too large") from None


@command("cputime", also=("gomill-cpu_time",))
def cputime(session: Session) -> str:
    """Report the processor time used by the engine.

    Reply: seconds with three decimals
    """
    return f"{time.process_time():.3f}"


@command("kata-benchmark", INTEGER, malformed="visits not an integer")
def kata_benchmark(session: Session, visits: int) -> str:
    """Measure the speed of a search of the position with a new tree.

    Arguments: visits, 1 to 1000000000
    Effect: none; `# interrupt` ends it early
    Reply: visits, seconds, and visits per second. A search that proves the position stops early
    Fails: `visits not an integer`; `too few or too many visits`; `the game is over`
    Example:
        > kata-benchmark 0
        ? too few or too many visits
        > kata-benchmark
        ? visits not an integer
    """
    from gtp_engine.search import benchmark

    if not 1 <= visits <= MOST_VISITS:
        raise Failure("too few or too many visits")
    if session.outcome is not None:
        raise Failure("the game is over")
    settings = session.settings
    load = benchmark.Load(backend=settings.backend, options=settings.search_options)
    budget = Budget(visits, interrupt=session.interrupt)
    found = benchmark.search(session.position, load, budget)
    return (
        f"visits {found.visits} seconds {found.seconds:.3f} "
        f"visits_per_second {found.visits / found.seconds:.0f}"
    )
