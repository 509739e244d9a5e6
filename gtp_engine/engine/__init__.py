"""The engine at work: a game in progress, its settings, the choice of turns, and explanations.

May import: board, rules, notation, look, page, search, puzzles, records.
Begin with: `session.Session`, `choosing.choose`, `view.view.view`.
"""
