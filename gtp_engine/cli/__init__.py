"""Entry points. They turn arguments into objects, and only they decide where log messages go.

May import: every other room.
Begin with: `engine.main`, `board.main`, `arena.main`.
"""
