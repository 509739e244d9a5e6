"""Why a turn is legal or illegal, forced, good or lost.

A chance in percent is the result of a search. What cites a rule, a forced win or a loss is certain.
A search keeps its tree, and `genmove` continues with it. `# interrupt` ends it early.
"""

from collections.abc import Callable, Iterable
from typing import Any

from gtp_engine.engine.explanation import about_last_turn, about_position, about_turn
from gtp_engine.engine.hints import cost_of, hint
from gtp_engine.engine.history import SEPARATOR
from gtp_engine.engine.refusals import UnreadableTurn
from gtp_engine.engine.session import Session
from gtp_engine.engine.view.facts import drawn, names, sentence
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import COLOR, INVALID_TURN, SECONDS, word
from gtp_engine.gtp.wire.registry import Failure, JsonResult, optional
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import Saying


@command(
    "game-explain",
    optional(word("COLOR|SECONDS")),
    optional(word("TURN")),
    optional(SECONDS),
    malformed=INVALID_TURN,
)
def game_explain(
    session: Session, first: str = "", turn: str = "", seconds: float | None = None
) -> str:
    """Explain why a turn is illegal, what it is worth, or what the engine would play and why.

    Arguments: seconds to search, 0 to 1000000, by default one, or less by the settings `visits` and
        `seconds`; or a color and a turn as for `play`, and seconds to evaluate the turn as well
    Reply: one of these; players have the names that the game gives them
        - without a turn: `play` and the best turn, as `genmove` would write it, the chance to win,
          the visits (or positions, if a solver found the result) and the expected turns, this one
          first. Then a line for each reason: the rule that forces the turn; that every other turn
          loses at once, with a refutation; what is proven, with the end of the expected turns; why
          White swaps or not; the lead over the second best turn, in points of the chance to win; in
          a game of points who is ahead, on average over random games after the expected turns;
          whether the last turn was expected
        - after the end of the game: the reason of the result
        - with a turn: `legal`, or the number of the rule that forbids it, and why. With seconds
          also the expected turns after it, and a comparison with the engine's choice
    Fails: `invalid color or coordinate`; the same and why, if no turn is written so
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
        > game-explain w z9
        ? invalid color or coordinate: Z9 is not on the board: columns A to H, rows 1 to 8
        > game-position pilo 3 B1B2x/xxW2/W3xx w passes=1
        =
        > game-explain w pass 1
        = legal
        it ends the game: 2 to 2 squares; Orange made the last board play and loses the tie (P24)
        > play w pass
        =
        > game-explain
        = P18: the game is over: 2 to 2 squares; Orange made the last board play and loses the tie
    """
    try:
        if not first or first[0].isdigit():
            return "\n".join(about_position(session, _converted(SECONDS.convert, first)))
        color = _converted(session.game.parse_color, first)
        return "\n".join(about_turn(session, color, turn, seconds))
    except UnreadableTurn as error:
        raise Failure(f"{INVALID_TURN}: {error}" if turn else INVALID_TURN) from None


def _converted(convert: Callable[[str], Any], text: str) -> Any:
    """The value of a word, None if it was not given. Raises Failure."""
    try:
        return convert(text) if text else None
    except ValueError:
        raise Failure(INVALID_TURN) from None


@command("gomill-explain_last_move")
def explain_last_move(session: Session) -> str:
    """Report what the engine thought when it chose its last turn in this game.

    Reply: the chance to win, the visits and the expected turns; then, after semicolons, the reasons
        as in `game-explain`: what is proven, what forced the turn, its lead over the second best,
        who is ahead in points. Empty if the engine has not searched for a turn in this game
    Example:
        > game-set player random
        =
        > gomill-explain_last_move
        =
    """
    return SEPARATOR.join(about_last_turn(session))


@command("game-hint", optional(SECONDS))
def game_hint(session: Session, seconds: float | None = None) -> JsonResult:
    """Give a hint in three stages: where to look, what to play, and why.

    Arguments: seconds to search, as for `game-explain`
    Reply: a JSON object: `where`, with `points` and a `text`; `turn`, a word for `play`, null after
        the end of the game; `line`, the turn and the expected turns after it; `drawn`, how to draw
        each, as `turns.drawn` of `game-analyze`; and `why`, the reasons, each with `text` (without
        a full stop), `rule` (a number or null) and `points`. Reasons are what the turn takes,
        turns, joins or saves, and what the opponent would do after another turn
    Fails: `syntax: game-hint [SECONDS]`
    Example:
        > play b resign
        =
        > game-hint
        = {"where":{"points":[],"text":"The game is over: Black resigned"},"turn":null,"line":[],"drawn":[],"why":[]}
    """  # noqa: E501
    points, look, turn, line, why = hint(session, seconds)
    where = {"points": names(points), "text": sentence(look)}
    return {"where": where, "turn": turn, **_line(session, line), "why": _told(why)}


@command(
    "game-warning",
    COLOR,
    word("TURN"),
    optional(SECONDS),
    malformed=INVALID_TURN,
)
def game_warning(
    session: Session, color: Color, turn: str, seconds: float | None = None
) -> JsonResult:
    """Tell what a turn would give away, and how the opponent would answer.

    Arguments: a color and a turn as for `play`; seconds to search
    Reply: a JSON object: `loss`, the chance to win that the turn gives away, 0 to 1, as in
        `game-review`; `best`, the better turn; `line`, the turn and the expected turns after it;
        `drawn` and `why`, as in `game-hint`
    Fails: `invalid color or coordinate`; `illegal move`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > game-warning b a3
        = {"loss":0.0,"best":"A3","line":["A3"],"drawn":[[{"at":"A3","shape":"stone"}]],"why":[{"text":"The game is over: a group of 4 stones against 3 after equal groups cancel","rule":"R14","points":["A3","B3","C2","C3"]}]}
    """  # noqa: E501
    loss, best, line, why = cost_of(session, color, turn, seconds)
    return {"loss": round(loss, 4), "best": best, **_line(session, line), "why": _told(why)}


def _line(session: Session, line: tuple[str, ...]) -> dict[str, Any]:
    steps = drawn(session.game, line, begun=session.position.open)
    return {"line": line, "drawn": steps}


def _told(why: Iterable[Saying]) -> list[dict[str, Any]]:
    return [
        # A turn such as sA2 stays as it is.
        {
            "text": text if text[1:2].isupper() else sentence(text),
            "rule": rule or None,
            "points": names(points),
        }
        for text, rule, points in why
    ]
