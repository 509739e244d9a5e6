"""Runs an engine, and ends everything that the engine started. This is a program, not a module.

    python -I -S guard.py DESCRIPTOR COMMAND...

It stands between us and the engine on systems with process groups. DESCRIPTOR is a socket to us.
The guard writes lines to it: the number of the engine's process, or a negative errno if the engine
cannot start; then the engine's exit status, negative for a signal. Each byte from us is the number
of a signal: SIGTERM for the engine's process group, others for all that the engine started. At the
end of our bytes, which also comes when we are killed, the guard kills the engine.

When the engine has ended, the guard kills what the engine has started and left behind, and exits
when no process is left. On Linux all of them become its children at last, also those that left the
session or whose parents have ended. Elsewhere it finds only the engine's process group.

It imports little, because each engine waits for it.
"""

import os
import sys
from _thread import start_new_thread
from contextlib import suppress
from ctypes import CDLL

assert sys.platform != "win32"

_ADOPT = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
_PIPE, _FILE_SIZE = 13, 25  # SIGPIPE and SIGXFSZ, which Python ignores; `signal` is slow to import
_TERMINATE, _KILL = 15, 9
_CONTINUE = 18  # on Linux


def main(control: int, command: list[str]) -> None:
    """Start the engine, and return when no process is left."""
    os.set_inheritable(control, False)
    if sys.platform == "linux":
        CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    try:
        engine = os.posix_spawnp(
            command[0], command, os.environ, setpgroup=0, setsigdef=(_PIPE, _FILE_SIZE)
        )
    except OSError as error:
        _tell(control, -(error.errno or 1))
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # they belong to the engine alone
        os.dup2(nothing, descriptor)
    _tell(control, engine)
    start_new_thread(_obey, (control, engine))
    with suppress(ChildProcessError):
        _wait(control, engine)


def _obey(control: int, engine: int) -> None:
    """Pass on signals, until they end: then kill the engine."""
    with suppress(OSError):
        while request := os.read(control, 1):
            if request[0] == _TERMINATE:
                with suppress(OSError):
                    os.killpg(engine, _TERMINATE)
            else:
                _signal_all(engine, request[0])
    _signal_all(engine, _KILL)


def _wait(control: int, engine: int) -> None:
    """Reap children until none is left. Raises ChildProcessError then."""
    options = 0
    while True:
        pid, how = os.waitpid(-1, options)
        if pid == engine:
            _tell(control, os.waitstatus_to_exitcode(how))
            options = os.WNOHANG
        elif not pid:
            _signal_all(engine, _KILL)
            pid, how = os.waitpid(-1, 0)


def _signal_all(engine: int, number: int) -> None:
    if sys.platform != "linux":
        with suppress(OSError):
            os.killpg(engine, number)
        return
    reached: set[int] = set()
    while born := set(_descendants()) - reached:  # also what is born meanwhile
        for pid in born:
            with suppress(OSError):
                os.kill(pid, number)
        reached |= born
        if number == _CONTINUE:  # others leave nobody who starts more
            return


def _descendants() -> list[int]:
    """All processes below this one."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
            parent = int(stat.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    found, waiting = [], [os.getpid()]
    while waiting:
        born = children.get(waiting.pop(), [])
        found += born
        waiting += born
    return found


def _tell(control: int, number: int) -> None:
    with suppress(OSError):  # nobody listens any more
        os.write(control, b"%d\n" % number)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
    os._exit(0)
