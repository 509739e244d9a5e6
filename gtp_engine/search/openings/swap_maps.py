"""Swap maps: the first turns of a board, what each is worth, and the survey that finds it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine import __version__
from gtp_engine.base.log import logger
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.turns import SEPARATOR
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import Turn, chosen_steps, legal_turns
from gtp_engine.search import assessment
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.budget import Budget
from gtp_engine.search.data_file import UnusableFile, read_stored, write_stored
from gtp_engine.search.tree import lower_bound

if TYPE_CHECKING:
    from gtp_engine.search.weights import Weights


_MOST_TURNS = 10**6


class FirstTurn(NamedTuple):
    """A first turn.

    word  -- the turn as a word
    steps -- without the forced ones
    alike -- its images, itself first, as turns after which no swap is possible
    """

    word: str
    steps: tuple[Step, ...]
    alike: tuple[Turn, ...]

    @property
    def position(self) -> Position:
        """The position after it, without a swap ahead."""
        return self.alike[0].position

    @property
    def images(self) -> int:
        """The number of its images, itself included."""
        return len(self.alike)


@cache
def first_turns(game: Game, size: int) -> tuple[FirstTurn, ...]:
    """The first turns of a board, one for each set of symmetric images."""
    start = game.start(size, Pie.OFF)
    found: dict[tuple[Step, ...], list[Turn]] = {}
    for turn in legal_turns(start, _MOST_TURNS):
        steps = tuple(chosen_steps(start, turn.steps))
        known = next((image for image in images(steps, game, size) if image in found), steps)
        found.setdefault(known, []).append(turn)
    return tuple(
        FirstTurn(SEPARATOR.join(map(str, steps)), steps, tuple(alike))
        for steps, alike in found.items()
    )


def images(steps: tuple[Step, ...], game: Game, size: int) -> Iterator[tuple[Step, ...]]:
    """The images of some steps under the symmetry of the game, themselves first."""
    for image in game.symmetry:
        yield tuple(
            Step(step.kind, tuple(image.of_vertex(vertex, size) for vertex in step.vertices))
            for step in steps
        )


KIND, FORM = "swap map", 1

EVEN = 0.5

# Black opens within this distance of 0.5 if possible, otherwise about as close as possible. Values
# of a search are closer together than results of games, so only this share of the most even turns
# is used, but at least this many.
TOLERANCE = 0.03
_ABOUT = 0.01
_PART, _FEWEST = 0.25, 3

_FOLDER = Path(__file__).parent / "maps"
_LARGEST_VISITS = 10**12

Pick = Callable[[Sequence[int]], int]
"""The source of random choices."""


class Worth(NamedTuple):
    """The value of a first turn without a swap.

    value  -- the chance that BLACK wins
    visits -- visits of the search, or positions of a solver; 0 if known without either
    margin -- half the width of its 95 % interval; 0 if the value is exact
    """

    value: float
    visits: int
    margin: float

    @classmethod
    def exact(cls, value: float, visits: int = 0) -> "Worth":
        """An exact value."""
        return cls(value, visits, 0.0)

    @classmethod
    def searched(cls, value: float, visits: int) -> "Worth":
        """The mean of some visits."""
        width = 1 - lower_bound(1 - value, visits) - lower_bound(value, visits)
        return cls(value, visits, width / 2)

    @property
    def is_exact(self) -> bool:
        """Whether the value is exact, not estimated."""
        return not self.margin

    @property
    def drawn(self) -> bool:
        """Whether the game is proven to be a draw."""
        return self.is_exact and self.value == EVEN

    @property
    def better(self) -> float:
        """The chance of the better color, and so of the player who may swap."""
        return max(self.value, 1 - self.value)

    @property
    def swaps(self) -> bool:
        """Whether to swap: the turn is better than even for Black."""
        return self.value > EVEN

    @property
    def sure(self) -> bool:
        """Whether the interval excludes the opposite decision."""
        return self.is_exact or abs(self.value - EVEN) > self.margin

    def deeper_than(self, visits: int) -> bool:
        """Whether a search with this many visits would add nothing."""
        return self.is_exact or self.visits >= visits


def engine_with(weights: "Weights | None") -> str:
    """The engine that measured a map: its version and its learned evaluation."""
    return __version__ if weights is None else f"{__version__}+{weights.mark}"


class SwapMap(NamedTuple):
    """The values of the first turns of a board.

    engine -- the engine that measured them: see engine_with
    worths -- the value of each searched first turn, by its word, without its mirror images
    """

    game: Game
    size: int
    engine: str
    worths: Mapping[str, Worth]

    @classmethod
    def empty(cls, game: Game, size: int, engine: str = __version__) -> "SwapMap":
        """A map without any value."""
        return cls(game, size, engine, {})

    @property
    def complete(self) -> bool:
        """Whether every first turn has a value."""
        return self.worths.keys() == {each.word for each in first_turns(self.game, self.size)}

    @property
    def fairest(self) -> str:
        """The word of the most even first turn. Raises ValueError for an empty map."""
        return min(self.worths, key=lambda word: self.worths[word].better)

    @property
    def fairness(self) -> float:
        """The chance of the better color after the most even first turn."""
        return self.worths[self.fairest].better

    def to_open_with(self, among: Sequence[Step]) -> list[tuple[Worth, list[Turn]]]:
        """The first turns closest to even, with their images, that begin with the given steps.

        Empty if the map is incomplete, or if every first turn is won or lost.
        """
        if not self.complete or self.fairness == 1:
            return []
        farthest = max(EVEN + TOLERANCE, self.fairness + _ABOUT)
        found = first_turns(self.game, self.size)
        even = []
        for each in sorted(found, key=lambda each: self.worths[each.word].better):
            worth = self.worths[each.word]
            turns = [turn for turn in each.alike if turn.steps[0] in among]
            if turns and worth.better <= farthest:
                even.append((worth, turns))
        return even[: max(_FEWEST, round(_PART * len(found)))]


@cache
def _words_after(game: Game, size: int) -> Mapping[Position, str]:
    """For each position after a first turn, the word of that turn or of a mirror image."""
    return {turn.position: each.word for each in first_turns(game, size) for turn in each.alike}


def to_be_swapped(opening: FirstTurn, worth: Worth) -> bool:
    """Whether White should swap: never if the game is over, or has no pie rule."""
    position = opening.position
    return worth.swaps and position.game.has_pie and position.outcome() is None


def advice(opening: FirstTurn, worth: Worth) -> str:
    """Whether White should swap: `yes` or `no`, with `?` if the opposite is possible.

    `either` after a drawn turn, `never` if the turn ends the game.
    """
    if opening.position.outcome() is not None:
        return "never"
    if worth.drawn:
        return "either"
    return f"{'yes' if worth.swaps else 'no'}{'' if worth.sure else '?'}"


# Use in play ---------------------------------------------------------------------------------


def worth_after(position: Position) -> Worth | None:
    """The stored value of the first turn that led to a position, if there is one."""
    stored = stored_map(position.game, position.size)
    if stored is None:
        return None
    word = _words_after(position.game, position.size).get(replace(position, pie=Pie.OFF))
    return None if word is None else stored.worths.get(word)


def opening_turn(
    position: Position, among: Sequence[Step], pick: Pick
) -> tuple[Turn, Worth] | None:
    """A random first turn that the stored map rates as nearly even, all turns equally likely.

    None if this is not the start, or if the map cannot decide.
    """
    if position != position.game.start(position.size, position.pie):
        return None
    stored = stored_map(position.game, position.size)
    even = [] if stored is None else stored.to_open_with(among)
    if not even:
        return None
    worth, turns = even[pick(range(len(even)))]
    return turns[pick(range(len(turns)))], worth


# Files ---------------------------------------------------------------------------------------


def stored_sizes(game: Game) -> list[int]:
    """The sizes for which a map is stored."""
    return sorted(int(path.stem.rpartition("-")[2]) for path in _FOLDER.glob(f"{game.name}-*.map"))


def path_of(game: Game, size: int) -> Path:
    """The path of a stored map of a board, if there is one."""
    return _FOLDER / f"{game.name}-{size}.map"


@cache
def stored_map(game: Game, size: int) -> SwapMap | None:
    """The stored map of a board, or None. The log reports an unusable map once."""
    path = path_of(game, size)
    if not path.exists():
        return None
    try:
        return read_map(path, game, size)
    except UnusableFile as error:
        logger().warning("playing without a swap map: {}", error)
        return None


def read_map(path: Path, game: Game, size: int) -> SwapMap:
    """Read the map of a board. Raises UnusableFile."""
    facts, payload = read_stored(path, KIND, FORM)
    if (facts.get("game"), facts.get("size")) != (game.name, size):
        raise UnusableFile(f"{path} is for another board than {game.name} {size}")
    known = {each.word for each in first_turns(game, size)}
    worths: dict[str, Worth] = {}
    for number, line in enumerate(payload.decode("ascii", "replace").splitlines(), 1):
        word, worth = _parsed(line)
        if worth is None or word not in known or word in worths:
            raise UnusableFile(
                f"{path}: line {number} after the header does not describe a first turn"
            )
        worths[word] = worth
    return SwapMap(game, size, str(facts.get("engine"))[:20], worths)


def write_map(path: Path, swap_map: SwapMap) -> None:
    """Write a map. Raises OSError."""
    game, size, engine, worths = swap_map
    facts = {"game": game.name, "size": size, "engine": engine}
    lines = (
        f"{each.word} {worths[each.word].value:.6f} {worths[each.word].visits} "
        f"{worths[each.word].margin:.6g}\n"
        for each in first_turns(game, size)
        if each.word in worths
    )
    write_stored(path, KIND, FORM, facts, "".join(lines).encode("ascii"))


def _parsed(line: str) -> tuple[str, Worth | None]:
    """The first turn on a line; its value is None if the line has none."""
    word, *numbers = line.split(" ")
    try:
        value, visits, margin = numbers
        worth = Worth(float(value), int(visits), float(margin))
    except ValueError:
        return word, None
    possible = 0 <= worth.value <= 1 and 0 <= worth.margin <= 1
    return word, worth if possible and 0 <= worth.visits <= _LARGEST_VISITS else None


# Searches the first turns of a board, to make a swap map ------------------------------------------


class Surveyed(NamedTuple):
    """A first turn and its value, if it was searched.

    stored -- whether the value was stored before
    """

    opening: FirstTurn
    worth: Worth | None
    stored: bool = False


def survey(
    game: Game, size: int, known: SwapMap | None, visits: int, setup: SearchSetup
) -> Iterator[Surveyed]:
    """All first turns; stored values with too few visits are searched again.

    The budget is for all of them together. First turns not reached in time keep their stored value.
    """
    deadline = setup.budget.begin()
    worths = {} if known is None else known.worths
    found = first_turns(game, size)
    to_search = {each.word for each in found if not _deep_enough(worths.get(each.word), visits)}
    for each in found:
        worth = worths.get(each.word)
        if each.word not in to_search:
            yield Surveyed(each, worth, stored=True)
            continue
        left = deadline.share(1 / len(to_search)).seconds_left()
        to_search.remove(each.word)
        if deadline.reached() and each.position.outcome() is None:
            yield Surveyed(each, worth, stored=worth is not None)
            continue
        budget = Budget(visits, left, setup.budget.interrupt)
        searched = search_opening(each, setup._replace(budget=budget))
        if worth is not None and (searched is None or not searched.deeper_than(worth.visits)):
            yield Surveyed(each, worth, stored=True)
        else:
            yield Surveyed(each, searched)


def search_opening(opening: FirstTurn, setup: SearchSetup) -> Worth | None:
    """The value of a first turn; None without any visit."""
    outcome = opening.position.outcome()
    if outcome is not None:
        return Worth.exact(outcome.value)
    found = assessment.search(opening.position, opening.position.legal_steps(), setup)
    if found.proven is not None:
        return Worth.exact(found.proven, found.visits)
    return Worth.searched(found.value, found.visits) if found.visits else None


def _deep_enough(worth: Worth | None, visits: int) -> bool:
    return worth is not None and worth.deeper_than(visits)
