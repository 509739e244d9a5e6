"""Requests to end a match."""

import threading
from collections.abc import Callable


class StopRequest:
    """A request from outside to start no more games, or to end at once."""

    def __init__(self, *abandon: Callable[[], None]) -> None:
        """Each function of `abandon` ends something that is in progress."""
        self._abandon = list(abandon)
        self._asked, self._abandoned = threading.Event(), threading.Event()
        self._playing = False

    def on_abandon(self, end: Callable[[], None]) -> None:
        """Add a function that ends something; it is called now if an end was already requested."""
        self._abandon.append(end)
        if self.asked and not self._playing:
            end()

    def begin(self) -> None:
        """From now on games are in progress, and a first interrupt lets them finish."""
        self._playing = True

    def interrupt(self) -> bool:
        """First: finish games. Second, or before any game: abandon. True if games go on."""
        if self._playing and not self.asked:
            self.finish()
            return True
        self.abandon()
        return False

    @property
    def asked(self) -> bool:
        """Whether an end was requested."""
        return self._asked.is_set()

    @property
    def abandoned(self) -> bool:
        """Whether the games in progress were abandoned."""
        return self._abandoned.is_set()

    def finish(self) -> None:
        """Start no more games."""
        self._asked.set()

    def abandon(self) -> None:
        """Start no more games, and abandon those in progress."""
        self._asked.set()
        self._abandoned.set()
        for end in self._abandon:
            end()

    def wait(self, seconds: float) -> None:
        """Sleep; a stop request ends the sleep."""
        self._asked.wait(seconds)

    def wait_in_outage(self, seconds: float) -> None:
        """The same, but finished games still wait to be stored after a first request.

        Raises KeyboardInterrupt when they are abandoned.
        """
        (self._abandoned if self.asked else self._asked).wait(seconds)
        if self._abandoned.is_set():
            raise KeyboardInterrupt
