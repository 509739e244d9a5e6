"""The workers of a Dask cluster: who is there, and what to do when its scheduler is lost."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from threading import Event, Thread
from typing import Any, ParamSpec, TypeVar

from gtp_engine.base.optional_packages import how_to_install

RETRY_SECONDS = 5.0
"""The seconds between two attempts to connect to a lost scheduler."""

_LOOK_SECONDS = 1.0
_CONNECTION_SECONDS, _RECONNECTION_SECONDS = 20.0, 3.0
_ANSWER_SECONDS = 5.0
_CLOSING_SECONDS = 3
_LIBRARIES = ("asyncio", "concurrent", "distributed", "tornado")

_P = ParamSpec("_P")
_T = TypeVar("_T")


class NoScheduler(Exception):
    """No scheduler is connected; the text gives the reason in one line."""


class Cluster(Executor):
    """The workers of a scheduler. Use it in one thread, and `close` it after use.

    A lost scheduler is looked for again: see `lost`. Until then the futures of its work, and of all
    further work, are cancelled. If a worker dies, the future of a task for it alone may stay
    unfinished: see `workers`.

    address -- the address of the scheduler
    workers -- the present workers by address, with the number of tasks that each runs at once
    refused -- the addresses of workers that get no tasks
    """

    def __init__(
        self,
        address: str,
        tell: Callable[[str], None],
        work: Callable[[], str] = lambda: "",
        begun: bool = False,
    ) -> None:
        """Connect. Raises NoScheduler.

        tell  -- receives a sentence while there is no worker
        work  -- the words behind that sentence: what a worker is wanted for
        begun -- whether the scheduler is known, so that it is looked for instead
        """
        self.address = address
        self.workers: dict[str, int] = {}
        self.refused: set[str] = set()
        self._tell, self._work = tell, work
        self._reconnection = _Reconnection(address)
        self._connection: _Connection | None = None
        try:
            self._connection = _Connection(address)
        except NoScheduler:
            if not begun:
                raise
        self._next_look = 0.0
        self._waiting_told = False

    def lost(self) -> str | None:
        """A sentence while the scheduler is gone, or silent for some seconds, else None.

        Call it regularly: it looks who is there, and connects again.
        """
        if self._connection is None:
            self._connection = self._reconnection.made()
        if self._connection is not None:
            try:
                self._look(self._connection)
            except NoScheduler:
                self._lose()
        return None if self._connection else f"the scheduler at {self.address} is gone"

    def threads(self) -> int:
        """The number of tasks that the present workers can run at once."""
        self.lost()
        return sum(self.workers.values())

    def submit(
        self, function: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> Future[_T]:
        """Run a function on any free worker."""
        return self._submitted(function, *arguments, **named)

    def submit_to(self, worker: str, function: Callable[..., _T], *arguments: object) -> Future[_T]:
        """Run a function on the worker with this address, and on no other."""
        where = {"workers": [worker], "allow_other_workers": False}
        return self._submitted(function, *arguments, **where)

    def run_on_all(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function on all workers at once, beside their tasks, if that is possible."""
        if (connection := self._connection) is not None:  # another thread may lose it
            connection.run_on_all(function, *arguments)

    def close(self) -> None:
        """Disconnect. The scheduler drops unfinished tasks."""
        if self._connection is not None:
            self._connection.close()

    def _submitted(
        self, function: Callable[..., _T], *arguments: object, **named: object
    ) -> Future[_T]:
        if self._connection is not None:
            submit: Callable[..., Future[_T]] = self._connection.executor.submit
            try:
                return submit(function, *arguments, **named)
            except Exception:  # the library raises many kinds when connections break
                self._lose()
        cancelled: Future[_T] = Future()
        cancelled.cancel()
        cancelled.set_running_or_notify_cancel()
        return cancelled

    def _look(self, connection: "_Connection") -> None:
        """Update the workers now and then. Raises NoScheduler."""
        if time.monotonic() < self._next_look and not connection.lost:
            return
        self.workers = connection.threads()
        self.refused &= self.workers.keys()
        waiting = self.workers.keys() == self.refused
        if waiting and not self._waiting_told:
            worker = f"a worker of the scheduler at {self.address} (`dask worker {self.address}`)"
            self._tell(f"waiting for {worker}{self._work()}")
        self._waiting_told = waiting
        self._next_look = time.monotonic() + _LOOK_SECONDS

    def _lose(self) -> None:
        if self._connection is not None:
            # A lost connection may take long to close.
            Thread(target=self._connection.close, name="closing", daemon=True).start()
        self._connection, self._reconnection = None, _Reconnection(self.address)
        self.workers, self.refused, self._next_look = {}, set(), 0.0


class _Connection:
    """A connection to a scheduler, which may be lost at any moment.

    executor -- runs functions on any free worker
    """

    def __init__(self, address: str, seconds: float = _CONNECTION_SECONDS) -> None:
        """Connect within this many seconds. Raises NoScheduler."""
        try:
            from distributed import Client
        except ImportError:
            raise NoScheduler(f"one more library is needed: {how_to_install('cluster')}") from None
        _silence()
        self._client = _connected(Client, address, seconds)
        self.executor: Any = self._client.get_executor(pure=False)

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
        raise NoScheduler

    def run_on_all(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function on all workers at once, if that is possible."""
        if not self.lost:
            with suppress(Exception):  # as in `threads`
                self._client.run(function, *arguments, on_error="ignore")

    def close(self) -> None:
        """Close the connection."""
        with suppress(Exception):
            self._client.close(timeout=_CLOSING_SECONDS)


class _Reconnection:
    """Attempts to connect to a lost scheduler, in threads, because each may take long."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._next_try = time.monotonic() + RETRY_SECONDS
        self._attempt: Thread | None = None
        self._made: list[_Connection] = []

    def made(self) -> _Connection | None:
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
            self._made.append(_Connection(self._address, _RECONNECTION_SECONDS))


def worker_name() -> str:
    """The name that was given to the worker that calls this; "" if it has only its address."""
    from distributed import get_worker

    name = str(get_worker().name)
    return "" if "://" in name else name


def _connected(client: Any, address: str, seconds: float) -> Any:
    """Connect a client of the library. Raises NoScheduler.

    The library keeps its time limit only if the scheduler answers. A frozen scheduler still accepts
    connections, so this function has its own limit. A client that could not read its address would
    keep the process for 40 seconds at its end, so the address is read before.
    """
    from distributed.comm.addressing import resolve_address

    found: list[Any] = []
    failed: list[str] = []
    late = Event()

    def connect() -> None:
        try:
            resolve_address(address)
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
