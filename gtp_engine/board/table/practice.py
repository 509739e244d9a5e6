"""Practice at a table: an exercise, which is a position with a task, and a learner's tries.

The board engine lists lessons, puzzles and endgames and judges the tries, both by commands of GTP;
the mistakes of a game, and its turns to guess, are found and judged by reviews.
"""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, Protocol

from gtp_engine.base.shapes import OBJECT, Unfit, array, shape_of
from gtp_engine.board.table.gathered import Gathered
from gtp_engine.board.table.guesses import GUESSES
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.mistakes import MISTAKES, Mistakes
from gtp_engine.board.table.repetition import RETURNING
from gtp_engine.board.table.seat import PERSON
from gtp_engine.board.table.table import Table

_COMMANDS = {"lessons": "game-lessons", "puzzles": "game-puzzles", "endgames": "game-endgames"}

SETS = (*_COMMANDS, MISTAKES, RETURNING, GUESSES)
"""All sets of exercises."""

DAYS = "daily"
"""What a success is kept under that has a date for its id: the puzzle of that day."""

_DAILY, _JUDGE = "game-daily_puzzle", "game-judge"

_JUDGE_TIMEOUT = 30.0  # seconds; a solver and a search may take some

OPEN, WRONG, RIGHT, OVER = "open", "wrong", "right", "over"
"""What an exercise can be; OVER: the solution is shown."""

_DONE = "This task is done. Go on, or press Again."

REFUSED = "refused"
"""A verdict on an illegal turn: the exercise stays open."""


class Verdict(NamedTuple):
    """What a try means: OPEN, WRONG, RIGHT or REFUSED; sentences, their rules, and replies."""

    status: str
    words: tuple[str, ...] = ()
    rules: Annotated[tuple[Message, ...], array(OBJECT)] = ()
    replies: tuple[str, ...] = ()


_BEGUN = Verdict(OPEN)


class _Listed(NamedTuple):
    """What the table reads of an exercise in a list; the page reads the rest."""

    id: str
    position: str
    solution: tuple[str, ...]


class ExerciseSet(Protocol):
    """Exercises of a kind."""

    async def listed(self, game: str) -> list[Message]:
        """Those of a game. Raises CannotDo."""

    async def verdict(self, task: Message, turns: list[str], refused: Message | None) -> Verdict:
        """Judge a line of turns. Raises CannotDo.

        refused -- the answer to the last turn if it is illegal
        """

    def shown(self, task: Message) -> None:
        """The solution is shown."""


class _EngineSet:
    """The exercises that the board engine lists and judges."""

    def __init__(self, table: Table, command: str) -> None:
        self._table, self._command = table, command

    async def listed(self, game: str) -> list[Message]:
        found: Any = await self._table.read(f"{self._command} {game}")
        return [task for task in found or [] if _is_listed(task)]

    async def verdict(self, task: Message, turns: list[str], refused: Message | None) -> Verdict:
        found = await self._table.read(f"{_JUDGE} {task['id']} {' '.join(turns)}", _JUDGE_TIMEOUT)
        try:
            verdict: Verdict = shape_of(Verdict, open_ended=True).read(found)
        except Unfit:
            raise CannotDo("The board engine could not judge this try.") from None
        return verdict

    def shown(self, task: Message) -> None:
        return None


class _MistakeSet:
    """The mistakes that were gathered at any table of the server."""

    def __init__(self, mistakes: Mistakes, gathered: Gathered) -> None:
        self._mistakes, self._gathered = mistakes, gathered

    async def gather(self, of: str) -> list[Message]:
        """Gather those of a color, or of `both`, in the shown game. Raises CannotDo."""
        return self._gathered.keep(MISTAKES, await self._mistakes.listed(of))

    async def listed(self, game: str) -> list[Message]:
        return self._gathered.all(MISTAKES)

    async def verdict(self, task: Message, turns: list[str], refused: Message | None) -> Verdict:
        if refused is not None:
            return _refusal(refused)
        good, words = await self._mistakes.judged(task["visits"])
        if good is not None:
            self._gathered.returning.tried(task, good)
        return Verdict(RIGHT if good else WRONG, words)

    def shown(self, task: Message) -> None:
        self._gathered.returning.tried(task, False)


class _ReturningSet(_MistakeSet):
    """Those that come again today."""

    async def listed(self, game: str) -> list[Message]:
        return self._gathered.returning.due()


class _GuessSet:
    """The turns to guess that were gathered at any table of the server. The first try counts."""

    def __init__(self, table: Table, gathered: Gathered) -> None:
        self._table, self._gathered = table, gathered

    async def gather(self, of: str) -> list[Message]:
        """Gather those of a color, or of `both`, in the shown game. Raises CannotDo."""
        return self._gathered.keep(GUESSES, await self._table.guesses.listed(of))

    async def listed(self, game: str) -> list[Message]:
        return self._gathered.all(GUESSES)

    async def verdict(self, task: Message, turns: list[str], refused: Message | None) -> Verdict:
        if refused is not None:
            return _refusal(refused)
        same = self._table.view["position"] == task["after"]
        guessed = task["chance"] if same else await self._table.guesses.chance(task["visits"])
        if guessed is None:
            return Verdict(WRONG, ("The analysis engine could not judge this turn.",))
        return self._judged(task, turns[-1], same, round(100 * guessed))

    def _judged(self, task: Message, word: str, same: bool, percent: int) -> Verdict:
        """The verdict on a guess that gives the learner a chance in percent."""
        name, (played,) = task["player"], task["solution"]
        best = round(100 * task["chance"])
        good = same or percent > best
        found, tried = self._gathered.tried(task["id"], good)
        lead, other = f"{name} played {played}", ""
        if not same:
            lead += ", yours is better" if good else f", not {word}"
            other = f", {percent} % after {word}"
        chances = f"{name}'s chance to win: {best} % after {played}{other}."
        count = f"You have found {found} of {tried} so far."
        if task["number"] == task["total"]:
            count = f"That was the last one. You found {found} of {tried}."
        return Verdict(RIGHT if good else OVER, (chances, count, f"{lead}."))

    def shown(self, task: Message) -> None:
        self._gathered.tried(task["id"], False)


def _refusal(refused: Message) -> Verdict:
    """The verdict on an illegal turn, from the answer to it."""
    return Verdict(REFUSED, (f"{refused['text'].rstrip('.')}.",))


class Practice:
    """The exercise that is open at a table, if any, and what the learner tries.

    A complete turn is judged. A wrong one stays on the board until `begin`, but a wrong guess gives
    way to the solution; after an illegal one the learner goes on.
    """

    def __init__(
        self,
        table: Table,
        tell: Callable[[Message], None],
        gathered: Gathered | None = None,
    ) -> None:
        """None is open. `tell` receives the message `exercise` after each change.

        gathered -- from games at any table of the server
        """
        self._table, self._tell = table, tell
        gathered = gathered or Gathered()
        self._gathering: dict[str, _MistakeSet | _GuessSet] = {
            MISTAKES: _MistakeSet(table.mistakes, gathered),
            GUESSES: _GuessSet(table, gathered),
        }
        self._sets: dict[str, ExerciseSet] = {
            **self._gathering,
            RETURNING: _ReturningSet(table.mistakes, gathered),
        }
        for name, command in _COMMANDS.items():
            self._sets[name] = _EngineSet(table, command)
        self._set = ""
        self._task: Message | None = None
        self._turns: list[str] = []
        self._verdict, self._refused = _BEGUN, False

    @property
    def is_open(self) -> bool:
        """Whether there is one."""
        return self._task is not None

    def message(self) -> Message:
        """The message `exercise`; without one its `id` is None."""
        if self._task is None:
            return {"kind": "exercise", "set": self._set, "id": None}
        told = ("id", "game", "title", "text", "hint", "number", "total", "color")
        return {
            "kind": "exercise",
            "set": self._set,
            **{key: self._task.get(key) for key in told},
            "status": self._verdict.status,
            "refused": self._refused,
            "words": list(self._verdict.words),
            "rules": list(self._verdict.rules),
        }

    async def listed(self, collection: str, game: str) -> Message:
        """The message `exercises`: all of a set for a game. Raises CannotDo."""
        return _listing(collection, game, await self._sets[collection].listed(game))

    async def gather(self, collection: str, of: str) -> Message:
        """The message `exercises` with those of a color, or of `both`, in the shown game.

        collection -- MISTAKES or GUESSES
        """
        found = await self._gathering[collection].gather(of)
        return _listing(collection, self._table.view["game"]["name"], found)

    async def daily(self, day: str) -> Message:
        """The message `daily` with the puzzle of a day: `YYYY-MM-DD`. Raises CannotDo."""
        found: Any = await self._table.read(f"{_DAILY} {day}")
        return {"kind": "daily", "date": day, "puzzle": found if _is_listed(found) else None}

    async def begin(self, collection: str, name: str | None) -> None:
        """Open an exercise, or the same one again; None ends the open one. Raises CannotDo."""
        if name is None:
            self._task = None
            self._say(_BEGUN)
            return
        for task in await self._candidates(collection, name):
            if task["id"] == name:
                await self._table.set_seats(PERSON, PERSON)
                await self._table.set_position(task["position"])
                self._set, self._task, self._turns = collection, task, []
                self._say(_BEGUN)
                return
        raise CannotDo(f"There is no exercise {name[:60]}.")

    async def _candidates(self, collection: str, name: str) -> list[Message]:
        """Where an exercise is looked for: what is open now may be listed no longer."""
        if self._task is not None and (self._set, self._task["id"]) == (collection, name):
            return [self._task]
        return await self._sets[collection].listed(name.partition(".")[0])

    async def step(self, rev: int, word: str) -> Message | None:
        """Play a try, and judge it. Returns `refused` for an illegal one, as Table.step does."""
        if self._verdict.status != OPEN:
            done = self._verdict.status in (RIGHT, OVER)
            raise CannotDo(_DONE if done else "This try is over. Press Try again.")
        tried = self._tried(word)
        refused = await self._table.step(rev, word)
        if refused is None:
            await self._played()
        elif refused["kind"] == "refused":
            await self._judge(tried, refused)
        return refused

    async def why(self, rev: int, word: str) -> Message:
        """Answer a refused click as Table.why does; an illegal turn is a try, too."""
        refused = await self._table.why(rev, word)
        if refused["kind"] == "refused" and self._verdict.status == OPEN:
            await self._judge(self._tried(word), refused)
        return refused

    async def undo(self) -> None:
        """Take back a step of the open turn. Raises CannotDo for a whole turn."""
        if not self._table.view["turn"]["open"]:
            raise CannotDo("Press Try again to take a turn back.")
        await self._table.undo()

    async def show(self) -> None:
        """Play the solution; the exercise is over then, and not solved."""
        if (task := self._task) is None:
            raise CannotDo("No exercise is open.")
        tasks = self._sets[self._set]
        tasks.shown(task)
        await self._play_solution(task)
        verdict = await tasks.verdict(task, self._turns, None)
        for reply in verdict.replies:
            await self._table.step(self._table.rev, reply)
        self._say(verdict._replace(status=OVER))

    async def _play_solution(self, task: Message) -> None:
        await self._table.goto(0)
        self._turns = list(task["solution"])
        for word in self._turns:
            await self._table.step(self._table.rev, word)

    def _tried(self, word: str) -> list[str]:
        """The turns so far, and a word that may continue an open turn."""
        view = self._table.view
        begun = f"{view['last']['turn']}/" if view["turn"]["open"] and view.get("last") else ""
        return [*self._turns, f"{begun}{word}"]

    async def _played(self) -> None:
        """Judge a turn that is complete, and play the turns that reply to it.

        A turn that cannot be judged is taken back. Raises CannotDo.
        """
        view = self._table.view
        if view["turn"]["open"]:
            if self._refused:
                self._say(_BEGUN)  # the refusal before this step is out of date
            return
        self._turns.append(view["last"]["turn"])
        try:
            replies = await self._judge(self._turns)
        except CannotDo:
            self._turns.pop()
            await self._table.undo()
            raise
        for reply in replies:
            if await self._table.step(self._table.rev, reply) is None:
                self._turns.append(reply)
        if self._verdict.status == OVER and self._task is not None:
            await self._play_solution(self._task)

    async def _judge(self, turns: list[str], refused: Message | None = None) -> list[str]:
        """Ask for the verdict on a line of turns. Returns the turns that reply to it.

        refused -- the answer to the last turn if it is illegal
        """
        if self._task is None:
            return []
        self._say(await self._sets[self._set].verdict(self._task, turns, refused))
        return list(self._verdict.replies)

    def _say(self, verdict: Verdict) -> None:
        self._refused = verdict.status == REFUSED
        self._verdict = verdict._replace(status=OPEN) if self._refused else verdict
        self._tell(self.message())


def _listing(collection: str, game: str, found: list[Message]) -> Message:
    return {"kind": "exercises", "set": collection, "game": game, "list": found}


def _is_listed(task: Any) -> bool:
    return shape_of(_Listed, open_ended=True).fits(task)
