"""How programs end, for tests that run them in this process."""

from collections.abc import Callable, Sequence


def status_of(main: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """The exit status of a program, whether it returns it or exits."""
    try:
        return main(arguments)
    except SystemExit as end:
        return int(end.code or 0)
