"""The look of boards and pieces: data for pages, and pictures drawn from it.

May import: board, rules, notation.
Begin with: `scene.Scene`, `svg.picture`, `loader.look`.
"""
