"""The view: one object with everything a front end shows of a game in progress."""

from collections.abc import Sequence

from gtp_engine.engine.history import Frame, PlayedTurn
from gtp_engine.engine.pictures.scene import difference
from gtp_engine.engine.session import Session
from gtp_engine.engine.view.choices import buttons, options, wants
from gtp_engine.engine.view.facts import (
    Json,
    about_game,
    names,
    said,
    sentence,
    thing,
    tools,
    verbs,
)
from gtp_engine.engine.view.tracked_pieces import Occurrence, follow
from gtp_engine.engine.view.trail import Trail, trail
from gtp_engine.engine.view.words import (
    area_words,
    end_words,
    next_words,
    pieces_words,
    turn_words,
)
from gtp_engine.rules.events import BoardEvent, Change, Deed, words_by_point
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.vertex import NAMES
from gtp_engine.rules.step import Outcome

VERSION = 1

_PATCH = "patch"


def view(session: Session) -> Json:
    """The present view of a session."""
    position, frame, known = session.position, session.frame, trail(session)
    game, steps, outcome = position.game, session.legal_steps(), session.outcome
    pieces = _pieces(position, known, frame)
    return {
        "view": VERSION,
        "rev": session.state.changes,
        "position": write_position(position),
        "game": about_game(game, position.size),
        "pieces": sorted(pieces, key=lambda piece: piece["id"]),
        "turn": _turn(session, known) | _wanted(position, wants(position, steps)),
        "verbs": verbs(game),
        "tools": tools(game),
        "options": options(position, steps),
        "buttons": buttons(position, steps),
        "areas": _areas(position),
        "listed": pieces_words(pieces),
        "last": last_turn(known, frame),
        "score": _score(position),
        "outcome": None if outcome is None else _outcome(session, outcome),
    }


def _pieces(position: Position, known: Trail, frame: Frame) -> list[Json]:
    """The pieces in the order of their vertices."""
    numbers = known.at(frame).placement.numbers
    game, turns, found = position.game, known.turns_of(numbers.values()), []
    for at, word in words_by_point(position).items():
        what, number = thing(game, word), numbers[at]
        traits = {**what.traits, "text": what.text, "turn": turns[number]}
        found.append({"id": number, "at": NAMES[at], **traits})
    return found


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


def _wanted(position: Position, wishes: str) -> Json:
    return {"wants": wishes, "text": next_words(position, wishes)}


def _areas(position: Position) -> list[Json]:
    """The patches with their owners: those of an open turn, or those that score."""
    owned = position.owned_patches()
    return [
        {
            "kind": _PATCH,
            "points": names(points),
            "owner": None if owner is None else str(owner),
            "name": area_words(position.game, _PATCH, owner),
            "text": f"{sentence(_PATCH)} {text}",
            "rule": position.patch_rule(points),
        }
        for (points, owner), text in zip(owned, position.patch_lines() or ())
    ]


def _score(position: Position) -> Json | None:
    """The points of each color if the game ended now, in games that are won by points."""
    if not position.game.scored:
        return None
    black, white = (points.bit_count() for points in position.held())
    when = "" if position.outcome() else "if the game ended now"
    return {"black": black, "white": white, "unit": "points", "when": when}


def _outcome(session: Session, outcome: Outcome) -> Json:
    """The end of the game, and the margin in points."""
    by_rules = not session.frame.lost_by
    return {
        "winner": None if outcome.winner is None else str(outcome.winner),
        "result": session.result,
        "margin": outcome.margin or None,
        "title": end_words(session.game, outcome),
        "text": sentence(outcome.reason),
        "rule": outcome.reason_rule or None,
        "points": names(session.position.decisive()) if by_rules else [],
    }


def last_turn(trail: Trail, frame: Frame) -> Json | None:
    """The last turn, as far as it was played; None before the first one."""
    before, frames = trail.last_turn(frame)
    if not frames:
        return None
    turn = PlayedTurn(before.frame.position, tuple(frames))
    position, placement = turn.start, before.placement
    words = {placement.numbers[at]: word for at, word in words_by_point(position).items()}
    events, why, phases = list[Json](), list[Json](), 0
    for count, play in enumerate(turn.plays, 1):
        for step in play.steps:
            happened = position.events(step)
            placement, occurrences = follow(placement, happened)
            events += _events(position.game, words, occurrences, phases, count)
            why += _sentences(happened, phases, count)
            phases += max((event.phase for event in happened), default=0)
            position = position.play_unchecked(step)
    return {
        "turn": turn.word,
        "text": turn_words(turn),
        "color": str(turn.color),
        "number": before.number + 1,
        "points": names(turn.points),
        "began": [NAMES[vertex] for step in turn.steps[:1] for vertex in step.vertices],
        "changed": names(difference(turn.start, position)),
        "plays": len(frames),
        "events": events,
        "why": why,
    }


def _sentences(happened: Sequence[BoardEvent], phases: int, play: int) -> list[Json]:
    """The events in words, phase after phase."""
    return [
        {"phase": phases + event.phase, "play": play, **said(event.saying)}
        for event in sorted(happened, key=lambda event: event.phase)
    ]


def _events(
    game: Game, words: dict[int, str], occurrences: list[Occurrence], phases: int, play: int
) -> list[Json]:
    """The changes of each piece; updates `words`, the word of each piece."""
    return [
        {
            "phase": phases + event.phase,
            "play": play,
            **deed,
            "id": number,
            "rule": event.saying.rule,
        }
        for event, change, number in occurrences
        for deed in _deeds(game, words, change, number)
    ]


def _deeds(game: Game, words: dict[int, str], change: Change, number: int) -> list[Json]:
    """The effects of a change: one for each property of a piece that changes."""
    at = str(change.at)
    if change.deed is Deed.MOVE:
        return [{"do": "move", "from": at, "to": str(change.to)}]
    if change.deed is Deed.REMOVE:
        return [{"do": "remove", "at": at, "was": thing(game, words.pop(number)).traits}]
    now = thing(game, change.word).traits
    if change.deed is Deed.PLACE:
        words[number] = change.word
        return [{"do": "place", "at": at, **now}]
    was = thing(game, words[number]).traits
    words[number] = change.word
    deeds = [
        {"do": trait, "at": at, "value": now[trait], "was": was[trait]}
        for trait in ("color", "shape", "height")
        if was[trait] != now[trait]
    ]
    for deed in deeds:
        if deed["do"] == "shape":
            deed["kind"] = now["kind"]
    return deeds
