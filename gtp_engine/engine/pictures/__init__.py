"""Pictures of boards and pieces: their look as data for pages, and what is drawn from it.

May import: base, rules.
Begin with: `scene.Scene`, `svg.picture`, `loader.look`.
"""
