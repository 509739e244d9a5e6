"""Puzzles and endgames for the shipped data: found in games, graded, and selected.

May import: no other folder.
Begin with: `mining.found_in`, `selection.select`.
"""
