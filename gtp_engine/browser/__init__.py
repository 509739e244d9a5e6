"""The engine without an installation: in a worker of a web page, under Node, and below a board.

The programs themselves are cli/hosted.py and cli/hosted_board.py.

May import: base, rules, gtp/wire, gtp/client, engine/page, engine/pictures.
Begin with: `core.py`, `host.py`, `make_site.py`.
"""
