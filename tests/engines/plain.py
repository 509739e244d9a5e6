"""A small foreign engine: it speaks plain Go Text Protocol and knows none of our games."""

import sys

COLUMNS = "ABCDEFGHJKLMNOPQRST"
size = 9
stones: dict[str, str] = {}


def play(color: str, vertex: str) -> str:
    if color.lower() not in ("b", "w", "black", "white") or vertex.upper() not in board():
        return "? invalid color or coordinate"
    if vertex.upper() in stones:
        return "? illegal move"
    stones[vertex.upper()] = color
    return "="


def genmove(color: str) -> str:
    free = next((vertex for vertex in board() if vertex not in stones), "pass")
    stones[free] = color
    return f"= {free}"


def boardsize(text: str) -> str:
    global size
    if not text.isdigit() or not 2 <= int(text) <= 19:
        return "? unacceptable size"
    size = int(text)
    return clear_board()


def clear_board() -> str:
    stones.clear()
    return "="


def board() -> list[str]:
    return [f"{column}{row}" for column in COLUMNS[:size] for row in range(1, size + 1)]


COMMANDS = {
    "protocol_version": lambda: "= 2",
    "name": lambda: "= Plain",
    "version": lambda: "=",
    "known_command": lambda name="": f"= {str(name in COMMANDS).lower()}",
    "list_commands": lambda: "= " + "\n".join(COMMANDS),
    "komi": lambda number: "=",
    "quit": lambda: "=",
    **{function.__name__: function for function in (boardsize, clear_board, play, genmove)},
}

for line in sys.stdin:
    number, *words = line.split()
    if not number.isdigit():
        number, words = "", [number, *words]
    try:
        answer = COMMANDS[words[0]](*words[1:])
    except KeyError:
        answer = "? unknown command"
    except TypeError:
        answer = "? syntax error"
    print(answer[0] + number + answer[1:], end="\n\n", flush=True)
    if words[0] == "quit":
        break
