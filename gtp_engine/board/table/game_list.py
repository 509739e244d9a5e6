"""The games that the board engine offers, and the starts of games that it can show."""

from typing import cast

from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.shown_game import checked_position
from gtp_engine.rules.records.record import PIES, GameStart


class GameList:
    """The board engine's reply to `game-catalog`, as `message`."""

    def __init__(self, message: Message) -> None:
        self.message = message

    def entry(self, game: str) -> Message:
        """The entry of a game. Raises CannotDo."""
        for found in self.message["games"]:
            if found["name"] == game:
                return cast(Message, found)
        names = ", ".join(found["name"] for found in self.message["games"])
        raise CannotDo(f"There is no game {game[:60]!r} here; there are {names}.")

    def start(self, game: str | None, size: int | None, pie: str) -> GameStart:
        """The start of a game; None stands for the defaults. Raises CannotDo."""
        name = game or self.message["default_game"]
        entry = self.entry(name)
        least, most = entry["sizes"]
        size = entry["default_size"] if size is None else size
        if not least <= size <= most:
            raise CannotDo(f"The size of the board must be from {least} to {most}.")
        if pie not in PIES:
            raise CannotDo("The pie rule must be pieces, sides or off.")
        return GameStart(name, size, pie)

    def start_at(self, text: str, pie: str) -> GameStart:
        """The start of a game from a position text. Raises CannotDo."""
        line = checked_position(text)
        words = line.split()
        if len(words) < 4 or not words[1].isascii() or not words[1].isdigit():
            raise CannotDo("A position consists of game, size, rows and color to move.")
        self.entry(words[0])
        return GameStart(words[0], int(words[1][:9]), pie, line)
