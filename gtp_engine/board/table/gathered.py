"""The exercises that pages have taken from games at any table: mistakes, and turns to guess.

They are done at other tables than that of their game, and each page goes on with its own list.
"""

from collections import deque

from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.repetition import Repetition

_MOST_LISTS = 8  # as many as a host may have pages


class Gathered:
    """The lists of the last requests, by the set of the exercises.

    returning -- what was tried at mistakes comes again after days
    """

    def __init__(self, returning: Repetition | None = None) -> None:
        """Nobody has asked yet."""
        self.returning = returning or Repetition()
        self._lists: dict[str, deque[list[Message]]] = {}
        self._made = 0
        self._found: dict[str, bool] = {}

    def all(self, collection: str) -> list[Message]:
        """The exercises of all lists of a set."""
        return [task for tasks in self._lists.get(collection, ()) for task in tasks]

    def keep(self, collection: str, found: list[Message]) -> list[Message]:
        """Keep a list; returns it with an `id` for each, which no other list has."""
        self._made += 1
        tasks = [each | {"id": f"{collection}.{self._made}.{each['number']}"} for each in found]
        self._lists.setdefault(collection, deque(maxlen=_MOST_LISTS)).append(tasks)
        listed = {_list(task["id"]) for each in self._lists for task in self.all(each)}
        self._found = {name: each for name, each in self._found.items() if _list(name) in listed}
        return tasks

    def tried(self, name: str, found: bool) -> tuple[int, int]:
        """Note the first try at an exercise; returns how many of its list were found, and tried."""
        self._found.setdefault(name, found)
        of_list = [self._found[each] for each in self._found if _list(each) == _list(name)]
        return sum(of_list), len(of_list)


def _list(name: str) -> str:
    return name.rpartition(".")[0]
