"""The scene for pictures of a session: the present game."""

from gtp_engine.engine.history import PlayedTurn
from gtp_engine.engine.pictures.scene import Scene, difference
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import legal_clicks, what_next
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import PASS_WORD
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, point_set
from gtp_engine.rules.step import SWAPS


def scene(session: Session) -> Scene:
    """The present game: its last turn, the state of an open turn, and a caption."""
    position, turns, over = session.position, shown_turns(session), session.outcome is not None
    shown = (_after(turns[-1]) if turns else Scene(position))._replace(
        patches=_patches(position, over),
        decisive=0 if position.outcome() is None else position.decisive(),
        caption=(_title(session, turns), what_next(session)),
    )
    if session.turn_open:
        selected, labels = _selection(session)
        return shown._replace(selected=selected, targets=legal_clicks(session), labels=labels)
    return shown if over else shown._replace(labels=_swap_labels(position, turns))


def shown_turns(session: Session) -> list[PlayedTurn]:
    """The turns, without the passes that match runners add after the end."""
    return [turn for turn in session.turns() if turn.steps or turn.word != PASS_WORD]


def _after(turn: PlayedTurn) -> Scene:
    position = turn.position
    return Scene(
        position,
        steps=turn.steps,
        last=turn.points,
        changed=difference(turn.start, position),
        selected=point_set(turn.clicks),
        patches=_patches(position, over=False),
    )


def _patches(position: Position, over: bool) -> tuple[tuple[Points, Color | None], ...]:
    """The patches, shown only while a turn is about them and when they are scored."""
    return tuple(position.owned_patches()) if position.open or over else ()


def _title(session: Session, turns: list[PlayedTurn]) -> str:
    size = session.position.size
    name = f"{session.game.title} {size}x{size}"
    if not turns:
        return f"{name}, the start"
    last = turns[-1]
    return f"{name}, turn {len(turns)}: {session.game.color_names[last.color]} {last.word}"


def _selection(session: Session) -> tuple[Points, dict[str, Points]]:
    """The points clicked so far, and labels for the next click where its meaning is ambiguous.

    A label is the beginning of the step's token, a letter in games where a vertex may be clicked
    for more than one kind of step.
    """
    selected, meanings, unclear = 0, dict[str, Points](), False
    made = len(session.frame.clicks)
    for step in session.legal_steps() if made else ():
        clicks = session.position.clicks(step)
        for points in clicks[:made]:
            selected |= points
        for points in clicks[made : made + 1]:
            word, _, _ = step.kind.template.partition("{")
            if word:
                meanings[word] = meanings.get(word, 0) | points
                unclear |= points.bit_count() > 1
    return selected, meanings if unclear else {}


def _swap_labels(position: Position, played: list[PlayedTurn]) -> dict[str, Points]:
    """Labels for a possible swap, or for the swap just played."""
    for swap in position.swaps():
        clicks = position.clicks(swap)
        return {"swap?": clicks[0]} if clicks else {}
    swapped = played and any(step in SWAPS.values() for step in played[-1].steps)
    return {"swap": position.changed_at_first()} if swapped else {}
