"""The report formats that the clients of KataGo and Leela Zero accept, as they publish them.

Each function reads a line as its client does. It raises ValueError if the client throws, drops all
or part of the line, or shows less than the line says.
"""

import re
from typing import NamedTuple

# A letter without I and a row; the clients know no board with more than 25 columns.
VERTEX = re.compile(r"[A-HJ-Z][1-9][0-9]?")


class Info(NamedTuple):
    """What a client has of one move: its numbers by name, and the line of play."""

    move: str
    numbers: dict[str, str]
    pv: list[str]


def _refuse(wrong: bool, why: str) -> None:
    if wrong:
        raise ValueError(why)


def sabaki(line: str, kata: bool) -> list[Info]:
    """Sabaki: pairs of words, then `pv` and nothing but vertices and passes to the end.

    An odd number of words before the vertices throws, and the answer never ends; a move that is
    not a vertex is dropped, and so is a line of play from its first pass on. A winrate of KataGo
    is a fraction, one of Leela Zero a whole number of ten-thousandths.
    """
    parts = re.split(r"\s*info\s+", line)
    _refuse(parts[0] != "", "the line does not begin with info")
    infos = []
    for part in parts[1:]:
        words = part.split()
        _refuse("pv" not in words, "no pv")
        head, pv = words[: words.index("pv")], words[words.index("pv") + 1 :]
        _refuse(not pv, "an empty pv")
        _refuse(len(head) % 2 != 0, "a key without a value")
        for word in pv:
            _refuse(word != "pass" and not VERTEX.fullmatch(word), f"{word} in a pv")
        numbers = dict(zip(head[::2], head[1::2]))
        _refuse(len(numbers) * 2 != len(head), "a key that stands twice")
        move = numbers.pop("move")
        _refuse(move != "pass" and not VERTEX.fullmatch(move), f"the move {move}")
        shape = r"[01]\.[0-9]+" if kata else r"[0-9]{1,5}"
        _refuse(not re.fullmatch(shape, numbers["winrate"]), "winrate")
        infos.append(Info(move, numbers, pv))
    return infos


def lizzie(line: str, kata: bool) -> list[Info]:
    """Lizzie and LizzieYzy: words between single blanks, each key with one value.

    Visits and order are 32-bit integers; the shares of Leela Zero are integers as well, those of
    KataGo decimals. A number that is none throws. What follows `ownership` are decimals.
    """
    _refuse(not line.startswith("info "), "the line does not begin with info")
    line, _, owned = line.partition(" ownership ")
    for number in owned.split():
        float(number)
    infos = []
    for part in line.removeprefix("info ").split(" info "):
        words = part.split(" ")
        _refuse("" in words, "two blanks")
        place = words.index("pv")
        numbers = dict(zip(words[:place:2], words[1:place:2]))
        for key in ("visits", "order"):
            _refuse(not 0 <= int(numbers[key]) < 2**31, key)
        for key in ("winrate", "lcb", "prior"):
            float(numbers[key]) if kata else int(numbers[key])
        if "scoreMean" in numbers:
            float(numbers["scoreMean"])
        infos.append(Info(numbers.pop("move"), numbers, words[place + 1 :]))
    return infos


def lizgoban(line: str, kata: bool) -> list[Info]:
    """LizGoban: cut at each `info`, wherever it stands, after `rootInfo` and `ownership`.

    It orders the moves by `order`, takes the first for the best, and adds up the visits, by which
    it divides.
    """
    line = re.split(r"\b(?:ownership|rootInfo)\b", line)[0]
    infos = []
    for part in line.split("info")[1:]:
        head, _, tail = part.partition(" pv ")
        words = head.split()
        _refuse(len(words) % 2 != 0, "a key without a value")
        numbers = dict(zip(words[::2], words[1::2]))
        infos.append(Info(numbers.pop("move"), numbers, tail.split()))
    _refuse(any(int(info.numbers["visits"]) < 1 for info in infos), "a move without visits")
    orders = [int(info.numbers["order"]) for info in infos]
    _refuse(orders != list(range(len(infos))), "orders do not count up")
    return infos


def q5go(line: str, kata: bool) -> list[Info]:
    """q5Go: cut at each `info move `; move, visits and winrate stand between blanks, before `pv`.

    The line of play ends at the first word that names no point of the board. What it plays
    through must be legal to it: nothing is put on the same point twice in a row.
    """
    _refuse(not line.startswith("info move "), "the line does not begin with info move")
    infos = []
    for part in line.split("info move ")[1:]:
        move = re.match(r"(\S+)\s+", part)
        numbers = {
            key: re.search(rf"\s{key}\s+({shape})\s", part)
            for key, shape in (("visits", "[0-9]+"), ("winrate", r"\S+"), ("order", "[0-9]+"))
        }
        pv = re.search(r"\spv\s+(.*)$", part)
        _refuse(move is None or pv is None or None in numbers.values(), "a part is missing")
        found = {key: number[1] for key, number in numbers.items()}
        (float if kata else int)(found["winrate"])
        infos.append(Info(move[1], found, pv[1].split()))
    return infos


READERS = {each.__name__: each for each in (sabaki, lizzie, lizgoban, q5go)}
