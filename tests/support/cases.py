"""Cases of the rules: boards beside the numbers of the sentences, as tests/rules/*.cases draw them.

A case is a table. Each column is a position: the turn that leads to it, the board, and below it
what is to be checked there. Every position is also compared with the rules in what a table leaves
out: the color to move, and that the game goes on where no result is written.

    I17 Any single patch may be resolved
        The other one stays; the removal of White's group has made a new one above.
        Ruling: What are the points that a removed group leaves?

        black to move | black C3         | black A3
        W W W b       | W W W b          | . . . b
        . . . .       | . . B .          | w w B .
        b b b .       | b b b .          | b b b .
        b b b .       | b b b .          | b b b .
                      | legal A3 D1      | legal A4 D1
                      | refused C3 (I17)

A title begins with the sentences that its cases show. Then come what to look at, and the rulings
that they show, by their questions. Several cases may follow, side by side with `||` between them,
or below each other; a table that begins with a turn goes on with the case before it. What a head
says behind `to move` is written as in a position text; `size=19` stands for an empty board. Lines
that begin with `#` are for the reader.

| below a board | means |
| --- | --- |
| `legal A1 A2` | these steps are legal and no others; may go on in another line |
| `moves A1-A2`, `moves none` | of the legal steps these have a goal, and no others |
| `may play A1` | these steps are legal, perhaps among others |
| `refused A1 A2/B1 (R8)` | a sentence refuses each of these words; behind a `:` why |
| `black to move` | whose turn it is |
| `B+ (R14)` | the game is over: the result, and the sentence that decides |
| `patch A1 A2 owner black` | a patch, as `game-patches` tells it |
| `only W S19` | the board has this piece on this point and nothing else |
| `may occur`, `cannot occur: why` | whether such a position can be set up |
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.notation.turns import Reading, Unreadable, parse_word, read_turn, step_named
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import IllegalStep, Saying, UnplayablePosition
from support.boards import position

FOLDER = Path(__file__).parents[1] / "rules"

_RULING = "Ruling: "
_SENTENCE = re.compile(r"[A-Z]\d+")

# What may be written below a board.
_FACTS = {
    "legal": r"legal (.+)",
    "moves": r"moves (.+)",
    "may play": r"may play (.+)",
    "refused": r"refused (.+?) \((\w+)(?:: (.+))?\)",
    "to move": r"(\w+) to move",
    "result": r"(B\+\d*|W\+\d*|0) \((\w+)\)",
    "patch": r"patch (.+)",
    "only": r"only (\S+) (\S+)",
    "may occur": r"may occur",
    "cannot occur": r"cannot occur: (.+)",
}


class Refusal(NamedTuple):
    """A word that is illegal, the sentence that refuses it, and why; "" where no case says it."""

    word: str
    rule: str
    reason: str


class Shown(NamedTuple):
    """A position as a table shows it.

    mover -- the color that plays `word`; at the start the color to move
    word  -- the turn, or the part of one, that leads here; "" at the start
    rows  -- the board; none if the table does not draw it
    facts -- the lines below it: their kind, and the texts that the kind has
    """

    mover: Color
    word: str
    rows: tuple[str, ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]

    def said(self, kind: str) -> list[tuple[str, ...]]:
        """The texts of each line of a kind."""
        return [texts for each, texts in self.facts if each == kind]

    def words(self, kind: str) -> set[str] | None:
        """The words of all lines of a kind; None if there is no such line."""
        lines = self.said(kind)
        return {word for (line,) in lines for word in line.split()} - {"none"} if lines else None

    @property
    def refusals(self) -> list[Refusal]:
        """What is refused here."""
        return [
            Refusal(word, rule, reason)
            for words, rule, reason in self.said("refused")
            for word in words.split()
        ]


class Case(NamedTuple):
    """A table of a file.

    title     -- in words, the sentences included
    about     -- what to look at, "" if nothing is said
    rulings   -- by their questions
    fields    -- those of the position text, and `size` where no board is drawn
    positions -- the start, and the position after each turn or part of a turn
    """

    game: Game
    title: str
    about: str
    rulings: tuple[str, ...]
    fields: dict[str, str]
    positions: tuple[Shown, ...]

    @property
    def name(self) -> str:
        """The title as one word."""
        return re.sub("[^a-z0-9]+", "-", self.title.lower().replace("'", ""))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences that the case shows."""
        return tuple(word for word in self.title.split() if _SENTENCE.fullmatch(word))

    @property
    def expected(self) -> set[str]:
        """The sentences that refuse a word or decide the game in a position of the case."""
        refusals = {each.rule for shown in self.positions for each in shown.refusals}
        return refusals | {rule for shown in self.positions for _, rule in shown.said("result")}

    @property
    def flaw(self) -> str:
        """Why the start must be refused as a set-up; "" if nothing is said."""
        return "".join(why for (why,) in self.positions[0].said("cannot occur"))

    def start(self) -> Position:
        """The first position, whether or not a game can lead to it."""
        first, fields = self.positions[0], dict(self.fields)
        rows = first.rows
        if size := int(fields.pop("size", "0")):
            rows = (" ".join("." * size),) * size
        return position(self.game.name, "\n".join(rows), first.mover.letter, **fields)

    def played(self) -> Iterator[tuple[Shown, Position, Reading]]:
        """Each position with how it was reached. Raises IllegalStep for a turn that is illegal."""
        at = self.start()
        yield self.positions[0], at, Reading((), at, ())
        for shown in self.positions[1:]:
            reading = read_turn(at, (), shown.word)
            at = reading.position
            yield shown, at, reading


def refusal_of(at: Position, word: str) -> Saying:
    """Why a word is illegal in a position; also one that names a point off the board."""
    try:
        read_turn(at, (), word)
    except IllegalStep as error:
        return error.objection
    except Unreadable:
        for item in parse_word(at.game, word):
            step = step_named(at, item)
            if step is not None and (objection := at.objection(step)) is not None:
                return objection
        raise
    raise AssertionError(f"{word} is legal in {write_position(at)}")


def flaw_of(position: Position) -> str:
    """Why a position cannot be set up, "" if it can."""
    try:
        read_position(write_position(position))
    except UnplayablePosition as flaw:
        return str(flaw)
    return ""


# Reading a file --------------------------------------------------------------------------------


def cases_of(game: Game) -> list[Case]:
    """The cases in the file of a game."""
    return read_cases(game, (FOLDER / f"{game.name}.cases").read_text())


def read_cases(game: Game, text: str) -> list[Case]:
    """The cases in a text, in its order. Raises ValueError for what cannot be read."""
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith("#")]
    entries = re.split(r"\n(?=\S)", "\n".join(lines).strip())
    return [case for entry in entries for case in _entry(game, entry)]


def _entry(game: Game, text: str) -> Iterator[Case]:
    """The cases below a title."""
    title, _, body = text.partition("\n")
    notes, heads, found = list[str](), list[dict[str, str]](), list[list[Shown]]()
    for block in re.split(r"\n\s*\n", body.strip("\n")):
        columns = _columns(game, block)
        if not columns:
            notes += [line.strip() for line in block.splitlines() if line.strip()]
        for head, shown in columns:
            if head is not None:
                heads.append(head)
                found.append([])
            _demand(bool(found), f"{game.name}: {title} begins with a turn")
            found[-1].append(shown)
    _demand(bool(found), f"{game.name}: {title} has no table")
    rulings = [note.removeprefix(_RULING) for note in notes if note.startswith(_RULING)]
    about = " ".join(note for note in notes if not note.startswith(_RULING))
    for head, positions in zip(heads, found):
        yield Case(game, title, about, tuple(rulings), head, tuple(positions))


def _columns(game: Game, block: str) -> list[tuple[dict[str, str] | None, Shown]]:
    """The columns of a table, each with the fields of its head, None for a turn; [] for a text."""
    colors = {name.lower(): color for name, color in zip(game.color_names, Color)}
    if block.split(maxsplit=1)[:1] not in [[name] for name in colors]:
        return []
    rows = [[cell.strip() for cell in line.split("|")] for line in block.splitlines()]
    columns = []
    for top, *below in zip_longest(*rows, fillvalue=""):
        color, _, said = top.partition(" ")
        if color:
            columns.append(_column(game, colors[color], said, list(filter(None, below))))
        else:  # between cases stands `||`
            _demand(not any(below), f"{game.name}: no turn above {below}")
    return columns


def _column(
    game: Game, mover: Color, said: str, below: list[str]
) -> tuple[dict[str, str] | None, Shown]:
    head: dict[str, str] | None = None
    if found := re.fullmatch(r"to move((?: \w+=\S+)*)", said):
        head, said = dict(field.split("=") for field in found[1].split()), ""
    rows = [cell for cell in below if _is_row(game, cell)]
    square = below[: len(rows)] == rows and all(len(row.split()) == len(rows) for row in rows)
    _demand(square, f"{game.name}: no square board in {below}")
    return head, Shown(mover, said, tuple(rows), tuple(map(_fact, below[len(rows) :])))


def _is_row(game: Game, cell: str) -> bool:
    """Whether this is a row of a board."""
    return all(re.fullmatch(rf"\.|{game.cell}", word) for word in cell.split())


def _fact(line: str) -> tuple[str, tuple[str, ...]]:
    """The kind of a line below a board, and its texts."""
    for kind, pattern in _FACTS.items():
        if found := re.fullmatch(pattern, line):
            return kind, found.groups(default="")
    raise ValueError(f"this says nothing of a position: {line}")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
