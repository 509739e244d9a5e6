"""Values without any game: colors, vertices, sets of vertices, groups, diagrams."""
