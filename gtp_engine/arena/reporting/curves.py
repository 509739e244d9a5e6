"""A picture of curves over numbered rounds, one chart above the other, in the style of the charts.

It stands alone: an SVG file with its own colors, for the progress of a training or a tuning.
"""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.arena.reporting.charts import (
    BLUE,
    FAINT,
    GREEN,
    GRID,
    ORANGE,
    WIDTH,
    chart_style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS, _MARKS = (BLUE, ORANGE, GREEN), ("o", "s", "^")
_HEIGHT = 2.3


class Interval(NamedTuple):
    """The interval of a value at a place of the x axis."""

    x: float
    low: float
    high: float


class Panel(NamedTuple):
    """A chart of the picture.

    y         -- what its y axis shows
    curves    -- up to three, by name: the places and values of their points
    intervals -- of the points of the first curve
    level     -- a value with a line of its own; None for none
    """

    y: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    intervals: Sequence[Interval] = ()
    level: float | None = None


def curves_picture(title: str, x: str, panels: Sequence[Panel]) -> str:
    """The picture as SVG. Needs matplotlib.

    x      -- what the x axis counts
    panels -- from the top; all share the x axis
    """
    with chart_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH, 0.4 + _HEIGHT * len(panels)))
        found = figure.subplots(len(panels), sharex=True, squeeze=False)
        for axes, panel in zip(found[:, 0], panels):
            _draw(axes, panel)
        found[0, 0].set_title(title)
        found[-1, 0].set_xlabel(x)
        found[-1, 0].locator_params(axis="x", integer=True)
        file = io.StringIO()
        figure.savefig(file, format="svg", facecolor="white", metadata={"Date": None})
    return file.getvalue()


def _draw(axes: "Axes", panel: Panel) -> None:
    axes.set_ylabel(panel.y)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    if panel.level is not None:
        axes.axhline(panel.level, color=FAINT, linewidth=0.8)
    for each in panel.intervals:
        axes.plot([each.x, each.x], [each.low, each.high], color=BLUE, linewidth=2)
    for (name, points), color, mark in zip(panel.curves.items(), _COLORS, _MARKS):
        places, values = zip(*points) if points else ((), ())
        axes.plot(places, values, color=color, marker=mark, markersize=5, label=name)
    if len(panel.curves) > 1:
        axes.legend(frameon=False)
