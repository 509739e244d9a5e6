"""The interface behind the sockets: an object that answers messages and announces changes."""

from collections.abc import Callable
from typing import Protocol

from gtp_engine.table.messages import Listener, Message


class Desk(Protocol):
    """A game at a board that people play, or a match that they watch.

    quick -- kinds of messages that are answered one after the other, in order; other kinds, which
             take long or must not wait, are answered at once
    """

    quick: frozenset[str]

    def hello(self) -> Message:
        """The message `hello`: everything available, beside the game."""
        ...

    def anew(self) -> list[Message]:
        """The messages that initialize a new page."""
        ...

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to all messages for all pages. Returns a function that unsubscribes."""
        ...

    async def answer(self, message: Message) -> Message | None:
        """Handle a page's request. Returns the message for that page alone.

        The message was checked. Raises CannotDo, or gtp.process.EngineFault, with a sentence.
        """
        ...

    async def set_visible(self, on: bool) -> None:
        """Report whether anybody looks."""
        ...

    async def close(self) -> None:
        """End everything that was started."""
        ...
