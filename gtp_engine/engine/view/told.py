"""The last turn as events and as sentences of the rules."""

from collections.abc import Sequence

from gtp_engine.engine.history import Frame, PlayedTurn
from gtp_engine.engine.status import points_of
from gtp_engine.engine.view.things import Json, names, sentence, thing
from gtp_engine.engine.view.tracked_pieces import Occurrence, follow
from gtp_engine.engine.view.trail import Trail
from gtp_engine.look.scene import difference
from gtp_engine.rules.events import BoardEvent, Change, Deed, words_by_point
from gtp_engine.rules.game import Game


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
        "color": str(turn.color),
        "number": trail.at(frame).number,
        "points": names(points_of(turn)),
        "changed": names(difference(turn.start, position)),
        "plays": len(frames),
        "events": events,
        "why": why,
    }


def _sentences(happened: Sequence[BoardEvent], phases: int, play: int) -> list[Json]:
    """The events in words, phase after phase."""
    return [
        {
            "phase": phases + event.phase,
            "play": play,
            "rule": event.rule,
            "text": sentence(event.text),
            "points": names(event.points),
        }
        for event in sorted(happened, key=lambda event: event.phase)
    ]


def _events(
    game: Game, words: dict[int, str], occurrences: list[Occurrence], phases: int, play: int
) -> list[Json]:
    """The changes of each piece; updates `words`, the word of each piece."""
    return [
        {"phase": phases + event.phase, "play": play, **deed, "id": number, "rule": event.rule}
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
