"""Exact results by a solver."""

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import SECONDS
from gtp_engine.gtp.wire.registry import Failure, optional
from gtp_engine.rules.notation.turns import write_line
from gtp_engine.search.budget import Budget

USUAL_SECONDS = 10.0


@command("game-solve", optional(SECONDS))
def game_solve(session: Session, seconds: float = USUAL_SECONDS) -> str:
    """Find the exact result of the current position under best play.

    Arguments: seconds to try, 0 to 1000000; 10 by default
    Effect: none; `# interrupt` ends it early. It uses the settings `backend`, `hash_mb` and
    `threads`. A stored certificate answers without a search, unless `swap_maps` is off
    Reply: lines
        - `black wins`, `white wins`, `draw` or `not solved`, with the game's names of its players.
          A possible swap is a turn like any other. After `swap-sides` the players exchange colors,
          and the result is for the player who has the color now
        - if solved, `pv TURN TURN ...`: best play or its beginning; a certificate tells it only
          for the color that wins
        - `positions N hits N seconds S`: how many were searched, and how often one was already
          known
    Fails: `the game is over`; `syntax: ...`
    Example:
        > play b resign
        =
        > game-solve
        ? the game is over
    """
    from gtp_engine.search.certificates import certified
    from gtp_engine.search.solver import solve

    if session.outcome is not None:
        raise Failure("the game is over")
    settings, position = session.settings, session.position
    budget = Budget(seconds=seconds, interrupt=session.interrupt)
    found = certified(position) if settings.search_options.swap_maps else None
    if found is None:
        found = solve(position, budget, settings.backend, settings.search_options)
    lines = [found.result(position.game)]
    line = write_line(position, found.line)
    if found.value is not None and line:
        lines.append(f"pv {' '.join(line)}")
    lines.append(f"positions {found.positions} hits {found.hits} seconds {found.seconds:.3f}")
    return "\n".join(lines)
