"""An engine in the process of a test."""

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.dispatch import answer
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules import find_game


class Driver:
    """An engine to talk to in a test: `drive("play b c4")` gives the text of the response."""

    def __init__(self, game: str = "implo", size: int | None = None) -> None:
        self.session = Session(find_game(game), size)

    def send(self, line: str) -> Response | None:
        reply = answer(registry(), self.session, line)
        return reply and reply.response

    def over_the_wire(self, line: str) -> Response | None:
        """The response as a client reads it."""
        response = self.send(line)
        return response and Response.parse(str(response))

    def __call__(self, line: str) -> str:
        """The text of a response that must be a success."""
        response = self.send(line)
        assert response is not None
        assert response.success, f"{line}: {response.text}"
        return response.text

    def fails(self, line: str) -> str:
        """The text of a response that must be a failure."""
        response = self.send(line)
        assert response is not None
        assert not response.success, f"{line}: {response.text}"
        return response.text
