"""What a table tells its viewers: messages to all listeners, and the lines of the engines."""

import asyncio
from collections import deque
from collections.abc import Callable

from gtp_engine.board.table.messages import ERROR, INFO, Listener, Message, told

LONGEST_LINE_SHOWN = 2000
"""Most characters of a line in the console."""

_TAIL = 500  # lines of the console that are stored


class News:
    """The listeners of a table, and the last lines of the console."""

    def __init__(self, state: Callable[[], Message]) -> None:
        """`state` makes the message `state`."""
        self._state = state
        self._state_due = False
        self._listeners: list[Listener] = []
        self._console: deque[Message] = deque(maxlen=_TAIL)
        self._heard: list[Message] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to all messages from now on. Returns a function that unsubscribes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def emit(self, message: Message) -> None:
        """Send a message to all listeners."""
        for listener in list(self._listeners):
            listener(message)

    def tell(self, text: str, error: bool, engine: str | None = None) -> None:
        """Send a sentence for people; an error may be the failure of an engine."""
        self.emit(told(ERROR, text, engine) if error else told(INFO, text))

    def tell_after_state(self, text: str, error: bool) -> None:
        """The same after the `state` of the change in progress, at which pages drop what was told.

        That state may only be due when the present task has ended.
        """
        loop = asyncio.get_running_loop()
        loop.call_soon(lambda: loop.call_soon(self.tell, text, error))

    def say_state(self) -> None:
        """Send the state once, after the present task."""
        if not self._state_due:
            self._state_due = True
            asyncio.get_running_loop().call_soon(self._say_state_now)

    def hear(self, engine: str, direction: str, text: str) -> None:
        """Store a line to or from an engine; all lines of a moment are sent together."""
        shown = text[:LONGEST_LINE_SHOWN] + "..." * (len(text) > LONGEST_LINE_SHOWN)
        line = {"kind": "console", "engine": engine, "direction": direction, "text": shown}
        self._console.append(line)
        if not self._heard:
            asyncio.get_running_loop().call_soon(self._say_heard)
        self._heard.append(line)

    def console_tail(self) -> list[Message]:
        """The last messages `console`, for a new viewer."""
        return list(self._console)

    def _say_heard(self) -> None:
        heard, self._heard = self._heard, []
        for listener in list(self._listeners):
            for line in heard:
                listener(line)

    def _say_state_now(self) -> None:
        self._state_due = False
        self.emit(self._state())
