"""`python -m gtp_engine` is `gtp-engine`."""

import os
import signal


def main() -> int:
    """Run the engine. From the first moment on, a signal ends it quietly."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: os._exit(0))

    from gtp_engine.base import stderr, stdout
    from gtp_engine.base.signals import end_although_deaf

    stderr.provide()  # before the first pipe, which would have the descriptor of a closed one
    stdout.provide()
    end_although_deaf()

    from gtp_engine.cli.engine import main as run

    return run()


if __name__ == "__main__":
    raise SystemExit(main())
