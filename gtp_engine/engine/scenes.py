"""Scenes for pictures of a session: the present game, and the game turn by turn."""

from collections.abc import Iterable, Iterator

from gtp_engine.board.color import Color
from gtp_engine.board.points import Points, point_set
from gtp_engine.engine.clicking import legal_clicks
from gtp_engine.engine.history import PlayedTurn
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import points_of, what_next
from gtp_engine.look.scene import Scene, difference
from gtp_engine.notation.items import PASS_WORD, Unreadable
from gtp_engine.notation.turns import read_turn
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAPS, IllegalStep


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


def turn_scenes(session: Session) -> list[Scene]:
    """The start, and the game after each of its shown turns; without captions."""
    scenes = [Scene(session.state.start), *map(_after, shown_turns(session))]
    return [*scenes[:-1], scene(session)._replace(caption=())]


def step_scenes(turn: PlayedTurn) -> list[Scene]:
    """The game after each step of a turn except the last; without captions."""
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
        last=points_of(turn),
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
        return {"swap?": position.clicks(swap)[0]}
    swapped = played and any(step in SWAPS.values() for step in played[-1].steps)
    return {"swap": position.occupied()} if swapped else {}


def line_scenes(position: Position, words: Iterable[str]) -> Iterator[tuple[Scene, Color, str]]:
    """The game after each turn of a line of play, with its color and word; without captions.

    It ends before a word that is not a turn.
    """
    for word in words:
        color = position.to_move
        try:
            steps, after, clicks = read_turn(position, (), word)
        except (IllegalStep, Unreadable):
            return
        if clicks:
            return
        named = point_set([vertex for step in steps for vertex in step.vertices])
        changed, patches = difference(position, after), _patches(after, after.outcome() is not None)
        decisive = 0 if after.outcome() is None else after.decisive()
        yield Scene(after, steps, named, changed, patches=patches, decisive=decisive), color, word
        position = after
