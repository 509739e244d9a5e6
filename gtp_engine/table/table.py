"""One game at a board, and everything people can do with it."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any

from gtp_engine.gtp.faults import EngineFault
from gtp_engine.table.follower import Follower, GameStart
from gtp_engine.table.messages import (
    INFO,
    CannotDo,
    Message,
    Seat,
    told,
)
from gtp_engine.table.opening import REVIEW, open_record, saved
from gtp_engine.table.shown_game import RESIGN, checked_position, read_json
from gtp_engine.table.surroundings import ANALYST, LONGEST_LINE_SHOWN, PIES, Surroundings
from gtp_engine.table.variations import GameNode


class Table(Surroundings):
    """A game that people view and play, with engines reached only through GTP.

    Methods with `rev` compare it with the table's: an outdated one plays nothing and gets the
    newest `state` as its answer. All actions are coroutines and may run at the same time. Changes
    of the board run one after the other; long actions (`hint`, `review`) do not block others. Run
    each in its own task. They return the message for the caller alone, or None; the listeners
    receive:

    state    -- when the position, the seats or the thinking player changes
    nodes    -- when the tree changes; it precedes the `state` that refers to it
    frame    -- of the analysis; only the newest matters
    told     -- sentences, for example about failed engines
    console  -- a line to or from an engine
    review   -- progress of a review: `done` of `total` turns, and whether it is `over`

    An impossible action raises CannotDo with a sentence.
    """

    async def start(self, game: str | None = None, size: int | None = None) -> None:
        """Start the board engine and a game, by default the catalog's. Raises CannotDo."""
        self.catalog = await self._game.catalog()
        name = game or self.catalog["default_game"]
        size = self._listed(name)["default_size"] if size is None else size
        self._check_size(name, size)
        async with self._game.lock:
            await self._game.begin(GameStart(name, size, PIES[0]))

    async def close(self) -> None:
        """End all engines."""
        self._players.rest()
        self._players.drop()
        self._analyst.on = False
        for follower in self._all.values():
            follower.down = True  # so that no waiting caller starts it again
        for follower in self._all.values():
            await follower.close()

    async def step(self, rev: int, word: str) -> Message | None:
        """Play a word for the color to move. Returns `refused`, or None if it was played."""
        async with self._game.lock:
            if rev != self.rev:
                return self.state()
            now = self._players.thinking
            if now is not None:
                who = f"{now.seat.engine} is thinking for {self._game.title(now.color)}"
                raise CannotDo(f"{who}: wait, interrupt it, or take its seat.")
            return await self._game.play(self._game.node.to_move, word)

    async def why(self, rev: int, word: str) -> Message:
        """Explain why a word is illegal: `refused`, or `told` that it is legal."""
        async with self._game.lock:
            if rev != self.rev:
                return self.state()
            refused = await self._game.why(self._game.node.to_move, word)
            return refused or told(INFO, f"{word} is legal.")

    async def preview(self, rev: int, word: str) -> Message:
        """The message `preview` with the view after a word; or `refused`."""
        async with self._game.lock:
            if rev != self.rev:
                return self.state()
            return await self._game.preview(self._game.node.to_move, word)

    async def undo(self) -> None:
        """Go back one position; if people play, to the last position with a person to move."""
        async with self._game.lock:
            node = self._game.node.parent
            if node is None:
                raise CannotDo("This is the start of the game.")
            if self._with_people():
                while not self._for_person(node) and node.parent is not None:
                    node = node.parent
            else:
                self._players.rest()
            await self._game.go(node)

    async def redo(self) -> None:
        """Go forward along the line left last, as far as `undo` goes back."""
        async with self._game.lock:
            line = self._game.node.line()
            if not line:
                raise CannotDo("There is no turn to play again here.")
            node = line[0]
            if self._with_people():
                node = next((each for each in line if self._for_person(each)), line[-1])
            await self._game.go(node)

    async def goto(self, node: int) -> None:
        """Go to a node."""
        async with self._game.lock:
            await self._game.go(self._game.tree.node(node))

    async def new_game(self, game: str, size: int, pie: str, black: Seat, white: Seat) -> None:
        """Start another game."""
        seats = self._players.checked(black, white)
        self._check_size(game, size)
        if pie not in PIES:
            raise CannotDo("The pie rule must be pieces, sides or off.")
        await self._begin(GameStart(game, size, pie), seats)

    async def set_seats(self, black: Seat, white: Seat) -> None:
        """Change the players; an engine that loses its seat while thinking is interrupted."""
        seats = self._players.checked(black, white)
        async with self._game.lock:
            color = self._game.node.to_move
            changed = seats[color] != self._players.seats[color]
            self._players.seats = seats
            if changed:
                self._players.urge()
            self._players.drive()
            self._say_state()

    async def resign(self, color: str) -> None:
        """Resign for a color; if an engine is thinking for the other, after its turn."""
        async with self._game.lock:
            node = self._game.node
            if node.over:
                raise CannotDo("The game is over.")
            if color == node.to_move:
                self._players.drop()
                await self._game.play(color, RESIGN)
                return
            if self._players.thinking is None:
                raise CannotDo(f"{self._game.title(color)} can resign only on its own turn.")
            self._resigning = node, color
            self._players.interrupt()

    async def hint(self, seconds: float = 1.0) -> Message:
        """The analyst's best turn, and why: the message `hint`."""
        return await self._analyst.hint(seconds)

    async def analyse(self, on: bool) -> None:
        """Switch the analysis on or off."""
        self._analyst.on = on
        self._analyst.follow()
        self._say_state()

    async def renew_analysis(self) -> None:
        """Begin the analysis of the shown position anew, if it is on: the engine has changed."""
        if self._analyst.on:
            await self.analyse(False)
            await self.analyse(True)

    async def set_visible(self, on: bool) -> None:
        """Report whether anybody looks: the analysis pauses if nobody does."""
        self._analyst.visible = on
        self._analyst.follow()

    async def pause(self, on: bool) -> None:
        """Pause the engines, or let them play on from the shown position."""
        if on:
            self._players.rest()
        else:
            self._players.urge()
        self._players.drive()
        self._say_state()

    async def interrupt(self) -> None:
        """Let the thinking engine play now; otherwise end a hint or a review."""
        if not (self._players.interrupt() or self._analyst.interrupt()):
            raise CannotDo("No engine is thinking now.")

    async def comment(self, node: int, text: str) -> None:
        """Set the comment of a node."""
        found = self._game.tree.node(node)
        self._game.tree.comment(found, text)
        self._game.say_nodes([found])

    async def drop(self, node: int) -> None:
        """Remove a node and everything after it."""
        async with self._game.lock:
            tree, game = self._game.tree, self._game
            found = tree.node(node)
            if found.parent is not None and found in game.node.path():
                self._players.rest()
                await game.go(found.parent)
            self._game.say_nodes([], tree.drop(found))
            self._say_state()

    async def promote(self, node: int) -> None:
        """Make the line to a node the first one at each branch."""
        self._game.say_nodes(self._game.tree.promote(self._game.tree.node(node)))

    async def open_record(self, source: bytes | str) -> None:
        """Open a game from the content of an SGF file, with its variations and comments."""
        async with self._game.lock:
            lost = await open_record(self._game, source, self._players.hold)
        self._tell_lost("The record was opened", lost)

    async def save_record(self, form: str) -> Message:
        """The message `record`: `plain`, `display` for viewers of Go records, or `review`.

        `review` is the page of the last review. Raises CannotDo.
        """
        if form == REVIEW:
            page = self._analyst.review_page
            if page is None:
                raise CannotDo("This game has not been reviewed yet.")
            start = self._game.start
            name = f"review-{start.game}-{start.size}.html"
            return {"kind": "record", "name": name, "text": page, "type": "text/html"}
        async with self._game.lock:
            message, lost = await saved(self._game, form, self._names())
        self._tell_lost("The record was saved", lost)
        return message

    def _tell_lost(self, done: str, lost: list[str]) -> None:
        if lost:
            self._tell(f"{done}, but not all of it: {'; '.join(lost)}.", False)

    async def set_position(self, text: str) -> None:
        """Start from a position text; the players stay."""
        await self._begin(self._start_at(text))

    async def link(self, game: str, size: int, position: str) -> None:
        """Show the position of a link, if it differs from the shown one.

        An engine that is to move there waits until it is asked to play.
        """
        view = self._game.view
        if position and position != view.get("position"):
            await self._begin(self._start_at(position), found=self._players.hold)
        elif not position and (game, size) != (view["game"]["name"], view["game"]["size"]):
            self._check_size(game, size)
            await self._begin(GameStart(game, size, self._game.start.pie))

    async def picture(self) -> str:
        """The board as text, as `showboard` draws it."""
        if "showboard" not in self._board.commands:
            raise CannotDo(
                "The board engine cannot draw the board as text: it has no command showboard."
            )
        async with self._game.lock:
            (answer,) = await self._game.ask("showboard")
        return answer.text

    async def rules(self) -> Message:
        """The message `rules` of the shown game."""
        async with self._game.lock:
            sentences: Any = []
            if "game-rule_sentences" in self._board.commands:
                (answer,) = await self._game.ask("game-rule_sentences")
                sentences = (read_json(answer.text) if answer.success else None) or []
            name = self._game.start.game
        summary = self._listed(name).get("summary", [])
        return {"kind": "rules", "game": name, "sentences": sentences, "summary": summary}

    async def review(self, visits: int | None = None) -> None:
        """Search every turn of the shown line; nodes get chance, loss and best."""
        await self._analyst.review(visits)

    async def restart(self, engine: str) -> None:
        """Restart an engine at the shown position. Other names: board, analyst."""
        follower = self._named(engine)
        now = self._players.thinking
        if now is not None and now.seat.engine == engine:
            self._players.drop()
        await follower.restart()
        if follower is self._board:
            async with self._game.lock:
                await self._game.ask("game-view")
        self._players.revive(engine)
        self._players.drive()
        self._analyst.follow()
        self._say_state()

    async def console(self, engine: str, line: str) -> None:
        """Send a line to an engine; the response arrives as `console`. The caller filters commands.

        Effects on the engine's game are undone when the engine is needed again.
        """
        follower = self._named(engine)
        if len(line) > LONGEST_LINE_SHOWN or not line.isascii() or not line.isprintable():
            raise CannotDo("A line for an engine must be plain text, and not too long.")
        async with self._game.lock if follower is self._board else nullcontext():
            await _ready(follower)
            follower.say(line)
        if engine == ANALYST:
            self._analyst.renew()

    async def commands(self, engine: str) -> Message:
        """The message `commands`: the engine's reply to `game-commands` or `list_commands`."""
        follower = self._named(engine)
        await _ready(follower)
        known: Any = [{"name": name} for name in sorted(follower.commands)]
        if "game-commands" in follower.commands:
            (answer,) = await follower.ask_all(["game-commands"])
            known = (read_json(answer.text) if answer.success else None) or known
        return {"kind": "commands", "engine": engine, "list": known}

    def _names(self) -> dict[str, str]:
        """The names of the players for a record, by color; "" for people."""
        return {color: seat.engine or "" for color, seat in self._players.seats.items()}

    def _start_at(self, text: str) -> GameStart:
        """The start of a game from a position text. Raises CannotDo."""
        line = checked_position(text)
        words = line.split()
        if len(words) < 4 or not words[1].isascii() or not words[1].isdigit():
            raise CannotDo("A position consists of game, size, rows and color to move.")
        self._listed(words[0])
        return GameStart(words[0], int(words[1][:9]), self._game.start.pie, line)

    async def _begin(
        self,
        start: GameStart,
        seats: dict[str, Seat] | None = None,
        found: Callable[[GameNode], None] | None = None,
    ) -> None:
        """Start another game. Raises CannotDo without any change.

        seats -- of the players; None for those of now
        found -- see BoardGame.begin
        """
        async with self._game.lock:
            players = self._players
            before = players.seats, players.paused, self._exchanged
            players.drop()
            players.seats, players.paused = seats or players.seats, False
            self._exchanged = False
            try:
                await self._game.begin(start, found)
            except CannotDo:
                players.seats, players.paused, self._exchanged = before
                players.drive()
                raise

    def _moved(self) -> None:
        super()._moved()
        node = self._game.node
        resigning, self._resigning = self._resigning, None
        if resigning is not None and node.parent is resigning[0] and not node.over:
            if node.to_move != resigning[1]:
                self._resigning = node, resigning[1]
                return
            task = asyncio.create_task(self._give_up(node, resigning[1]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _give_up(self, node: GameNode, color: str) -> None:
        with suppress(CannotDo):
            if self._game.node is node:
                await self.resign(color)


async def _ready(follower: Follower) -> None:
    """Start an engine if necessary. Raises CannotDo."""
    try:
        await follower.ready()
    except EngineFault as fault:
        raise CannotDo(f"{fault}.") from None
