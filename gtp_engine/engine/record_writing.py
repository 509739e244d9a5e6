"""The record of a session's game, in three forms: protocol_specs/clients/records.md.

A game that was loaded keeps its record: names, comments, variations and unknown properties are
written as they were read, and turns made here are added.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from gtp_engine.base.numbers import number_of
from gtp_engine.engine.history import Play, PlayedTurn, Thought
from gtp_engine.engine.record_loading import (
    ADDED,
    PlayedNode,
    komi_of,
    marks_after,
    played_out,
    root_comment,
)
from gtp_engine.engine.refusals import Refusal
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import author_of, thought_of
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.markup import marks, setup
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import PASS_WORD, clicks_that_say
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.sgf_letters import point
from gtp_engine.rules.records.record import (
    LINE,
    LOSING,
    RULES,
    TURN,
    VISITS,
    WHY,
    WINRATE,
    GameStart,
    Record,
    RecordNode,
    plain_tree,
    root_node,
    utc,
)
from gtp_engine.rules.records.sgf import Properties, SgfNode, raw_of, write_tree
from gtp_engine.rules.setups import extra_turns


class Form(Enum):
    """The content of the nodes of a record."""

    PLAIN = "plain"
    DISPLAY = "display"
    CLICKS = "clicks"


class Told(NamedTuple):
    """A turn in a record, without the positions before and after it.

    word    -- the whole turn
    time    -- seconds since 1970, None if unknown
    by      -- the player that chose it, "" if unknown
    thought -- the result of the search for it, if there was one
    """

    color: Color
    word: str
    time: float | None
    by: str = ""
    thought: Thought | None = None


class Written(NamedTuple):
    """The text of a record, and sentences about what its form cannot hold."""

    text: str
    lost: list[str]


class Unwritable(Refusal, ValueError):
    """The game cannot be written in a form."""


def written(
    session: Session, form: Form = Form.PLAIN, more: Mapping[str, str] | None = None
) -> Written:
    """The record of the game so far. Raises Unwritable.

    more -- further properties of the root
    """
    record = record_of(session)
    for name, text in (more or {}).items():
        record.root.put(name, text)
    if form is Form.PLAIN:
        return Written(write_tree(plain_tree(record)), [])
    shaper = _Shaper(session, record, form)
    return Written(write_tree(shaper.tree()), shaper.lost)


def told_node(turn: Told, game: Game) -> RecordNode:
    """The node of a turn that was made here."""
    node = RecordNode(str(turn.color), turn.word)
    told = {"BY": turn.by, "TIME": "" if turn.time is None else utc(turn.time).isoformat()}
    if turn.thought is not None:
        thought = turn.thought
        told |= {WINRATE: f"{100 * thought.value:.2f}", VISITS: str(thought.visits)}
        told |= {LINE: thought.text.line, WHY: thought.text.why}
        told["C"] = turn.thought.words(game)
    for name, text in sorted(told.items()):
        node.put(name, text)
    return node


def told_record(session: Session, turns: Iterable[Told]) -> Record:
    """The record of a session's game with further turns, which are not played here."""
    record = record_of(session)
    node = record.root
    for turn in turns:
        if turn.time is not None and "DT" not in record.root.properties:
            record.root.put("DT", utc(turn.time).date().isoformat())
        node.children = [told_node(turn, session.game)]
        node = node.children[0]
    return record


# The game as a tree of turns -----------------------------------------------------------------


@dataclass
class _Part:
    """Plays that become one node: a turn, or a part of one with variations after it.

    sources -- their nodes in the record that was loaded, None for plays made here
    beside  -- the variations of its first play
    """

    beside: list[RecordNode]
    plays: list[Play] = field(default_factory=list)
    sources: list[RecordNode | None] = field(default_factory=list)


def record_of(session: Session) -> Record:
    """The game so far, with all that was loaded. What follows in the file becomes a variation."""
    loaded = session.state.record
    at = None if loaded is None else loaded.root
    root = RecordNode(properties={} if at is None else dict(at.properties))
    node = root
    for turn in session.turns():
        parts: list[_Part] = []
        for play in turn.plays:
            source = _source_of(play, at)
            beside = [] if at is None else [each for each in at.children if each is not source]
            if beside or not parts:
                parts.append(_Part(beside))
            parts[-1].plays.append(play)
            parts[-1].sources.append(source)
            at = source
        for part in parts:
            words = "/".join(play.word for play in part.plays)
            word = turn.word if len(parts) == 1 else words
            new = _node_of(part, turn, word, session.game)
            node.children = [new, *part.beside]
            node = new
    complete = loaded is not None and at is loaded.last
    if at is not None and at.children:
        node.children, node.ends = at.children, True
    return _with_root(session, root, complete)


def _source_of(play: Play, at: RecordNode | None) -> RecordNode | None:
    """The node of a play after another node of a loaded record, also if it was played again."""
    children = [] if at is None else at.children
    if play.source in children:
        return play.source
    played = str(play.color), play.word
    return next((node for node in children if (node.color, node.word) == played), None)


def _node_of(part: _Part, turn: PlayedTurn, word: str, game: Game) -> RecordNode:
    node = RecordNode(str(turn.color), word)
    for source in filter(None, part.sources):
        node.join(source.properties)
    made = [frame for frame in turn.frames if frame.play in part.plays and not _read(frame.play)]
    if made and not all(part.sources):
        turn = turn._replace(frames=tuple(made))
        time, author, thought = turn.plays[0].time, author_of(turn), thought_of(turn)
        node.join(told_node(Told(turn.color, word, time, author, thought), game).properties)
    return node


def _read(play: Play | None) -> bool:
    return play is None or play.source is not None


def _with_root(session: Session, root: RecordNode, complete: bool) -> Record:
    """The record with names, date and result.

    complete -- whether the game is still that of the file, so that its result holds
    """
    state, history = session.state, session.history()
    start = state.start
    if state.record is None or komi_of(state.record) != state.komi:
        root.put("KM", repr(state.komi))
    for color in Color:
        authors = {play.by for play in history if play.color is color and not _read(play)}
        if not root.text(f"P{color.sign}"):
            root.put(f"P{color.sign}", ", ".join(sorted(filter(None, authors))))
    made = [play.time for play in history if play.time is not None and not _read(play)]
    if made and "DT" not in root.properties:
        root.put("DT", utc(made[0]).date().isoformat())
    if "RE" in root.properties and not complete:
        for name in ("RE", "GC"):
            root.put(name, "")
    if session.outcome is not None:
        for name, text in (("RE", session.result or ""), ("GC", session.outcome.reason)):
            if name not in root.properties:
                root.put(name, text)
    usual = start == session.game.start(start.size, start.pie)
    position = "" if usual else write_position(start)
    if extra := extra_turns(start):
        root.put("HA", str(extra + 1))  # the number of stones, as in Go
    return Record(GameStart(session.game.name, start.size, start.pie.value, position), root)


# Forms for viewers and GoGui -----------------------------------------------------------------


class _Shaper:
    """Writes a record turn by turn, as stones and marks or as clicks.

    lost -- sentences about what the form cannot hold
    """

    def __init__(self, session: Session, record: Record, form: Form) -> None:
        """Raises Unwritable."""
        self.lost: list[str] = []
        self._record, self._form, self._start = record, form, session.state.start
        self._game = session.game
        if record.start.position and form is Form.CLICKS:
            raise Unwritable("the game began with a position set up")

    def tree(self) -> SgfNode:
        """The nodes of the record."""
        root = self._root()
        # The last node that was written for a node of the record, and the number of its turn.
        places = {self._record.root: (root, 0)}
        illegal = lost = 0
        for tried in played_out(self._record, self._start):
            written, number = places[tried.parent]
            if tried.node is tried.parent.children[0] and tried.parent.ends:
                written.children.append(SgfNode())
            if tried.following is None:
                illegal += 1
                continue
            begins = tried.node.word in LOSING or not tried.before.open
            number += begins
            if self._form is Form.DISPLAY:
                nodes = [self._display(tried, number)]
            else:
                nodes = self._clicks(tried)
                lost += tried.node.word in LOSING and not self._in_main_line(tried.node)
            if not nodes:
                _join(written, tried.node.properties)
                first, *beside = tried.parent.children
                if tried.node is first and beside and not tried.parent.ends:
                    # The first variation beside it would become the main line.
                    written.children.append(SgfNode())
            for node in nodes:
                written.children.append(node)
                written = node
            places[tried.node] = written, number
        if illegal:
            breaks = "breaks" if illegal == 1 else "break"
            self.lost.append(f"{number_of(illegal, 'variation')} that {breaks} a rule")
        if lost:
            where = "a variation" if lost == 1 else "variations"
            self.lost.append(f"{number_of(lost, 'early end')} in {where}")
        return root

    def _in_main_line(self, node: RecordNode) -> bool:
        at: RecordNode | None = self._record.root
        while at is not None and at is not node:
            at = at.following
        return at is node

    def _root(self) -> SgfNode:
        root, start = self._record.root, self._start
        if root.text(RULES) not in ("", self._game.name):
            self.lost.append(f"{RULES}[{root.text(RULES)}], as {RULES} names the game")
        if self._form is Form.CLICKS:
            return root_node(self._record, RULES)
        stones = setup(start)
        if stones and not self._record.start.position:
            position = write_position(start)
            self._record.start = self._record.start._replace(position=position)
        comment = "\n".join(filter(None, (root_comment(self._game), root.comment)))
        more = {"GM": ["1"], "PL": [start.to_move.sign], "C": [raw_of(comment)]} | stones
        written = SgfNode(more | _marked(marks(start), root.properties))
        _join(written, {name: values for name, values in root.properties.items() if name != "C"})
        return root_node(self._record, RULES, written.properties)

    def _display(self, tried: PlayedNode, number: int) -> SgfNode:
        assert tried.following is not None
        color, word = Color.parse(tried.node.color), tried.node.word
        after = tried.following.frame.position
        title = f"{number}. {self._game.color_names[color]} {word}"
        comment = "\n".join(filter(None, (title, tried.node.comment)))
        own = {TURN: [raw_of(f"{color.sign} {word}")], "PL": [after.to_move.sign]}
        own |= setup(after, tried.before.position)
        own |= _marked(marks_after(tried.following), tried.node.properties)
        written = SgfNode(dict(sorted(own.items())))
        _join(written, tried.node.properties)
        written.properties["C"] = [raw_of(comment)]
        return written

    def _clicks(self, tried: PlayedNode) -> list[SgfNode]:
        """One node per click, as GoGui plays by our rules; a losing word is only in the result."""
        assert tried.following is not None
        word, sign = tried.node.word, tried.node.sign
        before, after = tried.before, tried.following.frame
        idle = word == PASS_WORD and not tried.following.steps
        if word in LOSING or (idle and before.lost_by):
            return []
        made = len(before.clicks)
        if idle:
            said: list[str] = [""]
        else:
            clicks = list(clicks_that_say(before.position, tried.following.steps, made))
            clicks += after.clicks if tried.following.steps else after.clicks[made:]
            size = before.position.size
            said = ["" if vertex is None else point(vertex, size) for vertex in clicks]
        nodes = [SgfNode({sign: [where], "PL": [sign]}) for where in said]
        if nodes:
            nodes[-1].properties["PL"] = [after.position.to_move.sign]
            origin = {key: tried.node.properties.get(key, []) for key in ("TIME", "BY")}
            for node in nodes[:-1]:
                _join(node, {name: values for name, values in origin.items() if values})
            _join(nodes[-1], tried.node.properties)
        return nodes


def _marked(ours: Properties, properties: Properties) -> Properties:
    """The marks of the display form, and which of them a person made, too."""
    both = [
        f"{name} {value}"
        for name, values in ours.items()
        for value in values
        if value in properties.get(name, ())
    ]
    return ours | ({ADDED: both} if both else {})


def _join(written: SgfNode, properties: Properties) -> None:
    node = RecordNode(properties=written.properties)
    node.join(properties)
