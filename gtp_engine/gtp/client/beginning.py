"""How an engine is told to begin a game."""

from collections.abc import Collection

SELECT, PIE, POSITION = "game-select", "game-pie", "game-position"


def beginning(
    known: Collection[str], game: str, size: int, pie: str, position: str = ""
) -> list[str]:
    """The commands that begin a game, of those that an engine knows.

    pie      -- the form of the pie rule; an engine without `game-pie` has its own
    position -- a set-up position; the engine must know `game-position`

    An engine without `game-select` plays one game, which is taken for this one. The pie rule comes
    first, because it may hold only from the next game on.
    """
    lines = [f"{PIE} {pie}"] if PIE in known else []
    if SELECT in known:
        lines.append(f"{SELECT} {game} {size}")
    else:
        lines += [f"boardsize {size}", "clear_board"]
    return [*lines, f"{POSITION} {position}"] if position else lines
