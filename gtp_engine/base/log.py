"""The logger of the package, loaded at the first message.

Loguru takes longer to import than this whole package, and a GUI starts the engine several times
only to ask for its name. Entry points choose the destination of messages with `on_first_use`;
without it messages are dropped, as is usual for a library.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from gtp_engine.base import stderr

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
    """Call `configure` with the logger before its first message.

    verbose -- whether to log notes, too
    """
    global _configure, _verbose
    _configure, _verbose = configure, verbose


def log_to_stderr(logger: "Logger") -> None:
    """Send messages to stderr; for `on_first_use` of an entry point."""
    logger.remove()
    logger.add(
        stderr.write,
        format="{level.name}: {message}",
        level="INFO",
        backtrace=False,
        diagnose=False,
    )


def note(message: str, *values: object) -> None:
    """Log the reason of a client's error, if notes are wanted."""
    if _verbose:
        logger().info(message, *values)
