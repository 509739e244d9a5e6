"""Answers to messages about the journal: games that were kept, their names, exercises solved."""

import binascii
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.incoming import Incoming, imported
from gtp_engine.board.journal.journal import Journal, Listed
from gtp_engine.board.journal.keeper import Keeper
from gtp_engine.board.journal.ratings import ratings
from gtp_engine.board.table.loading import Reading
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import visible
from gtp_engine.gtp.client.faults import EngineFault

_AT_ONCE = 24  # games in a part of the list
_LARGEST_PART = 2**19  # characters of a part of a collection


class JournalAnswers:
    """The journal, as the pages of one table see it."""

    def __init__(
        self,
        journal: Journal,
        keeper: Keeper | None,
        reading: Reading,
        levels: Iterable[Message] = (),
    ) -> None:
        """`keeper` keeps the game of the table; None at a table whose games are not kept.

        reading -- lends an engine that reads records
        levels  -- those of the catalog
        """
        self._journal, self._keeper, self._reading = journal, keeper, reading
        self._incoming: Incoming | None = None
        self._scale = {
            str(each["level"]): float(each["rating"])
            for each in levels
            if isinstance(each.get("rating"), int | float)
        }
        self.answers: Mapping[str, Callable[[Message], Awaitable[Message | None]]] = {
            "kept": self._list,
            "keep_open": self._open,
            "keep_rename": self._rename,
            "keep_delete": self._delete,
            "keep_export": self._export,
            "keep_import": self._import,
            "progress": self._progress,
            "paths": self._paths,
        }

    def hello(self) -> Message:
        """What the message `hello` says of the journal."""
        try:
            progress = self._journal.progress()
        except JournalFailed:
            progress = {}
        return {"progress": progress, "lasts": self._journal.lasts}

    def anew(self) -> list[Message]:
        """What a new page is told."""
        trouble = self._journal.trouble
        return [{"kind": "journal", "text": trouble}] if trouble else []

    def close(self, ended: bool) -> None:
        """Stop keeping the game of the table; see Desk.close."""
        if self._keeper is not None:
            self._keeper.close(ended)

    async def _list(self, sent: Message) -> Message:
        game = sent["only"] or ""
        with _told():
            total, games = self._journal.listed(sent["from"], _AT_ONCE, game)
            names = self._journal.games()
            finished = [each for each in self._journal.finished() if game in ("", each.game)]
        return {
            "kind": "kept",
            "from": sent["from"],
            "total": total,
            "list": [self._shown(each) for each in games],
            "games": names,
            "ratings": ratings(finished, self._scale),
        }

    def _shown(self, game: Listed) -> Message:
        shown: Message = game._asdict()
        shown["picture"] = json.loads(game.picture) if game.picture else None
        shown["opened"] = bool(game.opened)
        return shown | {"here": self._is_here(game.id)}

    async def _open(self, sent: Message) -> None:
        if self._keeper is None:
            raise CannotDo("Leave the exercise first.")
        await self._keeper.open(sent["number"])

    async def _rename(self, sent: Message) -> None:
        with _told():
            self._journal.rename(sent["number"], visible(sent["name"]))

    async def _delete(self, sent: Message) -> None:
        game = sent["number"]
        with _told():
            if not self._journal.claim(game):
                raise CannotDo("This game is on a board now. Begin another game there first.")
            self._journal.delete(game, sent["on"])
            self._journal.release(game)

    async def _export(self, sent: Message) -> Message:
        with _told():
            text, further = self._journal.exported(sent["from"], _LARGEST_PART)
        return {"kind": "exported", "text": text, "next": further}

    async def _import(self, sent: Message) -> Message:
        size, place = sent["size"], sent["from"]
        coming = self._incoming if place else None
        try:
            coming = coming or Incoming(self._journal, self._reading, size)
            if not coming.take(size, place, binascii.a2b_base64(sent["data"])):
                return imported(0, 0, "Its parts do not follow each other.")
            self._incoming = coming
            message = await coming.go_on()
        except (CannotDo, JournalFailed, EngineFault) as error:
            message = imported(0, 0, f"{str(error).rstrip('.')}.")
        if message["kind"] == "imported" and self._incoming is coming:
            self._incoming = None
        return message

    async def _paths(self, sent: Message) -> Message:
        with _told():
            played = [
                each._asdict() | {"here": self._is_here(each.id)} for each in self._journal.played()
            ]
        return {"kind": "paths", "list": played}

    def _is_here(self, game: int) -> bool:
        return self._keeper is not None and self._keeper.game == game

    async def _progress(self, sent: Message) -> None:
        with _told():
            self._journal.succeed(sent["set"], sent["id"], sent["stars"])


@contextmanager
def _told() -> Iterator[None]:
    """Turn a failure of the journal into a sentence for the page."""
    try:
        yield
    except JournalFailed as error:
        raise CannotDo(f"{error}.") from None
