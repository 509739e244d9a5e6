"""A game in the form in which it leaves a table, and comes back to one."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from gtp_engine.board.table.clocks import Clocks
from gtp_engine.board.table.messages import GUEST_PLAYS, CannotDo
from gtp_engine.board.table.players import Players
from gtp_engine.board.table.seat import PERSON, Seat, visible
from gtp_engine.board.table.shown_game import BoardGame, view_of
from gtp_engine.board.table.variations import GameNode, GameTree
from gtp_engine.rules.records.record import GameStart


class Kept(NamedTuple):
    """A game with all that it needs to go on later, at any table.

    node   -- the shown one
    seats  -- by color, as at its start: on the way to a node the players may exchange colors
    paused -- whether its engines are paused
    """

    start: GameStart
    tree: GameTree
    node: GameNode
    seats: Mapping[str, Seat]
    paused: bool


class Keeping:
    """How a table gives its game away to be kept, and takes it back."""

    def __init__(
        self,
        game: BoardGame,
        players: Players,
        clocks: Clocks,
        changed: Callable[[], None],
    ) -> None:
        """Nothing is kept yet; `changed` is called when people have changed their names."""
        self._game, self._players = game, players
        self._clocks, self._changed = clocks, changed

    @property
    def kept(self) -> Kept:
        """The shown game as it is now; its tree goes on changing."""
        game, players = self._game, self._players
        return Kept(game.start, game.tree, game.node, players.at_start(), players.paused)

    @property
    def running(self) -> tuple[float, float] | None:
        """See Clocks.running."""
        return self._clocks.running

    async def resume(self, kept: Kept, guests: Collection[str] = ()) -> None:
        """Show a kept game, which goes on. Raises CannotDo without any change.

        A person takes the seat of an engine that is not here, and that of a guest, unless it is one
        of `guests`, whose invitations go on. No clock runs before the next turn, since nobody may
        be there yet, unless each turn has a time of its own: then nobody need be.
        """
        game, players = self._game, self._players
        known = (None, *players.engines)
        seats = {
            color: _without(seat, guests) if seat.engine in known else PERSON
            for color, seat in kept.seats.items()
        }
        async with game.lock:
            (shown,) = await game.ask_at(kept.start, kept.node, "game-view")
            view = view_of(shown)
            if any(seat.guest for seat in players.seats.values()):  # one has sat down meanwhile
                raise CannotDo(GUEST_PLAYS)
            with players.of_new_game(seats, kept.paused):
                game.start = kept.start
                if kept.tree.timing is None or kept.tree.timing.has_main:
                    self._clocks.hold(kept.node)
                players.adaptive.resume(kept.tree)
                game.take(kept.tree, kept.node, view)

    async def name_people(self, names: Mapping[str, str]) -> None:
        """Name people in the seats, by color."""
        async with self._game.lock:
            self._players.name({color: visible(name) for color, name in names.items()})
            self._changed()


def _without(seat: Seat, guests: Collection[str]) -> Seat:
    """A seat, but no guest's who is not among these."""
    return seat if seat.guest in guests else seat._replace(guest=None)
