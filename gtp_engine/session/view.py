"""A session described in words, for people and scripts."""

from typing import NamedTuple

from gtp_engine.board.color import Color
from gtp_engine.board.points import Points, point_set
from gtp_engine.notation.turns import write_turn
from gtp_engine.render.text import board
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.session.session import Frame, Session

# More steps than this are counted, not listed, in the picture.
_MOST_LISTED = 12


def turn_word(start: Position, frames: list[Frame]) -> str:
    """The word for a turn from the plays it was made of; half clicked selections at its end."""
    plays = [frame.play for frame in frames if frame.play is not None]
    steps = tuple(step for play in plays for step in play.steps)
    return write_turn(start, steps, frames[-1].clicks) or plays[-1].word


class NumberedTurn(NamedTuple):
    """A turn of the game so far, counted from 1."""

    number: int
    color: Color
    word: str


def turns(session: Session) -> list[NumberedTurn]:
    """All turns of the game so far."""
    numbered = []
    position = session.state.start
    for number, frames in enumerate(session.turns(), 1):
        play = frames[0].play
        assert play is not None
        numbered.append(NumberedTurn(number, play.color, turn_word(position, frames)))
        position = frames[-1].position
    return numbered


def status(session: Session) -> dict[str, str]:
    """The state of the game as keys and values."""
    position, outcome = session.position, session.outcome
    played = turns(session)
    entries = {
        "game": session.game.name,
        "size": str(position.size),
        "pie": position.pie.value,
        "to_move": str(position.to_move),
        "turns": str(len(played)),
        "turn": "open" if session.turn_open else "complete",
        "selected": " ".join(map(str, session.frame.clicks)) or "none",
        "last": f"{played[-1].color} {played[-1].word}" if played else "none",
        "over": "no" if outcome is None else "yes",
    }
    if outcome is not None:
        entries |= {"result": session.result or "", "reason": outcome.reason}
    return entries


def picture(session: Session) -> str:
    """The board under a title, the last turn in parentheses, and what is to be decided."""
    position = session.position
    name = session.game.title
    lines = [f"{name} {position.size}x{position.size}", board(position, _last_points(session))]
    if played := turns(session):
        number, color, word = played[-1]
        lines.append(f"Turn {number}: {session.game.color_names[color]} {word}")
    legend = ", ".join(f"{word} {meaning}" for word, meaning in session.game.legend.items())
    lines += [f"Pieces: {legend}", _what_next(session)]
    return "\n".join(lines)


def _last_points(session: Session) -> Points:
    frames = next(iter(list(session.turns())[-1:]), [])
    steps: list[Step] = [step for frame in frames if frame.play for step in frame.play.steps]
    clicks = frames[-1].clicks if frames else ()
    return point_set([*(vertex for step in steps for vertex in step.vertices), *clicks])


def _what_next(session: Session) -> str:
    outcome = session.outcome
    if outcome is not None:
        return f"Game over: {session.result}, {outcome.reason}"
    mover = session.game.color_names[session.position.to_move]
    steps = session.legal_steps()
    if session.turn_open:
        words = " or ".join(str(step) for step in steps[:_MOST_LISTED])
        more = f" or {len(steps) - _MOST_LISTED} others" if len(steps) > _MOST_LISTED else ""
        selected = "/".join(map(str, session.frame.clicks))
        what = f"{selected} is selected" if selected else "the turn is open"
        return f"To move: {mover}, {what}, to choose: {words}{more}"
    swap = f", or {session.position.swaps()[0]}" if session.position.swaps() else ""
    count = len(steps) - bool(swap)
    return f"To move: {mover}, {count} step{'s' * (count != 1)} possible{swap}"
