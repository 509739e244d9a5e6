"""Games as SGF files, and loaded games as replay pages.

May import: board, rules, notation, look, engine.
Begin with: `sgf`.
"""
