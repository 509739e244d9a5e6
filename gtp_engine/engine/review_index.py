"""The reviews of many games: a line of JSON for each turn, and a page with a table of the games."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from string import Template
from urllib.parse import quote

from gtp_engine.base.numbers import number_of
from gtp_engine.base.shapes import (
    INTEGER,
    SHARE,
    TEXT,
    array,
    or_null,
    parsed,
    read_json,
    record,
)
from gtp_engine.engine.game_review import MISTAKE, TurnReview, reviewed_numbers
from gtp_engine.engine.pictures.loader import page_style
from gtp_engine.engine.record_writing import record_of
from gtp_engine.engine.replay_page import how_searched
from gtp_engine.engine.session import Session
from gtp_engine.rules.points.color import Color
from gtp_engine.search.budget import Budget

_PAGE = "review_index.html"


@dataclass
class FileReview:
    """The review of the game in a file.

    file    -- the file, as the user names it
    mark    -- of its content and of the search; another mark needs another review
    page    -- name of its page
    board   -- the game and the size, in words
    players -- their names, BLACK's first
    result  -- of the game, empty if it is not known
    numbers -- those of the turns to review in the game
    found   -- the reviewed turns, from the first on
    """

    file: str
    mark: str
    page: str
    board: str
    players: tuple[str, ...]
    result: str
    numbers: list[int]
    found: list[TurnReview] = field(default_factory=list)

    @classmethod
    def of(cls, session: Session, file: str, mark: str, page: str) -> "FileReview":
        """The review of a session's game before it begins."""
        size, root = session.position.size, record_of(session).root
        return cls(
            file,
            mark,
            page,
            f"{session.game.title} {size}x{size}",
            tuple(root.text(f"P{color.sign}") for color in Color),
            session.result or root.text("RE"),
            reviewed_numbers(session),
        )

    @property
    def total(self) -> int:
        """How many turns there are to review."""
        return len(self.numbers)

    @property
    def complete(self) -> bool:
        """Whether every turn was reviewed."""
        return len(self.found) == self.total

    def lost_by(self, color: Color) -> list[float]:
        """The losses of a color's turns."""
        return [turn.loss for turn in self.found if turn.color is color]


def line_of(review: FileReview, turn: TurnReview) -> str:
    """The review of a turn as JSON, from which it can be read again without any loss."""
    told = {"file": review.file, "mark": review.mark, **turn._asdict(), "color": str(turn.color)}
    told |= {"number": review.numbers[turn.number - 1], "reviewed": turn.number}
    return json.dumps(told)


_LINE = record(
    dict,
    {
        "file": TEXT,
        "mark": TEXT,
        "number": INTEGER,
        "reviewed": INTEGER,
        "color": parsed("color", Color.parse),
        "word": TEXT,
        "chance": SHARE,
        "proven": or_null(SHARE),
        "after": SHARE,
        "after_proven": or_null(SHARE),
        "best": TEXT,
        "best_line": array(TEXT),
        "loss": SHARE,
        "visits": INTEGER,
        "why": array(TEXT),
    },
    open_ended=True,
)


def read_line(line: str) -> tuple[str, str, TurnReview]:
    """The file, the mark and the review of a line. Raises Unfit for any other text."""
    found = _LINE.read(read_json(line))
    found["number"] = found.pop("reviewed")
    return found.pop("file"), found.pop("mark"), TurnReview(**found)


_WORDS = ("game", "board", "Black", "White", "result")
_NUMBERS = (
    "turns",
    "mistakes of Black",
    "of White",
    "loss per turn of Black",
    "of White",
    "costliest turn",
)


def index_page(reviews: Sequence[FileReview], budget: Budget) -> str:
    """The page with a row for each game.

    budget -- the limit of each search
    """
    page = Template(files(__package__).joinpath(_PAGE).read_text(encoding="utf-8"))
    return page.substitute(
        style=page_style(),
        games=number_of(len(reviews), "game"),
        how=escape(_how(budget)),
        head="".join(
            [f"<th>{word}</th>" for word in _WORDS]
            + [f'<th class="number">{word}</th>' for word in _NUMBERS]
        ),
        rows="\n".join(f"<tr>{''.join(_cells(each))}</tr>" for each in reviews),
    )


def _how(budget: Budget) -> str:
    return (
        f"Every position was searched with {how_searched(budget)}. A mistake is a turn that lost "
        f"{100 * MISTAKE:.0f} % or more of its player's chance to win."
    )


def _cells(review: FileReview) -> Iterator[str]:
    """The cells of a game."""
    link, file = quote(review.page), escape(review.file)
    yield f'<td><a href="{link}">{file}</a></td>' if review.found else f"<td>{file}</td>"
    for word in (review.board, *review.players, review.result):
        yield f"<td>{escape(word)}</td>"
    lost = [review.lost_by(color) for color in Color]
    turns = str(review.total)
    numbers = [turns if review.complete else f"{len(review.found)} of {turns}"]
    numbers += [str(sum(loss >= MISTAKE for loss in losses)) for losses in lost]
    numbers += [f"{100 * sum(losses) / max(1, len(losses)):.1f} %" for losses in lost]
    worst = max(review.found, key=lambda turn: turn.loss, default=None)
    if worst is None or not worst.loss:
        numbers.append("none")
    else:
        turn = review.numbers[worst.number - 1]
        told = escape(f"{turn}: {worst.word}, {100 * worst.loss:.1f} %")
        numbers.append(f'<a href="{link}#{turn}">{told}</a>')
    for number in numbers:
        yield f'<td class="number">{number}</td>'
