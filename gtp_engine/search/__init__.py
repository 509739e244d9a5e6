"""Choosing turns: players, budgets, levels, solvers, and the options of all of them.

May import: base, rules, kernel.
Begin with: `player.TreePlayer`, `budget.Budget`, `backends.choose.backend_for`.
"""
