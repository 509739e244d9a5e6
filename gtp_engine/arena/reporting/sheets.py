"""The tables of a report as text: terminal.py shows them there, page.py on a page."""

from collections.abc import Iterator, Sequence
from statistics import mean
from typing import NamedTuple

from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.wording import (
    UNKNOWN,
    likelihood,
    percent,
    printable,
    rated,
    seconds,
    wdl,
    with_bar,
)
from gtp_engine.arena.stats.tally import BoardTally
from gtp_engine.base.statistics.statistics import (
    Counts,
    draw_ratio,
    elo,
    normalised_elo,
    pair_ratio,
    superiority,
)


class Sheet(NamedTuple):
    """A table: columns of words, followed by columns of numbers."""

    title: str
    words: Sequence[str]
    numbers: Sequence[str]
    rows: Sequence[Sequence[str]]


def sheets(findings: Findings) -> list[Sheet]:
    """All tables with content."""
    found = [
        *ratings(findings),
        _meetings(findings),
        _pairs(findings),
        _colors(findings),
        _boards(findings),
        _boards_and_engines(findings),
        _openings(findings),
        _times(findings),
        _workers(findings),
        faults(findings),
    ]
    return [sheet for sheet in found if sheet.rows]


def faults(findings: Findings) -> Sheet:
    """The faults of engines."""
    rows = [
        (engine, kind.value, f"{count:,}", percent(count / findings.tally.games_of(engine).units))
        for engine, kind, count in findings.faults
    ]
    return Sheet("Faults", ("engine", "fault"), ("games", "of its games"), rows)


def _workers(findings: Findings) -> Sheet:
    """The faults on each machine: many on one of them are not the fault of the engines."""
    workers = findings.tally.workers
    rows = [
        (
            printable(name),
            *(f"{count:,}" for count in (played.games, played.on_time, played.others)),
            percent((played.on_time + played.others) / played.games),
        )
        for name, played in sorted(workers.items())
    ]
    if len(rows) < 2 and not findings.tally.faults:
        rows = []
    numbers = ("games", "lost on time", "by other faults", "of its games")
    return Sheet("By worker", ("worker",), numbers, rows)


def ratings(findings: Findings) -> Iterator[Sheet]:
    """The engines of each pool by strength."""
    for pool in findings.rated_pools:
        rows = [
            (
                rating.engine,
                f"{rating.games:,}",
                percent(rating.score),
                rated(rating, pool.anchored),
                likelihood(rating.ahead),
            )
            for rating in pool.ratings
        ]
        numbers = ("games", "score", "Elo", "above the next")
        yield Sheet("Ratings", ("engine",), numbers, rows)


def _meetings(findings: Findings) -> Sheet:
    rows = []
    for (first, second), meeting in findings.tally.meetings.items():
        games, counts = meeting.games, meeting.counts
        cells = (
            f"{games.units:,}",
            wdl(games),
            percent(counts.mean),
            with_bar(elo(counts)),
            likelihood(superiority(counts)),
            percent(draw_ratio(games)),
        )
        rows.append((first, second, *cells))
    numbers = ("games", "W-D-L", "score", "Elo", "LOS", "draws")
    return Sheet("Head to head", ("first", "second"), numbers, rows)


def _pairs(findings: Findings) -> Sheet:
    rows = []
    for (first, second), meeting in findings.tally.meetings.items():
        ratio = pair_ratio(meeting.paired)
        cells = (
            *map(str, meeting.pairs),
            str(len(meeting.unfinished)),
            UNKNOWN if ratio is None else f"{ratio:.2f}",
            with_bar(normalised_elo(meeting.paired)),
        )
        rows.append((first, second, *cells))
    numbers = ("0", "1/2", "1", "3/2", "2", "half", "ratio", "nElo")
    return Sheet("Pairs of games by points of the first engine", ("first", "second"), numbers, rows)


def _colors(findings: Findings) -> Sheet:
    title = "By initial color"
    if (worth := findings.pools[0].first_turn) is not None:
        title += f"; playing Black is worth {with_bar(worth)} Elo"
    rows = []
    for engine in findings.engines:
        black, white = findings.tally.halves_of(engine)
        if black.units + white.units:
            identity = printable(findings.identities.get(engine, UNKNOWN))
            rows.append((engine, identity, *_games(black), *_games(white)))
    numbers = ("as Black W-D-L", "score", "as White W-D-L", "score")
    return Sheet(title, ("engine", "identity"), numbers, rows)


def _boards(findings: Findings) -> Sheet:
    rows = [(board.name, *_board(games)) for board, games in findings.tally.boards.items()]
    numbers = (
        "games",
        "Black W-D-L",
        "score",
        "swapped",
        "swapper W-D-L",
        "score",
        "turns",
        "mean",
        "time per game",
    )
    return Sheet("By board", ("board",), numbers, rows)


def _board(games: BoardTally) -> list[str]:
    first, swapped = Counts(tuple(games.first)), Counts(tuple(games.swapped))
    lengths = [length for length, count in games.lengths.items() for _ in range(count)]
    return [
        f"{first.units:,}",
        *_games(first),
        percent(games.swap_rate),
        *(_games(swapped) if swapped.units else (UNKNOWN, UNKNOWN)),
        f"{min(lengths)} to {max(lengths)}" if lengths else UNKNOWN,
        f"{mean(lengths):.1f}" if lengths else UNKNOWN,
        seconds(games.seconds / first.units),
    ]


def _boards_and_engines(findings: Findings) -> Sheet:
    rows = []
    for (board, first, second), meeting in findings.tally.on_board.items():
        counts = meeting.counts
        cells = wdl(meeting.games), with_bar(elo(counts)), likelihood(superiority(counts))
        rows.append((board.name, first, second, *cells))
    if len(findings.tally.boards) < 2:
        rows = []
    words = ("board", "first", "second")
    return Sheet("By board and engines", words, ("W-D-L", "Elo", "LOS"), rows)


def _openings(findings: Findings) -> Sheet:
    rows = [
        (group.board.name, group.name, f"{group.counts.units:,}", *_games(group.counts))
        for group in findings.openings
    ]
    numbers = ("games", "Black W-D-L", "score")
    return Sheet("By opening", ("board", "opening"), numbers, rows)


def _games(counts: Counts) -> tuple[str, str]:
    return wdl(counts), percent(counts.mean if counts.units else None)


def _times(findings: Findings) -> Sheet:
    """Time at the pipe; processor time and the arena's own lateness if measured."""
    uses = findings.turn_times
    measured = any(use.processor is not None or use.late is not None for _, use in uses)
    rows = []
    for engine, use in uses:
        known = (use.processor, use.late) if measured else ()
        more = (UNKNOWN if value is None else seconds(value) for value in known)
        times = map(seconds, (use.total / use.turns, use.longest, use.total))
        rows.append((engine, f"{use.turns:,}", *times, *more))
    numbers = ("turns", "mean", "longest", "total")
    more_numbers = ("processor", "arena late") if measured else ()
    return Sheet("Time", ("engine",), (*numbers, *more_numbers), rows)
