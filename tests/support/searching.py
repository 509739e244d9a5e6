"""Searches of the kernel, for tests."""


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
