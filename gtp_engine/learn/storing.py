"""Writes the files of a training, and waits while the disk is full."""

import errno
from collections.abc import Callable
from typing import TypeVar

from gtp_engine.base.files import sentence_of
from gtp_engine.base.outages import Patience

_Stored = TypeVar("_Stored")

_FULL = {errno.ENOSPC, errno.EDQUOT}


class Storing:
    """Does the work of writing a file, again and again while the disk is full."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience

    def __call__(self, work: Callable[[], _Stored]) -> _Stored:
        """The result of the work. Raises Outlasted if the disk stays full, and other OSErrors."""
        while True:
            try:
                found = work()
            except OSError as error:
                if error.errno not in _FULL:
                    raise
                # What to do, the second part of the sentence, is no news to who waits for it.
                self._patience.wait(sentence_of(error).partition("; ")[0])
            else:
                self._patience.over("the files are written again")
                return found
