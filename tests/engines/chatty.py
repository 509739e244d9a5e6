"""Our engine with an analysis that streams frames at any rate, without a search.

chatty.py FRAMES-A-SECOND
"""

import json
import select
import sys
from pathlib import Path

# Run as a script, it is the first on the path that matters.
sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.dispatch import answer
from gtp_engine.rules import default_game

TURN = {"visits": 1234, "chance": 0.5, "lcb": 0.48, "pv": ["A1", "B2", "C3"], "whole": True}


def stream(session: Session, rate: float) -> None:
    """Write frames until a line comes; it ends them, and is a command of its own."""
    steps = [str(step) for step in session.legal_steps()][:10]
    turns = [{"turn": step, "clicks": [step], **TURN} for step in steps]
    frame = {"color": str(session.position.to_move), "chance": 0.5, "proven": None, "turns": turns}
    visits = 0
    while not select.select([0], [], [], 1 / rate)[0]:
        visits += 100
        print(json.dumps({**frame, "visits": visits}), flush=True)
    print(flush=True)


def main() -> None:
    # Without a buffer, so that select sees whether there is another line.
    lines = open(0, "rb", buffering=0)  # noqa: SIM115
    session = Session(default_game(), None)
    while line := lines.readline().decode():
        words = line.split()
        if len(words) > 1 and words[1] == "game-analyze":
            print(f"={words[0]}", flush=True)
            stream(session, float(sys.argv[1]))
        elif (reply := answer(registry(), session, line)) is not None:
            print(reply.response, end="", flush=True)
            if reply.quits:
                return


if __name__ == "__main__":
    main()
