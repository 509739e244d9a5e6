"""Opens and saves records with the help of the board engine, which alone knows the rules."""

import time
from collections.abc import Callable

from gtp_engine.table.follower import GameStart
from gtp_engine.table.messages import BLACK, WHITE, CannotDo, Message
from gtp_engine.table.record import Record, read_record, written_record
from gtp_engine.table.shown_game import RESIGN, BoardGame, checked_position, learn, view_of
from gtp_engine.table.variations import GameNode, GameTree

PLAIN, DISPLAY, REVIEW = "plain", "display", "review"

MOST_SECONDS = 10.0
"""Seconds for playing through variations; the remaining ones are left out."""

_BATCH = 200  # turns played before other tasks may run
_STATUS = "game-status"


async def open_text(game: BoardGame, text: str, found: Callable[[GameNode], None]) -> int:
    """Show the game in a text, at the end of its main line; the caller holds the lock.

    found -- receives that node before it is shown

    Returns the number of variations left out because they break a rule or are too many. Raises
    CannotDo without any change.
    """
    record = read_record(text, game.start.pie)
    if record.start.position:
        checked_position(record.start.position)
    start = record.start
    if not start.game:
        start = GameStart(game.start.game, start.size, start.pie)
    game.board.forget()
    try:
        tree, left_out = await played_tree(game, start, record)
        node = tree.end
        (shown,) = await game.ask_at(start, node, "game-view")
        view = view_of(shown)
    except CannotDo:
        game.board.forget()
        raise
    game.start = start
    found(node)
    game.take(tree, node, view)
    return left_out


async def saved(game: BoardGame, form: str, names: dict[str, str]) -> Message:
    """The message `record`; the caller holds the lock. Raises CannotDo.

    names -- the names of the players, by color; "" for people
    """
    name = f"{game.start.game}-{game.start.size}.sgf"
    if form == PLAIN:
        text = written_record(game.tree, game.start, await _heading(game, names))
    elif form == DISPLAY:
        if "game-printsgf" not in game.board.commands:
            raise CannotDo(
                "The board engine cannot save in this form: it has no command game-printsgf."
            )
        (answer,) = await game.ask_at(game.start, game.tree.end, "game-printsgf display")
        if not answer.success:
            raise CannotDo(f"The game cannot be saved: {answer.text[:200]}.")
        text = answer.text + "\n"
    else:
        raise CannotDo("A record can be saved as plain or as display.")
    return {"kind": "record", "name": name, "text": text, "type": "application/x-go-sgf"}


async def _heading(game: BoardGame, names: dict[str, str]) -> dict[str, str]:
    """Names and result for the root."""
    found = {key: names[color] for key, color in (("PB", BLACK), ("PW", WHITE)) if names.get(color)}
    end = game.tree.end
    if end.over:
        (shown,) = await game.ask_at(game.start, end, "game-view")
        outcome = view_of(shown).get("outcome")
        if isinstance(outcome, dict) and isinstance(outcome.get("result"), str):
            found["RE"] = outcome["result"]
    return found


async def played_tree(game: BoardGame, start: GameStart, record: Record) -> tuple[GameTree, int]:
    """The tree of a record, and the number of variations left out.

    Raises CannotDo if its main line breaks a rule; the board engine's position is then unknown.
    """
    tree, left_out = GameTree(game.tree.next_id), 0
    tree.comment(tree.root, record.comment)
    await game.ask_at(start, tree.root)
    nodes: dict[int, GameNode] = {-1: tree.root}
    end_of_patience = time.monotonic() + MOST_SECONDS
    for run in _runs(record):
        if run[0] and time.monotonic() > end_of_patience:
            left_out += 1
            continue
        parent = nodes.get(record.turns[run[0]].parent)
        if parent is None:  # after a turn that was left out
            continue
        for number, node in zip(run, await add_turns(game, start, tree, parent, run, record)):
            nodes[number] = node
        missing = next((number for number in run if number not in nodes), None)
        if missing is not None:
            left_out += 1
            if run[0] == 0:
                raise await _illegal(game, start, nodes, missing, record)
    end = tree.end
    if record.given_up and record.given_up == end.to_move and not end.over:
        await _add_word(game, start, tree, end, record.given_up, RESIGN)
    return tree, left_out


def _runs(record: Record) -> list[list[int]]:
    """The turns in lines without branches; the first is the main line."""
    runs: list[list[int]] = []
    for number, turn in enumerate(record.turns):
        if runs and turn.parent == runs[-1][-1]:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


async def add_turns(
    game: BoardGame,
    start: GameStart,
    tree: GameTree,
    parent: GameNode,
    run: list[int],
    record: Record,
) -> list[GameNode]:
    """Add the turns of a line, as far as they are legal.

    run -- their numbers in the record
    """
    added: list[GameNode] = []
    for first in range(0, len(run), _BATCH):
        part = run[first : first + _BATCH]
        here = added[-1] if added else parent
        new = await _add_part(game, start, tree, here, part, record)
        added += new
        if len(new) < len(part):
            break
    return added


async def _add_part(
    game: BoardGame,
    start: GameStart,
    tree: GameTree,
    parent: GameNode,
    part: list[int],
    record: Record,
) -> list[GameNode]:
    turns = [record.turns[number] for number in part]
    look = _STATUS if _STATUS in game.board.commands else "game-view"
    lines = [line for turn in turns for line in (f"play {turn.color} {turn.word}", look)]
    answers = await game.ask_at(start, parent, *lines)
    game.board.forget()
    added: list[GameNode] = []
    for turn, played, shown in zip(turns, answers[::2], answers[1::2]):
        if not played.success:
            return added
        here = added[-1] if added else parent
        node = tree.child(here, turn.color, turn.word) or tree.add(here, turn.color, turn.word)
        if look == _STATUS:
            _learn_status(node, shown.text)
        else:
            learn(node, view_of(shown))
        if turn.comment:
            tree.comment(node, turn.comment)
        if turn.chance is not None:
            node.chance = turn.chance
        added.append(node)
    if added:
        game.board.stand(start, added[-1])
    return added


async def _add_word(
    game: BoardGame, start: GameStart, tree: GameTree, parent: GameNode, color: str, word: str
) -> None:
    played, shown = await game.ask_at(start, parent, f"play {color} {word}", "game-view")
    game.board.forget()
    if played.success:
        learn(tree.add(parent, color, word), view_of(shown))


def _learn_status(node: GameNode, text: str) -> None:
    status = dict(line.partition(" ")[::2] for line in text.split("\n"))
    node.open, node.over = status.get("turn") == "open", status.get("over") == "yes"
    node.to_move = WHITE if status.get("to_move") == WHITE else BLACK


async def _illegal(
    game: BoardGame, start: GameStart, nodes: dict[int, GameNode], number: int, record: Record
) -> CannotDo:
    """The error for an illegal turn."""
    turn = record.turns[number]
    parent = nodes[turn.parent]
    count, color = parent.number + (not parent.open), turn.color.capitalize()
    what = f"Turn {count} of the file breaks a rule: {color} {turn.word[:60]}."
    refused = await game.objection(turn.color, turn.word, place=(start, parent))
    return CannotDo(f"{what} {refused['text']}")
