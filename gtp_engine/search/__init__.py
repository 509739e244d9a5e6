"""Choosing turns: budgets, the Python search, and the choice of a player."""
