"""`python tests documents.levels_page protocol_specs [DB ...]`: the measured tables of levels.

The command writes the section "The ladder" of `play/levels.md` and the section "Results" of
`play/measured-levels.md` in that folder, from the games that `play/levels.jsonl` counts there.
Files of matches between levels, and between levels and naive players, take the place of what is
counted of the same engines. It prints the ratings where `LADDER` has others.
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
from gtp_engine.arena.storage.store import Store
from gtp_engine.base.files import read_file, write_file
from gtp_engine.base.statistics.statistics import Counts
from gtp_engine.rules import find_game
from gtp_engine.search.budget import SMALL_SIZE
from gtp_engine.search.levels import LADDER, LOWEST, Level, positions_of
from gtp_engine.search.named_players import PLAYERS

RECORDS = "play/levels.jsonl"

_MOST_BYTES = 2**20
_ZERO = "random"

# The table has the positions for boards that are not small.
_ANY, _LARGE = find_game("robble"), SMALL_SIZE + 1
_NAIVE = [name for name in PLAYERS if name != "mcts"]

LADDER_PAGE, RESULTS_PAGE = "play/levels.md", "play/measured-levels.md"
"""Two pages. Of each the program writes one section; people write the others."""

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
    """Write the tables into the folder that the argument names."""
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
    for name in (LADDER_PAGE, RESULTS_PAGE):
        path = options.folder / name
        write_file(path, page(name, path.read_text(), records).encode())
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


def page(name: str, old: str, records: Sequence[Measured]) -> str:
    """One of the two pages with new tables, as Markdown."""
    if name == LADDER_PAGE:
        return _with_section(old, _LADDER, _ladder(records))
    return _with_section(old, _RESULTS, _results(records))


def _with_section(text: str, heading: str, body: str) -> str:
    """A text with another body of a section."""
    before, mark, after = text.partition(f"\n{heading}")
    _, following, rest = after.partition("\n## ")
    return f"{before}{mark}\n{body}{following}{rest}"


def _ladder(records: Sequence[Measured]) -> str:
    pools = _pools(records)
    lines = [
        f"| level | name | how it plays | {' | '.join(['rating', *list(pools)[1:]])} | won |",
        "| --- |" + " --- |" * (len(pools) + 3),
    ]
    below = ""
    for word, cells in _players():
        ratings = [f"{pool[word].elo.value:.0f}" for pool in pools.values()]
        won = _share(word, below, records)[0] if below else "-"
        lines.append(f"| {' | '.join([*cells, *ratings, won])} |")
        below = word
    lines += ["", "How a level gets its strength:", ""]
    lines += [
        "| level | compares | visits | gives away | positions solved | tables and certificates |",
        "| --- |" + " --- |" * 5,
    ]
    lines += [_row(number, level) for number, level in enumerate(LADDER, LOWEST)]
    return "".join(f"{line}\n" for line in lines)


def _players() -> list[tuple[str, list[str]]]:
    """Whom the table of ratings has, each with the first cells of its row."""
    naive = [(word, ["-", f"`{word}`", "A [naive player](#for-newcomers)."]) for word in _NAIVE]
    levels = [
        (level.word, [str(number), level.name, level.text])
        for number, level in enumerate(LADDER, LOWEST)
    ]
    return naive + levels


def _row(number: int, level: Level) -> str:
    compares = "all" if level.considers is None else f"{level.considers:g}"
    visits = "time" if level.visits is None else level.visits
    solved = level.visits if level.errs else positions_of(level, _ANY, _LARGE, in_kernel=True)
    stored = "not used" if level.errs else "used"
    cells = number, compares, visits, f"{level.leeway:g}", solved or "time", stored
    return f"| {' | '.join(map(str, cells))} |"


def _pools(records: Sequence[Measured]) -> dict[str, dict[str, Rating]]:
    """The ratings on all boards together, then those on each board, by its title."""
    pools = {"all boards": rated(records)}
    for board in sorted({record.board for record in records}):
        game, size = board.split()
        own = rated(each for each in records if each.board == board)
        pools[f"{find_game(game).title} {size}"] = own
    return pools


def _results(records: Sequence[Measured]) -> str:
    pools = _pools(records)
    overall, *by_board = pools.values()
    order = [*_NAIVE, *(level.word for level in LADDER)]
    lines = [
        f"| player | all boards | games | {' | '.join(list(pools)[1:])} |",
        "| --- |" + " --- |" * (len(pools) + 1),
    ]
    for name in order:
        cells = [_estimate(overall[name]), str(overall[name].games)]
        cells += [_estimate(pool.get(name)) for pool in by_board]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "Won by the first of two, of the games on all boards:", ""]
    lines += ["| players | won | date |", "| --- | --- | --- |"]
    for above, below in _pairs(order, records):
        won, games, date = _share(above, below, records)
        lines.append(f"| {above}, {below} | {won} of {games:.0f} | {date} |")
    return "".join(f"{line}\n" for line in lines)


def _pairs(order: Sequence[str], records: Sequence[Measured]) -> list[tuple[str, str]]:
    met = {frozenset((record.first, record.second)) for record in records}
    return [
        (above, below)
        for number, below in enumerate(order)
        for above in order[number + 1 :]
        if {above, below} in met
    ]


def _share(above: str, below: str, records: Sequence[Measured]) -> tuple[str, float, str]:
    """What the first of two players won, of how many games, and the date of the last one."""
    points = games = 0.0
    date = ""
    for record in records:
        if {record.first, record.second} == {above, below}:
            own = Counts(record.counts)
            games += own.units
            points += own.units * (own.mean if record.first == above else 1 - own.mean)
            date = max(date, record.date)
    return (f"{100 * points / games:.0f} %" if games else "-"), games, date


def _estimate(rating: Rating | None) -> str:
    if rating is None:
        return "-"
    value, low, high = map(round, rating.elo)
    return f"{value} ({low} to {high})" if high > low else str(value)


if __name__ == "__main__":
    raise SystemExit(main())
