"""How programs end: exit statuses, Ctrl-C and SIGTERM, and a stdout that cannot be written to."""

import os
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from types import MappingProxyType

from gtp_engine.base import stderr, stdout
from gtp_engine.base.files import sentence_of
from gtp_engine.base.signals import ENDING, handled, stopping_too

# Exit statuses: protocol_specs/clients/protocol.md lists them all.
DONE, UNREAD, UNFINISHED, FAILED, OUTLASTED, INTERRUPTED = 0, 1, 1, 2, 75, 130

_NONE: Mapping[type[Exception], int] = MappingProxyType({})

VERDICTS = {"H0": 10, "H1": 11}
"""The exit statuses for the hypothesis that a sequential test accepts, for those who ask."""


def exit_status(
    program: str,
    run: Callable[[], int],
    told: Mapping[type[Exception], int] = _NONE,
    serves: bool = False,
) -> int:
    """Run a tool to its end. Returns the exit status, which is the tool's own unless it fails.

    program -- its name, at the beginning of each line of an error
    told    -- the statuses of errors whose texts are sentences for people
    serves  -- whether it runs until somebody ends it, so that a signal is its regular end
    """
    stderr.provide()
    stdout.provide()
    try:
        try:
            return int(run())
        except tuple(told) as error:
            print(f"{program}: {error}", file=sys.stderr)
            return next(status for kind, status in told.items() if isinstance(error, kind))
        finally:  # what a help has printed, too, may find no place
            sys.stdout.flush()
    except KeyboardInterrupt:
        return DONE if serves else INTERRUPTED
    except BrokenPipeError:  # the reader of stdout is gone, as with `| head`
        discard_stdout()
        return UNREAD
    except OSError as error:
        discard_stdout()
        print(f"{program}: {sentence_of(error)}", file=sys.stderr)
        return FAILED


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set, so that the tool can keep its results.

    It ends within a second of SIGTERM even if it does not come back from the kernel. What takes
    longer to keep is written within `signals.keeping`.
    """
    interrupt = threading.Event()
    with handled(lambda *_: interrupt.set(), within_a_second=True):
        yield interrupt


def unfinished(interrupt: threading.Event) -> int:
    """The exit status of a tool that keeps its results and has not finished."""
    return INTERRUPTED if interrupt.is_set() else UNFINISHED


@contextmanager
def terminable(numbers: Collection[int] = ENDING, within_a_second: bool = False) -> Iterator[None]:
    """Within the block these signals raise KeyboardInterrupt, so that child processes are ended.

    within_a_second -- whether the process ends within a second of SIGTERM even if it is deaf
    """

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    with handled(interrupt, numbers, within_a_second):
        yield


@contextmanager
def engines_stop_too() -> Iterator[None]:
    """Within the block Ctrl-Z stops the engines of this process, too, and `fg` lets them go on."""

    def stop() -> None:
        from gtp_engine.gtp.client.child import (
            stop_all,  # slow to import, for a tool without engines
        )

        stop_all()

    def go_on() -> None:
        from gtp_engine.gtp.client.child import continue_all

        continue_all()

    with stopping_too(stop, go_on):
        yield


def discard_stdout() -> None:
    """Send all further output nowhere, because stdout cannot be written to any more.

    Otherwise Python would fail once more when it flushes stdout at its end.
    """
    with suppress(UnsupportedOperation):  # it is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
