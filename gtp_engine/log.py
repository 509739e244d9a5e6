"""The logger of the package, loaded when something is first logged.

Loguru takes longer to import than all of this package, and a GUI starts the engine several
times only to ask for its name. Entry points say with `on_first_use` where messages go; without
that, as for every library, they go nowhere.
"""

import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loguru import Logger

PACKAGE = "gtp_engine"


def _silence(logger: "Logger") -> None:
    logger.disable(PACKAGE)


_verbose = False
_configure: "Callable[[Logger], None]" = _silence


@cache
def logger() -> "Logger":
    """The logger, configured."""
    from loguru import logger as loguru_logger

    _configure(loguru_logger)
    return loguru_logger


def on_first_use(configure: "Callable[[Logger], None]", verbose: bool = False) -> None:
    """Have `configure` called with the logger before its first message.

    verbose -- whether notes are wanted, too
    """
    global _configure, _verbose
    _configure, _verbose = configure, verbose


def log_to_stderr(logger: "Logger") -> None:
    """Have messages go to stderr: for `on_first_use` of an entry point."""
    logger.remove()
    if sys.stderr is not None:
        logger.add(
            sys.stderr,
            format="{level.name}: {message}",
            level="INFO",
            backtrace=False,
            diagnose=False,
        )


def note(message: str, *values: object) -> None:
    """Log what happens to a client's own mistakes, if somebody wants to know."""
    if _verbose:
        logger().info(message, *values)
