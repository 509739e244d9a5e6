"""The game as the board engine sees it: tree, current node and view."""

import asyncio
import json
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import COLORS
from gtp_engine.board.table.variations import GameNode, GameTree, visit
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules.records.marks import MOST_MARKS, MOST_MARKS_IN_ALL, shown_marks
from gtp_engine.rules.records.record import GameStart

SWAP_SIDES = "swap-sides"
"""The word by which the players exchange colors (notation.md)."""

SWAP = "swap"

SWAP_NOTES = {
    SWAP: "The pieces have changed color. The players keep their colors.",
    SWAP_SIDES: "The players have exchanged colors.",
}
"""What a swap that was just played means for the players."""

LONGEST_WORD = 4000
LONGEST_POSITION = 120_000
"""Characters of a position text."""

_WORD = re.compile(r"[!-\"$-~]+")  # a single word of a line, without blanks and comments
_LINE = re.compile(r"[ -\"$-~]+")


Found = Callable[[GameNode], None]
"""Receives the first node of a game before it is shown."""


class BoardGame:
    """The shown game. Hold `lock` to change it.

    board -- the engine that checks turns and provides the view
    emit  -- sends a message to all listeners
    moved -- called after each change of the position
    leaving -- called before it, with the node that will be shown
    played -- whether the node is shown because its turn was played
    added -- the last node that a turn played here has added
    rev   -- number of changes of the position
    trees -- number of games so far
    changes -- number of changes of all that a record of the game says
    """

    def __init__(
        self,
        board: Follower,
        emit: Callable[[Message], None],
        moved: Callable[[], None],
        leaving: Callable[[GameNode], None],
    ) -> None:
        self.board, self.emit, self.moved, self.leaving = board, emit, moved, leaving
        self.played = False
        self.added: GameNode | None = None
        self.lock = asyncio.Lock()
        self.tree = GameTree()
        self.node = self.tree.root
        self.start = GameStart("", 0, "pieces")
        self.view: Message = {}
        self.rev = self.trees = self.changes = 0

    def beside(self, board: Follower) -> "BoardGame":
        """A board for another game, which nobody sees before it is shown here; see `take`.

        board -- its engine
        """
        other = BoardGame(board, lambda message: None, lambda: None, lambda node: None)
        other.tree = GameTree(self.tree.ids)
        return other

    @property
    def over(self) -> bool:
        """Whether the game is over at the current node."""
        return self.node.over

    def title(self, color: str) -> str:
        """The game's name for a player."""
        match self.view:
            case {"game": {"colors": colors}} if isinstance(colors, dict):
                match colors.get(color):
                    case {"title": str(title)}:
                        return title
        return color.capitalize()

    async def catalog(self) -> Message:
        """The board engine's reply to `game-catalog`. Raises CannotDo."""
        try:
            await self.board.ready()
            (answer,) = await self.board.ask_all(["game-catalog"])
        except EngineFault as fault:
            raise CannotDo(f"{fault.brief}.") from None
        match read_json(answer.text) if answer.success else None:
            case {"games": [_, *_] as games, "default_game": str()} as found:
                if all(map(_is_listed, games)):
                    return cast(Message, found)
        raise CannotDo("The board engine's game-catalog cannot be read.")

    async def handicapped(self, start: GameStart, extra: int) -> tuple[GameStart, Found | None]:
        """The start after extra turns of Black, for `begin`. Raises CannotDo."""
        if not extra:
            return start, None
        async with self.lock:
            (answer,) = await self.ask(f"game-handicap {start.game} {start.size} {extra}")
        if not answer.success:
            raise CannotDo(f"{answer.text[:200]}.")
        handicap = str(extra + 1)  # the number of stones, as in Go
        begun = start._replace(position=checked_position(answer.text))
        return begun, lambda root: root.read.put("HA", handicap)

    @property
    def handicap(self) -> int:
        """The number of Black's extra turns before the start, as the record tells it."""
        stones = self.tree.root.read.text("HA")
        return int(stones) - 1 if re.fullmatch("[2-9]", stones) else 0

    async def ask(self, *lines: str, timeout: float | None = None) -> list[Response]:
        """Ask the board engine at the current node; see ask_at. Raises CannotDo."""
        return await self.ask_at(self.start, self.node, *lines, timeout=timeout)

    async def ask_at(
        self, start: GameStart, node: GameNode, *lines: str, timeout: float | None = None
    ) -> list[Response]:
        """Ask the board engine at a node; after a failure it is restarted once. Raises CannotDo.

        timeout -- seconds for each line; None for the usual ones
        """
        for attempt in (1, 2):
            try:
                await self.board.ready()
                await self.board.bring(start, node)
                return await self.board.ask_all(lines, timeout)
            except EngineFault as fault:
                if attempt == 2 or self.board.down:
                    raise CannotDo(f"{fault.brief}.") from None
            except CannotDo:
                self.board.forget()
                raise
        raise AssertionError

    async def begin(
        self,
        start: GameStart,
        found: Found | None = None,
        timing: Timing | None = None,
    ) -> None:
        """Start another game. Raises CannotDo without any change.

        found   -- receives the first node before it is shown
        timing -- the time of the players
        """
        tree = GameTree(self.tree.ids)
        tree.timing = timing
        self.board.forget()
        try:
            view = view_of((await self.ask_at(start, tree.root, "game-view"))[0])
        except CannotDo:
            self.board.forget()
            raise
        self.start = agreed(start, view)
        self.board.stand(self.start, tree.root)
        if found is not None:
            found(tree.root)
        self.take(tree, tree.root, view)

    def take(self, tree: GameTree, node: GameNode, view: Message, played: bool = False) -> None:
        """Show a node of a tree where the board engine already is, and announce it.

        played -- its turn has just been played
        """
        self.played = played
        self.leaving(node)
        reset = tree is not self.tree
        self.trees += reset
        self.tree, self.node, self.view = tree, node, view
        learn(node, view)
        visit(node)
        self.rev += 1
        self.changes += 1
        if reset:
            self.emit(self.nodes())
        self.moved()

    async def play(self, color: str, word: str) -> Message | None:
        """Play a word; a new node is added unless the current node has that child.

        Returns `refused` if it is illegal. Raises CannotDo.
        """
        if (refusal := self._unreadable(word)) is not None:
            return refusal
        parent = self.node
        played, shown = await self.ask(f"play {color} {word}", "game-view")
        if not played.success:
            return await self.objection(color, word, played.text)
        self.board.forget()
        view = view_of(shown)
        said = _said(parent, color, word, view, self.view)
        child = self.tree.child(parent, color, said)
        known = child is not None
        if child is None:
            child = self.added = self.tree.add(parent, color, said)
            learn(child, view)
        self.board.stand(self.start, child)
        self.take(self.tree, child, view, played=True)
        if not known:
            self.say_nodes([child])
        return None

    async def go(self, node: GameNode) -> None:
        """Go to a node. Raises CannotDo."""
        if node is self.node:
            return
        view = view_of((await self.ask_at(self.start, node, "game-view"))[0])
        self.take(self.tree, node, view)

    async def objection(
        self,
        color: str,
        word: str,
        reason: str = "illegal move",
        place: tuple[GameStart, GameNode] | None = None,
    ) -> Message:
        """The message `refused` for a word, with an explanation by the rules; here or elsewhere."""
        refused = self._refused(word, f"{word}: {reason}.")
        if "game-objection" not in self.board.commands:
            return refused
        start, node = place or (self.start, self.node)
        (answer,) = await self.ask_at(start, node, f"game-objection {color} {word}")
        if not answer.success:
            return refused | {"text": f"{word[:60]} is not a turn here."}
        found = read_json(answer.text)
        if not isinstance(found, dict):
            return refused
        keys = ("rule", "text", "points", "instead")
        return refused | {key: found[key] for key in keys if key in found}

    async def objected(self, color: str, word: str) -> Message | None:
        """The message `refused` if a person may not play a word; None if `play` will tell.

        Engines say some turns in clicks. A person who types a point means a step with that name.
        """
        if word in steps_offered(self.view) or "game-objection" not in self.board.commands:
            return None
        return await self.why(color, word)

    async def why(self, color: str, word: str) -> Message | None:
        """The message `refused` for an illegal word; None for a legal one."""
        if (refusal := self._unreadable(word)) is not None:
            return refusal
        if "game-objection" not in self.board.commands:
            raise CannotDo(f"{self.board.title} cannot explain: it has no command game-objection.")
        (answer,) = await self.ask(f"game-objection {color} {word}")
        if answer.success and read_json(answer.text) is None:
            return None
        return await self.objection(color, word)

    async def preview(self, color: str, word: str) -> Message:
        """The message `preview`, or `refused`. Raises CannotDo."""
        if (refusal := self._unreadable(word)) is not None:
            return refusal
        if "game-preview" not in self.board.commands:
            raise CannotDo(f"{self.board.title} has no previews: it has no command game-preview.")
        (answer,) = await self.ask(f"game-preview {color} {word}")
        if not answer.success:
            return await self.objection(color, word, answer.text)
        found = read_json(answer.text)
        if not isinstance(found, dict) or "view" not in found:
            raise CannotDo(f"{self.board.title} returned an unreadable preview.")
        return {"kind": "preview", "rev": self.rev, "word": word, "view": found["view"]}

    async def picture(self) -> str:
        """The board as text, as `showboard` draws it. Raises CannotDo."""
        if "showboard" not in self.board.commands:
            raise CannotDo(
                "The board engine cannot draw the board as text: it has no command showboard."
            )
        (answer,) = await self.ask("showboard")
        return answer.text

    async def read(self, line: str, timeout: float | None = None) -> Any:
        """The JSON in the board engine's reply; None if it fails or has no such command.

        timeout -- seconds for the reply; None for the usual ones
        """
        if line.split()[0] not in self.board.commands:
            return None
        async with self.lock:
            (answer,) = await self.ask(line, timeout=timeout)
        return (read_json(answer.text) if answer.success else None) or None

    def nodes(self) -> Message:
        """The message `nodes` with the whole tree."""
        return {"kind": "nodes", "reset": True, "set": self._shown(self.tree), "drop": []}

    def say_nodes(self, nodes: list[GameNode], drop: list[int] | None = None) -> None:
        """Announce changes of the tree."""
        self.changes += 1
        told = {"kind": "nodes", "reset": False, "set": self._shown(nodes), "drop": drop or []}
        self.emit(told)

    def _shown(self, nodes: Iterable[GameNode]) -> list[Message]:
        """Nodes in the form of messages, with their marks; a file may hold too many to show all."""
        found, left = [], MOST_MARKS_IN_ALL
        for node in nodes:
            marks = shown_marks(node.read.properties, self.start.size, min(left, MOST_MARKS))
            left -= len(marks)
            found.append(node.shown() | {"marks": marks})
        return found

    def _unreadable(self, word: str) -> Message | None:
        if len(word) <= LONGEST_WORD and _WORD.fullmatch(word):
            return None
        return self._refused(word[:60], "A turn is one word, without blanks.")

    def _refused(self, word: str, text: str) -> Message:
        return {
            "kind": "refused",
            "rev": self.rev,
            "word": word,
            "rule": None,
            "text": text,
            "points": [],
            "instead": [],
        }


def exchanged(node: GameNode) -> bool:
    """Whether the players have exchanged colors on the way to a node."""
    return sum(each.word == SWAP_SIDES for each in node.path()) % 2 == 1


def checked_position(text: str) -> str:
    """A position text on one line. Raises CannotDo for text that cannot be a position."""
    line = " ".join(text.split())
    if not line or len(line) > LONGEST_POSITION or not _LINE.fullmatch(line):
        raise CannotDo("That is not a position: a position is one line of printable ASCII.")
    return line


def _is_listed(game: Any) -> bool:
    match game:
        case {"name": str(), "default_size": int(), "sizes": [int(), int()]}:
            return True
    return False


def steps_offered(view: Message) -> set[str]:
    """The steps that a view offers."""
    found, waiting = set[str](), [*view.get("options", ()), *view.get("buttons", ())]
    while waiting:
        match waiting.pop():
            case {"then": list(following)}:
                waiting += following
            case {"step": str(step)}:
                found.add(step)
    return found


def view_of(response: Response) -> Message:
    """The view in a response to `game-view`. Raises CannotDo."""
    view = read_json(response.text) if response.success else None
    match view:
        case {
            "game": {"name": str(), "size": int()},
            "turn": {"to_move": str(color), "open": bool()},
            "position": str(),
        } if color in COLORS:
            return cast(Message, view)
    said = response.text[:200]
    raise CannotDo(f"The board engine's reply to `game-view` cannot be read: `{said}`.")


def read_json(text: str) -> Any:
    """The JSON value in a text; \"\" where there is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return ""


def agreed(start: GameStart, view: Message) -> GameStart:
    """The start as the board engine understood it."""
    game = view["game"]
    return GameStart(game["name"], game["size"], start.pie, start.position)


def learn(node: GameNode, view: Message) -> None:
    """Copy what the tree stores from the view of a node."""
    node.open = view["turn"]["open"]
    node.to_move = view["turn"]["to_move"]
    outcome = view.get("outcome")
    node.over = outcome is not None
    result = outcome.get("result") if isinstance(outcome, dict) else None
    node.result = result if isinstance(result, str) else ""


def _said(parent: GameNode, color: str, word: str, view: Message, before: Message) -> str:
    """The word in the engine's notation; as it was sent if that is unknown."""
    last = view.get("last")
    written = last.get("turn") if isinstance(last, dict) and last.get("color") == color else None
    if not isinstance(written, str) or not _WORD.fullmatch(written):
        return word
    if not parent.open:
        return written
    earlier = before.get("last")
    begun = earlier.get("turn") if isinstance(earlier, dict) else None
    if isinstance(begun, str) and written.startswith(f"{begun}/"):
        return written.removeprefix(f"{begun}/")
    return word
