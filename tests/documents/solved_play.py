"""`python tests documents.solved_play protocol_specs [--games N]`: levels after solved openings.

Levels from Casual to Master play the color that wins after each solved opening of 4x4, or White
where the opening is a draw. They meet the naive players and a search of 3,000 visits. The command
plays N more games of each opening, adds them to `play/solved.jsonl` in that folder, and writes the
section "Levels after solved openings" of `play/solved.md` from all games there.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from gtp_engine.base.files import append_line, read_file, write_file
from gtp_engine.rules import find_game, games
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import write_turn
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.step import Pie
from gtp_engine.search import certificates
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.budget import Budget
from gtp_engine.search.levels import HIGHEST, LADDER, LOWEST
from gtp_engine.search.named_players import PLAYERS, make_player
from gtp_engine.search.openings.swap_maps import FirstTurn, first_turns, stored_map
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.solution import DRAWN
from gtp_engine.search.solver import table_of
from support.check_book import Book
from support.driver import Driver

PAGE, RECORDS = "play/solved.md", "play/solved.jsonl"

SECTION = "## Levels after solved openings\n"
"""The heading of the section that the program writes; people write the others."""

SIZE = 4
LEVELS = [
    number
    for number, level in enumerate(LADDER, LOWEST)
    if not level.errs and number < HIGHEST  # the highest one takes its time
]

_OPPONENT = Budget(visits=3_000)
_MOST_BYTES = 2**20


class SolvedOpening(NamedTuple):
    """A solved first turn; the value is that for BLACK."""

    game: Game
    first: FirstTurn
    value: float

    @property
    def plays(self) -> Color:
        """The color of the level."""
        return BLACK if self.value > DRAWN else WHITE


class SolvedGame(NamedTuple):
    """A game after a solved opening.

    result -- what the level got: 1 won, 0.5 drawn, 0 lost
    """

    game: str
    opening: str
    level: int
    opponent: str
    result: float


def main() -> int:
    """Play, and write the section; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--games", type=int, default=0, metavar="N")
    parser.add_argument("--openings", nargs="*", metavar="GAME-TURN")
    options = parser.parse_args()
    records = options.folder / RECORDS
    for opening in solved_openings():
        name = f"{opening.game.name}-{opening.first.word}"
        if options.openings is None or name in options.openings:
            for game in played(opening, options.games, len(read_records(records))):
                append_line(records, json.dumps(game._asdict()))
    page = options.folder / PAGE
    write_file(page, with_section(page.read_text(), read_records(records)).encode())
    return 0


def solved_openings() -> Iterator[SolvedOpening]:
    """The first turns of 4x4 with an exact value after which the game goes on."""
    for game in games():
        stored = stored_map(game, SIZE)
        for first in first_turns(game, SIZE) if stored else ():
            worth = stored.worths.get(first.word)
            if worth is not None and worth.is_exact and first.position.outcome() is None:
                yield SolvedOpening(game, first, worth.value)


def played(opening: SolvedOpening, count: int, seed: int) -> Iterator[SolvedGame]:
    """Games of levels after an opening: each level and each opponent in turn."""
    rng = random.Random(f"{opening.game.name} {opening.first.word} {seed}")
    if opening.value == DRAWN:
        complete_table(opening.game)
    pairs = list(product(PLAYERS, LEVELS))
    rng.shuffle(pairs)
    for number in range(count):
        opponent, level = pairs[number % len(pairs)]
        result = result_of(opening, level, opponent, rng)
        yield SolvedGame(opening.game.name, opening.first.word, level, opponent, result)


def complete_table(game: Game) -> None:
    """Compute the table of all positions: on a busy machine the first turn may be too short."""
    start = game.start(SIZE, Pie.OFF)
    table_of(backend_for(game), start, DEFAULT_OPTIONS).solve(start, Budget())


def result_of(opening: SolvedOpening, level: int, opponent: str, rng: random.Random) -> float:
    """What a level gets in a game after an image of an opening."""
    drive = Driver(opening.game.name, SIZE)
    drive(f"game-set level {level}")
    drive(f"game-position {write_position(rng.choice(opening.first.alike).position)}")
    while (outcome := drive.session.outcome) is None:
        at = drive.session.position
        if at.to_move is opening.plays:
            drive(f"genmove {at.to_move.letter}")
            continue
        options = SearchOptions(hash_mb=16, threads=1)
        player = make_player(at.game, opponent, str(rng.random()), options=options)
        steps = player.choose(at, at.legal_steps(), _OPPONENT).steps
        drive(f"play {at.to_move.letter} {write_turn(at, steps)}")
    return outcome.value if opening.plays is BLACK else 1 - outcome.value


def read_records(path: Path) -> list[SolvedGame]:
    """The games in a file of JSON lines; none without the file. Raises CannotRead."""
    if not path.exists():
        return []
    return [SolvedGame(**json.loads(line)) for line in read_file(path, _MOST_BYTES).splitlines()]


def with_section(page: str, records: Sequence[SolvedGame]) -> str:
    """The page with another body of the section."""
    before, mark, after = page.partition(f"\n{SECTION}")
    _, following, rest = after.partition("\n## ")
    return f"{before}{mark}\n{section(records)}{following}{rest}"


def section(records: Sequence[SolvedGame]) -> str:
    """The body of the section, as Markdown."""
    known = [each for each in solved_openings() if known_by(each) != "search"]
    names = {(each.game.name, each.first.word) for each in known}
    sure = [each for each in records if (each.game, each.opening) in names]
    lost = sum(each.result < worth_of(each) for each in sure)
    lines = [
        "Levels from Casual to Master played the color that wins, or White where the opening is a",
        "draw, against the naive players and a search of 3,000 visits. A table, a certificate or a",
        f"book knew the way in {len(sure)} games: of these they gave {lost or 'none'} away.",
        "",
        "| game | first turn | the level plays | it knows the way by | games | given away |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for opening in solved_openings():
        game, word = opening.game, opening.first.word
        own = [each for each in records if (each.game, each.opening) == (game.name, word)]
        by = [str(each.level) for each in own if each.result < worth_of(each)]
        levels = f" (level {', '.join(sorted(by, key=int))})" if by else ""
        cells = game.title, f"`{word}`", game.color_names[opening.plays], known_by(opening)
        lines.append(f"| {' | '.join(cells)} | {len(own)} | {len(by)}{levels} |")
    return "".join(f"{line}\n" for line in lines)


def worth_of(game: SolvedGame) -> float:
    """What the level should have got in a game."""
    value = stored_map(find_game(game.game), SIZE).worths[game.opening].value
    return DRAWN if value == DRAWN else 1.0


def known_by(opening: SolvedOpening) -> str:
    """What leads a level after an opening."""
    game, word = opening.game, opening.first.word
    if (certificates.FOLDER / f"{game.name}-{SIZE}-{word}.certificate").exists():
        return "certificate"
    if word in Book(certificates.BOOKS / f"{game.name}-{SIZE}.book", game, SIZE).openings:
        return "book"
    return "table" if opening.value == DRAWN else "search"


if __name__ == "__main__":
    raise SystemExit(main())
