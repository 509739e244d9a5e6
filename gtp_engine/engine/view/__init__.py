"""A game in progress as one object for front ends: pieces, options, areas, the last turn.

May import: pictures.
Begin with: `view.view`, `choices`, `facts`.
"""
