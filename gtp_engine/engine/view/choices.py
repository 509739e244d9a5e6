"""The choices of the color to move, as paths of points and as buttons; why others are illegal."""

from collections.abc import Sequence

from gtp_engine.engine.refusals import IllegalTurn, refusing
from gtp_engine.engine.session import Session
from gtp_engine.engine.view.facts import Json, names, said, sentence, thing
from gtp_engine.rules.events import words_by_point
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import begins, parse_word, step_named
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, bit, point_set
from gtp_engine.rules.points.vertex import NAMES
from gtp_engine.rules.records.record import LOSING
from gtp_engine.rules.step import PASS, SWAP_PIECES, SWAPS, Marks, Saying, Step


def options(position: Position, steps: Sequence[Step]) -> list[Json]:
    """The steps that name points, each as a path; paths of one verb share their beginning."""
    named = [step for step in steps if step.vertices]
    words = [str(step) for step in named]
    marks = [position.marks(step) for step in named]
    found: list[Json] = []
    begun: dict[tuple[str, ...], Json] = {}
    for step, word, marked, areas in zip(named, words, marks, _areas(position, named)):
        verb, level = step.kind.name, found
        path: tuple[str, ...] = (verb,)
        for vertex, area in zip(step.vertices[:-1], areas):
            at = NAMES[vertex]
            path = (*path, at)
            if path not in begun:
                begun[path] = {"at": at, "area": area, "verb": verb, "then": []}
                level.append(begun[path])
            level = begun[path]["then"]
        leaf: Json = {"at": NAMES[step.vertices[-1]], "area": areas[-1]}
        if level is found:
            leaf["verb"] = verb
        level.append(leaf | {"step": word} | _effects(step, marked))
    return found


def _areas(position: Position, steps: Sequence[Step]) -> list[list[list[str]]]:
    """For each point of each step, the other points with the same meaning."""
    found = []
    alone = set[str]()  # kinds whose points have no others, so that only one step of each is asked
    for step in steps:
        asked = step.kind.clicked and step.kind.name not in alone
        clicks: tuple[Points, ...] = position.board_clicks(step) if asked else ()
        if len(clicks) == len(step.vertices):
            areas = [names(points & ~bit(at)) for points, at in zip(clicks, step.vertices)]
        else:
            alone.add(step.kind.name)
            areas = [[] for _ in step.vertices]
        found.append(areas)
    return found


def _effects(step: Step, marks: Marks) -> Json:
    """What a step does: in words, and as marks."""
    owner, removes, captures, path = marks
    told: Json = {"text": step.kind.meaning.format(*[NAMES[vertex] for vertex in step.vertices])}
    if owner is not None:
        told["owner"] = str(owner)
    for name, points in (("removes", removes), ("captures", captures), ("path", path)):
        if points:
            told[name] = names(points)
    return told


def wants(position: Position, steps: Sequence[Step]) -> str:
    """What the color to move has to choose, in words; "" after the end of the game."""
    due = {step.kind for step in steps if step not in SWAPS.values()}
    kinds = [kind for kind in (*position.kinds, PASS.kind) if kind in due]
    wishes = list(dict.fromkeys(kind.wish or kind.name.replace("-", " ") for kind in kinds))
    return sentence(" or ".join(filter(None, [", ".join(wishes[:-1]), *wishes[-1:]])))


def buttons(position: Position, steps: Sequence[Step]) -> list[Json]:
    """The steps that name no point, with their effects."""
    cite = position.game.citations
    found = []
    for step in steps:
        if step == PASS:
            rule, text = cite.passes or cite.turns, _pass_text(position, steps)
        elif step in SWAPS.values():
            rule, text = cite.pie, _swap_text(position, step)
        else:
            continue
        found.append(
            {
                "step": str(step),
                "title": step.kind.name.partition("-")[0].capitalize(),
                "swaps": step != PASS,
                "text": sentence(text),
                "forced": len(steps) == 1,
                "rule": rule,
            }
        )
    return found


def _pass_text(position: Position, steps: Sequence[Step]) -> str:
    name = position.game.color_names[position.to_move]
    if len(steps) > 1:
        return f"{name} does not play on the board"
    return f"no play on the board is legal: {name} must pass"


def _swap_text(position: Position, swap: Step) -> str:
    """The effect of a swap: on the only piece, on all pieces, or on the players."""
    game = position.game
    mover, other = (
        game.color_names[color] for color in (position.to_move, position.to_move.opponent)
    )
    if swap != SWAP_PIECES:
        return f"the players exchange colors: who was {mover} is {other} from now on"
    before, after = words_by_point(position), words_by_point(position.mirrored())
    if len(before) != 1 or len(after) != 1:
        return f"all pieces change color, then {other} is to move"
    (old, was), (new, _) = *before.items(), *after.items()
    where = "" if new == old else f" and goes to {new}"
    return f"the {thing(game, was).text} on {old} becomes {mover}'s{where}, then {other} is to move"


_MOST_OFFERED = 4


def refusal(session: Session, color: Color, word: str) -> Json | None:
    """Why a client's word is no legal turn now; None if it is one. Raises UnreadableTurn.

    A front end names steps. So a click alone is no turn here, and swaps nothing.
    """
    try:
        with refusing():
            following = session.follow(color, word)
    except IllegalTurn as error:
        objection = error.objection
    else:
        if not following.frame.clicks and following.clicked_swap(word) is None:
            return None
        objection = _only_clicked(session, word)
    return said(objection) | {"instead": _instead(session, color, word)}


def _only_clicked(session: Session, word: str) -> Saying:
    """The objection to a word that plays nothing, or a swap, if its last vertex is a click."""
    position, last = session.position, parse_word(session.game, word)[-1]
    step = step_named(position, last)
    objection = None if step is None else position.objection(step)
    text = f"{last} is only a point: say what to play there"
    points = point_set(last.vertices)
    return objection or Saying(text, session.game.citations.turns, points)


def _instead(session: Session, color: Color, word: str) -> list[Json]:
    """The legal steps that begin at the word's first vertex, by their names or by a click on it."""
    if color is not session.position.to_move or word.lower() in LOSING:
        return []
    position, first = session.position, parse_word(session.game, word)[0].vertices[:1]
    steps = [
        step for step in session.legal_steps() if first and begins(position.clicks(step), first)
    ]
    return [
        {"step": str(step), "text": _in_words(position, step)} for step in steps[:_MOST_OFFERED]
    ]


def _in_words(position: Position, step: Step) -> str:
    """A step as an offer."""
    if step in SWAPS.values():
        return f"swap: {_swap_text(position, step)}"
    return step.kind.meaning.format(*step.vertices)
