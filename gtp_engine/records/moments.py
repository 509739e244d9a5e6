"""A game as the moments of its replay, with the remarks in its file."""

from gtp_engine.board.color import Color
from gtp_engine.engine.scenes import shown_turns, step_scenes, turn_scenes
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import author_of, what_next
from gtp_engine.look.replay import Replay, ReplayFrame
from gtp_engine.numbers import finite
from gtp_engine.records.sgf import Properties, Remarks

# Black's chance in percent, also used by Sabaki; and comments for people.
_CHANCE, _COMMENT = "SBKV", "C"


def replay_of(session: Session, remarks: Remarks) -> Replay:
    """The game of a session that was loaded from a file, ready to be replayed."""
    scenes, root = turn_scenes(session), remarks.get(0, {})
    moments = [ReplayFrame(scenes[0], comment=root.get(_COMMENT, ""))]
    plays = 0
    for turn, scene in zip(shown_turns(session), scenes[1:]):
        nodes = [remarks.get(plays + number, {}) for number in range(1, len(turn.plays) + 1)]
        plays += len(turn.plays)
        moments.append(
            ReplayFrame(
                scene,
                stages=tuple(step_scenes(turn)),
                color=turn.color,
                word=turn.word,
                by=author_of(turn),
                comment="\n".join(filter(None, (node.get(_COMMENT) for node in nodes))),
                chance=_chance(nodes),
            )
        )
    names = [root.get(f"P{color.sign}", "") for color in Color]
    return Replay(
        session.game,
        session.position.size,
        tuple(moments),
        (names[0], names[1]),
        root.get("DT", ""),
        what_next(session),
    )


def _chance(nodes: list[Properties]) -> float | None:
    """The last of Black's chances in some nodes, 0 to 1."""
    for node in reversed(nodes):
        try:
            percent = finite(node.get(_CHANCE, ""))
        except ValueError:
            continue
        if 0 <= percent <= 100:
            return percent / 100
    return None
