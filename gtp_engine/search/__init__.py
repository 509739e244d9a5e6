"""Choosing turns: players, budgets, levels, solvers, and the options of all of them.

root.py decides what needs no search: forced steps, and a swap by the value of the position.
levels.py says what each level may use, time_manager.py how much of the clock's time a turn gets.

May import: base, rules, kernel.
Begin with: `player.TreePlayer`, `budget.Budget`, `backends.choose.backend_for`.
"""
