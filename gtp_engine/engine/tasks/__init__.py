"""Puzzles and endgames: found in games, proven, and shipped as data.

May import: board, rules, notation, search.
Begin with: `puzzle.Puzzle`, `mining.found_in`, `proof.check`.
"""
