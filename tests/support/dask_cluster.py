"""Fixtures with a real scheduler and real workers: list this module in `pytest_plugins`."""

import os
import socket
import subprocess
import sys

import pytest


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


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def start_scheduler(processes, port):
    def start():
        words = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        process = processes("distributed.cli.dask_scheduler", *words)
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
def worker(processes, address, tmp_path):
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
        process = processes("distributed.cli.dask_worker", address, *words, **environment)
        for line in process.stdout:
            if "Registered to:" in line:
                break
        return process

    return start
