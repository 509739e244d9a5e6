"""What a front end asks at its start: games, rules in words, levels and commands, in JSON."""

from typing import Any

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.engine.game_review import BLUNDER, MISTAKE
from gtp_engine.engine.sample_games import samples
from gtp_engine.engine.session import Session
from gtp_engine.engine.tasks.lessons import lessons_of
from gtp_engine.engine.tasks.puzzle import ENDGAME, shipped
from gtp_engine.gtp.commands import command, registry
from gtp_engine.gtp.wire.registry import JsonResult
from gtp_engine.rules import default_game, games
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.search.levels import DEFAULT_LEVEL, LADDER, LOWEST, NEWCOMER_LEVEL


@command("game-catalog")
def game_catalog(session: Session) -> JsonResult:
    """List the games and levels, with everything a person needs to choose.

    Reply: a JSON object
        - `engine`, `version`, `default_game`, `default_level`, and `newcomer_level`, for somebody
          who has played nothing
        - `games`, each with `name`, `title`, `default_size`, `sizes` (smallest and largest),
          `recommended` (the same, or null), `colors` (the game's names of `black` and `white`),
          `pie` (whether it has a pie rule), `handicap` (the most extra turns of Black, see
          `game-handicap`), `goal` (how to win, in a line, or ""), `summary` (the rules in some
          lines), `lessons` and `puzzles` (the numbers of tasks in its lessons, and of its puzzles)
        - `levels`, the weakest first, each with `level` (its number), `name`, `text` and `rating`
          ([Elo](../../play/levels.md))
        - `mistake` and `blunder`: from which loss, 0 to 1, a turn has that name
          ([reviews](reviewing.md))
    """
    return {
        "engine": ENGINE_NAME,
        "version": __version__,
        "default_game": default_game().name,
        "default_level": DEFAULT_LEVEL,
        "mistake": MISTAKE,
        "blunder": BLUNDER,
        "newcomer_level": NEWCOMER_LEVEL,
        "games": [_game(game) for game in games()],
        "levels": [
            {"level": number, "name": level.name, "text": level.text, "rating": level.rating}
            for number, level in enumerate(LADDER, LOWEST)
        ],
    }


def _game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "default_size": game.default_size,
        "sizes": game.sizes,
        "recommended": game.recommended,
        "colors": {"black": game.color_names[BLACK], "white": game.color_names[WHITE]},
        "pie": game.has_pie,
        "handicap": game.handicap,
        "goal": game.goal,
        "summary": rule_text(game).short,
        "lessons": sum(len(lesson.task) for lesson in lessons_of(game).lessons),
        "puzzles": sum(puzzle.kind != ENDGAME for puzzle in shipped(game)),
    }


@command("game-samples")
def game_samples(session: Session) -> JsonResult:
    """List a short game of each game, for pictures in motion.

    Reply: a JSON list; each with `game`, as in a [view](../view.md), and `turns`: the events of
        each turn, as in a view's `last`, without `rule`. Games without a sample are left out
    """
    return samples()


@command("game-commands")
def game_commands(session: Session) -> JsonResult:
    """List the commands and their properties.

    Reply: a JSON list by name; each with `name`, `family`, `syntax`, `summary`, `files` (whether it
        reads or writes files named in its arguments) and `streams` (whether its reply is a
        [stream](../protocol.md#streams))
    """
    names = ("name", "family", "syntax", "summary", "files", "streams")
    return [{name: getattr(each, name) for name in names} for each in registry()]


@command("game-rule_sentences")
def game_rule_sentences(session: Session) -> JsonResult:
    """List all rules of the game: the numbered sentences that other replies cite.

    Reply: a JSON list; each with `rule` (its number), `heading` (its section) and `text`; empty for
        a game without a text
    """
    return [each._asdict() for each in rule_text(session.game).sentences]
