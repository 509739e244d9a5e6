"""An engine that thinks for longer than its clock allows, and tries to hide it.

    cheat.py TRICK [--seconds N] ...

The engine takes N seconds at each occasion: of processor time, or of wall time if it sleeps. The
options are those of robble.py, which is the engine behind it.
"""

import hashlib
import os
import signal
import sys
import threading
import time
from contextlib import suppress

from faults import ALWAYS, AT_GENMOVE, Command, Rogue, listed, run
from robble import COMMANDS, Robble

DATA = bytes(2**18)  # the interpreter's lock is free while so much is hashed
CROWD = 12
MOMENT = 0.02


def burn(seconds: float) -> None:
    """Use so much processor time in this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        hashlib.sha256(DATA).digest()


def crowd(seconds: float) -> None:
    """Use so much processor time in many threads side by side, which end then."""
    threads = [threading.Thread(target=burn, args=(seconds / CROWD,)) for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def keep_to_one_processor() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


@listed(AT_GENMOVE)
def threads(rogue: Rogue, text: str) -> str:
    """Many threads on one processor: each waits for the others. This one computes as well, and is
    there to be looked at when the others have ended."""
    keep_to_one_processor()
    helpers = threading.Thread(target=crowd, args=(rogue.seconds,))
    helpers.start()
    while helpers.is_alive():
        hashlib.sha256(DATA).digest()
    return text


@listed(AT_GENMOVE)
def short_threads(rogue: Rogue, text: str) -> str:
    """Threads that come and go."""
    keep_to_one_processor()
    end = time.process_time() + rogue.seconds
    while time.process_time() < end:
        crowd(CROWD * MOMENT / 4)
    return text


@listed(AT_GENMOVE)
def children(rogue: Rogue, text: str) -> str:
    """Child processes that are waited for; this process computes beside them."""
    keep_to_one_processor()
    started = [start_child(burn, rogue.seconds / 4) for _ in range(4)]
    burn(rogue.seconds / 4)
    for child in started:
        os.waitpid(child, 0)
    return text


@listed(AT_GENMOVE)
def forgotten_children(rogue: Rogue, text: str) -> str:
    """Child processes that nobody waits for: no system call tells what they have used."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    keep_to_one_processor()
    for _ in range(4):
        start_child(burn, rogue.seconds / 4)
    burn(rogue.seconds / 4)
    with suppress(ChildProcessError):  # so it says when all have ended
        os.wait()
    return text


def start_child(work, seconds: float) -> int:
    child = os.fork()
    if child == 0:
        work(seconds)
        os._exit(0)
    return child


def while_asked(name: str):
    """Thinks in another command than genmove."""

    def think(rogue: Rogue, command: Command | None, text: str) -> str:
        if command is not None and command.name == name:
            time.sleep(rogue.seconds)
        return text

    return think


ALWAYS["in-play"] = while_asked("play")
ALWAYS["in-time-left"] = while_asked("time_left")
COMMANDS["gomill-explain_last_move"] = lambda engine: "it was as good as any"
ALWAYS["in-explanation"] = while_asked("gomill-explain_last_move")


if __name__ == "__main__":
    run(Robble, sys.argv[1:])
