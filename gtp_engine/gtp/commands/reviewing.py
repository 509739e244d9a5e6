"""The game so far, searched turn by turn: the loss of each turn, and the better alternatives."""

import json
from dataclasses import dataclass, field

from gtp_engine.engine.explanation import USUAL_SECONDS
from gtp_engine.engine.game_review import TurnReview, review
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import VISITS
from gtp_engine.gtp.wire.registry import Emit, Failure, Stream, optional
from gtp_engine.search.budget import Budget

_DECIMALS = 4


@dataclass
class ReviewedGame:
    """The last review of a game.

    found  -- the reviewed turns, all of them unless it was interrupted
    budget -- the limit of each search
    """

    found: list[TurnReview] = field(default_factory=list)
    budget: Budget = Budget()


def _reviewed(session: Session) -> ReviewedGame:
    """The last review of the game so far; an empty one if there is none."""
    plays = tuple((play.color, play.word) for play in session.history())
    return session.kept("review", (session.state.start, plays), ReviewedGame)


@command("game-review", optional(VISITS), streams=True)
def game_review(session: Session, visits: int | None = None) -> Stream:
    """Search the positions before and after each turn of the game so far.

    Arguments: visits per position, 1 to 1000000000. By default the settings `visits` and `seconds`
        decide, with at most one second per position
    Effect: none. Each position has a search tree of its own, so a review by visits can be repeated.
        `# interrupt` ends it after the present object
    Reply: a [stream](../protocol.md#streams) with a JSON object per turn, in order, none for an
        open turn
        - `number`: of the turn, from 1
        - `color`: `"black"` or `"white"`, which played it
        - `word`: the turn as for `play`; or `resign`
        - `chance`: Black's chance to win before the turn, 0 to 1; a draw counts half
        - `proven`: the same if exact, 1, 0.5 or 0; else `null`
        - `after`: Black's chance after the turn; after a swap of sides, that of the new Black
        - `after_proven`: the same if exact, else `null`
        - `best`: the turn that the search prefers
        - `best_line`: that turn and the expected turns after it
        - `loss`: the chance to win that the turn lost for its player, 0 to 1, 0 for the best turn:
          the difference of two searches, so a small loss with few visits means nothing. It is exact
          if both values are. `game-catalog` tells from which loss on a turn is a mistake
        - `visits`: of the position before the turn; or positions, if a solver found the result
        - `why`: sentences: a comparison with the best turn, its consequences, and more
    Fails: `syntax: game-review [VISITS]`
    Example:
        > game-review 100
        =
    """
    settings = session.settings
    if visits is not None:
        budget = Budget(visits, interrupt=session.interrupt)
    else:
        seconds = min(USUAL_SECONDS, settings.seconds or USUAL_SECONDS)
        budget = Budget(settings.visits or None, seconds, session.interrupt)

    reviewed = _reviewed(session)
    reviewed.found, reviewed.budget = [], budget

    def stream(emit: Emit) -> None:
        for turn in review(session, budget):
            reviewed.found.append(turn)
            emit(_line(turn))

    return stream


@command("game-replay_page")
def game_replay_page(session: Session) -> str:
    """Return the game as a page that steps through it, with the variations of its record.

    Reply: one file of HTML in ASCII, as from `gtp-engine replay`
    Example:
        > known_command game-replay_page
        = true
    """
    from gtp_engine.engine.replay_page import replay_page

    return replay_page(session)


@command("game-review_page")
def game_review_page(session: Session) -> str:
    """Return the results of `game-review` for the game so far as a page that steps through it.

    Reply: one file of HTML in ASCII, as from `gtp-engine review`
    Fails: `this game has no review` if it was not reviewed after its last turn
    Example:
        > play b c4
        =
        > game-review_page
        ? this game has no review
    """
    from gtp_engine.engine.replay_page import review_page

    reviewed = _reviewed(session)
    if not reviewed.found:
        raise Failure("this game has no review")
    return review_page(session, reviewed.found, reviewed.budget)


def _line(turn: TurnReview) -> str:
    """The review of a turn as JSON."""
    shares = ("chance", "after", "loss")
    told = {
        **turn._asdict(),
        **{name: round(getattr(turn, name), _DECIMALS) + 0.0 for name in shares},
        "color": str(turn.color),
    }
    return json.dumps(told)
