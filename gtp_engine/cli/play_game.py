"""A game at a terminal: reads lines from a person, prints sentences and boards."""

from collections.abc import Callable

from gtp_engine.base.files import CannotRead, read_file, write_file
from gtp_engine.base.option import meant
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import ADAPTIVE, COLORS, PERSON, Seat, opponent
from gtp_engine.cli.play_input import TypedLines
from gtp_engine.cli.play_table import TableThread
from gtp_engine.cli.play_words import (
    View,
    board_told,
    example,
    hint_told,
    leaves,
    next_told,
    refusal_told,
    rules_told,
    steps_told,
    title,
    turn_told,
)
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.rules.records.sgf import LARGEST_RECORD

_HINT = 2.0  # seconds

_HELP = """\
Type a turn{example}, or one of its steps; Tab completes. Other commands:
  hint         the engine's best turn, and why
  undo, redo   take back your last turn and the engine's answer; play them again
  why TURN     why a turn is illegal
  turns        the legal steps
  board        show the board, or list all pieces
  rules        the rules of the game
  swap         swap, if the pie rule allows it now
  level N      set the engine's level: a number, a name, or adaptive
  color WHICH  set your color: black, white, both or none
  go           let a paused engine play
  restart      restart a failed engine at the same position
  save FILE    save the game and all variations as SGF
  open FILE    continue a game from an SGF file
  resign       give up
  new [GAME] [SIZE]    start a new game
  help, quit
Ctrl-C while the engine thinks: it plays at once; a second time: it pauses."""


class TerminalGame:
    """A person who plays at a table by typing and reading."""

    def __init__(
        self, table: TableThread, engine: str, level: int | str | None, spoken: bool
    ) -> None:
        """Store the parameters; nothing is started.

        engine -- the name of the engine
        level  -- its level, None to leave it unchanged
        spoken -- describe the board in words
        """
        self._thread, self._table = table, table.table
        self._engine, self._level, self._spoken = engine, level, spoken
        self._state: Message = {}
        self._shown = -1  # the state's revision when the board was last shown
        self._newest = (0, 0)  # tree and node of the newest announced turn
        self._interrupts = 0
        self._leaving = False
        self._lines = TypedLines(self._words)
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "board": self._board,
            "color": self._color,
            "go": self._go,
            "help": self._help,
            "hint": self._hint,
            "level": self._set_level,
            "new": self._new,
            "open": self._open,
            "quit": self._quit,
            "redo": lambda rest: self._thread.call(self._table.redo()),
            "resign": self._resign,
            "restart": lambda rest: self._thread.call(self._table.restart(self._engine)),
            "rules": lambda rest: _say(*rules_told(self._thread.call(self._table.rules()))),
            "save": self._save,
            "swap": self._swap,
            "turns": lambda rest: _say(*steps_told(self._view)),
            "undo": lambda rest: self._thread.call(self._table.undo()),
            "why": self._why,
        }

    def begin(self, game: str | None, size: int | None, color: str, handicap: int) -> None:
        """Start the board engine and the game. Raises CannotDo or EngineFault."""
        self._thread.call(self._table.start(game, size))
        self._take_state()
        black, white = self._seats(color)
        if handicap:
            name, points = self._view["game"]["name"], self._view["game"]["size"]
            first = self._table.new_game(name, points, "off", black, white, handicap=handicap)
            self._thread.call(first)
        else:
            self._thread.call(self._table.set_seats(black, white))
        self._take_state()
        name = self._view["game"]["title"]
        _say(f"{name}. {self._who(black, white)} Type a turn, or help.")

    def run(self) -> None:
        """Play until the person leaves. Raises KeyboardInterrupt at the prompt."""
        while not self._leaving:
            self._watch()
            self._show()
            self._interrupts = 0
            line = self._lines.next()
            if line is None:
                return
            try:
                self._do(line)
            except (CannotDo, CannotRead, EngineFault) as error:
                _say(str(error))
            except OSError as error:
                _say(f"The file cannot be written: {error.strerror or error}.")

    @property
    def _view(self) -> View:
        view: View = self._state["view"]
        return view

    def _do(self, line: str) -> None:
        """Execute a line. Raises CannotDo, EngineFault or OSError."""
        first, *rest = line.split() or [""]
        command = self._commands.get(first.lower())
        if command is not None:
            command(rest)
        elif rest:
            _say(f"No command {first[:40]}{meant(first, self._commands)} (help lists them).")
        elif first:
            self._play(first)

    def _play(self, word: str) -> None:
        """Play a turn, a step or a click. Raises CannotDo or EngineFault."""
        lowered = word.lower()
        steps = {step.lower(): step for step, _ in leaves(self._view)}
        if lowered not in steps and not any(letter.isdigit() for letter in word):
            similar = meant(word, [*self._commands, *steps.values()])
            raise CannotDo(f"No command or turn {word[:40]}{similar} (help lists them).")
        if self._swaps() and lowered in (piece["at"].lower() for piece in self._view["pieces"]):
            # As a click it would mean the swap.
            raise CannotDo(f"{word.upper()} holds a piece. To swap, type swap.")
        refused = self._thread.call(self._table.step(self._state["rev"], word))
        if refused is not None and refused["kind"] == "refused":
            _say(*refusal_told(refused))

    def _watch(self) -> None:
        """Print news while an engine is thinking."""
        said = False
        while True:
            self._take_state()
            if self._state["thinking"] is None:
                return
            if not said and self._lines.interactive:
                said = True
                _say(f"{self._engine} is thinking. Ctrl-C: it plays at once.")
            self._tell([self._thread.wait()])

    def interrupt(self) -> None:
        """Ctrl-C: a thinking engine answers now, then pauses; at the prompt the program ends.

        Called by the signal handler. Raises KeyboardInterrupt.
        """
        self._interrupts += 1
        if self._lines.waiting or self._interrupts > 2:
            raise KeyboardInterrupt
        self._thread.interrupt(self._interrupts > 1)

    def _tell(self, messages: list[Message]) -> None:
        for message in messages:
            if message["kind"] == "told":
                _say(message["text"])
            elif (newest := (message["tree"], message["node"])) > self._newest:
                self._newest = newest
                _say(*turn_told(message["view"]))

    def _take_state(self) -> None:
        """Take the current state, after printing all messages that led to it."""
        self._state, messages = self._thread.look()
        self._tell(messages)

    def _show(self) -> None:
        """Print the board and who is to move, unless this position was already shown."""
        if self._state["rev"] == self._shown:
            return
        self._shown = self._state["rev"]
        if not self._spoken:
            _say("", self._thread.call(self._table.picture()).rpartition("\n")[0])
        elif self._changed_at_once():
            _say(*board_told(self._view))
        _say(*next_told(self._view))
        if self._state["resting"]:
            _say(f"{self._engine} is to move, but paused: type go to let it play.")

    def _changed_at_once(self) -> bool:
        """Whether the board differs from the last shown one by more than one announced turn."""
        here, last = (self._state["tree"], self._state["node"]), self._view["last"]
        beside = here != self._newest or last is None
        return beside or str(last["turn"]).startswith("swap")

    def _words(self) -> list[str]:
        """The possible first words of a line."""
        return [*(step for step, _ in leaves(self._view)), *self._commands]

    def _seats(self, color: str) -> tuple[Seat, Seat]:
        """The seats if the person plays a color. Raises CannotDo."""
        engine = Seat(self._engine, self._level)
        word = color.lower()
        titles = {title(self._view, each).lower(): each for each in COLORS}
        word = titles.get(word, word)
        if word not in (*COLORS, "both", "none"):
            raise CannotDo(f"Your color can be black, white, both or none, not {color[:40]}.")
        black, white = (PERSON if word in (each, "both") else engine for each in COLORS)
        return black, white

    def _who(self, black: Seat, white: Seat) -> str:
        people = [color for color, seat in zip(COLORS, (black, white)) if seat.is_human]
        engine = f"{self._engine}{self._strength()}"
        if len(people) == 1:
            yours, its = (title(self._view, each) for each in (people[0], opponent(people[0])))
            return f"You play {yours}, {engine} plays {its}."
        return "You play both colors." if people else f"{engine} plays both colors."

    def _strength(self) -> str:
        level = self._level
        if level is None:
            return ""
        number = self._table.adaptive.level if level == ADAPTIVE else level
        name = next((name for name, each in self._levels().items() if each == number), "")
        if level == ADAPTIVE:
            return f" (adaptive level, now {name})"
        return f" (level {', '.join(filter(None, (str(number), name)))})"

    def _levels(self) -> dict[str, int | str]:
        """The levels by name."""
        return {each["name"]: each["level"] for each in self._table.catalog.get("levels", ())}

    def _board(self, rest: list[str]) -> None:
        if self._spoken:
            _say(*board_told(self._view), *next_told(self._view))
        else:
            _say(self._thread.call(self._table.picture()))

    def _color(self, rest: list[str]) -> None:
        black, white = self._seats(rest[0] if rest else "")
        self._thread.call(self._table.set_seats(black, white))
        _say(self._who(black, white))

    def _go(self, rest: list[str]) -> None:
        self._thread.call(self._table.pause(False))

    def _help(self, rest: list[str]) -> None:
        step = example(self._view)
        _say(_HELP.format(example=f" such as {step}" if step else ""))

    def _hint(self, rest: list[str]) -> None:
        _say(*hint_told(self._thread.call(self._table.hint(_HINT))))

    def _set_level(self, rest: list[str]) -> None:
        word = "-".join(rest).lower()
        known = {f"{number}": number for number in self._levels().values()}
        named = {name.lower().replace(" ", "-"): each for name, each in self._levels().items()}
        level = (known | named).get(word)
        if level is None:
            listed = (f"{each} {name}".removeprefix(f"{name} ") for name, each in named.items())
            raise CannotDo(f"The levels are {', '.join(listed)}.")
        self._level = level
        seats = (Seat.read(self._state["seats"][color]) for color in COLORS)
        black, white = (PERSON if seat.is_human else Seat(self._engine, level) for seat in seats)
        self._thread.call(self._table.set_seats(black, white))
        _say(self._who(black, white))

    def _new(self, rest: list[str]) -> None:
        game = self._view["game"]
        name, size = game["name"], game["size"]
        for word in rest:
            if word.isascii() and word.isdigit():
                size = int(word[:9])
                continue
            listed = {each["name"]: each for each in self._table.catalog["games"]}
            if word.lower() not in listed:
                raise CannotDo(f"The games are {', '.join(listed)}.")
            name, size = word.lower(), listed[word.lower()]["default_size"]
        black, white = (Seat.read(self._state["seats"][color]) for color in COLORS)
        self._thread.call(self._table.new_game(name, size, self._state["pie"], black, white))

    def _open(self, rest: list[str]) -> None:
        data = read_file(_one_file(rest), LARGEST_RECORD)
        self._thread.call(self._table.open_record(data))

    def _quit(self, rest: list[str]) -> None:
        self._leaving = True

    def _resign(self, rest: list[str]) -> None:
        people = [color for color in COLORS if self._state["seats"][color]["kind"] == "human"]
        color = people[0] if len(people) == 1 else self._view["turn"]["to_move"]
        self._thread.call(self._table.resign(color))

    def _save(self, rest: list[str]) -> None:
        path = _one_file(rest)
        record = self._thread.call(self._table.save_record("plain"))
        write_file(path, record["text"].encode())
        _say(f"The game is saved in {path}.")

    def _swap(self, rest: list[str]) -> None:
        swaps = self._swaps()
        if not swaps:
            raise CannotDo("A swap is not possible now.")
        self._play(swaps[0])

    def _swaps(self) -> list[str]:
        return [button["step"] for button in self._view["buttons"] if button["swaps"]]

    def _why(self, rest: list[str]) -> None:
        if len(rest) != 1:
            raise CannotDo(f"Ask about one turn: why {example(self._view) or 'TURN'}.")
        answer = self._thread.call(self._table.why(self._state["rev"], rest[0]))
        _say(*(refusal_told(answer) if answer["kind"] == "refused" else [answer["text"]]))


def _one_file(rest: list[str]) -> str:
    if not rest:
        raise CannotDo("Name a file.")
    return " ".join(rest)


def _say(*lines: str) -> None:
    for line in lines:
        print(line, flush=True)
