"""Steps as clicks on vertices, for a GUI."""

from collections.abc import Iterable, Iterator

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.items import PASS_WORD
from gtp_engine.rules.points.points import Points, lowest
from gtp_engine.rules.points.vertex import NAMES, Vertex
from gtp_engine.rules.step import PASS, Step
from gtp_engine.rules.turns import forced_step

Clicks = tuple[Vertex, ...]


def steps_clicked(position: Position, clicks: Clicks) -> tuple[Step, ...]:
    """The legal steps whose clicks begin with these."""
    if not clicks:
        return position.legal_steps()
    return tuple(
        step
        for step in (*position.candidates(), *position.swaps())
        if begins(position.clicks(step), clicks) and position.objection(step) is None
    )


def begins(accepted: tuple[Points, ...], clicks: Clicks) -> bool:
    """Whether some clicks are the beginning of a step's clicks."""
    return len(accepted) >= len(clicks) and all(
        points >> vertex & 1 for points, vertex in zip(accepted, clicks)
    )


def next_clicks(position: Position, clicks: Clicks) -> Points:
    """The vertices that may be clicked next, after the clicks made so far."""
    points = 0
    for step in steps_clicked(position, clicks):
        accepted = position.clicks(step)
        if len(accepted) > len(clicks):
            points |= accepted[len(clicks)]
    return points


def canonical_clicks(position: Position, step: Step) -> Clicks:
    """Our choice of clicks for a legal step; none for a pass."""
    return tuple(map(lowest, position.usual_clicks(step)))


def clicks_that_say(
    position: Position, steps: Iterable[Step], made: int = 0
) -> Iterator[Vertex | None]:
    """The clicks for steps, without forced ones and the first `made` clicks; None for a pass."""
    before: Step | None = None
    for step in steps:
        if before is not None:
            position, made = position.play_unchecked(before), 0
        if before is None or step != forced_step(position):
            yield from canonical_clicks(position, step)[made:]
            if step == PASS:
                yield None
        before = step


def words_clicked(position: Position, clicks: Clicks, steps: tuple[Step, ...]) -> Iterator[str]:
    """The words that play some steps after earlier clicks: one per click, or a pass."""
    for vertex in clicks_that_say(position, steps, len(clicks)):
        yield PASS_WORD if vertex is None else NAMES[vertex]
