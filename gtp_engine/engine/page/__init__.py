"""The board's page: its modules and sheets, and all of it in one file with a game.

May import: pictures.
Begin with: `main.js`, `store.js`, `bundle.py`.
"""
