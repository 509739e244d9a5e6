"""The processor use of a process and its family. Bounds are wide: other processes run too."""

import time
from pathlib import Path

import pytest

from gtp_engine.gtp.blocking import BlockingEngine
from gtp_engine.gtp.usage import Usage
from support.starting import python_command

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="only Linux tells"
)

BURN = """
import os, sys, threading, time

def burn(seconds=0.3):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

def child(work):
    number = os.fork()
    if number == 0:
        work()
        os._exit(0)
    return number

sys.stdin.readline()
"""
END = "\nprint('=1 done\\n', flush=True)\nsys.stdin.readline()\n"
PLENTY = 60.0

FAMILIES = {
    "the process itself": "burn()",
    "a thread that ended": "t = threading.Thread(target=burn); t.start(); t.join()",
    "a child that was waited for": "os.waitpid(child(burn), 0)",
    "a child that nobody has waited for": "os.waitid(os.P_PID, child(burn), os.WEXITED|os.WNOWAIT)",
    "a grandchild": "os.waitpid(child(lambda: os.waitpid(child(burn), 0)), 0)",
}


@pytest.fixture
def started():
    engines = []

    def start(source):
        engines.append(BlockingEngine(python_command("-c", source)))
        return engines[-1]

    yield start
    for engine in engines:
        engine.kill()
        engine.close()


@pytest.mark.parametrize("work", FAMILIES.values(), ids=FAMILIES)
def test_all_of_a_family_counts(started, work):
    _, use = started(BURN + work + END).ask_measured("work", PLENTY)
    assert 0.28 <= use.processor < 3


def test_a_child_that_left_its_family_is_seen_on(started):
    """Its parent ends at once; it had been seen before."""
    grandchild = "lambda: (time.sleep(0.5), burn(), os.write(pipe[1], b'!'), time.sleep(60))"
    parent = f"lambda: (child({grandchild}), time.sleep(0.3))"
    work = f"pipe = os.pipe()\nos.waitpid(child({parent}), 0)\nos.read(pipe[0], 1)"
    _, use = started(BURN + work + END).ask_measured("work", PLENTY)
    assert 0.28 <= use.processor < 3


def test_waiting_for_a_processor_is_seen(started):
    """Three that never sleep, on one processor: each waits for most of the time, and for others."""
    source = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nwhile True: pass"
    busy = [started(source) for _ in range(3)]
    nothing = Usage(0.0, {})
    deadline = time.monotonic() + 20
    while (use := busy[0].usage().since(nothing)) is None or use.displaced < 0.2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert use.waited >= 0.19


def test_a_process_that_is_gone_has_no_threads(started):
    engine = started("input()")
    engine.close()
    assert engine.usage().since(Usage(0.0, {})) is None
