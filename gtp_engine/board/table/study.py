"""Study of the shown game: its swap map, games of the past, pieces for the editor, and marks."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from gtp_engine.board.table.explorer import Explorer
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.shown_game import BoardGame, read_json, view_of
from gtp_engine.rules.records.marks import (
    MOST_MARKS,
    MOST_MARKS_IN_ALL,
    Mark,
    number_of_marks,
    put_marks,
)


class Study:
    """What people learn about the shown position beside a search, and what they mark on it.

    explorer -- the games of the past; None if there are none here

    Each method returns a message for the caller. Raises CannotDo.
    """

    def __init__(self, game: BoardGame, check_help: Callable[[], None]) -> None:
        """`check_help` raises CannotDo while the table gives no help."""
        self._game = game
        self._check_help = check_help
        self.explorer: Explorer | None = None

    async def look(self, node: int) -> Message:
        """The message `looked` with the view of a node; the shown position stays."""
        async with self._game.lock:
            found = self._game.tree.node(node)
            (shown,) = await self._game.ask_at(self._game.start, found, "game-view")
        return {"kind": "looked", "node": node, "view": view_of(shown)}

    async def openings(self) -> Message:
        """The message `openings`: the reply to `game-opening_values`."""
        self._check_help()
        return await self._reply("openings", "game-opening_values", "show a swap map")

    async def pieces(self) -> Message:
        """The message `pieces`: the reply to `game-pieces`."""
        return await self._reply("pieces", "game-pieces", "set up single pieces")

    async def edit(self, draft: int, color: str, cells: Mapping[str, str]) -> Message:
        """The message `edited`: the reply to `game-edit`, with the number of the draft."""
        board = " ".join(f"{vertex}={word}" for vertex, word in cells.items())
        line = f"game-edit {color} {board}"
        return await self._reply("edited", line, "set up single pieces") | {"draft": draft}

    async def explore(self) -> Message:
        """The message `explored`: what was played here in games of the past."""
        self._check_help()
        if self.explorer is None:
            raise CannotDo("There are no games of the past here.")
        rev, position = self._game.rev, self._game.view["position"]
        found = await self.explorer.played(position)
        self._check_help()
        return {"kind": "explored", "rev": rev, **found}

    async def mark(self, node: int, marks: Sequence[Mapping[str, str]]) -> None:
        """Set the marks of a node; see records.marks.Mark.read."""
        tree, found = self._game.tree, self._game.tree.node(node)
        try:
            wanted = tuple(dict.fromkeys(map(Mark.read, marks)))
        except ValueError:
            raise CannotDo("That is not a mark.") from None
        known = sum(number_of_marks(each.read.properties) for each in tree)
        if len(wanted) > MOST_MARKS or known + len(wanted) > MOST_MARKS_IN_ALL:
            raise CannotDo("There are too many marks in this game.")
        put_marks(found.read.properties, wanted, self._game.start.size)
        self._game.say_nodes([found])

    async def _reply(self, kind: str, line: str, what: str) -> Message:
        """A message with the board engine's reply to a line at the shown position."""
        board, command = self._game.board, line.split()[0]
        if command not in board.commands:
            raise CannotDo(f"{board.title} cannot {what}: it has no command {command}.")
        async with self._game.lock:
            (answer,) = await self._game.ask(line)
            found = read_json(answer.text) if answer.success else None
            if not isinstance(found, dict):
                raise CannotDo(f"{board.title} cannot {what}: it answered `{answer.text[:200]}`.")
            return cast(Message, {**found, "kind": kind, "rev": self._game.rev})
