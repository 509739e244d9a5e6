"""A game as a page that steps through it, with or without a review.

The page shows the tree of the game: a node for each step, and those of the better lines beside it,
each with the view that a front end gets of it.
"""

from collections.abc import Sequence
from typing import Any

from gtp_engine.board.color import Color
from gtp_engine.engine.game_review import TurnReview, reviewed_turns
from gtp_engine.engine.scenes import shown_turns
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import author_of, thought_of
from gtp_engine.engine.view.things import Json
from gtp_engine.engine.view.view import view
from gtp_engine.notation.items import SEPARATOR, Unreadable
from gtp_engine.notation.rule_text import rule_text
from gtp_engine.numbers import finite, number_of
from gtp_engine.page.bundle import page_with
from gtp_engine.records.sgf import Form, Properties, Remarks, sgf_text
from gtp_engine.rules.step import SWAP_SIDES, IllegalStep
from gtp_engine.search.budget import Budget
from gtp_engine.search.tree import value_for

COSTLY = 0.05
"""Losses from here on are mistakes, as in the page's `turns.js`."""

# Black's chance in percent, also used by Sabaki; and comments for people.
_CHANCE, _COMMENT = "SBKV", "C"

# Most turns of a better line shown on the board.
_LONGEST_LINE = 6


def replay_page(session: Session, remarks: Remarks, ending: tuple[str, str] | None = None) -> str:
    """The page of a game that was loaded from a file.

    remarks -- of its file
    ending  -- the result and its reason, where the rules have not ended the game
    """
    replay = _Replay(session, remarks)
    if ending is not None:
        replay.end(*ending)
    return page_with(replay.told("Replay"))


def review_page(
    session: Session, remarks: Remarks, found: Sequence[TurnReview], budget: Budget
) -> str:
    """The page of a game with the search results for its turns.

    found  -- the reviewed turns, at least one
    budget -- the limit of each search
    """
    replay = _Replay(session, remarks)
    replay.review(found)
    return page_with(replay.told("Review", _how(budget, len(found), len(reviewed_turns(session)))))


def _how(budget: Budget, found: int, total: int) -> str:
    """A sentence about the search."""
    visits = None if budget.visits is None else number_of(budget.visits, "visit")
    seconds = None if budget.seconds is None else f"{budget.seconds:g} seconds"
    seconds = "1 second" if seconds == "1 seconds" else seconds
    bound = ", at most ".join(filter(None, (visits, seconds)))
    turns = "Every turn was" if found == total else f"The first {found} of {total} turns were"
    share = f"{COSTLY:.0%}".replace("%", " %")
    return (
        f"{turns} searched with {bound} per position. Turns that lost {share} or more are listed."
    )


class _Replay:
    """The nodes of a game and their views, played once more from the start."""

    def __init__(self, session: Session, remarks: Remarks) -> None:
        self._game, self._root = session, remarks.get(0, {})
        self._now = Session(session.game, session.position.size)
        self._now.set_position(session.state.start)
        self._nodes: list[Json] = []
        self._views: list[Json] = []
        self._pieces: dict[tuple[Any, ...], int] = {}
        self._frames: dict[int, Json] = {}
        start = self._add(None, None, "", 0)
        start |= {"comment": self._root.get(_COMMENT, ""), "chance": None}
        self._ends = [0]
        """The last nodes of the turns; the first is the start."""
        self._starts = [self._now.state]
        plays = 0
        for turn in shown_turns(session):
            nodes = [remarks.get(plays + number, {}) for number in range(1, len(turn.plays) + 1)]
            plays += len(turn.plays)
            last = self._play(turn.color, turn.word, self._ends[-1], len(self._ends))
            last |= {"by": author_of(turn), "chance": _chance(nodes)}
            last["comment"] = "\n".join(filter(None, (node.get(_COMMENT) for node in nodes)))
            if (thought := thought_of(turn)) is not None:
                line = thought.line.split() or [turn.word]
                frame = _frame(turn.color, thought.value, None, thought.visits, line)
                self._frames[self._ends[-1]] = frame
            self._ends.append(last["id"])
            self._starts.append(self._now.state)

    def end(self, result: str, reason: str) -> None:
        """Show the result of a game that the rules have not ended."""
        self._views[self._ends[-1]]["outcome"] = {
            "winner": {"B": "black", "W": "white"}.get(result[:1]),
            "result": result,
            "text": f"{reason[:1].upper()}{reason[1:]}",
            "rule": None,
            "points": [],
        }

    def review(self, found: Sequence[TurnReview]) -> None:
        """Show the search results of the first turns and the better lines, and no others."""
        self._frames.clear()
        for end in self._ends:
            self._nodes[end]["chance"] = None
        self._nodes[0] |= {"chance": found[0].chance, "proven": found[0].proven is not None}
        for number, each in enumerate(found, 1):
            before, end = self._ends[number - 1 : number + 1]
            self._frames[before] = _frame(
                each.color, each.chance, each.proven, each.visits, each.best_line
            )
            turn = self._nodes[before + 1 : end + 1]
            told = {"loss": each.loss, "best": each.best, "why": each.why}
            if each.word != each.best:
                told["better"] = self._line(each, number, before, end)
            for node in turn:
                node |= told
            # After a swap of sides the curve shows the other player's chance.
            turn[-1] |= {"chance": each.after, "proven": each.after_proven is not None}

    def _line(self, each: TurnReview, number: int, before: int, end: int) -> int | None:
        """Add the better line of a turn. Returns its first node, None if there is none."""
        self._now.state, first = self._starts[number - 1], len(self._nodes)
        for word in each.best_line[:_LONGEST_LINE]:
            try:
                last = self._play(self._now.position.to_move, word, before, number)
            except (IllegalStep, Unreadable):
                break
            before, number = last["id"], number + 1
        for node in self._nodes[first:]:
            node |= {"instead": end, "listed": each.loss >= COSTLY}
        return first if len(self._nodes) > first else None

    def _play(self, color: Color, turn: str, parent: int, number: int) -> Json:
        """Add a node for each step of a turn. Returns the last one."""
        for word in turn.split(SEPARATOR):
            self._now.play(color, word, at=0.0)
            node = self._add(parent, color, word, number)
            parent = node["id"]
        return node

    def _add(self, parent: int | None, color: Color | None, word: str, number: int) -> Json:
        shown = view(self._now)
        exchanged = parent is not None and self._nodes[parent]["exchanged"]
        node = {
            "id": len(self._nodes),
            "parent": parent,
            "color": "" if color is None else str(color),
            "word": word,
            "number": number,
            "open": shown["turn"]["open"],
            "exchanged": exchanged != (word == str(SWAP_SIDES)),
        }
        self._nodes.append(node)
        # Nothing can be clicked, and most pieces stand in many views.
        pieces = [self._piece(piece) for piece in shown["pieces"]]
        shown |= {"rev": node["id"], "options": [], "tools": [], "pieces": pieces}
        self._views.append(shown)
        return node

    def _piece(self, piece: Json) -> int:
        return self._pieces.setdefault(tuple(piece.items()), len(self._pieces))

    def told(self, title: str, reviewed: str = "") -> Json:
        """The game as `playback.js` reads it."""
        game = self._game.game
        rules = rule_text(game)
        return {
            "hello": {
                "kind": "hello",
                "title": title,
                "engines": [],
                "catalog": None,
                "readonly": True,
                "date": self._root.get("DT", ""),
                "reviewed": reviewed,
            },
            "rules": {
                "kind": "rules",
                "game": game.name,
                "sentences": [each._asdict() for each in rules.sentences],
                "summary": rules.short,
            },
            "players": {str(color): self._root.get(f"P{color.sign}", "") for color in Color},
            "nodes": self._nodes,
            "ends": self._ends,
            "views": self._views,
            "pieces": [dict(piece) for piece in self._pieces],
            "frames": self._frames,
            "records": {form.value: _record(self._game, form) for form in _FORMS},
        }


_FORMS = (Form.PLAIN, Form.DISPLAY)


def _record(session: Session, form: Form) -> Json:
    """The game as a file for *Save*."""
    name = f"{session.game.name}-{session.position.size}.sgf"
    text = sgf_text(session, form)
    return {"kind": "record", "name": name, "text": text, "type": "application/x-go-sgf"}


def _frame(
    color: Color, chance: float, proven: float | None, visits: int, line: Sequence[str]
) -> Json:
    """The result of a search as a report of an analysis; the chances given are those of BLACK."""
    told = {
        "chance": value_for(color, chance),
        "proven": None if proven is None else value_for(color, proven),
        "visits": visits,
    }
    return {"color": str(color), "turns": [{"turn": line[0], "pv": line, **told}], **told}


def _chance(nodes: list[Properties]) -> float | None:
    """The last of Black's chances in some nodes, 0 to 1."""
    for node in reversed(nodes):
        try:
            percent = finite(node.get(_CHANCE, ""))
        except ValueError:
            continue
        if 0 <= percent <= 100:
            return percent / 100
    return None
