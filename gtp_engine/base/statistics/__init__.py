"""Statistics of counts: scores with intervals, and the sequential test of two hypotheses.

May import: no other room.
Begin with: `statistics.Counts`, `sprt.Sprt`.
"""
