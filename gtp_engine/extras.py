"""Optional libraries, and how to install them."""

import sys
from pathlib import Path

_CHECKOUT = Path(__file__).parent.parent


def how_to_install(extra: str) -> str:
    """The command that installs an extra of pyproject.toml for the running Python."""
    if (_CHECKOUT / "pyproject.toml").exists():
        return f"{sys.executable} -m pip install -e '{_CHECKOUT}[{extra}]'"
    return f"{sys.executable} -m pip install 'gtp-engine[{extra}]'"
