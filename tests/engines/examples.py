"""The engine with the example games."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from examples import add_examples  # noqa: E402

from gtp_engine.__main__ import main  # noqa: E402

add_examples()
raise SystemExit(main())
