"""Mistakes come again after days, as flash cards do, until a better turn was found often enough.

Whoever finds a good turn at once sees the mistake again after the next of WAITS, and whoever does
not after the first one.
"""

import json
from collections.abc import Callable
from datetime import date, timedelta
from hashlib import sha256
from typing import Annotated, NamedTuple

from gtp_engine.base.shapes import Unfit, array, choice, integer, read_json, shape_of
from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.seat import COLORS

RETURNING = "returning"
"""The set of the mistakes that come again today."""

WAITS = (1, 3, 7, 21)
"""Days until a mistake comes again, the more often in a row it was corrected at once."""

MOST = 300
"""Most mistakes that are kept; those that were tried least lately go."""

MOST_A_DAY = 10


class _Task(NamedTuple):
    """The fields of a mistake as an exercise, but for those that depend on the list."""

    game: str
    size: int
    position: str
    color: Annotated[str, choice(*COLORS)]
    title: str
    text: str
    hint: str
    solution: tuple[str, ...]
    visits: int | None

    @property
    def name(self) -> str:
        """The id: the same for the same position and player."""
        digest = sha256(f"{self.position} {self.color}".encode()).hexdigest()
        return f"{RETURNING}.{digest[:12]}"


class _Kept(NamedTuple):
    """A mistake.

    due       -- the day on which it comes again, as `YYYY-MM-DD`
    corrected -- how often in a row a good turn was found at once, on a day on which it came
    """

    due: str
    corrected: Annotated[int, integer(0, len(WAITS) - 1)]
    task: _Task


class Repetition:
    """The mistakes that come again, for all tables of a board."""

    def __init__(
        self,
        keep: Callable[[str], object] = lambda text: None,
        today: Callable[[], date] = date.today,
    ) -> None:
        """None is known.

        keep -- receives all of them as a text after each change; `read` takes such a text
        """
        self._keep, self._today = keep, today
        self._kept: dict[str, _Kept] = {}
        self._over: dict[str, date] = {}  # the day on which one came for the last time

    def read(self, text: str) -> None:
        """Take what was kept. Raises ValueError if it is not that; then nothing changes."""
        try:
            kept = array(shape_of(_Kept), most=MOST).read(read_json(text))
        except Unfit as error:
            raise ValueError(str(error)) from None
        for each in kept:
            date.fromisoformat(each.due)
        self._kept = {each.task.name: each for each in kept}

    def due(self) -> list[Message]:
        """The exercises of today, those that wait longest first, MOST_A_DAY at most."""
        today = self._today().isoformat()
        waiting = sorted((each.due, name) for name, each in self._kept.items())
        names = [name for day, name in waiting if day <= today][:MOST_A_DAY]
        total = len(names)
        return [
            task._asdict()
            | {"solution": list(task.solution), "id": task.name, "number": number, "total": total}
            for number, task in enumerate((self._kept[name].task for name in names), 1)
        ]

    def tried(self, mistake: Message, good: bool) -> None:
        """A turn was tried at a mistake, for the first time or again."""
        task = _Task(**{key: mistake[key] for key in _Task._fields})
        today = self._today()
        before = self._kept.get(task.name)
        waits = before is not None and before.due > today.isoformat()
        if good and (waits or self._over.get(task.name) == today):
            return  # it was tried today already
        corrected = before.corrected + 1 if before is not None and good else 0
        self._kept.pop(task.name, None)
        if corrected < len(WAITS):
            due = today + timedelta(days=WAITS[corrected])
            self._kept[task.name] = _Kept(due.isoformat(), corrected, task)
        else:
            self._over[task.name] = today
        for oldest in list(self._kept)[:-MOST]:
            del self._kept[oldest]
        found = [each._asdict() | {"task": each.task._asdict()} for each in self._kept.values()]
        self._keep(json.dumps(found))
