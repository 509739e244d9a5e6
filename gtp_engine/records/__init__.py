"""Games as SGF files, and loaded games as replay pages.

May import: board, rules, notation, look, search, page, engine.
Begin with: `sgf`, `replay_page`.
"""
