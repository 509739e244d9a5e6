"""One game at a board: who plays, the tree of its variations, and the engines behind it."""

from collections.abc import Callable, Mapping, Sequence

from gtp_engine.client.messages import Listener, Message, Seat

Launch = str | Sequence[str]
"""How an engine is started: a command line, or its words."""


class Table:
    """A game that people look at and play, with engines, over GTP only.

    Methods that take `rev` compare it with the table's: a stale one plays nothing, and gets the
    newest `state` as its answer. All actions are coroutines, and may be called at the same time:
    what changes the board goes one after the other, what takes long (`hint`, `review`)
    keeps none of the others waiting. Run each in a task of its own. They return the message that
    is for the asker alone, or None; what is for all goes to the listeners:

    state    -- whenever the position, the seats or who thinks changes
    nodes    -- whenever the tree changes; comes before the `state` that points into it
    frame    -- of the analysis; the newest counts
    told     -- sentences: engines that fail, and the like
    console  -- a line to or from an engine
    review   -- how far a review is

    What is not possible raises CannotDo with a sentence.
    """

    def __init__(
        self,
        engines: Mapping[str, Launch],
        *,
        board: Launch | None = None,
        analyst: Launch | None = None,
    ) -> None:
        """Prepare a table; `start` starts the board engine.

        engines -- commands of the engines that may play, by name
        board   -- command of the engine that judges and shows, and never searches; None for ours
        analyst -- command of the engine that analyses; None for the one of `board`
        """
        raise NotImplementedError

    async def start(self, game: str | None = None, size: int | None = None) -> None:
        """Start the board engine and a game. Raises CannotDo, or gtp.process.EngineFault."""
        raise NotImplementedError

    async def close(self) -> None:
        """End all engines."""
        raise NotImplementedError

    catalog: Message
    """What `game-catalog` of the board engine answered."""

    rev: int
    """Number of changes of the position that is shown."""

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear all messages from now on. Returns what ends that."""
        raise NotImplementedError

    def state(self) -> Message:
        """The message `state` as it is now."""
        raise NotImplementedError

    def nodes(self) -> Message:
        """The message `nodes` with the whole tree, and `reset` true."""
        raise NotImplementedError

    def engines(self) -> list[Message]:
        """For each engine `name`, `running`, `down`, `fault` and `missing` (sentences)."""
        raise NotImplementedError

    def console_tail(self) -> list[Message]:
        """The last messages `console`, for somebody who comes late."""
        raise NotImplementedError

    async def step(self, rev: int, word: str) -> Message | None:
        """Play a word for the color to move. Returns `refused`, or None when it is played."""
        raise NotImplementedError

    async def why(self, rev: int, word: str) -> Message:
        """Tell why a word may not be played: `refused`, or `told` that it is legal."""
        raise NotImplementedError

    async def preview(self, rev: int, word: str) -> Message:
        """The message `preview` with the view after a word; or `refused`."""
        raise NotImplementedError

    async def undo(self) -> None:
        """Go back: to the last position in which a person was to move, where a person plays."""
        raise NotImplementedError

    async def redo(self) -> None:
        """Go forward along the line that was left last."""
        raise NotImplementedError

    async def goto(self, node: int) -> None:
        """Go to a node."""
        raise NotImplementedError

    async def new_game(self, game: str, size: int, pie: str, black: Seat, white: Seat) -> None:
        """Start another game."""
        raise NotImplementedError

    async def set_seats(self, black: Seat, white: Seat) -> None:
        """Change who plays; an engine that thinks for a seat that is taken away is interrupted."""
        raise NotImplementedError

    async def resign(self, color: str) -> None:
        """Give up for a color, which must be to move or wait for an engine's turn."""
        raise NotImplementedError

    async def hint(self, seconds: float = 1.0) -> Message:
        """What the analyst would play and why: the message `hint`."""
        raise NotImplementedError

    async def analyse(self, on: bool) -> None:
        """Switch the analysis."""
        raise NotImplementedError

    async def set_visible(self, on: bool) -> None:
        """Tell whether anybody looks: the analysis rests when nobody does."""
        raise NotImplementedError

    async def pause(self, on: bool) -> None:
        """Let engines rest, or play on from the position that is shown."""
        raise NotImplementedError

    async def interrupt(self) -> None:
        """Let the engine that thinks play now what it has found."""
        raise NotImplementedError

    async def comment(self, node: int, text: str) -> None:
        """Set the comment of a node."""
        raise NotImplementedError

    async def drop(self, node: int) -> None:
        """Remove a node and all after it."""
        raise NotImplementedError

    async def promote(self, node: int) -> None:
        """Make the line to a node the first at each branch."""
        raise NotImplementedError

    async def open_record(self, text: str) -> None:
        """Open a game from the text of an SGF file, with its variations and comments."""
        raise NotImplementedError

    async def save_record(self, form: str) -> Message:
        """The message `record`: `plain` with variations, or `display` with the main line."""
        raise NotImplementedError

    async def set_position(self, text: str) -> None:
        """Start from a position text."""
        raise NotImplementedError

    async def link(self, game: str, size: int, position: str) -> None:
        """Show the position of a link, if it is another one than is shown."""
        raise NotImplementedError

    async def rules(self) -> Message:
        """The message `rules` of the game that is shown."""
        raise NotImplementedError

    async def review(self, visits: int | None = None) -> None:
        """Search every turn of the line that is shown; nodes get chance, loss and best."""
        raise NotImplementedError

    async def restart(self, engine: str) -> None:
        """Start an engine anew, into the position that is shown. Names: also board, analyst."""
        raise NotImplementedError

    async def console(self, engine: str, line: str) -> None:
        """Send a line to an engine; the answer comes as `console`. Who calls filters commands."""
        raise NotImplementedError

    async def commands(self, engine: str) -> Message:
        """The message `commands`: what `game-commands` or `list_commands` of it answers."""
        raise NotImplementedError
