"""The desk for watching a match: viewers step through its games and change nothing."""

from collections.abc import Awaitable, Callable, Collection

from gtp_engine.board.server.gate import HOST
from gtp_engine.board.table.messages import CannotDo, Listener, Message
from gtp_engine.board.table.watching import WatchTable

_Action = Callable[[WatchTable, Message], Awaitable[Message | None]]

_ACTIONS: dict[str, _Action] = {
    "undo": lambda table, sent: table.undo(),
    "redo": lambda table, sent: table.redo(),
    "goto": lambda table, sent: table.goto(sent["node"]),
    "save": lambda table, sent: table.save_record(sent["form"]),
    "rules": lambda table, sent: table.rules(),
}


class WatchDesk:
    """A table of watched games, for any number of pages.

    choose -- called with the number of the game that a viewer wants to see
    """

    def __init__(
        self, table: WatchTable, title: str, choose: Callable[[int], Awaitable[None]]
    ) -> None:
        self._table, self._title, self._choose = table, title, choose
        self._games: Message = {"kind": "games", "list": [], "matches": []}
        self._listeners: list[Listener] = []

    def hello(self) -> Message:
        """Everything available, beside the games."""
        return {
            "kind": "hello",
            "title": self._title,
            "engines": [],
            "catalog": self._table.catalog,
            "readonly": True,
        }

    def anew(self) -> list[Message]:
        """The games, the tree of the shown game, and its position."""
        return [self._games, self._table.nodes(), self._table.state()]

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to the table's messages, except the board engine's lines, and to the games'."""

        def hear(message: Message) -> None:
            if message["kind"] != "console":
                listener(message)

        self._listeners.append(listener)
        stop = self._table.listen(hear)

        def end() -> None:
            self._listeners.remove(listener)
            stop()

        return end

    def tell_games(self, games: list[Message], matches: list[Message]) -> None:
        """Send the standing of the matches to all pages.

        games   -- the newest first: `game`, its number; `black`, `white`, `text`; `result`, None
                   before the end
        matches -- `name`, that of the file; `result`, the result so far in words; `standings`, rows
                   of a table, by the names of its columns
        """
        told = {"kind": "games", "list": games, "matches": matches}
        if told != self._games:
            self._games = told
            self.say(told)

    def say(self, message: Message) -> None:
        """Send a message to all pages."""
        for listener in list(self._listeners):
            listener(message)

    def summary(self) -> str:
        """The match in a few words."""
        return self._title

    @property
    def begun(self) -> bool:
        """A match is never an untouched board."""
        return True

    async def seat_guest(self, color: str, there: bool) -> None:
        """Refuse: a match has no seats for people. Raises CannotDo."""
        raise CannotDo("In a match nobody else can play. Invite somebody to watch.")

    def attend(self, here: Collection[str]) -> None:
        """Ignore it: a match waits for nobody."""

    async def answer(self, message: Message, role: str = HOST) -> Message | None:
        """Handle a page's request; see Desk."""
        kind = message["kind"]
        if kind == "watch":
            await self._choose(message["game"])
            return None
        if kind not in _ACTIONS:
            raise CannotDo("This page only shows a match. To play, use `gtp-board`.")
        return await _ACTIONS[kind](self._table, message)

    async def set_visible(self, on: bool) -> None:
        """Ignore it: the match goes on, whether anybody looks or not."""

    async def close(self, ended: bool = False) -> None:
        """End the board engine."""
        await self._table.close()
