"""The page: modules, styles, and all of it with a game in one file. It knows no rule and no game.

May import: look.
Begin with: `main.js`, `store.js`, `bundle.py`.
"""
