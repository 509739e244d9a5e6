"""A table without players: it shows a game that is played elsewhere, as far as it is known."""

from itertools import pairwise
from typing import NamedTuple

from gtp_engine.board.table.loading import add_turns, played_tree
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import COLORS, opponent
from gtp_engine.board.table.shown_game import exchanged, view_of
from gtp_engine.board.table.table import Table
from gtp_engine.rules.records.record import WINRATE, Ending, GameStart, Record, RecordNode


class WatchedGame(NamedTuple):
    """A game that is played elsewhere.

    name    -- its identity: games of equal names are one game at two moments
    players -- the names of the engines that began as Black and as White
    turns   -- colors, words and Black's chance, 0 to 1, if known
    ending  -- None before the end
    """

    name: str
    start: GameStart
    players: tuple[str, str]
    turns: tuple[tuple[str, str, float | None], ...]
    ending: Ending | None = None


class WatchTable(Table):
    """Shows watched games; viewers can step through them, and the newest turn is followed."""

    watched: WatchedGame | None = None
    """The shown game."""

    async def show(self, game: WatchedGame) -> None:
        """Show a game at its end, or the new turns of the shown game.

        A viewer at an earlier turn stays there. Raises CannotDo without any change if its turns
        break a rule.
        """
        async with self._game.lock:
            before = self.watched
            if before is not None and before.name == game.name and self._goes_on(game):
                await self._extend(game)
            else:
                await self._begin_watching(game)
        if game != before:
            self.watched = game
            self._news.say_state()

    def state(self) -> Message:
        """The message `state`, with the names of the players and how the game ended."""
        state, game = super().state(), self.watched
        if game is None:
            return state
        node, view = self._game.node, self._game.view
        names = dict(zip(COLORS, game.players))
        turned = exchanged(node)
        for color in COLORS:
            name = names[opponent(color) if turned else color]
            state["seats"][color] = {"kind": "engine", "engine": name, "level": None}
        state["resting"] = False
        if game.ending is not None and not node.children and view["outcome"] is None:
            state["view"] = view | {"outcome": game.ending.shown(view)}
        return state

    async def _begin_watching(self, game: WatchedGame) -> None:
        board = self._game.board
        board.forget()
        try:
            tree, _ = await played_tree(self._game, game.start, _record(game))
            node = tree.end
            (shown,) = await self._game.ask_at(game.start, node, "game-view")
            view = view_of(shown)
        except CannotDo:
            board.forget()
            raise
        self._game.start, self.watched = game.start, game
        self._game.take(tree, node, view)

    def _goes_on(self, game: WatchedGame) -> bool:
        """Whether a game continues the shown one."""
        line = self._game.tree.main_line()
        known = [(node.color, node.word) for node in line]
        return [turn[:2] for turn in game.turns[: len(line)]] == known

    async def _extend(self, game: WatchedGame) -> None:
        """Add the new turns, and go there from the former end. Raises CannotDo."""
        tree = self._game.tree
        end = tree.end
        run = _nodes(game)[len(tree.main_line()) :]
        if not run:
            return
        follows = self._game.node is end
        new = list((await add_turns(self._game, game.start, tree, end, run)).values())
        self._game.say_nodes(new)
        if follows and new:
            await self._game.go(new[-1])
        if len(new) < len(run):
            raise CannotDo(f"A turn of the game breaks a rule: {run[len(new)].word[:60]}.")


def _nodes(game: WatchedGame) -> list[RecordNode]:
    """The turns as nodes of a record without variations."""
    nodes = []
    for color, word, chance in game.turns:
        nodes.append(RecordNode(color, word))
        nodes[-1].put(WINRATE, "" if chance is None else f"{100 * chance:.2f}")
    for node, following in pairwise(nodes):
        node.children = [following]
    return nodes


def _record(game: WatchedGame) -> Record:
    return Record(game.start, RecordNode(children=_nodes(game)[:1]))
