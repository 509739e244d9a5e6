"""One game at a board, and everything people can do with it."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from typing import Any

from gtp_engine.board.table.adaptive import SharedLevel
from gtp_engine.board.table.analyst import Analyst
from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.clocks import Clocks
from gtp_engine.board.table.engines import ANALYST, Engines
from gtp_engine.board.table.game_list import GameList
from gtp_engine.board.table.guesses import Guesses
from gtp_engine.board.table.loading import ReadGame, open_record, read_game
from gtp_engine.board.table.messages import (
    GUEST_PLAYS,
    INFO,
    NO_HELP,
    CannotDo,
    Listener,
    Message,
    told,
)
from gtp_engine.board.table.mistakes import Mistakes
from gtp_engine.board.table.news import News
from gtp_engine.board.table.players import Players
from gtp_engine.board.table.saving import REVIEW, Records, learn_result, saved_review
from gtp_engine.board.table.seat import Seat
from gtp_engine.board.table.shown_game import SWAP_NOTES, BoardGame
from gtp_engine.board.table.stored_game import Keeping
from gtp_engine.board.table.study import Study
from gtp_engine.board.table.variations import GameNode, readable
from gtp_engine.gtp.client.child import Launch
from gtp_engine.rules.records.record import PIES, TIMEOUT, GameStart


class Table:
    """A game that people view and play, with engines reached only through GTP.

    Methods with `rev` compare it with the table's: an outdated one plays nothing and gets the
    newest `state` as its answer. All actions are coroutines and may run at the same time. Changes
    of the board run one after the other; long ones (`hint`, `review`) do not block others. Run each
    in its own task. They return the message for the caller alone, or None; the listeners receive:

    state    -- when the position, the seats or the thinking player changes
    nodes    -- when the tree changes; it precedes the `state` that refers to it
    frame    -- of the analysis; only the newest matters
    told     -- sentences, for example about failed engines
    console  -- a line to or from an engine
    review   -- progress of a review: `done` of `total` turns, and whether it is `over`

    An impossible action raises CannotDo with a sentence. `tell`: see News; `keeping`: see Keeping.
    """

    def __init__(
        self,
        engines: Mapping[str, Launch],
        *,
        board: Launch | None = None,
        analyst: Launch | None = None,
        shared_level: SharedLevel | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a table for `start`: see Engines; `engines` are those that can play.

        shared_level -- what it shares with other tables of the adaptive level
        """
        self._games = GameList({})
        self._news = news = News(self.state)
        self.tell, self.tell_after_state = news.tell, news.tell_after_state
        self._engines = Engines(engines, board, analyst, news, self._say_state, now)
        self._game = BoardGame(
            self._engines.board,
            news.emit,
            self._moved,
            lambda node: self._clocks.leave(node),
        )
        self._records = Records(self._game, self._engines.reader)
        self.study = Study(self._game, self.check_help)
        self._clocks = clocks = Clocks(self._game, lambda: self._players.drop(), now)
        self._players = Players(
            self._game,
            self._engines.players,
            news.tell,
            self._say_state,
            clocks.clock,
            shared_level or SharedLevel(),
        )
        self.keeping = Keeping(self._game, self._players, clocks, self._say_state)
        self.adaptive = self._players.adaptive
        self._stop_adapting = self.adaptive.shared_level.listen(self._say_state)
        self._analyst = Analyst(
            self._engines.analyst,
            self._game,
            news.tell,
            self._say_state,
            lambda: self.may_help,
        )
        self._taken_back_to: GameNode | None = None
        self.mistakes = Mistakes(self._game, self._analyst, lambda: self.catalog)
        self.guesses = Guesses(self._game, self._analyst)

    @property
    def catalog(self) -> Message:
        """The board engine's reply to `game-catalog`, with the adaptive level; empty at first."""
        return self._games.message

    @property
    def rev(self) -> int:
        """Number of changes of the shown position."""
        return self._game.rev

    @property
    def view(self) -> Message:
        """The view of the shown position."""
        return self._game.view

    @property
    def slow(self) -> bool:
        """Whether each turn has a time of its own, such as days."""
        timing = self._game.tree.timing
        return timing is not None and not timing.has_main

    @property
    def over(self) -> bool:
        """Whether the game is over, wherever people look: its main line, or the line shown.

        What is played beside that is analysis.
        """
        return self._game.tree.is_over(self._game.node)

    @property
    def begun(self) -> bool:
        """Whether anything was played, or a position set up."""
        return len(self._game.tree) > 1 or bool(self._game.start.position)

    @property
    def shared(self) -> bool:
        """Whether a guest plays a game that is not over."""
        return not self.over and self._players.guests

    @property
    def may_help(self) -> bool:
        """Whether engines, and games of the past, may help people here: not while a guest plays.

        Whatever helps asks this before it begins, and before it tells what it has found.
        """
        return not self.shared

    def check_help(self) -> None:
        """Raises CannotDo where nothing may help; see `may_help`."""
        if not self.may_help:
            raise CannotDo(NO_HELP)

    def keep_pace(self, seconds: float) -> None:
        """Let turns take at least so many seconds while engines play both colors."""
        self._players.pace = seconds

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to all messages from now on. Returns a function that unsubscribes."""
        return self._news.listen(listener)

    def state(self) -> Message:
        """The message `state` as it is now.

        rev       -- number of changes of the position; a step states the `rev` it is made for
        view      -- from the board engine; its own `rev` is different
        tree node -- number of games so far, and the shown node
        over      -- the game is over, though perhaps not at the shown node
        thinking  -- color, engine and seconds so far of the thinking engine, or None
        adaptive  -- the number of the level that an adaptive engine has now, or None
        paused    -- engines are paused
        reviewed  -- the last review can be saved as a page
        resting   -- an engine is to move here, but does not think
        clock     -- None, or the fields of the Timing; the seconds that `black` and `white` have
                     left; `running`, the color that loses time now, or None
        start     -- the position text of the start, "" for the usual one
        handicap  -- the number of Black's extra turns before the start
        swap_note -- the effect of a swap just played on the players, or None
        engines   -- as returned by `engines`
        """
        node = self._game.node
        return {
            "kind": "state",
            "rev": self._game.rev,
            "view": self._game.view,
            "tree": self._game.trees,
            "node": node.id,
            "over": self.over,
            "seats": self._players.shown_seats(),
            "adaptive": self.adaptive.level,
            "thinking": self._players.shown(),
            "paused": self._players.paused,
            "resting": self._players.resting,
            "analysing": self._analyst.on,
            "reviewing": self._analyst.reviewing,
            "reviewed": self._analyst.review_page is not None,
            "can_undo": node.parent is not None,
            "can_redo": bool(node.children),
            "clock": self._clocks.shown(),
            "swap_note": SWAP_NOTES.get(node.word),
            "pie": self._game.start.pie,
            "start": self._game.start.position,
            "handicap": self._game.handicap,
            "engines": self._engines.shown(),
        }

    def nodes(self) -> Message:
        """The message `nodes` with the whole tree, and `reset` true."""
        return self._game.nodes()

    def engines(self) -> list[Message]:
        """For each engine `name`, `title`, `running`, `down`, `fault` and `missing` (sentences)."""
        return self._engines.shown()

    def console_tail(self) -> list[Message]:
        """The last messages `console`, for a new viewer."""
        return self._news.console_tail()

    async def start(self, game: str | None = None, size: int | None = None) -> None:
        """Start the board engine and a game, by default the catalog's. Raises CannotDo."""
        self._games = GameList(self.adaptive.offered(await self._game.catalog()))
        async with self._game.lock:
            await self._game.begin(self._games.start(game, size, PIES[0]))

    async def close(self) -> None:
        """End all engines."""
        self._stop_adapting()
        self._clocks.stop()
        self._players.rest()
        self._players.drop()
        self._analyst.on = False
        await self._engines.close()

    async def step(
        self, rev: int, word: str, check: Callable[[], None] | None = None
    ) -> Message | None:
        """Play a word for the color to move. Returns `refused`, or None if it was played.

        check -- raises CannotDo if whoever sent the word may not play it in that position
        """
        async with self._game.lock:
            if rev != self.rev:
                return self.state()
            if check is not None:
                check()
            self._players.check_idle()
            color = self._game.node.to_move
            return await self._game.objected(color, word) or await self._game.play(color, word)

    async def attempt(
        self, rev: int, word: str, most: float, check: Callable[[], None] | None = None
    ) -> Message | None:
        """Like `step`; but `sure` is the answer if a person's word gives away `most` or more."""
        node, clocks = self._game.node, self._clocks.shown()
        doubts = rev == self.rev and self._players.person_at(node) and not clocks
        sure = await self._analyst.doubt(node.to_move, word, most) if doubts else None
        return sure or await self.step(rev, word, check)

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
        """Go back; see Players.earlier."""
        async with self._game.lock:
            await self._go_back(self._players.earlier(self._game.node))

    async def take_back(self, color: str | None) -> None:
        """Go back from where the game stands, and remove what was played after that: it goes on.

        color -- of the player who takes back; None for somebody who plays neither
        """
        game = self._game
        async with game.lock:
            tree, last = game.tree, self._stands
            node = self._players.earlier(last, color)
            await self._go_back(node)
            dropped = list[int]()
            while following := [each for each in last.path() if each.parent is node]:
                dropped += tree.drop(*following)
                last = tree.end if tree.end.over else tree.root
            self._say_tree(gone=dropped)

    def check_taking_back(self, color: str | None) -> None:
        """Raises CannotDo if the player of a color has nothing to take back."""
        self._players.earlier(self._stands, color)

    @property
    def _stands(self) -> GameNode:
        """Where the game stands: at its end, also while people look at a turn before that."""
        node, end = self._game.node, self._game.tree.end
        return end if end.over and node in (self._game.tree.root, *end.path()) else node

    async def _go_back(self, node: GameNode) -> None:
        if not self._players.people:
            self._players.rest()
        self._clocks.urge(node)
        await self._game.go(node)
        self._taken_back_to = node

    async def redo(self) -> None:
        """Go forward along the line left last, as far as `undo` goes back."""
        async with self._game.lock:
            await self._game.go(self._players.later(self._game.node))

    async def goto(self, node: int) -> None:
        """Go to a node."""
        async with self._game.lock:
            await self._game.go(self._game.tree.node(node))

    async def new_game(
        self,
        game: str,
        size: int,
        pie: str,
        black: Seat,
        white: Seat,
        timing: Timing | None = None,
        handicap: int = 0,
    ) -> None:
        """Start another game; with a handicap Black has had so many extra turns."""
        start, found = await self._game.handicapped(self._games.start(game, size, pie), handicap)
        await self._begin(start, self._players.checked(black, white), found, timing)

    async def new_game_alike(self, black: Seat, white: Seat) -> None:
        """Start another game with the game, size, pie rule and clock of this one."""
        start, timing = self._game.start, self._game.tree.timing
        await self.new_game(start.game, start.size, start.pie, black, white, timing)

    async def set_seats(self, black: Seat, white: Seat) -> None:
        """Change the players; an engine that loses its seat while thinking is interrupted."""
        seats = self._players.checked(black, white)
        async with self._game.lock:
            self._players.sit(seats)
            self._analyst.follow()
            self._say_state()

    async def resign(self, color: str) -> None:
        """Resign for a color; if an engine is thinking for the other, after its turn."""
        async with self._game.lock:
            await self._players.resign(color)

    async def claim(self, color: str, check: Callable[[], None]) -> None:
        """End the game against a color that is to move and whose player is away.

        check -- raises CannotDo if it is not away, or not for long enough

        Raises CannotDo.
        """
        async with self._game.lock:
            node = self._game.node
            check()
            if node.over:
                raise CannotDo("The game is over.")
            if node.parent is None or node.to_move != color:
                raise CannotDo("A game can be claimed only after a turn of your own.")
            await self._game.play(color, TIMEOUT)

    async def hint(self, seconds: float = 1.0) -> Message:
        """Where to look, what to play, and why: the message `hint`."""
        return await self._analyst.hint(seconds)

    async def analyse(self, on: bool) -> None:
        """Switch the analysis on or off."""
        if on:
            self.check_help()
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
        """Pause the engines, or let the game go on from the shown position."""
        if on:
            self._players.rest()
        else:
            self._players.urge()
            self._clocks.urge(self._game.node)
        self._players.drive()
        self._say_state()

    async def interrupt(self) -> None:
        """Let the thinking engine play now; otherwise end a hint or a review."""
        if not (self._players.interrupt() or self._analyst.interrupt()):
            raise CannotDo("No engine is thinking now.")

    async def comment(self, node: int, text: str) -> None:
        """Set the comment of a node."""
        found = self._game.tree.node(node)
        self._game.tree.comment(found, readable(text))
        self._game.say_nodes([found])

    async def drop(self, node: int) -> None:
        """Remove a node and everything after it."""
        async with self._game.lock:
            tree, game = self._game.tree, self._game
            found = tree.node(node)
            if found in tree.end.path():
                self._check_kept()
            if found.parent is not None and found in game.node.path():
                self._players.rest()
                await game.go(found.parent)
            gone = tree.drop(found)
            try:
                await learn_result(game)
            finally:
                self._say_tree(gone=gone)

    async def promote(self, node: int) -> None:
        """Make the line to a node the first one at each branch."""
        async with self._game.lock:
            self._check_kept()
            changed = self._game.tree.promote(self._game.tree.node(node))
            try:
                await learn_result(self._game)
            finally:
                self._say_tree(changed)

    def _check_kept(self) -> None:
        """Raises CannotDo where a guest would have to agree to another end of the game."""
        if self._players.guests and self._game.tree.end.over:
            raise CannotDo("The game against a guest stays. You can take back its last turn.")

    async def open_record(self, source: bytes | str) -> None:
        """Open a game from the content of an SGF file, with its variations and comments."""
        async with self._engines.reader() as reader:
            await open_record(self._game, reader, source, self._hold)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Callable[[str], Awaitable[ReadGame]]]:
        """See loading.Reading; the shown game goes on meanwhile."""
        async with self._engines.reader() as reader:
            yield partial(read_game, self._game, reader)

    async def save_record(self, form: str) -> Message:
        """The message `record`: `plain`, `display` for viewers of Go records, or `page`.

        `review` is the page of the last review. Raises CannotDo.
        """
        if form == REVIEW:
            record = saved_review(self._game.start, self._analyst.review_page)
        else:
            record = await self._records.saved(form)
        return record | {"form": form}

    async def set_position(self, text: str) -> None:
        """Start from a position text; the players stay."""
        await self._begin(self._games.start_at(text, self._game.start.pie))

    async def link(self, game: str, size: int, position: str) -> None:
        """Show the position of a link, if it differs from the shown one.

        An engine that is to move there waits until it is asked to play.
        """
        view = self._game.view
        if position and position != view.get("position"):
            start = self._games.start_at(position, self._game.start.pie)
            await self._begin(start, found=self._players.hold)
        elif not position and (game, size) != (view["game"]["name"], view["game"]["size"]):
            await self._begin(self._games.start(game, size, self._game.start.pie))

    async def picture(self) -> str:
        """The board as text, as `showboard` draws it."""
        async with self._game.lock:
            return await self._game.picture()

    async def rules(self) -> Message:
        """The message `rules` of the shown game."""
        sentences = await self.read("game-rule_sentences") or []
        name = self._game.start.game
        summary = await self.read("game-summary") or self._games.entry(name).get("summary", [])
        return {"kind": "rules", "game": name, "sentences": sentences, "summary": summary}

    async def read(self, line: str, timeout: float | None = None) -> Any:
        """See BoardGame.read."""
        return await self._game.read(line, timeout)

    async def review(self, visits: int | None = None) -> None:
        """Search every turn of the shown line; nodes get chance, loss and best."""
        await self._analyst.review(visits)

    async def restart(self, engine: str) -> None:
        """Restart an engine at the shown position. Other names: board, analyst."""
        follower = self._engines.named(engine)
        self._players.drop(engine)
        await follower.restart()
        if follower is self._engines.board:
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
        own = self._engines.named(engine) is self._engines.board
        async with self._game.lock if own else nullcontext():
            await self._engines.say(engine, line)
        if engine == ANALYST:
            self._analyst.renew()

    async def commands(self, engine: str) -> Message:
        """The message `commands`: the engine's reply to `game-commands` or `list_commands`."""
        return await self._engines.commands(engine)

    async def _begin(
        self,
        start: GameStart,
        seats: dict[str, Seat] | None = None,
        found: Callable[[GameNode], None] | None = None,
        timing: Timing | None = None,
    ) -> None:
        """Start another game: see Players.of_new_game and BoardGame.begin."""
        async with self._game.lock:
            with self._players.of_new_game(seats):
                await self._game.begin(start, found, timing)

    def _hold(self, node: GameNode) -> None:
        """Let no engine play at a node of a record, and no clock run.

        Raises CannotDo if a guest has sat down while the record was read.
        """
        if self.shared:
            raise CannotDo(GUEST_PLAYS)
        self._players.hold(node)
        self._clocks.hold(node)

    def _moved(self) -> None:
        """React to a change of the shown position."""
        self._lead()
        self._players.follow()
        if self._game.played and self._players.is_person(self._game.node.to_move):
            self._clocks.urge(self._game.node)
        self._analyst.follow()
        self._say_state()

    def _lead(self) -> None:
        """Have the line of a turn that was just played as the main line, if the game is there.

        People without an opponent may analyze: so their line must end, or replace what was taken
        back or left in the middle of a turn. What is played beside a game that is over, or beside
        the main line of a record, is analysis.
        """
        game, tree, node = self._game, self._game.tree, self._game.node
        follows = game.played and node.parent is self._taken_back_to
        new = game.played and node is game.added
        self._taken_back_to = node if follows and not new else None
        if not new or tree.end is node or tree.end.over:
            return
        if tree.opened and (tree.read_end or tree.root) not in [tree.root, *node.path()]:
            return
        if node.over or follows or tree.left_open(node) or self._players.opposed:
            game.say_nodes(tree.promote(node))

    def _say_tree(self, changed: Sequence[GameNode] = (), gone: Sequence[int] = ()) -> None:
        """Announce nodes that have changed or are gone: whether the game is over may be new."""
        self._game.say_nodes(list(changed), list(gone))
        self._analyst.follow()
        self._say_state()

    def _say_state(self) -> None:
        """Announce the state, once there is a game."""
        self._game.changes += 1
        if self._game.view:
            self._clocks.follow(self._players.paused)
            self._news.say_state()
