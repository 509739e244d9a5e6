"""The chart of learned evaluations: cost against accuracy, as SVG for light and dark pages.

Each game has two panels: the cross entropy of the policy and that of the value. The horizontal axis
is the cost of an evaluation in microseconds. Better nets lie to the lower left. The names are in a
column on the right, with a line from each to its point.
"""

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple


class ChartPoint(NamedTuple):
    """A net: the cost of an evaluation in microseconds, and its cross entropies."""

    name: str
    cost: float
    steps: float
    value: float


class ChartRow(NamedTuple):
    """The nets of a game, and the cross entropies of no net: `without_steps`, `without_value`."""

    title: str
    points: Sequence[ChartPoint]
    without_steps: float
    without_value: float


_WIDTH, _HEIGHT = 440, 300  # the size of a panel
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 34, 40
_NAMES = 140  # the width of the column of names
_LINE = 14  # the height of a line of text

# The least space in nats above the highest net and below the lowest one.
_LEAST_ROOM = 0.02

_STYLE = """
text { font: 12px sans-serif; fill: #222; }
.title { font-weight: bold; }
.grid { stroke: #ddd; }
.lead { stroke: #8a8a8a; }
.net { fill: #0072b2; }
.quiet { fill: #666; }
@media (prefers-color-scheme: dark) {
text { fill: #eee; }
.grid { stroke: #444; }
.net { fill: #56b4e9; }
.quiet { fill: #aaa; }
}"""


class _Scale(NamedTuple):
    """A linear scale: it maps numbers from `low` to `high` to places in the picture."""

    low: float
    high: float
    begin: float
    end: float

    def place(self, number: float) -> float:
        return self.begin + (number - self.low) / (self.high - self.low) * (self.end - self.begin)


def chart(rows: Sequence[ChartRow]) -> str:
    """The picture of all games, one below another."""
    width, height = 2 * _WIDTH, len(rows) * _HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">',
        "<title>Learned evaluations: cross entropy over microseconds of an evaluation</title>",
        f"<style>{_STYLE}\n</style>",
    ]
    for number, row in enumerate(rows):
        of_steps = [(each.name, each.cost, each.steps) for each in row.points]
        of_value = [(each.name, each.cost, each.value) for each in row.points]
        top = number * _HEIGHT
        parts += _panel(f"{row.title}: cross entropy of steps", of_steps, row.without_steps, 0, top)
        parts += _panel(
            f"{row.title}: cross entropy of the value", of_value, row.without_value, _WIDTH, top
        )
    return "\n".join([*parts, "</svg>\n"])


def _panel(
    title: str, points: Sequence[tuple[str, float, float]], without: float, left: int, top: int
) -> Iterator[str]:
    """One panel. Its scale of costs is logarithmic."""
    costs = [math.log(cost) for _, cost, _ in points]
    right = left + _WIDTH - _RIGHT
    x = _Scale(min(costs) - 0.2, max(costs) + 0.2, left + _LEFT, right - _NAMES)
    losses = [loss for _, _, loss in points]
    room = max(0.15 * (max(losses) - min(losses)), _LEAST_ROOM)
    y = _Scale(min(losses) - room, max(losses) + room, top + _HEIGHT - _BOTTOM, top + _TOP)
    yield f'<text class="title" x="{x.begin}" y="{top + 20}">{escape(title)}</text>'
    yield _text(f"without a net {without:.2f}", right, top + 20, "end", "quiet")
    marks = ticks(y.low, y.high)
    decimals = max(0, -math.floor(math.log10(marks[1] - marks[0]) + 1e-9))
    for mark in marks:
        at = y.place(mark)
        yield _line("grid", x.begin, at, x.end, at)
        yield _text(f"{mark:.{decimals}f}", x.begin - 6, at + 4, "end")
    for cost in _round_costs(x.low, x.high):
        at = x.place(math.log(cost))
        yield _line("grid", at, y.begin, at, y.end)
        yield _text(f"{cost:g}", at, y.begin + 16, "middle")
    yield _text("microseconds", (x.begin + x.end) / 2, y.begin + 32, "middle", "quiet")
    ordered = sorted(points, key=lambda point: -point[2])
    places = _apart([y.place(loss) for _, _, loss in ordered], y.end, y.begin)
    for (name, cost, loss), at in zip(ordered, places):
        across, down = x.place(math.log(cost)), y.place(loss)
        yield _line("lead", across, down, right - _NAMES + 8, at)
        yield f'<circle class="net" cx="{across:.1f}" cy="{down:.1f}" r="4"/>'
        yield _text(name, right - _NAMES + 12, at + 4, "start")


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places from top to bottom, a line or more apart, and close to the wanted ones."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + _LINE if places else top))
    limit = bottom
    for i in reversed(range(len(places))):
        places[i] = min(places[i], limit)
        limit = places[i] - _LINE
    return places


def ticks(low: float, high: float) -> list[float]:
    """Three to seven round numbers in a range."""
    step = 10 ** math.floor(math.log10(high - low))
    step *= next(part for part in (0.1, 0.2, 0.5, 1, 2, 5) if (high - low) / (step * part) < 6)
    return [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _round_costs(low: float, high: float) -> list[float]:
    """Round numbers within a range of logarithms."""
    found = [part * 10.0**power for power in range(-3, 6) for part in (1, 2, 5)]
    return [cost for cost in found if low <= math.log(cost) <= high]


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(text: str, x: float, y: float, anchor: str, kind: str = "label") -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
    )
