"""Searches, for tests."""

from threading import Event, Thread

from support.waiting import PATIENCE


class OnceBegun(Event):
    """An interrupt that another thread sets as soon as the search has looked at it."""

    def __init__(self) -> None:
        super().__init__()
        self._looked_at = Event()
        Thread(target=self._interrupt, name="interrupt", daemon=True).start()

    def is_set(self) -> bool:
        """Whether the search should end."""
        self._looked_at.set()
        return super().is_set()

    def _interrupt(self) -> None:
        if self._looked_at.wait(PATIENCE):
            self.set()


def kernel_search(module, text: str, among=(), net=None, **options):
    """A search of a position with some options; the others are those of a plain search."""
    chosen = module.SearchOptions()
    for name, value in ({"seed": 1, "hash_mb": 16, "exploration": 0.4} | options).items():
        assert hasattr(chosen, name), name
        setattr(chosen, name, value)
    return module.Search(text, chosen, list(among), net)


def ended(searching):
    """A search or a solver, once it has done what it was started for.

    How long that takes is work, not waiting: only the limit of a test bounds it.
    """
    while not searching.wait(1):
        pass
    return searching
