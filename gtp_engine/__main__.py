"""`python -m gtp_engine` is `gtp-engine`."""

from gtp_engine.cli.engine import main

raise SystemExit(main())
