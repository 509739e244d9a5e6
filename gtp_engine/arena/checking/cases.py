"""The cases of protocol_specs/clients/conformance: positions and games, as the rules have them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from gtp_engine.arena import ArenaError
from gtp_engine.base.files import read_file
from gtp_engine.base.shapes import Unfit, read_json, shape_of, string

_LARGEST_FILE = 2**26

# What is sent to engines and shown in terminals.
Line = Annotated[str, string("line", pattern="[ -~]*")]


class UnreadableCases(ArenaError):
    """A file is not one of cases; the text says where and why."""


@dataclass(frozen=True)
class CasePosition:
    """A position of a case, and the turn or the part of a turn that led to it.

    play       -- all steps, joined by `/`; "" for the start
    rules      -- the sentences that act in these steps
    board      -- the rows of the position text
    to_move    -- `b` or `w`; "" after the end
    count      -- the number of legal steps
    legal      -- these steps; None if there are too many to list
    result     -- as in `final_score`; "" before the end
    decided_by -- the sentences that end the game and say who wins
    refused    -- illegal words, each with the sentence that refuses it
    """

    board: Line
    play: Line = ""
    rules: tuple[Line, ...] = ()
    to_move: Line = ""
    count: int = 0
    legal: tuple[Line, ...] | None = None
    result: Line = ""
    decided_by: tuple[Line, ...] = ()
    refused: Mapping[Line, Line] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A position or a game.

    about      -- what to look at, in words
    shows      -- the sentences for which it was made
    rulings    -- the rulings for which it was made, by their questions
    pie        -- the form of the pie rule at the start
    start      -- the text of the first position; "" for the start of a game
    impossible -- why the start cannot come up in a game, "" if it can
    turns      -- the start, then the position after each turn or part of a turn; may be empty if
                  the start is impossible
    """

    id: Line
    game: Line
    size: int
    pie: Line
    turns: tuple[CasePosition, ...]
    about: Line = ""
    shows: tuple[Line, ...] = ()
    rulings: tuple[Line, ...] = ()
    start: Line = ""
    impossible: Line = ""


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file. Raises UnreadableCases or OSError."""
    content = read_file(path, _LARGEST_FILE, streams=True)
    for number, line in enumerate(content.splitlines(), 1):
        try:
            case: Case = shape_of(Case, open_ended=True).read(read_json(line))
        except Unfit as error:
            reason = str(error)[:200]
            raise UnreadableCases(f"{path}, line {number} is not a case: {reason}") from None
        yield case
