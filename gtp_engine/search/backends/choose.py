"""The choice of a backend for a game. Only this module decides between the kernel and Python."""

from functools import cache

from gtp_engine.log import logger
from gtp_engine.rules.game import Game
from gtp_engine.search.backends.kernel import KernelBackend, kernel_built, kernel_for
from gtp_engine.search.backends.protocol import Backend
from gtp_engine.search.backends.python import PythonBackend

AUTO, KERNEL, PYTHON = "auto", "kernel", "python"
BACKENDS = (AUTO, KERNEL, PYTHON)


def checked_backend(text: str) -> str:
    """Check the name of a backend. Raises ValueError if it is unknown or was not built."""
    if text not in BACKENDS or (text == KERNEL and not kernel_built()):
        raise ValueError(f"no such backend: {text}")
    return text


def in_kernel(game: Game, name: str = AUTO) -> bool:
    """Whether this name selects the kernel for a game."""
    return isinstance(backend_for(game, name), KernelBackend)


def backend_for(game: Game, name: str = AUTO) -> Backend:
    """The backend of a name for a game: Python if the kernel lacks the game, or is not built yet.

    The log reports a fallback once for each game.
    """
    if name == PYTHON:
        return PythonBackend()
    try:
        module = kernel_for(game.name)
    except ImportError as problem:
        _report(game.name, f"the kernel cannot be loaded: {problem}")
        return PythonBackend()
    if module is None:
        _report(game.name, "it was not compiled")
        return PythonBackend()
    return KernelBackend(module, game)


@cache
def _report(game: str, reason: str) -> None:
    logger().info("{} is searched in Python: {}", game, reason)
