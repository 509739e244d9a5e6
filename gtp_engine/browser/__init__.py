"""The engine without an installation: in a worker of a web page, and under Node.

May import: every other room.
Begin with: `core.py`, `host.py`, `make_site.py`.
"""
