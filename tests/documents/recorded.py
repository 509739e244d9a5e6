"""What the tests of tests/rules show, recorded while they run: boards, turns, refusals.

`recordings("pilo")` runs a copy of tests/rules/test_pilo.py. There the functions of boards.py note
each position that they are given or make, before they do what they always do.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getdoc, signature
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from gtp_engine.notation.clicks import Clicks
from gtp_engine.notation.position_text import read_position, write_position
from gtp_engine.notation.steps import parse_word
from gtp_engine.notation.turns import read_turn, step_named
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Objection, Step, UnplayablePosition
from support import boards

RULES = Path(__file__).parents[1] / "rules"

# `test_r9_r10_together` shows the sentences R9 and R10.
_SENTENCE = re.compile(r"[a-z]\d+")


class Reached:
    """A position, what was refused there, and the positions that turns or parts of turns reach.

    play  -- the steps that lead here from the position before, with the forced ones
    rules -- the sentences that act in these steps
    """

    def __init__(self, position: Position, play: str = "", rules: tuple[str, ...] = ()) -> None:
        self.position = position
        self.play = play
        self.rules = rules
        self.refused: dict[str, str] = {}
        self.later: dict[str, Reached] = {}

    def go_on(self, steps: tuple[Step, ...]) -> "Reached":
        """The position after steps, of which at least the first is no forced one."""
        word = "/".join(map(str, steps))
        if word not in self.later:
            position, rules = self.position, list[str]()
            for step in steps:
                rules += (event.rule for event in position.events(step))
                position = position.play_unchecked(step)
            self.later[word] = Reached(position, word, tuple(dict.fromkeys(rules)))
        return self.later[word]

    def paths(self) -> Iterator[list["Reached"]]:
        """Every way from here to a position without a later one."""
        if not self.later:
            yield [self]
        for word in sorted(self.later):  # tests go through sets, too
            for path in self.later[word].paths():
                yield [self, *path]


class Recording(NamedTuple):
    """What a test has shown.

    name      -- that of the test, in words
    about     -- the first paragraph of its docstring
    sentences -- those in its name
    starts    -- the positions with which it began
    refused   -- refused set-ups: the text, and the reason
    """

    name: str
    about: str
    sentences: tuple[str, ...]
    starts: list[Reached]
    refused: dict[str, str]


LONGEST_TEXT = 1000  # what refuses a longer one is our own limit

STOOD_IN_FOR = ("position", "set_up", "read_position", "picture", "steps", "after", "objection")


class Recorder:
    """Stands in for the functions of boards.py, and for `read_position`, during one test.

    starts, refused -- as in a Recording
    """

    def __init__(self) -> None:
        self.starts: list[Reached] = []
        self.refused: dict[str, str] = {}
        self._known: dict[Position, Reached] = {}

    def position(self, *words: str, **fields: str) -> Position:
        return self._at(boards.position(*words, **fields)).position

    def set_up(self, *words: str, **fields: str) -> Position:
        try:
            return self._at(boards.set_up(*words, **fields)).position
        except UnplayablePosition:
            self._note_refusal(words, fields)
            raise

    def read_position(self, text: str) -> Position:
        return self._at(read_position(text)).position

    def picture(self, position: Position) -> str:
        if position == position.game.start(position.size, position.pie):
            self._at(position)
        return boards.picture(position)

    def steps(self, position: Position) -> set[str]:
        self._at(position)
        return boards.steps(position)

    def after(self, position: Position, *words: str) -> Position:
        reached = self._at(position)
        clicks: Clicks = ()
        for word in words:
            steps, _, clicks = read_turn(reached.position, clicks, word)
            if steps:
                reached = reached.go_on(steps)
                self._known.setdefault(reached.position, reached)
        return boards.after(position, *words)

    def objection(self, position: Position, word: str) -> Objection:
        found = boards.objection(position, word)
        if all(step_named(position, item) for item in parse_word(position.game, word)):  # no click
            self._at(position).refused[word] = found.rule
        return found

    def _at(self, position: Position) -> Reached:
        """Where the test has met a position; at a new start if it has not."""
        if position not in self._known:
            self._known[position] = Reached(position)
            self.starts.append(self._known[position])
        return self._known[position]

    def _note_refusal(self, words: tuple[str, ...], fields: dict[str, str]) -> None:
        """Only of set-ups whose text says what is wrong with them."""
        with suppress(ValueError, KeyError, IndexError):
            text = write_position(boards.position(*words, **fields))
            if len(text) <= LONGEST_TEXT and (reason := flaw_of(text)):
                self.refused[text] = reason


def flaw_of(text: str) -> str:
    """Why a position cannot come up in a game, "" if it can."""
    try:
        read_position(text)
    except UnplayablePosition as flaw:
        return str(flaw)
    return ""


def recordings(game: str) -> Iterator[Recording]:
    """What each test of a game has shown; those with fixtures do not run."""
    module = _copy(RULES / f"test_{game}.py")
    for name, function in list(vars(module).items()):
        if not name.startswith("test_"):
            continue
        for arguments in _arguments(function):
            recorder = Recorder()
            for each in STOOD_IN_FOR:
                setattr(module, each, getattr(recorder, each))
            function(**arguments)
            title = name.removeprefix("test_")
            yield Recording(
                title.replace("_", "-"),
                " ".join((getdoc(function) or "").partition("\n\n")[0].split()),
                tuple(word.upper() for word in title.split("_") if _SENTENCE.fullmatch(word)),
                recorder.starts,
                recorder.refused,
            )


def _copy(path: Path) -> ModuleType:
    """A module of its own, so that the tests stay as they are."""
    spec = spec_from_file_location(f"recorded_{path.stem}", path)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _arguments(function: Callable[..., object]) -> Iterator[dict[str, Any]]:
    """The arguments of each run of a test; none if it needs a fixture."""
    marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
    choices = [list(_choices(*mark.args)) for mark in marks]
    for chosen in product(*choices):
        arguments = {name: value for choice in chosen for name, value in choice.items()}
        if arguments.keys() == signature(function).parameters.keys():
            yield arguments


def _choices(names: str | tuple[str, ...], values: Any) -> Iterator[dict[str, Any]]:
    """The values of one `parametrize`."""
    words = re.split(", *", names) if isinstance(names, str) else names
    for value in values:
        value = getattr(value, "values", value)
        yield dict(zip(words, (value,) if len(words) == 1 else value))
