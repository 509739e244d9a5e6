"""Pondering: searching during the opponent's turn."""

from gtp_engine.engine.choosing import player_of
from gtp_engine.engine.history import Frame
from gtp_engine.engine.session import Session
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.player import TreePlayer

# An opponent who takes longer has probably left.
LONGEST = 600.0

# Clients that send several lines, or know the next turn at once, do not wait for a search to end.
_PAUSE = 0.05


class Pondering:
    """Searches a session's position after each turn of ours while there is no command to answer.

    The next search continues its tree: with a limit of visits it has fewer left to do, and does not
    get stronger. With a seed there is no pondering, because choices would depend on the opponent's
    time.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._frame: Frame | None = None
        self._deadline: Deadline | None = None

    def go_on(self) -> None:
        """Search until input is pending, or for the longest time per position."""
        session = self._session
        if not self._wanted() or session.pending.wait(_PAUSE):
            return
        player = player_of(session, None)
        if not isinstance(player, TreePlayer) or not player.keeps:
            return
        if self._deadline is None or self._frame is not session.frame:
            visits = session.budget().visits
            self._frame = session.frame
            self._deadline = Budget(visits, LONGEST, session.pending).begin()
        if not self._deadline.reached():
            player.ponder(session.position, self._deadline)

    def _wanted(self) -> bool:
        """Whether the last play was ours and the opponent is to move."""
        session, play = self._session, self._session.frame.play
        if not session.settings.ponder or session.settings.chance_seed is not None:
            return False
        if session.outcome is not None or session.turn_open or play is None or not play.by:
            return False
        return play.color is not session.position.to_move
