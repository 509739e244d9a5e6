"""Ratings and tests: from counts of games to numbers with intervals.

May import: no other folder.
Begin with: `tally.Tally`, `pair_test.PairTest`, `ratings.rate`.
"""
