"""Commands of our programs, as somebody can copy them from where they are printed."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

_BIN = Path(__file__).parents[2] / "bin"

# The modules of the programs, for a Python whose folder of programs is not searched by the shell.
_MODULES = {
    "gtp-engine": "gtp_engine",
    "gtp-arena": "gtp_engine.cli.arena",
    "gtp-board": "gtp_engine.cli.board",
    "gtp-regress": "gtp_engine.cli.regress",
}


def own_command(program: str, arguments: Sequence[str] = ()) -> str:
    """The command line that starts one of our programs, in any folder of this machine.

    In a checkout it names the file in `bin`, which brings the packages that it needs.
    """
    return shlex.join([*_words(program), *arguments])


def _words(program: str) -> list[str]:
    if (path := _BIN / program).exists():
        return [str(path)]
    if shutil.which(program) is not None:
        return [program]
    return [sys.executable, "-m", _MODULES[program]]
