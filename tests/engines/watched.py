"""An engine that reports the lines that no client should send.

    watched.py REPORT COMMAND...

COMMAND starts the real engine, which gets all lines. The file REPORT gets each line that may touch
a file, or that is no GTP.
"""

import re
import subprocess
import sys

# What the table itself sends, beside what a page may type.
OWN = re.compile(
    rb"game-set level \d+|# interrupt|game-analyze [a-z]+ \d+ maxmoves \d+ ownership true|quit|"
    rb"|game-genmove_analyze .*|game-review( \d+)?|game-printsgf (plain|display)"
)
# What touches files or answers without end, at least in our engine.
REFUSED = re.compile(
    rb"loadsgf|printsgf|game-printsgf|gomill-savesgf|game-set|game-dialog|kata-set-params?"
    rb"|(kata|lz|game)-(gen|search_)?(move_)?analyze|quit"
)
PRINTABLE = re.compile(rb"[ -~]*")


def forbidden(line: bytes) -> bool:
    """Whether an engine should not have been sent a line."""
    text = re.sub(rb"^\d+ ", b"", line)
    if OWN.fullmatch(text):
        return False
    if PRINTABLE.fullmatch(line) is None or b"#" in line:
        return True
    return REFUSED.fullmatch(text.split(b" ")[0]) is not None


def main() -> None:
    report, *command = sys.argv[1:]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as engine:
        for line in iter(sys.stdin.buffer.readline, b""):
            if forbidden(line.rstrip(b"\n")):
                with open(report, "ab") as file:
                    file.write(line)
            engine.stdin.write(line)
            engine.stdin.flush()
        engine.stdin.close()


if __name__ == "__main__":
    main()
