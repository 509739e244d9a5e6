"""`python tests/levels_page.py protocol_specs [DB ...]`: the measured tables of the page of levels.

The command writes the sections "The ladder" and "Results" of `levels.md` in that folder, from the
games that `levels.jsonl` counts there. Files of matches between levels, and between levels and
naive players, take the place of what is counted of the same engines. It prints the ratings where
`LADDER` has others.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from gtp_engine.arena.stats.ratings import Rating, RatingPool, rate
from gtp_engine.arena.stats.statistics import Counts
from gtp_engine.arena.storage.store import Store
from gtp_engine.files import read_file, write_file
from gtp_engine.rules import find_game
from gtp_engine.search.levels import LADDER, LOWEST, Level
from gtp_engine.search.players import PLAYERS

RECORDS, PAGE = "play/levels.jsonl", "play/levels.md"

_MOST_BYTES = 2**20
_ZERO = "random"
_NAIVE = [name for name in PLAYERS if name != "mcts"]

# Of levels.md these sections are written by the program; people write the others.
_LADDER, _RESULTS = "## The ladder\n", "## Results\n"


class Measured(NamedTuple):
    """Games of two engines on a board, with the first turn for the first one.

    board  -- game and size
    counts -- losses, draws and wins of the first engine
    date   -- of the last game
    """

    board: str
    first: str
    second: str
    counts: tuple[int, int, int]
    date: str


def main() -> int:
    """Write the page into the folder that the argument names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("matches", nargs="*", type=Path, metavar="DB")
    options = parser.parse_args()
    records = read_records(options.folder / RECORDS)
    for path in options.matches:
        new = counted(path)
        pairs = {frozenset((each.first, each.second)) for each in new}
        records = [each for each in records if frozenset((each.first, each.second)) not in pairs]
        records += new
    lines = "".join(f"{json.dumps(each._asdict())}\n" for each in sorted(records))
    write_file(options.folder / RECORDS, lines.encode())
    text = page((options.folder / PAGE).read_text(), records)
    write_file(options.folder / PAGE, text.encode())
    for level, rating in zip(LADDER, ratings_of_levels(records)):
        if rating != level.rating:
            print(f"{level.name}: {rating}, not {level.rating}; set it in LADDER, and repeat")
    return 0


def read_records(path: Path) -> list[Measured]:
    """The games in a file of JSON lines. Raises CannotRead."""
    lines = read_file(path, _MOST_BYTES).decode().splitlines()
    return [Measured(**line | {"counts": tuple(line["counts"])}) for line in map(json.loads, lines)]


def counted(path: Path) -> list[Measured]:
    """The games of a match."""
    counts: dict[tuple[str, str, str], Counter[int]] = {}
    dates: dict[tuple[str, str, str], str] = {}
    with closing(Store(path, to_read=True)) as store:
        for _, game in store.games():
            first, second = game.key.engines
            key = game.key.board.name, first, second
            score = 1 if game.winner is None else 2 * (game.winner == first)
            counts.setdefault(key, Counter())[score] += 1
            dates[key] = str(datetime.fromtimestamp(game.started, UTC).date())
    return [
        Measured(*key, (scores[0], scores[1], scores[2]), dates[key])
        for key, scores in counts.items()
    ]


def rated(records: Iterable[Measured]) -> dict[str, Rating]:
    """The ratings of all engines on the scale on which random steps have 0."""
    meetings: dict[tuple[str, str], Counts] = {}
    for _, first, second, counts, _ in records:
        before = meetings.get((first, second), Counts()).numbers
        meetings[first, second] = Counts(tuple(map(sum, zip(before, counts))))
    pools: list[RatingPool] = rate([], meetings, {_ZERO: 0.0})
    return {rating.engine: rating for rating in pools[0].ratings}


def ratings_of_levels(records: Iterable[Measured]) -> list[int]:
    """The rating of each level, as LADDER has it."""
    found = rated(records)
    return [round(found[level.word].elo.value) for level in LADDER]


def page(old: str, records: Sequence[Measured]) -> str:
    """The page with new tables, as Markdown."""
    return _with_section(_with_section(old, _LADDER, _ladder()), _RESULTS, _results(records))


def _with_section(text: str, heading: str, body: str) -> str:
    """A text with another body of a section."""
    before, mark, after = text.partition(f"\n{heading}")
    _, following, rest = after.partition("\n## ")
    return f"{before}{mark}\n{body}{following}{rest}"


def _ladder() -> str:
    lines = [
        "| level | name | compares | visits | gives away | rating |",
        "| --- | --- | --- | --- | --- | --- |",
        *(_row(number, level) for number, level in enumerate(LADDER, LOWEST)),
        "",
        "The texts for players, which `game-catalog` reports too:",
        "",
        *(
            f"- **{level.name}** ({number}): {level.text}"
            for number, level in enumerate(LADDER, LOWEST)
        ),
    ]
    return "".join(f"{line}\n" for line in lines)


def _row(number: int, level: Level) -> str:
    compares = "all" if level.considers is None else f"{level.considers:g}"
    visits = "time" if level.visits is None else level.visits
    cells = [number, level.name, compares, visits, f"{level.leeway:g}", level.rating]
    return f"| {' | '.join(map(str, cells))} |"


def _results(records: Sequence[Measured]) -> str:
    boards = sorted({record.board for record in records})
    on_board = {board: rated(each for each in records if each.board == board) for board in boards}
    overall = rated(records)
    order = [*_NAIVE, *(level.word for level in LADDER)]
    titles = [f"{find_game(board.split()[0]).title} {board.split()[1]}" for board in boards]
    lines = [
        f"| player | all boards | games | {' | '.join(titles)} |",
        "| --- |" + " --- |" * (len(boards) + 2),
    ]
    for name in order:
        cells = [_estimate(overall[name]), str(overall[name].games)]
        cells += [_estimate(on_board[board].get(name)) for board in boards]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "Won by the first of two, of the games on all boards:", ""]
    lines += ["| players | won | date |", "| --- | --- | --- |"]
    lines += [_pair(*pair, records) for pair in _pairs(order, records)]
    return "".join(f"{line}\n" for line in lines)


def _pairs(order: Sequence[str], records: Sequence[Measured]) -> list[tuple[str, str]]:
    met = {frozenset((record.first, record.second)) for record in records}
    return [
        (above, below)
        for number, below in enumerate(order)
        for above in order[number + 1 :]
        if {above, below} in met
    ]


def _pair(above: str, below: str, records: Sequence[Measured]) -> str:
    points = games = 0.0
    dates = set()
    for record in records:
        if {record.first, record.second} == {above, below}:
            own = Counts(record.counts)
            games += own.units
            points += own.units * (own.mean if record.first == above else 1 - own.mean)
            dates.add(record.date)
    won = f"{100 * points / games:.0f} % of {games:.0f}"
    return f"| {above}, {below} | {won} | {max(dates)} |"


def _estimate(rating: Rating | None) -> str:
    if rating is None:
        return "-"
    value, low, high = map(round, rating.elo)
    return f"{value} ({low} to {high})" if high > low else str(value)


if __name__ == "__main__":
    raise SystemExit(main())
