"""Games as rows of the journal, and back."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple
from itertools import count
from typing import Any, NamedTuple

from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.saving import heading, players_at_end
from gtp_engine.board.table.seat import BLACK, COLORS, PERSON, WHITE, Seat
from gtp_engine.board.table.stored_game import Kept
from gtp_engine.board.table.variations import ROOT, GameNode, GameTree, Times
from gtp_engine.rules.records.record import GameStart, Record, RecordNode, plain_text, read_record

LONGEST_NAME = 80
"""Most characters of a name, or a result, that a list shows."""

LONGEST_GIVEN = 40
"""Most characters of a name that people give a game, or themselves."""

_IN_PICTURE = ("game", "pieces")
_LARGEST_PICTURE = 2**15  # characters

# What else is known of a node, where it differs from what is usual.
_USUAL = GameNode(ROOT)
_FACTS = ("number", "open", "over", "result", "to_move", "comment", "chance", "loss", "best")

_SOME_START = GameStart("any", 1)  # of the record that holds variations which are only kept


class NodeRow(NamedTuple):
    """A node: its parent, its place among the children of that (see GameNode), the rest as JSON."""

    id: int
    parent: int | None
    place: int
    color: str
    word: str
    facts: str


class GameRow(NamedTuple):
    """All of a game but its nodes. Times are in seconds since 1970.

    position -- of a set-up start, "" for the usual one
    control  -- the fields of the Timing in their order, as JSON; "" without a clock
    node     -- the shown one
    read_end, opened -- see GameTree
    seats    -- who plays, as JSON, by color as at the start
    players  -- who played while the main line was not over, in the same form
    black    -- a name, "" if unknown or the host's who gave none; so is `white`
    human    -- at the end of the main line the color of the only person who played an engine; ""
                for games of another kind
    level    -- of that engine, "" without one
    winner   -- a color, or `draw`; "" while it is unknown
    turns    -- whole turns of the main line
    """

    began: float
    changed: float
    game: str
    size: int
    pie: str
    position: str
    control: str
    node: int
    read_end: int | None
    seats: str
    players: str
    paused: bool
    black: str
    white: str
    human: str
    level: str
    result: str
    winner: str
    turns: int
    opened: bool


def node_row(node: GameNode, times: Times | None = None) -> NodeRow:
    """The row of a node; `times` take the place of its own."""
    facts: dict[str, Any] = {
        name: value for name in _FACTS if (value := getattr(node, name)) != getattr(_USUAL, name)
    }
    times = times or node.times
    if times is not None:
        facts["times"] = times
    if node.why:
        facts["why"] = list(node.why)
    if node.read.properties:
        facts["properties"] = node.read.properties
    if node.unplayed:
        only_kept = Record(_SOME_START, RecordNode(children=node.unplayed))
        facts["unplayed"] = plain_text(only_kept)
    parent, place = None, 0
    if node.parent is not None:
        parent, place = node.parent.id, node.place
    text = json.dumps(facts, separators=(",", ":"))
    return NodeRow(node.id, parent, place, node.color, node.word, text)


def tree_of(
    rows: Iterable[NodeRow], ids: Iterator[int] | None
) -> tuple[GameTree, dict[int, GameNode]]:
    """The tree of these rows, with new ids; and its nodes by the ids of the rows.

    The children of a node come in their order. Raises ValueError, KeyError or TypeError for rows
    that were not written here.
    """
    tree = GameTree(count(ROOT + 1) if ids is None else ids)
    children: dict[int | None, list[NodeRow]] = {}
    for row in rows:
        children.setdefault(row.parent, []).append(row)
    (root,) = children[None]
    nodes = {root.id: _learn(tree, tree.root, root)}
    waiting = [root.id]
    while waiting:
        number = waiting.pop()
        for row in children.get(number, ()):
            node = tree.add(nodes[number], row.color, row.word)
            node.place = row.place
            nodes[row.id] = _learn(tree, node, row)
            waiting.append(row.id)
    return tree, nodes


def _learn(tree: GameTree, node: GameNode, row: NodeRow) -> GameNode:
    facts = json.loads(row.facts)
    for name in _FACTS:
        if name in facts and name != "comment":
            setattr(node, name, facts[name])
    tree.comment(node, facts.get("comment", ""))
    if "times" in facts:
        black, white = (None if each is None else float(each) for each in facts["times"])
        node.times = black, white
    node.why = tuple(facts.get("why", ()))
    node.read.properties = facts.get("properties", {})
    if "unplayed" in facts:
        node.unplayed = read_record(facts["unplayed"]).root.children
    return node


def game_row(kept: Kept) -> GameRow:
    """The row of a game."""
    start, tree = kept.start, kept.tree
    root, human, level = heading(tree), "", ""
    if not tree.opened:
        human, level = _opponents(players_at_end(tree))
    result = root.text("RE")
    return GameRow(
        began=tree.began,
        changed=tree.changed,
        game=start.game,
        size=start.size,
        pie=start.pie,
        position=start.position,
        control="" if tree.timing is None else json.dumps(astuple(tree.timing)),
        node=kept.node.id,
        read_end=None if tree.read_end is None else tree.read_end.id,
        seats=_seats_text(kept.seats),
        players=_seats_text(tree.players),
        paused=kept.paused,
        black=_name(tree, root, BLACK),
        white=_name(tree, root, WHITE),
        human=human,
        level=level,
        result=result[:LONGEST_NAME],
        winner=_winner(result),
        turns=tree.end.number,
        opened=tree.opened,
    )


def kept_from(row: GameRow, nodes: Iterable[NodeRow], ids: Iterator[int] | None = None) -> Kept:
    """The game of these rows; see `tree_of`."""
    tree, by_id = tree_of(nodes, ids)
    tree.began, tree.changed, tree.opened = row.began, row.changed, bool(row.opened)
    tree.players = _seats_in(row.players)
    if row.control:
        tree.timing = Timing(*json.loads(row.control))
    tree.read_end = None if row.read_end is None else by_id.get(row.read_end)
    start = GameStart(row.game, row.size, row.pie, row.position)
    seats = dict.fromkeys(COLORS, PERSON) | _seats_in(row.seats)
    return Kept(start, tree, by_id.get(row.node, tree.root), seats, bool(row.paused))


def picture_of(view: Message) -> str:
    """What a small picture needs of a view, as JSON; "" if that is too large."""
    text = json.dumps({key: view[key] for key in _IN_PICTURE if key in view}, separators=(",", ":"))
    return text if len(text) <= _LARGEST_PICTURE else ""


def _opponents(players: Mapping[str, Seat]) -> tuple[str, str]:
    """The color of the only person who plays an engine, and the level of that; see GameRow."""
    people = [color for color, seat in players.items() if seat.is_human]
    engines = [seat for seat in players.values() if not seat.is_human]
    if len(people) != 1 or len(engines) != 1 or players[people[0]].guest:
        return "", ""
    level = engines[0].level
    return people[0], "" if level is None else str(level)


def _name(tree: GameTree, root: RecordNode, color: str) -> str:
    """What a list calls a player; a record gives no name to a guest who gave none."""
    name = root.text("PB" if color == BLACK else "PW")
    players = {} if tree.opened else players_at_end(tree)
    guest = color in players and players[color].guest is not None
    return (name or ("Guest" if guest else ""))[:LONGEST_NAME]


def _winner(result: str) -> str:
    return {"B": BLACK, "W": WHITE, "0": "draw", "D": "draw"}.get(result[:1].upper(), "")


def _seats_text(seats: Mapping[str, Seat]) -> str:
    return json.dumps({color: seat.shown() for color, seat in seats.items()})


def _seats_in(text: str) -> dict[str, Seat]:
    return {color: Seat.read(value) for color, value in json.loads(text).items()}
