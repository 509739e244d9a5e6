"""Matches between GTP engines, from the command line to the table of results.

May import: board, rules, notation, gtp, look, cluster.
Begin with: `playing.match.Runner`, `storage.store.Store`, `reporting.findings.Findings`.
"""


class ArenaError(Exception):
    """Something cannot be done; the text tells the user what and why."""
