"""A program of Dask in a process that was forked when its modules were imported already.

It imports nothing of the tests, because each such process imports it.
"""

import importlib
import os
from multiprocessing.connection import Connection


def run(module: str, words: list[str], output: Connection) -> None:
    """Run the program of this module; what it writes goes to `output`."""
    for stream in (1, 2):
        os.dup2(output.fileno(), stream)
    output.close()
    importlib.import_module(module).main(words)
