"""Fixtures with a real scheduler and real workers: list this module in `pytest_plugins`."""

import multiprocessing
import os
import subprocess
import sys

import pytest

from support import dask_program
from support.starting import free_port

SCHEDULER, WORKER = "distributed.cli.dask_scheduler", "distributed.cli.dask_worker"


@pytest.fixture
def processes():
    running = []

    def start(*words, **environment):
        running.append(
            subprocess.Popen(
                [sys.executable, "-P", "-m", *words],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env={**os.environ, **environment},
            )
        )
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


class Forked:
    """A program of Dask, forked from a process that has imported it: importing takes the longest.

    stdout -- the lines that it writes
    """

    def __init__(self, module, *words):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([SCHEDULER, WORKER])
        reader, writer = context.Pipe(duplex=False)
        self._process = context.Process(target=dask_program.run, args=(module, words, writer))
        self._process.start()
        writer.close()
        self.stdout = open(os.dup(reader.fileno()))  # noqa: SIM115
        reader.close()

    def kill(self):
        self._process.kill()

    def wait(self):
        self._process.join()


@pytest.fixture
def forked():
    """Starts programs of Dask; they end with the test."""
    running = []

    def start(*words):
        running.append(Forked(*words))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def start_scheduler(forked, port):
    def start():
        words = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        process = forked(SCHEDULER, *words)
        for line in process.stdout:
            if "Scheduler at:" in line:
                break
        return process

    return start


@pytest.fixture
def scheduler(start_scheduler):
    return start_scheduler()


@pytest.fixture
def address(scheduler, port):
    return f"tcp://127.0.0.1:{port}"


@pytest.fixture
def worker(forked, processes, address, tmp_path):
    """Starts a worker; one with variables of its own is no fork."""

    def start(name, **environment):
        folder = tmp_path / name
        words = [
            "--nthreads",
            "1",
            "--no-dashboard",
            "--no-nanny",
            "--name",
            name,
            "--local-directory",
            str(folder),
        ]
        begin = processes if environment else forked
        process = begin(WORKER, address, *words, **environment)
        for line in process.stdout:
            if "Registered to:" in line:
                break
        return process

    return start
