"""Puzzles and endgames: found in games, proven, and selected as data.

May import: no other folder.
Begin with: `mining.found_in`, `selection.select`.
"""
