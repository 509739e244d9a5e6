"""An engine that starts what survives it, as far as it can, and then behaves as it is told.

    unruly.py MARK [silent|babble|deaf|die|well] [plain|session|daemon|bare]

It prints and answers nothing but what GTP needs. MARK is on the command line of all its processes,
so that they can be counted from outside. What it starts waits for a signal: a child, a child in a
session of its own, a process whose parents have ended, or one of these without any environment.
"""

import os
import signal
import sys

SLEEPER = "import signal; signal.pause()"


def start(kind: str, mark: str) -> None:
    if os.fork():
        if kind != "plain":
            os.wait()
        return
    if kind in ("session", "daemon", "bare"):
        os.setsid()
        if os.fork():
            os._exit(0)
    if kind in ("daemon", "bare"):
        for number in range(3):
            os.close(number)
        os.setsid()
    environment = {} if kind == "bare" else os.environ
    os.execve(sys.executable, [sys.executable, "-S", "-c", SLEEPER, mark], environment)


def main(mark: str, manner: str, kind: str) -> None:
    if manner in ("silent", "deaf", "babble"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    start(kind, mark)
    while manner == "deaf":
        signal.pause()
    for line in sys.stdin:
        number = line.split()[0]
        if manner == "well":
            print(f"={number if number.isdigit() else ''} \n", flush=True)
            if "quit" in line:
                return
        while manner == "babble":
            print("=" + "x" * 70, flush=True)
        if manner == "die":
            os.kill(os.getpid(), signal.SIGKILL)
    while manner == "silent":
        signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
