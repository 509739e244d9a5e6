"""The engine with the example games; `--without-headers` leaves out their part of the kernel."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.__main__ import main  # noqa: E402
from support.examples import add_examples  # noqa: E402

compiled = "--without-headers" not in sys.argv
if not compiled:
    sys.argv.remove("--without-headers")
add_examples(compiled)
raise SystemExit(main())
