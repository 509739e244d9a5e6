"""The page: its modules and sheets, and all of it in one file. It knows no rule and no game.

May import: look.
Begin with: `main.js`, `store.js`, `bundle.py`.
"""
