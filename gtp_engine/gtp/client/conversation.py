"""The last lines that went to and came from an engine."""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import count

_WIDTH = 500  # most characters of a line
_HEARD = 20  # most lines of the log that are passed on at a time

# The protocol ignores control characters and treats a tab as a blank.
BLANKS = bytes.maketrans(b"\t", b" ")
CONTROL = bytes({*range(32), 127} - set(b"\t\n"))


class Conversation:
    """Remembers lines to an engine (`>`), from it (`<`), and of its log (`!`).

    The log cannot displace the rest.

    hear -- receives each line: its sign and its text
    tail -- number of remembered lines, and of those of the log
    """

    def __init__(self, tail: int, hear: Callable[[str, str], None]) -> None:
        self.hear = hear
        self._tail = tail
        self._order = count()
        self._said: deque[tuple[int, str]] = deque(maxlen=tail)
        self._logged: deque[tuple[int, str]] = deque(maxlen=tail)
        self._unfinished = b""

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines in order, each after its sign and a blank. Long lines are shortened."""
        return tuple(line for _, line in sorted([*self._said, *self._logged]))

    @property
    def last_log_line(self) -> str:
        """The last line of the log, "" if it is empty."""
        return self._logged[-1][1].removeprefix("! ") if self._logged else ""

    def say(self, sign: str, text: str, bare: str | None = None) -> None:
        """Remember a line of GTP, and pass it on, or what it is without its id."""
        self._said.append((next(self._order), f"{sign} {text}"[:_WIDTH]))
        self.hear(sign, text if bare is None else bare)

    def log(self, chunk: bytes) -> None:
        """Take a piece of the log; empty at its end."""
        text = self._unfinished + (chunk or b"\n")
        *lines, rest = text.translate(BLANKS, CONTROL).rsplit(b"\n", self._tail)
        self._unfinished = rest[:_WIDTH]
        ends = (line.rpartition(b"\n")[2][: 4 * _WIDTH] for line in lines)
        self._keep([end.decode("utf-8", "replace") for end in ends if end])

    def _keep(self, lines: Sequence[str]) -> None:
        for number, line in enumerate(lines, _HEARD - len(lines)):
            shown = f"! {line}"[:_WIDTH]
            self._logged.append((next(self._order), shown))
            if number >= 0:
                self.hear("!", shown[2:])
