"""The engine that analyzes: a stream for the shown position, hints and reviews."""

import asyncio
import time
from collections.abc import Callable

from gtp_engine.board.table.advice import (
    LONGEST_REMARK,
    hint_of,
    sentence_of,
    sentences,
    share,
    warning_of,
)
from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import NO_HELP, CannotDo, Message
from gtp_engine.board.table.seat import BLACK
from gtp_engine.board.table.shown_game import BoardGame, read_json
from gtp_engine.board.table.variations import GameNode, GameTree, turns
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.client.process import PAGE_TIMEOUT, PLAIN_TIMEOUT
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules.records.record import GameStart

INTERVAL, MOST_CANDIDATES = 10, 12
"""Centiseconds between two frames, and turns in each."""

LONGEST_HINT = 60.0
MOST_VISITS = 1_000_000_000

DOUBT, LONGEST_DOUBT = 0.6, 1.2
"""Seconds of search about a turn that may be a mistake, and until it is played unanswered."""

_CHANCES_APART = 1.0  # seconds between two reports of a chance during a search

_REVIEW_PAGE = "game-review_page"

_Target = tuple[GameStart, GameNode]


class Analyst:
    """Keeps an analysis of the shown position running while it is switched on and somebody looks.

    on      -- whether the analysis is switched on
    visible -- whether anybody looks
    visits  -- of each position in the last review; None for the engine's own limit
    """

    def __init__(
        self,
        follower: Follower,
        game: BoardGame,
        tell: Callable[[str, bool], None],
        changed: Callable[[], None],
        may_help: Callable[[], bool],
    ) -> None:
        """Nothing is started yet.

        changed  -- called on switching off and when reviewing
        may_help -- whether engines may help people at the table now
        """
        self.follower = follower
        self._may_help = may_help
        self.on = False
        self.visible = True
        self._game, self._tell, self._changed = game, tell, changed
        self._streaming: _Target | None = None
        self._answer: asyncio.Future[Response] | None = None
        self._asked: asyncio.Future[Response] | None = None
        self._settling: asyncio.Task[None] | None = None
        self._hinted: GameNode | None = None
        self._reviewed: GameTree | None = None
        self.visits: int | None = None
        self._page: tuple[GameTree, str] | None = None
        self._again = False
        self._chance_told = 0.0

    @property
    def reviewing(self) -> bool:
        """Whether a review is running."""
        return self._reviewed is not None

    @property
    def review_page(self) -> str | None:
        """The last review of this game as an HTML page; None without one."""
        tree, text = self._page or (None, None)
        return text if tree is self._game.tree else None

    def follow(self) -> None:
        """Let the stream follow the shown position. Never waits."""
        if self._streaming is not None and self._streaming != self._target():
            self._stop()
        hinted, reviewed = self._hinted, self._reviewed
        outdated = hinted is not None and hinted is not self._game.node
        outdated = outdated or (reviewed is not None and reviewed is not self._game.tree)
        if not self._may_help():
            self.on = False
        if outdated or not self._may_help():
            self.interrupt()
        if self._settling is not None and not self._settling.done():
            self._again = True
        elif self._target() != self._streaming:
            self._again = True
            self._settling = asyncio.create_task(self._settle())

    def renew(self) -> None:
        """Restart the stream, which a line typed by a person has ended."""
        self._streaming = None
        self.follow()

    async def hint(self, seconds: float) -> Message:
        """The message `hint` for the shown position. Raises CannotDo."""
        self._check_free()
        node, seconds = self._game.node, min(max(0.1, seconds), LONGEST_HINT)
        try:
            response = await self._advice("game-hint", f"{seconds:g}", seconds)
        except EngineFault as fault:
            again = "" if self.follower.down else " You can ask again."
            raise CannotDo(f"No hint. {fault.brief}.{again}", self.follower.name) from None
        self._check_help()
        if self._game.node is not node:
            raise CannotDo("The position has changed: ask again.")
        found = hint_of(response.text) if response.success else None
        if found is None:
            raise CannotDo(f"{self.follower.title} has no hint: `{response.text[:200]}`.")
        return found | {"rev": self._game.rev}

    async def doubt(self, color: str, word: str, most: float) -> Message | None:
        """The message `sure` about a word that gives away `most` or more of the chance to win.

        None for another word, and if the analyst cannot say so in about a second.
        """
        rev = self._game.rev
        if self.reviewing or self._hinted is not None or not self._may_help():
            return None
        asked = asyncio.create_task(self._warning(color, word))
        # Not cancelled: the engine may be starting, and others need it then.
        done, _ = await asyncio.wait({asked}, timeout=LONGEST_DOUBT)
        if not done:
            self.interrupt()
            return None
        found = asked.result()
        if found is None or found[0] < most or self._game.rev != rev:
            return None
        return found[1] | {"rev": rev, "word": word}

    async def answer_to(self, node: GameNode) -> tuple[str, ...]:
        """How the opponent answers the turn that ends with a node, in sentences.

        There is none if the analyst cannot say so.
        """
        path = node.path()
        first = next(each for each in reversed(path) if each.begins)
        found = await self._warning(*turns(path)[-1], first.parent)
        return () if found is None else tuple(map(sentence_of, found[1]["why"]))

    async def review(self, visits: int | None) -> None:
        """Search every turn of the shown line, to its end. Raises CannotDo."""
        self._check_free()
        if visits is not None and not 1 <= visits <= MOST_VISITS:
            raise CannotDo(f"A review takes 1 to {MOST_VISITS} visits per turn.")
        node = self._game.node
        nodes = [*node.path(), *node.line()]
        if not nodes:
            raise CannotDo("There is nothing to review yet: no turn was played.")
        self._reviewed, self.visits = self._game.tree, visits
        self._changed()
        try:
            await self._review(nodes, visits)
        except EngineFault as fault:
            text = f"The review has ended early. {fault.brief}."
            raise CannotDo(text, self.follower.name) from None
        finally:
            self._reviewed = None
            self._changed()
            self.follow()

    def interrupt(self) -> bool:
        """End a hint or a review early. Returns whether there was one."""
        if self._asked is None or self._asked.done():
            return False
        self.follower.engine.interrupt()
        return True

    def _check_help(self) -> None:
        if not self._may_help():
            raise CannotDo(NO_HELP)

    def _check_free(self) -> None:
        self._check_help()
        if self.reviewing:
            raise CannotDo("A review is running: wait for its end, or interrupt it.")

    def _target(self) -> _Target | None:
        """The position to analyze now."""
        game = self._game
        if not (self.on and self.visible) or self.reviewing or game.node.over or not game.view:
            return None
        return game.start, game.node

    def _stop(self) -> None:
        """End the stream; the next holder of the lock waits until it has ended."""
        if self._answer is not None and not self._answer.done():
            self.follower.engine.stop()

    async def _ended(self) -> None:
        """Wait for the end of the stream. Raises EngineFault."""
        self._stop()
        answer, self._answer, self._streaming = self._answer, None, None
        if answer is not None:
            await answer

    async def _settle(self) -> None:
        while self._again:
            self._again = False
            target = self._target()
            if target == self._streaming:
                continue
            try:
                async with self.follower.lock:
                    await self._ended()
                    if target is not None and target == self._target():
                        await self._begin(target)
            except EngineFault:  # already reported
                self._streaming = self._answer = None
                self._again = True
                if self.follower.down:
                    self._switch_off()
            except CannotDo as error:
                self._tell(str(error), True)
                self._switch_off()

    async def _begin(self, target: _Target) -> None:
        start, node = target
        engine = await self.follower.ready()
        await self.follower.bring(start, node)
        if target != self._target():
            self._again = True
            return
        options = f"maxmoves {MOST_CANDIDATES} ownership true"
        line = f"game-analyze {node.to_move} {INTERVAL} {options}"
        self._streaming = target
        self._answer = engine.send(line, None, lambda text: self._frame(target, text))
        self._answer.add_done_callback(self._over)

    def _over(self, answer: asyncio.Future[Response]) -> None:
        """Handle the end of the stream: as requested, by a fault, or with a refusal."""
        if answer is not self._answer:
            return
        if answer.exception() is not None:
            self._streaming = self._answer = None
            if self.follower.down:
                self._switch_off()
            self.follow()
        elif not answer.result().success:
            self._tell(
                f"{self.follower.title} does not analyze this position: "
                f"`? {answer.result().text[:200]}`.",
                True,
            )

    def _switch_off(self) -> None:
        self.on = False
        self._changed()

    def _frame(self, target: _Target, text: str) -> None:
        if target != self._streaming or target != self._target():
            return
        data = _object(text)
        if data is None:
            return
        node = target[1]
        self._game.emit({"kind": "frame", "rev": self._game.rev, "node": node.id, "data": data})
        chance = share(data.get("chance"))
        if chance is not None:
            first = node.chance is None
            node.chance = chance if data.get("color") == BLACK else round(1 - chance, 4)
            self._game.changes += 1
            if first or time.monotonic() - self._chance_told > _CHANCES_APART:
                self._chance_told = time.monotonic()
                self._game.say_nodes([node])

    async def _warning(
        self, color: str, word: str, at: GameNode | None = None
    ) -> tuple[float, Message] | None:
        """What a word would give away, and the message `sure`; None if the analyst cannot say so.

        at -- the node before it; the shown one if none is given
        """
        try:
            asked = f"{color} {word} {DOUBT:g}"
            response = await self._advice("game-warning", asked, DOUBT, at)
        except (CannotDo, EngineFault):
            return None
        return warning_of(response.text) if response.success and self._may_help() else None

    async def _advice(
        self, command: str, arguments: str, seconds: float, at: GameNode | None = None
    ) -> Response:
        """The answer to a command about a position. Raises EngineFault or CannotDo.

        at -- its node; the shown one if none is given
        """
        self._hinted = self._game.node
        target = self._game.start, at or self._hinted
        try:
            async with self.follower.lock:
                await self._ended()
                engine = await self.follower.ready()
                if command not in self.follower.commands:
                    name = self.follower.title
                    raise CannotDo(f"{name} cannot give hints: it has no command {command}.")
                await self.follower.bring(*target)
                self._check_help()  # a guest may have come meanwhile
                self._asked = engine.send(f"{command} {arguments}", seconds + 2 * PLAIN_TIMEOUT)
                return await self._asked
        finally:
            self._hinted = None
            self.follow()

    async def _review(self, nodes: list[GameNode], visits: int | None) -> None:
        """Raises EngineFault or CannotDo."""
        name, start = self.follower.title, self._game.start
        # An incomplete turn has no end that could be searched.
        total = sum(node.begins for node in nodes) - nodes[-1].open
        done = 0

        def say(over: bool = False) -> None:
            self._game.emit({"kind": "review", "done": done, "total": total, "over": over})

        def report(text: str) -> None:
            nonlocal done
            done += 1
            self._mark(nodes, _object(text))
            say()

        async with self.follower.lock:
            await self._ended()
            engine = await self.follower.ready()
            if "game-review" not in self.follower.commands:
                raise CannotDo(f"{name} cannot review a game: it has no command game-review.")
            await self.follower.bring(start, nodes[-1])
            self._check_help()  # a guest may have come meanwhile
            line = "game-review" if visits is None else f"game-review {visits}"
            self._asked = engine.send(line, None, report)
            say()
            try:
                response = await self._asked
                may_show = response.success and self._may_help()
                if may_show and _REVIEW_PAGE in self.follower.commands:
                    page = await engine.send(_REVIEW_PAGE, PAGE_TIMEOUT)
                    self._page = (self._game.tree, page.text) if page.success else None
            finally:
                say(over=True)
        if not response.success:
            raise CannotDo(f"{name} does not review this game: `? {response.text[:200]}`.")

    def _mark(self, nodes: list[GameNode], found: Message | None) -> None:
        """Store the review of a turn, if it has arrived."""
        if found is None or not isinstance(number := found.get("number"), int):
            return
        if not self._may_help():
            return
        turn = [node for node in nodes if node.number == number and node in self._game.tree]
        if not turn or (before := turn[0].parent) is None:
            return
        before.chance = share(found.get("chance"))
        turn[-1].chance = share(found.get("after"))
        best, why = found.get("best"), found.get("why")
        for node in turn:
            node.loss = share(found.get("loss"))
            node.best = best[:LONGEST_REMARK] if isinstance(best, str) else ""
            node.why = sentences(why)
        self._game.say_nodes([before, *turn])


def _object(text: str) -> Message | None:
    """The JSON object on a line."""
    found = read_json(text)
    return found if isinstance(found, dict) else None
