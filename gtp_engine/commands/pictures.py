"""Pictures of the game."""

from gtp_engine.commands import command
from gtp_engine.commands.arguments import choice
from gtp_engine.engine.session import Session
from gtp_engine.gtp.registry import optional

_PLAIN = "plain"


@command("game-svg", optional(choice(_PLAIN, "visits", "winrate", "openings")))
def game_svg(session: Session, kind: str = _PLAIN) -> str:
    """Draw the game as SVG.

    Arguments: `visits` or `winrate` adds a heat map by a search as for `genmove`: the share of the
        visits, or the chance of the color to move, in percent; `openings` draws the values of the
        first turns of a game; `plain` or nothing adds nothing
    Effect: none; `# interrupt` ends a search early
    Reply: an SVG document in ASCII: the board, with the points that the last turn changed; patches
        and legal clicks while a turn is open; owners after the end of the game; a caption
    Fails: `syntax: ...`
    Example:
        > game-svg heat
        ? syntax: game-svg [plain|visits|winrate|openings]
    """
    from gtp_engine.engine.heat import heat_scene
    from gtp_engine.engine.scenes import scene
    from gtp_engine.look.svg import picture

    return picture(scene(session) if kind == _PLAIN else heat_scene(session, kind))
