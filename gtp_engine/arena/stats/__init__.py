"""Ratings and tests: counts of games to numbers with their intervals."""
