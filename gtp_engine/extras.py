"""Optional libraries, and how to install them."""

import sys
from pathlib import Path

_CHECKOUT = Path(__file__).parent.parent


def how_to_install(extra: str) -> str:
    """The command that installs an extra of pyproject.toml for the running Python."""
    python = f"'{sys.executable}'" if " " in sys.executable else sys.executable
    if (_CHECKOUT / "pyproject.toml").exists():
        return f"{python} -m pip install -e '{_CHECKOUT}[{extra}]'"
    return f"{python} -m pip install 'gtp-engine[{extra}]'"
