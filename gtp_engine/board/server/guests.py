"""Guests at a table: each plays its color, some things need consent, and some must wait."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from itertools import count
from typing import NamedTuple

from gtp_engine.board.server.gate import HOST
from gtp_engine.board.server.page_messages import KINDS, RATE_OF_PHRASES, Shared
from gtp_engine.board.server.token_limits import Allowance
from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.messages import GUEST_PLAYS, INFO, CannotDo, Message, told
from gtp_engine.board.table.seat import BLACK, COLORS, PERSON, Seat, opponent
from gtp_engine.board.table.table import Table

_MOST_QUESTIONS = 3  # of a role, in one position: it may take back what it asks for

_SWAPS = {"pieces": "swap pieces", "sides": "swap sides", "off": "no swap"}

_Act = Callable[[Message], Awaitable[Message | None]]


class Proposal(NamedTuple):
    """A request that waits for consent.

    number -- tells it from others
    by     -- the role that asks
    to     -- the roles that have yet to agree
    rev    -- the position in which it was made; it ends with this position
    guests -- who had a seat then; it ends when another one has
    """

    number: int
    message: Message
    by: str
    to: tuple[str, ...]
    rev: int
    guests: frozenset[str]
    text: str


class Guests:
    """The guests of a table; without any, everything passes."""

    def __init__(
        self,
        table: Table,
        tell: Callable[[Message], None],
        act: _Act,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Watch a table.

        tell -- sends a message to all pages
        act  -- does what was agreed
        now  -- the clock by which a player may speak again
        """
        self._phrases = {role: Allowance(*RATE_OF_PHRASES, now) for role in (HOST, *COLORS)}
        self._table, self._tell, self._act = table, tell, act
        self._proposal: Proposal | None = None
        self._numbers = count(1)
        self._declined: tuple[int, str] | None = None
        self._asked: Counter[tuple[int, str]] = Counter()
        self._displaced: dict[str, Seat] = {}
        table.listen(self._heard)

    def message(self) -> Message:
        """The message `asked`: who asks whom for what; empty if nobody does."""
        proposal = self._proposal
        if proposal is None:
            return {"kind": "asked", "number": 0, "by": None, "to": [], "text": ""}
        return {"kind": "asked"} | {
            name: getattr(proposal, name) for name in ("number", "by", "to", "text")
        }

    def permits(self, role: str, message: Message) -> bool:
        """Whether a request is to be done now; False if others were asked to agree.

        Raises CannotDo if it is not allowed.
        """
        kind = message["kind"]
        if kind in ("new", "seats"):
            self._check_seats(role, message)
        if not self.active and role == HOST:
            return True
        if kind == "step":
            self.check_turn(role)
        if kind == "resign" and self._player(message["color"]) != role:
            raise CannotDo("You do not play this color.")
        if kind == "names" and any(self._player(color) != role for color in message["names"]):
            raise CannotDo("You do not play this color.")
        if kind == "new" and role != HOST:
            self._keep_names(role, message)
        shared = KINDS[kind].shared
        if shared is Shared.CONSENT:
            return self._needs_nobody(role, message) or self._ask(role, message)
        if _only_ends(message):
            return True
        if shared is Shared.NEVER or (shared is Shared.OVER and not self._table.over):
            raise CannotDo(GUEST_PLAYS)
        return True

    def check_turn(self, role: str) -> None:
        """Raises CannotDo if another role is to move, while guests play."""
        if (self.active or role != HOST) and self._player(self._to_move) != role:
            raise CannotDo("It is not your turn.")

    async def agree(self, role: str, number: int, yes: bool) -> None:
        """Answer a question: do what was asked for, or not. Raises CannotDo."""
        proposal = self._proposal
        if proposal is None or role not in (proposal.by, *proposal.to):
            raise CannotDo("Nobody asks you.")
        if number != proposal.number:
            raise CannotDo("That question has ended. There is another one.")
        agreed = yes and role in proposal.to
        others = tuple(each for each in proposal.to if each != role)
        self._proposal = proposal._replace(to=others) if agreed and others else None
        self._tell(self.message())
        if agreed and not others:
            await self._do(proposal)
        elif not agreed and role != proposal.by:
            self._declined = proposal.rev, proposal.by
            self._tell(told(INFO, f"{self._name(role)} does not agree."))

    def say(self, role: str, phrase: str) -> None:
        """Tell all pages a phrase of a player; nobody keeps it. Raises CannotDo."""
        against = self.opponent(role)
        if against is None:
            raise CannotDo("Phrases are for a game against another person.")
        if not self._phrases[role].take():
            raise CannotDo("You have said much. You can speak again in a few seconds.")
        self._tell({"kind": "said", "color": opponent(against[0]), "phrase": phrase})

    async def _do(self, proposal: Proposal) -> None:
        """Do what all have agreed to, if it is still allowed. Raises CannotDo."""
        message = proposal.message
        if message["kind"] == "undo":
            await self._table.take_back(self._color(proposal.by))
            return
        if message["kind"] == "new":
            self._check_seats(proposal.by, message)
        await self._act(message)

    async def seat(self, color: str, there: bool) -> None:
        """Give a seat to a guest, or take it back. Raises CannotDo.

        When a guest comes, the analysis ends, and the engines play. A game that is over stays as it
        is: another one of its kind begins for the guest. Whom a guest displaced without playing a
        turn gets the seat back, else a person here gets it.
        """
        seats = self._seats
        if not there:
            back = self._displaced.pop(color, PERSON)
            held = next((c for c in COLORS if seats[c].guest == color), None)
            if held is not None:
                await self._table.set_seats(*(seats | {held: back}).values())
            return
        if seats[color].guest or color in self._guests:
            raise CannotDo("A guest has this seat already.")
        if over := self._table.over:
            seats = _engine_at(seats, color)
        begin = self._table.new_game_alike if over else self._table.set_seats
        await begin(*(seats | {color: Seat(guest=color)}).values())
        self._displaced[color] = seats[color]
        await self._table.analyse(False)
        await self._table.pause(False)
        if over:
            text = "A new game has begun. The last one is in My games."
            self._table.tell_after_state(text, False)

    def has_played(self, role: str) -> None:
        """Note that a role has played: a guest who has keeps no seat for anybody."""
        self._displaced.pop(role, None)

    @property
    def asked(self) -> bool:
        """Whether somebody asks for something."""
        return self._proposal is not None

    @property
    def active(self) -> bool:
        """Whether a guest has a seat."""
        return bool(self._guests)

    @property
    def _seats(self) -> dict[str, Seat]:
        shown = self._table.state()["seats"]
        return {color: Seat.read(shown[color]) for color in COLORS}

    @property
    def _guests(self) -> set[str]:
        return {seat.guest for seat in self._seats.values() if seat.guest}

    @property
    def _to_move(self) -> str:
        return str(self._table.view["turn"]["to_move"])

    def _player(self, color: str) -> str:
        """The role that plays a color; an engine plays for the host."""
        return self._seats[color].guest or HOST

    def _color(self, role: str) -> str | None:
        """The color that a role plays as a person; None for none."""
        seats = self._seats
        return next((c for c in COLORS if seats[c].is_human and self._player(c) == role), None)

    def _name(self, role: str) -> str:
        color = self._color(role)
        if color is None:
            return "The host"
        return str(self._table.view["game"]["colors"][color]["title"])

    def opponent(self, role: str) -> tuple[str, str] | None:
        """The color against which a role plays, and the role that has it; None without a guest."""
        own = self._color(role)
        if not self.active or own is None:
            return None
        other = opponent(own)
        return (other, self._player(other)) if self._seats[other].is_human else None

    def _needs_nobody(self, role: str, message: Message) -> bool:
        """Whether nobody is asked.

        So it is for a step of one's own turn that is taken back, for an empty board that the host
        replaces, and for the end of a pause.
        """
        if message["kind"] == "pause":
            return not message["on"]
        if message["kind"] == "undo":
            return self._table.view["turn"]["open"] and self._player(self._to_move) == role
        state = self._table.state()
        return role == HOST and not (state["can_undo"] or state["can_redo"])

    def _check_seats(self, role: str, message: Message) -> None:
        """Guests keep their seats, or exchange colors. Raises CannotDo."""
        asked = [Seat.read(message[color]) for color in COLORS]
        guests = {seat.guest for seat in asked if seat.guest}
        if guests and not self.active:
            raise CannotDo("The guest is not invited any more.")
        if guests != self._guests or len([1 for seat in asked if seat.guest]) != len(guests):
            raise CannotDo(GUEST_PLAYS)
        if role != HOST and _unnamed(asked) != _unnamed(self._seats.values()):
            raise CannotDo("A guest cannot choose other players.")

    def _keep_names(self, role: str, message: Message) -> None:
        """Undo what a guest's request changes in the names of others."""
        names = {seat.guest: seat.name for seat in self._seats.values() if seat.is_human}
        for color in COLORS:
            seat = Seat.read(message[color])
            if seat.is_human and seat.guest != role:
                message[color] = seat._replace(name=names[seat.guest]).shown()

    def _ask(self, role: str, message: Message) -> bool:
        """Ask the others; True if there is nobody to ask."""
        others = {self._player(color) for color in COLORS if self._seats[color].is_human} - {role}
        to = others or ({HOST} if role != HOST else set())
        if not to:
            return True
        rev = self._table.rev
        if message["kind"] == "undo":
            self._table.check_taking_back(self._color(role))
        if self._declined == (rev, role):
            raise CannotDo("They do not agree. You can ask again after the next turn.")
        self._asked = Counter({key: count for key, count in self._asked.items() if key[0] == rev})
        self._asked[rev, role] += 1
        if self._asked[rev, role] > _MOST_QUESTIONS:
            raise CannotDo("You have asked often. You can ask again after the next turn.")
        what = {"undo": "take back a turn", "pause": "stop both clocks"}.get(message["kind"])
        what = what or f"play {_game(message, self._table.catalog)}"
        text = f"{self._name(role)} asks to {what}."
        guests = frozenset(self._guests)
        asked = tuple(sorted(to))
        self._proposal = Proposal(next(self._numbers), message, role, asked, rev, guests, text)
        self._tell(self.message())
        return False

    def _heard(self, message: Message) -> None:
        proposal = self._proposal
        if message["kind"] != "state" or proposal is None:
            return
        if message["rev"] != proposal.rev or self._guests != proposal.guests:
            self._proposal = None
            self._tell(self.message())


def _only_ends(message: Message) -> bool:
    """Whether a request ends what was on before the guest came."""
    match message:
        case {"kind": "analyse" | "pause", "on": False} | {"kind": "exercise", "id": None}:
            return True
    return False


def _engine_at(seats: dict[str, Seat], color: str) -> dict[str, Seat]:
    """The seats, exchanged if the host would lose the only person's seat to a guest of a color."""
    lost = seats[color].is_human and not seats[opponent(color)].is_human
    return {each: seats[opponent(each)] for each in COLORS} if lost else seats


def _unnamed(seats: Iterable[Seat]) -> list[Seat]:
    """Seats in some order, without the names of people."""
    return sorted((seat._replace(name="") for seat in seats), key=repr)


def _game(new: Message, catalog: Message) -> str:
    """A new game in words."""
    name, size, clock = new["game"], new["size"], new.get("clock")
    entry = next((each for each in catalog["games"] if each["name"] == name), {"title": name})
    words = f"a new game of {entry['title']} {size} \N{MULTIPLICATION SIGN} {size}"
    if extra := new.get("handicap"):
        words += f", {entry.get('colors', {}).get(BLACK, 'Black')} +{extra} and no swap"
    elif entry.get("pie"):
        words += f", {_SWAPS[new['pie']]}"
    if clock is not None:
        words += f", {Timing.read(clock).words}"
    return words
