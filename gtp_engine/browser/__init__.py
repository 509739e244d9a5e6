"""The engine without an installation: in a worker of a web page, and under Node.

The program itself is cli/hosted.py.

May import: base, rules, gtp/wire.
Begin with: `core.py`, `host.py`, `make_site.py`.
"""
