"""Choosing turns: players, budgets, levels, solvers, and the options of all of them.

May import: board, rules, notation, kernel.
Begin with: `player.TreePlayer`, `budget.Budget`, `backends.choose.backend_for`.
"""
