"""The engine with a fifth game."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from fifth import add_fifth_game  # noqa: E402

from gtp_engine.__main__ import main  # noqa: E402

add_fifth_game()
raise SystemExit(main())
