"""What stands behind the sockets: something that answers messages and says when it changes."""

from collections.abc import Callable
from typing import Protocol

from gtp_engine.client.messages import Listener, Message


class Desk(Protocol):
    """A game at a board that people play, or a match that they watch.

    quick -- kinds of messages that are answered one after the other, in the order in which they
             came; the others, which take long or must come through, at once
    """

    quick: frozenset[str]

    def hello(self) -> Message:
        """The message `hello`: what there is, beside the game."""
        ...

    def anew(self) -> list[Message]:
        """The messages that bring a page up to date which knows nothing."""
        ...

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear all messages for all pages from now on. Returns what ends that."""
        ...

    async def answer(self, message: Message) -> Message | None:
        """Do what a page asks for. Returns what is for that page alone.

        The message was checked. Raises CannotDo, or gtp.process.EngineFault, with a sentence.
        """
        ...

    async def set_visible(self, on: bool) -> None:
        """Tell whether anybody looks."""
        ...

    async def close(self) -> None:
        """End all that was started."""
        ...
