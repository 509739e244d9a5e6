"""The page of a board without a server: one browser runs both, so nobody else can come."""

import asyncio
from collections.abc import Callable

from gtp_engine.base.log import logger
from gtp_engine.board.server.gate import HOST, Pass
from gtp_engine.board.server.lobby import Lobby
from gtp_engine.board.server.page_messages import Unacceptable, read_message
from gtp_engine.board.server.visit import Visit


class PagePort(Visit):
    """Passes messages between a page and the room it is in; see room.Page.

    A page may end without a word. The next one, such as the same page loaded again, says hello.
    """

    def __init__(self, lobby: Lobby, post: Callable[[str], object]) -> None:
        """Attach to a lobby.

        post -- sends a text to the page at once
        """
        self.come(lobby, Pass(HOST))
        self._post = post
        self._heard: asyncio.Queue[str] = asyncio.Queue()
        self._serving = asyncio.get_running_loop().create_task(self._serve())

    def hear(self, text: str) -> None:
        """Take a message of the page; they are handled in order."""
        self._heard.put_nowait(text)

    def close(self) -> None:
        """Leave, and hear no more."""
        self._serving.cancel()
        self.go()

    async def greet(self, table: str) -> None:
        """See Visit."""
        self._lobby.leave(self._room, self)
        await super().greet(table)

    async def deliver(self, text: str) -> None:
        """See Visit."""
        self._post(text)

    async def _serve(self) -> None:
        while True:
            try:
                await self.handle(read_message(await self._heard.get()))
            except Unacceptable as error:  # no page of ours sends it
                logger().warning("a message was refused: {}", error)
