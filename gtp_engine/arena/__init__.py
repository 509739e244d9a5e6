"""Matches between GTP engines, from the command line to the table of results.

May import: base, rules, gtp/client, gtp/wire, engine/pictures.
Begin with: `playing.match.Runner`, `storage.store.Store`, `reporting.findings.Findings`.

The heads of its folders name the folders of the arena that they may import, too. All import
`values`, the values that make up a match.
"""


class ArenaError(Exception):
    """Something cannot be done; the text tells the user what and why."""
