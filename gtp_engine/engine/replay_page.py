"""Games as a page that steps through them, with or without a review.

The page shows the tree of a game: a node for each step, and those of the better lines beside it,
each with the view that a front end gets of it.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from gtp_engine.base.numbers import number_of
from gtp_engine.engine.game_review import BLUNDER, MISTAKE, TurnReview, reviewed_numbers
from gtp_engine.engine.page.bundle import packed, page_with
from gtp_engine.engine.pictures.loader import look_text
from gtp_engine.engine.record_writing import Form, record_of, written
from gtp_engine.engine.session import Session, State
from gtp_engine.engine.view.facts import Json, drawn
from gtp_engine.engine.view.view import view
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.notation.turns import PASS_WORD, SEPARATOR, Unreadable
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.records.marks import shown_marks
from gtp_engine.rules.records.record import LINE, LOSING, Ending, RecordNode
from gtp_engine.rules.step import SWAP_SIDES, IllegalStep
from gtp_engine.search.budget import Budget
from gtp_engine.search.tree import value_for

# Most turns of a better line shown on the board.
_LONGEST_LINE = 6


class Listed(NamedTuple):
    """How a page of several games lists one of them.

    number -- what links to the game call it: `#game=12`
    text   -- the game in a line: its board and its players
    result -- as in a record
    """

    number: int
    text: str
    result: str


MOST_BYTES = 16_000_000
"""The most bytes of the games on a page; a first game has room in any case."""

_ALONE = Listed(1, "", "")


class GamesPage:
    """A page in the making. Each game is compressed as it comes."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._list: list[Json] = []
        self._rules: dict[str, Json] = {}
        self._games: dict[str, str] = {}

    def add(self, session: Session, ending: Ending | None = None, listed: Listed = _ALONE) -> bool:
        """Add a game, with the variations of its record. Returns False if there is no room for it.

        ending -- None where the rules have ended the game
        """
        replay = _Replay(session)
        if ending is not None:
            replay.end(ending)
        return self._add(replay, session.game, listed)

    def add_review(self, session: Session, found: Sequence[TurnReview], budget: Budget) -> None:
        """Add a game with the search results for its turns.

        found  -- the reviewed turns, at least one
        budget -- the limit of each search
        """
        replay = _Replay(session)
        numbers = reviewed_numbers(session)
        replay.review(found, numbers)
        how = _how(budget, len(found), len(numbers))
        self._add(replay, session.game, _ALONE, how)

    def _add(self, replay: "_Replay", game: Game, listed: Listed, reviewed: str = "") -> bool:
        part = packed(replay.told(self._title, reviewed))
        if self._games and sum(map(len, self._games.values())) + len(part) > MOST_BYTES:
            return False
        self._games[f"game-{listed.number}"] = part
        self._list.append({"game": listed.number, "text": listed.text, "result": listed.result})
        self._rules.setdefault(game.name, _rules(game))
        return True

    def html(self) -> str:
        """The page, in ASCII. It shows the first game until a link or its reader names another."""
        shared = {"look": json.loads(look_text()), "rules": self._rules, "list": self._list}
        return page_with(self._title, {"enclosed": packed(shared)} | self._games)


def replay_page(session: Session) -> str:
    """The page of a game, with the variations of its record."""
    page = GamesPage("Replay")
    page.add(session)
    return page.html()


def review_page(session: Session, found: Sequence[TurnReview], budget: Budget) -> str:
    """The page of a game with the search results for its turns; see GamesPage.add_review."""
    page = GamesPage("Review")
    page.add_review(session, found, budget)
    return page.html()


def _rules(game: Game) -> Json:
    """The rules of a game as a server tells them."""
    rules = rule_text(game)
    return {
        "kind": "rules",
        "game": game.name,
        "sentences": [each._asdict() for each in rules.sentences],
        "summary": rules.short,
    }


def _how(budget: Budget, found: int, total: int) -> str:
    """A sentence about the search."""
    turns = "Every turn was" if found == total else f"The first {found} of {total} turns were"
    share = f"{MISTAKE:.0%}".replace("%", " %")
    return (
        f"{turns} searched with {how_searched(budget)} per position. "
        f"Turns that lost {share} or more are listed."
    )


def how_searched(budget: Budget) -> str:
    """The limits of a search in words."""
    visits = None if budget.visits is None else number_of(budget.visits, "visit")
    seconds = None if budget.seconds is None else f"{budget.seconds:g} seconds"
    seconds = "1 second" if seconds == "1 seconds" else seconds
    return ", at most ".join(filter(None, (visits, seconds)))


class _Replay:
    """The nodes of a game with its variations and their views, played once more from the start."""

    def __init__(self, session: Session) -> None:
        self._session, self._record = session, record_of(session)
        self._now = Session(session.game, session.position.size)
        self._now.set_position(session.state.start)
        self._nodes: list[Json] = []
        self._views: list[Json] = []
        self._states: list[State] = []
        self._pieces: dict[tuple[Any, ...], int] = {}
        self._frames: dict[int, Json] = {}
        self._ends: list[int] = []
        """The last nodes of the turns of the main line; the first is the start."""
        self._left_out = 0
        self._add(None, "", "").update(self._said(self._record.root))
        self._play_out()

    def _play_out(self) -> None:
        """Play the record: first the main line, then the variations, the latest first."""
        last, node = self._nodes[0], self._record.root
        beside: list[tuple[Json, RecordNode]] = []
        while True:
            following, before = node.following, last
            beside += [(last, each) for each in reversed(node.children) if each is not following]
            if following is None:
                break
            if not self._after_end(last, following):
                last = self._play_node(last, following)
            if last["number"] != before["number"]:
                self._ends.append(before["id"])
            node = following
        self._ends.append(last["id"])
        while beside:
            parent, node = beside.pop()
            try:
                last = self._play_node(parent, node)
            except (IllegalStep, Unreadable):
                self._left_out += 1
            else:
                beside += [(last, each) for each in reversed(node.children)]

    def _after_end(self, parent: Json, node: RecordNode) -> bool:
        """Whether a node is one of the passes that match runners add after the end."""
        return node.word == PASS_WORD and self._views[parent["id"]]["outcome"] is not None

    def _play_node(self, parent: Json, node: RecordNode) -> Json:
        """Add the nodes of a turn of the record, or of a part of one. Returns the last one."""
        last = self._play(parent, node.color, node.word)
        last |= {"by": node.author, "chance": node.chance, **self._said(node)}
        if node.chance is not None and node.visits is not None:
            line = node.text(LINE).split() or [node.word]
            color, expected = Color.parse(node.color), self._expected(parent, line)
            found = _frame(color, node.chance, None, node.visits, expected)
            self._frames.setdefault(parent["id"], found)
        return last

    def _expected(self, parent: Json, line: Sequence[str]) -> Json:
        """The turns that a search expects after a node, the first one by itself, too."""
        steps = drawn(self._session.game, line, begun=parent["open"])
        return {"turn": line[0], "pv": line, "drawn": steps}

    def _said(self, node: RecordNode) -> Json:
        """What people have said and drawn at a node."""
        marks = shown_marks(node.properties, self._session.position.size)
        return {"comment": node.comment, **({"marks": marks} if marks else {})}

    def end(self, ending: Ending) -> None:
        """Show how a game ended that the rules have not ended."""
        view = self._views[self._ends[-1]]
        view["outcome"] = ending.shown(view)

    def review(self, found: Sequence[TurnReview], numbers: Sequence[int]) -> None:
        """Show the search results of the first turns and the better lines, and no others.

        numbers -- of the reviewed turns in the game
        """
        self._frames.clear()
        for end in self._ends:
            self._nodes[end]["chance"] = None
        shown = 0
        for number, each in zip(numbers, found):
            # Turns without a choice, which no review has, change no chance.
            for start in self._ends[shown:number]:
                known = {"chance": each.chance, "proven": each.proven is not None}
                self._nodes[start] |= known
            shown = number + 1
            before, end = self._ends[number - 1], self._ends[number]
            expected = self._expected(self._nodes[before], each.best_line)
            self._frames[before] = _frame(
                each.color, each.chance, each.proven, each.visits, expected
            )
            told = {"loss": each.loss, "best": each.best, "why": each.why}
            if each.word != each.best:
                told["better"] = self._line(each, before, end)
            turn = self._nodes[before + 1 : end + 1]
            for node in turn:
                node |= told
            # After a swap of sides the curve shows the other player's chance.
            turn[-1] |= {"chance": each.after, "proven": each.after_proven is not None}

    def _line(self, each: TurnReview, before: int, end: int) -> int | None:
        """Add the better line of a turn. Returns its first node, None if there is none."""
        last, first = self._nodes[before], len(self._nodes)
        for word in each.best_line[:_LONGEST_LINE]:
            color = str(self._states[last["id"]].frame.position.to_move)
            try:
                last = self._play(last, color, word)
            except (IllegalStep, Unreadable):
                break
        for node in self._nodes[first:]:
            node |= {"instead": end, "listed": each.loss >= MISTAKE}
        return first if len(self._nodes) > first else None

    def _play(self, parent: Json, color: str, turn: str) -> Json:
        """Add a node for each step of a turn. Returns the last one.

        Raises IllegalStep or Unreadable without any change.
        """
        self._now.state, mover = self._states[parent["id"]], Color.parse(color)
        # In our notation: what is forced is played with the step before it.
        for word in self._now.follow(mover, turn).word.split(SEPARATOR):
            self._now.repeat(mover, word)
            parent = self._add(parent, color, word)
        return parent

    def _add(self, parent: Json | None, color: str, word: str) -> Json:
        """Add a node for the present state."""
        shown = view(self._now)
        node: Json = {
            "id": len(self._nodes),
            "parent": None,
            "color": color,
            "word": word,
            "number": 0,
            "open": shown["turn"]["open"],
            "exchanged": False,
        }
        if parent is not None:
            begins = not parent["open"] or parent["parent"] is None or word in LOSING
            node |= {"parent": parent["id"], "number": parent["number"] + begins}
            node["exchanged"] = parent["exchanged"] != (word == str(SWAP_SIDES))
        self._nodes.append(node)
        self._states.append(self._now.state)
        # Nothing can be clicked, and most pieces stand in many views.
        pieces = [self._piece(piece) for piece in shown["pieces"]]
        shown |= {"rev": node["id"], "options": [], "tools": [], "pieces": pieces}
        self._views.append(shown)
        return node

    def _piece(self, piece: Json) -> int:
        return self._pieces.setdefault(tuple(piece.items()), len(self._pieces))

    def told(self, title: str, reviewed: str) -> Json:
        """The game as `playback.js` reads it."""
        root = self._record.root
        return {
            "hello": {
                "kind": "hello",
                "title": title,
                "engines": [],
                "catalog": None,
                "mistake": MISTAKE,
                "blunder": BLUNDER,
                "readonly": True,
                "date": root.text("DT"),
                "reviewed": reviewed,
            },
            "players": {str(color): root.text(f"P{color.sign}") for color in Color},
            "left_out": self._left_out,
            "nodes": self._nodes,
            "ends": self._ends,
            "views": self._views,
            "pieces": [dict(piece) for piece in self._pieces],
            "frames": self._frames,
            "records": {form.value: _saved(self._session, form) for form in _FORMS},
        }


_FORMS = (Form.PLAIN, Form.DISPLAY)


def _saved(session: Session, form: Form) -> Json:
    """The game as a file for *Save*."""
    name = f"{session.game.name}-{session.position.size}.sgf"
    text = written(session, form).text
    return {"kind": "record", "name": name, "text": text, "type": "application/x-go-sgf"}


def _frame(color: Color, chance: float, proven: float | None, visits: int, expected: Json) -> Json:
    """The result of a search as a report of an analysis; the chances given are those of BLACK."""
    told = {
        "chance": value_for(color, chance),
        "proven": None if proven is None else value_for(color, proven),
        "visits": visits,
    }
    return {"color": str(color), "turns": [expected | told], **told}
