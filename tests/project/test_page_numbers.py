"""Numbers of the program are the same in the documents.

Each row has a sentence of a page, with {} for each number, and the number's place in the program. A
number that takes long to measure has a date on its page instead.
"""

import re
from pathlib import Path

from documents.reference import documented_games
from gtp_engine.arena.checking.check_subject import Options
from gtp_engine.arena.playing.match import (
    MOST_FAILED_STARTS,
    MOST_FAULTS,
    MOST_VOIDS,
    MOST_VOIDS_IN_A_ROW,
)
from gtp_engine.arena.playing.openings import CHOICE
from gtp_engine.arena.playing.referee import GRACE
from gtp_engine.arena.reporting.findings import MOST_OPENINGS
from gtp_engine.arena.storage.store import CLAIM_LAPSES
from gtp_engine.base.statistics.sprt import LOGISTIC, MODELS, NORMALIZED, Sprt
from gtp_engine.base.statistics.statistics import Z
from gtp_engine.board.server import page_messages
from gtp_engine.board.server.connections import KEPT, MOST_KNOWN, MOST_STRANGERS, PATIENCE
from gtp_engine.board.server.console import LONGEST_LINE as LONGEST_SHOWN
from gtp_engine.board.server.page_messages import (
    DEEPEST,
    LARGEST_GAME,
    LARGEST_MESSAGE,
    LARGEST_POSITION,
)
from gtp_engine.board.server.socket import FIRST_MESSAGE, PROBE
from gtp_engine.board.server.token_limits import MOST_WAITING
from gtp_engine.board.table.seat import ADAPTIVE
from gtp_engine.engine import turn_budget
from gtp_engine.engine.choosing import LONGEST_PONDERING
from gtp_engine.engine.session import MOST_PASSES_AFTER_END
from gtp_engine.engine.settings import (
    DEFAULTS,
    LONGEST_LEVEL_SECONDS,
    USUAL_LEVEL_SECONDS,
)
from gtp_engine.gtp.client.wirelog import LARGEST_LOG
from gtp_engine.gtp.wire.line import LARGEST_ID, LONGEST_LINE
from gtp_engine.learn.plan import GATE, LEAST_STEPS, RESULT_PART, Plan
from gtp_engine.rules import clock, find_game
from gtp_engine.rules.points.vertex import MAX_SIZE, MIN_SIZE
from gtp_engine.rules.records.record import MOST_TURNS
from gtp_engine.rules.records.sgf import LARGEST_RECORD, MOST_NODES
from gtp_engine.rules.tuning import UNTUNED
from gtp_engine.search import time_manager
from gtp_engine.search.budget import SOLVED_EARLY
from gtp_engine.search.endgames import IN_PLAY
from gtp_engine.search.levels import HIGHEST, LOWEST, NEWCOMER_LEVEL, level_of, visits_of
from gtp_engine.search.openings.swap_maps import TOLERANCE
from gtp_engine.search.time_manager import FIRST_STEP_SHARE
from gtp_engine.search.weights import LONGEST_NAME

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "protocol_specs"
KIB, MIB = 2**10, 2**20

# As the pages write small numbers.
SHARES = {0.2: "a fifth"}
WORDS = {
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    10: "ten",
    20: "twenty",
    100: "a hundred",
}


def word(number: float) -> str:
    """A number as a word, where a page has it so."""
    return WORDS[int(number)]


SENTENCES = {
    "clients/protocol.md": [
        ("{{digit}} up to {}", LARGEST_ID),
        ("A line longer than {} bytes gets", LONGEST_LINE),
        ("the size is not {} to {}", MIN_SIZE, MAX_SIZE),
        ("is accepted up to {} times", word(MOST_PASSES_AFTER_END)),
        ("the first takes {:.0f} % of the time", 100 * FIRST_STEP_SHARE),
        ("or after {} minutes", word(LONGEST_PONDERING / 60)),
        (
            "| levels {} to {} | the level's visits | {:g} s",
            LOWEST,
            HIGHEST - 1,
            LONGEST_LEVEL_SECONDS,
        ),
        (
            "| level {} without a clock | {:g} s | {:g} s |",
            HIGHEST,
            USUAL_LEVEL_SECONDS,
            LONGEST_LEVEL_SECONDS,
        ),
        (
            "`seconds`, plus {:g} shares of the savings | `seconds`, plus half of the savings, "
            "at most {:g} times",
            turn_budget._SAVED_SHARES,
            turn_budget._LONGEST_TURN,
        ),
        ("while the savings exceed {:g} times `seconds`", turn_budget._ENOUGH_SAVED),
        ("{:g} times the usual, at most half of the time left", clock._MOST_SHARES),
        ("the chance to win fell by {:.0f} %", 100 * time_manager._DROP),
    ],
    "play/levels.md": [
        ("`--level {}` to `--level {}`", LOWEST, HIGHEST),
        ("elsewhere the default is {}.", DEFAULTS.level),
        ("Level {} is for somebody who has played nothing", NEWCOMER_LEVEL),
        ("It begins at level {}.", NEWCOMER_LEVEL),
        (
            "for example {} at the default level on 8x8",
            visits_of(level_of(DEFAULTS.level), 8, False),
        ),
        ("A turn takes at most {} seconds", word(LONGEST_LEVEL_SECONDS)),
    ],
    "play/solved.md": [
        ("With {} empty points or fewer", word(IN_PLAY.most_empty)),
        ("| up to 4x4 | {} fifths |", WORDS[int(5 * IN_PLAY.share_on_small)]),
        ("| larger | {} | {:,} |", SHARES[IN_PLAY.share], IN_PLAY.most_positions),
        ("more than ten empty points | {} | {:,} |", SHARES[IN_PLAY.share], SOLVED_EARLY),
        (
            "| {:,} positions up to 4x4 (Pilo: {:,}), else ",
            UNTUNED.solved,
            find_game("pilo").tuning.solved,
        ),
    ],
    "play/swap-maps.md": [("They must be within {} of 0.5", TOLERANCE)],
    "clients/records.md": [
        ("or larger than {} bytes", LARGEST_RECORD),
        ("or more than {} turns, or more than {} nodes", MOST_TURNS, MOST_NODES),
    ],
    "clients/board-server.md": [
        ("| a message | {:.0f} KiB;", LARGEST_MESSAGE / KIB),
        ("`position` and `link` {:.0f} KiB", LARGEST_POSITION / KIB),
        ("`open` {:.0f} MiB |", LARGEST_GAME / MIB),
        ("| nesting | {} |", DEEPEST),
        ("| commas in a message | {} |", LARGEST_MESSAGE),
        (
            "| pages | {} of the host, {} that watch by one invitation, {} that play by one; a "
            "page that does not answer a ping within {:.0f} s",
            *(page_messages.MOST_PAGES[role] for role in ("host", "watch", "white")),
            PROBE,
        ),
        ("| sockets at no table | {} of one token", MOST_WAITING),
        (
            "{:.0f} a second of the host, bursts of {:.0f}; {:.0f} a second by one invitation, "
            "bursts of {:.0f}; then",
            *page_messages.RATE_OF_HELLO["host"],
            *page_messages.RATE_OF_HELLO["watch"],
        ),
        ("leave {} of the descriptors", KEPT),
        ("| connections | {} that", MOST_KNOWN),
        ("| connections without the token | {}, each for {:.0f} s", MOST_STRANGERS, PATIENCE),
        ("cut at {} characters", LONGEST_SHOWN),
        ("is `hello`, within {} seconds", word(FIRST_MESSAGE)),
    ],
    "play/board.md": [
        ("default `{}`, or with `--engine` its own.", ADAPTIVE),
        ("at {:.0f} MB the file begins anew", LARGEST_LOG / MIB),
    ],
    "clients/compliance.md": [
        ("for the start and for each answer; default {:g}", Options().seconds),
        ("each game that the engine knows; default {}", Options().games),
    ],
    "engine/training.md": [
        ("at most {} characters", LONGEST_NAME),
        ("only the {} without which there is no net", LEAST_STEPS),
        ("After `--gate` pairs ({} if nothing else is said)", GATE),
        ("get {} times as many visits (`--first-visits`)", word(Plan.first_visits)),
        ("With `--playouts 0` the value target is {} times the result", RESULT_PART),
    ],
    "matches/arena.md": [
        ("lost {} games in a row by faults", word(MOST_FAULTS)),
        ("for the last of them, {} are enough", word(MOST_FAILED_STARTS)),
        ("played again, at most {} times", word(MOST_VOIDS)),
        ("After {} causes in a row", word(MOST_VOIDS_IN_A_ROW)),
        ("with a clock {} seconds after its end", word(GRACE)),
        ("A file of more than {:.0f} MiB", LARGEST_LOG / MIB),
        ("of {} openings that it finds balanced", CHOICE),
        ("otherwise after {} minutes", word(CLAIM_LAPSES / 60)),
    ],
    "matches/statistics.md": [
        ("mu - {:.6f} se to mu", Z),
        ("these are {:.6f} and {:.6f}", *Sprt(0, 1).bounds),
        ("More than {} openings", MOST_OPENINGS),
        ("must lie within {} of 0 in the normalised model", MODELS[NORMALIZED]),
        ("and within {} in the logistic one", MODELS[LOGISTIC]),
    ],
}


def text_of(path: Path) -> str:
    return re.sub(r"\s+", " ", path.read_text())


def test_the_numbers_on_the_pages_are_those_of_the_program():
    wrong = []
    for page, sentences in SENTENCES.items():
        text = text_of(SPECS / page)
        told = [sentence.format(*numbers) for sentence, *numbers in sentences]
        wrong += [f"{page}: {sentence}" for sentence in told if sentence not in text]
    assert not wrong, "\n".join(wrong)


def test_the_readme_tells_the_default_level():
    text = text_of(ROOT / "README.md")
    assert f"goes from {LOWEST}, for a first game, to {HIGHEST}" in text
    assert f"the default is {DEFAULTS.level}" in text


def test_the_sizes_of_a_game_are_those_that_it_declares(documented):
    """In the README the recommended ones; the page of the game has all."""
    game = documented
    readme, page = text_of(ROOT / "README.md"), text_of(SPECS / "games" / f"{game.name}.md")
    if game.recommended is None:
        sizes = f"{game.default_size}x{game.default_size}"
    else:
        least, most = game.recommended[0], game.recommended[-1]
        sizes = f"{least}x{least} to {most}x{most}"
        assert f"recommends {sizes}." in page
    (told,) = re.findall(rf"- \*\*{game.title}\*\*: .*? ([0-9x to]+)\. \[Rules\]", readme)
    assert told == sizes
    offered = f"offers sizes {MIN_SIZE} to {MAX_SIZE}; a new game has size {game.default_size}"
    assert offered in page
    assert f"{MIN_SIZE}x{MIN_SIZE} to {MAX_SIZE}x{MAX_SIZE}" in readme
    assert len(documented_games()) == len(re.findall(r"\[Rules\]", readme))
