"""The engine at work: a game in progress, its settings, the choice of turns, and explanations.

May import: base, rules, search.
Begin with: `session.Session`, `choosing.choose`, `view.view.view`.
"""
