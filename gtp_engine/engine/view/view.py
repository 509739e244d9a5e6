"""The view: one object with everything a front end shows of a game in progress."""

from gtp_engine.board.vertex import Vertex
from gtp_engine.engine.history import Frame
from gtp_engine.engine.session import Session
from gtp_engine.engine.view.choices import buttons, options, wants
from gtp_engine.engine.view.things import Json, about_game, names, sentence, thing, tools, verbs
from gtp_engine.engine.view.told import last_turn
from gtp_engine.engine.view.trail import Trail, trail
from gtp_engine.notation.position_text import write_position
from gtp_engine.rules.events import words_by_point
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Outcome

VERSION = 1


def view(session: Session) -> Json:
    """The present view of a session."""
    position, frame, known = session.position, session.frame, trail(session)
    game, steps, outcome = session.game, session.legal_steps(), session.outcome
    return {
        "view": VERSION,
        "rev": session.state.changes,
        "position": write_position(position),
        "game": about_game(game, position.size),
        "pieces": _pieces(position, known.at(frame).placement.numbers),
        "turn": _turn(session, known) | {"wants": wants(position, steps)},
        "verbs": verbs(game),
        "tools": tools(game),
        "options": options(position, steps),
        "buttons": buttons(position, steps),
        "areas": _areas(position),
        "last": last_turn(known, frame),
        "score": _score(position),
        "outcome": None if outcome is None else _outcome(session, outcome),
    }


def _pieces(position: Position, numbers: dict[Vertex, int]) -> list[Json]:
    """The pieces by their numbers."""
    game, found = position.game, []
    for at, word in words_by_point(position).items():
        what = thing(game, word)
        found.append({"id": numbers[at], "at": str(at), **what.traits, "text": what.text})
    return sorted(found, key=lambda piece: piece["id"])


def _turn(session: Session, known: Trail) -> Json:
    """The turn in progress."""
    position, frame, is_open = session.position, session.frame, session.turn_open
    begun = known.at(frame).number
    _, frames = known.last_turn(frame) if is_open else (None, list[Frame]())
    plays = [each.play for each in frames if each.play is not None]
    turn: Json = {
        "number": begun if is_open and begun else begun + 1,
        "to_move": str(position.to_move),
        "open": is_open,
        "steps": [str(step) for play in plays for step in play.steps],
    }
    if frame.clicks:
        turn["selected"] = [str(vertex) for vertex in frame.clicks]
    return turn


def _areas(position: Position) -> list[Json]:
    """The patches with their owners: those of an open turn, or those that score."""
    owned = position.owned_patches()
    return [
        {
            "kind": "patch",
            "points": names(points),
            "owner": None if owner is None else str(owner),
            "text": text,
            "rule": position.patch_rule(points),
        }
        for (points, owner), text in zip(owned, position.patch_lines() or ())
    ]


def _score(position: Position) -> Json | None:
    """The present points of each color, in games that are won by points."""
    if not position.game.scored:
        return None
    black, white = (points.bit_count() for points in position.held())
    return {"black": black, "white": white, "unit": "points"}


def _outcome(session: Session, outcome: Outcome) -> Json:
    """The end of the game, and the margin in points."""
    by_rules = session.frame.resigned is None
    return {
        "winner": None if outcome.winner is None else str(outcome.winner),
        "result": session.result,
        "text": sentence(outcome.reason),
        "rule": outcome.rule,
        "points": names(session.position.decisive()) if by_rules else [],
    }
