"""Values that no game owns: colors, vertices, sets of vertices, groups, symmetry, diagrams.

May import: no other room.
Begin with: `vertex.Vertex`, `points.Points`, `diagram.draw`.
"""
