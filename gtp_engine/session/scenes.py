"""What pictures of a session show: the game now, and the game turn by turn."""

from gtp_engine.board.color import Color
from gtp_engine.board.points import Points, point_set
from gtp_engine.notation.items import PASS_WORD
from gtp_engine.render.scene import Scene, difference
from gtp_engine.rules.game import Position
from gtp_engine.session.clicking import legal_clicks
from gtp_engine.session.history import PlayedTurn
from gtp_engine.session.session import Session
from gtp_engine.session.view import what_next


def scene(session: Session) -> Scene:
    """The game now: its last turn, what an open turn waits for, and a caption."""
    position, turns = session.position, shown_turns(session)
    shown = _after(turns[-1]) if turns else Scene(position)
    return shown._replace(
        targets=_targets(session),
        patches=_patches(position, session.outcome is not None),
        decisive=0 if position.outcome() is None else position.decisive(),
        caption=(_title(session, turns), what_next(session)),
    )


def shown_turns(session: Session) -> list[PlayedTurn]:
    """The turns, without the passes that runners make after the end."""
    return [turn for turn in session.turns() if turn.steps or turn.word != PASS_WORD]


def turn_scenes(session: Session) -> list[Scene]:
    """The start, and the game after each of its shown turns; without captions."""
    scenes = [Scene(session.state.start), *map(_after, shown_turns(session))]
    return [*scenes[:-1], scene(session)._replace(caption=())]


def step_scenes(turn: PlayedTurn) -> list[Scene]:
    """The game after each step of a turn but the last; without captions."""
    scenes, before = [], turn.start
    for step in turn.steps[:-1]:
        position = before.play_unchecked(step)
        patches = _patches(position, over=False)
        changed = difference(before, position)
        scenes.append(Scene(position, steps=(step,), changed=changed, patches=patches))
        before = position
    return scenes


def _after(turn: PlayedTurn) -> Scene:
    position = turn.frames[-1].position
    return Scene(
        position,
        steps=turn.steps,
        changed=difference(turn.start, position),
        selected=point_set(turn.clicks),
        patches=_patches(position, over=False),
    )


def _patches(position: Position, over: bool) -> tuple[tuple[Points, Color | None], ...]:
    """Patches matter to the eye while a turn is about them, and when they are scored."""
    return tuple(position.owned_patches()) if position.open or over else ()


def _targets(session: Session) -> Points:
    """The points that an open turn may go on with."""
    return legal_clicks(session) if session.turn_open else 0


def _title(session: Session, turns: list[PlayedTurn]) -> str:
    size = session.position.size
    name = f"{session.game.title} {size}x{size}"
    if not turns:
        return f"{name}, the start"
    last = turns[-1]
    return f"{name}, turn {len(turns)}: {session.game.color_names[last.color]} {last.word}"
