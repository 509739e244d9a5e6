"""What the actions about the program itself answer."""

from typing import Any

from gtp_engine import __version__
from gtp_engine.engine.settings import Settings
from gtp_engine.rules import games
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.build import build_word
from gtp_engine.search.weights import VERSION

PROTOCOL = 1
"""Higher when a line that was understood would mean something else."""


def version() -> dict[str, Any]:
    """The program, and the games that it knows."""
    known = [
        {
            "name": game.name,
            "title": game.title,
            "size": game.default_size,
            "sizes": game.sizes,
            "pie": game.has_pie,
            "points": game.scored,
        }
        for game in games()
    ]
    told = {"version": __version__, "git_hash": build_word(), "protocol": PROTOCOL}
    return told | {"games": known}


def models(settings: Settings) -> list[dict[str, Any]]:
    """The learned evaluations that a search with some settings uses, with KataGo's keys first."""
    found = []
    for game in games():
        weights = backend_for(game, settings.backend).weights(settings.search_options)
        if weights is not None:
            found.append(
                {
                    "name": f"{game.name}-{weights.mark}",
                    "internalName": weights.mark,
                    "maxBatchSize": 1,
                    "usesHumanSLProfile": False,
                    "version": VERSION,
                    "usingFP16": False,
                    "game": game.name,
                    "channels": weights.channels,
                    "blocks": weights.blocks,
                }
            )
    return found
