"""What a front end asks when it starts: the games, their rules in words, levels and commands.

The answers are JSON, one line of ASCII. Further keys may come in later versions: pass over those
that you do not know.
"""

from typing import Any

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.board.vertex import MAX_SIZE, MIN_SIZE
from gtp_engine.commands import command, registry
from gtp_engine.notation.rule_text import rule_text
from gtp_engine.rules import default_game, games
from gtp_engine.rules.game import Game
from gtp_engine.search.levels import LADDER, LOWEST
from gtp_engine.session.session import Session


@command("game-catalog")
def game_catalog(session: Session) -> str:
    """Tell which games and levels there are, with all that a person needs to choose.

    Arguments: none
    Effect: none
    Reply: a JSON object: `engine`, `version`, `default_game`; `games`, each with `name`, `title`,
        `default_size`, `sizes` (the smallest and the largest), `recommended` (the same, or null),
        `colors` (what the players of `black` and `white` are called) and `summary` (the rules in
        some lines); and `levels`, each with `level` (its number), `name` and `text`
    Fails: never
    """
    return _json(
        {
            "engine": ENGINE_NAME,
            "version": __version__,
            "default_game": default_game().name,
            "games": [_game(game) for game in games()],
            "levels": [
                {"level": number, "name": level.name, "text": level.text}
                for number, level in enumerate(LADDER, LOWEST)
            ],
        }
    )


def _game(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "default_size": game.default_size,
        "sizes": (MIN_SIZE, MAX_SIZE),
        "recommended": game.recommended,
        "colors": {"black": game.color_names[BLACK], "white": game.color_names[WHITE]},
        "summary": rule_text(game).short,
    }


@command("game-commands")
def game_commands(session: Session) -> str:
    """Tell which commands there are, and what each of them may do.

    Arguments: none
    Effect: none
    Reply: a JSON list, by name; each with `name`, `family`, `syntax`, `summary`, `files` (whether
        it reads or writes files that its arguments name) and `streams` (whether its answer comes
        line by line, as protocol.md says)
    Fails: never
    """
    return _json(
        [
            {
                "name": each.name,
                "family": each.family,
                "syntax": each.syntax,
                "summary": each.summary,
                "files": each.files,
                "streams": each.streams,
            }
            for each in registry()
        ]
    )


@command("game-rule_sentences")
def game_rule_sentences(session: Session) -> str:
    """Tell the rules of the game in full: the numbered sentences that are cited elsewhere.

    Arguments: none
    Effect: none
    Reply: a JSON list, in order; each with `rule` (its number), `heading` (the section in which it
        stands) and `text`. The list is empty for a game without a text
    Fails: never
    """
    return _json([each._asdict() for each in rule_text(session.game).sentences])


def _json(value: object) -> str:
    import json

    return json.dumps(value)
