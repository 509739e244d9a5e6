"""The choice of a backend for a game. Only this module decides between the kernel and Python."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from gtp_engine.base import kernel_build
from gtp_engine.base.log import logger
from gtp_engine.rules.game import Game
from gtp_engine.search.backends.kernel import (
    KernelBackend,
    kernel_built,
    kernel_for,
    kernel_wanted,
)
from gtp_engine.search.backends.protocol import Backend
from gtp_engine.search.backends.python import PythonBackend
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.options import SearchOptions, wanted_isa
from gtp_engine.search.weights import NONE, OWN, weights_of

AUTO, KERNEL, PYTHON = "auto", "kernel", "python"
BACKENDS = (AUTO, KERNEL, PYTHON)


def checked_backend(text: str) -> str:
    """Check the name of a backend. Raises ValueError if it is unknown, or has no kernel."""
    if text not in BACKENDS or (text == KERNEL and not (kernel_built() or _kernel_is_coming())):
        raise ValueError(f"no such backend: {text}")
    return text


def _kernel_is_coming() -> bool:
    """Whether a search waits for the kernel, because it is being compiled."""
    return kernel_wanted() and kernel_build.progress() is not None


def in_kernel(game: Game, name: str = AUTO) -> bool:
    """Whether this name selects the kernel for a game."""
    return isinstance(backend_for(game, name), KernelBackend)


def backend_for(game: Game, name: str = AUTO) -> Backend:
    """The backend of a name for a game: Python if the kernel lacks the game, or is not built yet.

    The log reports a fallback once for each game, and its end.
    """
    if name == PYTHON:
        return PythonBackend()
    try:
        module = kernel_for(game.name)
    except ImportError as problem:
        _report(game.title, f"the kernel cannot be loaded: {problem}")
        return PythonBackend()
    if module is None:
        _report_missing(game)
        return PythonBackend()
    if game.name in _awaited:
        _awaited.remove(game.name)
        logger().info("{} is searched in the kernel from now on", game.title)
    return _backend_in(module, game)


# One for all players of a game: they share a table of solved positions.
_backend_in = cache(KernelBackend)


def uses_nets(name: str = AUTO) -> bool:
    """Whether searches by this name use learned evaluations, now or once the kernel is compiled."""
    return name != PYTHON and kernel_wanted() and (kernel_built() or _kernel_is_coming())


def check_weights(game: Game, which: str, name: str = AUTO) -> None:
    """Whether a choice of weights can be used for a game, by the backend of a name.

    Only a file can be unusable. Raises UnusableFile, with one line.
    """
    if which in (OWN, NONE):
        return
    weights_of(game.name, Path(which))
    if not uses_nets(name):
        raise UnusableFile(
            f"{which} cannot be used: the search in Python has no learned evaluation"
        )
    backend = backend_for(game, name)
    if isinstance(backend, KernelBackend):
        backend.net(SearchOptions(weights=which))


def check_named(game: Game, which: str, name: str = AUTO) -> None:
    """Whether what a user named at the start can be used: weights, and an instruction set.

    Raises ValueError, with one line.
    """
    check_weights(game, which, name)
    if wanted_isa() and name != PYTHON and kernel_built(game.name):
        backend_for(game, name)


def await_kernel(
    game: Game, name: str = AUTO, interrupted: Callable[[], bool] = lambda: False
) -> None:
    """Wait for the kernel of a game while it is compiled: what can be repeated needs it throughout.

    The log says so.
    """
    if name == PYTHON or not kernel_wanted() or kernel_built(game.name):
        return
    compiled = kernel_build.progress(game.name)
    if compiled is not None:
        logger().info("waiting for the kernel of {}, {}", game.title, compiled)
        kernel_build.wait(lambda: kernel_built(game.name) or interrupted())


# The games that are searched in Python until their kernel is compiled.
_awaited: set[str] = set()


def _report_missing(game: Game) -> None:
    compiled = kernel_build.progress(game.name)
    if not kernel_wanted():
        _report(game.title, "PATCHPIE_KERNEL is none")
    elif compiled is None:
        missing = "the kernel has no such game" if kernel_built() else "there is no kernel"
        _report(game.title, kernel_build.failure() or missing)
    elif game.name not in _awaited:
        _awaited.add(game.name)
        logger().info(
            "the kernel is being compiled, {}. Until then {} is searched in Python, about a "
            "hundred times slower. PATCHPIE_KERNEL=wait waits at the start",
            compiled,
            game.title,
        )


@cache
def _report(title: str, reason: str) -> None:
    logger().info("{} is searched in Python, about a hundred times slower: {}", title, reason)
