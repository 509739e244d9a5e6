"""Why a turn is legal or not, forced, good or lost.

What names a chance in percent is what a search or a solver makes of the position, and no more than
that. What names a rule, a win by force or a loss is certain. The players have the names that
the game gives them.
"""

from gtp_engine.board.color import Color
from gtp_engine.commands import command
from gtp_engine.commands.arguments import INVALID_COLOR_OR_COORDINATE, word
from gtp_engine.commands.solving import SECONDS
from gtp_engine.gtp.errors import Failure
from gtp_engine.gtp.registry import optional
from gtp_engine.notation.items import Unreadable
from gtp_engine.session.session import Session
from gtp_engine.thinking.explanation import about_position, about_turn


@command(
    "game-explain",
    optional(word("COLOR|SECONDS")),
    optional(word("TURN")),
    optional(SECONDS),
    malformed=INVALID_COLOR_OR_COORDINATE,
)
def game_explain(
    session: Session, first: str = "", turn: str = "", seconds: float | None = None
) -> str:
    """Tell why a turn is illegal, what it is worth, or what the engine would play and why.

    Arguments: nothing, or how many seconds to think, 0 to 1000000; or a color and a turn as for
        `play`, and the seconds if its worth is asked for, too
    Effect: none on the game; what is searched is kept, and `genmove` goes on with it. Without
        seconds it takes one at most, less where the settings `visits` or `seconds` say so;
        `# interrupt` ends it early
    Reply: without a turn: `play` and the turn to play, as `genmove` would write it. Then who wins
        with which chance, visits (positions, where a solver found the result), and the expected
        turns, that one first. Then a line for each thing there
        is to say: that there is no choice, and by which sentence of the rules; that every other
        turn loses at once, and one reply to show it; what is proven, with the end to which the
        expected turns lead; why White swaps or not; how much better the turn seems than the
        second best, in points of winning chance; in a game of points who is ahead, in the
        mean of random games after the expected turns; and whether the last turn was expected.
        When the game is over, why. With a turn: `legal`; or the number of the rule sentence that
        forbids it, and why. With seconds there follow what the engine expects after the turn,
        and how it compares to the engine's choice
    Fails: `invalid color or coordinate`
    Example:
        > game-pie off
        =
        > play b c4
        =
        > game-explain w c4
        = I16: C4 is not empty
        > game-explain b d4
        = I15: White is to move
        > game-explain w d4
        = legal
        > game-position pilo 3 B1B2x/xxW2/W3xx w passes=1
        =
        > game-explain w pass 1
        = legal
        it ends the game: 2 to 2 squares; the last board play loses the tie (P18)
        > play w pass
        =
        > game-explain
        = P18: the game is over: 2 to 2 squares; the last board play loses the tie
    """
    try:
        if not first or first[0].isdigit():
            return "\n".join(about_position(session, _seconds(first)))
        return "\n".join(about_turn(session, _color(first), turn, seconds))
    except Unreadable:
        raise Failure(INVALID_COLOR_OR_COORDINATE) from None


def _seconds(text: str) -> float | None:
    """How long to think, None where nothing is said. Raises Failure."""
    try:
        return float(SECONDS.convert(text)) if text else None
    except ValueError:
        raise Failure(INVALID_COLOR_OR_COORDINATE) from None


def _color(text: str) -> Color:
    """Raises Failure."""
    try:
        return Color.parse(text)
    except ValueError:
        raise Failure(INVALID_COLOR_OR_COORDINATE) from None
