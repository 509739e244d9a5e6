"""What differs between operating systems: the only module with calls that some systems lack.

Each function has a portable way, or says what it returns where there is none. Windows and macOS are
checked by mypy only: `mypy --platform win32` and `mypy --platform darwin`.
"""

import errno
import os
import select
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl
    import termios

_PROC, _PROCESSORS = Path("/proc"), Path("/sys/devices/system/cpu")
_OWN_THREADS = "/proc/self/task"
_PIPE_SIZE = 2**18  # not more: all pipes of a user share a limit
_NICENESS = 19
_MOST_SOCKETS = 512  # that `select` of Python takes on Windows
_NEW_GROUP = 0x200  # CREATE_NEW_PROCESS_GROUP of Windows

# Where the fields of /proc/PID/stat stand behind the name of the program: see proc(5).
_OWN, _REAPED, _STARTED = slice(11, 13), slice(13, 15), 19

PIPES_ARE_SELECTABLE = sys.platform != "win32"
"""Whether an event loop can wait for a pipe. On Windows it can only wait for sockets."""

HAS_THREADS = sys.platform != "emscripten"
"""Whether threads can be started. In a web page and under Node they cannot."""

GUARDS_PROCESSES = sys.platform != "win32"
"""Whether a guard (gtp/client/guard.py) ends what a process started. It needs process groups."""


# Command lines.


def split_command(command: str, backslash_escapes: bool = sys.platform != "win32") -> list[str]:
    """Split a command line into words, as a POSIX shell does; on Windows backslashes are kept.

    A relative path to the program becomes absolute, because the program may be started in another
    folder. Raises ValueError for an unfinished quotation.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if not backslash_escapes:
        lexer.escape = ""
    words = list(lexer)
    if words and os.path.dirname(words[0]):
        words[0] = str(Path(words[0]).absolute())
    return words


def flaw_of_program(program: str) -> str:
    """Why a program cannot be started, to be read after its name; "" for one that can."""
    if shutil.which(program) is not None:
        return ""
    if shutil.which(program, os.F_OK) is not None:
        return "may not be executed; check its permissions"
    return "is a folder" if Path(program).is_dir() else "not found"


# Descriptors.


def most_descriptors() -> int:
    """The most descriptors that this process may have open; where no bound is told, 512."""
    if sys.platform in ("win32", "emscripten"):
        return _MOST_SOCKETS
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most


# Child processes.


def detached(kept: Collection[int] = ()) -> dict[str, Any]:
    """Arguments of `subprocess.Popen` that start a process in its own group.

    Ctrl-C in our terminal does not reach that process.

    kept -- descriptors that stay open in it; there are none on Windows
    """
    if sys.platform == "win32":
        return {"creationflags": _NEW_GROUP}
    return {"start_new_session": True, "pass_fds": kept}


def kill_group(pid: int) -> None:
    """Kill a process that leads a group, and what it forked. On Windows the process alone."""
    with suppress(OSError):  # it is gone
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)  # it ends a process at once
        else:
            os.killpg(pid, signal.SIGKILL)


@contextmanager
def interrupts_for_this_process() -> Iterator[None]:
    """Have Ctrl-C blocked in what starts in the block, from its first moment on.

    Nothing on Windows.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def lower_priority(pid: int) -> None:
    """Give a process the lowest priority, so that other work goes first. Nothing on Windows."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, _NICENESS)


# Pipes.


def enlarge_pipe(pipe: IO[bytes]) -> None:
    """Make room for what a process logs while nobody reads it. Only Linux can."""
    if sys.platform == "linux" and PIPES_ARE_SELECTABLE:
        with suppress(OSError):  # the limit of the user is reached
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_SIZE)


def set_blocking(descriptor: int, blocking: bool) -> None:
    """Make reads and writes of a file descriptor wait, or fail at once. On Windows they wait."""
    if sys.platform != "win32":
        os.set_blocking(descriptor, blocking)


def unread(descriptor: int) -> int:
    """The bytes in a pipe or socket, at its writing end, that its reader has not taken yet.

    Returns 0 where the system does not tell.
    """
    if sys.platform != "win32":
        for question in (termios.TIOCOUTQ, termios.FIONREAD):  # for sockets, for pipes
            with suppress(OSError):
                return int.from_bytes(fcntl.ioctl(descriptor, question, bytes(4)), sys.byteorder)
    return 0


def wait_until_closed(descriptor: int) -> bool:
    """Wait until nobody reads the other end of a pipe; then return True.

    Returns False for most other files, and on Windows: there the next write fails instead.
    """
    if sys.platform == "win32":
        return False
    poller = select.poll()
    poller.register(descriptor, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poller.poll())


# Locks. The system frees them when the process ends, however it ends.


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder during the block.

    Windows cannot lock folders: a file beside the folder is locked there, and removed at the end.
    Raises BlockingIOError if another process holds the lock, and OSError.
    """
    if sys.platform == "win32":
        beside = folder.with_name(f".{folder.name}.lock")
        number = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TEMPORARY)
    else:
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if sys.platform == "win32":
            try:
                msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
            except PermissionError as error:
                raise BlockingIOError(*error.args) from None
        else:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(number)


@contextmanager
def claimed_name(name: str) -> Iterator[None]:
    """Claim a name among all processes of this machine during the block.

    Only Linux has such names; elsewhere nothing is claimed. Raises OSError if another process has
    the name.
    """
    if sys.platform != "linux":
        yield
        return
    import socket

    with socket.socket(socket.AF_UNIX) as claim:
        claim.bind(f"\0{name}")
        yield


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock (flock) of a file; False without it, and on Windows."""
    held = False
    if sys.platform != "win32":
        try:
            with open(path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            held = True
        except OSError:  # there is no such file
            pass
    return held


def lock_byte(number: int, place: int) -> bool:
    """Lock one byte of an open file, until `unlock_byte` or the process's end.

    On POSIX all locks of a process on a file end when it closes any descriptor of that file. The
    byte need not exist. Returns False if another process holds it. Raises OSError.
    """
    try:
        if sys.platform == "win32":
            os.lseek(number, place, os.SEEK_SET)
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            return False
        raise
    return True


def unlock_byte(number: int, place: int) -> None:
    """Free a byte that `lock_byte` has locked. Raises OSError."""
    if sys.platform == "win32":
        os.lseek(number, place, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.lockf(number, fcntl.LOCK_UN, 1, place)


def make_private(number: int) -> None:
    """Close an open file to other users, if system and file system have modes. Raises OSError."""
    if sys.platform != "win32":
        with suppress(PermissionError):  # a file system without modes
            os.fchmod(number, 0o600)


# Folders.


def data_folder() -> Path:
    """The folder for what this user wants to keep; it may not exist yet. Raises RuntimeError."""
    name = "patchpie"
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    if given.is_absolute():  # a relative path must be ignored, says the standard
        return given / name
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / name
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / name
    return Path.home() / ".local" / "share" / name


def cache_folder() -> Path:
    """The folder for what can be made again; it may not exist yet. Raises RuntimeError."""
    name = "patchpie"
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if given.is_absolute():
        return given / name
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / name
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / name
    return Path.home() / ".cache" / name


# Processors.


def own_processors() -> frozenset[int] | None:
    """The numbers of the processors this thread may use; None if the system does not tell."""
    if sys.platform == "linux":
        return frozenset(os.sched_getaffinity(0))
    return None


def bind_thread(processors: Collection[int]) -> None:
    """Bind this thread, and what it starts, to processors. Only Linux can. Raises OSError."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, processors)


def processors_of_core(processor: int) -> frozenset[int]:
    """All processors of the core of one, where the system tells; else that one alone."""
    path = _PROCESSORS / f"cpu{processor}" / "topology" / "thread_siblings_list"
    try:  # `0,4` or `0-1`
        parts = [part.split("-") for part in path.read_text().strip().split(",")]
        found = {p for ends in parts for p in range(int(ends[0]), int(ends[-1]) + 1)}
    except (OSError, ValueError):
        found = set()
    return frozenset(found | {processor})


# Processor time. All of these raise OSError, ValueError or IndexError if a process is gone or the
# system does not tell; only Linux does.


def process_time(pid: int) -> tuple[str, float]:
    """When a process started, and the processor time it used, in seconds.

    The time includes the threads that ended and the children it has waited for.
    """
    fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    own = reaped = 0.0
    if sys.platform != "win32":
        tick = 1 / os.sysconf("SC_CLK_TCK")
        own, reaped = (sum(map(int, fields[part])) * tick for part in (_OWN, _REAPED))
        with suppress(OSError):
            # The clock of its processor time counts nanoseconds. clock_getcpuclockid(3) makes the
            # number of the clock in this way.
            own = time.clock_gettime((~pid << 3) | 2)
    return fields[_STARTED], own + reaped


def thread_times(pid: int) -> tuple[Mapping[int, tuple[float, float]], list[int]]:
    """The threads of a process, and the processes it started.

    For each thread: how many seconds it ran, and waited for a processor.
    """
    threads: dict[int, tuple[float, float]] = {}
    children: list[int] = []
    for thread in (_PROC / str(pid) / "task").iterdir():
        with suppress(OSError, ValueError):
            ran, waited, _ = (thread / "schedstat").read_text().split()
            threads[int(thread.name)] = int(ran) / 1e9, int(waited) / 1e9
            children += map(int, (thread / "children").read_text().split())
    return threads, children


def waits_of_threads() -> Mapping[int, float]:
    """How long each thread of this process was ready to run and had no processor, in seconds.

    By the numbers of the threads. Empty where the system does not tell; this raises nothing.
    """
    waits: dict[int, float] = {}
    with suppress(OSError), os.scandir(_OWN_THREADS) as threads:
        for thread in threads:
            with (
                suppress(OSError, ValueError, IndexError),  # it has ended
                open(f"{thread.path}/schedstat", "rb", buffering=0) as file,
            ):
                waits[int(thread.name)] = int(file.read().split()[1]) / 1e9
    return waits


def held_up() -> float:
    """Seconds in which this thread was ready to run, or waited for the interpreter's lock, so far.

    At most: who waits for the lock wakes after each switch interval, and each time that a thread
    wakes counts as one. 0.0 where the system does not tell; this raises nothing.
    """
    try:
        with open("/proc/thread-self/schedstat", "rb", buffering=0) as file:
            waited = int(file.read().split()[1]) / 1e9
        with open("/proc/thread-self/status", "rb", buffering=0) as file:
            woken = int(file.read().partition(b"\nvoluntary_ctxt_switches:")[2].split()[0])
    except (OSError, ValueError, IndexError):
        return 0.0
    return waited + woken * sys.getswitchinterval()


def uptime() -> float:
    """Seconds of a clock that goes on while the system sleeps; `time.monotonic` may not."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


# Signals.


def on_end(callback: Callable[[], object]) -> None:
    """Call back on Ctrl-C, and on signals that end a process, in the asyncio loop that runs."""
    import asyncio

    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if (number := getattr(signal, name, None)) is None:
            continue
        if sys.platform == "win32":  # its loops take no signals
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(callback))
        else:
            loop.add_signal_handler(number, callback)
