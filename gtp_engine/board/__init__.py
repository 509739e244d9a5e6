"""Values that no game owns: colors, vertices, sets of vertices, groups, diagrams."""
