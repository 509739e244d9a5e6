"""Matches between GTP engines, from the command line to the table of results.

May import: board, rules, notation, gtp, look, cluster.
Begin with: `playing/match.py`, `storage/store.py`, `stats/ratings.py`.
"""
