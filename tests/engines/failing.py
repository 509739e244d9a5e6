"""An engine of few imports that fails at its first turn: failing.py die|garbage|close-output."""

import os
import sys
import time

COMMANDS = ["list_commands", "boardsize", "clear_board", "play", "genmove", "quit"]


def fail(how: str) -> None:
    if how == "die":
        print("failing: segmentation fault or so", file=sys.stderr)
        sys.exit(7)
    if how == "garbage":
        print("thinking", flush=True)
    elif how == "close-output":
        os.close(sys.stdout.fileno())
    time.sleep(1000)  # until somebody ends it


for line in sys.stdin:
    number, command, *arguments = line.split()
    if command == "genmove":
        fail(sys.argv[1])
    said = "\n".join(COMMANDS) if command == "list_commands" else ""
    print(f"={number} {said}\n", flush=True)
    if command == "quit":
        break
