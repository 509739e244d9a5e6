"""Pictures of the game."""

from gtp_engine.commands import command
from gtp_engine.commands.arguments import choice
from gtp_engine.gtp.registry import optional
from gtp_engine.session.session import Session

_PLAIN = "plain"


@command("game-svg", optional(choice(_PLAIN, "visits", "winrate", "openings")))
def game_svg(session: Session, kind: str = _PLAIN) -> str:
    """Draw the game as SVG.

    Arguments: `visits` or `winrate` lays a heat map over the board: a search as for `genmove`
        tells in percent where it looked, or the chance of the color to move; `openings` draws
        what `game-swap_map` knows over the empty board; `plain`, or nothing, for none
    Effect: none; a search ends early on `# interrupt`
    Reply: an SVG document in ASCII: the board, with the points that the last turn changed; patches
        and points to click while a turn is open, owners when the game is over; a caption
    Fails: `syntax: ...`
    Example:
        > game-svg heat
        ? syntax: game-svg [plain|visits|winrate|openings]
    """
    from gtp_engine.render.svg import picture
    from gtp_engine.session.scenes import scene
    from gtp_engine.thinking.heat import heat_scene

    return picture(scene(session) if kind == _PLAIN else heat_scene(session, kind))
