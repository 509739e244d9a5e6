"""An engine in this process, for programs in Python: protocol_specs/clients/library.md."""

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.dispatch import answer
from gtp_engine.gtp.wire.registry import Failure
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Outcome


class LocalEngine:
    """A game in progress that answers commands of GTP.

    session -- the game, its history and its settings

    >>> engine = LocalEngine("robble", 3, visits=50, seed=1)
    >>> engine.ask("play b b2")
    ''
    >>> engine.ask("game-to_move")
    'white'
    """

    def __init__(self, game: str, size: int | None = None, **settings: object) -> None:
        """Start a game. Raises UnknownGame, KeyError for a setting, ValueError for a size or value.

        settings -- as in `game-settings`
        """
        self.session = Session(find_game(game))
        for key, value in settings.items():
            self.session.change_setting(key, str(value))
        self.session.new_game(size=size)

    def ask(self, line: str) -> str:
        """The text of the response to a command. Raises Failure, with the text after `?`."""
        reply = answer(registry(), self.session, line)
        if reply is None:
            return ""
        if not reply.response.success:
            raise Failure(reply.response.text)
        return reply.response.text

    @property
    def position(self) -> Position:
        """The position now."""
        return self.session.position

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game, by the rules or by resignation; None before the end."""
        return self.session.outcome
