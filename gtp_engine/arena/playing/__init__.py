"""Playing a match: engines, openings, games, and machines that share the work."""
