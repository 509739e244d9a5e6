"""What a session tells of its state: in words for people and scripts, and the clicks for a GUI."""

from gtp_engine.base.numbers import plain_number_of
from gtp_engine.engine.history import PlayedTurn, Thought
from gtp_engine.engine.session import Session
from gtp_engine.rules.notation.turns import next_clicks
from gtp_engine.rules.points.diagram import framed
from gtp_engine.rules.points.points import Points
from gtp_engine.rules.step import PASS
from gtp_engine.rules.turns import walk

# More steps than this are counted, not listed, in the text picture.
_MOST_LISTED = 12


def status(session: Session) -> dict[str, str]:
    """The state of the game as keys and values."""
    position, outcome = session.position, session.outcome
    played = session.turns()
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
    """The board under a title, the last turn in parentheses, and the next decision."""
    position = session.position
    name, size = session.game.title, position.size
    played = session.turns()
    marked = played[-1].points if played else 0
    lines = [
        f"{name} {size}x{size}",
        framed(size, position.layers(), marked),
    ]
    if played:
        last = played[-1]
        lines.append(f"Turn {len(played)}: {session.game.color_names[last.color]} {last.word}")
    legend = ", ".join(f"{word} {meaning}" for word, meaning in session.game.legend.items())
    lines += [f"Pieces: {legend}", what_next(session)]
    return "\n".join(lines)


def author_of(turn: PlayedTurn) -> str:
    """The player of ours that chose a turn or a part of it, or ""."""
    return next((play.by for play in turn.plays if play.by), "")


def thought_of(turn: PlayedTurn) -> Thought | None:
    """The result of the last search in a turn."""
    return next((play.thought for play in turn.plays[::-1] if play.thought), None)


def what_next(session: Session) -> str:
    """Who is to move and what is to be decided, or the result."""
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
    return f"To move: {mover}, {plain_number_of(count, 'step')} possible{swap}"


def legal_clicks(session: Session) -> Points:
    """The vertices that `play` accepts next."""
    if session.outcome is not None:
        return 0
    return next_clicks(session.position, session.frame.clicks)


def may_pass(session: Session) -> bool:
    """Whether a pass is among the legal steps."""
    return PASS in session.legal_steps()


def taken(session: Session) -> tuple[int, int]:
    """The number of pieces of each color that were removed from the board."""
    black = white = 0
    steps = (step for play in session.history() for step in play.steps)
    for before, step in walk(session.state.start, steps):
        more = before.taken(step)
        black, white = black + more[0], white + more[1]
    return black, white
