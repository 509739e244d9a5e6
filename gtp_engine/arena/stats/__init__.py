"""Ratings and tests: from counts of games to numbers with intervals."""
