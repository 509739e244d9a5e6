"""Sample games: short lines of play as effects on the board, for pictures in motion."""

from functools import cache

from gtp_engine.engine.session import Session
from gtp_engine.engine.view.facts import Json, about_game
from gtp_engine.engine.view.trail import trail
from gtp_engine.engine.view.view import last_turn
from gtp_engine.rules import games
from gtp_engine.rules.game import Game


@cache
def samples() -> list[Json]:
    """The samples of all games that declare one.

    `game` is that of a view, and `turns` the events of each turn, as in a view's `last`.
    """
    return [_sample(game, *game.sample) for game in games() if game.sample]


def _sample(game: Game, size: int, line: str) -> Json:
    session = Session(game, size)
    turns = []
    for word in line.split():
        session.repeat(session.position.to_move, word)
        last = last_turn(trail(session), session.frame) or {"events": ()}
        turns.append([_bare(event) for event in last["events"]])
    return {"game": about_game(game, size), "turns": turns}


def _bare(event: Json) -> Json:
    return {key: value for key, value in event.items() if key != "rule"}
