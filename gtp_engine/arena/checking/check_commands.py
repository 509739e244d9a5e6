"""Items about the commands that every engine has, and about what they refuse."""

from collections.abc import Callable, Iterator

from gtp_engine.arena.checking.check_subject import (
    CheckItem,
    Flaws,
    Skipped,
    Subject,
    first_word,
    flaw,
    play_line,
    shown,
)
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.rules.turns import random_turn

REQUIRED = (
    "protocol_version", "name", "version", "known_command", "list_commands", "quit",
    "boardsize", "clear_board", "komi", "play", "genmove",
)  # fmt: skip

_AT_ONCE = 5.0  # seconds: the longest time that counts as at once
_MALFORMED = "? invalid color or coordinate"
_ILLEGAL = "? illegal move"
_SCORE = "final_score"
_LONGEST_GAME = 500  # turns
_NO_TIME = "? not three numbers"
_NO_CLOCK = "? time and stones not two numbers"
_NO_SIZE = "? boardsize not an integer"
_BAD_SIZE = "? unacceptable size"

# Lines with invalid arguments, and commands that fail in the middle of any of our games.
_BAD_LINES = (
    "boardsize", "boardsize x", "boardsize 0", "boardsize -3", "boardsize 1000",
    "komi", "komi x", "time_settings", "time_settings 1 x 3", "time_left", "time_left b",
    "time_left x 1 1", "no-such-command", "game-select", "game-select chess", "game-position x",
    "game-set x y", "game-pie maybe", "game-swap", "loadsgf no-such-file.sgf",
)  # fmt: skip

_Lines = Iterator[tuple[str, str]]
_Examination = Callable[[Subject], Flaws]


def _answers(*pairs: tuple[str, str]) -> _Examination:
    """A check that sends commands and compares each response: `= ...` allows any text."""

    def examine(subject: Subject) -> Flaws:
        for line, expected in pairs:
            yield from subject.expect(line, expected)

    return examine


def _in_games(lines: Callable[[Position], _Lines]) -> _Examination:
    """A check that sends commands in the middle of each game."""

    def examine(subject: Subject) -> Flaws:
        for position in _middles(subject):
            for line, expected in lines(position):
                yield from subject.expect(line, expected)

    return examine


def _middles(subject: Subject) -> Iterator[Position]:
    """Each game after two random turns, on our board and on the engine's."""
    for game in subject.known_games():
        position = subject.new_game(game)
        for _ in range(2):
            _, steps, after = random_turn(position, subject.rng.choice)
            subject.ask(play_line(position, steps))
            position = after
        yield position


def _listed(subject: Subject) -> Flaws:
    missing = [name for name in REQUIRED if name not in subject.commands]
    if missing:
        yield flaw("list_commands", "all of them", f"without {' '.join(missing)}")


def _known(subject: Subject) -> Flaws:
    for name in sorted(subject.commands):
        yield from subject.expect(f"known_command {name}", "= true")
    for line in ("known_command no-such-command", "known_command NAME", "known_command"):
        yield from subject.expect(line, "= false")


def _name(subject: Subject) -> Flaws:
    response = subject.ask("name")
    if not response.success or not response.text.strip():
        yield flaw("name", "= NAME", shown(response))
    yield from subject.expect("version", "= ...")


def _size(subject: Subject) -> Flaws:
    for game in subject.known_games():
        size = subject.new_game(game).size
        yield from subject.expect(f"boardsize {size}", "=")
        before = subject.state()
        for line in ("boardsize 1000", "boardsize 0", "boardsize -3"):
            yield from subject.expect(line, _BAD_SIZE)
        for line in ("boardsize", "boardsize x"):
            yield from subject.expect(line, _NO_SIZE)
        yield from _changes(subject, before, "boardsize 1000")


def _clear(subject: Subject) -> Flaws:
    for game in subject.known_games():
        start = subject.new_game(game)
        yield from subject.expect("komi 7.5", "=")
        before = subject.state()
        yield from subject.expect(f"play b {first_word(start)}", "=")
        for _ in range(2):
            yield from subject.expect("clear_board", "=")
        yield from _changes(subject, before, "clear_board")


def _spellings(subject: Subject) -> Flaws:
    for game in subject.known_games():
        word = first_word(subject.new_game(game))
        for color in ("b", "B", "black", "Black", "BLACK"):
            for spelling in (word.lower(), word.upper()):
                yield from subject.expect("clear_board", "=")
                yield from subject.expect(f"play {color} {spelling}", "=")


def _malformed(position: Position) -> _Lines:
    color = position.to_move.letter
    word = first_word(position)
    for arguments in ("", f" {color}", f" x {word}", f" {word}", f" blac {word}"):
        yield f"play{arguments}", _MALFORMED
    for vertex in ("i1", "z99", "a0", "a", "11", "a1a", "/", "a1/", "-"):
        yield f"play {color} {vertex}", _MALFORMED
    for arguments in ("", " x", " blac"):
        yield f"genmove{arguments}", "? invalid color"


def _illegal(position: Position) -> _Lines:
    color, other = position.to_move.letter, position.to_move.opponent.letter
    word = first_word(position)
    yield f"play {other} {word}", _ILLEGAL
    yield f"genmove {other}", _ILLEGAL
    yield f"play {color} {word}/{word}", _ILLEGAL
    for swap in ("swap", "swap-sides"):
        yield f"play {color} {swap}", _ILLEGAL


def _nothing_changes(subject: Subject) -> Flaws:
    if not subject.shows_board:
        yield from _nothing_changes_in_play(subject)
        return
    for position in _middles(subject):
        before = subject.state()
        lines = [line for line, _ in (*_malformed(position), *_illegal(position))]
        for line in (*lines, *_BAD_LINES, f"game-position {position.game.name} 3 ./.. b"):
            if subject.ask(line).success:
                yield flaw(line, "a failure", "=")
                break
            changes = list(_changes(subject, before, line))
            if changes:
                yield from changes
                break


def _nothing_changes_in_play(subject: Subject) -> Flaws:
    """The same, if the engine shows no board: a game goes on as it did without failures."""
    for game in subject.known_games():
        turns = _random_game(subject, subject.new_game(game))
        lines = [play_line(position, steps) for position, steps in turns]
        lines += [_SCORE] if _SCORE in subject.commands else []
        usual = [shown(subject.ask(line)) for line in lines]
        if any(answer != "=" for answer in usual[: len(turns)]):
            raise Skipped("the engine shows no board, and could not follow a game")
        subject.new_game(game)
        for number, (line, answer) in enumerate(zip(lines, usual)):
            if number in range(2, len(turns)):
                position, _ = turns[number]
                failing = [*_illegal(position), *(_malformed(position) if number == 2 else ())]
                for bad in (*(bad for bad, _ in failing), *(_BAD_LINES if number == 2 else ())):
                    if subject.ask(bad).success:
                        yield flaw(bad, "a failure", "=")
                        return
            got = shown(subject.ask(line))
            if got != answer:
                yield flaw(f"commands that fail, then {line}", answer, got)
                return


def _random_game(subject: Subject, position: Position) -> list[tuple[Position, tuple[Step, ...]]]:
    """Random turns from a position to the end, each with the position before it."""
    turns: list[tuple[Position, tuple[Step, ...]]] = []
    while position.outcome() is None and len(turns) < _LONGEST_GAME:
        _, steps, after = random_turn(position, subject.rng.choice)
        turns.append((position, steps))
        position = after
    return turns


def _changes(subject: Subject, before: dict[str, str], sent: str) -> Flaws:
    """Flaws if an engine's reports about itself differ from those before."""
    after = subject.state()
    for name in (name for name in before if before[name] != after[name]):
        yield flaw(f"{sent}, {name}", before[name], after[name])


def _undo(subject: Subject) -> Flaws:
    for game in subject.known_games():
        position = subject.new_game(game)
        yield from subject.expect("undo", "? cannot undo")
        start = subject.state()
        _, steps, after = random_turn(position, subject.rng.choice)
        yield from subject.expect(play_line(position, steps), "=")
        middle = subject.state()
        yield from subject.expect(f"genmove {after.to_move.letter}", "= ...")
        for before in (middle, start):
            yield from subject.expect("undo", "=")
            yield from _changes(subject, before, "undo")
        yield from subject.expect("undo", "? cannot undo")


def _only_asked(subject: Subject) -> Flaws:
    for position in _middles(subject):
        before = subject.state()
        line = f"reg_genmove {position.to_move.letter}"
        yield from subject.expect(line, "= ...")
        yield from _changes(subject, before, line)


def _hurry(subject: Subject) -> Flaws:
    for line in ("clear_board", "time_settings 1 0 0", "time_left b 0 0"):
        yield from subject.expect(line, "=")
    seconds = subject.answer("genmove b").seconds
    if seconds > _AT_ONCE:
        yield flaw("time_left b 0 0, genmove b", "a turn at once", f"{seconds:.1f} seconds")


ITEMS = (
    CheckItem(
        "commands.required",
        "`list_commands` holds " + " ".join(f"`{name}`" for name in REQUIRED),
        "commands/administrative.md#list_commands",
        _listed,
    ),
    CheckItem(
        "commands.known",
        "`known_command` is `true` for listed commands and `false` for all others",
        "commands/administrative.md#known_command",
        _known,
        ("known_command",),
    ),
    CheckItem(
        "commands.version",
        "the protocol version is 2",
        "commands/administrative.md#protocol_version",
        _answers(("protocol_version", "= 2")),
    ),
    CheckItem(
        "commands.name",
        "the name is not empty; the version may be",
        "commands/administrative.md#name",
        _name,
    ),
    CheckItem(
        "setup.size",
        "`boardsize` accepts sizes of the game; any other size fails and changes nothing",
        "commands/setup.md#boardsize",
        _size,
        ("boardsize",),
    ),
    CheckItem(
        "setup.clear",
        "`clear_board` never fails, and keeps game, size and komi",
        "commands/setup.md#clear_board",
        _clear,
        ("clear_board", "komi"),
    ),
    CheckItem(
        "setup.komi",
        "komi accepts any finite number, and nothing else",
        "commands/setup.md#komi",
        _answers(
            *((f"komi {number}", "=") for number in ("6.5", "-200", "0", "1e3", "375")),
            ("komi", "? komi not a float"),
            ("komi x", "? komi not a float"),
        ),
        ("komi",),
    ),
    CheckItem(
        "play.spelling",
        "colors and turns are read in any letter case",
        "commands/playing.md#play",
        _spellings,
        ("play", "clear_board"),
    ),
    CheckItem(
        "play.malformed",
        "invalid colors or turns fail with `invalid color or coordinate`, or `invalid color`",
        "commands/playing.md#play",
        _in_games(_malformed),
        ("play", "genmove"),
    ),
    CheckItem(
        "play.illegal",
        "a turn of the wrong color, with too many steps, or a late swap is an `illegal move`",
        "protocol.md#responses",
        _in_games(_illegal),
        ("play", "genmove"),
    ),
    CheckItem(
        "play.unchanged",
        "a command that fails changes nothing",
        "protocol.md#responses",
        _nothing_changes,
        ("play",),
    ),
    CheckItem(
        "play.undo",
        "`undo` takes back one `play` or `genmove`; at the start it fails with `cannot undo`",
        "commands/playing.md#undo",
        _undo,
        ("undo", "genmove"),
    ),
    CheckItem(
        "play.reg_genmove",
        "`reg_genmove` does not play its turn",
        "commands/playing.md#reg_genmove",
        _only_asked,
        ("reg_genmove",),
    ),
    CheckItem(
        "time.settings",
        "`time_settings` accepts main time, byo-yomi and stones, and nothing else",
        "commands/clocks.md#time_settings",
        _answers(
            *((f"time_settings {times}", "=") for times in ("300 30 5", "300 0 0", "0 5 1")),
            ("time_settings 0 1 0", "="),
            ("time_settings", _NO_TIME),
            ("time_settings 300", _NO_TIME),
            ("time_settings a b c", _NO_TIME),
        ),
        ("time_settings",),
    ),
    CheckItem(
        "time.left",
        "`time_left` accepts a color, time and stones, and nothing else",
        "commands/clocks.md#time_left",
        _answers(
            ("time_left b 60 0", "="),
            ("time_left w 30 5", "="),
            ("time_left x 60 0", "? invalid color"),
            ("time_left b 60", _NO_CLOCK),
            ("time_left b a b", _NO_CLOCK),
        ),
        ("time_left",),
    ),
    CheckItem(
        "time.out",
        "without time left the engine moves at once",
        "commands/clocks.md#time_left",
        _hurry,
        ("time_settings", "time_left", "genmove"),
    ),
)
