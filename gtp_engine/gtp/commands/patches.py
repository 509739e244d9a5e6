"""Patches, and the choices about them."""

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import ILLEGAL_MOVE, VERTEX
from gtp_engine.gtp.wire.registry import Failure, optional
from gtp_engine.rules.notation.turns import SEPARATOR
from gtp_engine.rules.points.vertex import Vertex


@command("game-patches")
def game_patches(session: Session) -> str:
    """List the patches.

    Reply: one line per patch: its vertices and its present owner. If patches are resolved inside a
        turn: the unresolved ones, with the groups of which one will be removed. If patches score:
        all, with their sizes
    Fails: `this game has no patches`
    Example:
        > game-position implo 3 .B./BBb/ww. b open=yes
        =
        > game-patches
        = A3: owner Black, removes A2 B2 B3
        C1: owner White, removes nothing
        C3: owner Black, removes A2 B2 B3
        > game-select robble
        =
        > game-patches
        ? this game has no patches
    """
    lines = session.position.patch_lines()
    if lines is None:
        raise Failure("this game has no patches")
    return "\n".join(lines)


@command("game-resolve", VERTEX, optional(VERTEX), malformed="invalid coordinate")
def game_resolve(session: Session, patch: Vertex, group: Vertex | None = None) -> None:
    """Resolve a patch of the open turn, in games that have such turns.

    Arguments: a vertex of the patch; if groups are tied, a vertex of the group to remove
    Effect: as `play` with these clicks for the color to move; without the group the turn waits for
        it
    Fails: `invalid coordinate`; `illegal move`
    Example:
        > game-position implo 3 .B./BBb/ww. b open=yes
        =
        > game-resolve C1
        =
    """
    if not session.position.open:
        raise Failure(ILLEGAL_MOVE)
    clicks = [patch] if group is None else [patch, group]
    session.play(session.position.to_move, SEPARATOR.join(map(str, clicks)))
