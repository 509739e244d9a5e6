"""A connection to the scheduler of a Dask cluster. The connection may be lost at any moment."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from threading import Event, Thread
from typing import Any, TypeVar

from gtp_engine.base.optional_packages import how_to_install

LOOK_SECONDS = 1.0
"""The seconds between two checks of the workers."""

RETRY_SECONDS = 5.0
"""The seconds between two attempts to connect to a lost scheduler."""

_CONNECTION_SECONDS, _RECONNECTION_SECONDS = 20.0, 3.0
_ANSWER_SECONDS = 5.0
_CLOSING_SECONDS = 3
_LIBRARIES = ("asyncio", "concurrent", "distributed", "tornado")

_Result = TypeVar("_Result")


class NoScheduler(Exception):
    """No scheduler is connected; the text gives the reason in one line."""


class Connection:
    """A connection to a scheduler; `close` it after use.

    address -- the address of the scheduler
    """

    def __init__(self, address: str, seconds: float = _CONNECTION_SECONDS) -> None:
        """Connect within this many seconds. Raises NoScheduler."""
        try:
            from distributed import Client
        except ImportError:
            raise NoScheduler(f"one more library is needed: {how_to_install('cluster')}") from None
        _silence()
        self.address = address
        self._client = _connected(Client, address, seconds)
        self._executor: Any = self._client.get_executor(pure=False)

    @property
    def executor(self) -> Executor:
        """An executor that runs functions on any free worker."""
        executor: Executor = self._executor
        return executor

    @property
    def lost(self) -> bool:
        """Whether the scheduler is known to be gone."""
        return bool(self._client.status != "running")

    def threads(self) -> dict[str, int]:
        """The current workers by address, with the number of tasks that each runs at once.

        Raises NoScheduler if the scheduler is gone, or does not answer within seconds.
        """
        if not self.lost:
            with suppress(Exception):  # the library raises many kinds when connections break
                return dict(self._client.nthreads(callback_timeout=_ANSWER_SECONDS))
        raise NoScheduler(f"the scheduler at {self.address} is gone")

    def submit(
        self, worker: str, function: Callable[..., _Result], *arguments: object
    ) -> Future[_Result]:
        """Run a function on the worker with this address, and on no other.

        If the scheduler dies, the future is cancelled. If the worker dies, the future may stay
        unfinished. Raises NoScheduler if the scheduler is gone.
        """
        where = {"workers": [worker], "allow_other_workers": False}
        try:
            future: Future[_Result] = self._executor.submit(function, *arguments, **where)
        except Exception:  # many kinds, as in `threads`
            raise NoScheduler(f"the scheduler at {self.address} is gone") from None
        return future

    def run_on_all(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function on all workers at once, beside their tasks.

        The method does nothing if the call is not possible.
        """
        if not self.lost:
            with suppress(Exception):  # the connection may be lost at any moment
                self._client.run(function, *arguments, on_error="ignore")

    def close(self) -> None:
        """Close the connection. The scheduler drops unfinished tasks."""
        with suppress(Exception):
            self._client.close(timeout=_CLOSING_SECONDS)

    def close_soon(self) -> None:
        """Close the connection in a thread, because a lost one may take long."""
        Thread(target=self.close, name="closing", daemon=True).start()


class Reconnection:
    """Attempts to connect to a lost scheduler, in threads, because each may take long."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._next_try = time.monotonic() + RETRY_SECONDS
        self._attempt: Thread | None = None
        self._made: list[Connection] = []

    def made(self) -> Connection | None:
        """The new connection, once there is one. Call it regularly: it begins the attempts."""
        if self._made:
            return self._made[0]
        busy = self._attempt is not None and self._attempt.is_alive()
        if not busy and time.monotonic() >= self._next_try:
            self._next_try = time.monotonic() + RETRY_SECONDS
            self._attempt = Thread(target=self._try, name="connecting again", daemon=True)
            self._attempt.start()
        return None

    def _try(self) -> None:
        with suppress(NoScheduler):
            self._made.append(Connection(self._address, _RECONNECTION_SECONDS))


def waiting_for_a_worker(address: str) -> str:
    """The beginning of a sentence for who waits for workers of a scheduler."""
    return f"waiting for a worker of the scheduler at {address} (`dask worker {address}`)"


def worker_name() -> str:
    """The name that was given to the worker that calls this; "" if it has only its address."""
    from distributed import get_worker

    name = str(get_worker().name)
    return "" if "://" in name else name


def _connected(client: Any, address: str, seconds: float) -> Any:
    """Connect a client of the library. Raises NoScheduler.

    The library keeps its time limit only if the scheduler answers. A frozen scheduler still accepts
    connections, so this function has its own limit.
    """
    found: list[Any] = []
    failed: list[str] = []
    late = Event()

    def connect() -> None:
        try:
            made = client(address, timeout=seconds, set_as_default=False)
        except Exception as error:  # any kind of error means that no scheduler is connected
            failed.append(str(error).partition("\n")[0])
            return
        found.append(made)
        if late.is_set():
            made.close(timeout=_CLOSING_SECONDS)

    attempt = Thread(target=connect, name="connecting", daemon=True)
    attempt.start()
    attempt.join(seconds + _ANSWER_SECONDS)
    if attempt.is_alive():
        late.set()
    elif found:
        return found[0]
    reason = failed[0] if failed else f"it did not answer within {seconds:.0f} seconds"
    raise NoScheduler(f"no scheduler at {address}: {reason}")


def _silence() -> None:
    """Turn off the libraries' tracebacks; one line reports what matters of them."""
    for name in [*_LIBRARIES, *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in _LIBRARIES:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
