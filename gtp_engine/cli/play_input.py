"""The lines a person types: with completion at a terminal, unchanged from a pipe."""

import sys
from collections.abc import Callable, Sequence

PROMPT = "> "


class TypedLines:
    """The lines of stdin.

    interactive -- whether a person types at a terminal
    waiting     -- whether the program is waiting for a line now
    """

    def __init__(self, words: Callable[[], Sequence[str]]) -> None:
        """`words` returns the possible first words of a line, for completion."""
        self._found: list[str] = []
        self.waiting = False
        self.interactive = sys.stdin is not None and sys.stdin.isatty()
        if self.interactive:
            self._complete_by(words)

    def next(self) -> str | None:
        """The next line, stripped of blanks; None at the end of input.

        Raises KeyboardInterrupt.
        """
        try:
            self.waiting = True
            line = input(PROMPT) if self.interactive else self._piped()
        except (EOFError, ValueError, OSError):  # ValueError: stdin is closed, or is not text
            return None
        finally:
            self.waiting = False
        return "".join(filter(str.isprintable, line)).strip()

    def _piped(self) -> str:
        if sys.stdin is None:
            raise EOFError
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def _complete_by(self, words: Callable[[], Sequence[str]]) -> None:
        if sys.platform == "win32":  # its own editing is there, without completion
            return
        try:
            import readline
        except ImportError:  # a Python built without it
            return

        def complete(text: str, state: int) -> str | None:
            if state == 0:
                self._found = completions(text, words())
            return self._found[state] if state < len(self._found) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        editline = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")


def completions(text: str, words: Sequence[str]) -> list[str]:
    """The words that begin with a text, ignoring case; after a `/` only the last part counts."""
    begun, slash, part = text.rpartition("/")
    lowered = part.lower()
    found = dict.fromkeys(word for word in words if word.lower().startswith(lowered))
    return [f"{begun}{slash}{word}" for word in found]
