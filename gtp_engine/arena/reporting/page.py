"""The findings of a match as an HTML page that loads nothing; its frame is page.html."""

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from gtp_engine.arena.reporting.charts import Chart, charts
from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.sheets import Sheet, faults, sheets
from gtp_engine.arena.reporting.wording import (
    UNKNOWN,
    interval,
    likelihood,
    number_of,
    percent,
    printable,
    rated,
    seconds,
    signed,
    wdl,
)
from gtp_engine.arena.stats.tally import LISTED_FAULTS, Numbered
from gtp_engine.arena.values import Evidence, GameKey
from gtp_engine.base.statistics.statistics import Counts, elo, normalised_elo, superiority
from gtp_engine.engine.pictures.loader import page_style

_PAGE = "page.html"

# The background of a score in the cross table: blue above one half, orange below.
_ABOVE, _BELOW = "var(--better)", "var(--poorer)"
_DEEPEST = 0.45

# Longer cells are wrapped, shorter ones never.
_LONG, _LONG_NUMBER, _SHORT = 40, 16, 12

# A table of more rows and few columns stands in two halves side by side.
_MANY_ROWS, _FEW_COLUMNS = 8, 5

# More faults than these are shown only when somebody opens the list.
_MANY_FAULTS = 20


def page(
    findings: Findings,
    replays: Mapping[GameKey, str] | None = None,
    evidence: Callable[[int], Sequence[Evidence]] = lambda number: (),
) -> str:
    """The page. Needs matplotlib.

    replays  -- links to pages that replay games, relative to this page
    evidence -- returns both conversations of a game with a fault, by its number in the store
    """
    return _template().substitute(
        style=page_style(),
        title=escape(findings.title),
        headline=escape(findings.headline),
        sentences="\n".join(f"<p>{escape(sentence)}</p>" for sentence in findings.sentences),
        figures="\n".join(_figures(findings)),
        cross=_cross(findings),
        charts="\n".join(map(_chart, charts(findings))),
        tables="\n".join(
            _section(sheet.title, _table(sheet))
            for sheet in sheets(findings)
            if sheet != faults(findings)
        ),
        faults=_faults(findings, evidence),
        games=_games(findings, replays or {}),
        settings=_settings(findings),
    )


@cache
def _template() -> Template:
    return Template(files(__package__).joinpath(_PAGE).read_text(encoding="utf-8"))


def _section(title: str, inside: str, kind: str = "") -> str:
    opened = f'<section class="{kind}">' if kind else "<section>"
    return f"{opened}\n<h2>{escape(title)}</h2>\n{inside}\n</section>"


def _halves(*parts: str) -> str:
    """Parts side by side where there is room."""
    return '<div class="halves">\n{}\n</div>'.format("\n".join(parts))


def _chart(chart: Chart) -> str:
    reading, long = f'<p class="quiet">{escape(chart.reading)}</p>', len(chart.svg) > 1
    drawn = _halves(*chart.svg) if long else chart.svg[0]
    return _section(chart.title, f"{reading}\n{drawn}", "broad" if long else "")


def _figures(findings: Findings) -> Iterator[str]:
    """The main numbers."""
    tally = findings.tally
    if findings.only_meeting:
        first, _, meeting = findings.only_meeting
        counts = meeting.counts
        strength, normalised = elo(counts), normalised_elo(counts)
        assert strength is not None
        bounded = math.isfinite(strength.value)
        value = signed(strength.value) if bounded else interval(strength)
        note = f"95 %: {interval(strength)}" if bounded else "95 % confidence"
        yield _figure(f"Elo of {first}", value, note)
        if normalised is not None:
            yield _figure("normalised Elo", signed(normalised.value), f"±{normalised.bar:.1f}")
        yield _figure(f"{first} is stronger", likelihood(superiority(counts)), "likelihood")
        yield _figure("score", percent(counts.mean), f"{wdl(meeting.games)} won-drawn-lost")
    elif tally.games:
        pool = findings.pools[0]
        best, following, *_ = pool.ratings
        value, _, note = rated(best, pool.anchored).partition(" ")
        yield _figure(f"Elo of {best.engine}", value, note)
        yield _figure(f"above {following.engine}", likelihood(best.ahead), "likelihood")
    if findings.test is not None:
        bounds = findings.test.sprt.bounds
        told = findings.test.accepted or "undecided"
        between = f"{told}; bounds {bounds.lower:.2f}, {bounds.upper:.2f}"
        yield _figure("LLR of the test", f"{findings.test.llr:+.2f}", between)
    planned = max(findings.planned, tally.games)
    yield _figure("games", f"{tally.games:,}", f"of {planned:,}")
    if tally.games:
        total = sum(tally.faults.values())
        yield _figure("ended by a fault", f"{total:,}", percent(total / tally.games))
        yield _figure("time of all games", seconds(tally.seconds))


def _figure(name: str, value: str, note: str = "") -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    return f"<div><dt>{escape(name)}</dt><dd>{escape(value)}{small}</dd></div>"


def _table(sheet: Sheet) -> str:
    def part(rows: Sequence[Sequence[str]]) -> str:
        return _rows(sheet.words, sheet.numbers, ([*map(escape, row)] for row in rows))

    rows = sheet.rows
    if len(rows) <= _MANY_ROWS or len(sheet.words) + len(sheet.numbers) > _FEW_COLUMNS:
        return part(rows)
    middle = (len(rows) + 1) // 2
    return _halves(part(rows[:middle]), part(rows[middle:]))


def _rows(words: Sequence[str], numbers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""

    def line(tag: str, cells: Iterable[str]) -> str:
        inside = (
            f"<{tag}{_kind(cell, number >= len(words))}>{cell}</{tag}>"
            for number, cell in enumerate(cells)
        )
        return f"<tr>{''.join(inside)}</tr>"

    # A title such as W-D-L is wrapped at blanks alone.
    titles = (escape(name).replace("-", "\N{NON-BREAKING HYPHEN}") for name in [*words, *numbers])
    head = line("th", titles)
    body = "\n".join(line("td", row) for row in rows)
    return (
        f'<div class="wide"><table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody></table></div>'
    )


def _kind(cell: str, number: bool) -> str:
    """The class of a cell in its column."""
    if number:
        return ' class="number long"' if len(cell) > _LONG_NUMBER else ' class="number"'
    length = len(re.sub("<.*?>", "", cell))
    return ' class="long"' if length > _LONG else ' class="short"' if length < _SHORT else ""


def _cross(findings: Findings) -> str:
    """The results of every pair of engines, the best engine first; nothing for two engines."""
    names = [rating.engine for pool in findings.pools for rating in pool.ratings]
    if len(names) < 3 or not findings.tally.games:
        return ""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "\n".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(
            _cell(findings.tally.games_between(name, other), name == other) for other in names
        )
        + "</tr>"
        for name in names
    )
    note = '<p class="quiet">Scores of the engine on the left against the engine above.</p>'
    table = f"<thead><tr><th></th>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>"
    return _section(
        "Cross table", f'{note}<div class="wide"><table class="cross">{table}</table></div>'
    )


def _cell(counts: Counts, own: bool) -> str:
    if own:
        return '<td class="own"></td>'
    if not counts.units:
        return f"<td>{UNKNOWN}</td>"
    lead = counts.mean - 0.5
    color = f"rgba({_ABOVE if lead > 0 else _BELOW}, {2 * abs(lead) * _DEEPEST:.2f})"
    inside = f"{percent(counts.mean)}<small>{wdl(counts)}</small>"
    return f'<td style="background: {color}">{inside}</td>'


def _faults(findings: Findings, evidence: Callable[[int], Sequence[Evidence]]) -> str:
    """The faults of each engine, with the end of the conversation in each such game."""
    if not findings.tally.faulty:
        return ""
    told = []
    for game in findings.tally.faulty:
        conversations = "\n".join(
            f"<p>{escape(each.engine)}</p>\n<pre>{_lines(each)}</pre>"
            for each in evidence(game.number)
        )
        summary = escape(printable(f"{game.result.key}: {game.result.reason}"))
        told.append(
            f"<details><summary>{summary}</summary>\n{conversations}</details>"
            if conversations
            else f"<p>{summary}</p>"
        )
    left_out = sum(findings.tally.faults.values()) - len(findings.tally.faulty)
    if left_out:
        told.append(f"<p>Only the first {LISTED_FAULTS} are shown; {left_out:,} more are not.</p>")
    games = "\n".join(told)
    if len(told) > _MANY_FAULTS:
        title = f"{number_of(len(findings.tally.faulty), 'game')} that ended by a fault"
        games = f"<details><summary>{title}</summary>\n{games}</details>"
    return _section("Faults", f"{_table(faults(findings))}\n{games}")


def _lines(evidence: Evidence) -> str:
    return escape("\n".join(map(printable, evidence.lines)))


def _games(findings: Findings, replays: Mapping[GameKey, str]) -> str:
    """The last games, the newest first."""
    games = findings.tally.recent
    if not games:
        return ""
    words = ("game", "Black", "White", "opening", "result", "why")
    numbers = ("pair", "turns", "time")
    table = _rows(words, numbers, (_game(game, replays) for game in reversed(games)))
    title = f"All {number_of(len(games), 'game')}"
    if len(games) < findings.tally.games:
        title = f"The last {len(games):,} of {number_of(findings.tally.games, 'game')}"
    return _section("Games", f"<details><summary>{title}</summary>\n{table}</details>")


def _game(game: Numbered, replays: Mapping[GameKey, str]) -> list[str]:
    result = game.result
    key = result.key
    name = escape(key.board.name)
    if key in replays:
        name = f'<a href="{escape(replays[key])}">{name}</a>'
    black, white = (
        f"<b>{escape(engine)}</b>" if engine == result.winner else escape(engine)
        for engine in key.engines
    )
    why = result.reason + (", after a swap" if result.swapped else "")
    opening = escape(" ".join(result.opening) or UNKNOWN)
    numbers = f"{key.number:,}", f"{result.length:,}", seconds(result.seconds)
    return [name, black, white, opening, escape(result.result), escape(printable(why)), *numbers]


def _settings(findings: Findings) -> str:
    """The configuration of the match, so that it can be repeated."""
    match, tally = findings.match, findings.tally
    rows = [
        (
            engine.name,
            printable(findings.identities.get(engine.name, UNKNOWN)),
            printable("; ".join(findings.uses.get(engine.name, UNKNOWN).splitlines())),
            engine.command,
            ", ".join(f"{name}={value}" for name, value in engine.settings.items()) or UNKNOWN,
            engine.time or match.time,
        )
        for engine in match.engines
    ]
    words = ("engine", "identity", "plays", "command", "settings", "time")
    told = [f"Pie rule: {match.pie}. Openings: {match.openings.source}. Seed: {match.seed}."]
    if tally.started is not None and tally.ended is not None:
        begun, ended = (
            time.strftime("%Y-%m-%d %H:%M", time.gmtime(moment))
            for moment in (tally.started, tally.ended)
        )
        told.append(f"From {begun} to {ended} UTC.")
    inside = "\n".join(f"<p>{escape(sentence)}</p>" for sentence in told)
    return _section("Settings", _table(Sheet("", words, (), rows)) + inside)
