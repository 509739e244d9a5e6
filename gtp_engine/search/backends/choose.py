"""The choice of a backend for a game. Only this module decides between the kernel and Python."""

from functools import cache

from gtp_engine.log import logger
from gtp_engine.rules.game import Game
from gtp_engine.search.backends.kernel import KernelBackend, kernel, kernel_built
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


@cache
def backend_for(game: Game, name: str = AUTO) -> Backend:
    """The backend of a name for a game: Python if the kernel is missing or lacks the game.

    The log reports a fallback once for each game.
    """
    if name == PYTHON:
        return PythonBackend()
    module = kernel()
    if module is None:
        logger().info("no kernel was built: {} is searched in Python", game.name)
        return PythonBackend()
    if game.name not in module.games():
        logger().info("the kernel has no {}: it is searched in Python", game.name)
        return PythonBackend()
    return KernelBackend(module, game)
