"""The processor use of a process and its family. Bounds are wide: other processes run too."""

from pathlib import Path

import pytest

from gtp_engine.gtp.client.blocking import BlockingEngine
from gtp_engine.gtp.client.usage import Usage, Use
from support.starting import python_command
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="only Linux tells"
)

BURN = """
import os, sys, threading, time

def burn(seconds=0.1):
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
LEAST, MOST = 0.08, 3.0  # of what `burn` takes; the start of an engine may count, too

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
    _, use = started(BURN + work + END).ask_measured("work", PATIENCE)
    assert LEAST <= use.processor < MOST


def test_a_child_that_left_its_family_is_seen_on(started):
    """Its parent ends before it works; it had been seen before."""
    work = """
go, parent_ends, done = os.pipe(), os.pipe(), os.pipe()
grandchild = lambda: (os.read(go[0], 1), burn(), os.write(done[1], b"!"), time.sleep(1000))
parent = child(lambda: (child(grandchild), os.read(parent_ends[0], 1)))
print("=1\\n", flush=True)
sys.stdin.readline()
os.write(parent_ends[1], b"!")
os.waitpid(parent, 0)
os.write(go[1], b"!")
os.read(done[0], 1)
print("=2\\n", flush=True)
sys.stdin.readline()
"""
    engine = started(BURN + work)
    engine.ask("begin", PATIENCE)
    wait_until(lambda: len(engine.usage().threads) == 3)  # with the parent and its child
    _, use = engine.ask_measured("work", PATIENCE)
    assert LEAST <= use.processor < MOST


def test_waiting_for_a_processor_is_seen(started):
    """Three that never sleep, on one processor: each waits for most of the time, and for others."""
    source = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nwhile True: pass"
    busy = [started(source) for _ in range(3)]
    nothing = Usage(0.0, {})

    def displaced() -> Use | None:
        use = busy[0].usage().since(nothing)
        return use if use is not None and use.displaced >= 0.2 else None

    assert wait_until(displaced).waited >= 0.19


def test_a_process_that_is_gone_has_no_threads(started):
    engine = started("input()")
    engine.close()
    assert engine.usage().since(Usage(0.0, {})) is None
