"""Our engine, which hangs or dies once at a line: hanging.py FILE WORDS hang|die.

The fault happens if the line contains the words and FILE does not exist. The engine then makes
FILE.
"""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from gtp_engine.commands import registry
from gtp_engine.engine.session import Session
from gtp_engine.gtp.dispatch import answer
from gtp_engine.rules import default_game


def main() -> None:
    once, words, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    session = Session(default_game())
    for line in sys.stdin:
        if words in line and not once.exists():
            once.touch()
            if how == "die":
                os._exit(9)
            signal.pause()
        reply = answer(registry(), session, line)
        if reply is not None:
            print(reply.response, end="", flush=True)


if __name__ == "__main__":
    main()
