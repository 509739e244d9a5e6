"""How many threads search a tree, or solve a position."""

from gtp_engine.base.affinity import processor_count
from gtp_engine.search.budget import Deadline

# More threads were not measured.
_MOST = 8


def threads_for(deadline: Deadline, chosen: int | None) -> int:
    """The threads of a search, by its limits and the option `threads`.

    Without a chosen number there is one per processor. Only a search limited by visits has one
    thread, because it can then be repeated.
    """
    if chosen is not None:
        return chosen
    return 1 if deadline.visits is not None else all_threads()


def all_threads() -> int:
    """One thread per processor that this process may use, 1 to 8."""
    return min(processor_count(), _MOST)
