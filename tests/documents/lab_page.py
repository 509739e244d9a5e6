"""`python tests documents.lab_page protocol_specs`: the tables of the laboratory.

The command writes the tables of `lab/README.md` in that folder from the records in
`lab/experiments.toml`. A section of the page has the name of a technique, and the table of its
experiments; people write the text. A section without a table gets one at its end.
"""

import argparse
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from gtp_engine.base.files import read_file, write_file

RECORDS, PAGE = "lab/experiments.toml", "lab/README.md"

_MOST_BYTES = 2**22

_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_HEAD = "| tried | board | gain | kept | experiment |\n"
_TABLE = re.compile(re.escape(_HEAD) + r"(?:\|.*\n)*")

_Text = Annotated[str, Meta(min_length=1)]


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has no other fields than those named."""


class Result(_Record):
    """What was tried: a row of the page."""

    what: _Text
    boards: _Text
    gain: _Text
    kept: Annotated[str, Meta(pattern=r"^(yes|no|until \d{4}-\d\d-\d\d|measured)$")]


class Match(_Record, kw_only=True):
    """Games of two sides on a board. Elo is that of the first, with its 95 % interval.

    limit      -- what each side may take for a turn
    games, won -- None where only Elo was noted; half of a draw is won
    """

    board: Annotated[str, Meta(pattern=r"^(Implo|Boloa|Robble|Pilo) \d+$")]
    first: _Text
    second: _Text
    limit: _Text
    games: Annotated[int, Meta(gt=0)] | None = None
    won: Annotated[float, Meta(ge=0)] | None = None
    elo: int | None = None
    low: int | None = None
    high: int | None = None
    note: str = ""


class Measured(_Record):
    """A table of other numbers."""

    about: _Text
    columns: list[_Text]
    rows: list[list[str]]


class Experiment(_Record, kw_only=True):
    """A record, as the head of the file describes it."""

    name: Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    technique: _Text
    date: date
    version: Annotated[str, Meta(pattern=r"^[0-9a-f]{8}$")]
    question: _Text
    method: str = ""
    commands: str = ""
    found: str = ""
    decision: _Text
    open: str = ""
    results: Annotated[list[Result], Meta(min_length=1)]
    matches: list[Match] = []
    measured: list[Measured] = []


class _File(_Record):
    experiment: list[Experiment]


def main() -> int:
    """Write the tables into the folder that the argument names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    text = page((folder / PAGE).read_text(), read_experiments(folder / RECORDS))
    write_file(folder / PAGE, text.encode())
    return 0


def read_experiments(path: Path) -> list[Experiment]:
    """The records of a file. Raises CannotRead; msgspec.ValidationError if a field is wrong."""
    return msgspec.toml.decode(read_file(path, _MOST_BYTES), type=_File).experiment


def page(old: str, experiments: Sequence[Experiment]) -> str:
    """The page with new tables, as Markdown."""
    head, *parts = _SECTION.split(old)
    for title, text in zip(parts[::2], parts[1::2]):
        own = [each for each in experiments if each.technique == title]
        if own:
            before, after = (*_TABLE.split(text, maxsplit=1), "\n")[:2]
            text = f"{before.rstrip()}\n\n{_table(own)}{after}"
        head += f"## {title}\n{text}"
    return head.rstrip() + "\n"


def techniques(page: str) -> list[str]:
    """The sections of a page that have a table of experiments."""
    _, *parts = _SECTION.split(page)
    return [title for title, text in zip(parts[::2], parts[1::2]) if _HEAD in text]


def _table(experiments: Sequence[Experiment]) -> str:
    rows = [
        (each.what, each.boards, each.gain, each.kept, experiment.name)
        for experiment in experiments
        for each in experiment.results
    ]
    lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in rows]
    return "".join([_HEAD, "| --- | --- | --- | --- | --- |\n", *lines])


if __name__ == "__main__":
    raise SystemExit(main())
