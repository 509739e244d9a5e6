"""Charts of a match: SVG by matplotlib, with text as text, for the page.

The colors are those of Okabe and Ito (2008), distinguishable with any color vision; nothing depends
on color alone.
"""

import io
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.arena.reporting.findings import Findings, OpeningGames
from gtp_engine.arena.stats.tally import Moment
from gtp_engine.base.statistics.statistics import Counts, Estimate, elo, score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
INK, FAINT, GRID = "#222222", "#8a8a8a", "#dddddd"

# The page's CSS variables for these colors, which have a light and a dark value.
_THEMED = {
    BLUE: "var(--chart)",
    ORANGE: "var(--chart-two)",
    GREEN: "var(--chart-three)",
    INK: "var(--ink)",
    FAINT: "var(--quiet)",
    GRID: "var(--hair)",
}

# Inches of 72 units each; a page shows them at the width of a phone or wider.
WIDTH, _ROW = 4.6, 0.29

_STYLE = {
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10.5,
    "svg.fonttype": "none",
    "svg.hashsalt": "gtp-arena",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
}

# A chart of more rows stands in two halves.
_MANY_ROWS = 12

# Parts of an x axis: labels such as `10,000,000` need the room.
_MOST_TICKS = 4

# The number of boards that get a histogram.
_MOST_BOARDS = 8

# The lowest time in seconds on a chart.
_SHORTEST = 1e-6

# The largest difference on a chart; longer intervals are cut off.
_MOST_ELO = 800.0


class Chart(NamedTuple):
    """A chart with a title, and a sentence on how to read it.

    svg -- the picture; of a long chart two halves, to stand side by side
    """

    title: str
    reading: str
    svg: tuple[str, ...]


def charts(findings: Findings) -> list[Chart]:
    """All charts that have data, in an order that fills two columns. Needs matplotlib."""
    makers: Sequence[Callable[[Findings], Chart | None]] = (
        _ratings,
        _strengths,
        _course,
        _times,
        _test,
        _lengths,
        _openings,
    )
    with chart_style():
        return [chart for make in makers if (chart := make(findings))]


def _ratings(findings: Findings) -> Chart | None:
    """Elo with intervals, for each pool of engines."""
    pools = findings.rated_pools
    if not pools:
        return None
    rows = [rating for pool in pools for rating in pool.ratings]
    figure, axes = _rows(len(rows), "Elo")
    for row, rating in enumerate(rows):
        _draw(axes, row, rating.elo, rating.elo.value)
    edges = [len(pool.ratings) for pool in pools]
    for edge in range(1, len(edges)):
        axes.axhline(sum(edges[:edge]) - 0.5, color=FAINT, linewidth=0.8, linestyle=":")
    anchors = findings.match.anchors
    for place in anchors.values() or [0]:
        axes.axvline(place, color=FAINT, linewidth=0.8)
    _name_rows(axes, [rating.engine for rating in rows])
    told = "vertical lines are given ratings" if anchors else "0 is the mean of the engines"
    reading = f"Points are ratings, lines their 95 % intervals; {told}."
    if len(pools) > 1:
        reading += " No games connect engines on different sides of a dotted line."
    return _chart("Ratings", reading, figure)


def _strengths(findings: Findings) -> Chart | None:
    """Elo with intervals of a match of two engines, on all boards and on each."""
    if findings.only_meeting is None:
        return None
    first, second, meeting = findings.only_meeting
    on_board = findings.tally.on_board
    parts = {"all games": meeting}
    if len(on_board) > 1:
        parts |= {board.name: part for (board, *_), part in on_board.items()}
    figure, axes = _rows(len(parts), f"Elo of {_short(first)}")
    for row, part in enumerate(parts.values()):
        estimate = elo(part.counts)
        assert estimate is not None
        _draw(axes, row, estimate)
    axes.axvline(0, color=FAINT, linewidth=0.8)
    _name_rows(axes, list(parts))
    reading = f"Right of 0 {first} is ahead of {second}; lines are 95 % intervals."
    return _chart("Strength", reading, figure)


def _course(findings: Findings) -> Chart | None:
    """Elo of a match of two engines, game by game."""
    moments = _moments(findings)
    if len(moments) < 2:
        return None
    first, second = findings.engines
    values, lows, highs = zip(*(_within(elo(Counts(moment.pairs))) for moment in moments))
    # The first few pairs have such long intervals that all others would be invisible.
    widest = max(50.0, 2.5 * min(max(-low, high) for low, high in zip(lows, highs)))
    figure, axes = _plot("games", f"Elo of {_short(first)}")
    games = [moment.games for moment in moments]
    axes.fill_between(games, lows, highs, color=BLUE, alpha=0.2, linewidth=0)
    axes.plot(games, values, color=BLUE, linewidth=2)
    axes.axhline(0, color=FAINT, linewidth=0.8)
    axes.set_ylim(-widest, widest)
    axes.set_xlim(0, games[-1])
    reading = (
        f"Above 0 {first} is ahead of {second}; the band is the 95 % interval at that time. Do not"
        " stop a match because the band leaves 0 for a moment."
    )
    return _chart("Elo as the match went on", reading, figure)


def _test(findings: Findings) -> Chart | None:
    """The log-likelihood ratio of a sequential test, with its bounds."""
    moments = findings.tally.tested.moments
    if findings.test is None or len(moments) < 2:
        return None
    sprt = findings.test.sprt
    figure, axes = _plot("games", "LLR")
    games = [moment.games for moment in moments]
    axes.plot(games, [sprt.llr(Counts(moment.pairs)) for moment in moments], color=BLUE)
    for bound, color, name in zip(sprt.bounds, (ORANGE, GREEN), ("H0", "H1")):
        axes.axhline(bound, color=color, linewidth=1.5, linestyle="--")
        side = "bottom" if bound > 0 else "top"
        words = f"{name}: {sprt.elo1 if bound > 0 else sprt.elo0:g}"
        axes.annotate(
            words, (0.01, bound), (0, 3 if bound > 0 else -3), xycoords=("axes fraction", "data"),
            textcoords="offset points", va=side, color=color,
        )  # fmt: skip
    axes.axhline(0, color=FAINT, linewidth=0.8)
    axes.margins(y=0.15)
    axes.set_xlim(0, games[-1])
    reading = (
        "The test ends when the line reaches a bound; the upper bound accepts the greater strength."
    )
    return _chart("The sequential test", reading, figure)


def _openings(findings: Findings) -> Chart | None:
    """The score of the engine that began as BLACK, by opening."""
    groups = sorted(findings.openings, key=lambda group: (group.board, -group.counts.mean))
    if not groups:
        return None
    several = len({group.board for group in groups}) > 1
    middle = (len(groups) + 1) // 2 if len(groups) > _MANY_ROWS else len(groups)
    reading = (
        "Points are scores of the engines that began as Black after these turns, lines their"
        " 95 % intervals. In each pair of games both engines play both colors."
    )
    halves = filter(None, (groups[:middle], groups[middle:]))
    figures = [_scores(half, several) for half in halves]
    return _chart("Score by opening", reading, *figures)


def _scores(groups: Sequence[OpeningGames], several: bool) -> "Figure":
    """The scores after openings; `several` says whether they are on several boards."""
    figure, axes = _rows(len(groups), "score of Black, %")
    for row, group in enumerate(groups):
        estimate = score(group.counts)
        assert estimate is not None
        value, low, high = (100 * share for share in estimate)
        axes.plot([low, high], [row, row], color=BLUE, linewidth=1.5, alpha=0.6)
        axes.plot(value, row, "o", color=BLUE, markersize=5)
    axes.axvline(50, color=FAINT, linewidth=0.8)
    axes.set_xlim(-2, 102)
    names = [f"{group.board.name}: {group.name}" if several else group.name for group in groups]
    _name_rows(axes, names)
    return figure


def _lengths(findings: Findings) -> Chart | None:
    """The number of games by number of turns, for each board."""
    boards = [(board, games) for board, games in findings.tally.boards.items() if games.lengths]
    boards = boards[:_MOST_BOARDS]
    if not boards:
        return None
    longest = max(max(games.lengths) for _, games in boards)
    width = max(1, math.ceil((longest + 1) / 40))
    figure = _figure(0.5 + 1.3 * len(boards))
    columns = figure.subplots(len(boards), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (board, games) in zip(columns, boards):
        bins = [0] * (longest // width + 1)
        for length, count in games.lengths.items():
            bins[length // width] += count
        lefts = [width * n for n, count in enumerate(bins) if count]
        axes.bar(
            lefts, [count for count in bins if count], width=0.9 * width, align="edge", color=BLUE
        )
        axes.set_title(board.name, loc="left", fontsize=10.5, pad=3)
        axes.locator_params(axis="y", integer=True, nbins=4)
    shortest = min(min(games.lengths) for _, games in boards)
    columns[-1].set_xlim(min(shortest, max(0, longest - 10)) - width, longest + 2 * width)
    _number(columns[-1], integer=True)
    columns[-1].set_xlabel("turns")
    figure.supylabel("games", fontsize=10.5)
    reading = "Number of games by number of turns, without games ended by faults"
    reading += f"; {width} lengths per bar." if width > 1 else "."
    return _chart("Length of the games", reading, figure)


def _times(findings: Findings) -> Chart | None:
    """Mean and longest time per turn, by engine."""
    uses = findings.turn_times
    if not uses:
        return None
    figure, axes = _rows(len(uses), "seconds per turn", extra=0.3)
    for row, (_, use) in enumerate(uses):
        times = [max(_SHORTEST, seconds) for seconds in (use.total / use.turns, use.longest)]
        axes.plot(times, [row, row], color=BLUE, linewidth=1, alpha=0.6)
        dots = axes.plot(times[0], row, "o", color=BLUE, markersize=8)
        marks = axes.plot(times[1], row, "|", color=BLUE, markersize=12, markeredgewidth=2)
    axes.set_xscale("log")
    axes.locator_params(axis="x", numticks=_MOST_TICKS)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_formatter(lambda value, _: "")
    # At least one whole decade, so that at least two ticks have numbers.
    first, last = map(math.log10, axes.get_xlim())
    axes.set_xlim(10 ** math.floor(first), 10 ** math.ceil(last))
    axes.legend([*dots, *marks], ["mean", "longest"], ncols=2, loc="lower right",
                bbox_to_anchor=(1, 1), frameon=False, borderpad=0, handletextpad=0)  # fmt: skip
    _name_rows(axes, [engine for engine, _ in uses])
    return _chart("Time", "From the request to the response; a logarithmic scale.", figure)


def _moments(findings: Findings) -> list[Moment]:
    """The course of a match of two engines, empty if there is none."""
    if findings.only_meeting is None:
        return []
    course = findings.tally.courses.get(findings.only_meeting[:2])
    return course.moments if course else []


def _within(estimate: Estimate | None, middle: float = 0.0) -> Estimate:
    """The estimate with ends that can be drawn."""
    assert estimate is not None
    lowest, highest = middle - _MOST_ELO, middle + _MOST_ELO
    return Estimate(*(max(lowest, min(highest, end)) for end in estimate))


def _draw(axes: "Axes", row: int, estimate: Estimate, middle: float = 0.0) -> None:
    """An estimate with its interval, cut off far from a middle."""
    value, low, high = _within(estimate, middle)
    axes.plot([low, high], [row, row], color=BLUE, linewidth=2, solid_capstyle="butt")
    # If all games were won, only one end of the interval is known.
    if math.isfinite(estimate.value):
        axes.plot(value, row, "o", color=BLUE, markersize=7)


@contextmanager
def chart_style() -> Iterator[None]:
    """The style of all charts, inside the block. Needs matplotlib."""
    import matplotlib

    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():  # type: ignore[arg-type]
        # A name may have letters that matplotlib cannot measure; the browser can show them.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        yield


def _figure(height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height))


def _plot(x: str, y: str) -> "tuple[Figure, Axes]":
    figure = _figure(3.0)
    axes = figure.subplots()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    _number(axes, integer=True)
    return figure, axes


def _number(axes: "Axes", integer: bool = False) -> None:
    """Number the x axis so that the labels of a long match do not touch each other."""
    axes.locator_params(axis="x", nbins=_MOST_TICKS, integer=integer)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.12g}".replace("-", "\N{MINUS SIGN}"))


def _rows(rows: int, x: str, extra: float = 0.0) -> "tuple[Figure, Axes]":
    """A chart with one row per item, the first one on top."""
    figure = _figure(0.6 + extra + _ROW * rows)
    axes = figure.subplots()
    axes.set_xlabel(x)
    _number(axes)
    axes.set_ylim(rows - 0.4, -0.6)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _name_rows(axes: "Axes", names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.tick_params(axis="y", length=0)


def _short(name: str, most: int = 22) -> str:
    """A name short enough to leave room for the chart."""
    return name if len(name) <= most else name[: most - 3] + "..."


def _chart(title: str, reading: str, *figures: "Figure") -> Chart:
    """A chart of one figure, or of two halves."""
    prefix = "".join(filter(str.isalpha, title.lower()))
    label = f"{title}. {reading}"
    parts = (_element(figure, label, f"{prefix}{n or ''}") for n, figure in enumerate(figures))
    return Chart(title, reading, tuple(parts))


def _element(figure: "Figure", label: str, prefix: str) -> str:
    """The figure as an element of a page, without a fixed size; its ids begin with the prefix."""
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    head, rest = text.split(">", 1)
    text = re.sub(r' (width|height)="[^"]*"', "", head) + ">" + rest
    text = text.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
    for color, variable in _THEMED.items():
        text = text.replace(color, variable)
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", text)
    return text.strip()
